import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { type CallOptions, openTestApp, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { newsletterSubscribers } from '#src/content/tables.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))
beforeEach(async () => {
  await app.ctx.db.delete(outbox)
  await app.ctx.db.delete(newsletterSubscribers)
})

const path = '/api/v1/newsletter'
const good = { email: 'Selvi@Example.com', consent: true }
const ask = (json: unknown, options: CallOptions = {}) => app.call(path, { method: 'POST', csrf: true, json, ...options })
const sendText = (body: string, type?: string) =>
  app.refused(path, { method: 'POST', csrf: true, body, headers: type === undefined ? {} : { 'Content-Type': type } })
const stored = async () => ({
  subscribers: (await app.ctx.db.select().from(newsletterSubscribers)).length,
  mails: (await app.ctx.db.select().from(outbox)).length,
})
const nothing = { subscribers: 0, mails: 0 }

describe('POST newsletter', () => {
  test('stores the address in lower case and sends one mail in the reader’s language', async () => {
    const response = await ask(good, { language: 'ta-IN,ta;q=0.9' })
    expect([response.status, await response.text()]).toEqual([200, '{"rows":1}'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await app.ctx.db.select().from(outbox)).toMatchObject([{ recipient: 'selvi@example.com', locale: 'ta' }])
  })

  test('answers new, waiting, subscribed and former addresses alike', async () => {
    const facts = async () => {
      const response = await ask(good)
      const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(response.headers)
      return [response.status, await response.text(), headers]
    }
    const fresh = await facts()
    expect(await facts()).toEqual(fresh)
    await app.ctx.db.update(newsletterSubscribers).set({ confirmedAt: new Date() })
    expect(await facts()).toEqual(fresh)
    await app.ctx.db.update(newsletterSubscribers).set({ unsubscribedAt: new Date() })
    expect(await facts()).toEqual(fresh)
  })

  test('accepts a subscription from logged-in people', async () => {
    for (const typeId of [1, 2, 5, 9]) {
      expect((await ask({ ...good, email: `type${typeId}@example.com` }, { as: await makeUser(app.ctx, { typeId }) })).status).toBe(200)
    }
  })

  test.each<[string, CallOptions]>([
    ['without a token', { csrf: false }],
    ['from another site', { headers: { Origin: 'https://evil.example' } }],
    ['from another site, by Sec-Fetch-Site', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['with a forged token', { csrf: false, headers: { cookie: '__Host-csrf=a.b', 'X-CSRFToken': 'a.b' } }],
  ])('refuses a subscription %s and stores nothing', async (_, options) => {
    expect(await app.refused(path, { method: 'POST', csrf: true, json: good, ...options })).toBe('403 CSRF_REJECTED')
    expect(await stored()).toEqual(nothing)
  })

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['a missing address', { consent: true }],
    ['a missing consent', { email: good.email }],
    ['null', { email: null, consent: true }],
    ['a list', { email: [good.email], consent: true }],
    ['an object', { email: { a: 1 }, consent: true }],
    ['a number', { email: 7, consent: true }],
    ['an empty address', { email: '', consent: true }],
    ['an address without @', { email: 'selvi', consent: true }],
    ['300 characters', { email: `${'a'.repeat(288)}@example.com`, consent: true }],
    ['an injected header', { email: 'selvi@example.com\r\nBcc: all@example.com', consent: true }],
    ['a NUL alone', { email: '\u0000', consent: true }],
    ['two addresses', { email: 'selvi@example.com,bala@example.com', consent: true }],
    ['a name and two addresses', { email: 'Selvi <selvi@example.com> <bala@example.com>', consent: true }],
    ['a declined consent', { ...good, consent: false }],
    ['a consent as text', { ...good, consent: 'true' }],
    ['a consent as number', { ...good, consent: 1 }],
    ['a consent of null', { ...good, consent: null }],
    ['an unknown key', { ...good, is_staff: true }],
    ['JSON null', null],
    ['a JSON list', [good]],
    ['a JSON string', 'selvi@example.com'],
  ])('refuses %s as invalid', async (_, json) => {
    const response = await ask(json)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'VALIDATION'])
    expect(await stored()).toEqual(nothing)
  })

  test('names the invalid fields', async () => {
    const response = await ask({ email: 'selvi', consent: false })
    expect(((await response.json()) as { fields: { field: string }[] }).fields.map(({ field }) => field).sort()).toEqual([
      'consent',
      'email',
    ])
  })

  test('accepts letters of every script and does not confuse similar ones', async () => {
    for (const email of ['செல்வி@சந்தை.இந்தியா', 'ѕelvi@example.com', 'selvi@example.com'])
      expect((await ask({ ...good, email })).status).toBe(200)
    expect(await stored()).toEqual({ subscribers: 3, mails: 3 })
  })

  test.each(['', '{', '{"email":"selvi@example.com","consent":true', 'email=selvi', '{"email":"\n"}', "{'email':1}", '{}{}', 'undefined'])(
    'refuses the body %j as unreadable',
    async (body) => expect(await sendText(body, 'application/json')).toBe('400 MALFORMED'),
  )

  test('refuses bytes that are not UTF-8', async () => {
    const body = Buffer.from([...Buffer.from('{"email":"'), 0xff, 0xfe, ...Buffer.from('@example.com","consent":true}')])
    const response = await ask(undefined, { body: body as unknown as string, headers: { 'Content-Type': 'application/json' } })
    expect(response.status).toBe(400)
    expect(await stored()).toEqual(nothing)
  })

  test('withstands prototype keys and deep nesting', async () => {
    expect(await sendText('{"__proto__":{"consent":true},"email":"selvi@example.com"}', 'application/json')).toBe('422 VALIDATION')
    for (const depth of [30, 30_000]) {
      expect(await sendText(`{"email":${'['.repeat(depth)}${']'.repeat(depth)},"consent":true}`, 'application/json')).toBe('422 VALIDATION')
    }
    expect(await sendText('['.repeat(60_000), 'application/json')).toBe('422 VALIDATION')
    // A string that looks like deep nesting, and one that makes a careless pattern backtrack for minutes.
    expect(await sendText(JSON.stringify({ email: '['.repeat(100), consent: true }), 'application/json')).toBe('422 VALIDATION')
    expect(await sendText(`"${'\\"'.repeat(30_000)}`, 'application/json')).toBe('400 MALFORMED')
    expect(await stored()).toEqual(nothing)
  })

  test.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/vnd.api+json',
    'application/json; charset=utf-16',
    '',
  ])('refuses content type %s before reading the body', async (type) => {
    expect(await sendText(JSON.stringify(good), type)).toBe('415 UNSUPPORTED_TYPE')
    expect(await app.refused(path, { method: 'POST', body: '{', ...(type && { headers: { 'Content-Type': type } }) })).toBe(
      '415 UNSUPPORTED_TYPE',
    )
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'accepts content type %s',
    async (type) => {
      expect((await ask(good, { headers: { 'Content-Type': type } })).status).toBe(200)
    },
  )

  test('refuses more than 64 KB as too large', async () => {
    const fill = (bytes: number) => JSON.stringify(good).padEnd(bytes)
    expect(await sendText(fill(64 * 1024 + 1), 'application/json')).toBe('413 TOO_LARGE')
    expect((await ask(undefined, { body: fill(64 * 1024), headers: { 'Content-Type': 'application/json' } })).status).toBe(200)
  })

  test('accepts three requests a day from one address, does not count invalid ones, and says when to retry', async () => {
    const address = '192.0.2.55'
    for (let n = 0; n < 3; n++) {
      expect((await ask({ ...good, email: 'selvi@' }, { address })).status).toBe(422)
      expect((await ask(good, { address })).status).toBe(200)
    }
    const response = await ask({ ...good, email: 'bala@example.com' }, { address })
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await ask(good, { address: '192.0.2.56' })).status).toBe(200)
    expect(await stored()).toEqual({ subscribers: 1, mails: 1 })
  })

  test('stops a flood of invalid requests, too', async () => {
    const address = '192.0.2.58'
    const statuses = new Set<number>()
    for (let n = 0; n < 130; n++) statuses.add((await ask({}, { address })).status)
    expect([...statuses].sort()).toEqual([422, 429])
    expect((await ask(good, { address })).status).toBe(429)
    expect((await ask(good, { address: '192.0.2.59' })).status).toBe(200)
  })

  test('does not count requests that another site makes its visitors send', async () => {
    const address = '192.0.2.57'
    for (let n = 0; n < 5; n++)
      await app.refused(path, { method: 'POST', json: good, address, headers: { Origin: 'https://evil.example' } })
    expect((await ask(good, { address })).status).toBe(200)
  })

  test('refuses and stores nothing when a live site has no mail server', async () => {
    const live = await openTestApp({ mode: 'live', smtpUrl: null })
    expect(await live.refused(path, { method: 'POST', csrf: true, json: good })).toBe('503 UNAVAILABLE')
    expect(await live.ctx.db.select().from(newsletterSubscribers)).toEqual([])
    await live.close()
  })

  test('logs no e-mail address', async () => {
    await ask({ ...good, email: 'secret-person@example.com' })
    await ask({ ...good, email: 'secret-person@@example.com' })
    expect(JSON.stringify(app.logged)).not.toContain('secret-person')
  })
})
