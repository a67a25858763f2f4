import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cookieNamesFor, readCookies, serializeCookie } from '#src/kit/base/cookies.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { browserIdOf, ensureOwnPage, isCsrfToken, makeCsrfToken } from './csrf.server.ts'

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

describe('an unsafe request', () => {
  test.each<[string, Record<string, string>]>([
    ['our page, with the headers of current browsers', { 'Sec-Fetch-Site': 'same-origin', Origin: publicOrigin }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['our page in an old browser', { Origin: publicOrigin }],
    ['a browser without these headers, with the token', {}],
  ])('from %s passes', (_, headers) => expect(refused(headers)).toBeNull())

  test.each<[string, Record<string, string>]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['another site that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another subdomain', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.sandhai.test' }],
    ['another site with our origin forged', { 'Sec-Fetch-Site': 'cross-site', Origin: publicOrigin }],
    ['another site in an old browser', { Origin: 'https://evil.example' }],
    ['our host over plain http', { Origin: 'http://sandhai.test' }],
    ['our host on another port', { Origin: 'https://sandhai.test:8443' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['a host that contains our name', { Origin: 'https://sandhai.test.evil.example' }],
  ])('from %s is refused, even with the right token', (_, headers) => expect(refused(headers)).toBe('CSRF_REJECTED'))

  const other = makeCsrfToken(secret, session)
  const [random, mac] = token.split('.') as [string, string]
  test.each<[string, Parameters<typeof refused>[1]]>([
    ['without a token', { sentToken: undefined }],
    ['with an empty token', { sentToken: '', cookieToken: '' }],
    ['without the cookie', { cookieToken: undefined }],
    ['with a token that differs from the cookie', { sentToken: other }],
    ['with a forged pair that matches', { sentToken: 'forged.forged', cookieToken: 'forged.forged' }],
    ['with the random part alone', { sentToken: random, cookieToken: random }],
    ['with text after the token', { sentToken: `${token}.x`, cookieToken: `${token}.x` }],
    [
      'with the signature of another random part',
      { sentToken: `${other.split('.')[0]}.${mac}`, cookieToken: `${other.split('.')[0]}.${mac}` },
    ],
    ['with a token of another session', { sessionToken: 'session-of-bala' }],
    ['with a token from before the login', { sentToken: makeCsrfToken(secret, undefined), cookieToken: makeCsrfToken(secret, undefined) }],
    ['with a token from before the logout', { sessionToken: undefined }],
    ['with a token of another secret', { secret: 'b'.repeat(43) }],
  ])('%s is refused, even from our own page', (_, changes) => {
    expect(refused({ 'Sec-Fetch-Site': 'same-origin', Origin: publicOrigin }, changes)).toBe('CSRF_REJECTED')
  })

  test('with a cookie and token planted before the login is refused although both match', () => {
    const planted = makeCsrfToken(secret, undefined)
    expect(isCsrfToken(secret, undefined, planted)).toBe(true)
    expect(refused({}, { sentToken: planted, cookieToken: planted })).toBe('CSRF_REJECTED')
  })
})

describe('the CSRF token', () => {
  test('differs each time and is valid for its session and secret only', () => {
    expect(new Set(Array.from({ length: 100 }, () => makeCsrfToken(secret, session))).size).toBe(100)
    expect(isCsrfToken(secret, session, token)).toBe(true)
  })

  test('that is invented is never valid', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => !isCsrfToken(secret, session, `${a}.${b}`)))
  })

  test('with one changed letter is invalid', () => {
    fc.assert(
      fc.property(fc.nat({ max: token.length - 1 }), fc.constantFrom(...'AQgw059-_'), (at, letter) => {
        fc.pre(token[at] !== letter)
        return !isCsrfToken(secret, session, token.slice(0, at) + letter + token.slice(at + 1))
      }),
    )
  })

  test('identifies a browser by its random part; a forged token identifies none', () => {
    expect(browserIdOf(secret, session, token)).toBe(token.split('.')[0])
    expect(browserIdOf(secret, session, 'forged.forged')).toBeNull()
    expect(browserIdOf(secret, session, undefined)).toBeNull()
  })
})

describe('cookie names', () => {
  const guarded = {
    session: '__Host-sid',
    csrf: '__Host-csrf',
    registration: '__Host-reg',
    reset: '__Host-rst',
    known: '__Host-known',
    ended: '__Host-end',
    wish: '__Host-wish',
    secure: true,
  }
  const plain = {
    session: 'sid',
    csrf: 'csrf',
    registration: 'reg',
    reset: 'rst',
    known: 'known',
    ended: 'end',
    wish: 'wish',
    secure: false,
  }
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

  test('a cookie is written with the attributes that __Host- requires, and is read back', () => {
    expect(serializeCookie('__Host-sid', 'abc', { secure: true, httpOnly: true, maxAgeSeconds: 60 })).toBe(
      '__Host-sid=abc; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
    expect(serializeCookie('sid', 'abc', { secure: false })).toBe('sid=abc; Path=/; SameSite=Lax')
    expect(serializeCookie('sid', '', { secure: true, maxAgeSeconds: 0 })).toContain('Max-Age=0')
    expect(readCookies('a=1; __Host-sid=abc; lang=en')).toMatchObject({ a: '1', '__Host-sid': 'abc', lang: 'en' })
    expect(readCookies(undefined)).toEqual({})
  })

  test('a broken Cookie header never throws', () => {
    fc.assert(fc.property(fc.string(), (header) => typeof readCookies(header) === 'object'))
    expect(readCookies('lang=%E0%A4%A; __proto__=x; lang=en')).toBeTypeOf('object')
  })
})
