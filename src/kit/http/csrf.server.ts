import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem } from '#src/kit/problem.ts'

/**
 * Signed double submit: the cookie holds random ‖ HMAC(key, session ‖ random), script reads it and sends it back in a
 * header (or a form field). Bound to the session token, so a value planted before login is worth nothing after it.
 */
export function makeCsrfToken(secret: string, sessionToken: string | undefined): string {
  const random = randomBytes(16).toString('base64url')
  return `${random}.${mac(secret, sessionToken, random)}`
}

const mac = (secret: string, sessionToken: string | undefined, random: string) =>
  createHmac('sha256', secret)
    .update(`csrf|${sessionToken ?? ''}|${random}`)
    .digest('base64url')

export function isCsrfToken(secret: string, sessionToken: string | undefined, token: string | undefined): token is string {
  const [random, given, ...more] = token?.split('.') ?? []
  if (!random || !given || more.length > 0) return false
  const expected = Buffer.from(mac(secret, sessionToken, random))
  const actual = Buffer.from(given)
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** The random part: the same browser has the same one. Null unless the token is ours. */
export function browserIdOf(secret: string, sessionToken: string | undefined, token: string | undefined): string | null {
  return isCsrfToken(secret, sessionToken, token) ? token.split('.')[0]! : null
}

/**
 * Throws CSRF_REJECTED unless an unsafe request comes from our own page. Fetch metadata or Origin decide first (for every
 * content type: a JSON body is no proof of a preflight), then the token must be there and match its cookie.
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

/** The origin check alone. If the browser sends neither header, the token decides. */
export function ensureOwnOrigin(request: Request, publicOrigin: string): void {
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  // The origin we are reached at, for people who run the demo on another host name than the configured one.
  const ours = new Set([publicOrigin, new URL(request.url).origin])
  if (site !== null ? site !== 'same-origin' && site !== 'none' : origin !== null && !ours.has(origin)) throw new Problem('CSRF_REJECTED')
}
