import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { idOf, moment, pictureColumns } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { FINDINGS, listings } from '../listings/tables.ts'

/** A vet's check of an animal. */
export const vetChecks = pgTable(
  'vet_checks',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    vetId: idOf('vet_id', () => users.id).notNull(),
    approved: boolean().notNull(),
    comments: text().notNull(),
    commentsEn: text('comments_en'),
    checkedOn: date('checked_on', { mode: 'string' }).notNull(),
    /** The listing's revision at the time of the check. */
    revision: integer().notNull().default(1),
    // Optional findings, each only if the vet examined it.
    temperatureC: numeric('temperature_c', { precision: 3, scale: 1, mode: 'number' }),
    /** 1 (skin and bone) to 5 (fat), in halves. */
    bodyCondition: numeric('body_condition', { precision: 2, scale: 1, mode: 'number' }),
    teeth: text({ enum: FINDINGS }),
    udder: text({ enum: FINDINGS }),
    gait: text({ enum: FINDINGS }),
    skin: text({ enum: FINDINGS }),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    index('vet_checks_listing').on(t.listingId, t.id),
    index('vet_checks_vet').on(t.vetId, t.id),
    check(
      'vet_checks_findings',
      sql`${t.teeth} in ('good', 'watch', 'bad') and ${t.udder} in ('good', 'watch', 'bad') and ${t.gait} in ('good', 'watch', 'bad') and ${t.skin} in ('good', 'watch', 'bad')`,
    ),
    check('vet_checks_temperature', sql`${t.temperatureC} between 30 and 45`),
    check('vet_checks_condition', sql`${t.bodyCondition} between 1 and 5 and ${t.bodyCondition} * 2 = trunc(${t.bodyCondition} * 2)`),
  ],
)

/** Photos that a vet took during a check: the animal, its teeth, its udder. */
export const vetCheckPhotos = pgTable(
  'vet_check_photos',
  {
    checkId: idOf('check_id', () => vetChecks.id, { onDelete: 'cascade' }).notNull(),
    ...pictureColumns(),
  },
  (t) => [primaryKey({ columns: [t.checkId, t.position] }), check('vet_check_photos_three', sql`${t.position} between 0 and 2`)],
)

/**
 * The hold of a vet who will visit an animal. One vet holds it for two days, and only that vet sees the pickup place. One row per listing; after its
 * end, another vet can take it over.
 */
export const vetHolds = pgTable(
  'vet_holds',
  {
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).primaryKey(),
    vetId: idOf('vet_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    heldUntil: moment('held_until').notNull(),
  },
  (t) => [index('vet_holds_vet').on(t.vetId)],
)
