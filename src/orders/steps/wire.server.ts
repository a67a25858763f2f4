import { z } from '@hono/zod-openapi'
import { placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { ageRange, named } from '#src/listings/calls/wire.server.ts'
import type { Order } from '../queries.server.ts'
import { animalName } from '../order-names.ts'
import { orderStatuses, statusName } from '../process.server.ts'
import { paymentMethods } from '../rules.ts'
import type { AnimalSnapshot, PlaceSnapshot } from '../tables.ts'

// An order in the terms of the specification (B §3). Only the API uses these names.
const rupees = (description: string) => z.number().openapi({ description: `${description} Rupees, at most 4 decimals.` })
const moment = z.iso.datetime({ precision: 3 })

const address = z.strictObject({
  name: z.string(),
  address_1: z.string(),
  address_2: z.string(),
  city: z.string().openapi({ description: 'The district.' }),
  state: z.string(),
  country: z.literal('India'),
  pincode: z.string(),
  phone: z.string(),
})

export const statusId = z.int().openapi({ description: 'An id of order-status. 6 and all from 100 are final.' })

export const orderOnWire = z
  .strictObject({
    id: z.int().openapi({ description: 'The id. The cart line had the same id.' }),
    order_no: z.string().openapi({ example: 'SN-000042' }),
    product: z
      .strictObject({
        id: z.int().openapi({ description: 'The id of the listing. All other fields are as ordered.' }),
        name: z.string(),
        description: z.string(),
        uniqueidentifier: z.string().openapi({ example: 'COW-00042' }),
        category: named,
        breed: named.nullable(),
        seller: z.strictObject({
          id: z.int(),
          username: z.string(),
          phone: z.string().optional().openapi({ description: 'Returned to admins only.' }),
        }),
        pickup: z.strictObject({ address }).optional().openapi({ description: 'Returned to admins only.' }),
        product_variant: z
          .array(
            z.strictObject({
              age: ageRange.nullable(),
              gender: named.nullable().openapi({ description: 'Id 0 is female.' }),
              weight: z.number().openapi({ description: 'Kilograms of one animal. 0: not weighed.' }),
              original_price: rupees('The price of one, before any offer.'),
              offer_price: rupees('The offer price of one, or null.').nullable(),
              product_images: z.array(z.strictObject({ image: z.string() })),
            }),
          )
          .length(1),
      })
      .openapi('OrderedProduct'),
    product_image: z.string().nullable().openapi({ description: 'Absolute path of a JPEG.' }),
    items_count: z.int(),
    buyer: z.int(),
    buyer_name: z.string().optional().openapi({ description: 'Returned to admins only.' }),
    buyer_phone: z.string().optional().openapi({ description: 'Returned to admins only.' }),
    price_per_item: rupees('The price of one, as ordered.'),
    discountedamount: rupees('The discount on the whole line.'),
    delivery_charge: z.literal(0),
    tax_amount: z.literal(0),
    total_payable: rupees('items_count × price_per_item − discountedamount. Paid at the door.'),
    status: z.string().openapi({ description: 'The name, in the language of the request.' }),
    statusId,
    delivery: z.strictObject({
      delivered_on: z.iso.date().nullable(),
      deliver_on: z.iso.date().nullable().openapi({ description: 'The planned day of delivery.' }),
      deliver_window: z.enum(['morning', 'midday', 'evening']).nullable(),
      delivery_address: z.strictObject({ buyer: z.int(), address }),
    }),
    payment_method: z.enum(paymentMethods).nullable().openapi({ description: 'Null until it is recorded.' }),
    amount_paid: rupees('The amount paid at the door. Null until it is recorded.').nullable(),
    reason: z.string().nullable().openapi({ description: 'The reason if it ended without a sale.' }),
    invoice: z
      .strictObject({ invoice_number: z.string(), invoice_date: z.iso.date() })
      .nullable()
      .openapi({ description: "The buyer's receipt. Null before the delivery." }),
    created_date: moment,
    steps: z
      .array(
        z.strictObject({
          from: z.int().openapi({ description: 'The previous status. 0: in the cart.' }),
          to: statusId.openapi({ description: 'A step from 6 to 6 records the payment.' }),
          status: z.string(),
          by: z.enum(['buyer', 'seller', 'admin', 'bearer']),
          at: moment,
          note: z.string().optional().openapi({ description: 'Returned to admins only.' }),
        }),
      )
      .openapi({ description: 'The history, oldest first.' }),
  })
  .openapi('Order')

export const orderStatusList = z.array(named)
export const statusesOnWire = (locale: Locale) => orderStatuses.map((status) => ({ id: status.id, name: status[locale] }))

export function onWire(ctx: Ctx, order: Order): z.infer<typeof orderOnWire> {
  const { locale } = ctx
  const isAdmin = order.part === 'admin'
  const image = order.animal.photoKey && mediaUrl(order.animal.photoKey, 1280, 'jpeg')
  return {
    id: order.id,
    order_no: order.orderNo,
    product: {
      id: order.listingId,
      ...animalOnWire(order.animal, locale),
      seller: { id: order.sellerId, username: order.sellerName, ...(order.seller && { phone: order.seller.phone }) },
      ...(order.pickup && { pickup: { address: addressOnWire(order.pickup, locale) } }),
      product_variant: [
        {
          ...agedAs(order.animal, locale),
          weight: order.animal.weightKg,
          original_price: toRupeeNumber(order.originalPrice),
          offer_price: order.unitPrice < order.originalPrice ? toRupeeNumber(order.unitPrice) : null,
          product_images: image ? [{ image }] : [],
        },
      ],
    },
    product_image: image,
    items_count: order.count,
    buyer: order.buyerId,
    ...(order.buyer && { buyer_name: order.buyer.name, buyer_phone: order.buyer.phone }),
    price_per_item: toRupeeNumber(order.unitPrice),
    discountedamount: toRupeeNumber(order.discount),
    delivery_charge: 0,
    tax_amount: 0,
    total_payable: toRupeeNumber(order.payable),
    status: statusName(order.status, locale),
    statusId: order.status,
    delivery: {
      delivered_on: order.deliveredOn,
      deliver_on: order.deliverOn,
      deliver_window: order.deliverWindow,
      delivery_address: { buyer: order.buyerId, address: addressOnWire(order.delivery, locale) },
    },
    payment_method: order.paymentMethod,
    amount_paid: order.amountPaid === null ? null : toRupeeNumber(order.amountPaid),
    reason: order.endReason,
    invoice: order.receipt && { invoice_number: order.receipt.number, invoice_date: indianDay(order.receipt.issuedAt) },
    created_date: order.createdAt.toISOString(),
    steps: order.steps.map((step) => ({
      from: step.from,
      to: step.to,
      status: statusName(step.to, locale),
      by: step.as,
      at: step.at.toISOString(),
      ...(isAdmin && step.note !== '' && { note: step.note }),
    })),
  }
}

function animalOnWire(animal: AnimalSnapshot, locale: Locale) {
  const category = lookups.category(animal.categoryId)
  const breed = animal.breedId === null ? null : lookups.breed(animal.breedId)
  return {
    name: animalName(animal, locale),
    description: (locale === 'en' ? animal.descriptionEn : null) ?? animal.description,
    uniqueidentifier: animal.code,
    category: { id: category.id, name: category[locale] },
    breed: breed && { id: breed.id, name: breed[locale] },
  }
}

function agedAs({ ageId, genderId }: AnimalSnapshot, locale: Locale) {
  const age = ageId === null ? null : lookups.age(ageId)
  const gender = genderId === null ? null : lookups.gender(genderId)
  return { age: age && { id: age.id, age_range: age[locale] }, gender: gender && { id: gender.id, name: gender[locale] } }
}

const addressOnWire = (place: PlaceSnapshot, locale: Locale) => ({
  name: place.name,
  address_1: place.address1,
  address_2: place.address2,
  city: placeName(place.district, locale),
  state: placeName(place.state, locale),
  country: 'India' as const,
  pincode: place.pincode,
  phone: place.phone,
})
