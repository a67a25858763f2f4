import { redirect, RouterContextProvider } from 'react-router'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ctxContext, siteContext, visitorContext, type Visitor } from '../context.ts'
import { defaultSettings } from '../settings.ts'
import { cookieNamesFor } from '#src/kit/base/cookies.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { parseInput } from '../parse-input.ts'
import { makeCsrfToken } from './csrf.server.ts'
import { actionGuardsContext, formHeaders, formLoader, pageAction, type ActionGuard, type FormResult } from './page.server.ts'

const origin = 'https://sandhai.test'
const env = { ...readEnv({ PUBLIC_ORIGIN: origin }), secret: 's'.repeat(32) }
const logged: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
const cookieNames = cookieNamesFor(origin, origin, 'demo')
const token = makeCsrfToken(env.secret, undefined)

/** Two actions: `open` for everybody, `members` for logged-in people. */
const guardOf = (id: string): ActionGuard => ({
  isForMembers: id === 'members',
  pass: async ({ viewer }) => {
    if (id === 'members' && !viewer) throw new Problem('AUTH_REQUIRED')
  },
})

function contextOf(visitor: Visitor | null) {
  const context = new RouterContextProvider()
  context.set(ctxContext, testCtx(null as never, { log, publicOrigin: origin }))
  context.set(siteContext, { env, limits: new RateLimits(1), media: null as never, contact: defaultSettings.contact, noteAway: () => {} })
  context.set(visitorContext, visitor)
  context.set(actionGuardsContext, guardOf)
  return context
}
const visitorWith = (cookies: Record<string, string>): Visitor => ({
  cookies,
  cookieNames,
  address: '203.0.113.7',
  userAgent: '',
  hasSessionEnded: false,
})

interface Sent {
  fields?: Record<string, string>
  cookies?: Record<string, string>
  headers?: Record<string, string>
  body?: BodyInit
}
/** Sends a form to an action as a browser does; valid by default. */
async function send<T>(action: ReturnType<typeof pageAction<T>>, { fields = {}, cookies, headers, body }: Sent = {}) {
  const request = new Request(`${origin}/en/login?next=1`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: body ?? new URLSearchParams({ csrf: token, ...fields }),
  })
  const context = contextOf(visitorWith(cookies ?? { '__Host-csrf': token }))
  const { data, init } = await action({ request, params: {}, context })
  return { result: data as FormResult<T>, status: init?.status ?? 200, headers: new Headers(init?.headers) }
}
const refusing = (problem: unknown) =>
  pageAction('open', async () => {
    throw problem
  })

test('a form whose upload broke off is shown again with the fields that arrived, and the act does not run', async () => {
  let done = 0
  const context = contextOf({ ...visitorWith({ '__Host-csrf': token }), bodyProblem: new Problem('REQUEST_TIMEOUT') })
  const request = new Request(`${origin}/en/login`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ csrf: token, comment: 'மாடு நலம்' }),
  })
  const { data, init } = await pageAction('open', async () => void (done += 1))({ request, params: {}, context })
  expect(init?.status).toBe(408)
  expect(data).toMatchObject({ refused: { code: 'REQUEST_TIMEOUT', typed: { comment: 'மாடு நலம்' } } })
  expect(done).toBe(0)
})

