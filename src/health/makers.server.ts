import type { Ctx } from '#src/kit/context.ts'
import { vetChecks } from './tables.ts'

export async function makeVetCheck(ctx: Ctx, row: typeof vetChecks.$inferInsert): Promise<void> {
  await ctx.db.insert(vetChecks).values(row)
}
