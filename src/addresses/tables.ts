import { bigint, boolean, char, doublePrecision, index, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { idOf, moment, smallIdOf } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

/** A lookup: its rows come from reference-data.ts at each start (decision 0008); ids are on the wire. */
export const addressTypes = pgTable('address_types', { id: smallint().primaryKey(), en: text().notNull(), ta: text().notNull() })

export const pincodes = pgTable(
  'pincodes',
  {
    pincode: char({ length: 6 }).primaryKey(),
    taluk: text().notNull(),
    district: text().notNull(),
    state: text().notNull(),
    lat: doublePrecision(),
    lon: doublePrecision(),
    /** Set by us, not by the source: an admin may turn a code on or off. Never derived from the code's first digits. */
    isDeliverable: boolean('is_deliverable').notNull(),
  },
  (t) => [index('pincodes_district').on(t.district)],
)

export const addresses = pgTable(
  'addresses',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    name: text().notNull(),
    phone: text().notNull(),
    typeId: smallIdOf('type_id', () => addressTypes.id).notNull(),
    address1: text('address_1').notNull(),
    address2: text('address_2').notNull(),
    pincode: char({ length: 6 })
      .notNull()
      .references(() => pincodes.pincode),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Removed from the address book. The row stays while a listing uses it as pickup place. */
    removedAt: moment('removed_at'),
  },
  (t) => [index('addresses_user').on(t.userId)],
)
