import { and, isNull, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  char,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { bytes, idOf, moment, partial, smallIdOf } from '#src/kit/db/tables.ts'

// Lookup tables. Their rows come from reference-data.ts at each start (decision 0008); ids are on the wire.
export const userTypes = pgTable('user_types', { id: smallint().primaryKey(), en: text().notNull(), ta: text().notNull() })
export const userTitles = pgTable('user_titles', { id: smallint().primaryKey(), en: text().notNull(), ta: text().notNull() })

export const users = pgTable(
  'users',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** E.164 with the plus. */
    phone: text().notNull().unique(),
    name: text().notNull(),
    typeId: smallIdOf('type_id', () => userTypes.id).notNull(),
    titleId: smallIdOf('title_id', () => userTitles.id),
    /** argon2id in PHC format. Null: the person signs in with codes (identity/code-login.server.ts). */
    passwordHash: text('password_hash'),
    degree: text(),
    /** Number in the state's veterinary council, written by the admin who looked it up and approved the vet. */
    vetRegistration: text('vet_registration'),
    vetApproved: boolean('vet_approved').notNull().default(false),
    email: text(),
    /** Sealed (kit/vault.server.ts); shown masked to its owner and to admins only. */
    panSealed: bytes('pan_sealed'),
    pictureKey: text('picture_key'),
    /** Agent or vet, requested by the person; an admin decides. */
    requestedTypeId: smallIdOf('requested_type_id', () => userTypes.id),
    requestedTypeAt: moment('requested_type_at'),
    /** Internal types of the specification: staff, admin, super admin. At most one is true. */
    isStaff: boolean('is_staff').notNull().default(false),
    isAdmin: boolean('is_admin').notNull().default(false),
    superAdmin: boolean('super_admin').notNull().default(false),
    /** The Verified Seller badge, set by admins only. */
    isVerified: boolean('is_verified').notNull().default(false),
    /** The admin's latest reason. Personal data: exported and erased with the person. */
    verifiedNote: text('verified_note'),
    isActive: boolean('is_active').notNull().default(true),
    /** The secret of an admin's authenticator app, sealed. */
    totpSealed: bytes('totp_sealed'),
    /** The last half-minute period whose code was accepted, so that no code works twice. */
    totpStep: bigint('totp_step', { mode: 'number' }),
    referralCode: char('referral_code', { length: 10 }).notNull().unique(),
    /** The referrer; set at registration, never changed. */
    referredById: idOf('referred_by_id', (): AnyPgColumn => users.id),
    locale: text({ enum: ['ta', 'en'] })
      .notNull()
      .default('ta'),
    isSample: boolean('is_sample').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When the personal fields were emptied; the row stays for records that the law requires (orders, audit). */
    erasedAt: moment('erased_at'),
  },
  (t) => [
    check('users_phone', sql`${t.phone} ~ '^\\+[1-9][0-9]{11,14}$'`),
    check('users_locale', sql`${t.locale} in ('ta', 'en')`),
    check('users_internal', sql`${t.isStaff}::int + ${t.isAdmin}::int + ${t.superAdmin}::int <= 1`),
    check('users_super_admin', sql`not ${t.superAdmin} or ${t.typeId} = 9`),
    check('users_not_self_referred', sql`${t.referredById} <> ${t.id}`),
    index('users_referred_by').on(t.referredById),
    partial(index('users_picture').on(t.pictureKey), sql`picture_key is not null`),
    partial(index('users_super_admins').on(t.typeId), sql`super_admin`),
    partial(index('users_waiting').on(t.id), sql`requested_type_id is not null or (type_id = 5 and not vet_approved)`),
  ],
)

/** Neither deactivated nor erased, so they may act and be notified. */
export const isHere = and(users.isActive, isNull(users.erasedAt))

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token in the cookie; the database never holds the token itself. */
    tokenHash: bytes('token_hash').primaryKey(),
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    /** Identifies the session in its owner's list; grants no access. */
    id: bigint({ mode: 'number' }).notNull().unique().generatedAlwaysAsIdentity(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Absolute expiry. The idle expiry may come earlier (sessions.server.ts). */
    expiresAt: moment('expires_at').notNull(),
    seenAt: moment('seen_at').notNull().defaultNow(),
    /** "Chrome · Android", for the owner's list. */
    device: text().notNull().default(''),
    /** The password was right, but the authenticator's code is missing: not logged in yet. */
    awaitsTotp: boolean('awaits_totp').notNull().default(false),
    /** The known browser of the session (`known_devices.token_hash`). */
    deviceHash: bytes('device_hash'),
    /** The session began with the password, not with a code alone. */
    isByPassword: boolean('is_by_password').notNull().default(false),
    /** Until then this session may enrol the authenticator, because a code by SMS was given just now (totp.server.ts). */
    enrolUntil: moment('enrol_until'),
    /** Until then the code that began this session replaces the password for acts that ask for it (login.server.ts). */
    proofUntil: moment('proof_until'),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

/**
 * Browsers that show a person's notifications (notifications/devices.server.ts). Deleted with their session: by a logout on that device, "log out
 * everywhere", a deactivation or an erasure.
 */
export const pushDevices = pgTable(
  'push_devices',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    sessionId: idOf('session_id', () => sessions.id, { onDelete: 'cascade' }).notNull(),
    /** The push service's address for this browser; known hosts only (notifications/push-hosts.server.ts). */
    endpoint: text().notNull().unique(),
    /** The browser's keys for encrypting messages to it. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** "Chrome · Android", for the owner's list. */
    device: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When it last reported a shown message. */
    shownAt: moment('shown_at'),
  },
  (t) => [index('push_devices_user').on(t.userId), index('push_devices_session').on(t.sessionId)],
)

