import { DAY } from '#src/kit/dates.ts'

/** Somebody who has finished, skipped or closed the welcome is left alone this long (spec B §8: a cookie of 7 days). */
const QUIET_DAYS = 7
/** The page is read first; then we greet. */
export const GREET_AFTER_MS = 3000
/** While it is not a good moment, we look again. */
export const LOOK_AGAIN_MS = 1000

const cookieName = 'wizard'

export const isQuiet = (cookies: string) => cookies.split('; ').some((pair) => pair.startsWith(`${cookieName}=`))

export const quietCookie = (isHttps: boolean) =>
  `${cookieName}=seen; Path=/; Max-Age=${(QUIET_DAYS * DAY) / 1000}; SameSite=Lax${isHttps ? '; Secure' : ''}`

interface Moment {
  /** A dialog or another prompt is open. */
  isTaken: boolean
  /** Where its place in the page begins, from the top of the window, and the window's height. */
  placeTop: number
  windowHeight: number
}

/** It may only be put in below what is being read: nothing moves under a thumb, nothing is covered. */
export const isGoodMoment = ({ isTaken, placeTop, windowHeight }: Moment) => !isTaken && placeTop >= windowHeight
