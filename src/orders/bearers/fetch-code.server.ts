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
export const fetchCode = (ctx: Ctx, order: FetchedOrder): string => digits(numberOf(ctx, 'fetch-code', order))

/**
 * Three digits that the seller says to the bearer once the animal is on the vehicle. Derived in the same way, and never equal to
 * `fetchCode`, which the bearer knows beforehand.
 */
export function loadedCode(ctx: Ctx, order: FetchedOrder): string {
  const number = numberOf(ctx, 'loaded-code', order)
  return digits(number === numberOf(ctx, 'fetch-code', order) ? (number + 1) % 1000 : number)
}

const numberOf = (ctx: Ctx, purpose: 'fetch-code' | 'loaded-code', { id, listedBearerId, createdAt }: FetchedOrder): number =>
  ctx.vault.macAsOf(createdAt, purpose, String(id), String(listedBearerId)).readUInt32BE() % 1000

const digits = (number: number) => String(number).padStart(3, '0')
