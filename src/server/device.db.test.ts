import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { FOR_OUTBOX } from '#src/kit/http/market-answer.ts'
import { openTestApp, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { addDevice } from './device.server.ts'
import type { AppEnv } from './request.server.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))

const ownerOf = async (as?: Awaited<ReturnType<typeof makeUser>>) =>
  (await app.call('/api/v1/user-title', { ...(as && { as }) })).headers.get('x-copy-owner')

test('each answer names its copy owner: a stable mark per person, distinct between people, none for anonymous visitors', async () => {
  const [one, other] = [await makeUser(app.ctx), await makeUser(app.ctx)]
  const mark = await ownerOf(one)
  expect(mark).toMatch(/^[\w-]{16}$/)
  expect(await ownerOf(one)).toBe(mark)
  expect(await ownerOf(other)).not.toBe(mark)
  expect(await ownerOf()).toBe('-')
})

test('the outbox reads an accepted form as 204, and one that needs a login as 401; a browser follows the redirect', async () => {
  const site = new Hono<AppEnv>()
  addDevice(site, app.market)
  site.post('/orders', (c) => c.redirect('/orders'))
  site.post('/login', (c) => c.redirect('/en/login?next=%2Forders'))
  const statusOf = async (path: string, headers = {}) => (await site.request(path, { method: 'POST', headers })).status
  const outbox = { [FOR_OUTBOX]: '1' }
  expect([await statusOf('/orders', outbox), await statusOf('/login', outbox), await statusOf('/orders')]).toEqual([204, 401, 302])
  expect(await statusOf('/nowhere', outbox)).toBe(404)
})

test('the token of a login lasts as long as its session, a visitor’s only until the browser is closed', async () => {
  const cookieOf = async (as?: Awaited<ReturnType<typeof makeUser>>) =>
    (await app.call('/api/v1/csrf', { ...(as && { as }) })).headers.getSetCookie().find((cookie) => cookie.includes('csrf='))
  expect(await cookieOf()).not.toContain('Max-Age')
  expect(await cookieOf(await makeUser(app.ctx))).toContain(`Max-Age=${90 * 86_400}`)
})

test.each(['/manifest.webmanifest', '/en/manifest.webmanifest'])(
  '%s has everything that phones require before they install an app',
  async (path) => {
    const response = await app.fetch(path, {})
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/manifest+json; charset=utf-8'])
    const manifest = (await response.json()) as Record<string, string> & {
      icons: { src: string; sizes: string; purpose: string }[]
      shortcuts: { name: string; url: string }[]
      share_target: { action: string }
    }
    const start = path.startsWith('/en') ? '/en' : '/'
    expect(manifest).toMatchObject({ id: '/', scope: '/', display: 'standalone', start_url: start })
    expect([manifest.name, manifest.short_name].every((name) => name!.length > 0 && name!.length <= 30)).toBe(true)
    expect(manifest.shortcuts.map(({ url }) => url)).toEqual(
      ['/sell', '/buy/0', '/orders'].map((url) => (start === '/' ? url : `/en${url}`)),
    )
    for (const { src, sizes } of manifest.icons) {
      const { width, height } = await sharp(readFileSync(join(projectRoot, 'public', src))).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    expect(new Set(manifest.icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`)).size).toBe(4)
    // Without a worker the form opens all the same.
    const shared = await app.fetch(manifest.share_target.action, { method: 'POST', body: new FormData() })
    expect([shared.status, shared.headers.get('location')]).toEqual([303, start === '/' ? '/sell' : '/en/sell'])
  },
)

test('a site without offline copies sends a worker that removes itself and connects to our origin only', async () => {
  const without = await openTestApp({ hasOfflineCopies: false })
  const response = await without.fetch('/sw.js', {})
  const worker = await response.text()
  expect([response.status, worker.includes('registration.unregister()')]).toEqual([200, true])
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  await without.close()
})
