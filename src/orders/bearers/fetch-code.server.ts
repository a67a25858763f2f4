import type { Ctx } from '#src/kit/context.ts'

/**
 * Three digits that a bearer says to the seller: whoever fetches the animal knows them. Another bearer has others. Derived, so that no table
 * stores them, with the key of the order's day, so that they stay as they are; the buyer's digits at the door are four.
 */
export function fetchCode(ctx: Ctx, { id, listedBearerId, createdAt }: { id: number; listedBearerId: number; createdAt: Date }): string {
  const number = ctx.vault.macAsOf(createdAt, 'fetch-code', String(id), String(listedBearerId)).readUInt32BE()
  return String(number % 1000).padStart(3, '0')
}
