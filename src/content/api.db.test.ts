import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { openTestApp, type CallOptions, type TestApp } from '#src/testing/test-app.ts'
import { newsletterSubscribers } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
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
  test('notes the address in lower case and sends one mail in the reader’s language', async () => {
    const response = await ask(good, { language: 'ta-IN,ta;q=0.9' })
    expect([response.status, await response.text()]).toEqual([200, '{"rows":1}'])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await app.ctx.db.select().from(outbox)).toMatchObject([{ recipient: 'selvi@example.com', locale: 'ta' }])
  })

  test('answers the same for an address that is new, waiting, subscribed or gone', async () => {
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

  test('takes it from people who are logged in, too', async () => {
    for (const typeId of [1, 2, 5, 9]) {
      expect((await ask({ ...good, email: `type${typeId}@example.com` }, { as: await makeUser(app.ctx, { typeId }) })).status).toBe(200)
    }
  })

  test.each<[string, CallOptions]>([
    ['without a token', { csrf: false }],
    ['from another site', { headers: { Origin: 'https://evil.example' } }],
    ['from another site, as browsers say it', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
    ['with a forged token', { csrf: false, headers: { cookie: '__Host-csrf=a.b', 'X-CSRFToken': 'a.b' } }],
  ])('is refused %s, and nothing is stored', async (_, options) => {
    expect(await app.refused(path, { method: 'POST', csrf: true, json: good, ...options })).toBe('403 CSRF_REJECTED')
    expect(await stored()).toEqual(nothing)
  })

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['no address', { consent: true }],
    ['no consent', { email: good.email }],
    ['null', { email: null, consent: true }],
    ['a list', { email: [good.email], consent: true }],
    ['an object', { email: { a: 1 }, consent: true }],
    ['a number', { email: 7, consent: true }],
    ['an empty address', { email: '', consent: true }],
    ['no address at all', { email: 'selvi', consent: true }],
    ['300 characters', { email: `${'a'.repeat(288)}@example.com`, consent: true }],
    ['another header', { email: 'selvi@example.com\r\nBcc: all@example.com', consent: true }],
    ['a NUL', { email: 'selvi\u0000@example.com', consent: true }],
    ['half a character', { email: 'selvi\ud800@example.com', consent: true }],
    ['two addresses', { email: 'selvi@example.com,bala@example.com', consent: true }],
    ['a name and an address', { email: 'Selvi <selvi@example.com>', consent: true }],
    ['no to the consent', { ...good, consent: false }],
    ['a consent in words', { ...good, consent: 'true' }],
    ['a consent as number', { ...good, consent: 1 }],
    ['a consent of null', { ...good, consent: null }],
    ['a key that is none', { ...good, is_staff: true }],
    ['JSON that is no object: null', null],
    ['JSON that is no object: a list', [good]],
    ['JSON that is no object: a text', 'selvi@example.com'],
  ])('with %s is not valid', async (_, json) => {
    const response = await ask(json)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'VALIDATION'])
    expect(await stored()).toEqual(nothing)
  })

  test('names the fields that are wrong', async () => {
    const response = await ask({ email: 'selvi', consent: false })
    expect(((await response.json()) as { fields: { field: string }[] }).fields.map(({ field }) => field).sort()).toEqual([
      'consent',
      'email',
    ])
  })

  test('takes letters of every script, and does not take one for the other', async () => {
    for (const email of ['செல்வி@சந்தை.இந்தியா', 'ѕelvi@example.com', 'selvi@example.com'])
      expect((await ask({ ...good, email })).status).toBe(200)
    expect(await stored()).toEqual({ subscribers: 3, mails: 3 })
  })

  test.each(['', '{', '{"email":"selvi@example.com","consent":true', 'email=selvi', '{"email":"\n"}', "{'email':1}", '{}{}', 'undefined'])(
    'with %j cannot be read',
    async (body) => expect(await sendText(body, 'application/json')).toBe('400 MALFORMED'),
  )

  test('with bytes that are no UTF-8 cannot be read', async () => {
    const body = Buffer.from([...Buffer.from('{"email":"'), 0xff, 0xfe, ...Buffer.from('@example.com","consent":true}')])
    const response = await ask(undefined, { body: body as unknown as string, headers: { 'Content-Type': 'application/json' } })
    expect(response.status).toBe(400)
    expect(await stored()).toEqual(nothing)
  })

  test('is not confused by a prototype, nor by depth', async () => {
    expect(await sendText('{"__proto__":{"consent":true},"email":"selvi@example.com"}', 'application/json')).toBe('422 VALIDATION')
    for (const depth of [30, 30_000]) {
      expect(await sendText(`{"email":${'['.repeat(depth)}${']'.repeat(depth)},"consent":true}`, 'application/json')).toBe('422 VALIDATION')
    }
    expect(await sendText('['.repeat(60_000), 'application/json')).toBe('422 VALIDATION')
    // A text that looks like depth, and one that a careless pattern would chew on for minutes.
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
  ])('as %s is of the wrong type, before anything else is looked at', async (type) => {
    expect(await sendText(JSON.stringify(good), type)).toBe('415 UNSUPPORTED_TYPE')
    expect(await app.refused(path, { method: 'POST', body: '{', ...(type && { headers: { 'Content-Type': type } }) })).toBe(
      '415 UNSUPPORTED_TYPE',
    )
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])('as %s is taken', async (type) => {
    expect((await ask(good, { headers: { 'Content-Type': type } })).status).toBe(200)
  })

  test('of more than 64 KB is too large', async () => {
    const fill = (bytes: number) => JSON.stringify(good).padEnd(bytes)
    expect(await sendText(fill(64 * 1024 + 1), 'application/json')).toBe('413 TOO_LARGE')
    expect((await ask(undefined, { body: fill(64 * 1024), headers: { 'Content-Type': 'application/json' } })).status).toBe(200)
  })

  test('passes three times a day from one address, slips not counted, and says when to come back', async () => {
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

  test('that is never right is stopped, too, when it comes in floods', async () => {
    const address = '192.0.2.58'
    const statuses = new Set<number>()
    for (let n = 0; n < 130; n++) statuses.add((await ask({}, { address })).status)
    expect([...statuses].sort()).toEqual([422, 429])
    expect((await ask(good, { address })).status).toBe(429)
    expect((await ask(good, { address: '192.0.2.59' })).status).toBe(200)
  })

  test('is not counted for another site that makes its visitors ask', async () => {
    const address = '192.0.2.57'
    for (let n = 0; n < 5; n++)
      await app.refused(path, { method: 'POST', json: good, address, headers: { Origin: 'https://evil.example' } })
    expect((await ask(good, { address })).status).toBe(200)
  })

  test('of a live site without a mail server is not available, and nothing is stored', async () => {
    const live = await openTestApp({ mode: 'live', smtpUrl: null })
    expect(await live.refused(path, { method: 'POST', csrf: true, json: good })).toBe('503 UNAVAILABLE')
    expect(await live.ctx.db.select().from(newsletterSubscribers)).toEqual([])
    await live.close()
  })

  test('leaves no address in the log', async () => {
    await ask({ ...good, email: 'secret-person@example.com' })
    await ask({ ...good, email: 'secret-person@@example.com' })
    expect(JSON.stringify(app.logged)).not.toContain('secret-person')
  })
})
