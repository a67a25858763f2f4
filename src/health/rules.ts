import { DAY, indianDay } from '#src/kit/time-money/dates.ts'

/** Long enough for a visit, short enough that an animal does not wait for a vet who has forgotten it. */
export const HOLD_HOURS = 48
/** The maximum number of animals that one vet may hold, so that no vet reserves a whole district. */
export const MAX_HOLDS = 5

export const holdEndsAt = (now: Date) => new Date(now.getTime() + (HOLD_HOURS * DAY) / 24)

/**
 * The day of a finding must be between the listing day and today, in India, and not before the last new description, because the vet may have seen
 * another animal then.
 */
type DayFault = 'future' | 'before-listing' | 'before-change' | null
export function faultOfDay(checkedOn: string, listing: { createdAt: Date; changedAt: Date }, now: Date): DayFault {
  if (checkedOn > indianDay(now)) return 'future'
  if (checkedOn < indianDay(listing.createdAt)) return 'before-listing'
  return checkedOn < indianDay(listing.changedAt) ? 'before-change' : null
}

/** One of the whole animal and two of the findings. */
export const MOST_CHECK_PHOTOS = 3

/** 1 to 5 in halves, the scale of vets. */
export const BODY_CONDITIONS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5] as const
