import { isIPv4 } from 'node:net'
import { parse } from 'hono/utils/cookie'

/**
 * `__Host-` cookies need Secure, which browsers accept over plain http on a loopback address only. In demo mode on
 * another plain-http address (a phone on the same Wi-Fi) the names lose the prefix, or nobody could log in.
 */
export interface CookieNames {
  session: string
  csrf: string
  /** Binds a registration, or a reset, to the browser that began it. */
  registration: string
  reset: string
  /** Recognizes a browser that has logged in before; grants no access. */
  known: string
  /** What an anonymous visitor wanted when they were asked to log in (accounts/sign-in/wish.ts). */
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
    wish: named('wish'),
    secure,
  }
}

export const readCookies = (header: string | null | undefined): Record<string, string> => (header ? parse(header) : {})

export function serializeCookie(
  name: string,
  value: string,
  options: { secure: boolean; httpOnly?: boolean; maxAgeSeconds?: number },
): string {
  return [
    `${name}=${value}`,
    'Path=/',
    'SameSite=Lax',
    options.secure && 'Secure',
    options.httpOnly && 'HttpOnly',
    options.maxAgeSeconds !== undefined && `Max-Age=${options.maxAgeSeconds}`,
  ]
    .filter(Boolean)
    .join('; ')
}
