import { sql } from 'drizzle-orm'
import { bigint, check, date, index, pgTable, text } from 'drizzle-orm/pg-core'
import { idOf, moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

/**
 * Cash that a bearer handed in for a day, as an admin counted it. Append-only: a new entry corrects a wrong one, and the last entry of a
 * bearer and day counts.
 */
export const cashHandins = pgTable(
  'cash_handins',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    day: date({ mode: 'string' }).notNull(),
    /** The person or place that took the cash: `listed:5`, `person:7` or `office` (admin/money/cash.server.ts). */
    taker: text().notNull(),
    /** In 1/10,000 rupee. */
    amount: bigint({ mode: 'bigint' }).notNull(),
    note: text().notNull().default(''),
    byId: idOf('by_id', () => users.id).notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    index('cash_handins_day').on(t.day, t.taker, t.id),
    index('cash_handins_by').on(t.byId),
    check('cash_handins_amount', sql`${t.amount} >= 0`),
    check('cash_handins_taker', sql`${t.taker} ~ '^(office|(listed|person):[1-9][0-9]*)$'`),
  ],
)
