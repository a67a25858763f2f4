import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from '@playwright/test'
import { retiredWorker } from '../src/content/offline/retired-worker.server.ts'
import { core, expect, test, untilAlive } from './market.ts'
import { loginByApi, registerByApi, typeAsLongAsAPerson } from './people.ts'

// What works on a phone without a line (decision 0058). These journeys are the only ones with the service worker.
test.use({ serviceWorkers: 'allow', isWithWorker: true })

/** Until the worker answers this browser's pages, and has done what it does when it begins. */
async function untilWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.evaluate(() => navigator.serviceWorker.ready)
}

/** Until the copy of this address is on the phone. */
const untilCopied = (page: Page, path: string) =>
  expect
    .poll(() => page.evaluate(async (path) => Boolean(await caches.match(new URL(path, location.href).href, { ignoreVary: true })), path))
    .toBe(true)

async function enterOffline(context: BrowserContext, page: Page, path: string): Promise<void> {
  await context.setOffline(true)
  await page.goto(path)
}

test(
  'a list and an animal that were seen open without a line and say as of when; what was not seen says so',
  { tag: core },
  async ({ page, context }) => {
    await page.goto('/en/buy/0')
    await untilWorker(page)
    await page.goto('/en/buy/0')
    await untilCopied(page, '/en/buy/0')
    const animal = (await page.locator('article a[href*="/product/"]').first().getAttribute('href'))!
    await page.goto(animal)
    await untilCopied(page, animal)
    const name = await page.getByRole('heading', { level: 1 }).innerText()
    await enterOffline(context, page, '/en/buy/0')
    await expect(page.locator('#old-note')).toContainText(/As of .*, from this phone/)
    await expect(page.locator('article').first()).toBeVisible()
    await page.goto(animal)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await page.goto('/en/forum')
    await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
    await expect(page.getByRole('link', { name, exact: false }).first()).toBeVisible()
    await page.goto('/forum')
    await expect(page.getByRole('heading', { name: 'இணையம் இல்லை' })).toBeVisible()
    await context.setOffline(false)
    // The page that was wanted comes by itself with the line.
    await expect(page.locator('[data-copies]')).toHaveCount(0)
    await expect(page).toHaveURL(/\/forum$/)
  },
)

test('a tap on a link goes to the copy while offline, and stays where there is none', async ({ page, context }) => {
  await page.goto('/en/view-requirements')
  await untilWorker(page)
  await page.goto('/en/view-requirements')
  await untilCopied(page, '/en/view-requirements')
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Sell', exact: true }).filter({ visible: true }).first().click()
  await expect(page.getByText('No connection. Check your connection and try again.')).toBeVisible()
  await expect(page).toHaveURL(/\/en\/buy\/0$/)
  await page.getByRole('link', { name: 'Wanted', exact: true }).filter({ visible: true }).first().click()
  await expect(page).toHaveURL(/\/en\/view-requirements/)
  await expect(page.locator('#old-note')).toContainText('from this phone')
})

test('two people on one phone: nobody sees the other’s copies, with a line or without', async ({ page, context }) => {
  await page.goto('/en/')
  await untilWorker(page)
  expect(await loginByApi(page, '+919000000001', 'sandhai-demo')).toBe(200)
  await page.goto('/en/my-enquiries')
  await page.goto('/en/me')
  await untilCopied(page, '/en/my-enquiries')
  await untilCopied(page, '/en/me')
  await enterOffline(context, page, '/en/me')
  const mine = await page.getByRole('main').innerText()
  await expect(page.locator('#old-note')).toContainText('from this phone')
  await context.setOffline(false)
  // The second person logs in past the worker: no request of theirs went through it.
  expect(await loginByApi(page, '+919000000002', 'sandhai-demo')).toBe(200)
  await enterOffline(context, page, '/en/me')
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.locator('#old-note')).toBeEmpty()
  await context.setOffline(false)
  await page.goto('/en/me')
  expect(await page.getByRole('main').innerText()).not.toBe(mine)
  await untilCopied(page, '/en/me')
  expect(await page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('own:copy-')).length)).toBe(1)
  await enterOffline(context, page, '/en/my-enquiries')
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await context.setOffline(false)
  await page.goto('/en/logout')
  await expect(page).toHaveURL(/\/en$/)
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('own:copy-')).length)).toBe(0)
  await enterOffline(context, page, '/en/me')
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
})

test('a worker that is called back removes itself and every copy, and leaves what is no copy', async ({ page }) => {
  // The same site with and without the switch: a page, a worker that has made copies, and later what is sent in its place.
  let worker = 'addEventListener("install",()=>skipWaiting());addEventListener("activate",(e)=>e.waitUntil(clients.claim()))'
  const server = createServer(({ url }, response) => {
    response
      .setHeader('Content-Type', url === '/sw.js' ? 'text/javascript' : 'text/html')
      .end(url === '/sw.js' ? worker : '<title>x</title>')
  }).listen(0)
  await once(server, 'listening')
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    for (const name of ['copy:market', 'own:copy-abc', 'own:photos-7']) await (await caches.open(name)).put('/x', new Response('x'))
  })
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  worker = retiredWorker
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['own:photos-7'])
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  server.close()
})

