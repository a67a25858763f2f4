import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, smallint, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, idOf, moment, partial, pictureColumns } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/**
 * Unsaved text of the sell form, or of the edit form of a listing, without validation. One row per person and form; submitting the form
 * deletes it in the same transaction.
 */
export const listingDrafts = pgTable(
  'listing_drafts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: idOf('owner_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    /** Null: the sell form. */
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }),
    /** Field name to text. */
    typed: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Goes up with every save, so that a save that arrives late changes nothing. */
    version: integer().notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    savedAt: moment('saved_at').notNull().defaultNow(),
  },
  (t) => [
    unique('listing_drafts_form').on(t.ownerId, t.listingId).nullsNotDistinct(),
    index('listing_drafts_saved').on(t.savedAt),
    // For the cascade.
    index('listing_drafts_listing').on(t.listingId),
  ],
)

/** Pictures that were uploaded before their listing exists, already re-encoded. */
export const draftPhotos = pgTable(
  'draft_photos',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    draftId: idOf('draft_id', () => listingDrafts.id, { onDelete: 'cascade' }).notNull(),
    ...pictureColumns(),
  },
  (t) => [unique('draft_photos_position').on(t.draftId, t.position), check('draft_photos_three', sql`${t.position} between 0 and 2`)],
)

/** Unfinished uploads of clips with the received bytes. In the database, because any server may get the next part. */
export const clipUploads = pgTable(
  'clip_uploads',
  {
    /** Random, so it cannot be guessed. */
    id: text().primaryKey(),
    ownerId: idOf('owner_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    length: integer().notNull(),
    received: integer().notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('clip_uploads_owner').on(t.ownerId),
    index('clip_uploads_created').on(t.createdAt),
    check('clip_uploads_received', sql`${t.received} between 0 and ${t.length}`),
  ],
)

export const clipUploadParts = pgTable(
  'clip_upload_parts',
  {
    uploadId: text('upload_id')
      .notNull()
      .references(() => clipUploads.id, { onDelete: 'cascade' }),
    start: integer().notNull(),
    data: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.uploadId, t.start] })],
)

/** Pictures of listings made offline: they arrive one by one under the listing's idempotency key, before the listing. */
export const waitingPhotos = pgTable(
  'waiting_photos',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: idOf('owner_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    key: text().notNull(),
    ...pictureColumns(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    unique('waiting_photos_place').on(t.ownerId, t.key, t.position),
    index('waiting_photos_created').on(t.createdAt),
    check('waiting_photos_three', sql`${t.position} between 0 and 2`),
  ],
)

/** Owners for whom agents list. They have no account: only a phone number, and the name that the agent gave. */
export const owners = pgTable(
  'owners',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    phoneSealed: bytes('phone_sealed').notNull(),
    /** Keyed hash of the phone number, for lookups. */
    phoneMac: bytes('phone_mac').notNull().unique(),
    /** Language of their latest answer. */
    locale: text({ enum: ['ta', 'en'] })
      .notNull()
      .default('ta'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [check('owners_locale', sql`${t.locale} in ('ta', 'en')`)],
)

/** Codes sent to an owner, one row for each SMS; each opens the owner's page. Only a keyed hash is stored. */
export const ownerCodes = pgTable(
  'owner_codes',
  {
    codeHash: bytes('code_hash').primaryKey(),
    ownerId: idOf('owner_id', () => owners.id, { onDelete: 'cascade' }).notNull(),
    /** The agent whose listing caused the SMS; null when it was requested by phone number. */
    agentId: idOf('agent_id', () => users.id),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('owner_codes_owner').on(t.ownerId, t.createdAt),
    index('owner_codes_agent').on(t.agentId, t.createdAt),
    index('owner_codes_created').on(t.createdAt),
  ],
)

/** The question to the owner of a listing, and their answer. */
export const ownerConsents = pgTable(
  'owner_consents',
  {
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).primaryKey(),
    ownerId: idOf('owner_id', () => owners.id, { onDelete: 'cascade' }).notNull(),
    agentId: idOf('agent_id', () => users.id).notNull(),
    /** The agent's fee per animal: rupees (1/10,000), or per cent of the price. */
    fee: bigint({ mode: 'bigint' }),
    feePercent: smallint('fee_percent'),
    price: bigint({ mode: 'bigint' }).notNull(),
    /** Goes up with each question, so that an answer to an older one is refused. */
    round: integer().notNull().default(1),
    /** `silent`: no answer for two weeks. `taken`: the owner has registered and sells it themselves. */
    state: text({ enum: ['asked', 'agreed', 'refused', 'pulled', 'silent', 'taken'] }).notNull(),
    reason: text({ enum: ['unknown', 'price', 'fee', 'sold'] }),
    askedAt: moment('asked_at').notNull(),
    answeredAt: moment('answered_at'),
  },
  (t) => [
    index('owner_consents_owner').on(t.ownerId),
    index('owner_consents_agent').on(t.agentId),
    // For the round that closes unanswered questions.
    partial(index('owner_consents_asked').on(t.askedAt), sql`state = 'asked'`),
    check('owner_consents_fee', sql`(${t.fee} is null) <> (${t.feePercent} is null)`),
    check('owner_consents_state', sql`${t.state} in ('asked', 'agreed', 'refused', 'pulled', 'silent', 'taken')`),
  ],
)

/** Owners who want nothing more from this agent. */
export const ownerRefusals = pgTable(
  'owner_refusals',
  {
    ownerId: idOf('owner_id', () => owners.id, { onDelete: 'cascade' }).notNull(),
    agentId: idOf('agent_id', () => users.id).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.agentId] }), index('owner_refusals_agent').on(t.agentId)],
)

