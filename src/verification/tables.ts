import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import type { SeenListing } from '../listings/fields/seen-listing.ts'
import { listings, verifications } from '../listings/tables.ts'

/**
 * The words of a listing as an admin last passed them, from the moment in which others are shown in their place (decisions.md §7.10). No
 * row: the words shown are those that were passed. Every verdict on the listing deletes the row.
 */
export const secondLooks = pgTable('second_looks', {
  listingId: bigint('listing_id', { mode: 'number' })
    .primaryKey()
    .references(() => listings.id, { onDelete: 'cascade' }),
  name: text().notNull(),
  description: text().notNull(),
  nameEn: text('name_en'),
  descriptionEn: text('description_en'),
  /** When the words were changed first. */
  createdAt: moment('created_at').notNull(),
})

const listingId = () =>
  bigint('listing_id', { mode: 'number' })
    .notNull()
    .references(() => listings.id, { onDelete: 'cascade' })

/** The listing that an admin has open at the desk; others see the name and are led past it while the claim is fresh (queue-marks.server.ts). */
export const verificationClaims = pgTable(
  'verification_claims',
  {
    adminId: bigint('admin_id', { mode: 'number' })
      .primaryKey()
      .references(() => users.id),
    listingId: listingId(),
    claimedAt: moment('claimed_at').notNull(),
  },
  (t) => [index('verification_claims_listing').on(t.listingId)],
)

/** Listings that an admin has put off: they come last for this admin, for a day. */
export const verificationSkips = pgTable(
  'verification_skips',
  {
    adminId: bigint('admin_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    listingId: listingId(),
    skippedAt: moment('skipped_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.listingId] }), index('verification_skips_listing').on(t.listingId)],
)

/** What the admin saw at a verdict, to be compared when the listing comes back. Verdicts from before this was kept have no row. */
export const seenListings = pgTable(
  'seen_listings',
  {
    verificationId: bigint('verification_id', { mode: 'number' })
      .primaryKey()
      .references(() => verifications.id, { onDelete: 'cascade' }),
    listingId: listingId(),
    seen: jsonb().$type<SeenListing>().notNull(),
  },
  (t) => [index('seen_listings_listing').on(t.listingId)],
)

/** What a verdict has replaced, for the seconds in which it can be taken back. */
export const freshVerdicts = pgTable(
  'fresh_verdicts',
  {
    verificationId: bigint('verification_id', { mode: 'number' })
      .primaryKey()
      .references(() => verifications.id, { onDelete: 'cascade' }),
    listingId: listingId(),
    state: text({ enum: ['draft', 'pending', 'passed', 'failed', 'withdrawn'] }).notNull(),
    verificationComment: text('verification_comment'),
    editorId: bigint('editor_id', { mode: 'number' }),
    /** As the verdict left them: a listing that was edited or bought since is not turned back. */
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

/** What an admin asks a seller before the verdict, and the answer. The newest row of a listing is the one that counts. */
export const listingQuestions = pgTable(
  'listing_questions',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: listingId(),
    adminId: bigint('admin_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    question: text().notNull(),
    askedAt: moment('asked_at').notNull(),
    answer: text(),
    answeredAt: moment('answered_at'),
  },
  (t) => [index('listing_questions_listing').on(t.listingId, t.id)],
)
