import { and, eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Ctx } from '#src/kit/context.ts'
import type { Money } from '#src/kit/money.ts'
import { orders } from './tables.ts'

export interface PlacedOrder {
  id: number
  orderNo: string
  name: string
  count: number
}

/** What one confirmation of the viewer's placed, by any of its orders; null for what is none of his. */
export async function findPlaced(ctx: Ctx, orderId: number): Promise<{ orders: PlacedOrder[]; payable: Money } | null> {
  const named = alias(orders, 'named')
  const rows = await ctx.db
    .select({
      id: orders.id,
      orderNo: orders.orderNo,
      animal: orders.animal,
      count: orders.count,
      unitPrice: orders.unitPrice,
      discount: orders.discount,
    })
    .from(named)
    .innerJoin(orders, eq(orders.groupId, named.groupId))
    .where(and(eq(named.id, orderId), eq(named.buyerId, ctx.viewer?.id ?? 0)))
    .orderBy(orders.id)
  if (rows.length === 0) return null
  return {
    orders: rows.map(({ id, orderNo, animal, count }) => ({
      id,
      orderNo,
      count,
      name: (ctx.locale === 'en' && animal.nameEn) || animal.name,
    })),
    payable: rows.reduce((sum, { unitPrice, count, discount }) => sum + unitPrice * BigInt(count) - discount, 0n),
  }
}
