import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { startFakeMsg91, type FakeMsg91 } from '#tools/test-kit/fake-msg91.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { startPostgres } from '#tools/test-kit/postgres-server.ts'
import { asSite, SITE_ROLE } from '#tools/test-kit/site-role.ts'
import { allSmsTemplates } from '#tools/test-kit/sms-templates.ts'
import { withDatabase, prepare } from '#tools/test-kit/prepared.ts'
import { cleanUp, launchSite, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'

/**
 * The market as in production: live mode behind https, the SMS provider's own protocol, and the first admin from nothing, with plain forms
 * as a browser without JavaScript sends them.
 */
const ORIGIN = 'https://sandhai.test'
const PHONE = '9876543210'
const PASSWORD = 'காளை மாடு ஏழு'
const SMS = allSmsTemplates()

let postgres: PostgresServer
let sms: FakeMsg91
let site: SiteProcess
let variables: Record<string, string>
const cookies = new Map<string, string>()

beforeAll(async () => {
  postgres = await startPostgres()
  sms = await startFakeMsg91({ authKey: 'key-of-the-test', templates: SMS.templates })
  await withDatabase(postgres.url, ({ db }) => db.execute(`create role ${SITE_ROLE} login`))
  variables = {
    MARKET_MODE: 'live',
    DATABASE_URL: asSite(postgres.url),
    DATABASE_OWNER_URL: postgres.url,
    DATA_DIR: tempFolder(),
    PUBLIC_ORIGIN: ORIGIN,
    SESSION_SECRET: 'k3T9vQz7LmX2pRw8YbN4cHs6JdF1gA5eUoIyVtKrZBM',
    PEPPER: '9f1c7e4ab2d80563f7e91a4cc8b35d2670ae41fb98d3c516',
    SMS_PROVIDER: 'msg91',
    MSG91_BASE_URL: sms.url,
    MSG91_AUTH_KEY: 'key-of-the-test',
    MSG91_TEMPLATES: SMS.variable,
    LOG_LEVEL: 'error',
  }
  site = await startSite(variables)
})
afterAll(async () => {
  await cleanUp()
  await sms?.close()
  await postgres?.stop()
})

/** One browser: keeps its cookies, follows no redirect. */
async function ask(path: string, form?: Record<string, string>): Promise<{ status: number; location: string; html: string }> {
  const response = await fetch(site.origin + path, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      'X-Forwarded-Proto': 'https',
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form && { Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' }),
    },
    ...(form && { body: new URLSearchParams(form) }),
  })
  for (const line of response.headers.getSetCookie()) {
    expect(line).toMatch(/^__Host-\w+=|^lang=/)
    expect(line).toContain('Secure')
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!
    if (line.includes('Max-Age=0')) cookies.delete(name)
    else cookies.set(name, value)
  }
  return { status: response.status, location: response.headers.get('location') ?? '', html: await response.text() }
}

async function send(path: string, fields: Record<string, string>) {
  const { html } = await ask(path)
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1]
  expect(csrf, `${path} has a form`).toBeTruthy()
  return ask(path, { csrf: csrf!, ...fields })
}

