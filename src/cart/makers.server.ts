import type { Ctx } from '#src/kit/context.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { cartLines } from './tables.ts'

/** Adds a cart line that was seen at the current price. Returns its id. */
export async function makeCartLine(
  ctx: Ctx,
  line: Pick<typeof cartLines.$inferInsert, 'buyerId' | 'listingId'> & Partial<typeof cartLines.$inferInsert>,
): Promise<number> {
  const [row] = await ctx.db
    .insert(cartLines)
    .values({ count: 1, seenPrice: rupees(85_000), seenStock: 1, ...line })
    .returning({ id: cartLines.id })
  return row!.id
}
