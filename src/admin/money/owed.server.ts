import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { moneyShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { isPayable, isSale, saleColumns, sales, saleShape, type Sale } from '#src/selling/earnings/sales.server.ts'
import type { Sort } from '#src/ui/desk-query.ts'

export const SELLERS_PER_PAGE = 50
export const SALES_PER_PAGE = 30

/** `open`: sellers with an open balance; `late` and `older`: by the age of the oldest sale; `owing`: sellers who owe Sandhai. */
export const owedViews = ['open', 'late', 'older', 'owing'] as const
export type OwedView = (typeof owedViews)[number]
export const owedSorts = ['name', 'sales', 'commission', 'week', 'month', 'older', 'balance', 'oldest'] as const
export type OwedSort = (typeof owedSorts)[number]

/** Sales with a balance other than 0. */
const open = (ctx: Ctx): SQL => sql`open as materialized (
  select s.seller_id, s.commission, s.balance, ${isPayable} as is_payable, ${indianDay(ctx.now)}::date - s.delivered_on as age from ${sales(isSale)} s where s.balance <> 0)`

const owedSums = sql`count(*)::int as sales, coalesce(sum(commission), 0)::text as commission,
  coalesce(sum(balance) filter (where age <= 7), 0)::text as week, coalesce(sum(balance) filter (where age between 8 and 30), 0)::text as month,
  coalesce(sum(balance) filter (where age > 30), 0)::text as older, coalesce(sum(balance), 0)::text as balance,
  coalesce(sum(balance) filter (where is_payable), 0)::text as payable, coalesce(max(age), 0)::int as oldest`
/** Open balances by days since delivery: 0 to 7, 8 to 30, more. `commission` is Sandhai's share of these sales. */
const owedShape = z.object({
  sales: z.number(),
  commission: moneyShape,
  week: moneyShape,
  month: moneyShape,
  older: moneyShape,
  /** Sandhai's debt to the seller; negative when the seller owes Sandhai. */
  balance: moneyShape,
  /** The part of the balance that a payout pays: without sales whose payment nobody recorded. */
  payable: moneyShape,
  /** Days since the oldest delivery. */
  oldest: z.number(),
})

const isIn: Record<OwedView, SQL> = {
  open: sql`true`,
  late: sql`max(age) > 7`,
  older: sql`max(age) > 30`,
  owing: sql`sum(balance) < 0`,
}
const sortKeys: Record<OwedSort, SQL> = {
  name: sql`lower(u.name)`,
  sales: sql`count(*)`,
  commission: sql`sum(commission)`,
  week: sql`sum(balance) filter (where age <= 7)`,
  month: sql`sum(balance) filter (where age between 8 and 30)`,
  older: sql`sum(balance) filter (where age > 30)`,
  balance: sql`sum(balance)`,
  oldest: sql`max(age)`,
}

const sellerShape = owedShape.extend({ sellerId: z.number(), name: z.string() })
export type OwedSeller = z.output<typeof sellerShape>

const totalsShape = owedShape.extend({
  /** Due to sellers (`toPay`) and due from sellers (`toGet`); the balance is toPay − toGet. */
  toPay: moneyShape,
  toGet: moneyShape,
  sellers: z.record(z.enum(owedViews), z.number()),
})
const owedRow = totalsShape.extend({ listed: z.array(sellerShape) })

interface AskedPage {
  view: OwedView
  sort: Sort<OwedSort>
  page: number
}

/** The sums of all open balances, and one page of sellers with open sales. One statement, because computing the balances takes most of the time. */
export async function readOwed(
  ctx: Ctx,
  { view, sort, page }: AskedPage = { view: 'open', sort: { by: 'oldest', isDown: true }, page: 1 },
): Promise<{ totals: z.output<typeof totalsShape>; sellers: OwedSeller[] }> {
  requireCan(ctx, 'operate')
  const direction = sort.isDown ? sql`desc nulls last` : sql`asc nulls last`
  const counts = sql.join(
    owedViews.map((name) => sql`${name}::text, (select count(*) from (select 1 from open group by seller_id having ${isIn[name]}) v)`),
    sql`, `,
  )
  const { listed, ...totals } = await oneRowOf(
    ctx,
    sql`with ${open(ctx)}, listed as (
        select o.seller_id::float8 as "sellerId", u.name, ${owedSums}, row_number() over (order by ${sortKeys[sort.by]} ${direction}, o.seller_id) as place
        from open o join users u on u.id = o.seller_id group by o.seller_id, u.name having ${isIn[view]}
        order by place limit ${SELLERS_PER_PAGE} offset ${(page - 1) * SELLERS_PER_PAGE})
      select ${owedSums}, coalesce(sum(balance) filter (where balance > 0), 0)::text as "toPay",
        coalesce(-sum(balance) filter (where balance < 0), 0)::text as "toGet", json_build_object(${counts}) as sellers,
        (select coalesce(json_agg(l order by l.place), '[]') from listed l) as listed from open`,
    owedRow,
  )
  return { totals, sellers: listed }
}

const listedSale = saleShape.extend({
  /** The number of such sales on all pages. */
  found: z.number(),
})

/**
 * One page of a seller's open sales, oldest first, or of their sales with an entry, newest first. The sale of the order
 * `first` comes before all others.
 */
export async function listSellerSales(
  ctx: Ctx,
  sellerId: number,
  which: 'open' | 'recorded',
  { page = 1, first = null }: { page?: number; first?: number | null } = {},
): Promise<z.output<typeof listedSale>[]> {
  requireCan(ctx, 'operate')
  const [where, order] =
    which === 'open' ? [sql`s.balance <> 0`, sql`s.delivered_on, s.id`] : [sql`s.settlement_id is not null`, sql`s.settlement_id desc`]
  return rowsOf(
    ctx,
    sql`select ${saleColumns}, count(*) over ()::int as found
      from ${sales(sql`${isSale} and o.seller_id = ${sellerId}::bigint`)} s where ${where}
      order by (s.id = ${first}::bigint) desc nulls last, ${order}
      limit ${SALES_PER_PAGE} offset ${(page - 1) * SALES_PER_PAGE}`,
    listedSale,
  )
}

/** The present state of these sales of a seller. */
export async function findSales(ctx: Ctx, sellerId: number, orderIds: number[]): Promise<Map<number, Sale>> {
  requireCan(ctx, 'operate')
  const ids = sql.join(
    orderIds.map((id) => sql`${id}::bigint`),
    sql`, `,
  )
  const rows = await rowsOf(
    ctx,
    sql`select ${saleColumns} from ${sales(sql`${isSale} and o.seller_id = ${sellerId}::bigint and o.id in (${ids})`)} s`,
    saleShape,
  )
  return new Map(rows.map((sale) => [sale.orderId, sale]))
}
