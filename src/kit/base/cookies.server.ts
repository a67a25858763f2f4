import { isIPv4 } from 'node:net'
import { parse, serialize } from 'hono/utils/cookie'

/**
 * `__Host-` cookies need Secure, which browsers accept over plain http on a loopback address only. A demo on another plain-http address (a phone on
 * the same Wi-Fi) uses names without the prefix; otherwise nobody could log in.
 */
export interface CookieNames {
  session: string
  csrf: string
  /** Binds a registration or a password reset to the browser that started it. */
  registration: string
  reset: string
  /** Recognizes a browser that has logged in before; grants no access. */
  known: string
  /** The session whose end a page has reported (accounts/identity/session-cookies.server.ts). */
  ended: string
  /** The act that an anonymous visitor wanted when the login prompt appeared (accounts/sign-in/wish.ts). */
  wish: string
  secure: boolean
}

export function cookieNamesFor(requestUrl: string, publicOrigin: string, mode: 'demo' | 'live'): CookieNames {
  const { hostname } = new URL(requestUrl)
  const isLoopback =
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
  const secure = mode === 'live' || isLoopback || publicOrigin.startsWith('https:')
  const named = (name: string) => (secure ? `__Host-${name}` : name)
  return {
    session: named('sid'),
    csrf: named('csrf'),
    registration: named('reg'),
    reset: named('rst'),
    known: named('known'),
    ended: named('end'),
    wish: named('wish'),
    secure,
  }
}

export const readCookies = (header: string | null | undefined): Record<string, string> => (header ? parse(header) : {})

/** As long as the longest session; the database decides when it ends. */
export const SESSION_COOKIE_SECONDS = 90 * 86_400

export function serializeCookie(
  name: string,
  value: string,
  options: { secure: boolean; httpOnly?: boolean; maxAgeSeconds?: number },
): string {
  const { maxAgeSeconds: maxAge, ...rest } = options
  return serialize(name, value, { path: '/', sameSite: 'Lax', ...rest, ...(maxAge !== undefined && { maxAge }) })
}
