import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { bytes, moment, pictureColumns } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { listings } from '../listings/tables.ts'

/**
 * What somebody has typed into the sell form so far, or into the edit form of a listing, as typed: nothing of it is checked, so nothing of
 * it is ever refused. One per person and form; submitting the form removes it in the same transaction.
 */
export const listingDrafts = pgTable(
  'listing_drafts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: the sell form. */
    listingId: bigint('listing_id', { mode: 'number' }).references(() => listings.id, { onDelete: 'cascade' }),
    /** Field name to text. */
    typed: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Goes up with every save: a stale save that arrives late over a bad connection changes nothing. */
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

/** Pictures that came before the listing: already re-encoded and stored, they only wait for it. */
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

/** A clip on its way over a bad line, and as much of it as has come. Here and not on a disk, because any machine may get the next part. */
export const clipUploads = pgTable(
  'clip_uploads',
  {
    /** Nobody guesses it. */
    id: text().primaryKey(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
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

/** Pictures of a listing that was made without a line: they come one by one, under the listing's idempotency key, and then the listing. */
export const waitingPhotos = pgTable(
  'waiting_photos',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
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
