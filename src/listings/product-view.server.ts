import { placeName } from '#src/accounts/places.server.ts'
import { parsePincode } from '#src/accounts/places.ts'
import { can, maskPhone } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay, formatDaysAgo, indianDay } from '#src/kit/dates.ts'
import type { Money } from '#src/kit/money.ts'
import { lookups, nameOf, nameOrNull } from './lookups.server.ts'
import { getProductWithRelated, revealContact, type Destination, type Product } from './queries.server.ts'
import { isOwnListing } from './life.ts'
import {
  availabilityOf,
  checkHoldsUntil,
  defaultTabFor,
  isCheckValid,
  listingCode,
  stockNoticeFor,
  tabs,
  tabsFor,
  weightByTape,
  type Tab,
} from './rules.ts'

export type Delivery =
  | { kind: 'yes'; pincode: string; place: string }
  | { kind: 'no'; pincode: string }
  | { kind: 'unknown' | 'invalid'; pincode: string }
  | null

/** The tape's formula is for cattle only. */
const CATTLE = 1

/** Everything the product page shows, in the reader's language: two statements side by side, one for who is not logged in. */
export async function readProductPage(ctx: Ctx, id: number, query: URLSearchParams) {
  const typed = query.get('pincode')?.trim() ?? ''
  const pincode = parsePincode(typed)
  const [{ product, related, destination }, mayCall] = await Promise.all([getProductWithRelated(ctx, id, pincode), revealContact(ctx, id)])
  const { locale } = ctx
  const category = lookups.category(product.categoryId)
  const wantedTab = tabs.find((tab) => tab === query.get('tab'))
  const offered = tabsFor(ctx.viewer)
    .filter((tab) => tab !== 'vaccination' || category.typeId === 1)
    .filter((tab) => tab !== 'vet' || category.typeId <= 2)
  const tab: Tab = [wantedTab, defaultTabFor(ctx.viewer)].find((t) => t !== undefined && offered.includes(t)) ?? 'variant'
  return {
    id: product.id,
    code: listingCode(category.shortEn, product.id),
    name: product.name,
    description: product.description,
    category: nameOf(category, locale),
    categoryId: category.id,
    breed: nameOrNull(lookups.breed, product.breedId, locale),
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
    tape:
      product.girthCm !== null && product.lengthCm !== null
        ? {
            girthCm: product.girthCm,
            lengthCm: product.lengthCm,
            weightKg: product.categoryId === CATTLE ? weightByTape(product.girthCm, product.lengthCm) : null,
          }
        : null,
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
    /** Four eyes: an admin decides about neither his own listing nor one that he typed in for somebody. */
    mayVerify: can(ctx.viewer, 'operate') && !isOwnListing(ctx.viewer, { sellerId: product.seller.id, createdById: product.createdById }),
    pickup:
      product.pickup &&
      `${product.pickup.name}, ${product.pickup.address1}, ${product.pickup.address2}, ${product.taluk} ${product.pincode}`,
    listed: formatDaysAgo(product.createdAt, ctx.now, locale),
    views: product.views,
    photos: product.photos,
    seller: {
      id: product.seller.id,
      name: product.seller.name,
      isVerified: product.seller.isVerified,
      stars: product.seller.stars,
      ratings: product.seller.ratings,
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
    vetChecks: product.vetChecks.map((check) => ({
      id: check.id,
      approved: check.approved,
      comments: check.comments,
      by: check.vetDegree ? `${check.vetName}, ${check.vetDegree}` : check.vetName,
      on: formatDay(new Date(check.checkedOn), locale),
      findings: check.findings,
      until: formatDay(new Date(checkHoldsUntil(check.checkedOn)), locale),
      isOld: !isCheckValid({ checkedOn: check.checkedOn, at: new Date(check.at) }, product, indianDay(ctx.now)),
      isOfOtherAnimal: new Date(check.at) < product.changedAt,
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
    isLoggedIn: ctx.viewer !== null,
    locale,
    origin: ctx.publicOrigin,
  }
}

export type ProductPageData = Awaited<ReturnType<typeof readProductPage>>

/** Rounded to whole paise; null for what was not weighed. */
function pricePerKg(product: Product): Money | null {
  if (product.weightKg <= 0 || lookups.category(product.categoryId).typeId > 2) return null
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
