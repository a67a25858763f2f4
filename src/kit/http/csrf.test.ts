import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cookieNamesFor, readCookies, serializeCookie } from './cookies.server.ts'
import { browserIdOf, ensureOwnPage, isCsrfToken, makeCsrfToken } from './csrf.server.ts'
import { Problem } from '#src/kit/problem.ts'

const secret = 'a'.repeat(43)
const session = 'session-of-asha'
const publicOrigin = 'https://sandhai.test'
const token = makeCsrfToken(secret, session)

function refused(headers: Record<string, string>, changes: Partial<Parameters<typeof ensureOwnPage>[1]> = {}): string | null {
  const request = new Request(`${publicOrigin}/api/v1/cart`, { method: 'POST', headers })
  try {
    ensureOwnPage(request, { publicOrigin, secret, sessionToken: session, cookieToken: token, sentToken: token, ...changes })
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.code
  }
}

describe('a request that changes something', () => {
  test.each<[string, Record<string, string>]>([
    ['our page, as browsers say it today', { 'Sec-Fetch-Site': 'same-origin', Origin: publicOrigin }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['our page in an older browser', { Origin: publicOrigin }],
    ['a browser that says nothing, with the token', {}],
  ])('from %s passes', (_, headers) => expect(refused(headers)).toBeNull())

  test.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['another site that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sister domain', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.sandhai.test' }],
    ['another site whose origin is forged as ours', { 'Sec-Fetch-Site': 'cross-site', Origin: publicOrigin }],
    ['another site in an older browser', { Origin: 'https://evil.example' }],
    ['our name without the lock', { Origin: 'http://sandhai.test' }],
    ['our name on another port', { Origin: 'https://sandhai.test:8443' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['a site with our name in its own', { Origin: 'https://sandhai.test.evil.example' }],
  ])('from %s is refused, even with the right token', (_, headers) => expect(refused(headers)).toBe('CSRF_REJECTED'))

  const other = makeCsrfToken(secret, session)
  const [random, mac] = token.split('.') as [string, string]
  test.each<[string, Parameters<typeof refused>[1]]>([
    ['without a token', { sentToken: undefined }],
    ['with an empty token', { sentToken: '', cookieToken: '' }],
    ['without the cookie', { cookieToken: undefined }],
    ['with another token than the cookie', { sentToken: other }],
    ['with a forged pair that agrees', { sentToken: 'forged.forged', cookieToken: 'forged.forged' }],
    ['with the random part alone', { sentToken: random, cookieToken: random }],
    ['with something behind the token', { sentToken: `${token}.x`, cookieToken: `${token}.x` }],
    [
      'with the signature of another random part',
      { sentToken: `${other.split('.')[0]}.${mac}`, cookieToken: `${other.split('.')[0]}.${mac}` },
    ],
    ['with a token of another session', { sessionToken: 'session-of-bala' }],
    ['with a token from before the login', { sentToken: makeCsrfToken(secret, undefined), cookieToken: makeCsrfToken(secret, undefined) }],
    ['with a token from before the logout', { sessionToken: undefined }],
    ['with a token made under another secret', { secret: 'b'.repeat(43) }],
  ])('%s is refused, even from our own page', (_, changes) => {
    expect(refused({ 'Sec-Fetch-Site': 'same-origin', Origin: publicOrigin }, changes)).toBe('CSRF_REJECTED')
  })

  test('with a pair planted before the login is refused although both halves agree', () => {
    const planted = makeCsrfToken(secret, undefined)
    expect(isCsrfToken(secret, undefined, planted)).toBe(true)
    expect(refused({}, { sentToken: planted, cookieToken: planted })).toBe('CSRF_REJECTED')
  })
})

describe('the token', () => {
  test('differs each time, and is good for its session and secret only', () => {
    expect(new Set(Array.from({ length: 100 }, () => makeCsrfToken(secret, session))).size).toBe(100)
    expect(isCsrfToken(secret, session, token)).toBe(true)
  })

  test('that somebody makes up is never good', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => !isCsrfToken(secret, session, `${a}.${b}`)))
  })

  test('with one letter changed is not good', () => {
    fc.assert(
      fc.property(fc.nat({ max: token.length - 1 }), fc.constantFrom(...'AQgw059-_'), (at, letter) => {
        fc.pre(token[at] !== letter)
        return !isCsrfToken(secret, session, token.slice(0, at) + letter + token.slice(at + 1))
      }),
    )
  })

  test('tells browsers apart by its random part, and a forged one tells nothing', () => {
    expect(browserIdOf(secret, session, token)).toBe(token.split('.')[0])
    expect(browserIdOf(secret, session, 'forged.forged')).toBeNull()
    expect(browserIdOf(secret, session, undefined)).toBeNull()
  })
})

describe('the names of the cookies', () => {
  const guarded = {
    session: '__Host-sid',
    csrf: '__Host-csrf',
    registration: '__Host-reg',
    reset: '__Host-rst',
    known: '__Host-known',
    wish: '__Host-wish',
    secure: true,
  }
  const plain = { session: 'sid', csrf: 'csrf', registration: 'reg', reset: 'rst', known: 'known', wish: 'wish', secure: false }
  test.each<[string, string, 'demo' | 'live', typeof guarded]>([
    ['http://localhost:3000/', 'http://localhost:3000', 'demo', guarded],
    ['http://127.0.0.1:3000/', 'http://localhost:3000', 'demo', guarded],
    ['http://127.8.9.1/', 'http://localhost:3000', 'demo', guarded],
    ['http://[::1]:3000/', 'http://localhost:3000', 'demo', guarded],
    ['http://shop.localhost:3000/', 'http://localhost:3000', 'demo', guarded],
    ['http://192.168.1.7:3000/', 'http://localhost:3000', 'demo', plain],
    ['http://farm.local:3000/', 'http://localhost:3000', 'demo', plain],
    ['http://notlocalhost/', 'http://localhost:3000', 'demo', plain],
    ['http://localhost.evil.example/', 'http://localhost:3000', 'demo', plain],
    ['http://127.evil.example/', 'http://localhost:3000', 'demo', plain],
    ['http://10.0.0.5/', 'https://sandhai.test', 'demo', guarded],
    ['http://10.0.0.5/', 'https://sandhai.test', 'live', guarded],
    ['http://10.0.0.5/', 'http://sandhai.test', 'live', guarded],
  ])('%s, known to the public as %s, in %s mode', (url, origin, mode, names) => {
    expect(cookieNamesFor(url, origin, mode)).toEqual(names)
  })

  test('a cookie is written with what __Host- demands, and read back', () => {
    expect(serializeCookie('__Host-sid', 'abc', { secure: true, httpOnly: true, maxAgeSeconds: 60 })).toBe(
      '__Host-sid=abc; Path=/; SameSite=Lax; Secure; HttpOnly; Max-Age=60',
    )
    expect(serializeCookie('sid', 'abc', { secure: false })).toBe('sid=abc; Path=/; SameSite=Lax')
    expect(serializeCookie('sid', '', { secure: true, maxAgeSeconds: 0 })).toContain('Max-Age=0')
    expect(readCookies('a=1; __Host-sid=abc; lang=en')).toMatchObject({ a: '1', '__Host-sid': 'abc', lang: 'en' })
    expect(readCookies(undefined)).toEqual({})
  })

  test('a broken Cookie header is never an error', () => {
    fc.assert(fc.property(fc.string(), (header) => typeof readCookies(header) === 'object'))
    expect(readCookies('lang=%E0%A4%A; __proto__=x; lang=en')).toBeTypeOf('object')
  })
})
