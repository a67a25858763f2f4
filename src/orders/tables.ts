import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, idOf, moment, partial, pictureColumns } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/** Snapshot of the ordered animal. Ids are those of reference-data; names are looked up in the reader's language. */
export interface AnimalSnapshot {
  name: string
  nameEn: string | null
  description: string
  descriptionEn: string | null
  /** For example COW-00042. */
  code: string
  categoryId: number
  breedId: number | null
  ageId: number | null
  genderId: number | null
  /** 0: not weighed. */
  weightKg: number
  /** The owner for whom an agent had listed it. */
  ownerName?: string | null
  /** Key in the media store; the picture stays as long as the order. */
  photoKey: string | null
}

/** Snapshot of an address when it was ordered; taluk, district and state in English, as in the tables. */
export interface PlaceSnapshot {
  name: string
  phone: string
  address1: string
  address2: string
  pincode: string
  taluk: string
  district: string
  state: string
}

/** People who deliver animals. They need no account. */
export const bearers = pgTable(
  'bearers',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Name and phone are empty once the person is deleted; their delivered orders keep the row. */
    name: text().notNull(),
    phone: text().notNull(),
    /** Key in the media store; visible to admins and to the parties of an open order of this bearer. */
    pictureKey: text('picture_key').unique(),
    isActive: boolean('is_active').notNull().default(true),
    /** The number of cows that their vehicle takes. Null: not known. */
    capacity: smallint(),
    changedAt: moment('changed_at').notNull(),
  },
  (t) => [
    check('bearers_capacity', sql`${t.capacity} between 1 and 20`),
    partial(uniqueIndex('bearers_phone').on(t.phone), sql`phone <> ''`),
  ],
)

/** One row per confirmation: the orders of one cart. */
export const orderGroups = pgTable(
  'order_groups',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    buyerId: idOf('buyer_id', () => users.id).notNull(),
    /** The confirmed content, for recognising a repeat of the confirmation soon after. */
    addressId: bigint('address_id', { mode: 'number' }).notNull(),
    code: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('order_groups_buyer').on(t.buyerId, t.createdAt)],
)

/** One ordered cart line, with prices, animal and addresses at the time of the order. */
export const orders = pgTable(
  'orders',
  {
    /** Equal to the id of the cart line. */
    id: bigint({ mode: 'number' }).primaryKey(),
    orderNo: text('order_no').notNull().unique(),
    groupId: idOf('group_id', () => orderGroups.id).notNull(),
    buyerId: idOf('buyer_id', () => users.id).notNull(),
    sellerId: idOf('seller_id', () => users.id).notNull(),
    listingId: idOf('listing_id', () => listings.id).notNull(),
    count: integer().notNull(),
    /** Price of one animal, in 1/10,000 rupee. */
    originalPrice: bigint('original_price', { mode: 'bigint' }).notNull(),
    unitPrice: bigint('unit_price', { mode: 'bigint' }).notNull(),
    /** Discount on the whole order; Sandhai bears it. */
    discount: bigint({ mode: 'bigint' }).notNull(),
    /** 1 first order, 2 referral; null without a discount. */
    discountType: smallint('discount_type'),
    /** Owner of the referral code in the cart; set on its first order. */
    referrerId: idOf('referrer_id', () => users.id),
    /** Commission on the price before the discount, as agreed at the time of the order. */
    commissionPercent: smallint('commission_percent').notNull(),
    status: smallint().notNull(),
    animal: jsonb().$type<AnimalSnapshot>().notNull(),
    pickup: jsonb().$type<PlaceSnapshot>().notNull(),
    delivery: jsonb().$type<PlaceSnapshot>().notNull(),
    /** The ear tag's twelve digits at the time of the order, sealed. */
    tagSealed: bytes('tag_sealed'),
    /** Whether the six digits that the buyer read match. Null: not tried yet. */
    tagMatched: boolean('tag_matched'),
    tagTries: smallint('tag_tries').notNull().default(0),
    /** Indian calendar day of the delivery; `deliverWindow` is its time of day. */
    deliverOn: date('deliver_on', { mode: 'string' }),
    deliverWindow: text('deliver_window', { enum: ['morning', 'midday', 'evening'] }),
    /** The buyer's four-digit handover code, sealed. */
    handoverSealed: bytes('handover_sealed').notNull(),
    handoverTries: smallint('handover_tries').notNull().default(0),
    /** The bearer's account, if they have one; it may close the order with the buyer's four digits. */
    bearerId: idOf('bearer_id', () => users.id),
    /** The bearer's entry in the list of bearers. */
    listedBearerId: idOf('listed_bearer_id', () => bearers.id),
    deliveredOn: date('delivered_on', { mode: 'string' }),
    /** The payment as the bearer or an admin stated it. Null on a delivered order: nobody has stated it yet. */
    paymentMethod: text('payment_method', { enum: ['cash', 'upi'] }),
    amountPaid: bigint('amount_paid', { mode: 'bigint' }),
    /** The reason why it ended without a sale: cancelled, refused, not available. */
    endReason: text('end_reason'),
    createdAt: moment('created_at').notNull().defaultNow(),
    changedAt: moment('changed_at').notNull().defaultNow(),
  },
  (t) => [
    index('orders_buyer').on(t.buyerId, t.id),
    index('orders_seller').on(t.sellerId, t.id),
    index('orders_status').on(t.status, t.id),
    index('orders_listing').on(t.listingId),
    index('orders_group').on(t.groupId),
    partial(index('orders_bearer').on(t.bearerId), sql`bearer_id is not null`),
    // For finding a picture's owner, and before sweeping pictures.
    index('orders_photo').on(sql`(animal->>'photoKey')`),
    // For the admins' queue of unrecorded payments.
    partial(index('orders_unrecorded').on(t.id), sql`status = 6 and payment_method is null`),
    partial(index('orders_referrer').on(t.referrerId), sql`referrer_id is not null`),
    check('orders_count', sql`${t.count} between 1 and 10000`),
    check('orders_discount', sql`${t.discount} between 0 and ${t.unitPrice} * ${t.count}`),
    check('orders_discount_type', sql`(${t.discountType} is null) = (${t.discount} = 0)`),
    check('orders_status', sql`${t.status} in (1, 2, 3, 4, 5, 6, 100, 101, 102)`),
    check('orders_payment', sql`(${t.paymentMethod} is null) = (${t.amountPaid} is null)`),
    check('orders_delivered', sql`(${t.status} = 6) = (${t.deliveredOn} is not null)`),
  ],
)

