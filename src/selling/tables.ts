import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, pictureColumns } from '#src/kit/tables.ts'
import { users } from '../accounts/tables.ts'

/**
 * What somebody has typed into the sell form so far, as typed: nothing of it is checked, so nothing of it is ever refused. One
 * per person; sending the form makes a listing of it and removes it in the same transaction.
 */
export const listingDrafts = pgTable(
  'listing_drafts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Field name to text. */
    typed: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Goes up with every save: an older one that comes late over a bad line changes nothing. */
    version: integer().notNull().default(0),
    createdAt: moment('created_at').notNull().defaultNow(),
    savedAt: moment('saved_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('listing_drafts_owner').on(t.ownerId), index('listing_drafts_saved').on(t.savedAt)],
)

/** Pictures that came before the listing: already drawn anew and stored, they only wait for it. */
export const draftPhotos = pgTable(
  'draft_photos',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    draftId: bigint('draft_id', { mode: 'number' })
      .notNull()
      .references(() => listingDrafts.id, { onDelete: 'cascade' }),
    ...pictureColumns(),
  },
  (t) => [unique('draft_photos_position').on(t.draftId, t.position), check('draft_photos_three', sql`${t.position} between 0 and 2`)],
)
