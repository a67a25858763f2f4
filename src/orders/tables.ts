import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, moment, pictureColumns } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/** The animal as it was ordered. Ids are those of reference-data; names follow the reader's language. */
export interface AnimalSnapshot {
  name: string
  nameEn: string | null
  description: string
  descriptionEn: string | null
  /** COW-00042 */
  code: string
  categoryId: number
  breedId: number | null
  ageId: number | null
  genderId: number | null
  /** 0: not weighed. */
  weightKg: number
  /** In the media store; it stays while the order does. */
  photoKey: string | null
}

/** A place as it stood in the address book at the time of the order; taluk, district and state in English, as the tables have them. */
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

/** Who brings animals: people whom admins know. They need no account. */
export const bearers = pgTable(
  'bearers',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Empty, like the number, once the person is forgotten: the orders that they brought keep the row. */
    name: text().notNull(),
    phone: text().notNull(),
    /** In the media store; for the parties of an open order that they bring, and for admins. */
    pictureKey: text('picture_key').unique(),
    isActive: boolean('is_active').notNull().default(true),
    changedAt: moment('changed_at').notNull(),
  },
  (t) => [
    uniqueIndex('bearers_phone')
      .on(t.phone)
      .where(sql`phone <> ''`),
  ],
)

/** What one confirmation placed: the orders of one cart. */
export const orderGroups = pgTable(
  'order_groups',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    buyerId: bigint('buyer_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    /** What was confirmed: the same content again, soon after, is the same confirmation. */
    addressId: bigint('address_id', { mode: 'number' }).notNull(),
    code: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('order_groups_buyer').on(t.buyerId, t.createdAt)],
)

/** One ordered line of a cart, with prices, animal and addresses as they were when it was ordered. */
export const orders = pgTable(
  'orders',
  {
    /** The cart line's. */
    id: bigint({ mode: 'number' }).primaryKey(),
    orderNo: text('order_no').notNull().unique(),
    groupId: bigint('group_id', { mode: 'number' })
      .notNull()
      .references(() => orderGroups.id),
    buyerId: bigint('buyer_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    sellerId: bigint('seller_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id),
    count: integer().notNull(),
    /** 1/10,000 rupee, for one. */
    originalPrice: bigint('original_price', { mode: 'bigint' }).notNull(),
    unitPrice: bigint('unit_price', { mode: 'bigint' }).notNull(),
    /** Taken off this order's whole price; Sandhai bears it. */
    discount: bigint({ mode: 'bigint' }).notNull(),
    /** 1 first order, 2 referral; null without a discount. */
    discountType: smallint('discount_type'),
    /** Whose referral code took it off. */
    referrerId: bigint('referrer_id', { mode: 'number' }).references(() => users.id),
    /** Of the items before the discount, as it was agreed when this was ordered. */
    commissionPercent: smallint('commission_percent').notNull(),
    status: smallint().notNull(),
    animal: jsonb().$type<AnimalSnapshot>().notNull(),
    pickup: jsonb().$type<PlaceSnapshot>().notNull(),
    delivery: jsonb().$type<PlaceSnapshot>().notNull(),
    /** The twelve digits in the ear, sealed, as they were on record. */
    tagSealed: bytes('tag_sealed'),
    /** Did the last six digits that the buyer read match? Null: not read yet. */
    tagMatched: boolean('tag_matched'),
    tagTries: smallint('tag_tries').notNull().default(0),
    /** The day of the delivery: an Indian day, and the time of day. */
    deliverOn: date('deliver_on', { mode: 'string' }),
    deliverWindow: text('deliver_window', { enum: ['morning', 'midday', 'evening'] }),
    /** The four digits that the buyer gives to whoever hands the animal over, sealed. */
    handoverSealed: bytes('handover_sealed').notNull(),
    handoverTries: smallint('handover_tries').notNull().default(0),
    /** The bearer's account, where an admin has named one who has it: may close the order with the buyer's four digits. */
    bearerId: bigint('bearer_id', { mode: 'number' }).references(() => users.id),
    /** The bearer's entry in the list of bearers; they need no account. */
    listedBearerId: bigint('listed_bearer_id', { mode: 'number' }).references(() => bearers.id),
    deliveredOn: date('delivered_on', { mode: 'string' }),
    /** As whoever closed the order, or an admin later, stated it. Null on a delivered order: nobody has yet. */
    paymentMethod: text('payment_method', { enum: ['cash', 'upi'] }),
    amountPaid: bigint('amount_paid', { mode: 'bigint' }),
    /** Why it ended without a sale: cancelled, refused, not available. */
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
    index('orders_bearer')
      .on(t.bearerId)
      .where(sql`bearer_id is not null`),
    // For the look-up of whose picture a key is, before any picture is swept.
    index('orders_photo').on(sql`(animal->>'photoKey')`),
    // What an admin must record.
    index('orders_unrecorded')
      .on(t.id)
      .where(sql`status = 6 and payment_method is null`),
    index('orders_referrer')
      .on(t.referrerId)
      .where(sql`referrer_id is not null`),
    check('orders_count', sql`${t.count} between 1 and 10000`),
    check('orders_discount', sql`${t.discount} between 0 and ${t.unitPrice} * ${t.count}`),
    check('orders_discount_type', sql`(${t.discountType} is null) = (${t.discount} = 0)`),
    check('orders_status', sql`${t.status} in (1, 2, 3, 4, 5, 6, 100, 101, 102)`),
    check('orders_payment', sql`(${t.paymentMethod} is null) = (${t.amountPaid} is null)`),
    check('orders_delivered', sql`(${t.status} = 6) = (${t.deliveredOn} is not null)`),
  ],
)

