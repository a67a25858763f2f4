import { parsePincode } from '#src/kit/text/readers.ts'
import { animalFacts } from '#src/listings/animal-facts.server.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { isMasked, maskPhone } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatDay, formatShortDay, formatDaysAgo, indianDay } from '#src/kit/time-money/dates.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { clipOnWire, milkingClipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { findDuplicates } from '#src/listings/write/duplicates.server.ts'
import { genderName, lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { pricePerKg } from '#src/listings/reference/price-per-kg.ts'
import { getProductWithRelated, revealContact, type Destination, type Product } from '#src/listings/queries.server.ts'
import { can } from '#src/listings/policy.ts'
import { withTextsFor } from '#src/listings/public-texts.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import {
  availabilityOf,
  checkHoldsUntil,
  defaultTabFor,
  isCheckValid,
  listingCode,
  stockNotices,
  tabs,
  tabsFor,
  type Tab,
} from '#src/listings/life/rules.ts'
import { scheduleFor } from '#src/listings/reference/vaccination-schedule.ts'
import { seenMark } from '#src/verification/seen-mark.ts'
import { breedGuides } from '#src/storefront/breeds/breed-guides.server.ts'
import { CONTACT_WAYS } from '#src/listings/contacts/contacts.server.ts'
import { deskOf } from '#src/health/listing-desk.server.ts'
import { pickupText } from '#src/listings/pickup-text.server.ts'
import { shortAddress, type ShareFacts } from '#src/storefront/sharing/share-facts.server.ts'
import { keyFactsOf } from './key-facts.server.ts'

export type Delivery =
  | { kind: 'yes'; pincode: string; place: string }
  | { kind: 'no'; pincode: string }
  | { kind: 'unknown' | 'invalid'; pincode: string }
  | null

/** All data of the product page in the reader's language: two parallel statements, one for an anonymous visitor. */
export async function readProductPage(ctx: Ctx, id: number, query: URLSearchParams) {
  const typed = query.get('pincode')?.trim() ?? null
  const pincode = parsePincode(typed ?? '')
  const [{ product: whole, related, destination, reviews, ...beside }, mayCall, duplicates] = await Promise.all([
    getProductWithRelated(ctx, id, pincode),
    revealContact(ctx, id),
    can(ctx.viewer, 'operate') ? findDuplicates(ctx, id) : [],
  ])
  const product = withTextsFor(whole, mayCall)
  await auditPickup(ctx, product)
  const { locale } = ctx
  return {
    ...animalOf(product, locale),
    usualPrice: beside.usualPrice,
    kilometres: beside.kilometres,
    version: product.version,
    askedBy: product.askedBy,
    place: { taluk: placeName(product.taluk, locale), district: product.district, state: product.stateName },
    availability: availabilityOf(product, ctx.now),
    notices: stockNotices(product.stock),
    state: product.state,
    verificationComment: product.verificationComment,
    isSample: product.isSample,
    ...rightsOf(ctx.viewer, product),
    /** The action that led to the login; the page offers it again. */
    wanted: ctx.viewer ? (CONTACT_WAYS.find((way) => way === query.get('wanted')) ?? null) : null,
    pickup: pickupText(product, locale),
    listed: formatDaysAgo(product.createdAt, ctx.now, locale),
    views: product.views,
    photos: product.photos,
    ...shownOf(ctx, product),
    seller: { ...sellerOf(product, whyMasked(product, mayCall)), sold: beside.soldBySeller },
    ownerName: product.ownerName,
    delivery: deliveryOf(ctx, product, typed, pincode, destination),
    /** For admins: other listings that may show the same animal. */
    duplicates,
    ...checksOf(ctx, product),
    ...tabsOf(ctx, lookups.category(product.categoryId).typeId, query.get('tab')),
    related,
    reviews: reviews.map(({ at, ...review }) => ({ ...review, day: formatDay(at, locale) })),
    isLoggedIn: ctx.viewer !== null,
    locale,
    origin: ctx.publicOrigin,
  }
}

