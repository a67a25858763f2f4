import type { Ctx } from '#src/kit/context.ts'

/**
 * Three digits that the bearer says to the seller as proof; each bearer has other digits. The code is derived, so no table stores it, with
 * the key of the order's day, so a key rotation does not change it. The buyer's handover code has four digits.
 */
export function fetchCode(ctx: Ctx, { id, listedBearerId, createdAt }: { id: number; listedBearerId: number; createdAt: Date }): string {
  const number = ctx.vault.macAsOf(createdAt, 'fetch-code', String(id), String(listedBearerId)).readUInt32BE()
  return String(number % 1000).padStart(3, '0')
}
