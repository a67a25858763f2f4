import { sql, type SQL } from 'drizzle-orm'
import { RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import { ctxContext, siteContext, visitorContext, type Site } from '#src/kit/context.ts'
import { cookieNamesFor } from '#src/kit/base/cookies.server.ts'
import { ORIGIN, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { TestBrowser } from '#tools/test-kit/test-browser.ts'
import { codeSentTo, shareTestOutbox, wrongCode } from '#tools/test-kit/test-auth-client.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { knownPeople } from '../known-devices.server.ts'
import { loader as logoutLoader } from '#src/accounts/sign-in/logout-page.tsx'
import { registerByApi, userForm } from '#tools/test-kit/register-by-api.ts'
import { PASSWORD } from '#tools/test-kit/test-people.ts'
import { phoneKey } from './otp-limits.server.ts'

let app: TestApp
let lastPhone = 9_300_000_000
const newPhone = () => `+91${(lastPhone += 10_001)}`
shareTestApp((opened) => (app = opened))
shareTestOutbox(() => app.ctx)

const NEW_PASSWORD = 'வெள்ளை ஆடு நான்கு'

const register = (phone: string, changes?: object, browser?: TestBrowser) => registerByApi(app, phone, changes, browser)

describe('every identity call', () => {
  const calls: [string, string, unknown][] = [
    ['POST', '/login', { username: '+919200000000', password: 'x' }],
    ['POST', '/user', userForm('+919200000000')],
    ['PUT', '/userprofile/id=1', { otp: '123456', verify_otp: true }],
    ['PATCH', '/init-forgot-password/userphone=+919200000000', undefined],
    ['PATCH', '/reset-password/userphone=+919200000000', { otp: '123456', password: NEW_PASSWORD }],
    ['POST', '/auth/reset', { phone: '+919200000000' }],
    ['POST', '/auth/otp/resend', {}],
    ['POST', '/auth/password', { old_password: 'x', new_password: NEW_PASSWORD }],
    ['DELETE', '/auth/sessions/id=1', undefined],
    ['POST', '/validatesession', undefined],
    ['POST', '/logout', undefined],
  ]
  const counted = () =>
    query(
      sql`select (select count(*) from users) u, (select count(*) from sessions) s, (select count(*) from pending_registrations) p, (select count(*) from otps) o, (select count(*) from outbox) m`,
    )

  test.each(calls)('%s %s refuses cross-site requests before any other check', async (method, path, json) => {
    const before = await counted()
    const options = { method, ...(json !== undefined && { json }) }
    expect(await app.refused(`/api/v1${path}`, options)).toBe('403 CSRF_REJECTED')
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]
    for (const headers of elsewhere)
      expect(await app.refused(`/api/v1${path}`, { ...options, csrf: true, headers })).toBe('403 CSRF_REJECTED')
    expect(await counted()).toEqual(before)
  })

  test.each(calls)('%s %s accepts only its method and content type', async (method, path, json) => {
    const text = json === undefined ? 'x=1' : JSON.stringify(json)
    const plain = { method, csrf: true, body: text, headers: { 'content-type': 'text/plain' } }
    expect(await app.refused(`/api/v1${path}`, plain)).toBe('415 UNSUPPORTED_TYPE')
    if (json === undefined) return
    const json415 = { method, csrf: true, body: '{"broken', headers: { 'content-type': 'application/json' } }
    const isPersonal = path === '/auth/password'
    expect(await app.refused(`/api/v1${path}`, json415)).toBe(isPersonal ? '401 AUTH_REQUIRED' : '400 MALFORMED')
    if (!isPersonal)
      expect(await app.refused(`/api/v1${path}`, { ...json415, body: JSON.stringify({ ...(json as object), surprise: 1 }) })).toBe(
        '422 VALIDATION',
      )
  })

  test.each(['GET', 'PUT', 'DELETE'])('%s /login is not allowed', async (method) => {
    expect(await app.refused('/api/v1/login', { method, csrf: true })).toBe('405 METHOD_NOT_ALLOWED')
  })

  test('every cookie has the __Host- prefix, Secure and SameSite=Lax, and all but the CSRF token are HttpOnly', async () => {
    const phone = newPhone()
    const browser = await register(phone)
    await browser.call('POST', '/logout')
    await forgetSends()
    await browser.call('POST', '/auth/reset', { phone })
    await browser.call('PATCH', `/reset-password/userphone=${phone}`, { otp: await codeSentTo(app.ctx, phone), password: NEW_PASSWORD })
    const names = new Set<string>()
    for (const line of browser.sent) {
      const [name = ''] = line.split('=')
      names.add(name)
      // The logout deletes the referral code, which is no secret.
      expect(line).toMatch(/^(__Host-(sid|csrf|reg|rst|known)=|refcode=;)/)
      expect(line).toMatch(/; Path=\/(;|$)/)
      expect(line).toMatch(/; Secure(;|$)/)
      expect(line).toMatch(/; SameSite=Lax(;|$)/)
      expect(line).not.toMatch(/Domain/i)
      expect(/HttpOnly/.test(line)).toBe(name !== '__Host-csrf')
    }
    expect([...names].sort()).toEqual(['__Host-csrf', '__Host-known', '__Host-reg', '__Host-rst', '__Host-sid', 'refcode'])
  })
})

describe('the token of a known browser', () => {
  test('is set by registration, login and reset for a year, is new for each, and stays at logout', async () => {
    const phone = newPhone()
    const json = { username: phone, password: PASSWORD }
    const browser = await register(phone)
    const mark = browser.cookies['__Host-known']
    expect(mark).toMatch(/^[\w-]{43}$/)
    await browser.call('POST', '/logout')
    expect(browser.cookies['__Host-known']).toBe(mark)
    expect(await browser.says('POST', '/login', json)).toBe('200')
    expect(browser.cookies['__Host-known']).toBe(mark)
    const other = new TestBrowser(app)
    expect(await other.says('POST', '/login', json)).toBe('200')
    expect(other.cookies['__Host-known']).not.toBe(mark)
    expect(other.sent.find((line) => line.startsWith('__Host-known='))).toContain(`Max-Age=${365 * 86_400}`)
    await forgetSends()
    const third = new TestBrowser(app)
    await third.call('POST', '/auth/reset', { phone })
    await third.call('PATCH', `/reset-password/userphone=${phone}`, { otp: await codeSentTo(app.ctx, phone), password: NEW_PASSWORD })
    expect(third.cookies['__Host-known']).toMatch(/^[\w-]{43}$/)
  })

  test('lets its owner log in after too many tries by strangers; another browser is asked for a code', async () => {
    const phone = newPhone()
    const json = { username: phone, password: PASSWORD }
    const browser = await register(phone)
    const mark = browser.cookies['__Host-known']!
    await browser.call('POST', '/logout')
    await forgetSends()
    const number = phoneKey(app.ctx, phone)
    await query(sql`insert into limit_counts (key, points, expire) values (${`loginPhone:${number}`}, 100, now() + interval '1 hour')`)
    expect(await browser.says('POST', '/login', json)).toBe('200')
    const other = new TestBrowser(app)
    const asked = await other.call('POST', '/login', json)
    expect([asked.status, await asked.json()]).toEqual([202, { otp: '', otp_length: 6, expires_in: 600, resend_after: 60 }])
    expect(await other.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
    const otp = await codeSentTo(app.ctx, phone)
    expect(await other.says('PUT', '/login-code', { otp: wrongCode(otp) })).toBe('422 OTP_WRONG')
    expect(await new TestBrowser(app).says('PUT', '/login-code', { otp })).toBe('422 OTP_EXPIRED')
    expect(await other.says('PUT', '/login-code', { otp })).toBe('200')
    expect(await other.says('POST', '/validatesession')).toBe('200')
    expect(other.cookies['__Host-known']).not.toBe(mark)
  })

  test.each([
    ['a reset', (phone: string) => reset(phone)],
    [
      'a change of the password',
      (_: string, browser: TestBrowser) => browser.call('POST', '/auth/password', { old_password: PASSWORD, new_password: NEW_PASSWORD }),
    ],
    [
      'the end of its session in the list',
      async (_: string, browser: TestBrowser) => {
        const sessions = (await (await browser.call('GET', '/auth/sessions')).json()) as { id: number; is_this: boolean }[]
        for (const { id, is_this } of sessions) if (!is_this) await browser.call('DELETE', `/auth/sessions/id=${id}`)
      },
    ],
  ])('ends with %s; the browser that did it stays known', async (_, act) => {
    const phone = newPhone()
    const lost = await register(phone)
    const kept = new TestBrowser(app)
    await kept.call('POST', '/login', { username: phone, password: PASSWORD })
    await forgetSends()
    const did = (await act(phone, kept)) as TestBrowser | Response | undefined
    const own = did instanceof TestBrowser ? did : kept
    expect((await knownPeople(app.ctx, lost.cookies['__Host-known'])).map((person) => person.phone)).toEqual([])
    expect((await knownPeople(app.ctx, own.cookies['__Host-known'])).map((person) => person.phone)).toEqual([phone])
  })

  test('ends with a new phone number, and so do all other sessions', async () => {
    const [old, phone] = [newPhone(), newPhone()]
    const elsewhere = await register(old)
    const here = new TestBrowser(app)
    const { id } = (await (await here.call('POST', '/login', { username: old, password: PASSWORD })).json()) as { id: number }
    await here.call('POST', `/userprofile/id=${id}`, { phone, password: PASSWORD })
    const otp = await codeSentTo(app.ctx, phone)
    expect(await here.says('POST', `/userprofile/id=${id}`, { phone, password: PASSWORD, otp })).toBe('200')
    expect(await here.says('POST', '/validatesession')).toBe('200')
    expect(await elsewhere.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
    const known = async (browser: TestBrowser) => (await knownPeople(app.ctx, browser.cookies['__Host-known'])).length
    expect([await known(here), await known(elsewhere)]).toEqual([1, 0])
  })

  async function reset(phone: string): Promise<TestBrowser> {
    const browser = new TestBrowser(app)
    await browser.call('POST', '/auth/reset', { phone })
    await browser.call('PATCH', `/reset-password/userphone=${phone}`, { otp: await codeSentTo(app.ctx, phone), password: NEW_PASSWORD })
    return browser
  }

  test('a login with a browser that is new to the person sends an SMS, other logins do not; a family shares one token', async () => {
    const [phone, mother] = [newPhone(), newPhone()]
    const notified = async (to: string) =>
      (await listMessages(app.ctx)).filter(({ recipient, template }) => recipient === to && template === 'login-new-device')
    const browser = await register(phone)
    const hers = await register(mother)
    expect([...(await notified(phone)), ...(await notified(mother))]).toEqual([])
    await browser.call('POST', '/login', { username: phone, password: PASSWORD })
    expect(await notified(phone)).toEqual([])
    const mark = browser.cookies['__Host-known']
    for (const username of [mother, phone, mother]) await browser.call('POST', '/login', { username, password: PASSWORD })
    expect(browser.cookies['__Host-known']).toBe(mark)
    expect(await notified(phone)).toEqual([])
    expect(await notified(mother)).toHaveLength(1)
    // A login ends the other person's session in this browser; their session in their own browser stays.
    expect(await hers.says('POST', '/validatesession')).toBe('200')
    for (let n = 0; n < 7; n++) await new TestBrowser(app).call('POST', '/login', { username: phone, password: PASSWORD })
    // The number of SMS a day is limited.
    expect(await notified(phone)).toHaveLength(5)
    // It counts messages, not browsers: those that lost their places, or are known since yesterday, change nothing.
    await app.ctx.db.execute(sql`update known_devices set created_at = created_at - interval '2 days'`)
    await new TestBrowser(app).call('POST', '/login', { username: phone, password: PASSWORD })
    expect(await notified(phone)).toHaveLength(5)
  })

  test('grants no access on its own', async () => {
    const browser = await register(newPhone())
    await browser.call('POST', '/logout')
    expect(browser.cookies['__Host-known']).toBeDefined()
    expect(await browser.says('POST', '/validatesession')).toBe('401 AUTH_REQUIRED')
  })
})

test.each([
  ['same-origin', true],
  ['cross-site', false],
  ['same-site', false],
  // Typed into the address bar.
  ['none', true],
  [null, false],
])(
  'the page that logs out automatically does so for a link of this site or a typed address, not for other sites: %s',
  async (site, isOwnWish) => {
    const context = new RouterContextProvider()
    context.set(ctxContext, app.ctx)
    context.set(siteContext, { env: { secret: app.secret } } as Site)
    const cookieNames = cookieNamesFor(ORIGIN, ORIGIN, 'demo')
    context.set(visitorContext, { cookies: {}, cookieNames, address: '', userAgent: '', hasSessionEnded: false })
    const request = new Request(`${ORIGIN}/logout`, { headers: site === null ? {} : { 'sec-fetch-site': site } })
    const args = { request, params: {}, context } as unknown as Parameters<typeof logoutLoader>[0]
    expect((await logoutLoader(args)).data.isOwnWish).toBe(isOwnWish)
  },
)

test('a code appears only in its SMS: in no response, header, log line or row', async () => {
  const phone = newPhone()
  const browser = new TestBrowser(app)
  const codes: string[] = []
  const noteCode = async () => void codes.push(await codeSentTo(app.ctx, phone))
  const { id } = (await (await browser.call('POST', '/user', userForm(phone))).json()) as { id: number }
  await noteCode()
  await forgetSends()
  await browser.call('POST', '/auth/otp/resend', {})
  await noteCode()
  await browser.call('PUT', `/userprofile/id=${id}`, { otp: wrongCode(codes[1]!), verify_otp: true })
  await browser.call('PUT', `/userprofile/id=${id}`, { otp: codes[1], verify_otp: true })
  await forgetSends()
  await browser.call('POST', '/auth/reset', { phone })
  await noteCode()
  await browser.call('PATCH', `/reset-password/userphone=${phone}`, { otp: codes[2], password: 'short' })
  await browser.call('PATCH', `/reset-password/userphone=${phone}`, { otp: codes[2], password: NEW_PASSWORD })
  expect(await browser.says('POST', '/validatesession')).toBe('200')
  const rows = await everyRow()
  for (const code of codes) {
    // A match inside a longer number or in a timestamp's microseconds does not count.
    const stands = new RegExp(`(?<![.\\d])${code}(?!\\d)`)
    expect(browser.bodies.filter((body) => stands.test(body))).toEqual([])
    expect(app.logged.filter((line) => stands.test(JSON.stringify(line)))).toEqual([])
    expect(rows.filter((row) => stands.test(row))).toEqual([])
  }
  expect(rows.some((row) => row.includes(phone))).toBe(true)
  expect(app.logged.filter((line) => JSON.stringify(line).includes(phone.slice(3)))).toEqual([])
})

/** The whole database as text, including bytes. Leaves out PIN codes, which are six digits, too. */
async function everyRow(): Promise<string[]> {
  const tables = await query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'pincodes'`,
  )
  const all: string[] = []
  for (const { name } of tables) {
    for (const row of await query(sql`select * from ${sql.identifier(name)}`)) all.push(Object.entries(row).map(asText).join('\n'))
  }
  return all
}

const asText = ([column, value]: [string, unknown]) =>
  `${column}: ${value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value)}`

async function query<T extends object = Record<string, unknown>>(statement: SQL): Promise<T[]> {
  const { rows } = (await app.ctx.db.execute(statement)) as unknown as { rows: T[] }
  return rows
}

/** Allows the next code at once, as a minute of time would. */
const forgetSends = () => query(sql`delete from limit_counts where key like 'otpPhone%'`)
