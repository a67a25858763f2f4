import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import { orders } from './tables.ts'

/**
 * Does something to a line of one's cart. A line keeps its number when it is ordered: what is not found in the cart, and is an order
 * of the viewer's, is refused with ORDER_PLACED; another's, like one that never was, stays NOT_FOUND.
 */
export async function toCartLine(ctx: Ctx, lineId: number, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') throw error
    const isPlaced = (await ctx.db.$count(orders, and(eq(orders.id, lineId), eq(orders.buyerId, ctx.viewer!.id)))) > 0
    throw isPlaced ? new Problem('ORDER_PLACED') : error
  }
}
