import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { serializeCookie, type CookieNames } from '#src/kit/cookies.server.ts'
import { makeCsrfToken } from '#src/kit/csrf.server.ts'
import { knownMark, type Door, type LoggedIn } from './identity.server.ts'
import { PENDING_MINUTES } from './register.server.ts'

/** What the commands of identity want to know of a request; both doors have it. */
export const doorOf = (
  { env, limits }: Pick<Site, 'env' | 'limits'>,
  { address, userAgent, cookies, cookieNames }: Pick<Visitor, 'address' | 'userAgent' | 'cookies' | 'cookieNames'>,
): Door => ({
  env,
  limits,
  address,
  userAgent,
  oldToken: cookies[cookieNames.session],
  known: cookies[cookieNames.known],
})

/** As long as the longest session: when it ends, the database says. */
const SESSION_COOKIE_SECONDS = 90 * 86_400
const RESET_COOKIE_SECONDS = 15 * 60
const KNOWN_COOKIE_SECONDS = 365 * 86_400

/** The Set-Cookie values that begin a session: its token, a CSRF token bound to it, and an end to what led here. */
export function sessionCookies(names: CookieNames, secret: string, token: string): string[] {
  const { secure } = names
  return [
    serializeCookie(names.session, token, { secure, httpOnly: true, maxAgeSeconds: SESSION_COOKIE_SECONDS }),
    serializeCookie(names.csrf, makeCsrfToken(secret, token), { secure }),
    gone(names, names.registration),
    gone(names, names.reset),
  ]
}

/** After a login also who this browser is known as, which stays when one logs out. */
export const loginCookies = (names: CookieNames, secret: string, ctx: Pick<Ctx, 'vault'>, { token, user }: LoggedIn): string[] => [
  ...sessionCookies(names, secret, token),
  serializeCookie(names.known, knownMark(ctx, user.id), { secure: names.secure, httpOnly: true, maxAgeSeconds: KNOWN_COOKIE_SECONDS }),
]

export const endedCookies = (names: CookieNames): string[] => [gone(names, names.session), gone(names, names.csrf)]

export const registrationCookie = (names: CookieNames, token: string): string =>
  serializeCookie(names.registration, token, { secure: names.secure, httpOnly: true, maxAgeSeconds: PENDING_MINUTES * 60 })

export const resetCookie = (names: CookieNames, token: string): string =>
  serializeCookie(names.reset, token, { secure: names.secure, httpOnly: true, maxAgeSeconds: RESET_COOKIE_SECONDS })

export const gone = (names: CookieNames, name: string): string =>
  serializeCookie(name, '', { secure: names.secure, httpOnly: name !== names.csrf, maxAgeSeconds: 0 })

/** What login, reset, session check and the end of registration answer on the wire. */
export const identityOf = ({ id, name, phone, typeId, referralCode }: LoggedIn['user']) => ({
  id,
  name,
  phone,
  usertype: typeId,
  referralcode: referralCode,
})
