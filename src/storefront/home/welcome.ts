import { DAY } from '#src/kit/time-money/dates.ts'

/** A visitor who has seen the welcome does not see it again for this long (spec B §4, §9: once per visitor, a cookie of 7 days). */
const QUIET_DAYS = 7
/** The page comes to rest first. */
export const GREET_AFTER_MS = 500
/** Retry interval while the moment is not good. */
export const LOOK_AGAIN_MS = 1000

const cookieName = 'wizard'

export const isQuiet = (cookies: string) => cookies.split('; ').some((pair) => pair.startsWith(`${cookieName}=`))

export const quietCookie = (isHttps: boolean) =>
  `${cookieName}=seen; Path=/; Max-Age=${(QUIET_DAYS * DAY) / 1000}; SameSite=Lax${isHttps ? '; Secure' : ''}`

interface Moment {
  /** A dialog or another prompt is open. */
  isTaken: boolean
  /** A finger, the mouse or the focus is on what would make room. */
  isInUse: boolean
}

/** The welcome replaces the banners, so nothing moves and nothing is covered; but it never replaces them under a thumb. */
export const isGoodMoment = ({ isTaken, isInUse }: Moment) => !isTaken && !isInUse
