import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import { idOf, moment, partial } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

export const TICKET_TOPICS = ['order', 'listing', 'account', 'grievance', 'privacy', 'other'] as const

/** Newsletter subscribers with their consent; before `confirmedAt` only the confirmation is sent. */
export const newsletterSubscribers = pgTable(
  'newsletter_subscribers',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** In lower case. */
    email: text().notNull().unique(),
    /** The language of the request, for the confirmation and the newsletter. */
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    /** The version of the consent text, and the time of the tick. */
    consentVersion: text('consent_version').notNull(),
    consentedAt: moment('consented_at').notNull(),
    confirmedAt: moment('confirmed_at'),
    unsubscribedAt: moment('unsubscribed_at'),
  },
  (t) => [check('newsletter_email', sql`${t.email} = lower(${t.email})`), check('newsletter_locale', sql`${t.locale} in ('ta', 'en')`)],
)

/** The newsletter's letters, written at the desk: editable until sent, then stored as sent. */
export const newsletterLetters = pgTable(
  'newsletter_letters',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    subjectTa: text('subject_ta').notNull(),
    subjectEn: text('subject_en').notNull(),
    bodyTa: text('body_ta').notNull(),
    bodyEn: text('body_en').notNull(),
    /** Counts changes, so that nobody sends or overwrites a version they have not seen. */
    version: smallint().notNull().default(1),
    changedById: idOf('changed_by_id', () => users.id).notNull(),
    changedAt: moment('changed_at').notNull(),
    sentAt: moment('sent_at'),
    sentById: idOf('sent_by_id', () => users.id),
    /** The number of addresses it was sent to. */
    receivers: integer(),
  },
  (t) => [
    index('newsletter_letters_changed_by').on(t.changedById),
    index('newsletter_letters_sent_by').on(t.sentById),
    check(
      'newsletter_letters_sent',
      sql`(${t.sentAt} is null) = (${t.receivers} is null) and (${t.sentAt} is null) = (${t.sentById} is null)`,
    ),
  ],
)

/** A question to support. Its number derives from its id (support/ticket-schemas.ts). */
export const tickets = pgTable(
  'tickets',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null when nobody was logged in, or the person was erased. */
    userId: idOf('user_id', () => users.id),
    name: text().notNull(),
    /** E.164. */
    phone: text().notNull(),
    email: text(),
    topic: text({ enum: TICKET_TOPICS }).notNull(),
    content: text().notNull(),
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    closedAt: moment('closed_at'),
    closedById: idOf('closed_by_id', () => users.id),
    /** The admin's note: what they did or answered. */
    note: text(),
  },
  (t) => [
    partial(index('tickets_open').on(t.createdAt, t.id), sql`closed_at is null`),
    index('tickets_user').on(t.userId, t.id),
    index('tickets_phone').on(t.phone),
    check('tickets_topic', sql`${t.topic} in ('order', 'listing', 'account', 'grievance', 'privacy', 'other')`),
    check('tickets_locale', sql`${t.locale} in ('ta', 'en')`),
    check('tickets_closed', sql`(${t.closedAt} is null) = (${t.closedById} is null)`),
  ],
)

/** Views per page and Indian day: by route pattern, without personal data. */
export const pageViews = pgTable(
  'page_views',
  {
    day: date({ mode: 'string' }).notNull(),
    route: text().notNull(),
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    count: integer().notNull(),
    phones: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.route, t.locale] }),
    check('page_views_locale', sql`${t.locale} in ('ta', 'en')`),
    check('page_views_phones', sql`${t.phones} between 0 and ${t.count}`),
  ],
)
