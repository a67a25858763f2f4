import { eq, sql } from 'drizzle-orm'
import { can } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { indianDay } from '#src/kit/dates.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { invoiceNumber, seriesOf, type InvoiceKind, type Snapshot } from './rules.ts'
import { invoices, invoiceSeries } from './tables.ts'

/**
 * Gives a document its number and keeps it for ever, in the transaction that delivers the order: the counter's row is locked until
 * that transaction ends, so a number is taken with its document or not at all, and none is missing. Call it last: others who
 * deliver wait behind it. Answers the number. A second document of the same kind for an order breaks a unique index: a bug.
 */
export async function issueInvoice(
  ctx: Ctx,
  { kind, orderId, ownerId, snapshot }: { kind: InvoiceKind; orderId: number; ownerId: number; snapshot: Snapshot },
): Promise<string> {
  const series = seriesOf(kind, indianDay(ctx.now))
  const [counter] = await ctx.db
    .insert(invoiceSeries)
    .values({ series, last: 1 })
    .onConflictDoUpdate({ target: invoiceSeries.series, set: { last: sql`${invoiceSeries.last} + 1` } })
    .returning({ last: invoiceSeries.last })
  const serial = counter!.last
  const number = invoiceNumber(series, serial)
  await ctx.db.insert(invoices).values({ kind, number, series, serial, orderId, ownerId, snapshot: { ...snapshot }, issuedAt: ctx.now })
  return number
}

/** The seller has been paid, less this. Admins only; a second time changes nothing. NOT_FOUND for a buyer's receipt. */
export async function settleInvoice(ctx: Ctx, id: number): Promise<void> {
  if (!can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  await inTransaction(ctx, async (ctx) => {
    const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, id)).for('update')
    if (!invoice || invoice.kind !== 'commission') throw notFound()
    if (invoice.settledAt) return
    await ctx.db.update(invoices).set({ settledAt: ctx.now, settledById: ctx.viewer!.id }).where(eq(invoices.id, id))
    await audit(ctx, 'invoice_settled', `invoice:${id}`)
  })
}
