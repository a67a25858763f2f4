import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import type { FieldProblem } from '#src/kit/base/problem.ts'
import { fieldTable, type FieldTable } from '#src/listings/fields/field-table.ts'
import { sentFacts, sentValue, wireNamesOf } from '#src/listings/fields/field-wire.server.ts'
import type { TypedOwner } from '#src/selling/owners/owner-input.server.ts'
import type { TypedListing } from '#src/listings/fields/typed-figures.ts'
import { dropped, droppedField, droppedFlags } from '#src/kit/http/dropped-fields.ts'

/** The body of POST /product as the specification has it (A §7), and its field names for errors. */

const figure = (description: string) => sentValue.openapi({ type: 'number', description })
const id = (description: string) => sentValue.openapi({ type: 'integer', description })
/** Fields that old clients always send; they have no right to set any of them. */
const flags = {
  ...droppedFlags,
  ...dropped('usertype', 'isverified', 'total_payable', 'isdeliverable', 'status', 'createdon', 'createon'),
}

/** One animal's facts as they are sent. */
export const variantBody = (table: typeof fieldTable) =>
  z.strictObject({
    age: id('An id of livestock-age. For animals only.'),
    gender: id('An id of livestock-gender; 0 is female.'),
    feedtype: droppedField.openapi({ description: 'Ignored: always stored as 2.' }),
    stock: id('The quantity, 1 to 10,000.'),
    original_price: figure('Rupees for one, above 0, at most 4 decimals. Also accepted as a string.'),
    offer_price: figure('Rupees for one, below original_price. 0 or omitted: no offer.'),
    weight: figure('Kilograms of one, 0 to 5,000, at most 2 decimals. 0: not weighed.'),
    color: id('An id of livestock-color. For animals only.'),
    ...sentFacts(table),
    ear_tag: sentValue.openapi({ type: 'string', description: 'Twelve digits. Never returned.' }),
    older_than_eight_weeks: z
      .boolean()
      .nullish()
      .openapi({ description: 'For dogs in the age range 0-3 months. false is refused. If omitted, an admin asks for the age.' }),
    ...flags,
  })
const wholeVariant = variantBody(fieldTable)

export const productBody = z.strictObject({
  product: z.strictObject({
    name: leftTo('checkListing', z.string('field_listing_name').max(500, 'field_listing_name_long')),
    description: leftTo('checkListing', z.string('field_listing_description').max(8000, 'field_listing_description_long')),
    seller: id("The caller's own id; from an admin, the seller's id."),
    categorytype: id('The category type of `category`.'),
    ...dropped('categorytypename'),
    category: id('An id of category-type.'),
    ...dropped('categoryname'),
    breed: id('A breed of the category. For animals only.'),
    ...dropped('breedname'),
    pickup: id('The id of an address of the seller.'),
    created_by: id("The caller's own id. Optional."),
    owner: z
      .strictObject({
        name: leftTo('readOwner', z.string('field_owner_name').max(500, 'field_owner_name')),
        phone: leftTo(
          'readOwner',
          z.string('field_owner_phone').max(40, 'field_owner_phone').openapi({
            description: 'An Indian mobile number. The owner gets an SMS that asks for consent.',
          }),
        ),
        fee: figure('The fee of the agent for each animal: rupees below the price, or whole percent up to 50.'),
        fee_unit: z.enum(['rupees', 'percent'], 'field_wrong').optional().openapi({ description: 'The default is rupees.' }),
      })
      .optional()
      .openapi({ description: 'The owner for whom an agent or admin lists. The listing stays a draft until the owner agrees.' }),
    ...dropped('feedtype'),
    ...flags,
  }),
  product_variant: z.array(wholeVariant).length(1, 'Exactly one variant.'),
  vaccines: z
    .array(
      z.strictObject({
        vaccine: id('The id of a vaccine of the category.'),
        completed_dose: id('1: primary. 2: booster. 3: revaccination.'),
        vaccinated_on: leftTo('checkListing', z.string().max(40))
          .nullish()
          .openapi({ format: 'date', description: 'Not after today in India.' }),
      }),
    )
    .max(2, 'At most two.')
    .nullish(),
  ...flags,
})
export type ProductBody = z.infer<typeof productBody>

/** The same body where only the changed fields are sent. */
export const productChange = z.strictObject({
  version: z
    .int()
    .positive()
    .max(2_000_000_000)
    .optional()
    .openapi({ description: 'The version that the caller read. VERSION is returned if it has changed. Omit to skip this check.' }),
  product: productBody.shape.product.omit({ seller: true, created_by: true, owner: true }).partial().optional(),
  product_variant: z.array(wholeVariant.partial()).length(1, 'Exactly one variant.').optional(),
  vaccines: productBody.shape.vaccines,
})
export type ProductChange = z.infer<typeof productChange>

