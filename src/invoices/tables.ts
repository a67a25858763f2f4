import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, jsonb, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

/** The last number given in a series and financial year; raised in the transaction that issues, so no number is missing. */
export const invoiceSeries = pgTable('invoice_series', {
  /** `SC/2026-27` */
  series: text().primaryKey(),
  last: integer().notNull(),
})

/**
 * Everything a document says, as it was when it was issued; money as decimal rupees. A seller's has the commission, a buyer's never.
 */
export interface Snapshot {
  orderNo: string
  /** India day of the delivery; null on a draft. */
  deliveredOn: string | null
  seller: Party
  buyer: Party | null
  lines: InvoiceLine[]
  /** Items at their unit price. */
  total: string
  discount: string
  /** What this document is about: the commission, or what the buyer paid. */
  payable: string
  commissionPercent: number | null
  /** How the buyer paid at the door, and what: as whoever closed the order recorded it. */
  paid?: { method: 'cash' | 'upi'; amount: string } | null
}

export interface InvoiceLine {
  /** COW-00042 */
  code: string
  name: string
  /** In English, where the seller gave it one. */
  nameEn?: string | null
  count: number
  /** Decimal rupees of one, before any discount: JSON has no bigint. */
  unitPrice: string
}

export interface Party {
  name: string
  /** As it should be printed, line by line. */
  address: string[]
}

/**
 * A document as it was issued: a snapshot, never a view. A trigger refuses every change but the note that it was settled. The order's
 * domain comes later in the line, so its id is a plain number here.
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
    snapshot: jsonb().$type<Snapshot>().notNull(),
    issuedAt: moment('issued_at').notNull(),
    settledAt: moment('settled_at'),
    settledById: bigint('settled_by_id', { mode: 'number' }).references(() => users.id),
  },
  (t) => [
    unique('invoices_serial').on(t.series, t.serial),
    uniqueIndex('invoices_of_order').on(t.orderId, t.kind),
    index('invoices_owner').on(t.ownerId, t.id),
    // What waits to be settled.
    index('invoices_open')
      .on(t.issuedAt)
      .where(sql`kind = 'commission' and settled_at is null`),
    check('invoices_kind', sql`${t.kind} in ('commission', 'receipt')`),
  ],
)

/**
 * What the seller was paid for the sale of a commission invoice, less the commission, as an admin recorded it (decisions.md §7.11).
 * Append-only: a wrong entry is corrected or taken back by a further one, and the last one counts.
 */
export const settlements = pgTable(
  'settlements',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    invoiceId: bigint('invoice_id', { mode: 'number' })
      .notNull()
      .references(() => invoices.id),
    /** 1/10,000 rupee. */
    amount: bigint({ mode: 'bigint' }).notNull(),
    /** `paid` to the seller; `received` from a seller who took the price themselves; `back`: what the entry before says did not happen. */
    kind: text({ enum: ['paid', 'received', 'back'] })
      .notNull()
      .default('paid'),
    method: text({ enum: ['cash', 'upi', 'bank'] }).notNull(),
    /** Of the transfer or the signed slip. */
    reference: text().notNull(),
    /** The Indian day on which it was paid. */
    paidOn: date('paid_on', { mode: 'string' }).notNull(),
    /** Why it differs from what was due, or why it is taken back. */
    note: text().notNull().default(''),
    byId: bigint('by_id', { mode: 'number' })
      .notNull()
      .references(() => users.id),
    at: moment('at').notNull(),
  },
  (t) => [
    index('settlements_invoice').on(t.invoiceId, t.id),
    index('settlements_by').on(t.byId),
    // What waits at the desk again.
    index('settlements_back')
      .on(t.invoiceId)
      .where(sql`kind = 'back'`),
    check('settlements_amount', sql`${t.amount} >= 0`),
    check('settlements_kind', sql`${t.kind} in ('paid', 'received', 'back') and (${t.kind} <> 'back' or ${t.amount} = 0)`),
    check('settlements_method', sql`${t.method} in ('cash', 'upi', 'bank')`),
  ],
)
