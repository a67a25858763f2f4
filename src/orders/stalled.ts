import { sql, type SQL } from 'drizzle-orm'
import { DAY, daysBefore, indianDay } from '#src/kit/dates.ts'
import { isTerminal, ON_THE_WAY, PLACED } from './rules.ts'

/** A seller who has not said yes or no by then has forgotten it. */
const PLACED_DAYS = 1
/** Nothing is on the road for longer. */
const ON_THE_WAY_DAYS = 1
/** For whoever looks at, fetches or plans it. */
const OTHER_DAYS = 3
const daysFor = (status: number) => (status === PLACED ? PLACED_DAYS : status === ON_THE_WAY ? ON_THE_WAY_DAYS : OTHER_DAYS)

/**
 * Does an order stand still? Its day is over, or, where none is set, nothing has been done with it for longer than that takes. The
 * buyer is told whom to call then, and admins find it among those to be looked after.
 */
export function isStandingStill(order: { status: number; changedAt: Date; deliverOn: string | null }, now: Date): boolean {
  const { status, changedAt, deliverOn } = order
  if (isTerminal(status)) return false
  if (deliverOn !== null && status !== PLACED) return deliverOn < indianDay(now)
  return now.getTime() - changedAt.getTime() > daysFor(status) * DAY
}

/** The same of an order `orders` in a statement. */
export function standsStill(now: Date): SQL {
  const since = (days: number) => sql`orders.changed_at < ${daysBefore(now, days).toISOString()}::timestamptz`
  return sql`(orders.status < 6 and case
    when orders.deliver_on is not null and orders.status <> ${PLACED}::smallint then orders.deliver_on < ${indianDay(now)}::date
    when orders.status = ${PLACED}::smallint then ${since(PLACED_DAYS)}
    when orders.status = ${ON_THE_WAY}::smallint then ${since(ON_THE_WAY_DAYS)}
    else ${since(OTHER_DAYS)} end)`
}
