import { sql, type SQL } from 'drizzle-orm'
import { DAY, daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { isTerminal, ON_THE_WAY, PLACED } from './rules.ts'

/** A seller who has not said yes or no after this time has forgotten the order. */
const PLACED_DAYS = 1
/** No delivery takes longer. */
const ON_THE_WAY_DAYS = 1
/** For the steps of inspecting, fetching and planning. */
const OTHER_DAYS = 3
const daysFor = (status: number) => (status === PLACED ? PLACED_DAYS : status === ON_THE_WAY ? ON_THE_WAY_DAYS : OTHER_DAYS)

/**
 * Is the order stalled? Its day is over, or, where none is set, nothing has happened to it for longer than the step takes. The buyer is
 * then shown whom to call, and admins find the order among those that need attention.
 */
export function isStalled(order: { status: number; changedAt: Date; deliverOn: string | null }, now: Date): boolean {
  const { status, changedAt, deliverOn } = order
  if (isTerminal(status)) return false
  if (deliverOn !== null && status !== PLACED) return deliverOn < indianDay(now)
  return now.getTime() - changedAt.getTime() > daysFor(status) * DAY
}

/** The same for an order `orders` in a statement. */
export function stalledCondition(now: Date): SQL {
  const since = (days: number) => sql`orders.changed_at < ${daysBefore(now, days).toISOString()}::timestamptz`
  return sql`(orders.status < 6 and case
    when orders.deliver_on is not null and orders.status <> ${PLACED}::smallint then orders.deliver_on < ${indianDay(now)}::date
    when orders.status = ${PLACED}::smallint then ${since(PLACED_DAYS)}
    when orders.status = ${ON_THE_WAY}::smallint then ${since(ON_THE_WAY_DAYS)}
    else ${since(OTHER_DAYS)} end)`
}

/** Orders that need attention: stalled, delivered without a recorded payment, or of a seller who was deactivated meanwhile. */
export const flagged = (now: Date): SQL =>
  sql`(${stalledCondition(now)} or (orders.status = 6 and orders.payment_method is null)
    or (orders.status < 6 and exists (select 1 from users s where s.id = orders.seller_id and not s.is_active)))`
