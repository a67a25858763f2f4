import { z } from '@hono/zod-openapi'
import { can } from '#src/accounts/policy.ts'
import { HIDDEN_NUMBERS, withoutPhones, withTextsFor } from '../public-texts.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { mediaUrl, PICTURE_WIDTHS } from '#src/kit/media/media-url.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import type { ListingCard } from '#src/listings/browse/browse.server.ts'
import { clipOnWire, clipSchema, milkingClipOnWire, milkingClipSchema } from '#src/listings/clips/clip-wire.server.ts'
import { fieldTable } from '#src/listings/fields/field-table.ts'
import { answeredFacts, factsOnWire } from '#src/listings/fields/field-wire.server.ts'
import { lifeStateOf } from '#src/listings/life/life.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import type { Milking, Photo, VetCheck } from '../product-rows.server.ts'
import { MILKING_TIMES } from '#src/listings/proofs/proof-rules.ts'
import type { Product } from '../queries.server.ts'
import { isClosed, isSold, listingCode } from '#src/listings/life/rules.ts'
import { FINDINGS } from '../tables.ts'

// A product with the specification's field names (A §3, B §3). Only the API uses these names.
export const named = z.strictObject({ id: z.int().openapi({ description: 'Stable. 0 is a valid id.' }), name: z.string() })
export const ageRange = z.strictObject({ id: z.int(), age_range: z.string() })
const rupees = (description: string) => z.number().openapi({ description: `${description} Rupees for one, at most 4 decimals.` })
const day = z.iso.date()
const moment = z.iso.datetime({ precision: 3 })

const image = z.strictObject({
  image: z
    .string()
    .openapi({ description: 'Absolute path of a JPEG of at most 1280 × 1280.', example: '/media/abcdefghij0123456789-1280.jpg' }),
  sizes: z.array(
    z.strictObject({
      width: z.int().openapi({ description: 'The side of the square that it fits in.' }),
      avif: z.string(),
      webp: z.string(),
      jpeg: z.string(),
    }),
  ),
})

const milking = z.strictObject({
  id: z.int(),
  milked_on: day,
  time: z.enum(MILKING_TIMES),
  litres: z.number(),
  clip: milkingClipSchema.nullable().openapi({ description: 'Null without a clip. An admin has approved every clip that is returned.' }),
})

const listingStates = ['draft', 'pending', 'passed', 'failed', 'sold', 'withdrawn', 'closed'] as const

const variant = z.strictObject({
  id: z.int().openapi({ description: 'The id of the listing, which always has one variant.' }),
  age: ageRange.nullable(),
  gender: named.nullable().openapi({ description: 'Null if it is not an animal. Id 0 is female, so test for null, not for truth.' }),
  color: named.nullable(),
  feedtype: z.int().openapi({ description: 'Always 2, without meaning.' }),
  stock: z.int(),
  weight: z.number().openapi({ description: 'Kilograms of one. 0: not weighed, so there is no price per kg.' }),
  original_price: rupees('The price before any offer.'),
  offer_price: rupees('The price to pay. Null without an offer: original_price applies.').nullable(),
  ...answeredFacts(fieldTable),
  product_images: z.array(image).openapi({ description: '0 to 3 pictures. The first is the cover.' }),
  product_clips: z.array(clipSchema).openapi({ description: 'At most two clips, followed by a voice note.' }),
  milkings: z.array(milking).openapi({ description: 'At most three of the last 30 days, newest first.' }),
})

const place = {
  city: z.string().openapi({ description: 'The district.' }),
  state: z.string(),
  country: z.literal('India'),
  pincode: z.string(),
}

const finding = z.enum(FINDINGS).nullable().openapi({ description: 'Null if not examined.' })

const seller = {
  id: z.int(),
  username: z.string(),
  is_verified: z.boolean(),
  seller_reviews: z.strictObject({
    average: z.number().nullable().openapi({ description: 'The average of 1 to 5 stars. Null without stars.' }),
    count: z.int().openapi({ description: 'The number of reviews with stars.' }),
  }),
}

