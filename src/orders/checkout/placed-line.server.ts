import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { orders } from '../tables.ts'

/**
 * Runs an act on a line of the viewer's cart. An ordered line keeps its number, so NOT_FOUND becomes ORDER_PLACED when the number is an
 * order of the viewer. Other people's lines and unknown lines stay NOT_FOUND.
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
