import { asc, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { cartLines } from './tables.ts'

export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const lines = await ctx.db
    .select({ listingId: cartLines.listingId, count: cartLines.count, createdAt: cartLines.createdAt })
    .from(cartLines)
    .where(eq(cartLines.buyerId, userId))
    .orderBy(asc(cartLines.id))
  return { cart: lines }
}

/** Call it in the erasure's transaction. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  await ctx.db.delete(cartLines).where(eq(cartLines.buyerId, userId))
  return []
}
