import { eq, sql } from 'drizzle-orm'
import { findReceiver, SMS_NAME, smsTo } from '#src/accounts/receivers.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { lastSettlement } from './queries.server.ts'
import { invoiceNumber, moneyIn, seriesOf, type InvoiceKind, type Settlement } from './rules.ts'
import { methodName } from './settlement-text.ts'
import { invoices, invoiceSeries, settlements, type Snapshot } from './tables.ts'

/**
 * Gives a document its number and stores it for ever, in the transaction that delivers the order: the counter's row is locked until that
 * transaction ends, so a number is taken with its document or not at all, and none is missing. Call it last: other deliveries wait behind
 * it. Answers the number. A second document of the same kind for an order breaks a unique index: a bug.
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

/**
 * Record what the seller was paid for a sale, less the commission (decisions.md §7.11), and notify them. A wrong entry is corrected by a
 * further one. `seen` is the id of the last entry that the admin was shown, 0 without one: VERSION when another has been made since. Admins
 * only. NOT_FOUND for a buyer's receipt, VALIDATION for more than the items cost and for a day before the invoice or after today.
 */
export async function settleInvoice(ctx: Ctx, id: number, { seen, ...entry }: Omit<Settlement, 'id'> & { seen: number }): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, id)).for('update')
    if (!invoice || invoice.kind !== 'commission') throw notFound()
    const last = await lastSettlement(ctx, id)
    if (last && isSame(last, entry)) return
    if ((last?.id ?? 0) !== seen) throw new Problem('VERSION')
    const snapshot = invoice.snapshot
    ensureEntry(ctx, entry, snapshot, indianDay(invoice.issuedAt))
    await ctx.db.insert(settlements).values({ ...entry, invoiceId: id, byId: ctx.viewer!.id, at: ctx.now })
    if (!invoice.settledAt)
      await ctx.db.update(invoices).set({ settledAt: ctx.now, settledById: ctx.viewer!.id }).where(eq(invoices.id, id))
    await audit(ctx, last ? 'settlement_corrected' : 'invoice_settled', `invoice:${id}`)
    await notifySeller(ctx, invoice.ownerId, snapshot.orderNo, entry, last !== null)
  })
}

function ensureEntry(ctx: Ctx, { amount, paidOn }: Omit<Settlement, 'id'>, { total }: Snapshot, issuedOn: string): void {
  const fields = [
    ...(amount > moneyIn(total) ? [{ field: 'amount', message: 'field_settle_more' }] : []),
    ...(paidOn < issuedOn || paidOn > indianDay(ctx.now) ? [{ field: 'day', message: 'field_settle_day' }] : []),
  ]
  if (fields.length > 0) throw new Problem('VALIDATION', { fields })
}

const isSame = (last: Settlement, entry: Omit<Settlement, 'id'>): boolean =>
  last.amount === entry.amount && last.method === entry.method && last.reference === entry.reference && last.paidOn === entry.paidOn

async function notifySeller(
  ctx: Ctx,
  sellerId: number,
  number: string,
  entry: Omit<Settlement, 'id'>,
  isCorrection: boolean,
): Promise<void> {
  const seller = await findReceiver(ctx, sellerId)
  if (!seller) return
  const { locale } = seller
  const variables = {
    number,
    amount: formatRupees(entry.amount),
    method: methodName(entry.method, locale),
    day: formatDay(new Date(entry.paidOn), locale),
    reference: shorten(entry.reference, SMS_NAME),
    link: ctx.publicOrigin + localized('/seller-product/?tab=1', locale),
  }
  const text = isCorrection ? m.sms_settlement_corrected : m.sms_settlement
  await queueMessage(ctx, smsTo(seller, isCorrection ? 'settlement-corrected' : 'settlement', variables, text(variables, { locale })))
}
