import { sql } from 'drizzle-orm'
import { bigint, check, date, index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { moment } from '#src/kit/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/** What a person can be told of once a day at most, and switch off. */
export const ALERT_KINDS = ['wanted', 'saved'] as const

/** An animal somebody keeps an eye on. */
export const savedListings = pgTable(
  'saved_listings',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** 1/10,000 rupee: when it was saved, or when he was last told of a lower one. */
    knownPrice: bigint('known_price', { mode: 'bigint' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.listingId] }), index('saved_listings_listing').on(t.listingId)],
)

/** A search somebody wants to hear of again: the query of the list page, in one fixed order. */
export const savedSearches = pgTable(
  'saved_searches',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `category` is the list page's :typeId; the rest its query string. */
    category: bigint({ mode: 'number' }).notNull(),
    query: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Animals that came into the market until then are known to him. */
    lookedAt: moment('looked_at').notNull().defaultNow(),
  },
  (t) => [unique('saved_searches_once').on(t.userId, t.category, t.query), index('saved_searches_looked').on(t.lookedAt, t.id)],
)

/** A row: this person does not want to be told of this kind. */
export const alertsOff = pgTable(
  'alerts_off',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ALERT_KINDS }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind] }), check('alerts_off_kind', sql`${t.kind} in ('wanted', 'saved')`)],
)

/** A row: this person was told of this kind on this Indian day. Its key is what keeps two processes from telling him twice. */
export const alertDays = pgTable(
  'alert_days',
  {
    userId: bigint('user_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ALERT_KINDS }).notNull(),
    day: date({ mode: 'string' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.day] }),
    index('alert_days_day').on(t.day),
    check('alert_days_kind', sql`${t.kind} in ('wanted', 'saved')`),
  ],
)
