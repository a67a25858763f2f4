import { phoneText } from '#src/accounts/phone-text.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatMoment, indianDay } from '#src/kit/time-money/dates.ts'
import { isOwnListing } from '#src/listings/policy.ts'
import { FEMALE } from '#src/listings/listing-questions.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { pickupText } from '#src/listings/pickup-text.server.ts'
import { availabilityOf, isCheckValid } from '#src/listings/rules.ts'

/** A vet's permissions for a listing, with the data for their forms. */
export function deskOf(ctx: Ctx, product: Product) {
  const { pickup, hold, state, vetChecks } = product
  const isOwn = isOwnListing(ctx.viewer, { ...product, sellerId: product.seller.id })
  const [last] = vetChecks
  const today = indianDay(ctx.now)
  return {
    isApproved: can(ctx.viewer, 'vet'),
    isOwn,
    isForSale: state === 'passed' && availabilityOf(product, ctx.now) === 'available',
    isChecked: last !== undefined && isCheckValid(last, product, today),
    // Hours and minutes are precise enough.
    until: hold && formatMoment(hold.until, ctx.locale).slice(0, -':00'.length),
    isFemale: product.genderId === FEMALE,
    listedOn: indianDay(product.changedAt),
    today,
    pickupPhone: pickup && hold?.vetId === ctx.viewer?.id ? { number: pickup.phone, text: phoneText(pickup.phone) } : null,
  }
}

export interface VetListing {
  id: number
  desk: ReturnType<typeof deskOf> | null
  hold: { isMine: boolean; until: Date } | null
  pickup: ReturnType<typeof pickupText>
}
