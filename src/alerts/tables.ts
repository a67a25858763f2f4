import { sql } from 'drizzle-orm'
import { bigint, check, date, index, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { idOf, moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/** Kinds of alerts; a person gets each once a day at most, and can switch it off. */
export const ALERT_KINDS = ['wanted', 'saved'] as const

export const savedListings = pgTable(
  'saved_listings',
  {
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    /** 1/10,000 rupee: the price when it was saved, or when the person was last notified of a lower one. */
    knownPrice: bigint('known_price', { mode: 'bigint' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.listingId] }), index('saved_listings_listing').on(t.listingId)],
)

/** Saved searches: the query of the list page in canonical order. */
export const savedSearches = pgTable(
  'saved_searches',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    /** `category` is the list page's :typeId; `query` is its query string. */
    category: bigint({ mode: 'number' }).notNull(),
    query: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Animals that became public before this time count as seen. */
    lookedAt: moment('looked_at').notNull().defaultNow(),
  },
  (t) => [unique('saved_searches_once').on(t.userId, t.category, t.query), index('saved_searches_looked').on(t.lookedAt, t.id)],
)

/** A row means that this person has switched off alerts of this kind. */
export const alertsOff = pgTable(
  'alerts_off',
  {
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    kind: text({ enum: ALERT_KINDS }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind] }), check('alerts_off_kind', sql`${t.kind} in ('wanted', 'saved')`)],
)

/** A row means that this person got this kind of alert on this Indian day. Its key stops two processes from sending it twice. */
export const alertDays = pgTable(
  'alert_days',
  {
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    kind: text({ enum: ALERT_KINDS }).notNull(),
    day: date({ mode: 'string' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.day] }),
    index('alert_days_day').on(t.day),
    check('alert_days_kind', sql`${t.kind} in ('wanted', 'saved')`),
  ],
)
