import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { saleMoney } from '#src/invoices/sale-money.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { listings } from '#src/listings/tables.ts'
import { fetchCode, loadedCode } from '#src/orders/bearers/fetch-code.server.ts'
import { isForSale } from '../for-sale.ts'
import { countUpTo, ORDERS_PER_PAGE } from '../queries.server.ts'
import { ON_THE_WAY, type OrderStatus } from '../process.server.ts'
import { bearers, orders } from '../tables.ts'

/** The newest first. Sellers read their own; admins read any seller's, or all with null. NOT_FOUND for another seller's. */
export async function listOrderedLines(
  ctx: Ctx,
  sellerId: number | null,
  { afterId = null, top = ORDERS_PER_PAGE }: { afterId?: number | null; top?: number } = {},
) {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, 'see-own', { userId: sellerId })) throw notFound()
  if (sellerId !== viewer.id) {
    if (sellerId !== null && (await ctx.db.$count(users, eq(users.id, sellerId))) === 0) throw notFound()
  }
  const whose = sellerId === null ? undefined : eq(orders.sellerId, sellerId)
  const rows = await ctx.db
    .select({
      order: orders,
      bearer: { id: bearers.id, name: bearers.name, pictureKey: bearers.pictureKey },
      sellerName: users.name,
      listing: { state: listings.state, isSold: listings.isSold, stock: listings.stock, touchedAt: listings.touchedAt },
      hasCommission: sql<boolean>`exists (select 1 from invoices i where i.order_id = ${orders.id} and i.kind = 'commission')`,
      photoKey: sql<string | null>`(select p.media_key from order_photos p where p.order_id = ${orders.id} order by p.position limit 1)`,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.sellerId))
    .innerJoin(listings, eq(listings.id, orders.listingId))
    .leftJoin(bearers, eq(bearers.id, orders.listedBearerId))
    .where(and(whose, afterId === null ? undefined : lt(orders.id, afterId)))
    .orderBy(desc(orders.id))
    .limit(top + 1)
  const lines = rows.slice(0, top).map(({ order, bearer, sellerName, listing, ...found }) => ({
    ...found,
    id: order.id,
    orderNo: order.orderNo,
    itemsCount: order.count,
    status: order.status as OrderStatus,
    listingId: order.listingId,
    animal: order.animal,
    unitPrice: order.unitPrice,
    /** The seller's part: price less commission. */
    due: saleMoney(order).due,
    seller: { id: order.sellerId, name: sellerName },
    placedOn: indianDay(order.createdAt),
    deliverOn: order.deliverOn,
    deliverWindow: order.deliverWindow,
    deliveredOn: order.deliveredOn,
    endReason: order.endReason,
    fetchedBy: fetchedBy(ctx, order, bearer),
    /** Is the listing on the market now? Stock that an order returns need not be for sale. */
    isForSale: isForSale(listing, ctx.now),
  }))
  return { lines, count: await countUpTo(ctx, whose), nextAfterId: rows.length > top ? (lines.at(-1)?.id ?? null) : null }
}

/** The bearer, the digits that they say and those that the seller says, until the animal has left. */
function fetchedBy(
  ctx: Ctx,
  order: typeof orders.$inferSelect,
  bearer: Pick<typeof bearers.$inferSelect, 'id' | 'name' | 'pictureKey'> | null,
) {
  if (!bearer || bearer.name === '' || order.status >= ON_THE_WAY) return null
  const taken = { ...order, listedBearerId: bearer.id }
  const { name, pictureKey } = bearer
  return { name, pictureKey, code: fetchCode(ctx, taken), loaded: loadedCode(ctx, taken) }
}

/** An order of a seller's listing as the seller may see it: without buyer and destination. */
export type OrderedLine = Awaited<ReturnType<typeof listOrderedLines>>['lines'][number]