/** The account that a person's earnings are sent to: a sealed `Payee` (earnings/payees.server.ts). */
export const payees = pgTable('payees', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: idOf('user_id', () => users.id)
    .notNull()
    .unique(),
  sealed: bytes().notNull(),
  changedAt: moment('changed_at').notNull(),
})

/** Payments to several sellers that an admin sends to the bank together. */
export const payouts = pgTable(
  'payouts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    byId: idOf('by_id', () => users.id).notNull(),
    at: moment('at').notNull(),
  },
  (t) => [index('payouts_by').on(t.byId)],
)

/** A sale that a payout settles. `amount`, in 1/10,000 rupee, is paid for it in all; below 0 the seller pays it. */
export interface PayoutSale {
  /** The commission invoice. */
  invoiceId: number
  orderId: number
  amount: string
  /** The id of the last entry when the payout was made; 0 without one. */
  seen: number
}

/** A payout's payment to one seller. */
export const payoutLines = pgTable(
  'payout_lines',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    payoutId: idOf('payout_id', () => payouts.id).notNull(),
    sellerId: idOf('seller_id', () => users.id).notNull(),
    /** In 1/10,000 rupee, a whole number of paise. */
    amount: bigint({ mode: 'bigint' }).notNull(),
    /** The account as it was when the payout was made, sealed; null once the line is decided. */
    payeeSealed: bytes('payee_sealed'),
    /** The same without its middle (`maskedPayee`). */
    account: text().notNull(),
    sales: jsonb().$type<PayoutSale[]>().notNull(),
    state: text({ enum: ['open', 'paid', 'failed'] })
      .notNull()
      .default('open'),
    /** The bank's reference, also before the payment is recorded. Of a failed line, the reason's id. */
    reference: text().notNull().default(''),
    decidedById: idOf('decided_by_id', () => users.id),
    decidedAt: moment('decided_at'),
  },
  (t) => [
    index('payout_lines_payout').on(t.payoutId),
    index('payout_lines_seller').on(t.sellerId),
    index('payout_lines_decided_by').on(t.decidedById),
    // A seller waits for one payout at a time, so that no sale is paid twice.
    partial(uniqueIndex('payout_lines_open').on(t.sellerId), sql`state = 'open'`),
    check('payout_lines_amount', sql`${t.amount} > 0 and ${t.amount} % 100 = 0`),
    check('payout_lines_state', sql`${t.state} in ('open', 'paid', 'failed')`),
  ],
)
