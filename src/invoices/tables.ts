import { sql } from 'drizzle-orm'
import { bigint, check, date, index, integer, jsonb, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { idOf, moment, partial } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

/** The last number of a series and financial year; raised in the transaction that issues, so the series has no gaps. */
export const invoiceSeries = pgTable('invoice_series', {
  /** For example `SC/2026-27`. */
  series: text().primaryKey(),
  last: integer().notNull(),
})

/** The content of a document when it was issued; money as decimal rupees. The seller's has the commission, the buyer's never. */
export interface Snapshot {
  orderNo: string
  /** Indian calendar day of the delivery; null on a draft. */
  deliveredOn: string | null
  seller: Party
  buyer: Party | null
  lines: InvoiceLine[]
  /** Sum of the items at their unit price. */
  total: string
  discount: string
  /** The document's amount: the commission, or what the buyer paid. */
  payable: string
  commissionPercent: number | null
  /** The payment at the door, as the person who closed the order recorded it. */
  paid?: { method: 'cash' | 'upi'; amount: string } | null
}

interface InvoiceLine {
  /** For example COW-00042. */
  code: string
  name: string
  /** The seller's English name, if any. */
  nameEn?: string | null
  count: number
  /** Decimal rupees of one, before any discount; a string, because JSON has no bigint. */
  unitPrice: string
}

export interface Party {
  name: string
  /** The owner for whom an agent sold. */
  onBehalfOf?: string
  /** As printed, line by line. */
  address: string[]
}

/**
 * Issued documents: snapshots that never change. A trigger refuses every update except the settlement mark. `orderId` is no foreign key,
 * because the orders domain comes later in the order of domains.
 */
export const invoices = pgTable(
  'invoices',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** `commission`: from Sandhai to the seller. `receipt`: to the buyer. */
    kind: text({ enum: ['commission', 'receipt'] }).notNull(),
    number: text().notNull().unique(),
    series: text()
      .notNull()
      .references(() => invoiceSeries.series),
    serial: integer().notNull(),
    orderId: bigint('order_id', { mode: 'number' }).notNull(),
    /** The seller of a commission invoice, or the buyer of a receipt. */
    ownerId: idOf('owner_id', () => users.id).notNull(),
    snapshot: jsonb().$type<Snapshot>().notNull(),
    issuedAt: moment('issued_at').notNull(),
    settledAt: moment('settled_at'),
    settledById: idOf('settled_by_id', () => users.id),
  },
  (t) => [
    unique('invoices_serial').on(t.series, t.serial),
    uniqueIndex('invoices_of_order').on(t.orderId, t.kind),
    index('invoices_owner').on(t.ownerId, t.id),
    // For the queue of unsettled sales.
    partial(index('invoices_open').on(t.issuedAt), sql`kind = 'commission' and settled_at is null`),
    check('invoices_kind', sql`${t.kind} in ('commission', 'receipt')`),
  ],
)

/**
 * Payments to the seller of a commission invoice, less the commission, as an admin recorded them (decisions.md §7.11). Append-only: a wrong
 * entry is corrected or revoked by another one, and the last one counts.
 */
export const settlements = pgTable(
  'settlements',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    invoiceId: idOf('invoice_id', () => invoices.id).notNull(),
    /** 1/10,000 rupee. */
    amount: bigint({ mode: 'bigint' }).notNull(),
    /** `paid` to the seller; `received` from a seller who took the price themselves; `back` revokes the entry before. */
    kind: text({ enum: ['paid', 'received', 'back'] })
      .notNull()
      .default('paid'),
    method: text({ enum: ['cash', 'upi', 'bank'] }).notNull(),
    /** Reference of the transfer or the signed slip. */
    reference: text().notNull(),
    /** Indian calendar day of the payment. */
    paidOn: date('paid_on', { mode: 'string' }).notNull(),
    /** The reason why it differs from the amount due, or why it is revoked. */
    note: text().notNull().default(''),
    byId: idOf('by_id', () => users.id).notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    index('settlements_invoice').on(t.invoiceId, t.id),
    index('settlements_by').on(t.byId),
    // For the queue of revoked settlements.
    partial(index('settlements_back').on(t.invoiceId), sql`kind = 'back'`),
    check('settlements_amount', sql`${t.amount} >= 0`),
    check('settlements_kind', sql`${t.kind} in ('paid', 'received', 'back') and (${t.kind} <> 'back' or ${t.amount} = 0)`),
    check('settlements_method', sql`${t.method} in ('cash', 'upi', 'bank')`),
  ],
)
