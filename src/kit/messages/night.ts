import { indianDay, indianHour } from '#src/kit/time-money/dates.ts'

/** Indian hours of the night. No device rings then; push messages wait for the morning. */
const NIGHT_FROM = 21
const NIGHT_UNTIL = 6

/** Seconds until 6:00 Indian time; 0 by day. */
export function nightWait(now: Date): number {
  const hour = indianHour(now)
  if (hour >= NIGHT_UNTIL && hour < NIGHT_FROM) return 0
  const today = new Date(`${indianDay(now)}T0${NIGHT_UNTIL}:00:00+05:30`).getTime()
  const morning = hour < NIGHT_UNTIL ? today : today + 86_400_000
  return Math.ceil((morning - now.getTime()) / 1000)
}
