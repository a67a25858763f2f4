const DAY_MS = 86_400_000

/** When a market is held: weekly on a day, or from one day to another. Days are calendar days in India as `YYYY-MM-DD`. */
export interface Held {
  weekday: number | null
  fromDay: string | null
  toDay: string | null
}

/** The next market day from `today` on; null when it is over. */
export function nextDay({ weekday, fromDay, toDay }: Held, today: string): string | null {
  if (weekday !== null) return plusDays(today, (weekday - weekdayOf(today) + 7) % 7)
  if (fromDay === null) return null
  if (fromDay > today) return fromDay
  return (toDay ?? fromDay) >= today ? today : null
}

/** Whether an item is visible today. Without days it always is. */
export const isOn = ({ fromDay, toDay }: Pick<Held, 'fromDay' | 'toDay'>, today: string): boolean =>
  (fromDay === null || fromDay <= today) && (toDay === null || toDay >= today)

const utc = (day: string) => new Date(`${day}T00:00Z`)
/** 0 for Sunday. */
const weekdayOf = (day: string) => utc(day).getUTCDay()
const plusDays = (day: string, days: number) => new Date(utc(day).getTime() + days * DAY_MS).toISOString().slice(0, 10)
