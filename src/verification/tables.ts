import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '#src/kit/db/tables.ts'
import { listings } from '../listings/tables.ts'

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
