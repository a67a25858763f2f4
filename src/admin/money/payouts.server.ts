import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { settleInvoice } from '#src/invoices/commands.server.ts'
import { invalidField, notFound, Problem } from '#src/kit/base/problem.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { deskMatch, isRecent } from '#src/kit/db/desk-match.server.ts'
import { moneyShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { openPayee, type Payee } from '#src/selling/earnings/payees.server.ts'
import { payoutLines, payouts } from '#src/selling/tables.ts'
import { payoutNumber } from '#src/invoices/rules.ts'
import { lockPayouts } from './make-payout.server.ts'
import { absolute } from './settle.server.ts'

export const PAYOUTS_PER_PAGE = 50

const payoutRow = z.object({
  id: z.number(),
  at: z.coerce.date(),
  byName: z.string(),
  lines: z.number(),
  open: z.number(),
  failed: z.number(),
  amount: moneyShape,
  count: z.number(),
})

interface PayoutPage {
  /** The number of all payouts that the search finds. */
  count: number
  listed: z.output<typeof payoutRow>[]
}

const matching = (typed: string) =>
  deskMatch(typed, {
    prefix: 'po',
    number: (id) => sql`p.id = ${id}::bigint`,
    phone: (phone) => sql`p.id in (select x.payout_id from payout_lines x join users s on s.id = x.seller_id where s.phone = ${phone})`,
    words: [
      sql`u.name`,
      sql`(select string_agg(s.name, ' ') from payout_lines x join users s on s.id = x.seller_id where x.payout_id = p.id)`,
    ],
    among: isRecent(sql`p.id`, sql`payouts`),
  })

/** One page of the payouts with the number and sum of their lines: those with open lines first, then the newest. */
export async function listPayouts(ctx: Ctx, page: number, text = ''): Promise<PayoutPage> {
  requireCan(ctx, 'operate')
  const listed = await rowsOf(
    ctx,
    sql`select p.id::float8 as id, p.at, u.name as "byName", count(*)::int as lines, count(*) filter (where l.state = 'open')::int as open,
        count(*) filter (where l.state = 'failed')::int as failed, sum(l.amount)::text as amount,
        count(*) over ()::int as count
      from payouts p join users u on u.id = p.by_id join payout_lines l on l.payout_id = p.id where ${matching(text)}
      group by p.id, u.name order by bool_or(l.state = 'open') desc, p.id desc
      limit ${PAYOUTS_PER_PAGE} offset ${(page - 1) * PAYOUTS_PER_PAGE}`,
    payoutRow,
  )
  return { count: listed[0]?.count ?? 0, listed }
}

type LineRow = typeof payoutLines.$inferSelect
export interface PayoutLine extends Pick<
  LineRow,
  'id' | 'payoutId' | 'sellerId' | 'account' | 'sales' | 'state' | 'reference' | 'decidedAt'
> {
  /** Empty for an erased person. */
  name: string
  amount: Money
  /** Null once the line is decided. */
  payee: Payee | null
}

/** PO-7-12: the remark that the bank's file gives a payment, and its answer repeats. */
export const lineKey = ({ payoutId, id }: Pick<LineRow, 'payoutId' | 'id'>): string => `${payoutNumber(payoutId)}-${id}`

/**
 * A payout with its lines, by seller. NOT_FOUND for an unknown one. The caller audits the read, because the lines
 * contain accounts.
 */
export async function readPayout(ctx: Ctx, id: number): Promise<{ id: number; at: Date; byName: string; lines: PayoutLine[] }> {
  requireCan(ctx, 'operate')
  const [payout] = await ctx.db
    .select({ id: payouts.id, at: payouts.at, byName: users.name })
    .from(payouts)
    .innerJoin(users, eq(users.id, payouts.byId))
    .where(eq(payouts.id, id))
  if (!payout) throw notFound()
  const rows = await ctx.db
    .select({ line: payoutLines, name: users.name })
    .from(payoutLines)
    .innerJoin(users, eq(users.id, payoutLines.sellerId))
    .where(eq(payoutLines.payoutId, id))
    .orderBy(asc(payoutLines.id))
  const lines = rows.map(({ line: { payeeSealed, ...line }, name }) => ({
    ...line,
    name,
    payee: payeeSealed && openPayee(ctx, payeeSealed),
  }))
  return { ...payout, lines }
}

/** The open payout of each of these sellers who has one. */
export async function findOpenPayouts(ctx: Ctx, sellerIds: number[]): Promise<Map<number, { payoutId: number; amount: Money }>> {
  requireCan(ctx, 'operate')
  if (sellerIds.length === 0) return new Map()
  const rows = await ctx.db
    .select({ sellerId: payoutLines.sellerId, payoutId: payoutLines.payoutId, amount: payoutLines.amount })
    .from(payoutLines)
    .where(and(inArray(payoutLines.sellerId, sellerIds), eq(payoutLines.state, 'open')))
  return new Map(rows.map(({ sellerId, ...line }) => [sellerId, line]))
}

export interface PaidLines {
  recorded: number
  refused: { sellerId: number; text: string }[]
}

/**
 * Records that these lines were paid on an Indian day, each in its own transaction with the entries of its sales, so
 * that one refusal does not affect the others. The same line and reference again change nothing. Raises NOT_FOUND,
 * VALIDATION for a day before the payout or after today, and ROLE_FORBIDDEN.
 */
export async function recordPayout(
  ctx: Ctx,
  payoutId: number,
  { paidOn, lines }: { paidOn: string; lines: { id: number; reference: string }[] },
): Promise<PaidLines> {
  requireCan(ctx, 'operate')
  const [payout] = await ctx.db.select().from(payouts).where(eq(payouts.id, payoutId))
  if (!payout) throw notFound()
  if (paidOn < indianDay(payout.at) || paidOn > indianDay(ctx.now)) throw invalidField('day', 'field_settle_day')
  if (lines.length === 0) throw invalidField('lines', 'field_payout_references')
  const done: PaidLines = { recorded: 0, refused: [] }
  for (const { id, reference } of lines) {
    try {
      await inTransaction(ctx, (ctx) => recordLine(ctx, { payoutId, id, paidOn, reference }))
      done.recorded++
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'VERSION') throw error
      const [line] = await ctx.db.select().from(payoutLines).where(eq(payoutLines.id, id))
      if (line) done.refused.push({ sellerId: line.sellerId, text: problemDetail(error, ctx.locale) })
    }
  }
  return done
}

