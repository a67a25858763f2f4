import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { vetHolds } from '#src/listings/tables.ts'

/** The data of this domain in a person's export. A vet's findings are exported with the listings. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  return { vetHolds: await ctx.db.select().from(vetHolds).where(eq(vetHolds.vetId, userId)) }
}

/** Releases the person's holds. Call it in the erasure's transaction. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  await ctx.db.delete(vetHolds).where(eq(vetHolds.vetId, userId))
  return []
}
