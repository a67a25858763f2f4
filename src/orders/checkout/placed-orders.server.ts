import { requireLoggedIn } from '#src/accounts/policy.ts'
import { and, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { isHere, users } from '#src/accounts/tables.ts'
import { cartLines } from '#src/cart/tables.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import type { Ctx } from '#src/kit/context.ts'
import { findAnswer } from '#src/kit/records/idempotency.server.ts'
import { isTerminal, ON_THE_WAY, PLACED, statusName } from '../process.server.ts'
import { payableOf } from '../rules.ts'
import { orders } from '../tables.ts'
import { findExpectedDays } from './expected-days.server.ts'
import type { PlacedOrders } from './place-order.server.ts'

/**
 * The current state of all orders that one confirmation of the viewer placed, found by any of them. Null when the viewer has no such order.
 */
export async function findPlaced(ctx: Ctx, orderId: number) {
  const named = alias(orders, 'named')
  const rows = await ctx.db
    .select({
      ...columnsOf(orders, 'id', 'orderNo', 'animal', 'count', 'unitPrice', 'discount', 'status', 'pickup', 'delivery'),
      seller: { id: users.id, name: users.name, phone: users.phone, isHere: sql<boolean>`${isHere}` },
    })
    .from(named)
    .innerJoin(orders, eq(orders.groupId, named.groupId))
    .innerJoin(users, eq(users.id, orders.sellerId))
    .where(and(eq(named.id, orderId), eq(named.buyerId, ctx.viewer?.id ?? 0)))
    .orderBy(orders.id)
  if (rows.length === 0) return null
  const open = rows.filter(({ status }) => !isTerminal(status))
  const sellers = new Map(open.filter(({ seller }) => seller.isHere).map(({ seller: { id, name, phone } }) => [id, { id, name, phone }]))
  const awaited = open.filter(({ status }) => status < ON_THE_WAY)
  const pickups = awaited.map(({ pickup }) => pickup.pincode)
  return {
    /** Sellers of the open orders, whom the buyer may call. */
    sellers: [...sellers.values()],
    /** Usual days from order to delivery; null once all orders are on the way or over. */
    days: await findExpectedDays(ctx, rows[0]!.delivery.pincode, pickups),
    orders: rows.map(({ id, orderNo, animal, count, status }) => ({
      id,
      orderNo,
      count,
      name: (ctx.locale === 'en' && animal.nameEn) || animal.name,
      /** Null while the order is just placed. */
      statusName: status === PLACED ? null : statusName(status, ctx.locale),
      isOver: isTerminal(status),
    })),
    payable: rows.filter(({ status }) => !isTerminal(status)).reduce((sum, order) => sum + payableOf(order), 0n),
    isOver: rows.every(({ status }) => isTerminal(status)),
    isAwaited: rows.some(({ status }) => status === PLACED),
    /** For the header: the buyer may have filled the cart again. */
    cartLines: await ctx.db.$count(cartLines, eq(cartLines.buyerId, requireLoggedIn(ctx).id)),
  }
}

export type Placed = NonNullable<Awaited<ReturnType<typeof findPlaced>>>

/** The first order placed under this idempotency key (place-order.server.ts); null when there is none. */
export async function placedUnder(ctx: Ctx, key: string): Promise<number | null> {
  const answer = (await findAnswer(ctx, { owner: `user:${requireLoggedIn(ctx).id}`, key })) as PlacedOrders | null
  return answer?.orders[0]?.id ?? null
}
