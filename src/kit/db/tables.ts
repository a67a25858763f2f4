import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'

/** Milliseconds, as JavaScript has them: a finer time could not be put into a paging cursor and come back the same. */
export const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' })
/** The embedded engine answers plain byte arrays. */
export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
})
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
/** A picture in the media store, and its place among those it stands with. */
export const pictureColumns = () => ({
  position: smallint().notNull(),
  /** Names the files in the media store. */
  mediaKey: text('media_key').notNull().unique(),
  width: smallint().notNull(),
  height: smallint().notNull(),
  thumbhash: text().notNull(),
  averageColor: text('average_color').notNull(),
  /** 64-bit difference hash, hex: near-equal pictures are shown to admins. */
  dhash: text().notNull(),
  sha256: text().notNull(),
})
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
    channel: text({ enum: ['sms', 'email', 'push'] }).notNull(),
    /** A phone in E.164, an e-mail address, or the number of a device that shows it. */
    recipient: text().notNull(),
    /** The recipient, if registered: they can read it again on their own page. No foreign key: the kit knows no users. */
    userId: bigint('user_id', { mode: 'number' }),
    template: text().notNull(),
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    /** Of e-mails only. */
    subject: text(),
    /** Empty where the text holds a secret: then it stands, sealed, in `sealed` until the message is sent. */
    body: text().notNull(),
    /** What stands in the places of the provider's registered template, by name. */
    variables: jsonb().$type<Record<string, string>>(),
    sealed: bytes(),
    createdAt: moment('created_at').notNull().defaultNow(),
    attempts: smallint().notNull().default(0),
    maxAttempts: smallint('max_attempts').notNull().default(7),
    /** Not before this time: later after each failure. */
    dueAt: moment('due_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    /** Given up. */
    failedAt: moment('failed_at'),
    lastError: text('last_error'),
    /** Of a push: the SMS that is not sent if this is shown in time. */
    standsBefore: bigint('stands_before', { mode: 'number' }).references((): AnyPgColumn => outbox.id, { onDelete: 'cascade' }),
    /** Of a push: when the device said that it was shown. Of an SMS: when a push was shown in its place, so that it is not sent. */
    shownAt: moment('shown_at'),
  },
  (t) => [
    index('outbox_open')
      .on(t.dueAt, t.id)
      .where(sql`sent_at is null and failed_at is null and shown_at is null`),
    index('outbox_stands_before')
      .on(t.standsBefore)
      .where(sql`stands_before is not null`),
    index('outbox_user')
      .on(t.userId, t.id)
      .where(sql`user_id is not null`),
    index('outbox_recipient').on(t.recipient, t.id),
    check('outbox_channel', sql`${t.channel} in ('sms', 'email', 'push')`),
    check('outbox_locale', sql`${t.locale} in ('ta', 'en')`),
    check('outbox_subject', sql`(${t.subject} is not null) = (${t.channel} = 'email')`),
    check('outbox_stands_before', sql`${t.standsBefore} is null or ${t.channel} = 'push'`),
  ],
)

/** Limits that must survive a restart and hold for all processes together (api.md L3 and up; rate-limits.server.ts). */
export const limitCounts = pgTable('limit_counts', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: timestamp('expire', { withTimezone: true, mode: 'date' }),
})

/**
 * Wrong tries in a row, by what they were tried on; the wait grows with them (failure-ladder.server.ts). A right one removes
 * the row.
 */
export const failureLadders = pgTable('failure_ladders', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  blockedUntil: moment('blocked_until'),
  triedAt: moment('tried_at').notNull(),
})

/**
 * Who changed what, for ever: rows are added, never changed or deleted (a trigger refuses), and each is sealed with the hash
 * of the one before it soon after its commit (audit.server.ts). Ids only: no names, numbers or texts of people.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at')
      .notNull()
      .default(sql`clock_timestamp()`),
    /** Null: the market itself, or a command on its machine. */
    actorId: bigint('actor_id', { mode: 'number' }),
    /** OWASP's logging vocabulary where it has a word. */
    event: text().notNull(),
    /** "user:12", "listing:7". */
    object: text().notNull(),
    details: jsonb().$type<Record<string, string | number | boolean | null>>().notNull().default({}),
    requestId: text('request_id').notNull(),
    /** Its place in the chain; null until sealed. */
    position: bigint({ mode: 'number' }).unique(),
    seal: bytes(),
  },
  (t) => [
    index('audit_events_object').on(t.object, t.id),
    index('audit_events_actor')
      .on(t.actorId, t.id)
      .where(sql`actor_id is not null`),
    index('audit_events_event').on(t.event, t.id),
    index('audit_events_at').on(t.at),
    index('audit_events_unsealed')
      .on(t.id)
      .where(sql`seal is null`),
  ],
)

/**
 * Answers to requests that must act once however often they arrive (idempotency.server.ts). Written in the transaction that acted,
 * deleted after two days.
 */
export const idempotency = pgTable(
  'idempotency',
  {
    /** Who sent it and for what: `user:12|POST /product`. The kit knows no users, so it is no foreign key. */
    owner: text().notNull(),
    key: text().notNull(),
    requestHash: bytes('request_hash').notNull(),
    answer: jsonb(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.key] }), index('idempotency_created').on(t.createdAt)],
)

/**
 * The vault's keys after the first one, which has the mark `pepper-canary`: a row for each change of PEPPER (vault-keys.server.ts). It is added
 * and never changed, but for `settledAt`.
 */
export const vaultKeys = pgTable(
  'vault_keys',
  {
    number: smallint().primaryKey(),
    /** A keyed hash of a fixed text: tells whether a PEPPER is this key's. */
    proof: text().notNull(),
    /** Sealed with this key: the PEPPER before it, and how far the audit trail had come. */
    before: bytes().notNull(),
    since: moment('since').notNull().defaultNow(),
    /** Nothing in the database is sealed with an older key since then. */
    settledAt: moment('settled_at'),
  },
  (t) => [check('vault_keys_number', sql`${t.number} between 2 and 255`)],
)

/** One row, written again and again: whether the database takes writes (database.server.ts, `ping`). */
export const heartbeat = pgTable('heartbeat', { id: smallint().primaryKey(), at: moment('at').notNull() }, (t) => [
  check('heartbeat_one', sql`${t.id} = 1`),
])

/** Settings of admins, one row per change with who and when: of a key the one that took effect last holds (settings.server.ts). */
export const settings = pgTable(
  'settings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    key: text().notNull(),
    value: jsonb().notNull(),
    /** The person's id: people stand in a domain, which this file cannot name. */
    setById: bigint('set_by_id', { mode: 'number' }).notNull(),
    setAt: moment('set_at').notNull(),
    /** From when on it holds; null: since it was set. */
    effectiveAt: moment('effective_at'),
    reason: text().notNull().default(''),
  },
  (t) => [index('settings_key').on(t.key, t.id)],
)

/** Changes that were called back before they took effect; never changed. */
export const settingCallBacks = pgTable('setting_call_backs', {
  settingId: bigint('setting_id', { mode: 'number' })
    .primaryKey()
    .references(() => settings.id),
  byId: bigint('by_id', { mode: 'number' }).notNull(),
  at: moment('at').notNull(),
})
