import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { serializeCookie, SESSION_COOKIE_SECONDS, type CookieNames } from '#src/kit/base/cookies.server.ts'
import { Problem } from '#src/kit/base/problem.ts'

/**
 * Signed double submit: the cookie holds random ‖ HMAC(key, session ‖ random); a script reads it and sends it back in a header or a form field. The
 * HMAC covers the session token, so a value planted before login is invalid after it.
 */
export function makeCsrfToken(secret: string, sessionToken: string | undefined): string {
  const random = randomBytes(16).toString('base64url')
  return `${random}.${mac(secret, sessionToken, random)}`
}

/**
 * Lasts as long as a login: a phone whose cookies are gone then knows that its login is, too
 * (content/offline/worker/owner.ts). A visitor's token ends with the browser, because it recognises them.
 */
export const csrfCookie = ({ csrf, secure }: CookieNames, token: string, sessionToken: string | undefined): string =>
  serializeCookie(csrf, token, { secure, ...(sessionToken !== undefined && { maxAgeSeconds: SESSION_COOKIE_SECONDS }) })

const mac = (secret: string, sessionToken: string | undefined, random: string) =>
  createHmac('sha256', secret)
    .update(`csrf|${sessionToken ?? ''}|${random}`)
    .digest('base64url')

export function isCsrfToken(secret: string, sessionToken: string | undefined, token: string | undefined): token is string {
  const [random, signature, ...more] = token?.split('.') ?? []
  if (!random || !signature || more.length > 0) return false
  const expected = Buffer.from(mac(secret, sessionToken, random))
  const actual = Buffer.from(signature)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Returns the random part, which stays the same for a browser; null unless the token is valid. */
export function browserIdOf(secret: string, sessionToken: string | undefined, token: string | undefined): string | null {
  return isCsrfToken(secret, sessionToken, token) ? token.split('.')[0]! : null
}

/**
 * Throws CSRF_REJECTED unless an unsafe request comes from our own page. First checks fetch metadata or Origin (for every content type, because a
 * JSON body does not prove a preflight), then compares the token with its cookie.
 */
export function ensureOwnPage(
  request: Request,
  check: {
    publicOrigin: string
    secret: string
    sessionToken: string | undefined
    cookieToken: string | undefined
    sentToken: string | undefined
  },
): void {
  ensureOwnOrigin(request, check.publicOrigin)
  const { cookieToken, sentToken } = check
  if (!sentToken || cookieToken !== sentToken || !isCsrfToken(check.secret, check.sessionToken, sentToken))
    throw new Problem('CSRF_REJECTED')
}

/** The origin check alone. When the browser sends neither header, the token decides. */
export function ensureOwnOrigin(request: Request, publicOrigin: string): void {
  if (isFromOwnPage(request, publicOrigin) === false) throw new Problem('CSRF_REJECTED')
}

/** Whether one of our pages sent the request. Null if the browser does not say. */
export function isFromOwnPage(request: Request, publicOrigin: string): boolean | null {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'none' ? null : site === 'same-origin'
  const origin = request.headers.get('origin')
  // Includes the origin of this request, for people who run the demo under a host name other than the configured one.
  return origin === null ? null : origin === publicOrigin || origin === new URL(request.url).origin
}