/** The animal, its facts and its price. */
function animalOf(product: Product, locale: Locale) {
  const { id, name, description, weightKg, stock, originalPrice, offerPrice } = product
  return {
    id,
    code: listingCode(lookups.category(product.categoryId).shortEn, id),
    name,
    description,
    ...kindOf(product, locale),
    age: nameOrNull(lookups.age, product.ageId, locale),
    gender: genderName(product, locale),
    weightKg,
    stock,
    originalPrice,
    offerPrice,
    pricePerKg: perKgOf(product),
    facts: animalFacts(product, 'page', locale),
    keyFacts: keyFactsOf(product, locale),
  }
}

function rightsOf(viewer: Ctx['viewer'], { state, seller, ...product }: Product) {
  const isOwn = viewer?.id === seller.id
  return {
    isOwn,
    /** The viewer's id if they may buy this. */
    buyerId: viewer && can(viewer, 'buy') && state === 'passed' && !isOwn ? viewer.id : null,
    /** Four eyes: an admin decides about neither their own listing nor one that they typed in. */
    mayVerify: can(viewer, 'judge-listing', { ...product, sellerId: seller.id }),
  }
}

export type ProductPageData = Awaited<ReturnType<typeof readProductPage>>

/** The facts of the page's share picture (`findShareFacts`), from what the page has read. */
export function shareFactsOf(page: ProductPageData): ShareFacts {
  return {
    id: page.id,
    locale: page.locale,
    address: shortAddress(page.origin, page.id, page.locale),
    name: page.name,
    breed: page.breed,
    category: page.category,
    taluk: page.place.taluk,
    district: page.place.district,
    originalPrice: page.originalPrice,
    offerPrice: page.offerPrice,
    availability: page.availability,
    photoKey: page.photos[0]?.key ?? null,
    isSample: page.isSample,
    isSellerVerified: page.seller.isVerified,
    isVetChecked: page.vetChecks[0]?.approved === true && !page.vetChecks[0].isOld,
    isVaccinated: page.vaccinations.length > 0,
  }
}

/** The seller's proofs besides photos: clips and milkings (listings/proofs). */
const shownOf = ({ locale }: Ctx, { clips, milkings }: Product) => ({
  clips: clips.map(clipOnWire),
  milkings: milkings.map(({ on, clip, ...milking }) => ({
    ...milking,
    day: formatDay(new Date(on), locale),
    clip: clip && milkingClipOnWire(clip),
  })),
})

/** Findings of vets and admins, and vaccinations. */
const checksOf = (ctx: Ctx, product: Product) => ({
  vaccinations: vaccinationsOf(ctx, product),
  schedule: scheduleOf(ctx, product),
  /** The vet's actions on their tab; null for everybody else. */
  desk: can(ctx.viewer, 'be-vet') ? deskOf(ctx, product) : null,
  vetChecks: vetChecksOf(ctx, product),
  verifications: verificationsOf(ctx, product),
  /** For an admin's verdict. */
  seen: seenMark({ version: product.version, lastVerdictId: product.verifications[0]?.id ?? null }),
})

/** An admin sees the pickup place, so the read is audited. */
async function auditPickup(ctx: Ctx, product: Product): Promise<void> {
  if (product.pickup && can(ctx.viewer, 'operate') && ctx.viewer!.id !== product.seller.id)
    await audit(ctx, 'sensitive_read', `user:${product.seller.id}`, { what: 'pickup', listing: product.id })
}

/** The tabs for this viewer and this kind of product, and the open one. */
function tabsOf(ctx: Ctx, typeId: number, wanted: string | null): { tabs: Tab[]; tab: Tab } {
  const wantedTab = tabs.find((tab) => tab === wanted)
  const offered = tabsFor(ctx.viewer)
    .filter((tab) => tab !== 'vaccination' || typeId === 1)
    .filter((tab) => tab !== 'vet' || isAnimalType(typeId))
  const tab = [wantedTab, defaultTabFor(ctx.viewer)].find((t) => t !== undefined && offered.includes(t)) ?? 'variant'
  return { tabs: offered, tab }
}

