import type { BrowserContext, Page } from '@playwright/test'
import { startFakePush, type FakePush, type Subscription } from '#tools/test-kit/fake-push.ts'
import { loginAsAdmin } from './admins.ts'
import { expect, test } from './market.ts'
import { loginByApi, registerByApi } from './people.ts'
import { pushPortFor } from './push-port.ts'

// Notifications on the phone (decision 0076). A headless Chromium without Google lacks two things: an address to send to, and a screen for
// notifications. So the journey replaces the subscription and the display. Everything between is real: the site encrypts, signs and sends
// to the journey's push service, which decrypts, and Chromium's own tools deliver the message to our service worker.
test.use({ serviceWorkers: 'allow', isWithWorker: true })
// Both journeys need the one push service that the site knows.
test.describe.configure({ mode: 'serial' })

let service: FakePush
test.beforeEach(async ({ baseURL }) => void (service = await startFakePush(pushPortFor(Number(new URL(baseURL!).port)))))
test.afterEach(() => service.close())

async function withSubscription(context: BrowserContext): Promise<Subscription> {
  const subscription = service.subscribe()
  await context.addInitScript((subscription) => {
    const stored = 'journey-subscribed'
    const made = {
      options: {},
      toJSON: () => subscription,
      unsubscribe: () => Promise.resolve(localStorage.removeItem(stored)),
    } as unknown as PushSubscription
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = () => Promise.resolve('granted')
    PushManager.prototype.subscribe = () => (localStorage.setItem(stored, '1'), Promise.resolve(made))
    PushManager.prototype.getSubscription = () => Promise.resolve(localStorage.getItem(stored) ? made : null)
  }, subscription)
  return subscription
}

/** Waits until the worker answers; from then on what it shows is recorded. */
async function untilWorker(context: BrowserContext, page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await context.serviceWorkers()[0]!.evaluate(() => {
    const scope = globalThis as unknown as Scope
    scope.screen = []
    scope.registration.showNotification = async (title, options) => void scope.screen.push({ title, ...options })
  })
}

interface Scope {
  screen: { title: string; body: string; lang: string; data: unknown }[]
  registration: { showNotification(title: string, options: Omit<Scope['screen'][0], 'title'>): Promise<void> }
}

/** Delivers the push service's message to the service worker, as the browser would. */
async function deliver(context: BrowserContext, page: Page, data: string): Promise<void> {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted)
      if (found) resolve(found.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const origin = new URL(page.url()).origin
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  await session.detach()
}

const shown = (context: BrowserContext) =>
  context
    .serviceWorkers()[0]!
    .evaluate(() => (globalThis as unknown as Scope).screen.map(({ title, body, lang }) => ({ title, body, lang })))
const devices = async (page: Page) =>
  (await (await page.context().request.get('/api/v1/push-devices')).json()) as { device: string; shownon: string | null; isthis: boolean }[]

/** A new person with notifications enabled in this browser. */
async function switchOn(context: BrowserContext, page: Page): Promise<void> {
  await withSubscription(context)
  await registerByApi(page)
  await page.goto('/en/me')
  await untilWorker(context, page)
  await page.getByRole('link', { name: 'My profile' }).first().click()
  await page.getByRole('button', { name: 'Yes, here' }).click()
}

test('a person enables notifications, sees them on the phone, opens the page with a tap, disables them with another; the message desk lists what was shown', async ({
  page,
  context,
  browser,
}) => {
  await switchOn(context, page)
  await expect(page.getByText('Messages now come here.')).toBeVisible()
  expect(await devices(page)).toMatchObject([{ shownon: null, isthis: true }])

  await expect.poll(() => service.received.length).toBe(1)
  expect(service.faults).toEqual([])
  await deliver(context, page, service.received[0]!.text)
  await expect
    .poll(() => shown(context))
    .toEqual([{ title: 'Sandhai', body: 'From now on your messages come here. “Stop” ends it at any time.', lang: 'en' }])
  await expect.poll(async () => (await devices(page))[0]?.shownon).toBeTruthy()

  await page.goto('/en/forum')
  await tap(context, '')
  await expect(page).toHaveURL(/\/en\/userprofile\/\d+#push$/)
  await expect(page.getByRole('heading', { name: 'Messages on the phone' })).toBeVisible()
  expect(await shown(context)).toEqual([])

  await deliver(context, page, service.received[0]!.text)
  await expect.poll(() => shown(context)).toHaveLength(1)
  await tap(context, 'stop')
  await expect.poll(() => devices(page)).toEqual([])

  const desk = await (await browser.newContext()).newPage()
  await loginAsAdmin(desk)
  await desk.goto('/en/admin/messages?show=sent')
  const ways = desk.getByRole('navigation', { name: 'How' })
  await ways.getByRole('link', { name: /^Shown on the phone/ }).click()
  await expect(desk).toHaveURL(/show=sent&way=shown$/)
  await expect(ways.getByRole('link', { name: /^Shown on the phone/ })).toHaveAttribute('aria-current', 'true')
  const rows = desk.locator('tbody tr:has([data-row-link])')
  await expect(rows.first()).toContainText('Shown on the phone')
  await expect(rows.filter({ hasText: 'SMS' })).toHaveCount(0)
  await desk.context().close()
})

test('on a phone that another person uses by now, a notification hides its text and is not reported as shown', async ({
  page,
  context,
}) => {
  await switchOn(context, page)
  await expect.poll(() => service.received.length).toBe(1)
  expect(await loginByApi(page, '+919000000001', 'sandhai-demo')).toBe(200)
  await page.goto('/en/me')
  const acknowledged: string[] = []
  context.on('request', (request) => request.url().includes('push-shown') && acknowledged.push(request.url()))
  await deliver(context, page, service.received[0]!.text)
  await expect.poll(() => shown(context)).toMatchObject([{ body: 'There is news for somebody who uses this phone. Log in to see it.' }])
  expect(acknowledged).toEqual([])
})

/** Dispatches the event of a tap. */
async function tap(context: BrowserContext, action: string): Promise<void> {
  await context.serviceWorkers()[0]!.evaluate((action) => {
    const { screen } = globalThis as unknown as Scope
    const notification = { data: screen[0]!.data, close: () => screen.shift() }
    dispatchEvent(Object.assign(new Event('notificationclick'), { action, notification, waitUntil: () => {} }))
  }, action)
}
