import type { Ctx } from '#src/kit/context.ts'

interface FetchedOrder {
  id: number
  listedBearerId: number
  createdAt: Date
}

/**
 * Three digits that the bearer says to the seller as proof; each bearer has other digits. The code is derived, so no table stores it, with
 * the key of the order's day, so a key rotation does not change it. The buyer's handover code has four digits.
 */
export const fetchCode = (ctx: Ctx, order: FetchedOrder): string => digitsOf(ctx, 'fetch-code', order)

/** Three other digits that the seller says to the bearer once the animal is on the vehicle. Derived in the same way. */
export const loadedCode = (ctx: Ctx, order: FetchedOrder): string => digitsOf(ctx, 'loaded-code', order)

function digitsOf(ctx: Ctx, purpose: 'fetch-code' | 'loaded-code', { id, listedBearerId, createdAt }: FetchedOrder): string {
  const number = ctx.vault.macAsOf(createdAt, purpose, String(id), String(listedBearerId)).readUInt32BE()
  return String(number % 1000).padStart(3, '0')
}