describe('a page with a form', () => {
  const loader = formLoader(async (_, { url }) => ({ path: url.pathname }))
  const open = async (cookies: Record<string, string>) => {
    const { data, init } = await loader({ request: new Request(`${origin}/login`), params: {}, context: contextOf(visitorWith(cookies)) })
    return { data, headers: new Headers(init?.headers), status: init?.status }
  }

  test('carries its own token and sets it as a cookie, and is never cached', async () => {
    const { data, headers } = await open({})
    expect(data.path).toBe('/login')
    expect(headers.get('set-cookie')).toBe(`__Host-csrf=${data.csrf}; Path=/; Secure; SameSite=Lax`)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('keeps a valid token, and issues a new one after a login', async () => {
    const again = await open({ '__Host-csrf': token })
    expect([again.data.csrf, again.headers.get('set-cookie')]).toEqual([token, null])
    const loggedIn = await open({ '__Host-csrf': token, '__Host-sid': 'session' })
    expect(loggedIn.data.csrf).not.toBe(token)
    expect(loggedIn.headers.get('set-cookie')).toContain(loggedIn.data.csrf)
  })

  test('throws when it is cached for everybody', async () => {
    await expect(loader({ request: new Request(`${origin}/login`), params: {}, context: contextOf(null) })).rejects.toThrow(
      'cached for everybody',
    )
  })

  test('may answer 404 when the object of the form does not exist', async () => {
    const missing = formLoader(
      async () => ({ what: null }),
      ({ what }) => (what ? 200 : 404),
    )
    const { init } = await missing({ request: new Request(origin), params: {}, context: contextOf(visitorWith({})) })
    expect(init?.status).toBe(404)
  })

  test('passes on Retry-After', () => {
    const none = new Headers()
    const args = { loaderHeaders: none, parentHeaders: none, actionHeaders: new Headers({ 'Retry-After': '7' }), errorHeaders: undefined }
    const headers = new Headers(formHeaders(args))
    expect([headers.get('retry-after'), headers.get('cache-control')]).toEqual(['7', 'no-store'])
  })
})

describe('a sent form', () => {
  const greet = pageAction('open', async (_, { form, url }) => `${String(form.get('name'))} at ${url.search}`)

  test('from our page runs the act', async () => {
    expect(await send(greet, { fields: { name: 'Selvi' } })).toMatchObject({ result: { done: 'Selvi at ?next=1' }, status: 200 })
  })

  test.each<[string, Sent]>([
    ['without the token', { fields: { csrf: '' } }],
    ['without the cookie', { cookies: {} }],
    ['with the token of another browser', { fields: { csrf: makeCsrfToken(env.secret, undefined) } }],
    ['with the token from before a login', { cookies: { '__Host-csrf': token, '__Host-sid': 'session' } }],
    ['from another site', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['from another subdomain in an old browser', { headers: { Origin: 'https://blog.sandhai.test', 'Sec-Fetch-Site': 'same-site' } }],
  ])('%s runs nothing', async (_, sent) => {
    let isDone = false
    const act = pageAction('open', async () => (isDone = true))
    const { result, status } = await send(act, { ...sent, fields: { name: 'Selvi', ...sent.fields } })
    expect([status, result.refused?.code, isDone]).toEqual([403, 'CSRF_REJECTED', false])
    expect(result.refused?.typed).toMatchObject({ name: 'Selvi' })
  })

  test.each(['text/plain', 'application/json', 'multipart/form-data'])('as %s gives MALFORMED', async (type) => {
    const { result, status } = await send(greet, { body: '{}', headers: { 'Content-Type': type } })
    expect([status, result.refused?.code]).toEqual([400, 'MALFORMED'])
  })

  test('that is refused keeps the typed fields without secrets, and reports each wrong field once', async () => {
    const act = pageAction('open', async (_, { form }) =>
      parseInput(z.strictObject({ email: z.string().min(9).max(1), name: z.string() }), {
        email: form.get('email'),
        name: form.get('name'),
      }),
    )
    const fields = { email: 'x@y', name: 'Selvi', password: 'secret', new_password: 'secret', otp: '123456', pan: 'ABCDE1234F' }
    const { result, status } = await send(act, { fields })
    expect(status).toBe(422)
    expect(result.refused).toEqual({
      code: 'VALIDATION',
      errors: { email: 'Please check this.' },
      detail: 'Some values are not valid.',
      typed: { email: 'x@y', name: 'Selvi' },
      requestId: expect.any(String),
    })
  })

  test('beyond a rate limit says when to retry', async () => {
    const { result, status, headers } = await send(refusing(new Problem('RATE_LIMITED', { retryAfterSeconds: 60 })))
    expect([status, result.refused?.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '60'])
    expect(result.refused?.detail).toBe('Too many requests in a short time. Please try again in 60 seconds.')
  })

  test('during a database outage keeps its fields', async () => {
    const { result, status } = await send(refusing(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })), {
      fields: { name: 'Selvi' },
    })
    expect([status, result.refused?.code, result.refused?.typed.name]).toEqual([503, 'UNAVAILABLE', 'Selvi'])
  })

  test('may redirect; a bug is shown at the form with what was typed, and logged', async () => {
    await expect(send(refusing(redirect('/en')))).rejects.toBeInstanceOf(Response)
    const { result, status } = await send(refusing(new Error('bug')), { fields: { name: 'Selvi' } })
    expect([status, result.refused?.code, result.refused?.typed.name]).toEqual([500, 'INTERNAL', 'Selvi'])
    expect(logged.join('')).toContain('"message":"bug"')
  })
})

describe('a form of a person whose session has ended', () => {
  const typed = { name: 'Lakshmi', description: 'Two lines\nof it', password: 'secret' }
  const members = pageAction('members', async () => {})
  const elsewhere = formLoader(async (ctx) => {
    throw redirect(`/en/login?next=${ctx.locale}`)
  })
  const open = formLoader(async () => ({ view: 'door' }))

  /** Like the router for a document request: runs the action, then the page's loader with the same request. */
  async function sendDocument(action: ReturnType<typeof pageAction<unknown>>, loader: typeof elsewhere | typeof open, viewer = false) {
    const context = contextOf(visitorWith({ '__Host-csrf': token }))
    context.set(ctxContext, { ...context.get(ctxContext), locale: 'en', ...(viewer && { viewer: { id: 1 } as never }) })
    const request = (csrf: string) =>
      new Request(`${origin}/en/sell?x=1`, {
        method: 'POST',
        headers: { 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ ...typed, csrf }),
      })
    return async (csrf = token) => {
      const { data } = await action({ request: request(csrf), params: {}, context })
      const page = await loader({ request: new Request(`${origin}/en/sell`), params: {}, context }).catch((error: unknown) => error)
      return { refused: (data as FormResult<unknown>).refused, page: page as { data?: { kept?: unknown }; init?: ResponseInit } }
    }
  }
  const kept = {
    path: '/en/sell?x=1',
    fields: [
      ['name', 'Lakshmi'],
      ['description', 'Two lines\nof it'],
    ],
  }

  test('returns all its fields except secrets, instead of the login page', async () => {
    for (const loader of [elsewhere, open]) {
      const { refused, page } = await (await sendDocument(members, loader))()
      expect(refused?.code).toBe('AUTH_REQUIRED')
      expect([page.init?.status, page.data?.kept]).toEqual([401, kept])
      expect(new Headers(page.init?.headers).get('cache-control')).toBe('no-store')
    }
  })

  test('also does so when its token belonged to the ended session', async () => {
    const { refused, page } = await (await sendDocument(members, open))('of the session before')
    expect([refused?.code, page.data?.kept]).toEqual(['AUTH_REQUIRED', kept])
    // The same on any page that leads to the login, whether it is members-only or not.
    const other = await (
      await sendDocument(
        pageAction('open', async () => null),
        elsewhere,
      )
    )('of the session before')
    expect([other.refused?.code, other.page.data?.kept]).toEqual(['CSRF_REJECTED', kept])
  })

  test("a public page shows the typed fields itself, and a member follows their page's redirect", async () => {
    expect(
      (
        await (
          await sendDocument(
            pageAction('open', async () => null),
            open,
          )
        )('another')
      ).page.data,
    ).toMatchObject({ view: 'door' })
    expect((await (await sendDocument(members, elsewhere, true))('another')).page).toBeInstanceOf(Response)
  })

  test.each([
    ['returns from the login', ''],
    ['was loaded before a login on another page', 'of the session before'],
  ])('is filled in again when it %s, with a token that is valid now', async (_, csrf) => {
    const visitor = visitorWith({ '__Host-csrf': 'of the session before' })
    const context = contextOf(visitor)
    context.set(ctxContext, { ...context.get(ctxContext), locale: 'en', viewer: { id: 1 } as never })
    const request = (headers: Record<string, string>, body: Record<string, string>) =>
      new Request(`${origin}/en/sell`, { method: 'POST', headers, body: new URLSearchParams(body) })
    const sent = { 'Sec-Fetch-Site': 'same-origin' }
    const answer = await members({ request: request(sent, { csrf, name: 'Lakshmi' }), params: {}, context })
    const { refused } = answer.data
    expect(refused).toMatchObject({ code: 'CSRF_REJECTED', typed: { name: 'Lakshmi' } })
    expect(refused?.detail).toBe('Everything you wrote is here. Please check it and send it once more.')
    expect(new Headers(answer.init?.headers).get('set-cookie')).toContain(`__Host-csrf=${refused!.csrf}`)
    expect((await open({ request: request({}, {}), params: {}, context })).data.csrf).toBe(refused!.csrf)
    const again = { csrf: refused!.csrf!, name: 'Lakshmi' }
    expect((await members({ request: request(sent, again), params: {}, context })).data.refused).toBeUndefined()
  })

  test.each([{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }, {}])(
    'with a wrong token gets no other one unless the browser names our page: %o',
    async (headers) => {
      const context = contextOf(visitorWith({ '__Host-csrf': token }))
      const request = new Request(`${origin}/en/sell`, {
        method: 'POST',
        headers: headers as HeadersInit,
        body: new URLSearchParams({ csrf: 'x' }),
      })
      const { data, init } = await pageAction('open', async () => {})({ request, params: {}, context })
      expect(data.refused?.code).toBe('CSRF_REJECTED')
      expect(data.refused?.csrf).toBeUndefined()
      expect(new Headers(init?.headers).get('set-cookie')).toBeNull()
    },
  )
})