const shared = {
  id: z.int(),
  name: z.string().openapi({ description: `In the language of the request if the seller gave both, else as typed. ${HIDDEN_NUMBERS}` }),
  description: z.string().openapi({ description: HIDDEN_NUMBERS }),
  category: z.strictObject({ id: z.int(), name: z.string(), shortname: z.string(), varianttype: z.int() }),
  categorytype: named,
  breed: z.strictObject({ id: z.int(), name: z.string(), shortname: z.string() }).nullable(),
  uniqueidentifier: z.string().openapi({ description: 'A short number to read out over the phone.', example: 'COW-00042' }),
  product_variant: z.array(variant).length(1),
  veterinary_check: z
    .array(
      z.strictObject({
        id: z.int(),
        is_vet_approved: z.boolean(),
        vet_comments: z.string().openapi({ description: HIDDEN_NUMBERS }),
        checked_on: day,
        veterinary: z.string().openapi({ description: 'The name of the vet.' }),
        veterinary_degree: z.string().nullable(),
        temperature_c: z.number().nullable(),
        body_condition: z.number().nullable().openapi({ description: '1 (very thin) to 5 (fat), in steps of 0.5.' }),
        teeth: finding,
        udder: finding,
        gait: finding,
        skin: finding,
        images: z.array(image).openapi({ description: 'At most three pictures by the vet.' }),
      }),
    )
    .openapi({ description: 'Newest first. Only the newest is valid, for 30 days.' }),
  vaccinated: z.array(
    z.strictObject({
      vaccine: named,
      completed_dose: z.int().openapi({ description: '1: primary. 2: booster. 3: revaccination.' }),
      vaccinated_on: day,
    }),
  ),
  state: z.enum(listingStates).openapi({
    description: 'draft, pending, failed and withdrawn are returned to the seller and admins only. closed: not edited for 100 days.',
  }),
  variant_type: z.int().openapi({ description: 'The varianttype of the category. 1: teeth, pregnancies, milk and offspring apply.' }),
  is_sold: z.boolean().openapi({ description: 'True if it is marked as sold or the stock is 0.' }),
  sold_though_sandhai: z.boolean().nullable(),
  is_verified: z.boolean().openapi({ description: 'True if an admin has passed the listing.' }),
  verification_comment: z.string().nullable().openapi({ description: 'Returned to the seller and admins only. Null in lists.' }),
  listed_for: z.string().nullable().openapi({ description: 'The name of the owner for whom the seller, an agent, listed it; else null.' }),
  created_date: moment,
  modified_date: moment.openapi({ description: 'The last edit or renewal by the seller. The sale closes 100 days later.' }),
  product_viewed: z.strictObject({ viewcount: z.int(), lastviewedon: moment.nullable() }),
}

export const productInList = z
  .strictObject({ ...shared, seller: z.strictObject(seller), pickup: z.strictObject({ address: z.strictObject(place) }) })
  .openapi('ProductInList')

export const productInFull = z
  .strictObject({
    ...shared,
    seller: z.strictObject({
      ...seller,
      phone: z.string().openapi({
        description: 'Complete for logged-in callers while it is for sale, else masked with x.',
        example: '+91 98xxxxx210',
      }),
    }),
    contact_limited: z
      .boolean()
      .openapi({ description: 'True if the caller has used up the daily number of sellers; the phone is masked until tomorrow.' }),
    pickup: z.strictObject({
      id: z.int().optional(),
      address: z
        .strictObject({
          ...place,
          name: z.string().optional(),
          address_1: z.string().optional(),
          address_2: z.string().optional(),
          phone: z.string().optional(),
          type: z.int().optional().openapi({ description: 'An id of address-type.' }),
        })
        .openapi({ description: 'Name, street, phone and type are returned to the seller, admins and the vet who holds it.' }),
    }),
  })
  .openapi('Product')

const namedIn = (row: { id: number; ta: string; en: string }, locale: Locale) => ({ id: row.id, name: row[locale] })

function sharedFacts(product: Product, { locale, now }: Pick<Ctx, 'locale' | 'now'>) {
  const category = lookups.category(product.categoryId)
  const breed = product.breedId === null ? null : lookups.breed(product.breedId)
  const age = product.ageId === null ? null : lookups.age(product.ageId)
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    category: {
      ...namedIn(category, locale),
      shortname: locale === 'ta' ? category.shortTa : category.shortEn,
      varianttype: category.variantType,
    },
    categorytype: namedIn(lookups.categoryType(category.typeId), locale),
    breed: breed && { ...namedIn(breed, locale), shortname: breed.shortName },
    uniqueidentifier: listingCode(category.shortEn, product.id),
    product_variant: [
      {
        id: product.id,
        age: age && { id: age.id, age_range: age[locale] },
        gender: product.genderId === null ? null : namedIn(lookups.gender(product.genderId), locale),
        color: product.colorId === null ? null : namedIn(lookups.color(product.colorId), locale),
        feedtype: product.feedTypeId,
        stock: product.stock,
        weight: product.weightKg,
        original_price: toRupeeNumber(product.originalPrice),
        offer_price: product.offerPrice === null ? null : toRupeeNumber(product.offerPrice),
        ...factsOnWire(product, fieldTable),
        product_images: product.photos.map(imageOf),
        product_clips: product.clips.map(clipOnWire),
        milkings: product.milkings.map(milkingOnWire),
      },
    ],
    veterinary_check: product.vetChecks.map(checkOnWire),
    vaccinated: product.vaccinations.map((row) => ({
      vaccine: namedIn(lookups.vaccine(row.vaccineId), locale),
      completed_dose: row.dose,
      vaccinated_on: row.vaccinatedOn,
    })),
    state: wireState(product, now),
    variant_type: category.variantType,
    is_sold: isSold(product),
    sold_though_sandhai: product.soldThroughSandhai,
    is_verified: product.state === 'passed',
    listed_for: product.ownerName,
    created_date: product.createdAt.toISOString(),
    modified_date: product.touchedAt.toISOString(),
    product_viewed: { viewcount: product.views, lastviewedon: product.lastViewedAt?.toISOString() ?? null },
  }
}

