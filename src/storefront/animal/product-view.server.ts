import type { Locale } from '#src/kit/locale.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import { placeName } from '#src/accounts/places.server.ts'
import { parsePincode } from '#src/accounts/places.ts'
import { can, maskPhone, VET_TYPE } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay, formatDaysAgo, formatMoment, indianDay } from '#src/kit/dates.ts'
import type { Money } from '#src/kit/money.ts'
import { findDuplicates } from './duplicates.server.ts'
import { lookups, nameOf, nameOrNull } from './lookups.server.ts'
import { getProductWithRelated, revealContact, type Destination, type Product } from './queries.server.ts'
import { isOwnListing } from './life.ts'
import { FEMALE, isAnimalType, tapeOf } from './listing-questions.ts'
import {
  availabilityOf,
  checkHoldsUntil,
  defaultTabFor,
  isCheckValid,
  listingCode,
  stockNoticeFor,
  tabs,
  tabsFor,
  type Tab,
} from './rules.ts'
import { scheduleFor } from './vaccination-schedule.ts'
import { breedGuides } from './breed-guides.server.ts'
import { saveListingLink } from './save-links.server.ts'

export type Delivery =
  | { kind: 'yes'; pincode: string; place: string }
  | { kind: 'no'; pincode: string }
  | { kind: 'unknown' | 'invalid'; pincode: string }
  | null

/** Everything the product page shows, in the reader's language: two statements side by side, one for who is not logged in. */
export async function readProductPage(ctx: Ctx, id: number, query: URLSearchParams) {
  const typed = query.get('pincode')?.trim() ?? ''
  const pincode = parsePincode(typed)
  const [{ product, related, destination, reviews }, mayCall, duplicates] = await Promise.all([
    getProductWithRelated(ctx, id, pincode),
    revealContact(ctx, id),
    can(ctx.viewer, 'operate') ? findDuplicates(ctx, id) : [],
  ])
  // An admin is shown where it stands: who looked is written down.
  if (product.pickup && can(ctx.viewer, 'operate') && ctx.viewer!.id !== product.seller.id)
    await audit(ctx, 'sensitive_read', `user:${product.seller.id}`, { what: 'pickup', listing: id })
  const { locale } = ctx
  const category = lookups.category(product.categoryId)
  const wantedTab = tabs.find((tab) => tab === query.get('tab'))
  const offered = tabsFor(ctx.viewer)
    .filter((tab) => tab !== 'vaccination' || category.typeId === 1)
    .filter((tab) => tab !== 'vet' || isAnimalType(category.typeId))
  const tab: Tab = [wantedTab, defaultTabFor(ctx.viewer)].find((t) => t !== undefined && offered.includes(t)) ?? 'variant'
  return {
    id: product.id,
    code: listingCode(category.shortEn, product.id),
    name: product.name,
    description: product.description,
    category: nameOf(category, locale),
    categoryId: category.id,
    breed: nameOrNull(lookups.breed, product.breedId, locale),
    guides: breedGuides(locale, product.breedId === null ? [] : [product.breedId]),
    save: saveListingLink(product.id, locale),
    age: nameOrNull(lookups.age, product.ageId, locale),
    gender: nameOrNull(lookups.gender, product.genderId, locale),
    color: nameOrNull(lookups.color, product.colorId, locale),
    weightKg: product.weightKg,
    stock: product.stock,
    originalPrice: product.originalPrice,
    offerPrice: product.offerPrice,
    pricePerKg: pricePerKg(product),
    teethPairs: product.teethPairs,
    pregnancies: product.pregnancies,
    milkLitresPerDay: product.milkLitresPerDay,
    offspring: product.offspring,
    lactation: product.lactation,
    hasTag: product.hasTag,
    tape: tapeOf(product),
    version: product.version,
    askedBy: product.askedBy,
    hold: product.hold && { isMine: product.hold.vetId === ctx.viewer?.id, until: product.hold.until },
    place: { taluk: placeName(product.taluk, locale), district: product.district, state: product.stateName },
    availability: availabilityOf(product, ctx.now),
    stockNotice: stockNoticeFor(product.stock),
    state: product.state,
    verificationComment: product.verificationComment,
    isSample: product.isSample,
    isOwn: ctx.viewer?.id === product.seller.id,
    /** The viewer, where he may put this into his cart. */
    buyerId: can(ctx.viewer, 'buy') && product.state === 'passed' && ctx.viewer!.id !== product.seller.id ? ctx.viewer!.id : null,
    /** Four eyes: an admin decides about neither his own listing nor one that he typed in for somebody. */
    mayVerify: can(ctx.viewer, 'operate') && !isOwnListing(ctx.viewer, { ...product, sellerId: product.seller.id }),
    pickup: pickupText(product, locale),
    listed: formatDaysAgo(product.createdAt, ctx.now, locale),
    views: product.views,
    photos: product.photos,
    seller: {
      id: product.seller.id,
      name: product.seller.name,
      isVerified: product.seller.isVerified,
      stars: product.seller.stars,
      ratings: product.seller.ratings,
      reviews: product.seller.reviews,
      // Never in the page of somebody who may not have it.
      phone: mayCall ? product.seller.phone : null,
      maskedPhone: maskPhone(product.seller.phone),
      isLimited: mayCall === false,
    },
    delivery: deliveryOf(ctx, product, typed, pincode, destination),
    vaccinations: product.vaccinations.map((v) => ({
      id: v.id,
      vaccine: nameOf(lookups.vaccine(v.vaccineId), locale),
      dose: nameOf(lookups.dose(v.dose), locale),
      on: formatDay(new Date(v.vaccinatedOn), locale),
    })),
    /** When each of them is due again. */
    schedule: scheduleFor(product.vaccinations, indianDay(ctx.now)).map(({ vaccineId, status, dueOn }) => ({
      id: vaccineId,
      vaccine: nameOf(lookups.vaccine(vaccineId), locale),
      status,
      on: dueOn && formatDay(new Date(dueOn), locale),
    })),
    /** What a vet finds on his tab; null for everybody else. */
    desk: ctx.viewer?.typeId === VET_TYPE ? deskOf(ctx, product) : null,
    /** For admins: where the same animal may stand, too. */
    duplicates,
    vetChecks: product.vetChecks.map((check) => ({
      id: check.id,
      approved: check.approved,
      comments: check.comments,
      by: check.vetDegree ? `${check.vetName}, ${check.vetDegree}` : check.vetName,
      on: formatDay(new Date(check.checkedOn), locale),
      findings: check.findings,
      until: formatDay(new Date(checkHoldsUntil(check.checkedOn)), locale),
      isOld: !isCheckValid(check, product, indianDay(ctx.now)),
      isOfOtherAnimal: check.revision !== product.revision,
    })),
    verifications: product.verifications.map((v) => ({
      passed: v.passed,
      comment: v.comment,
      by: v.adminName,
      on: formatDay(new Date(v.at), locale),
    })),
    tabs: offered,
    tab,
    related,
    /** The newest few of its seller. */
    reviews: reviews.map(({ at, ...review }) => ({ ...review, day: formatDay(at, locale) })),
    isLoggedIn: ctx.viewer !== null,
    locale,
    origin: ctx.publicOrigin,
  }
}

