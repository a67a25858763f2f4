import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { idOf, moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import type { SeenListing } from '../listings/fields/seen-listing.ts'
import { listings } from '../listings/tables.ts'

/**
 * The history of admin decisions. A trigger allows inserts only; a decision that is undone within seconds is deleted
 * (verification/undo-verdict.server.ts).
 */
export const verifications = pgTable(
  'verifications',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    adminId: idOf('admin_id', () => users.id).notNull(),
    passed: boolean().notNull(),
    comment: text().notNull(),
    /** The listing's revision that the admin saw. */
    revision: integer().notNull().default(1),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('verifications_listing').on(t.listingId, t.id)],
)

/**
 * The words of a listing as last passed, stored when other words become public in their place (decisions.md §7.10). Without a row the
 * public words are the passed ones. Every verdict on the listing deletes the row.
 */
export const secondLooks = pgTable('second_looks', {
  listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  nameEn: text('name_en'),
  descriptionEn: text('description_en'),
  /** When the words were first changed. */
  createdAt: moment('created_at').notNull(),
})

const listingId = () => idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull()

/**
 * The listing that an admin has open at the desk; while the claim is fresh, other admins see the name and skip the listing
 * (queue-marks.server.ts).
 */
export const verificationClaims = pgTable(
  'verification_claims',
  {
    adminId: idOf('admin_id', () => users.id).primaryKey(),
    listingId: listingId(),
    claimedAt: moment('claimed_at').notNull(),
  },
  (t) => [index('verification_claims_listing').on(t.listingId)],
)

/** Listings that an admin has put off: they come last for this admin, for a day. */
export const verificationSkips = pgTable(
  'verification_skips',
  {
    adminId: idOf('admin_id', () => users.id).notNull(),
    listingId: listingId(),
    skippedAt: moment('skipped_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.listingId] }), index('verification_skips_listing').on(t.listingId)],
)

/** Snapshot of what the admin saw at a verdict, for comparison when the listing returns. Verdicts from before snapshots have no row. */
export const seenListings = pgTable(
  'seen_listings',
  {
    verificationId: idOf('verification_id', () => verifications.id, { onDelete: 'cascade' }).primaryKey(),
    listingId: listingId(),
    seen: jsonb().$type<SeenListing>().notNull(),
  },
  (t) => [index('seen_listings_listing').on(t.listingId)],
)

/** The state before a verdict, stored while the verdict can be undone. */
export const freshVerdicts = pgTable(
  'fresh_verdicts',
  {
    verificationId: idOf('verification_id', () => verifications.id, { onDelete: 'cascade' }).primaryKey(),
    listingId: listingId(),
    state: text({ enum: ['draft', 'pending', 'passed', 'failed', 'withdrawn'] }).notNull(),
    verificationComment: text('verification_comment'),
    editorId: bigint('editor_id', { mode: 'number' }),
    /** Version and stock after the verdict: an undo is refused when the listing was edited or bought since. */
    version: integer().notNull(),
    stock: integer().notNull(),
    secondLook: jsonb('second_look').$type<SecondLookRow>(),
    /** The message to the seller, which waits until then. */
    messageId: bigint('message_id', { mode: 'number' }),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('fresh_verdicts_listing').on(t.listingId)],
)

type SecondLookRow = Omit<typeof secondLooks.$inferSelect, 'listingId' | 'createdAt'> & { createdAt: string }

/** Questions of admins before the verdict, and the answers. The newest row of a listing counts. */
export const listingQuestions = pgTable(
  'listing_questions',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: listingId(),
    adminId: idOf('admin_id', () => users.id).notNull(),
    question: text().notNull(),
    askedAt: moment('asked_at').notNull(),
    answer: text(),
    answeredAt: moment('answered_at'),
  },
  (t) => [index('listing_questions_listing').on(t.listingId, t.id)],
)
