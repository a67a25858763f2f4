import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import type { InvoiceKind, Settlement } from './rules.ts'
import { invoices, settlements, type Snapshot } from './tables.ts'

export interface Invoice {
  id: number
  kind: InvoiceKind
  /** Null on a draft, which admins see before the delivery. */
  number: string | null
  orderId: number
  issuedAt: Date
  settledAt: Date | null
  /** The last settlement entry; null before the first, and for settlements from before entries were stored. */
  settlement: Settlement | null
  snapshot: Snapshot
}

const invoiceColumns = columnsOf(invoices, 'id', 'kind', 'number', 'orderId', 'issuedAt', 'settledAt', 'snapshot')

/**
 * The viewer's document of an order: the commission invoice for the seller, the receipt for the buyer; an admin chooses, by default the
 * commission invoice. NOT_FOUND for another person's document and for one that is not issued yet.
 */
export async function getInvoice(ctx: Ctx, orderId: number, kind?: InvoiceKind): Promise<Invoice> {
  const { viewer } = ctx
  if (!viewer) throw notFound()
  const isShown = can(viewer, 'operate')
    ? eq(invoices.kind, kind ?? 'commission')
    : and(eq(invoices.ownerId, viewer.id), kind && eq(invoices.kind, kind))
  const [invoice] = await ctx.db
    .select(invoiceColumns)
    .from(invoices)
    .where(and(eq(invoices.orderId, orderId), isShown))
  if (!invoice) throw notFound()
  return standing(invoice, await lastSettlement(ctx, invoice.id))
}

/** Commission invoices by order id, for lists that have checked access already. */
export async function commissionInvoicesOf(ctx: Ctx, orderIds: number[]): Promise<Map<number, Invoice>> {
  if (orderIds.length === 0) return new Map()
  const rows = await ctx.db
    .select(invoiceColumns)
    .from(invoices)
    .where(and(inArray(invoices.orderId, orderIds), eq(invoices.kind, 'commission')))
  const last = await settlementsOf(
    ctx,
    rows.flatMap(({ id, settledAt }) => (settledAt ? [id] : [])),
  )
  return new Map(rows.map((row) => [row.orderId, standing(row, last.get(row.id) ?? null)]))
}

/** An invoice with the entry that counts. When the last entry was revoked, the invoice is not settled. */
export const standing = <T extends { settledAt: Date | null }>(
  invoice: T,
  last: Settlement | null,
): T & { settlement: Settlement | null } =>
  last?.kind === 'back' ? { ...invoice, settledAt: null, settlement: null } : { ...invoice, settlement: last }

async function lastSettlement(ctx: Ctx, invoiceId: number): Promise<Settlement | null> {
  return (await settlementsOf(ctx, [invoiceId])).get(invoiceId) ?? null
}

/** The last entry by invoice id. */
export async function settlementsOf(ctx: Ctx, invoiceIds: number[]): Promise<Map<number, Settlement>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectDistinctOn([settlements.invoiceId])
    .from(settlements)
    .where(inArray(settlements.invoiceId, invoiceIds))
    .orderBy(settlements.invoiceId, desc(settlements.id))
  return new Map(rows.map(({ invoiceId, byId: _by, at: _at, ...entry }) => [invoiceId, entry]))
}

/** A person's documents, oldest first. They stay after an erasure, as the law requires. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db.select(invoiceColumns).from(invoices).where(eq(invoices.ownerId, userId)).orderBy(asc(invoices.id))
  const paid = await ctx.db
    .select(columnsOf(settlements, 'invoiceId', 'amount', 'kind', 'method', 'reference', 'paidOn'))
    .from(settlements)
    .innerJoin(invoices, eq(invoices.id, settlements.invoiceId))
    .where(eq(invoices.ownerId, userId))
    .orderBy(asc(settlements.id))
  return { invoices: rows, settlements: paid.map((entry) => ({ ...entry, amount: decimalOf(entry.amount) })) }
}

export const forgetPerson = async (): Promise<string[]> => []
