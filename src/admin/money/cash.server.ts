import { and, desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { moneyShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees, type Money } from '#src/kit/time-money/money.ts'
import { DELIVERED, ON_THE_WAY } from '#src/orders/process.server.ts'
import { paymentMethods } from '#src/orders/rules.ts'
import { m } from '#src/paraglide/messages.js'
import { sales } from '#src/selling/earnings/sales.server.ts'
import { cashHandins } from '../tables.ts'

/** One delivery of a day: the amount due and the amount recorded. */
const cashRow = z.object({
  taker: z.string(),
  name: z.string().nullable(),
  orderId: z.number(),
  orderNo: z.string(),
  payable: moneyShape,
  /** Null while no payment is recorded. */
  method: z.enum(paymentMethods).nullable(),
  amount: moneyShape,
  held: moneyShape,
  isDelivered: z.boolean(),
})
type CashOrder = z.output<typeof cashRow>

export interface CashTaker {
  /** `listed:5`: an entry in the list of bearers; `person:7`: a bearer with an account; or `office`. */
  taker: string
  /** Null for the office. */
  name: string | null
  orders: CashOrder[]
  expected: Money
  cash: Money
  upi: Money
  /** The amount due for delivered orders without a recorded payment. */
  unrecorded: Money
  /** The recorded amount less the amount due. */
  difference: Money
  /** The amount due for orders that are still on their way that day. */
  out: Money
  /** Cash that the bearer owes the office; none when the bearer is the seller, who settles it with the commission. */
  toHandIn: Money
  handin: { id: number; amount: Money; note: string } | null
}

const takerKey = sql`case when s.listed_bearer_id is not null then 'listed:' || s.listed_bearer_id
  when s.bearer_id is not null then 'person:' || s.bearer_id else 'office' end`

/** The deliveries of an Indian day, grouped by who took the money. Two statements. */
export async function readCashDay(ctx: Ctx, day: string): Promise<CashTaker[]> {
  requireCan(ctx, 'operate')
  const isOfDay = sql`(o.status = ${DELIVERED} and o.delivered_on = ${day}::date or o.status = ${ON_THE_WAY} and o.deliver_on = ${day}::date)`
  const rows = await rowsOf(
    ctx,
    sql`select ${takerKey} as taker,
        coalesce((select b.name from bearers b where b.id = s.listed_bearer_id), (select u.name from users u where u.id = s.bearer_id)) as name,
        s.id::float8 as "orderId", s.order_no as "orderNo", s.status = ${DELIVERED} as "isDelivered", s.payable::text as payable,
        s.payment_method as method, coalesce(s.amount_paid, 0)::text as amount, coalesce(s.held, 0)::text as held
      from ${sales(isOfDay)} s order by s.id`,
    cashRow,
  )
  const handins = await lastHandins(ctx, day)
  return [...Map.groupBy(rows, ({ taker }) => taker)]
    .map(([taker, own]) => takerOf(taker, own, handins.get(taker) ?? null))
    .toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))
}

function takerOf(taker: string, orders: CashOrder[], handin: CashTaker['handin']): CashTaker {
  const delivered = orders.filter(({ isDelivered }) => isDelivered)
  const sum = (of: CashOrder[], key: 'payable' | 'amount' | 'held') => of.reduce((total, each) => total + each[key], 0n)
  const by = (method: CashOrder['method']) => delivered.filter((each) => each.method === method)
  const [cash, upi, unrecorded, expected] = [
    sum(by('cash'), 'amount'),
    sum(by('upi'), 'amount'),
    sum(by(null), 'payable'),
    sum(delivered, 'payable'),
  ]
  return {
    taker,
    name: orders[0]!.name,
    orders,
    expected,
    cash,
    upi,
    unrecorded,
    difference: cash + upi + unrecorded - expected,
    out: sum(orders, 'payable') - expected,
    toHandIn: cash - sum(orders, 'held'),
    handin,
  }
}

async function lastHandins(ctx: Ctx, day: string): Promise<Map<string, NonNullable<CashTaker['handin']>>> {
  const rows = await ctx.db
    .selectDistinctOn([cashHandins.taker])
    .from(cashHandins)
    .where(eq(cashHandins.day, day))
    .orderBy(cashHandins.taker, desc(cashHandins.id))
  return new Map(rows.map(({ taker, id, amount, note }) => [taker, { id, amount, note }]))
}

const handedIn =
  ({ amount }: { amount: Money }) =>
  (locale: Locale) =>
    m.money_handed_in({ amount: formatRupees(amount) }, { locale })

/**
 * Records the cash that a bearer hands in for a day. The same amount and note again change nothing; a new entry corrects a wrong one.
 * `seen` is the last entry that the admin was shown, 0 without one. Raises NOT_FOUND for somebody without a delivery that day, VERSION when
 * `seen` is outdated, and VALIDATION when the amount differs from the recorded cash and the note is empty.
 */
export async function noteHandin(
  ctx: Ctx,
  { day, taker, amount, note, seen }: { day: string; taker: string; amount: Money; note: string; seen: number },
): Promise<void> {
  requireCan(ctx, 'operate')
  const found = (await readCashDay(ctx, day)).find((each) => each.taker === taker)
  if (!found) throw notFound()
  if (amount !== found.toHandIn && note === '') throw invalidField('note', 'field_settle_note')
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`cash:${day}:${taker}`}))`)
    const [last] = await ctx.db
      .select()
      .from(cashHandins)
      .where(and(eq(cashHandins.day, day), eq(cashHandins.taker, taker)))
      .orderBy(desc(cashHandins.id))
      .limit(1)
    if (last && last.amount === amount && last.note === note) return
    if ((last?.id ?? 0) !== seen) throw last ? await decidedBy(ctx, { ...last, what: handedIn(last) }) : new Problem('VERSION')
    await ctx.db.insert(cashHandins).values({ day, taker, amount, note, byId: ctx.viewer!.id, at: ctx.now })
    await audit(ctx, 'cash_handed_in', `cash:${day}`, { taker, amount: String(amount) })
  })
}
