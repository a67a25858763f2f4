import { placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay, formatMoment, indianDay } from '#src/kit/time-money/dates.ts'
import { genderName, lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { withoutPhones } from '#src/listings/public-texts.ts'
import { pickupText } from '#src/listings/pickup-text.server.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { checkHoldsUntil, isCheckValid, isSold, listingCode } from '#src/listings/life/rules.ts'

/** An animal on the desk (specification B §2), in the reader's language. */
export function readDeskCard(ctx: Ctx, product: Product, kilometres: number | null) {
  const { locale } = ctx
  const category = lookups.category(product.categoryId)
  const isMine = product.hold !== null && product.hold.vetId === ctx.viewer?.id
  const { name, description, vetChecks } = isMine ? product : withoutPhones(product)
  const [last] = vetChecks
  return {
    id: product.id,
    name,
    kind: [nameOf(category, locale), nameOrNull(lookups.breed, product.breedId, locale)].filter(Boolean).join(' · '),
    code: listingCode(category.shortEn, product.id),
    description,
    age: nameOrNull(lookups.age, product.ageId, locale),
    gender: genderName(product, locale),
    weightKg: product.weightKg,
    originalPrice: product.originalPrice,
    offerPrice: product.offerPrice,
    stock: product.stock,
    isSold: isSold(product),
    listedOn: formatDay(product.createdAt, locale),
    place: [...new Set([placeName(product.taluk, locale), product.district])].filter(Boolean).join(', '),
    kilometres,
    photo: product.photos[0] ?? null,
    hold: product.hold && {
      isMine,
      until: formatMoment(product.hold.until, locale).slice(0, SECONDS),
      hoursLeft: hoursLeft(product.hold.until, ctx.now),
    },
    pickup: isMine && product.pickup ? { text: pickupText(product, ctx.locale)!, phone: product.pickup.phone } : null,
    check: last
      ? {
          approved: last.approved,
          comments: last.comments,
          by: last.vetDegree ? `${last.vetName}, ${last.vetDegree}` : last.vetName,
          on: formatDay(new Date(last.checkedOn), locale),
          until: formatDay(new Date(checkHoldsUntil(last.checkedOn)), locale),
          isValid: isCheckValid(last, product, indianDay(ctx.now)),
        }
      : null,
  }
}

/** Removes the seconds: hours and minutes are precise enough for a hold. */
const SECONDS = -':00'.length
const HOUR = 3_600_000
const hoursLeft = (until: Date, now: Date) => Math.max(1, Math.ceil((until.getTime() - now.getTime()) / HOUR))

export type DeskCardData = ReturnType<typeof readDeskCard>
