import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  char,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'

/** Milliseconds, as JavaScript has them: a finer time could not be put into a paging cursor and come back the same. */
const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' })
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

// Lookups. Their rows come from reference-data.ts at each start (decision 0008); ids are part of the wire.
export const userTypes = pgTable('user_types', { id: smallint().primaryKey(), en: text().notNull(), ta: text().notNull() })
export const userTitles = pgTable('user_titles', { id: smallint().primaryKey(), en: text().notNull(), ta: text().notNull() })
export const addressTypes = pgTable('address_types', { id: smallint().primaryKey(), en: text().notNull(), ta: text().notNull() })

export const pincodes = pgTable(
  'pincodes',
  {
    pincode: char({ length: 6 }).primaryKey(),
    taluk: text().notNull(),
    district: text().notNull(),
    state: text().notNull(),
    lat: doublePrecision(),
    lon: doublePrecision(),
    /** Ours, not the source's: an admin may turn a code on or off. Never derived from the code's first digits. */
    isDeliverable: boolean('is_deliverable').notNull(),
  },
  (t) => [index('pincodes_district').on(t.district)],
)

export const users = pgTable(
  'users',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** E.164 with the plus. */
    phone: text().notNull().unique(),
    name: text().notNull(),
    typeId: smallint('type_id')
      .notNull()
      .references(() => userTypes.id),
    titleId: smallint('title_id').references(() => userTitles.id),
    /** argon2id, PHC string. */
    passwordHash: text('password_hash').notNull(),
    degree: text(),
    vetApproved: boolean('vet_approved').notNull().default(false),
    superAdmin: boolean('super_admin').notNull().default(false),
    /** The Verified Seller badge: given and taken by an admin only. */
    isVerified: boolean('is_verified').notNull().default(false),
    isActive: boolean('is_active').notNull().default(true),
    referralCode: char('referral_code', { length: 10 }).notNull().unique(),
    locale: text().notNull().default('ta'),
    isSample: boolean('is_sample').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [check('users_phone', sql`${t.phone} ~ '^\\+[1-9][0-9]{11,14}$'`), check('users_locale', sql`${t.locale} in ('ta', 'en')`)],
)

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token in the cookie; the token itself is nowhere in the database. */
    tokenHash: bytes('token_hash').primaryKey(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

export const addresses = pgTable(
  'addresses',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    phone: text().notNull(),
    typeId: smallint('type_id')
      .notNull()
      .references(() => addressTypes.id),
    address1: text('address_1').notNull(),
    address2: text('address_2').notNull(),
    pincode: char({ length: 6 })
      .notNull()
      .references(() => pincodes.pincode),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('addresses_user').on(t.userId)],
)

/** What people say of a seller: one review per reviewer and seller. A comment without stars does not count in the average. */
export const sellerReviews = pgTable(
  'seller_reviews',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sellerId: bigint('seller_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reviewerId: bigint('reviewer_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    stars: smallint(),
    comment: text().notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    unique('seller_reviews_once').on(t.sellerId, t.reviewerId),
    check('seller_reviews_stars', sql`${t.stars} between 1 and 5`),
    check('seller_reviews_not_empty', sql`${t.stars} is not null or ${t.comment} <> ''`),
    check('seller_reviews_not_self', sql`${t.sellerId} <> ${t.reviewerId}`),
  ],
)

/**
 * Whose full phone number a person was shown on which day: a record against harvesting, and the daily quota.
 * Each takes a numbered place among the day's fifty, so two taps at once cannot both take the last one.
 */
export const contactReveals = pgTable(
  'contact_reveals',
  {
    viewerId: bigint('viewer_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    day: date({ mode: 'string' }).notNull(),
    sellerId: bigint('seller_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    place: smallint().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.viewerId, t.day, t.sellerId] }),
    unique('contact_reveals_place').on(t.viewerId, t.day, t.place),
    check('contact_reveals_quota', sql`${t.place} between 1 and 50`),
  ],
)

/** Which seed or reference table has been loaded, by content hash: a second start finds it unchanged and does nothing. */
export const loadedData = pgTable('loaded_data', { name: text().primaryKey(), hash: text().notNull(), rows: integer().notNull() })