/** The category and breed, with links to their guides. */
const kindOf = ({ categoryId, breedId }: Product, locale: Locale) => ({
  category: nameOf(lookups.category(categoryId), locale),
  categoryId,
  breed: nameOrNull(lookups.breed, breedId, locale),
  guides: breedGuides(locale, breedId === null ? [] : [breedId]),
})

/** The reason why the seller's number is masked; null when it is whole. */
function whyMasked({ seller }: Product, mayCall: boolean | null): 'login' | 'limit' | 'powers' | null {
  if (mayCall === null) return 'login'
  if (!mayCall) return 'limit'
  return isMasked(seller.phone) ? 'powers' : null
}

const sellerOf = ({ seller }: Product, why: ReturnType<typeof whyMasked>) => ({
  id: seller.id,
  name: seller.name,
  isVerified: seller.isVerified,
  stars: seller.stars,
  ratings: seller.ratings,
  reviews: seller.reviews,
  // The page must never contain the number when the viewer may not see it.
  phone: why === null ? seller.phone : null,
  maskedPhone: maskPhone(seller.phone),
  whyMasked: why,
})

const vaccinationsOf = ({ locale }: Ctx, product: Product) =>
  product.vaccinations.map((v) => ({
    id: v.id,
    vaccine: nameOf(lookups.vaccine(v.vaccineId), locale),
    dose: nameOf(lookups.dose(v.dose), locale),
    on: formatDay(new Date(v.vaccinatedOn), locale),
  }))

const scheduleOf = ({ locale, now }: Ctx, product: Product) =>
  scheduleFor(product.vaccinations, indianDay(now)).map(({ vaccineId, status, dueOn }) => ({
    id: vaccineId,
    vaccine: nameOf(lookups.vaccine(vaccineId), locale),
    status,
    on: dueOn && formatDay(new Date(dueOn), locale),
  }))

const vetChecksOf = ({ locale, now }: Ctx, product: Product) =>
  product.vetChecks.map((check) => ({
    id: check.id,
    approved: check.approved,
    comments: check.comments,
    by: check.vetDegree ? `${check.vetName}, ${check.vetDegree}` : check.vetName,
    on: formatDay(new Date(check.checkedOn), locale),
    shortOn: formatShortDay(new Date(check.checkedOn), locale),
    findings: check.findings,
    photos: check.photos,
    until: formatDay(new Date(checkHoldsUntil(check.checkedOn)), locale),
    isOld: !isCheckValid(check, product, indianDay(now)),
    isOfOtherAnimal: check.revision !== product.revision,
  }))

const verificationsOf = ({ locale }: Ctx, product: Product) =>
  product.verifications.map((v) => ({
    passed: v.passed,
    comment: v.comment,
    by: v.adminName,
    on: formatDay(new Date(v.at), locale),
  }))

/** Rounded to whole paise; null without a weight. */
function perKgOf(product: Product): Money | null {
  if (!isAnimalType(lookups.category(product.categoryId).typeId)) return null
  return pricePerKg(product.offerPrice ?? product.originalPrice, product.weightKg)
}

/** We must serve both ends: the pickup place and the destination. */
function deliveryOf(ctx: Ctx, product: Product, typed: string | null, pincode: string | null, found: Destination | null): Delivery {
  if (typed === null) return null
  if (!pincode) return { kind: 'invalid', pincode: [...typed].slice(0, 10).join('') }
  if (!found) return { kind: 'unknown', pincode }
  if (!found.isDeliverable || !product.pickupDeliverable) return { kind: 'no', pincode }
  const district = placeName(found.district, ctx.locale)
  return { kind: 'yes', pincode, place: found.taluk === found.district ? district : `${placeName(found.taluk, ctx.locale)}, ${district}` }
}
