import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, numeric, pgTable, smallint, text, unique } from 'drizzle-orm/pg-core'
import { users } from '#src/accounts/tables.ts'
import { idOf, moment, partial, pictureColumns } from '#src/kit/db/tables.ts'
import { listings } from '../tables.ts'

const proofColumns = () => ({
  /** The sender: the seller, or an admin for them. That admin may not decide about it. */
  addedById: idOf('added_by_id', () => users.id).notNull(),
  /** The listing revision with which an admin saw it. It is visible while the listing has this revision; a new description makes it wait again. */
  seenRevision: integer('seen_revision'),
  /** An admin could not see the claim in it. */
  isRefused: boolean('is_refused').notNull().default(false),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** The yield of one milking as the seller states it, with an optional clip. At most three per listing (listings/proofs). */
export const milkings = pgTable(
  'milkings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    /** The calendar day in India. */
    milkedOn: date('milked_on', { mode: 'string' }).notNull(),
    time: text().$type<'morning' | 'evening'>().notNull(),
    litres: numeric({ precision: 4, scale: 1, mode: 'number' }).notNull(),
    /** The clip, as in `listingClips`; all null without one. */
    mediaKey: text('media_key').unique(),
    format: text().$type<'mp4' | 'webm'>(),
    bytes: integer(),
    millis: integer(),
    width: smallint(),
    height: smallint(),
    stillKey: text('still_key').unique(),
    ...proofColumns(),
  },
  (t) => [
    unique('milkings_once').on(t.listingId, t.milkedOn, t.time),
    index('milkings_added_by').on(t.addedById),
    partial(index('milkings_clips').on(t.createdAt), sql`media_key is not null and not is_refused`),
    check('milkings_time', sql`${t.time} in ('morning', 'evening')`),
    check('milkings_litres', sql`${t.litres} > 0 and ${t.litres} <= 100`),
    check(
      'milkings_clip_whole',
      sql`(${t.mediaKey} is null) = (${t.format} is null) and (${t.mediaKey} is null) = (${t.bytes} is null) and (${t.mediaKey} is null) = (${t.millis} is null)`,
    ),
  ],
)

const { position: _alone, ...onePicture } = pictureColumns()

/** Empty since migration 0053 (decision 0098). The release before still reads it, so the next one drops it. */
export const dayPhotos = pgTable(
  'day_photos',
  {
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).primaryKey(),
    day: date({ mode: 'string' }).notNull(),
    word: smallint().notNull(),
    number: smallint().notNull(),
    ...onePicture,
    ...proofColumns(),
  },
  (t) => [
    index('day_photos_added_by').on(t.addedById),
    index('day_photos_sha256').on(t.sha256),
    partial(index('day_photos_waiting').on(t.createdAt), sql`not is_refused`),
  ],
)
