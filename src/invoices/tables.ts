import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from '#src/kit/tables.ts'
import { users } from '../accounts/tables.ts'

/** The last number given in a series and financial year; raised in the transaction that issues, so no number is missing. */
export const invoiceSeries = pgTable('invoice_series', {
  /** `SC/2026-27` */
  series: text().primaryKey(),
  last: integer().notNull(),
})

/**
 * A document as it was issued: a snapshot, never a view. A trigger refuses every change but the note that it was settled.
 * The order it belongs to stands further down the line, so its id is a plain number here.
 */
export const invoices = pgTable(
  'invoices',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** `commission`: Sandhai to the seller. `receipt`: to the buyer. */
    kind: text({ enum: ['commission', 'receipt'] }).notNull(),
    number: text().notNull().unique(),
    series: text()
      .notNull()
      .references(() => invoiceSeries.series),
    serial: integer().notNull(),
    orderId: bigint('order_id', { mode: 'number' }).notNull(),
    /** Whose it is: the seller of a commission invoice, the buyer of a receipt. */
    ownerId: bigint('owner_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    snapshot: jsonb().$type<Record<string, unknown>>().notNull(),
    issuedAt: moment('issued_at').notNull(),
    settledAt: moment('settled_at'),
    settledById: bigint('settled_by_id', { mode: 'number' }).references(() => users.id),
  },
  (t) => [
    unique('invoices_serial').on(t.series, t.serial),
    uniqueIndex('invoices_of_order').on(t.orderId, t.kind),
    index('invoices_owner').on(t.ownerId, t.id),
    check('invoices_kind', sql`${t.kind} in ('commission', 'receipt')`),
  ],
)
