import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { can, phoneFor, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { moneyShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { DELIVERED } from '#src/orders/process.server.ts'
import { deliveredIn, isSale, saleColumns, sales, saleShape, saleSums, saleSumsShape, type Sale } from './sales.server.ts'

const SALES_PER_PAGE = 50

/** A month in an address: `2026-11`. */
export const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

interface EarningsQuery {
  sellerId: number
  /** Null: all months. */
  month: string | null
  afterId?: number | null
  top?: number
}

/** A seller's sales, the newest first; for the seller and admins. NOT_FOUND for others. */
export async function listSales(ctx: Ctx, query: EarningsQuery): Promise<{ sales: Sale[]; nextAfterId: number | null }> {
  requireReader(ctx, query.sellerId)
  const { sellerId, month, afterId = null, top = SALES_PER_PAGE } = query
  const where = sql.join(
    [
      isSale,
      sql`o.seller_id = ${sellerId}::bigint`,
      ...(month === null ? [] : [deliveredIn(month)]),
      ...(afterId === null ? [] : [sql`o.id < ${afterId}::bigint`]),
    ],
    sql` and `,
  )
  const rows = await rowsOf(ctx, sql`select ${saleColumns} from ${sales(where)} s order by s.id desc limit ${top + 1}`, saleShape)
  const found = rows.slice(0, top)
  return { sales: found, nextAfterId: rows.length > top ? found.at(-1)!.orderId : null }
}

const monthRow = saleSumsShape.extend({ month: z.string() })
export type MonthSums = z.output<typeof monthRow>

/** The sums of each month with sales, the newest first. */
export async function listMonths(ctx: Ctx, sellerId: number): Promise<MonthSums[]> {
  requireReader(ctx, sellerId)
  return rowsOf(
    ctx,
    sql`select to_char(s.delivered_on, 'YYYY-MM') as month, ${saleSums} from ${sales(sql`${isSale} and o.seller_id = ${sellerId}::bigint`)} s
      group by 1 order by 1 desc`,
    monthRow,
  )
}

const underWayRow = z.object({ orders: z.number(), due: moneyShape })

/** The amount due for orders that are not delivered yet. */
export async function readUnderWay(ctx: Ctx, sellerId: number): Promise<{ orders: number; due: Money }> {
  requireReader(ctx, sellerId)
  return oneRowOf(
    ctx,
    sql`select count(*)::int as orders, coalesce(sum(due), 0)::text as due
      from ${sales(sql`o.seller_id = ${sellerId}::bigint and o.status < ${DELIVERED}`)} s`,
    underWayRow,
  )
}

/** All sales of the month, or of all months, in batches. */
export async function* allSales(ctx: Ctx, query: Omit<EarningsQuery, 'afterId' | 'top'>): AsyncGenerator<Sale[]> {
  let afterId: number | null = null
  do {
    const page: Awaited<ReturnType<typeof listSales>> = await listSales(ctx, { ...query, afterId, top: 500 })
    yield page.sales
    afterId = page.nextAfterId
  } while (afterId !== null)
}

function requireReader(ctx: Ctx, sellerId: number): void {
  if (!can(requireLoggedIn(ctx), 'see-own', { userId: sellerId })) throw notFound()
}

/** Checks that the viewer may read this seller's earnings; audits an admin's read. */
export async function noteReader(ctx: Ctx, sellerId: number): Promise<void> {
  requireReader(ctx, sellerId)
  if (sellerId !== requireLoggedIn(ctx).id) await audit(ctx, 'sensitive_read', `user:${sellerId}`, { what: 'earnings' })
}

/** NOT_FOUND for an unknown person. The name of an erased one is empty. */
export async function readSeller(ctx: Ctx, sellerId: number): Promise<{ name: string; phone: string }> {
  requireReader(ctx, sellerId)
  const [seller] = await ctx.db.select({ name: users.name, phone: users.phone }).from(users).where(eq(users.id, sellerId))
  if (!seller) throw notFound()
  return { ...seller, phone: phoneFor(ctx.viewer, seller.phone, sellerId) }
}
