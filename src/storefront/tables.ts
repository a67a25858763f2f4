import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { idOf, moment } from '#src/kit/db/tables.ts'
import { users } from '#src/accounts/tables.ts'

export const SHOWCASE_KINDS = ['banner', 'voice', 'market_day'] as const

/** The office's content: banners and testimonials of the home page, and the calendar of market days. */
export const showcaseItems = pgTable(
  'showcase_items',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: SHOWCASE_KINDS }).notNull(),
    /** A banner's heading, a person's name, or the name of a market or festival. */
    titleTa: text('title_ta').notNull(),
    titleEn: text('title_en').notNull(),
    /** A banner's text, a person's words, or what a market day is known for. */
    textTa: text('text_ta').notNull(),
    textEn: text('text_en').notNull(),
    /** The place of the person or the market; empty for a banner and for a statewide festival. */
    placeTa: text('place_ta').notNull().default(''),
    placeEn: text('place_en').notNull().default(''),
    /** The page of ours to which a banner links, without the language. */
    path: text(),
    /** For a weekly market: 0 for Sunday to 6 for Saturday. */
    weekday: smallint(),
    /** Inclusive calendar days in India, for a banner or a dated market day. Null: no start or no end. */
    fromDay: date('from_day', { mode: 'string' }),
    toDay: date('to_day', { mode: 'string' }),
    /** Lower positions come first. */
    position: smallint().notNull().default(0),
    isShown: boolean('is_shown').notNull().default(true),
    /** Counts changes, for optimistic locking. */
    version: smallint().notNull().default(1),
    changedById: idOf('changed_by_id', () => users.id),
    changedAt: moment('changed_at').notNull(),
  },
  (t) => [
    index('showcase_items_kind').on(t.kind, t.position, t.id),
    index('showcase_items_changed_by').on(t.changedById),
    check('showcase_items_kind', sql`${t.kind} in ('banner', 'voice', 'market_day')`),
    check('showcase_items_path', sql`(${t.path} is not null) = (${t.kind} = 'banner')`),
    check('showcase_items_weekday', sql`${t.weekday} is null or (${t.weekday} between 0 and 6 and ${t.kind} = 'market_day')`),
    check('showcase_items_day', sql`${t.kind} <> 'market_day' or (${t.weekday} is null) = (${t.fromDay} is not null)`),
    check('showcase_items_days', sql`${t.fromDay} <= ${t.toDay}`),
  ],
)
