import { DAY, indianDay } from '#src/kit/time-money/dates.ts'

/** Long enough to ride there and back, short enough that an animal does not wait for a vet who has forgotten it. */
export const HOLD_HOURS = 48
/** How many animals one vet may hold at a time: no vet may reserve a whole district. */
export const MAX_HOLDS = 5

export const holdEndsAt = (now: Date) => new Date(now.getTime() + (HOLD_HOURS * DAY) / 24)

/**
 * On a day between the one it was listed on and today, as India counts days; and not before it was last described again: what was seen then
 * may have been another animal.
 */
type DayFault = 'future' | 'before-listing' | 'before-change' | null
export function faultOfDay(checkedOn: string, listing: { createdAt: Date; changedAt: Date }, now: Date): DayFault {
  if (checkedOn > indianDay(now)) return 'future'
  if (checkedOn < indianDay(listing.createdAt)) return 'before-listing'
  return checkedOn < indianDay(listing.changedAt) ? 'before-change' : null
}

/** One of the whole animal and two of what was found. */
export const MOST_CHECK_PHOTOS = 3

/** 1 to 5 in halves, as vets score. */
export const BODY_CONDITIONS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5] as const
