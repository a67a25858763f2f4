import { phoneText } from '#src/accounts/phone-text.ts'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatMoment, indianDay } from '#src/kit/time-money/dates.ts'
import { isOwnListing } from '#src/listings/policy.ts'
import { FEMALE } from '#src/listings/fields/listing-questions.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { pickupText } from '#src/listings/pickup-text.server.ts'
import { availabilityOf, isCheckValid } from '#src/listings/life/rules.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { takenByCheckUntil } from './rules.ts'

/** A vet's permissions for a listing, with the data for their forms. */
export function deskOf(ctx: Ctx, product: Product) {
  const { pickup, hold, state, vetChecks } = product
  const isOwn = isOwnListing(ctx.viewer, { ...product, sellerId: product.seller.id })
  const [last] = vetChecks
  const today = indianDay(ctx.now)
  const isMine = hold !== null && hold.vetId === ctx.viewer?.id
  const othersUntil = isMine
    ? null
    : (hold?.until ??
      takenByCheckUntil(
        last && { ...last, createdAt: new Date(last.createdMs) },
        { vetId: ctx.viewer?.id, revision: product.revision },
        ctx.now,
      ))
  return {
    isApproved: can(ctx.viewer, 'vet'),
    isOwn,
    isForSale: state === 'passed' && availabilityOf(product, ctx.now) === 'available',
    isChecked: last !== undefined && isCheckValid(last, product, today),
    mineUntil: isMine ? momentText(hold.until, ctx.locale) : null,
    /** Another vet holds it or has just checked it. */
    othersUntil: othersUntil && momentText(othersUntil, ctx.locale),
    lastCheckId: last?.id ?? 0,
    isFemale: product.genderId === FEMALE,
    listedOn: indianDay(product.changedAt),
    today,
    pickupPhone: pickup && isMine ? { number: pickup.phone, text: phoneText(pickup.phone) } : null,
  }
}

/** Hours and minutes are precise enough. */
const momentText = (at: Date, locale: Locale) => formatMoment(at, locale).slice(0, -':00'.length)

export interface VetListing {
  id: number
  desk: ReturnType<typeof deskOf> | null
  pickup: ReturnType<typeof pickupText>
}
