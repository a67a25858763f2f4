import { sql, type SQL } from 'drizzle-orm'
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
  type IndexBuilder,
  type ReferenceConfig,
} from 'drizzle-orm/pg-core'

/** Milliseconds, like JavaScript's Date: a paging cursor could not round-trip a finer time. */
export const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' })
/** The id of a row of another table. */
export const idOf = <Name extends string>(name: Name, row: () => AnyPgColumn, actions?: ReferenceConfig['actions']) =>
  bigint(name, { mode: 'number' }).references(row, actions)
/** The same of a small table, such as the breeds. */
export const smallIdOf = <Name extends string>(name: Name, row: () => AnyPgColumn) => smallint(name).references(row)
/** An index of only those rows for which the condition holds. */
export const partial = (all: IndexBuilder, rows: SQL) => all.where(rows)
/** The embedded engine returns plain byte arrays. */
export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
})
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
/** A picture in the media store and its position among the pictures of the same owner. */
export const pictureColumns = () => ({
  position: smallint().notNull(),
  /** The name of the files in the media store. */
  mediaKey: text('media_key').notNull().unique(),
  width: smallint().notNull(),
  height: smallint().notNull(),
  thumbhash: text().notNull(),
  averageColor: text('average_color').notNull(),
  /** 64-bit difference hash in hex, used to show near-duplicate pictures to admins. */
  dhash: text().notNull(),
  sha256: text().notNull(),
})
const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * One row per transaction that changed something on a public page. The trigger `note_page_change` (migrations/0001) writes it, the page cache reads
 * it (page-cache.server.ts), and a sweep deletes it after some minutes.
 */
export const pageChanges = pgTable('page_changes', {
  txid: xid8().primaryKey(),
  at: moment('at')
    .notNull()
    .default(sql`clock_timestamp()`),
  /** The page names (`ctx.shows`) that the change affects; null: all pages. */
  names: text().array(),
})

/** Messages to people, written in the transaction that causes them and sent after its commit (outbox.server.ts). */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    channel: text({ enum: ['sms', 'email', 'push'] }).notNull(),
    /** A phone number in E.164, an e-mail address, or the number of a push device. */
    recipient: text().notNull(),
    /** The registered recipient, who can also read the message on their own page. No foreign key: kit does not know users. */
    userId: bigint('user_id', { mode: 'number' }),
    template: text().notNull(),
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    /** For e-mails only. */
    subject: text(),
    /** Empty when the text holds a secret; `sealed` then holds the encrypted text until the message is sent. */
    body: text().notNull(),
    /** The values of the provider's registered template, by name. */
    variables: jsonb().$type<Record<string, string>>(),
    sealed: bytes(),
    createdAt: moment('created_at').notNull().defaultNow(),
    attempts: smallint().notNull().default(0),
    maxAttempts: smallint('max_attempts').notNull().default(7),
    /** The time of the next attempt; each failure moves it later. */
    dueAt: moment('due_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    /** The time at which the outbox gave up. */
    failedAt: moment('failed_at'),
    lastError: text('last_error'),
    /** For a push: the SMS that is cancelled if the device shows the push in time. */
    standsBefore: idOf('stands_before', (): AnyPgColumn => outbox.id, { onDelete: 'cascade' }),
    /** For a push: when the device confirmed that it showed it. For an SMS: when a push replaced it, so that it is not sent. */
    shownAt: moment('shown_at'),
  },
  (t) => [
    partial(index('outbox_open').on(t.dueAt, t.id), sql`sent_at is null and failed_at is null and shown_at is null`),
    partial(index('outbox_stands_before').on(t.standsBefore), sql`stands_before is not null`),
    partial(index('outbox_user').on(t.userId, t.id), sql`user_id is not null`),
    index('outbox_recipient').on(t.recipient, t.id),
    index('outbox_ended').on(sql`coalesce(sent_at, failed_at, shown_at)`, t.id),
    partial(index('outbox_failed').on(t.failedAt, t.id), sql`failed_at is not null`),
    check('outbox_channel', sql`${t.channel} in ('sms', 'email', 'push')`),
    check('outbox_locale', sql`${t.locale} in ('ta', 'en')`),
    check('outbox_subject', sql`(${t.subject} is not null) = (${t.channel} = 'email')`),
    check('outbox_stands_before', sql`${t.standsBefore} is null or ${t.channel} = 'push'`),
  ],
)

