import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import { FIRST_ORDER, REFERRAL } from '#src/cart/rules.ts'
import { settlementKinds } from '#src/invoices/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { moneyShape, rowsOf } from '#src/kit/db/rows.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { deliveredIn, isSale, sales } from '#src/selling/earnings/sales.server.ts'

/**
 * The amounts of the closing sheet. total − first − referral = payable; cash + upi + unrecorded + short = payable;
 * total − commission = due; due − held − settled = balance.
 */
export const sheetAmounts = [
  'total',
  'first',
  'referral',
  'payable',
  'cash',
  'upi',
  'unrecorded',
  'short',
  'commission',
  'due',
  'held',
  'settled',
  'balance',
] as const
export type SheetAmount = (typeof sheetAmounts)[number]

export interface SheetSums extends Record<SheetAmount, Money> {
  sales: number
}
const lineRow = z.object({
  sellerId: z.number(),
  /** Empty for an erased person. */
  name: z.string(),
  sales: z.number(),
  ...(Object.fromEntries(sheetAmounts.map((name) => [name, moneyShape])) as Record<SheetAmount, typeof moneyShape>),
})

/** The sales delivered in a month: one line for each seller, and the totals. One statement. */
export async function readMonthSheet(ctx: Ctx, month: string): Promise<{ lines: z.output<typeof lineRow>[]; sums: SheetSums }> {
  requireCan(ctx, 'operate')
  const sum = (what: ReturnType<typeof sql>) => sql`coalesce(${what}, 0)::text`
  const lines = await rowsOf(
    ctx,
    sql`select s.seller_id::float8 as "sellerId", u.name, count(*)::int as sales, ${sum(sql`sum(total)`)} as total,
        ${sum(sql`sum(discount) filter (where discount_type = ${FIRST_ORDER})`)} as first,
        ${sum(sql`sum(discount) filter (where discount_type = ${REFERRAL})`)} as referral,
        ${sum(sql`sum(payable)`)} as payable,
        ${sum(sql`sum(amount_paid) filter (where payment_method = 'cash')`)} as cash,
        ${sum(sql`sum(amount_paid) filter (where payment_method = 'upi')`)} as upi,
        ${sum(sql`sum(payable) filter (where payment_method is null)`)} as unrecorded,
        ${sum(sql`sum(payable - amount_paid) filter (where payment_method is not null)`)} as short,
        ${sum(sql`sum(commission)`)} as commission, ${sum(sql`sum(due)`)} as due, ${sum(sql`sum(held)`)} as held,
        ${sum(sql`sum(settled)`)} as settled, ${sum(sql`sum(balance)`)} as balance
      from ${sales(sql`${isSale} and ${deliveredIn(month)}`)} s join users u on u.id = s.seller_id
      group by s.seller_id, u.name order by lower(u.name), s.seller_id`,
    lineRow,
  )
  const amounts = sheetAmounts.map((name) => [name, lines.reduce((total, each) => total + each[name], 0n)])
  return {
    lines,
    sums: {
      sales: lines.reduce((count, each) => count + each.sales, 0),
      ...(Object.fromEntries(amounts) as Record<SheetAmount, Money>),
    },
  }
}

/** Entries recorded in a month, for sales of any month. */
export interface MonthEntries {
  /** Paid to sellers and received from them, according to the entries that count. */
  paid: Money
  received: Money
  /** `corrections`: entries that correct an earlier one; `takenBack`: entries that reverse one. */
  corrections: number
  takenBack: number
}

const entriesRow = z.object({
  kind: z.enum(settlementKinds),
  counts: z.boolean(),
  corrects: z.boolean(),
  entries: z.number(),
  amount: moneyShape,
})

export async function readMonthEntries(ctx: Ctx, month: string): Promise<MonthEntries> {
  requireCan(ctx, 'operate')
  const start = sql`${`${month}-01T00:00+05:30`}::timestamptz`
  const rows = await rowsOf(
    ctx,
    sql`select e.kind, e.counts, e.corrects, count(*)::int as entries, sum(e.amount)::text as amount from (
        select s.kind, s.amount, not exists (select 1 from settlements n where n.invoice_id = s.invoice_id and n.id > s.id) as counts,
          coalesce((select p.kind <> 'back' from settlements p where p.invoice_id = s.invoice_id and p.id < s.id order by p.id desc limit 1), false) as corrects
        from settlements s where s.at >= ${start} and s.at < ${start} + interval '1 month') e
      group by 1, 2, 3`,
    entriesRow,
  )
  const amount = (kind: 'paid' | 'received') =>
    rows.filter((row) => row.kind === kind && row.counts).reduce((sum, row) => sum + row.amount, 0n)
  const count = (of: typeof rows) => of.reduce((sum, { entries }) => sum + entries, 0)
  return {
    paid: amount('paid'),
    received: amount('received'),
    corrections: count(rows.filter(({ kind, corrects }) => kind !== 'back' && corrects)),
    takenBack: count(rows.filter(({ kind }) => kind === 'back')),
  }
}
