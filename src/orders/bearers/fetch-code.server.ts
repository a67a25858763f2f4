import type { Ctx } from '#src/kit/context.ts'

/**
 * Three digits that a bearer says to the seller: whoever fetches the animal knows them. Another bearer has others. Derived, so that no table
 * stores them; the buyer's digits at the door are four.
 */
export function fetchCode(ctx: Ctx, { id, listedBearerId }: { id: number; listedBearerId: number }): string {
  const number = ctx.vault.mac('fetch-code', String(id), String(listedBearerId)).readUInt32BE()
  return String(number % 1000).padStart(3, '0')
}
