import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { bytes } from '#src/kit/db/tables.ts'

/** The print that recognizes a cropped, mirrored or recompressed copy of a photo (kit/media/prints). Made soon after the upload. */
export const photoPrints = pgTable(
  'photo_prints',
  {
    /** An id of `listing_photos` without a foreign key, because a photo that changes its position is deleted and inserted again. */
    photoId: bigint('photo_id', { mode: 'number' }).primaryKey(),
    /** Empty when the photo's file was unreadable. */
    print: bytes().notNull(),
    /** Four index keys per spot of the photo, which the same spot in a copy often shares. */
    keys: integer().array().notNull(),
  },
  (t) => [index('photo_prints_keys').using('gin', t.keys)],
)

/**
 * Pairs of photos that show the same picture. A photo paired with itself marks that the search for its copies is done. No foreign keys, as for
 * prints.
 */
export const photoCopies = pgTable(
  'photo_copies',
  {
    photoId: bigint('photo_id', { mode: 'number' }).notNull(),
    copyId: bigint('copy_id', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.photoId, t.copyId] }), index('photo_copies_copy').on(t.copyId)],
)