test('what is on the phone is listed, counted, and removed with one tap', async ({ page }) => {
  await page.goto('/en/breeds')
  await untilWorker(page)
  await page.goto('/en/breeds')
  await untilCopied(page, '/en/breeds')
  await page.goto('/en/offline')
  const list = page.locator('[data-copies]')
  await expect(list.getByRole('link').first()).toBeVisible()
  await expect(page.getByText(/^\d+\.\d MB used, at most 40/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove them all' }).click()
  await expect(list.getByRole('link')).toHaveCount(0)
  await expect(page.getByText('None yet.')).toBeVisible()
})

test('what another app shares opens in the sell form: the photo, and the words', async ({ page }) => {
  await page.goto('/en/')
  await untilWorker(page)
  expect(await loginByApi(page, '+919000000002', 'sandhai-demo')).toBe(200)
  await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 64
    canvas.getContext('2d')!.fillRect(0, 0, 40, 40)
    const photo = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!), 'image/png'))
    const files = new DataTransfer()
    files.items.add(new File([photo], 'cow.png', { type: 'image/png' }))
    const form = document.createElement('form')
    form.method = 'post'
    form.enctype = 'multipart/form-data'
    form.action = '/en/sell/shared'
    const input = (name: string, type: string) => form.appendChild(Object.assign(document.createElement('input'), { name, type }))
    input('photos', 'file').files = files.files
    input('text', 'text').value = 'Jersey cow, second calf, 12 litres'
    document.body.append(form)
    form.submit()
  })
  await expect(page).toHaveURL(/\/en\/sell$/)
  await untilAlive(page)
  await expect(page.locator('#photos')).toContainText('Sent')
  // The words wait in the box, and the tap is the seller's.
  await expect(page.locator('#pasted')).toHaveValue('Jersey cow, second calf, 12 litres')
  await page.getByRole('button', { name: 'Fill the form' }).click()
  await expect(page.getByText(/^Understood: \d/)).toBeVisible()
  await expect(page.locator('#listing-description')).toHaveValue('Jersey cow, second calf, 12 litres')
  await page.reload()
  await untilAlive(page)
  await expect(page.locator('#pasted')).toHaveValue('')
})

test('a discussion that is written without a line waits on the phone, through a reload, and arrives once', async ({ page, context }) => {
  await page.goto('/en/')
  await untilWorker(page)
  await registerByApi(page)
  await page.goto('/en/forum')
  await untilAlive(page)
  const words = `Which fodder in the dry months? ${Date.now()}`
  await page.getByText('Start a discussion').click()
  await page.getByRole('textbox', { name: 'What do you want to ask or tell?' }).fill(words)
  await typeAsLongAsAPerson(page)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
  await page.goto('/en/offline')
  const acts = page.locator('[data-acts]')
  await expect(acts).toContainText(words)
  await expect(acts).toContainText('Waits for a connection')
  await page.reload()
  await expect(acts).toContainText(words)
  await context.setOffline(false)
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(acts).toContainText('Sent ·', { timeout: 3000 })
  }).toPass()
  await page.goto('/en/forum')
  await expect(page.getByRole('article').filter({ hasText: words })).toHaveCount(1)
})

test('an answer that is lost on its way makes no second post', { tag: core }, async ({ page, context }) => {
  await page.goto('/en/')
  await untilWorker(page)
  await registerByApi(page)
  await page.goto('/en/forum')
  await untilAlive(page)
  const words = `Lost on the way ${Date.now()}`
  await page.getByText('Start a discussion').click()
  await page.getByRole('textbox', { name: 'What do you want to ask or tell?' }).fill(words)
  await typeAsLongAsAPerson(page)
  // The market takes it, and nobody hears of it.
  await page.route('**/forum.data**', async (route) => {
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
  await page.unroute('**/forum.data**')
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(page.locator('[data-acts]')).toContainText('Sent ·', { timeout: 3000 })
  }).toPass()
  await page.goto('/en/forum')
  await expect(page.getByRole('article').filter({ hasText: words })).toHaveCount(1)
  await context.setOffline(false)
})

test('a heart without a line is full at once and in the account later; whoever logs out before that is asked', async ({
  page,
  context,
}) => {
  await context.addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  await page.goto('/en/')
  await untilWorker(page)
  await registerByApi(page)
  // Two pages know of the login, so that the worker does.
  await page.goto('/en/me')
  await page.goto('/en/')
  await untilAlive(page)
  const heart = page.locator('[data-heart]').first()
  const id = Number(await heart.getAttribute('data-heart'))
  await context.setOffline(true)
  await heart.click()
  await expect(page.locator('#heart-note')).toContainText('Saved.')
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('#acts-note')).toContainText('1 not sent yet')
  // The line is back for the pages, and what waits cannot go yet.
  await context.route('**/api/v1/csrf', (route) => route.abort('internetdisconnected'))
  await context.setOffline(false)
  await page.goto('/en/logout')
  await expect(page.getByRole('alert')).toContainText('1 of what you did is not sent yet')
  await expect(page).toHaveURL(/logout$/)
  await context.unroute('**/api/v1/csrf')
  await page.goto('/en/')
  const readSaved = async () => ((await (await page.context().request.get('/api/v1/saved-listings')).json()) as { ids: number[] }).ids
  await expect.poll(readSaved).toEqual([id])
})

test('low data shows the smallest picture, whatever the screen asks for', async ({ page }) => {
  await page.goto('/en/offline')
  await untilWorker(page)
  await page.goto('/en/offline')
  await page.getByLabel('Use little data').check()
  await page.goto('/en/product/62')
  const picture = page.locator('main picture img').first()
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)).toBe(true)
  const widthOf = async (img: HTMLImageElement) => (await createImageBitmap(await (await fetch(img.currentSrc)).blob())).width
  // The smallest size that we make.
  expect(await picture.evaluate(widthOf)).toBe(320)
})
