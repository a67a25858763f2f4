import { sql, type SQL } from 'drizzle-orm'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { ON_THE_WAY, PLACED, REFUSED } from './process.server.ts'
import { flagged } from './stalled.ts'

/** The saved views of the desk. `open` holds every order that still needs work. */
export const orderViews = ['open', 'late', 'confirm', 'prepare', 'today', 'way', 'refused', 'all'] as const
export type OrderView = (typeof orderViews)[number]

/** Condition over the table `orders`. The numbers are literals, because the planner must match them with partial indexes. */
export function viewCondition(view: OrderView, now: Date): SQL | undefined {
  const status = (id: number) => sql.raw(`orders.status = ${id}`)
  switch (view) {
    case 'open':
      return sql`(orders.status < 6 or (orders.status = 6 and orders.payment_method is null))`
    case 'late':
      return flagged(now)
    case 'confirm':
      return status(PLACED)
    case 'prepare':
      return sql`orders.status in (2, 3)`
    case 'today':
      return sql`(orders.status in (2, 3, 4) and orders.deliver_on = ${indianDay(now)}::date)`
    case 'way':
      return status(ON_THE_WAY)
    case 'refused':
      return status(REFUSED)
    case 'all':
      return undefined
  }
}
