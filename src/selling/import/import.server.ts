import { requireLoggedIn } from '#src/accounts/policy.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import type { Ctx } from '#src/kit/context.ts'
import { findAnswer, once } from '#src/kit/records/idempotency.server.ts'
import { createListing, requireMayListFor, type Sale } from '#src/selling/listing/sell.server.ts'

type RightRow = Pick<Sale, 'facts' | 'owner'> & { number: number; photo: string }

const ownerOf = (ctx: Ctx) => `user:${requireLoggedIn(ctx).id}|import`

/** How many of the rows are not listed yet, so that a repeated form does not count against the daily limit. */
export async function countFresh(ctx: Ctx, key: string, rows: { number: number }[]): Promise<number> {
  const made = await Promise.all(rows.map(({ number }) => findAnswer(ctx, { owner: ownerOf(ctx), key: `${key}-${number}` })))
  return made.filter((answer) => answer === null).length
}

interface Imported {
  ids: number[]
  /** Rows whose owner or fee is refused, for example by an owner who wants nothing from this agent. */
  refused: { number: number; fields: readonly FieldProblem[] }[]
}

/**
 * Makes a draft listing of each row; a row that is refused stops no other. `key` is the form's idempotency key: a repeat
 * makes no new listings. VALIDATION of `pickup`.
 */
export async function importListings(
  ctx: Ctx,
  { key, pickupAddressId, rows }: { key: string; pickupAddressId: number; rows: RightRow[] },
): Promise<Imported> {
  const sellerId = requireLoggedIn(ctx).id
  await requireMayListFor(ctx, sellerId)
  const imported: Imported = { ids: [], refused: [] }
  for (const { number, facts, owner, photo } of rows) {
    const sale = { sellerId, pickupAddressId, facts, owner, photoName: photo || null }
    const request = JSON.stringify(sale, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    const asked = { owner: ownerOf(ctx), key: `${key}-${number}`, request }
    try {
      imported.ids.push(await once(ctx, asked, (ctx) => createListing(ctx, sale)))
    } catch (error) {
      if (!(error instanceof Problem) || !error.fields?.every(({ field }) => field.startsWith('owner'))) throw error
      imported.refused.push({ number, fields: error.fields })
    }
  }
  return imported
}
