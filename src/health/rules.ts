import { DAY, indianDay } from '#src/kit/time-money/dates.ts'

/** Long enough for a visit, short enough that an animal does not wait for a vet who has forgotten it. */
export const HOLD_HOURS = 48

export const holdEndsAt = (from: Date) => new Date(from.getTime() + (HOLD_HOURS * DAY) / 24)

/**
 * The end of the two days in which a check keeps the animal for its vet (decisions §8.5), or null: the check is this vet's own, it is older, or the
 * seller has described another animal since.
 */
export function takenByCheckUntil(
  check: { vetId: number; createdAt: Date; revision: number } | undefined,
  { vetId, revision }: { vetId: number | undefined; revision: number },
  now: Date,
): Date | null {
  if (!check || check.vetId === vetId || check.revision !== revision) return null
  const until = holdEndsAt(check.createdAt)
  return until > now ? until : null
}

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
