import { and, eq, lt, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/database.server.ts'
import { indianDay, indianHour } from '#src/kit/dates.ts'
import { alertDays, alertsOff, type ALERT_KINDS } from './tables.ts'

export type AlertKind = (typeof ALERT_KINDS)[number]

/** Indian hours within which nobody is woken by a message that could wait. */
const FIRST_HOUR = 8
const LAST_HOUR = 20

export function isTellingTime(now: Date): boolean {
  const hour = indianHour(now)
  return hour >= FIRST_HOUR && hour < LAST_HOUR
}

/**
 * May this person be told of this kind now? True at most once an Indian day, in however many processes it is asked, and never if
 * he has switched it off. Call it in the transaction that queues the message: what is rolled back has not been told.
 */
export async function takeAlertDay(ctx: Ctx, userId: number, kind: AlertKind): Promise<boolean> {
  const [off] = await ctx.db
    .select({ kind: alertsOff.kind })
    .from(alertsOff)
    .where(and(eq(alertsOff.userId, userId), eq(alertsOff.kind, kind)))
  if (off) return false
  const taken = await ctx.db
    .insert(alertDays)
    .values({ userId, kind, day: indianDay(ctx.now) })
    .onConflictDoNothing()
    .returning({ one: sql<number>`1` })
  return taken.length > 0
}

/** Who was told on a day is of use on that day. */
export async function sweepAlertDays(db: Db): Promise<void> {
  await db.delete(alertDays).where(lt(alertDays.day, sql`current_date - 2`))
}
