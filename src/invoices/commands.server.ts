import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { notify, SMS_NAME } from '#src/accounts/notifications/receivers.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { invoiceNumber, moneyIn, payoutNumber, seriesOf, type InvoiceKind, type Settlement } from './rules.ts'
import { entryText, methodName } from './settlement-text.ts'
import { invoices, invoiceSeries, settlements, type Snapshot } from './tables.ts'

/**
 * Numbers and stores a document in the transaction that delivers the order. The counter's row stays locked until that transaction ends, so
 * a number is used with its document or not at all, and the series has no gaps. Call it last, because other deliveries wait for the lock.
 * Returns the number. A second document of the same kind for an order violates a unique index, which is a bug.
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

/** An admin's entry; the default kind is a payment to the seller. */
type Entry = Omit<Settlement, 'id' | 'kind' | 'note'> & { kind?: 'paid' | 'received'; note?: string }

/**
 * Records what the seller was paid for a sale, less the commission (decisions.md §7.11), or what a seller who took the price themselves
 * paid; the seller gets an SMS. A wrong entry is corrected by another entry. `seen` is the id of the last entry that the admin saw, 0
 * without one: VERSION when there is a newer one (decision 0112); the same entry of the same admin sent twice is recorded once. For admins. NOT_FOUND for a buyer's receipt, VALIDATION for more than the items cost and
 * for a day before the invoice or after today.
 */
export async function settleInvoice(ctx: Ctx, id: number, { seen, kind = 'paid', note = '', ...given }: Entry & { seen: number }) {
  const { id: byId } = requireCan(ctx, 'operate')
  const entry = { ...given, kind, note }
  await inTransaction(ctx, async (ctx) => {
    const { invoice, last } = await lockInvoice(ctx, id)
    if (last && isSame(last, entry) && (last.byId === byId || last.id === seen)) return
    if (!isSeen(last, seen)) throw await settledMeanwhile(ctx, invoice, last)
    ensureEntry(ctx, entry, invoice.snapshot, indianDay(invoice.issuedAt))
    await ctx.db.insert(settlements).values({ ...entry, invoiceId: id, byId, at: ctx.now })
    if (!invoice.settledAt) await ctx.db.update(invoices).set({ settledAt: ctx.now, settledById: byId }).where(eq(invoices.id, id))
    const isCorrection = last !== null && last.kind !== 'back'
    await audit(ctx, isCorrection ? 'settlement_corrected' : 'invoice_settled', `invoice:${id}`)
    await notifySeller(
      ctx,
      invoice,
      entry,
      kind === 'received' ? 'settlement-received' : isCorrection ? 'settlement-corrected' : 'settlement',
    )
  })
}

/**
 * Revokes the last entry by another entry that says why; the seller gets an SMS, and the sale waits for settlement again. For admins.
 * NOT_FOUND without an entry, VERSION when the last entry is not the one `seen`.
 */
export async function takeSettlementBack(ctx: Ctx, id: number, { seen, note }: { seen: number; note: string }): Promise<void> {
  const { id: byId } = requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { invoice, last } = await lockInvoice(ctx, id)
    if (!last) throw notFound()
    if (last.kind === 'back' && last.note === note && last.byId === byId) return
    if (last.kind === 'back' || last.id !== seen) throw await settledMeanwhile(ctx, invoice, last)
    const { id: _last, ...entry } = last
    await ctx.db.insert(settlements).values({ ...entry, kind: 'back', amount: 0n, note, invoiceId: id, byId, at: ctx.now })
    await audit(ctx, 'settlement_taken_back', `invoice:${id}`)
    await notifySeller(ctx, invoice, entry, 'settlement-taken-back')
  })
}

/** VERSION while the bank pays this sale by a payout: a second payment of it would be one too many. Reads a table of a later domain. */
async function ensureNotInPayout(ctx: Ctx, { ownerId, orderId }: typeof invoices.$inferSelect): Promise<void> {
  const [line] = await rowsOf(
    ctx,
    sql`select p.id::float8 as id, p.by_id::float8 as "byId", p.at from payout_lines l join payouts p on p.id = l.payout_id
      where l.seller_id = ${ownerId} and l.state = 'open' and l.sales @> ${JSON.stringify([{ orderId }])}::jsonb`,
    z.object({ id: z.number(), byId: z.number(), at: z.coerce.date() }),
  )
  if (line) throw await decidedBy(ctx, { ...line, what: (locale) => m.payout_in({ number: payoutNumber(line.id) }, { locale }) })
}

async function lockInvoice(ctx: Ctx, id: number) {
  const [invoice] = await ctx.db.select().from(invoices).where(eq(invoices.id, id)).for('update')
  if (!invoice || invoice.kind !== 'commission') throw notFound()
  await ensureNotInPayout(ctx, invoice)
  const [last] = await ctx.db.select().from(settlements).where(eq(settlements.invoiceId, id)).orderBy(desc(settlements.id)).limit(1)
  return { invoice, last: last ?? null }
}

/** After a revocation nothing is recorded, so 0 is accepted, too. */
const isSeen = (last: Settlement | null, seen: number): boolean =>
  last === null ? seen === 0 : seen === last.id || (seen === 0 && last.kind === 'back')

const settledMeanwhile = async (ctx: Ctx, { snapshot }: { snapshot: Snapshot }, last: typeof settlements.$inferSelect | null) =>
  last ? decidedBy(ctx, { ...last, what: (locale) => `${snapshot.orderNo}: ${entryText(last, locale)}` }) : new Problem('VERSION')

function ensureEntry(ctx: Ctx, { amount, paidOn }: Omit<Settlement, 'id'>, { total }: Snapshot, issuedOn: string): void {
  const fields = [
    ...(amount > moneyIn(total) ? [{ field: 'amount', message: 'field_settle_more' }] : []),
    ...(paidOn < issuedOn || paidOn > indianDay(ctx.now) ? [{ field: 'day', message: 'field_settle_day' }] : []),
  ]
  if (fields.length > 0) throw new Problem('VALIDATION', { fields })
}

const isSame = (last: Settlement, entry: Omit<Settlement, 'id'>): boolean =>
  (['kind', 'amount', 'method', 'reference', 'paidOn', 'note'] as const).every((name) => last[name] === entry[name])

const texts = {
  settlement: m.sms_settlement,
  'settlement-corrected': m.sms_settlement_corrected,
  'settlement-received': m.sms_settlement_received,
  'settlement-taken-back': m.sms_settlement_taken_back,
}

const notifySeller = (
  ctx: Ctx,
  { ownerId, snapshot }: { ownerId: number; snapshot: Snapshot },
  entry: Omit<Settlement, 'id'>,
  template: keyof typeof texts,
): Promise<void> =>
  notify(ctx, ownerId, template, texts[template], (locale) => ({
    number: snapshot.orderNo,
    amount: formatRupees(entry.amount),
    method: methodName(entry.method, locale),
    day: formatDay(new Date(entry.paidOn), locale),
    reference: shorten(entry.reference, SMS_NAME),
    link: ctx.publicOrigin + localized('/earnings', locale),
  }))
