import { sql } from 'drizzle-orm'
import { bigint, boolean, check, pgTable, primaryKey, smallint, text, unique } from 'drizzle-orm/pg-core'
import { bytes, idOf, moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

/**
 * Buyers who had a delivery from a seller, for the mark "bought here" on the buyer's review. Written with the
 * delivery.
 */
export const purchases = pgTable(
  'purchases',
  {
    sellerId: idOf('seller_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    buyerId: idOf('buyer_id', () => users.id, { onDelete: 'cascade' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.sellerId, t.buyerId] })],
)

/** Reviews of sellers: one per reviewer and seller. A comment without stars does not count in the average. */
export const sellerReviews = pgTable(
  'seller_reviews',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sellerId: idOf('seller_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    reviewerId: idOf('reviewer_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    stars: smallint(),
    comment: text().notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
    answer: text(),
    answeredAt: moment('answered_at'),
    /** Hidden by an admin: no list shows it and no average counts it. A changed text stays hidden. */
    isHidden: boolean('is_hidden').notNull().default(false),
    /** The reason why it is hidden; its author reads it. */
    hiddenReason: text('hidden_reason'),
    /** The last decision to hide it or to show it again. */
    decidedById: idOf('decided_by_id', () => users.id),
    decidedAt: moment('decided_at'),
  },
  (t) => [
    check('seller_reviews_hidden', sql`${t.isHidden} = (${t.hiddenReason} is not null)`),
    check('seller_reviews_decided', sql`(${t.decidedById} is null) = (${t.decidedAt} is null)`),
    check('seller_reviews_answer', sql`(${t.answer} is null) = (${t.answeredAt} is null)`),
    unique('seller_reviews_once').on(t.sellerId, t.reviewerId),
    check('seller_reviews_stars', sql`${t.stars} between 1 and 5`),
    check('seller_reviews_not_empty', sql`${t.stars} is not null or ${t.comment} <> ''`),
    check('seller_reviews_not_self', sql`${t.sellerId} <> ${t.reviewerId}`),
  ],
)

/**
 * The network from which a review was last written, so that the office sees reviews of many names from one place. A table of its own, because
 * its rows go after a few days (retention.server.ts) and a swept row must not renew the pages that show the review.
 */
export const reviewNetworks = pgTable('review_networks', {
  reviewId: idOf('review_id', () => sellerReviews.id, { onDelete: 'cascade' }).primaryKey(),
  /** A keyed hash. */
  network: bytes().notNull(),
  writtenAt: moment('written_at').notNull(),
})