/** Limits that survive a restart and are shared by all processes (api.md L3 and up; rate-limits.server.ts). */
export const limitCounts = pgTable('limit_counts', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: timestamp('expire', { withTimezone: true, mode: 'date' }),
})

/** Consecutive wrong attempts per key; the wait grows with them (failure-ladder.server.ts). A correct attempt deletes the row. */
export const failureLadders = pgTable('failure_ladders', {
  key: text().primaryKey(),
  failures: integer().notNull(),
  blockedUntil: moment('blocked_until'),
  triedAt: moment('tried_at').notNull(),
})

/**
 * The audit trail: who changed what, kept for ever. A trigger refuses updates and deletes. Soon after the commit, a job seals each row with the hash
 * of the previous one (audit.server.ts). Ids only: no names, numbers or texts of people.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at')
      .notNull()
      .default(sql`clock_timestamp()`),
    /** Null: the system itself, or a command on its machine. */
    actorId: bigint('actor_id', { mode: 'number' }),
    /** Named after OWASP's logging vocabulary where it has a term. */
    event: text().notNull(),
    /** "user:12", "listing:7". */
    object: text().notNull(),
    details: jsonb().$type<Record<string, string | number | boolean | null>>().notNull().default({}),
    requestId: text('request_id').notNull(),
    /** The position in the chain; null until sealed. */
    position: bigint({ mode: 'number' }).unique(),
    seal: bytes(),
  },
  (t) => [
    index('audit_events_object').on(t.object, t.id),
    partial(index('audit_events_actor').on(t.actorId, t.id), sql`actor_id is not null`),
    index('audit_events_event').on(t.event, t.id),
    index('audit_events_at').on(t.at),
    partial(index('audit_events_unsealed').on(t.id), sql`seal is null`),
  ],
)

/** Stored answers of idempotent requests (idempotency.server.ts). The transaction that acts writes them; a sweep deletes them after two days. */
export const idempotency = pgTable(
  'idempotency',
  {
    /** Sender and call: `user:12|POST /product`. No foreign key: kit does not know users. */
    owner: text().notNull(),
    key: text().notNull(),
    requestHash: bytes('request_hash').notNull(),
    answer: jsonb(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.key] }), index('idempotency_created').on(t.createdAt)],
)

/**
 * The vault's keys after the first one, which has the mark `pepper-canary`: one row per change of PEPPER (vault-keys.server.ts). Rows never change
 * except for `settledAt`.
 */
export const vaultKeys = pgTable(
  'vault_keys',
  {
    number: smallint().primaryKey(),
    /** A keyed hash of a fixed text, to check whether a PEPPER belongs to this key. */
    proof: text().notNull(),
    /** Sealed with this key: the previous PEPPER and the end of the audit trail at that time. */
    before: bytes().notNull(),
    since: moment('since').notNull().defaultNow(),
    /** From this time on, nothing in the database is sealed with an older key. */
    settledAt: moment('settled_at'),
  },
  (t) => [check('vault_keys_number', sql`${t.number} between 2 and 255`)],
)

/** A single row that `ping` updates to prove that the database accepts writes (database.server.ts). */
export const heartbeat = pgTable('heartbeat', { id: smallint().primaryKey(), at: moment('at').notNull() }, (t) => [
  check('heartbeat_one', sql`${t.id} = 1`),
])

/** Settings by admins: one row per change with its author and time. The latest effective row of a key applies (settings.server.ts). */
export const settings = pgTable(
  'settings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    key: text().notNull(),
    value: jsonb().notNull(),
    /** A user id. No foreign key: this file cannot import the domain's table. */
    setById: bigint('set_by_id', { mode: 'number' }).notNull(),
    setAt: moment('set_at').notNull(),
    /** When the change takes effect; null: at `setAt`. */
    effectiveAt: moment('effective_at'),
    reason: text().notNull().default(''),
  },
  (t) => [index('settings_key').on(t.key, t.id)],
)

/** Changes that an admin revoked before they took effect; rows never change. */
export const settingCallBacks = pgTable('setting_call_backs', {
  settingId: idOf('setting_id', () => settings.id).primaryKey(),
  byId: bigint('by_id', { mode: 'number' }).notNull(),
  at: moment('at').notNull(),
})
