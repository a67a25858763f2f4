import { sql, type SQL } from 'drizzle-orm'
import { DAY, daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { ageOf, type CaseAge } from '#src/kit/records/waiting.ts'
import { CHECKED, CONFIRMED, DELIVERED, isTerminal, ON_THE_WAY, PLACED, READY, REFUSED } from './process.server.ts'

/** Conditions over the table `orders`. Their numbers are literals, for the planner to match partial indexes. */
export const isOpen = sql.raw(`orders.status < ${DELIVERED}`)
export const isUnpaid = sql.raw(`(orders.status = ${DELIVERED} and orders.payment_method is null)`)

/** Time for a seller to confirm an order. */
const PLACED_DAYS = 1
/** Time for an order that is on the way. */
const ON_THE_WAY_DAYS = 1
/** Time for each step of inspecting, fetching and planning. */
const OTHER_DAYS = 3
const daysFor = (status: number) => (status === PLACED ? PLACED_DAYS : status === ON_THE_WAY ? ON_THE_WAY_DAYS : OTHER_DAYS)

/**
 * Is the order stalled: past its delivery day, or, without one, longer in its status than the step takes? The buyer then sees whom to call,
 * and admins find it among the orders that need attention.
 */
export function isStalled(order: { status: number; changedAt: Date; deliverOn: string | null }, now: Date): boolean {
  const { status, changedAt, deliverOn } = order
  if (isTerminal(status)) return false
  if (deliverOn !== null && status !== PLACED) return deliverOn < indianDay(now)
  return now.getTime() - changedAt.getTime() > daysFor(status) * DAY
}

/** The time that an open order has spent in its status; late when it is stalled. */
export const ageInStatus = (order: Parameters<typeof isStalled>[0], now: Date): CaseAge => ({
  ...ageOf(order.changedAt, now, 24 * daysFor(order.status)),
  isLate: isStalled(order, now),
})

/** `isStalled` as a condition over the table `orders`. */
export function stalledCondition(now: Date): SQL {
  const since = (days: number) => sql`orders.changed_at < ${daysBefore(now, days).toISOString()}::timestamptz`
  return sql`(${isOpen} and case
    when orders.deliver_on is not null and orders.status <> ${PLACED}::smallint then orders.deliver_on < ${indianDay(now)}::date
    when orders.status = ${PLACED}::smallint then ${since(PLACED_DAYS)}
    when orders.status = ${ON_THE_WAY}::smallint then ${since(ON_THE_WAY_DAYS)}
    else ${since(OTHER_DAYS)} end)`
}

/** Orders that need attention: stalled, delivered without a recorded payment, or of a deactivated seller. */
export const flagged = (now: Date): SQL =>
  sql`(${stalledCondition(now)} or ${isUnpaid}
    or (${isOpen} and exists (select 1 from users s where s.id = orders.seller_id and not s.is_active)))`

/** The saved views of the desk. `open` holds every order that still needs work. */
export const orderViews = ['open', 'late', 'confirm', 'prepare', 'today', 'way', 'refused', 'all'] as const
export type OrderView = (typeof orderViews)[number]

export function viewCondition(view: OrderView, now: Date): SQL | undefined {
  const status = (...ids: number[]) => sql.raw(`orders.status in (${ids.join(', ')})`)
  switch (view) {
    case 'open':
      return sql`(${isOpen} or ${isUnpaid})`
    case 'late':
      return flagged(now)
    case 'confirm':
      return status(PLACED)
    case 'prepare':
      return status(CONFIRMED, CHECKED)
    case 'today':
      return sql`(${status(CONFIRMED, CHECKED, READY)} and orders.deliver_on = ${indianDay(now)}::date)`
    case 'way':
      return status(ON_THE_WAY)
    case 'refused':
      return status(REFUSED)
    case 'all':
      return undefined
  }
}
