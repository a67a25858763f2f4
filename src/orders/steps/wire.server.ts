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
  city: z.string().openapi({ description: 'District.' }),
  state: z.string(),
  country: z.literal('India'),
  pincode: z.string(),
  phone: z.string(),
})

export const statusId = z.int().openapi({ description: 'An id of order-status. 6 and 100 and above are terminal.' })

export const orderOnWire = z
  .strictObject({
    id: z.int().openapi({ description: 'The number that its line had in the cart.' }),
    order_no: z.string().openapi({ example: 'SN-000042' }),
    product: z
      .strictObject({
        id: z.int().openapi({ description: 'Of the listing. The rest is as it was when it was ordered.' }),
        name: z.string(),
        description: z.string(),
        uniqueidentifier: z.string().openapi({ example: 'COW-00042' }),
        category: named,
        breed: named.nullable(),
        seller: z.strictObject({
          id: z.int(),
          username: z.string(),
          phone: z.string().optional().openapi({ description: 'For admins.' }),
        }),
        pickup: z.strictObject({ address }).optional().openapi({ description: 'For admins.' }),
        product_variant: z
          .array(
            z.strictObject({
              age: ageRange.nullable(),
              gender: named.nullable().openapi({ description: 'Id 0 is female.' }),
              weight: z.number().openapi({ description: 'Kilograms of one; 0 means not weighed.' }),
              original_price: rupees('For one, before any offer.'),
              offer_price: rupees('For one, as ordered; null when there was no offer.').nullable(),
              product_images: z.array(z.strictObject({ image: z.string() })),
            }),
          )
          .length(1),
      })
      .openapi('OrderedProduct'),
    product_image: z.string().nullable().openapi({ description: 'Absolute path of a JPEG.' }),
    items_count: z.int(),
    buyer: z.int(),
    buyer_name: z.string().optional().openapi({ description: 'For admins.' }),
    buyer_phone: z.string().optional().openapi({ description: 'For admins.' }),
    price_per_item: rupees('As it was when it was ordered.'),
    discountedamount: rupees('Taken off the whole line.'),
    delivery_charge: z.literal(0),
    tax_amount: z.literal(0),
    total_payable: rupees('items_count × price_per_item − discountedamount, paid at the door.'),
    status: z.string().openapi({ description: "In the reader's language." }),
    statusId,
    delivery: z.strictObject({
      delivered_on: z.iso.date().nullable(),
      deliver_on: z.iso.date().nullable().openapi({ description: 'When it is to come.' }),
      deliver_window: z.enum(['morning', 'midday', 'evening']).nullable(),
      delivery_address: z.strictObject({ buyer: z.int(), address }),
    }),
    payment_method: z.enum(paymentMethods).nullable().openapi({ description: 'Null on a delivered order: not recorded yet.' }),
    amount_paid: rupees('At the door, as somebody stated it.').nullable(),
    reason: z.string().nullable().openapi({ description: 'Why it ended without a sale.' }),
    invoice: z
      .strictObject({ invoice_number: z.string(), invoice_date: z.iso.date() })
      .nullable()
      .openapi({ description: "The buyer's receipt, once it is delivered." }),
    created_date: moment,
    steps: z
      .array(
        z.strictObject({
          from: z.int().openapi({ description: '0: it was in the cart.' }),
          to: statusId.openapi({ description: 'From 6 to 6: its payment was recorded.' }),
          status: z.string(),
          by: z.enum(['buyer', 'seller', 'admin', 'bearer']),
          at: moment,
          note: z.string().optional().openapi({ description: 'For admins.' }),
        }),
      )
      .openapi({ description: 'Who did what when, the oldest first.' }),
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
