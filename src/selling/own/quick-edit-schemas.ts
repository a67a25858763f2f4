import { z } from 'zod'
import { parseRupees, type Money } from '#src/kit/time-money/money.ts'
import { typedRupees } from '#src/kit/time-money/amounts.ts'
import { plainMeasure } from '#src/kit/text/plain-text.ts'
import { leftTo, readBy } from '#src/kit/text/text.ts'

export const MAX_STOCK = 10_000
const MAX_WEIGHT_KG = 5000
/** Longer than any valid number. */
const MAX_RAW = 40

/** Normalises a form's text; values of the API are taken as they are. */
export const asTyped = (text: string): string => plainMeasure(text.slice(0, MAX_RAW + 1))

/** The fields of the form as the schema accepts them. */
export const quickEditFields = (text: (field: string) => string) => ({
  stock: asTyped(text('stock')),
  weightKg: asTyped(text('weightKg')),
  originalPrice: typedRupees(text('originalPrice')),
  offerPrice: typedRupees(text('offerPrice')),
  version: text('version') || undefined,
})

/** Accepts a JSON number or a decimal string. Checks the text, so that nothing is rounded. */
const digits = (message: string) =>
  z.union([z.number(), leftTo('parseRupees', z.string().max(MAX_RAW, { error: message, abort: true }))], message).transform(String)

const rupees = (message: string) => digits(message).transform(readBy(parseRupees, message))

const noOffer = (value: unknown) => value === undefined || value === null || value === '' || isZero(value)
/** 0 in any spelling: 00, 0.0, -0. */
const isZero = (value: unknown) => value === 0 || (typeof value === 'string' && /^0{1,40}(\.0{0,40})?$/.test(value))

/** A seller's quick edit. None of it is a material change, except a weight far from the old one. */
export const stockField = digits('field_listing_stock').transform(
  readBy((text) => {
    const stock = /^\d{1,5}$/.test(text) ? Number(text) : 0
    return stock >= 1 && stock <= MAX_STOCK ? stock : null
  }, 'field_listing_stock'),
)

const weightField = digits('field_listing_weight').transform(
  readBy((text) => {
    const weight = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
    return weight <= MAX_WEIGHT_KG ? weight : null
  }, 'field_listing_weight'),
)

const originalPriceField = rupees('field_listing_price').refine((money) => money > 0n, 'field_listing_price')
/** Blank or 0: no offer. */
const offerPriceField = z.union([z.custom<undefined>(noOffer).transform(() => null), rupees('field_listing_price')], 'field_listing_price')

const priceFields = { originalPrice: originalPriceField, offerPrice: offerPriceField, weightKg: weightField }
/** A §5: an offer is below the original price. */
const isOfferBelow = ({ originalPrice, offerPrice }: { originalPrice: Money; offerPrice: Money | null }) =>
  offerPrice === null || offerPrice < originalPrice

const arePrices = ({ originalPrice, offerPrice }: { originalPrice?: unknown; offerPrice?: unknown }) =>
  typeof originalPrice === 'bigint' && (offerPrice === null || typeof offerPrice === 'bigint')

export const quickEditInput = z
  .object({
    stock: stockField,
    ...priceFields,
    /** The version that the form showed; without it the stored values are overwritten. */
    version: z.coerce.number().int().positive().optional(),
  })
  .refine(isOfferBelow, {
    path: ['offerPrice'],
    message: 'field_listing_offer',
    // Runs also when another field is invalid, so that all errors appear at once.
    when: ({ value }) => arePrices(value as { originalPrice?: unknown; offerPrice?: unknown }),
  })
export type QuickEdit = z.infer<typeof quickEditInput>