/**
 * Browsers with which people have logged in, by the hash of the cookie `__Host-known`. People who share a phone may share one browser. The
 * token grants no access: it keeps strangers' tries from locking the owner out, and tells a new browser from a known one.
 */
export const knownDevices = pgTable(
  'known_devices',
  {
    tokenHash: bytes('token_hash').notNull(),
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    seenAt: moment('seen_at').notNull().defaultNow(),
    /** The person gave a code to their number in this browser, at least once. */
    isProved: boolean('is_proved').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.tokenHash, t.userId] }), index('known_devices_user').on(t.userId, t.seenAt)],
)

/**
 * Phone numbers of erased accounts as keyed hashes, kept two years for the number's one-time benefits (decisions.md §7.5). Counters of
 * codes use the same hash (otp-limits.server.ts).
 */
export const erasedPhones = pgTable(
  'erased_phones',
  {
    phoneHash: bytes('phone_hash').primaryKey(),
    erasedAt: moment('erased_at').notNull(),
    hadFirstOrder: boolean('had_first_order').notNull().default(false),
    hadReferral: boolean('had_referral').notNull().default(false),
    wasReferred: boolean('was_referred').notNull().default(false),
    /** The person who has registered with the number since. */
    userId: idOf('user_id', () => users.id, { onDelete: 'set null' }).unique(),
  },
  (t) => [index('erased_phones_at').on(t.erasedAt)],
)

/**
 * An unfinished registration. No user exists yet, so it never reserves a phone. Belongs to the browser whose `__Host-reg` cookie has this
 * hash; expires after fifteen minutes, deleted after a day.
 */
export const pendingRegistrations = pgTable(
  'pending_registrations',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    browserHash: bytes('browser_hash').notNull().unique(),
    phone: text().notNull(),
    name: text().notNull(),
    titleId: smallIdOf('title_id', () => userTitles.id),
    typeId: smallIdOf('type_id', () => userTypes.id).notNull(),
    passwordHash: text('password_hash'),
    panSealed: bytes('pan_sealed'),
    degree: text(),
    referralCode: text('referral_code'),
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    consentVersion: text('consent_version').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('pending_registrations_expiry').on(t.expiresAt)],
)

/** One-time codes (otp.server.ts). Only a keyed hash is stored; the code itself is in its SMS only. */
export const otps = pgTable(
  'otps',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    phone: text().notNull(),
    purpose: text({ enum: ['register', 'reset', 'phone', 'erase', 'login', 'totp', 'sign-in'] }).notNull(),
    /** The cookie or session that requested it; the code is invalid in other browsers. */
    browserHash: bytes('browser_hash').notNull(),
    /** How well the requester was known (otp-limits.server.ts). */
    asker: text({ enum: ['stranger', 'waited', 'known'] })
      .notNull()
      .default('stranger'),
    /** The counter of wrong tries at this code (failure-ladder.server.ts). */
    ladder: text().notNull().default(''),
    /** Keyed hashes of the address bucket and the browser that asked; each may have a limited number of unused codes. */
    addressHash: bytes('address_hash'),
    deviceHash: bytes('device_hash'),
    /** Makes the hashes of equal codes differ between rows. */
    salt: bytes().notNull(),
    mac: bytes().notNull(),
    attempts: smallint().notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
    /** Used, replaced by a newer one, or never sent: not live any more. */
    endedAt: moment('ended_at'),
    wasUsed: boolean('was_used').notNull().default(false),
    /** The code was right but the number has no account yet; this browser may still give a name (code-login.server.ts). */
    provedAt: moment('proved_at'),
  },
  (t) => [
    // One live code per phone, purpose and kind of asker, also for concurrent requests: a stranger's code does not end a known browser's.
    partial(uniqueIndex('otps_live').on(t.phone, t.purpose, t.asker), sql`ended_at is null`),
    index('otps_created').on(t.createdAt),
    check('otps_tries', sql`${t.attempts} between 0 and 5`),
  ],
)

/** Ten digits each, valid once in place of a lost authenticator; printed by `npm run admin`. Only keyed hashes are stored. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    mac: bytes().notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.mac] })],
)

/** A person's consent: its text version and language, and when it was withdrawn. */
export const consents = pgTable(
  'consents',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    purpose: text({ enum: ['account'] }).notNull(),
    version: text().notNull(),
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    givenAt: moment('given_at').notNull(),
    withdrawnAt: moment('withdrawn_at'),
  },
  (t) => [index('consents_user').on(t.userId)],
)

/** Loaded seed and reference tables by content hash, so that a second start finds them unchanged and does nothing. */
export const loadedData = pgTable('loaded_data', { name: text().primaryKey(), hash: text().notNull(), rows: integer().notNull() })
