import { sql } from 'drizzle-orm'
import { bigint, check, customType, index, integer, pgTable, smallint, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' })
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * One row per transaction that changed something an anonymous page shows; written by the trigger `note_page_change` on those
 * tables (migrations/0001), read by the page cache (page-cache.server.ts), forgotten after some minutes.
 */
export const pageChanges = pgTable('page_changes', {
  txid: xid8().primaryKey(),
  at: moment('at')
    .notNull()
    .default(sql`clock_timestamp()`),
})

/** Messages to people, written in the transaction that gives the reason for them and sent after it (outbox.server.ts). */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    channel: text({ enum: ['sms', 'email'] }).notNull(),
    /** A phone in E.164, or an e-mail address. */
    recipient: text().notNull(),
    template: text().notNull(),
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    /** Of e-mails only. */
    subject: text(),
    body: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    attempts: smallint().notNull().default(0),
    /** Not before this time: later after each failure. */
    dueAt: moment('due_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    /** Given up. */
    failedAt: moment('failed_at'),
    lastError: text('last_error'),
  },
  (t) => [
    index('outbox_due')
      .on(t.dueAt, t.id)
      .where(sql`sent_at is null and failed_at is null`),
    check('outbox_channel', sql`${t.channel} in ('sms', 'email')`),
    check('outbox_locale', sql`${t.locale} in ('ta', 'en')`),
    check('outbox_subject', sql`(${t.subject} is not null) = (${t.channel} = 'email')`),
  ],
)

/** Limits that must survive a restart and hold for all processes together (api.md L3 and up; rate-limits.server.ts). */
export const limitCounts = pgTable('limit_counts', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: timestamp('expire', { withTimezone: true, mode: 'date' }),
})