export const shortCard = z.strictObject({
  id: z.int(),
  name: z.string(),
  price: rupees('The price to pay.'),
  image: z.string().nullable(),
})

export const cardOnWire = ({ id, name, offerPrice, originalPrice, photo }: ListingCard): z.output<typeof shortCard> => ({
  id,
  name,
  price: toRupeeNumber(offerPrice ?? originalPrice),
  image: photo && mediaUrl(photo.key, 320, 'webp'),
})

const milkingOnWire = ({ id, on, time, litres, clip }: Milking) => ({
  id,
  milked_on: on,
  time,
  litres,
  clip: clip && milkingClipOnWire(clip),
})

const checkOnWire = (check: VetCheck) => ({
  id: check.id,
  is_vet_approved: check.approved,
  vet_comments: check.comments,
  checked_on: check.checkedOn,
  veterinary: check.vetName,
  veterinary_degree: check.vetDegree,
  temperature_c: check.findings.temperatureC,
  body_condition: check.findings.bodyCondition,
  teeth: check.findings.teeth,
  udder: check.findings.udder,
  gait: check.findings.gait,
  skin: check.findings.skin,
  images: check.photos.map(imageOf),
})

const imageOf = ({ key }: Photo) => ({
  image: mediaUrl(key, 1280, 'jpeg'),
  sizes: PICTURE_WIDTHS.map((width) => ({
    width,
    avif: mediaUrl(key, width, 'avif'),
    webp: mediaUrl(key, width, 'webp'),
    jpeg: mediaUrl(key, width, 'jpeg'),
  })),
})

const placeOf = (product: Product) => ({
  city: product.district,
  state: product.stateName,
  country: 'India' as const,
  pincode: product.pincode,
})

const sellerOf = ({ seller }: Product) => ({
  id: seller.id,
  username: seller.name,
  is_verified: seller.isVerified,
  seller_reviews: { average: seller.stars, count: seller.ratings },
})

/** The listing's state in the API: "sold" and "closed" take precedence over "passed". */
function wireState(product: Product, now: Date): (typeof listingStates)[number] {
  const life = lifeStateOf(product)
  return life === 'passed' && isClosed(product, now) ? 'closed' : life
}

/** The same for every reader, including the seller and admins, because browsers cache it. */
export function listedProduct(product: Product, ctx: Pick<Ctx, 'locale' | 'now'>): z.infer<typeof productInList> {
  return {
    ...sharedFacts(withoutPhones(product), ctx),
    verification_comment: null,
    seller: sellerOf(product),
    pickup: { address: placeOf(product) },
  }
}

/** `mayCall` is the result of `revealContact`: null for an anonymous visitor, false when the day's quota is used up. */
export function wholeProduct(ctx: Ctx, product: Product, mayCall: boolean | null): z.infer<typeof productInFull> {
  const { pickup } = product
  return {
    ...sharedFacts(withTextsFor(product, mayCall), ctx),
    // Only the seller and admins may read the admin's comment; the vet who holds the animal sees only the street. The comment of an earlier verdict
    // is omitted after a resubmission, because the listing would look failed.
    verification_comment: mayReadVerdict(ctx, product) ? product.verificationComment : null,
    seller: { ...sellerOf(product), phone: mayCall ? product.seller.phone : maskPhone(product.seller.phone) },
    contact_limited: mayCall === false,
    pickup: {
      ...(pickup && { id: pickup.id }),
      address: {
        ...placeOf(product),
        ...(pickup && {
          name: pickup.name,
          address_1: pickup.address1,
          address_2: pickup.address2,
          phone: pickup.phone,
          type: pickup.typeId,
        }),
      },
    },
  }
}

const mayReadVerdict = (ctx: Ctx, { seller, state }: Product): boolean =>
  (ctx.viewer?.id === seller.id || can(ctx.viewer, 'operate')) && state !== 'pending' && state !== 'draft'
