import { describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { settings } from '#src/kit/db/tables.ts'
import { openTestApp, ORIGIN, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))

describe('security.txt', () => {
  test('tells how to report a vulnerability, as in RFC 9116, with the address that admins have set', async () => {
    const setById = (await makeUser(app.ctx)).id
    const value = { ...defaultSettings.contact, mail: 'hole@sandhai.example' }
    await app.ctx.db.insert(settings).values({ key: 'contact', value, setById, setAt: new Date() })
    const response = await app.fetch('/.well-known/security.txt', {})
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
    const lines = (await response.text()).trimEnd().split('\n')
    const [expires] = lines.filter((line) => line.startsWith('Expires: '))
    expect(lines.filter((line) => line !== expires)).toEqual([
      'Contact: mailto:hole@sandhai.example',
      `Contact: ${ORIGIN}/en/support`,
      'Preferred-Languages: ta, en',
      `Canonical: ${ORIGIN}/.well-known/security.txt`,
    ])
    const days = (Date.parse(expires!.slice('Expires: '.length)) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(90)
    expect(days).toBeLessThan(365)
  })
})

describe('change-password', () => {
  const target = async (options: Parameters<TestApp['call']>[1]) => {
    const response = await app.call('/.well-known/change-password', options)
    return [response.status, response.headers.get('location')]
  }

  test('redirects to the password of the profile, and without a login to the reset by code', async () => {
    const person = await makeUser(app.ctx)
    expect(await target({ as: person })).toEqual([302, `/userprofile/${person.id}?change=password#profile-password-title`])
    expect(await target({})).toEqual([302, '/reset-password'])
    expect(await target({ headers: { cookie: 'lang=en' } })).toEqual([302, '/en/reset-password'])
  })
})

describe('TRUSTED_PROXIES', () => {
  const ask = (site: TestApp, remoteAddress: string, forwarded?: string) =>
    site.fetch('/api/v1/user-title', { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }, remoteAddress)

  test.each([
    ['0 behind a proxy is logged once', 0, '127.0.0.1', '203.0.113.9', 1],
    ['0 behind a proxy of the same network is logged once', 0, '::ffff:10.1.2.3', '203.0.113.9', 1],
    ['0 is correct when a visitor forges the header', 0, '203.0.113.5', '203.0.113.9', 0],
    ['0 is correct without a proxy', 0, '127.0.0.1', undefined, 0],
    ['1 is correct behind a proxy', 1, '127.0.0.1', '203.0.113.9', 0],
    ['1 without a proxy is logged once', 1, '203.0.113.5', undefined, 1],
  ])('%s', async (_, trustedProxies, remote, forwarded, count) => {
    const site = await openTestApp({ trustedProxies })
    try {
      for (let turn = 0; turn < 3; turn += 1) await ask(site, remote, forwarded)
      expect(site.logged.filter(({ level, msg }) => level === 40 && String(msg).startsWith('TRUSTED_PROXIES is'))).toHaveLength(count)
    } finally {
      await site.close()
    }
  })
})
