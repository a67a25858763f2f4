import { DAY } from '#src/kit/time-money/dates.ts'
import { CLOSED_AFTER_DAYS } from '#src/listings/life/rules.ts'

/** Ten days before a sale closes automatically, its seller is asked whether the animal is still there. */
export const RENEW_AFTER_DAYS = CLOSED_AFTER_DAYS - 10

type Freshness = 'fresh' | 'asked' | 'closed'

/** Fresh, due for the question, or closed, by the time since the seller last confirmed it. */
export function freshnessOf(touchedAt: Date, now: Date): Freshness {
  const days = (now.getTime() - touchedAt.getTime()) / DAY
  if (days > CLOSED_AFTER_DAYS) return 'closed'
  return days > RENEW_AFTER_DAYS ? 'asked' : 'fresh'
}

/** When the sale closes automatically. */
export const closesAt = (touchedAt: Date): Date => new Date(touchedAt.getTime() + CLOSED_AFTER_DAYS * DAY)
