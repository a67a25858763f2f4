import type { Ctx } from '#src/kit/context.ts'
import { findAnswer, once } from '#src/kit/records/idempotency.server.ts'
import type { ListingFacts } from '#src/listings/write/listing-input.ts'
import { createListing, requireMayListFor } from '#src/selling/listing/sell.server.ts'

const ownerOf = (ctx: Ctx) => `user:${ctx.viewer!.id}|import`

/** How many of the rows are not listed yet, so that a repeated form does not count against the daily limit. */
export async function countFresh(ctx: Ctx, key: string, rows: { number: number }[]): Promise<number> {
  const made = await Promise.all(rows.map(({ number }) => findAnswer(ctx, { owner: ownerOf(ctx), key: `${key}-${number}` })))
  return made.filter((answer) => answer === null).length
}

/**
 * Makes a draft listing of each row. `key` is the form's idempotency key: a repeat makes no new listings. Returns their ids. VALIDATION of
 * `pickup`.
 */
export async function importListings(
  ctx: Ctx,
  { key, pickupAddressId, rows }: { key: string; pickupAddressId: number; rows: { number: number; facts: ListingFacts }[] },
): Promise<number[]> {
  const sellerId = ctx.viewer!.id
  await requireMayListFor(ctx, sellerId)
  const ids: number[] = []
  for (const { number, facts } of rows) {
    const request = JSON.stringify([pickupAddressId, facts], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    const asked = { owner: ownerOf(ctx), key: `${key}-${number}`, request }
    ids.push(await once(ctx, asked, (ctx) => createListing(ctx, { sellerId, pickupAddressId, facts })))
  }
  return ids
}