/** Our fields by the wire's. */
const variantNames = {
  ageId: 'age',
  genderId: 'gender',
  stock: 'stock',
  originalPrice: 'original_price',
  offerPrice: 'offer_price',
  weightKg: 'weight',
  colorId: 'color',
  tag: 'ear_tag',
} as const
const productNames = { name: 'name', description: 'description', categoryId: 'category', breedId: 'breed', pickup: 'pickup' } as const
const ownerNames = { ownerName: 'name', ownerPhone: 'phone', ownerFee: 'fee', ownerFeeUnit: 'fee_unit' } as const
const vaccineNames = { vaccine: 'vaccine', dose: 'completed_dose', vaccinated: 'vaccinated_on' } as const
const variantNamesOf = (table: FieldTable): Record<string, string> => ({ ...variantNames, ...wireNamesOf(table) })

type Sent = z.infer<typeof sentValue>
/** As text, so that 1.00005 is refused and not rounded. 1e21 and NaN are no digits and are refused here, too. */
const textOf = (given: Sent) => (given === null || given === undefined ? '' : String(given))

/** The sent facts of the animal as typed text, by our names. */
function typedVariant(variant: object, table: FieldTable): Record<string, string> {
  const sent = Object.entries(variantNamesOf(table)).filter(([, theirs]) => theirs in variant)
  return Object.fromEntries(sent.map(([ours, theirs]) => [ours, textOf((variant as Record<string, Sent>)[theirs])]))
}

/** Foreign digits, blanks and signs are refused on the wire, where nobody types them by thumb. */
export function typedOf({ product, product_variant: [variant], vaccines }: ProductBody, table: FieldTable = fieldTable): TypedListing {
  const typed: Record<string, string> = { name: product.name, description: product.description, ...typedVariant(variant!, table) }
  typed.categoryId = textOf(product.category)
  typed.breedId = textOf(product.breed)
  // A §7 has no such field: without it the puppy is taken, and the verifying admin reads that its age is open.
  typed.isOldEnough = variant!.older_than_eight_weeks === false ? '' : '1'
  for (const [index, row] of (vaccines ?? []).entries())
    for (const [ours, theirs] of Object.entries(vaccineNames)) typed[`${ours}${index + 1}`] = textOf(row[theirs])
  return typed
}

/** For whom it is listed, as typed; null for one's own. */
export function typedOwner({ product: { owner } }: ProductBody): TypedOwner | null {
  return owner ? { ownerName: owner.name, ownerPhone: owner.phone, ownerFee: textOf(owner.fee), ownerFeeUnit: owner.fee_unit } : null
}

/** The listing as it is now, with the sent fields written over it. */
export function typedChange(
  typed: Record<string, string>,
  { product = {}, product_variant, vaccines }: ProductChange,
  table: FieldTable = fieldTable,
): Record<string, string> {
  const said: Record<string, string> = { ...typed }
  for (const [ours, theirs] of Object.entries(productNames)) if (theirs in product) said[ours] = textOf(product[theirs])
  Object.assign(said, typedVariant(product_variant?.[0] ?? {}, table))
  if (vaccines !== undefined)
    for (const index of [0, 1])
      for (const [ours, theirs] of Object.entries(vaccineNames)) said[`${ours}${index + 1}`] = textOf(vaccines?.[index]?.[theirs])
  return said
}

/** The same problem with the field's name as the client sent it. */
export function withWireName({ field, message }: FieldProblem, table: FieldTable = fieldTable): FieldProblem {
  if (field in productNames) return { field: `product.${productNames[field as keyof typeof productNames]}`, message }
  if (field in ownerNames) return { field: `product.owner.${ownerNames[field as keyof typeof ownerNames]}`, message }
  if (field === 'whose') return { field: 'product.owner', message }
  const ofVariant = variantNamesOf(table)[field]
  if (ofVariant) return { field: `product_variant.0.${ofVariant}`, message }
  if (field === 'isOldEnough') return { field: 'product_variant.0.older_than_eight_weeks', message }
  const [, ours, number] = /^(vaccine|dose|vaccinated)(\d)$/.exec(field) ?? []
  return ours ? { field: `vaccines.${Number(number) - 1}.${vaccineNames[ours as keyof typeof vaccineNames]}`, message } : { field, message }
}
