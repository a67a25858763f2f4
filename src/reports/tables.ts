import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { idOf, moment, partial } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/** The reason why somebody thinks that a listing or its seller should be removed. */
export const REPORT_REASONS = ['sold', 'wrong', 'photos', 'fraud', 'forbidden', 'cruelty', 'other'] as const

/** A report of a listing, or of a seller (`listingId` null). An admin closes it: taken down or kept. */
export const reports = pgTable(
  'reports',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    reporterId: idOf('reporter_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    sellerId: idOf('seller_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    comment: text().notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
    closedAt: moment('closed_at'),
    closedById: idOf('closed_by_id', () => users.id),
    outcome: text({ enum: ['left', 'taken-down'] }),
    note: text(),
  },
  (t) => [
    // One open report per person and subject; a second report updates the first.
    partial(uniqueIndex('reports_open_listing').on(t.reporterId, t.listingId), sql`closed_at is null and listing_id is not null`),
    partial(uniqueIndex('reports_open_seller').on(t.reporterId, t.sellerId), sql`closed_at is null and listing_id is null`),
    index('reports_reporter').on(t.reporterId),
    index('reports_seller').on(t.sellerId),
    partial(index('reports_open').on(t.createdAt, t.id), sql`closed_at is null`),
    check('reports_reason', sql`${t.reason} in ('sold', 'wrong', 'photos', 'fraud', 'forbidden', 'cruelty', 'other')`),
    check('reports_outcome', sql`${t.outcome} in ('left', 'taken-down')`),
    check('reports_closed', sql`(${t.closedAt} is null) = (${t.closedById} is null) and (${t.closedAt} is null) = (${t.outcome} is null)`),
  ],
)