/** Who did what and when: one row for each change of the status, never changed (a trigger refuses). */
export const orderSteps = pgTable(
  'order_steps',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: bigint('order_id', { mode: 'number' })
      .notNull()
      .references(() => orders.id),
    fromStatus: smallint('from_status').notNull(),
    toStatus: smallint('to_status').notNull(),
    byId: bigint('by_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    /** The role: one person may be buyer here and admin there. */
    as: text({ enum: ['buyer', 'seller', 'admin', 'bearer'] }).notNull(),
    note: text().notNull().default(''),
    at: moment('at').notNull(),
  },
  (t) => [index('order_steps_order').on(t.orderId, t.id), index('order_steps_by').on(t.byId)],
)

/** The picture of an animal that was refused at the door. */
export const orderPhotos = pgTable(
  'order_photos',
  {
    orderId: bigint('order_id', { mode: 'number' })
      .notNull()
      .references(() => orders.id),
    ...pictureColumns(),
  },
  (t) => [primaryKey({ columns: [t.orderId, t.position] })],
)

/** Each discount a buyer has used: one of a kind, unless its order ended without a sale and the right came back. */
export const discountUses = pgTable(
  'discount_uses',
  {
    orderId: bigint('order_id', { mode: 'number' })
      .primaryKey()
      .references(() => orders.id),
    buyerId: bigint('buyer_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    typeId: smallint('type_id').notNull(),
    returnedAt: moment('returned_at'),
  },
  (t) => [
    // For each cart: which discounts its buyer has used, and which came back.
    index('discount_uses_buyer').on(t.buyerId),
    uniqueIndex('discount_uses_once')
      .on(t.buyerId, t.typeId)
      .where(sql`returned_at is null`),
  ],
)

/** Links to a bearer's own page, each for one day; of the token only a keyed hash is stored. */
export const runLinks = pgTable(
  'run_links',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    tokenHash: bytes('token_hash').notNull().unique(),
    bearerId: bigint('bearer_id', { mode: 'number' })
      .notNull()
      .references(() => bearers.id),
    /** The Indian day on which it opens. */
    day: date({ mode: 'string' }).notNull(),
    /** The link works while they are an admin, and closes orders with their rights. */
    madeById: bigint('made_by_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    revokedAt: moment('revoked_at'),
  },
  (t) => [index('run_links_bearer').on(t.bearerId, t.day), index('run_links_made_by').on(t.madeById)],
)