/** One row for each change of status; a trigger refuses updates. */
export const orderSteps = pgTable(
  'order_steps',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: idOf('order_id', () => orders.id).notNull(),
    fromStatus: smallint('from_status').notNull(),
    toStatus: smallint('to_status').notNull(),
    byId: idOf('by_id', () => users.id).notNull(),
    /** The role: a person may be buyer in one order and admin in another. */
    as: text({ enum: ['buyer', 'seller', 'admin', 'bearer'] }).notNull(),
    note: text().notNull().default(''),
    at: moment('at').notNull(),
  },
  (t) => [index('order_steps_order').on(t.orderId, t.id), index('order_steps_by').on(t.byId)],
)

/** Pictures of animals that were refused at the door. */
export const orderPhotos = pgTable(
  'order_photos',
  {
    orderId: idOf('order_id', () => orders.id).notNull(),
    ...pictureColumns(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.position] })],
)

/** Discounts that a buyer has used: one per kind, unless its order ended without a sale and returned it. */
export const discountUses = pgTable(
  'discount_uses',
  {
    orderId: idOf('order_id', () => orders.id).primaryKey(),
    buyerId: idOf('buyer_id', () => users.id).notNull(),
    typeId: smallint('type_id').notNull(),
    returnedAt: moment('returned_at'),
  },
  (t) => [
    // For each cart: the discounts its buyer has used or got back.
    index('discount_uses_buyer').on(t.buyerId),
    partial(uniqueIndex('discount_uses_once').on(t.buyerId, t.typeId), sql`returned_at is null`),
  ],
)

/** Links to a bearer's page, each for one day; only a keyed hash of the token is stored. */
export const runLinks = pgTable(
  'run_links',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    tokenHash: bytes('token_hash').notNull().unique(),
    bearerId: idOf('bearer_id', () => bearers.id).notNull(),
    /** Indian calendar day on which the link works. */
    day: date({ mode: 'string' }).notNull(),
    /** The link works while this person is an admin, and closes orders with their rights. */
    madeById: idOf('made_by_id', () => users.id).notNull(),
    revokedAt: moment('revoked_at'),
  },
  (t) => [index('run_links_bearer').on(t.bearerId, t.day), index('run_links_made_by').on(t.madeById)],
)
