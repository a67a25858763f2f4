import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { vetHolds } from '#src/listings/tables.ts'

/** What the vets' desk knows of a person, for himself. His findings are exported with the listings, where they stand. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  return { vetHolds: await ctx.db.select().from(vetHolds).where(eq(vetHolds.vetId, userId)) }
}

/** In the transaction of the erasure: what he had taken is free for another vet. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  await ctx.db.delete(vetHolds).where(eq(vetHolds.vetId, userId))
  return []
}
