import { sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { isSale, sales } from './sales.server.ts'

/** The sales with a balance other than 0, and their age in days: the statement behind the money desk and the office's cases of money. */
export const openSales = (ctx: Ctx): SQL => sql`(
  select s.seller_id, s.commission, s.balance, s.delivered_on, ${indianDay(ctx.now)}::date - s.delivered_on as age
  from ${sales(isSale)} s where s.balance <> 0)`

/** Each seller with open sales once, with their number and balance; below 0 the seller owes Sandhai. Waits since the oldest delivery. */
export const moneyWaiting: WaitingCases = (ctx) => sql`
  select ${caseColumns({
    since: sql`min(o.delivered_on)::timestamp at time zone 'Asia/Kolkata'`,
    path: sql`'/admin/money/' || o.seller_id`,
    person: sql`(select u.name from users u where u.id = o.seller_id)`,
    amount: sql`sum(o.balance)`,
    sales: sql`count(*)`,
  })}
  from ${openSales(ctx)} o group by o.seller_id`
