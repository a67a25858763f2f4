import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { vetHolds } from '#src/listings/tables.ts'

/** What the vets' desk exports to a person about themselves. Their findings are exported with the listings, where they stand. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  return { vetHolds: await ctx.db.select().from(vetHolds).where(eq(vetHolds.vetId, userId)) }
}

/** In the transaction of the erasure: their holds are free for another vet. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  await ctx.db.delete(vetHolds).where(eq(vetHolds.vetId, userId))
  return []
}
