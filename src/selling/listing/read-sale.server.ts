import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { checkListing, readTyped } from '#src/listings/write/listing-input.ts'
import { readOwner, withTypedFee } from '#src/selling/owners/owner-input.server.ts'
import { readCaptions } from '../captions.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import type { ReadSale } from './sell.server.ts'

/** The listing that a filled form describes, and the form's key. VALIDATION with what is wrong, `problems` of its pictures first. */
export function readSale(ctx: Ctx, typed: Typed, problems: readonly FieldProblem[] = []): ReadSale {
  const { key = '', pickup = '' } = typed
  const sellerId = can(ctx.viewer, 'operate') ? Number(/^[1-9]\d{0,14}$/.exec(typed.sellerId ?? '')?.[0] ?? 0) : requireLoggedIn(ctx).id
  const checked = checkListing(readTyped(typed), { today: indianDay(ctx.now) })
  const { captions, problems: ofCaptions } = readCaptions(typed)
  const owner = typed.whose === 'other' ? readOwner(ctx, withTypedFee(typed)) : null
  const all: FieldProblem[] = [...problems, ...checked.problems, ...ofCaptions, ...(owner?.problems ?? [])]
  if (!/^[1-9]\d{0,14}$/.test(pickup)) all.push({ field: 'pickup', message: 'field_listing_pickup' })
  if (typed.isAllowed !== '1') all.push({ field: 'isAllowed', message: 'field_listing_allowed' })
  // Not another person's key, and none that the table of keys could not hold.
  if (!/^[\w-]{8,64}$/.test(key)) throw new Problem('MALFORMED')
  if (!checked.facts || all.length > 0) throw new Problem('VALIDATION', { fields: all })
  return { key, sale: { sellerId, pickupAddressId: Number(pickup), facts: checked.facts, owner: owner?.terms ?? null }, captions }
}
