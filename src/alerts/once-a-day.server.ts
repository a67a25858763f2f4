import { and, eq, lt, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { indianDay, indianHour } from '#src/kit/time-money/dates.ts'
import { alertDays, alertsOff, type ALERT_KINDS } from './tables.ts'

export type AlertKind = (typeof ALERT_KINDS)[number]

/** Indian hours in which messages that can wait are sent. */
const FIRST_HOUR = 8
const LAST_HOUR = 20

export function isNotificationTime(now: Date): boolean {
  const hour = indianHour(now)
  return hour >= FIRST_HOUR && hour < LAST_HOUR
}

/**
 * Takes this person's slot of the day for an alert of this kind. True at most once per Indian day over all processes, and never when they
 * have switched it off. Call it in the transaction that queues the message, so that a rollback returns the slot.
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

/** A slot matters on its own day only. */
export async function sweepAlertDays(db: Db): Promise<void> {
  await db.delete(alertDays).where(lt(alertDays.day, sql`current_date - 2`))
}
