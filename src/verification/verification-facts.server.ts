import { clipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { alignedFacts, animalFacts } from '#src/listings/animal-facts.server.ts'
import { formatDay, formatDaysAgo, formatMoment } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { can } from '#src/listings/policy.ts'
import { questionsFor } from '#src/listings/fields/listing-questions.ts'
import { wildlifeNamed } from '#src/listings/write/prohibited.ts'
import { isSold, listingCode } from '#src/listings/life/rules.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Product } from '#src/listings/queries.server.ts'
import { m } from '#src/paraglide/messages.js'
import { changesSince } from './listing-changes.server.ts'
import { seenMark } from './seen-mark.ts'
import type { ToVerify } from './to-verify.server.ts'

/** Everything that an admin needs on one screen, as text in their language. */
export function readToVerify(
  ctx: Ctx,
  { product, typedBy, others, othersCount, duplicates, beside, usualPrice, lastLook, questions }: ToVerify,
) {
  const { locale } = ctx
  const changes = changesSince(ctx, product, lastLook)
  const category = lookups.category(product.categoryId)
  const { seller, pickup } = product
  return {
    id: product.id,
    seen: seenMark({ version: product.version, lastVerdictId: product.verifications[0]?.id ?? null }),
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
    clips: product.clips.map(clipOnWire),
    photos: product.photos.map((photo) => ({ ...photo, isNew: changes !== null && changes.newPhotos.includes(photo.key) })),
    changes: changes && { ...changes, newPhotos: changes.newPhotos.length },
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
      phone: pickup.phone,
    },
    seller: { ...seller, name: sellerName(product, locale) },
    typedBy,
    others: others.map(({ price, ...other }) => ({ ...other, price: formatRupees(price) })),
    othersCount,
    duplicates,
    beside: beside && compareWith(ctx, product, beside),
    questions: questions.map(({ askedAt, ...question }) => ({ ...question, on: formatDaysAgo(askedAt, ctx.now, locale) })),
    isPuppy: questionsFor(category, product.ageId).weeks,
    wildlife: wildlifeNamed(`${product.name} ${product.description}`, product.categoryId).join(', '),
    verdicts: product.verifications.map(({ passed, comment, adminName, at }) => ({
      passed,
      comment,
      by: adminName,
      on: formatMoment(new Date(at), locale),
    })),
  }
}

const sellerName = ({ seller }: Product, locale: Locale) => seller.name || m.profile_deleted_user({}, { locale })

/** Another listing beside this one: its pictures, and all facts of both with a flag for differences. */
function compareWith(ctx: Ctx, product: Product, other: Product) {
  const { locale } = ctx
  const head = (label: string, read: (each: Product) => string) => ({ label, texts: [read(product), read(other)] })
  const rows = [
    head(m.product_price({}, { locale }), ({ originalPrice, offerPrice }) => formatRupees(offerPrice ?? originalPrice)),
    head(m.verify_seller({}, { locale }), (each) => sellerName(each, locale)),
    head(m.product_location({}, { locale }), ({ taluk, district }) =>
      [...new Set([placeName(taluk, locale), district])].filter(Boolean).join(', '),
    ),
    head(m.product_breed({}, { locale }), ({ breedId }) => nameOrNull(lookups.breed, breedId, locale) ?? ''),
    ...alignedFacts([product, other], 'verification', locale),
  ]
  return {
    id: other.id,
    name: other.name,
    photos: other.photos,
    facts: rows.map(({ label, texts: [mine, theirs] }) => ({ label, mine: mine ?? '', theirs: theirs ?? '', differs: mine !== theirs })),
  }
}

export type ShownToVerify = ReturnType<typeof readToVerify>