test('a person registers with a code from the provider, becomes the first admin, and needs their authenticator from then on', async () => {
  const registered = await send('/en/register', {
    phone: PHONE,
    name: 'Selvi',
    typeId: '1',
    hasConsented: 'yes',
    step: 'start',
  })
  expect(registered.status, registered.html.match(/role="alert"[\s\S]{0,400}/)?.[0]).toBeLessThan(400)
  await expect.poll(() => sms.sent.length).toBe(1)
  expect(sms.refused).toEqual([])
  const { otp } = sms.sent[0]!.variables
  const verified = await send('/en/register', { step: 'verify', otp: otp! })
  expect(verified.status).toBe(302)
  expect((await ask('/en/admin/users')).status).toBe(403)

  const makeAdmin = () =>
    promisify(execFile)(process.execPath, [join(projectRoot, 'scripts/admin.ts'), '--phone', `+91${PHONE}`], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, ...variables },
    })
  // A code alone opens no desk: an admin needs a password.
  await expect(makeAdmin()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('has no password yet') })
  await send('/en/reset-password', { step: 'start', phone: PHONE })
  await expect.poll(() => sms.sent.length).toBe(2)
  const reset = await send('/en/reset-password', { step: 'save', phone: PHONE, otp: sms.sent[1]!.variables.otp!, password: PASSWORD })
  expect(reset.status, reset.html.match(/role="alert"[\s\S]{0,400}/)?.[0]).toBe(302)

  const { stdout } = await makeAdmin()
  const recoveryCodes = stdout.match(/\d{5}-\d{5}/g)!
  expect(new Set(recoveryCodes).size).toBe(10)
  // Becoming an admin ends the session.
  expect((await ask('/en/admin/users')).status).toBe(302)
  cookies.clear()

  const half = await send('/en/login', { phone: PHONE, password: PASSWORD })
  expect([half.status, half.location]).toEqual([302, expect.stringContaining('/en/login/second-step')])
  // The password alone opens no desk.
  expect((await ask('/en/admin/users')).status).toBe(302)
  // Nor does it show the secret: that needs a code by SMS first.
  const before = await ask('/en/login/second-step')
  expect(before.html).not.toContain('data:image/svg+xml')
  // A number gets three codes in fifteen minutes, so reset the limit.
  await withDatabase(postgres.url, ({ db }) => db.execute("delete from limit_counts where key like 'otpPhone%'"))
  expect((await send('/en/login/second-step', { act: 'send' })).status).toBe(302)
  await expect.poll(() => sms.sent.at(-1)!.templateId).toBe(SMS.idOf('otp-totp.en'))
  expect((await send('/en/login/second-step', { act: 'sms', otp: sms.sent.at(-1)!.variables.otp! })).status).toBe(302)
  const step = await ask('/en/login/second-step')
  expect(step.html).toContain('data:image/svg+xml')
  const secret = /<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(step.html)![1]!.replaceAll(' ', '')
  const wrong = await send('/en/login/second-step', { otp: '000000' })
  expect(wrong.status).toBe(422)
  const done = await send('/en/login/second-step', { otp: new TOTP({ secret }).generate() })
  expect(done.status).toBe(302)
  expect((await ask('/en/admin/users')).status).toBe(200)

  // The secret is not shown a second time.
  cookies.clear()
  await send('/en/login', { phone: PHONE, password: PASSWORD })
  expect((await ask('/en/login/second-step')).html).not.toContain('data:image/svg+xml')
  // A recovery code replaces the lost phone with the app.
  expect((await send('/en/login/second-step', { otp: recoveryCodes[3]! })).status).toBe(302)
  expect((await ask('/en/admin/users')).status).toBe(200)
})

test('a live market has no page of its messages and no sample animals', async () => {
  expect((await ask('/dev/outbox')).status).toBe(404)
  expect((await ask('/dev/outbox.json')).status).toBe(404)
  expect((await ask('/en/product/1')).status).toBe(404)
})

test("a live market refuses a demo's database, another PEPPER, and a missing template: one line, exit 1", async () => {
  const refusal = async (changes: Record<string, string>) => {
    const { code, err } = await launchSite({ ...variables, ...changes }).ended
    expect(code).toBe(1)
    return err
  }
  const url = new URL(postgres.url)
  await withDatabase(postgres.url, ({ db }) => db.execute('create database was_a_demo'))
  url.pathname = '/was_a_demo'
  await withDatabase(url.href, prepare)
  expect(await refusal({ DATABASE_URL: asSite(url.href), DATABASE_OWNER_URL: url.href, DATA_DIR: tempFolder() })).toEqual([
    'DATABASE_URL: this database holds a demo (its mark). MARKET_MODE live needs one of its own.',
  ])
  expect(await refusal({ PEPPER: '0d9e7b1c44fa8362f1e02b9ad57c6638be90af1274c5d3e8' })).toEqual([
    'PEPPER is not the one that this database was made with. Set the right one; nothing was changed.',
  ])
  expect(await refusal({ DATABASE_URL: postgres.url })).toEqual([
    'DATABASE_URL: its role may rewrite the audit trail. Give the site a role of its own, and the owner of the tables in DATABASE_OWNER_URL (README).',
  ])
  const [first, ...others] = SMS.variable.split(',')
  expect(await refusal({ MSG91_TEMPLATES: others.join() })).toEqual([`MSG91_TEMPLATES lacks ${first!.split('=')[0]}.`])
})
