import { eq, inArray } from 'drizzle-orm'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ctxContext, siteContext, type Ctx } from '#src/kit/context.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { readEnv, type Env } from '#src/kit/base/env.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { loader as jsonLoader } from './outbox-json.ts'
import OutboxPage, { loader } from './outbox-page.tsx'

let database: Database
let ctx: Ctx
const origin = 'https://sandhai.test'
const body =
  'வணக்கம் <b>Selvi</b>\nhttps://sandhai.test/newsletter/confirm?id=1&token=abc\njavascript:alert(1) data:text/html,x HTTPS"onclick=x'

beforeAll(async () => {
  database = await openDatabase({ databaseUrl: null, dataDir: '', memory: {} })
  await database.migrate()
  ctx = testCtx(database.db, { publicOrigin: origin })
  await queueMessage(ctx, { channel: 'sms', to: '+919000000001', template: 'otp', locale: 'ta', body: 'first' })
  await queueMessage(ctx, {
    channel: 'email',
    to: 'selvi@example.com',
    template: 'newsletter-confirm',
    locale: 'ta',
    subject: 'சந்தை',
    body,
  })
})
afterAll(() => database?.close())

function argsFor(changes: Partial<Env> = {}) {
  const context = new RouterContextProvider()
  context.set(ctxContext, ctx)
  context.set(siteContext, {
    env: { ...readEnv({ PUBLIC_ORIGIN: origin }), ...changes },
    limits: new RateLimits(1),
    media: null as never,
    contact: defaultSettings.contact,
    noteAway: () => {},
  })
  return { request: new Request(`${origin}/dev/outbox`), params: {}, context }
}

test('a live site has no page of sent messages, neither HTML nor JSON', async () => {
  for (const open of [loader, jsonLoader]) await expect(open(argsFor({ mode: 'live' }))).rejects.toMatchObject({ init: { status: 404 } })
})

test('the JSON lists recipient and text, newest first, and nothing else', async () => {
  const response = await jsonLoader(argsFor())
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual([
    { to: 'selvi@example.com', template: 'newsletter-confirm', locale: 'ta', text: body, sentAt: null },
    { to: '+919000000001', template: 'otp', locale: 'ta', text: 'first', sentAt: null },
  ])
})

test('messages come by the time of sending, waiting ones by that of writing', async () => {
  const sentAt = async (template: string, minutesAgo: number) =>
    ctx.db
      .update(outbox)
      .set({ sentAt: new Date(Date.now() - minutesAgo * 60_000) })
      .where(eq(outbox.template, template))
  await queueMessage(ctx, { channel: 'sms', to: '+919000000001', template: 'order-placed', locale: 'ta', body: 'waits' })
  await sentAt('otp', 1)
  await sentAt('newsletter-confirm', 5)
  const messages = (await (await jsonLoader(argsFor())).json()) as { template: string }[]
  expect(messages.map(({ template }) => template)).toEqual(['order-placed', 'otp', 'newsletter-confirm'])
  await ctx.db
    .update(outbox)
    .set({ createdAt: new Date(Date.now() - 3 * 60_000) })
    .where(eq(outbox.template, 'order-placed'))
  const later = (await (await jsonLoader(argsFor())).json()) as { template: string }[]
  expect(later.map(({ template }) => template)).toEqual(['otp', 'order-placed', 'newsletter-confirm'])
  await ctx.db.delete(outbox).where(eq(outbox.template, 'order-placed'))
  await ctx.db.update(outbox).set({ sentAt: null })
})

test('a code is listed however many messages came or wait after it', async () => {
  await queueMessage(ctx, { channel: 'sms', to: '+919000000002', template: 'otp-register', locale: 'ta', body: '123456' })
  for (let n = 0; n < 120; n++)
    await queueMessage(ctx, { channel: 'sms', to: '+919000000001', template: 'order-placed', locale: 'ta', body: 'waits' })
  const listed = (await (await jsonLoader(argsFor())).json()) as { template: string }[]
  expect(listed.filter(({ template }) => template === 'otp-register')).toHaveLength(1)
  expect(listed).toHaveLength(101)
  await ctx.db.delete(outbox).where(inArray(outbox.template, ['order-placed', 'otp-register']))
})

test('the page shows texts as plain text with clickable web addresses; markup stays text', async () => {
  const loaderData = await loader(argsFor())
  const page = createElement(OutboxPage as unknown as FunctionComponent<object>, { loaderData } as object)
  const html = renderToStaticMarkup(createElement(MemoryRouter, { initialEntries: ['/en/dev/outbox'] }, page))
  expect(html).toContain('&lt;b&gt;Selvi&lt;/b&gt;')
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  expect(hrefs).toEqual(['/en/dev/outbox', '/dev/outbox.json', 'https://sandhai.test/newsletter/confirm?id=1&amp;token=abc'])
  expect(html).toMatch(/<code>newsletter-confirm<\/code><span lang="ta-IN">தமிழ்<\/span>/)
  expect(html.indexOf('selvi@example.com')).toBeLessThan(html.indexOf('+919000000001'))
})