async function recordLine(
  ctx: Ctx,
  { payoutId, id, paidOn, reference }: { payoutId: number; id: number; paidOn: string; reference: string },
) {
  const line = await lockLine(ctx, payoutId, id)
  if (line.state === 'paid' && line.reference === reference) return
  if (!line.payeeSealed) throw await lineDecided(ctx, line)
  const { method } = openPayee(ctx, line.payeeSealed)
  // Decided before the entries, because an open line refuses them.
  await decide(ctx, line, { state: 'paid', reference })
  for (const { invoiceId, amount, seen } of line.sales) {
    const paid = BigInt(amount)
    const kind = paid < 0n ? 'received' : 'paid'
    await settleInvoice(ctx, invoiceId, { amount: absolute(paid), kind, method, reference, paidOn, seen })
  }
}

/**
 * Records that the bank did not pay these lines, all or none, and why; their sales can then be settled in another way.
 * NOT_FOUND; VERSION when one was decided otherwise.
 */
export async function failLines(ctx: Ctx, payoutId: number, { ids, reason }: { ids: number[]; reason: string }): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    for (const id of ids) {
      const line = await lockLine(ctx, payoutId, id)
      if (line.state === 'failed') continue
      if (!line.payeeSealed) throw await lineDecided(ctx, line)
      await decide(ctx, line, { state: 'failed', reference: reason })
    }
  })
}

async function lockLine(ctx: Ctx, payoutId: number, id: number): Promise<LineRow> {
  await lockPayouts(ctx)
  const [line] = await ctx.db
    .select()
    .from(payoutLines)
    .where(and(eq(payoutLines.id, id), eq(payoutLines.payoutId, payoutId)))
  if (!line) throw notFound()
  return line
}

async function decide(ctx: Ctx, { id, payoutId }: LineRow, outcome: { state: 'paid' | 'failed'; reference: string }): Promise<void> {
  const decided = { ...outcome, payeeSealed: null, decidedById: requireCan(ctx, 'operate').id, decidedAt: ctx.now }
  await ctx.db.update(payoutLines).set(decided).where(eq(payoutLines.id, id))
  await audit(ctx, 'payout_decided', `payout:${payoutId}`, { line: id, state: outcome.state })
}

const lineDecided = (ctx: Ctx, { payoutId, state, reference, decidedById, decidedAt }: LineRow) =>
  decidedBy(ctx, {
    what: (locale) =>
      `${payoutNumber(payoutId)}: ${state === 'paid' ? m.payout_line_paid({ reference }, { locale }) : m.payout_line_failed({}, { locale })}`,
    byId: decidedById,
    at: decidedAt ?? ctx.now,
  })

/**
 * Stores the references of open lines, for an admin to look at before they record the payments. Returns the number of
 * lines that were stored.
 */
export async function storeReferences(ctx: Ctx, payoutId: number, references: Map<number, string>): Promise<number> {
  requireCan(ctx, 'operate')
  let stored = 0
  for (const [id, reference] of references) {
    const isOpen = and(eq(payoutLines.id, id), eq(payoutLines.payoutId, payoutId), eq(payoutLines.state, 'open'))
    stored += (await ctx.db.update(payoutLines).set({ reference }).where(isOpen).returning({ id: payoutLines.id })).length
  }
  return stored
}