/** Where the animal stands, on one line; null for whoever may not know. */
export const pickupText = ({ pickup, taluk, pincode }: Product, locale: Locale) =>
  pickup && `${pickup.name}, ${pickup.address1}, ${pickup.address2}, ${placeName(taluk, locale)} ${pincode}`

/** What a vet may do with it, and what he needs for that. */
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
    // Hours and minutes are enough.
    until: hold && formatMoment(hold.until, ctx.locale).slice(0, -':00'.length),
    isFemale: product.genderId === FEMALE,
    listedOn: indianDay(product.changedAt),
    today,
    pickupPhone: pickup && hold?.vetId === ctx.viewer?.id ? { number: pickup.phone, text: phoneText(pickup.phone) } : null,
  }
}

export type ProductPageData = Awaited<ReturnType<typeof readProductPage>>

/** Rounded to whole paise; null for what was not weighed. */
function pricePerKg(product: Product): Money | null {
  if (product.weightKg <= 0 || !isAnimalType(lookups.category(product.categoryId).typeId)) return null
  const price = product.offerPrice ?? product.originalPrice
  const hundredthsOfKg = BigInt(Math.round(product.weightKg * 100))
  return ((price * 100n) / hundredthsOfKg / 100n) * 100n
}

/** Both ends must be places we serve: where the animal stands and where it goes. */
function deliveryOf(ctx: Ctx, product: Product, typed: string, pincode: string | null, found: Destination | null): Delivery {
  if (typed === '') return null
  if (!pincode) return { kind: 'invalid', pincode: [...typed].slice(0, 10).join('') }
  if (!found) return { kind: 'unknown', pincode }
  if (!found.isDeliverable || !product.pickupDeliverable) return { kind: 'no', pincode }
  const district = placeName(found.district, ctx.locale)
  return { kind: 'yes', pincode, place: found.taluk === found.district ? district : `${placeName(found.taluk, ctx.locale)}, ${district}` }
}
