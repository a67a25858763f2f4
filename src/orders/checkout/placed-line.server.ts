import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import { orders } from '#src/orders/tables.ts'

/**
 * Runs an act on a line of the viewer's cart. A line keeps its number when it is ordered: a line that is not in the cart but is an order of
 * the viewer's is refused with ORDER_PLACED; another person's, like one that never existed, stays NOT_FOUND.
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
