import { sql, type SQL } from 'drizzle-orm'
import { DAY, daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { ageOf, type CaseAge } from '#src/kit/records/waiting.ts'
import { isTerminal, ON_THE_WAY, PLACED } from './process.server.ts'

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
  return sql`(orders.status < 6 and case
    when orders.deliver_on is not null and orders.status <> ${PLACED}::smallint then orders.deliver_on < ${indianDay(now)}::date
    when orders.status = ${PLACED}::smallint then ${since(PLACED_DAYS)}
    when orders.status = ${ON_THE_WAY}::smallint then ${since(ON_THE_WAY_DAYS)}
    else ${since(OTHER_DAYS)} end)`
}

/** Orders that need attention: stalled, delivered without a recorded payment, or of a deactivated seller. */
export const flagged = (now: Date): SQL =>
  sql`(${stalledCondition(now)} or (orders.status = 6 and orders.payment_method is null)
    or (orders.status < 6 and exists (select 1 from users s where s.id = orders.seller_id and not s.is_active)))`
