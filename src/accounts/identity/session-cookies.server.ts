import { createHash } from 'node:crypto'
import type { Site, Visitor } from '#src/kit/context.ts'
import { serializeCookie, SESSION_COOKIE_SECONDS, type CookieNames } from '#src/kit/base/cookies.server.ts'
import { csrfCookie, makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { KNOWN_DAYS } from '../known-devices.server.ts'
import type { AuthClient, LoggedIn } from './identity.server.ts'
import { PENDING_MINUTES } from './register.server.ts'

export const authClientOf = (
  { env, limits }: Pick<Site, 'env' | 'limits'>,
  { address, userAgent, cookies, cookieNames }: Pick<Visitor, 'address' | 'userAgent' | 'cookies' | 'cookieNames'>,
): AuthClient => ({
  env,
  limits,
  address,
  userAgent,
  oldToken: cookies[cookieNames.session],
  known: cookies[cookieNames.known],
  proof: cookies[cookieNames.reset],
})

const RESET_COOKIE_SECONDS = 15 * 60
const WISH_COOKIE_SECONDS = 30 * 60
const KNOWN_COOKIE_SECONDS = KNOWN_DAYS * 86_400

/** The Set-Cookie values that begin a session: its token, a CSRF token bound to it, and the removal of the login steps' cookies. */
export function sessionCookies(names: CookieNames, secret: string, token: string): string[] {
  const { secure } = names
  return [
    serializeCookie(names.session, token, { secure, httpOnly: true, maxAgeSeconds: SESSION_COOKIE_SECONDS }),
    csrfCookie(names, makeCsrfToken(secret, token), token),
    expiredCookie(names, names.registration),
    expiredCookie(names, names.reset),
  ]
}

/** After a login also the token of the known browser, which survives a logout. */
export const loginCookies = (names: CookieNames, secret: string, { token, deviceToken }: LoggedIn): string[] => [
  ...sessionCookies(names, secret, token),
  serializeCookie(names.known, deviceToken, { secure: names.secure, httpOnly: true, maxAgeSeconds: KNOWN_COOKIE_SECONDS }),
]

/**
 * Notes that a page has reported the end of this session. It must not delete the session's cookies instead: on a slow connection its answer
 * may arrive after a new login, and would end that.
 */
export const endReportedCookie = (names: CookieNames, token: string): string =>
  serializeCookie(names.ended, endMark(token), { secure: names.secure, httpOnly: true, maxAgeSeconds: SESSION_COOKIE_SECONDS })

export const isEndReported = (cookies: Record<string, string>, names: CookieNames): boolean =>
  cookies[names.ended] !== undefined && cookies[names.ended] === endMark(cookies[names.session] ?? '')

const endMark = (token: string) => createHash('sha256').update(`ended|${token}`).digest('base64url')

/** Also forgets the referral code that the browser brought (specification B §4). */
export const endedCookies = (names: CookieNames): string[] =>
  [names.session, names.csrf, 'refcode'].map((name) => expiredCookie(names, name))

export const registrationCookie = (names: CookieNames, token: string): string =>
  serializeCookie(names.registration, token, { secure: names.secure, httpOnly: true, maxAgeSeconds: PENDING_MINUTES * 60 })

export const resetCookie = (names: CookieNames, token: string): string =>
  serializeCookie(names.reset, token, { secure: names.secure, httpOnly: true, maxAgeSeconds: RESET_COOKIE_SECONDS })

export const wishCookie = (names: CookieNames, wish: string): string =>
  serializeCookie(names.wish, wish, { secure: names.secure, httpOnly: true, maxAgeSeconds: WISH_COOKIE_SECONDS })

export const expiredCookie = (names: CookieNames, name: string): string =>
  serializeCookie(name, '', { secure: names.secure, httpOnly: name !== names.csrf, maxAgeSeconds: 0 })

/** The answer of login, reset, session check and the end of registration on the wire. */
export const identityOf = ({ id, name, phone, typeId, referralCode }: LoggedIn['user']) => ({
  id,
  name,
  phone,
  usertype: typeId,
  referralcode: referralCode,
})
