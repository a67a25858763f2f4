import type { Ctx } from '#src/kit/context.ts'
import { animalFacts } from '#src/listings/animal-facts.server.ts'
import { formatDay, formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { phoneFor } from '#src/accounts/policy.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/lookups.server.ts'
import { can } from '#src/listings/policy.ts'
import { wildlifeNamed } from '#src/listings/prohibited.ts'
import { isSold, listingCode } from '#src/listings/rules.ts'
import type { ToVerify } from './verify-queue.server.ts'
import { m } from '#src/paraglide/messages.js'

/** Everything that an admin needs on one screen, in their language. */
export function readToVerify(ctx: Ctx, { product, typedBy, others, othersCount, duplicates, usualPrice }: ToVerify) {
  const { locale } = ctx
  const category = lookups.category(product.categoryId)
  const { seller, pickup } = product
  return {
    id: product.id,
    version: product.version,
    code: listingCode(category.shortEn, product.id),
    name: product.name,
    description: product.description,
    state: product.state,
    isSold: isSold(product),
    mayVerify: (['pass', 'fail'] as const).some((step) =>
      can(ctx.viewer, 'take-listing-step', { step, listing: { ...product, sellerId: seller.id } }),
    ),
    isOwn: ctx.viewer?.id === seller.id || ctx.viewer?.id === product.createdById,
    submitted: formatDaysAgo(product.submittedAt, ctx.now, locale),
    submittedOn: formatMoment(product.submittedAt, locale),
    photos: product.photos,
    kind: [nameOf(category, locale), nameOrNull(lookups.breed, product.breedId, locale)].filter(Boolean).join(' · '),
    facts: animalFacts(product, 'verification', locale),
    price: formatRupees(product.originalPrice),
    offer: product.offerPrice === null ? null : formatRupees(product.offerPrice),
    usual:
      usualPrice &&
      m.product_usual({ from: formatRupees(usualPrice.from), to: formatRupees(usualPrice.to), count: usualPrice.count }, { locale }),
    vaccinations: product.vaccinations.map(
      (v) =>
        `${nameOf(lookups.vaccine(v.vaccineId), locale)}, ${nameOf(lookups.dose(v.dose), locale)}, ${formatDay(new Date(v.vaccinatedOn), locale)}`,
    ),
    place: [...new Set([placeName(product.taluk, locale), product.district, product.stateName])].filter(Boolean).join(', '),
    pickup: pickup && {
      lines: [pickup.name, pickup.address1, pickup.address2, `${placeName(product.taluk, locale)} ${product.pincode}`],
      phone: phoneFor(ctx.viewer, pickup.phone),
    },
    seller: {
      id: seller.id,
      name: seller.name || m.profile_deleted_user({}, { locale }),
      isVerified: seller.isVerified,
      phone: phoneFor(ctx.viewer, seller.phone),
      stars: seller.stars,
      ratings: seller.ratings,
    },
    typedBy,
    others: others.map(({ price, ...other }) => ({ ...other, price: formatRupees(price) })),
    othersCount,
    duplicates,
    wildlife: wildlifeNamed(`${product.name} ${product.description}`, product.categoryId).join(', '),
    verdicts: product.verifications.map((v) => ({
      passed: v.passed,
      comment: v.comment,
      by: v.adminName,
      on: formatMoment(new Date(v.at), locale),
    })),
  }
}

export type ShownToVerify = ReturnType<typeof readToVerify>
