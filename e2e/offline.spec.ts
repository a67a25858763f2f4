import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page, Route } from '@playwright/test'
import { retiredWorker } from '../src/content/offline/retired-worker.server.ts'
import { loginAsAdmin } from './admins.ts'
import { goOffline, goOnline } from './connection.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { loginByApi, registerByApi, typeAsLongAsAPerson } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

// The parts that work on an offline phone (decision 0058). Only these journeys use the service worker.
test.use({ serviceWorkers: 'allow', isWithWorker: true })

/** Waits until the worker controls this page, and has finished its start. */
async function untilWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.evaluate(() => navigator.serviceWorker.ready)
}

/** Waits until this address is copied to the phone. */
const untilCopied = (page: Page, path: string) =>
  expect
    .poll(() => page.evaluate(async (path) => Boolean(await caches.match(new URL(path, location.href).href, { ignoreVary: true })), path))
    .toBe(true)

async function enterOffline(page: Page, path: string): Promise<void> {
  await goOffline(page)
  await page.goto(path)
}

test(
  'visited lists and animals open offline with the time of the copy; unvisited pages say that they are missing',
  { tag: core },
  async ({ page }) => {
    await page.goto('/en/buy/0')
    await untilWorker(page)
    await page.goto('/en/buy/0')
    await untilCopied(page, '/en/buy/0')
    const animal = (await page.locator('article a[href*="/product/"]').first().getAttribute('href'))!
    await page.goto(animal)
    await untilCopied(page, animal)
    const name = await page.getByRole('heading', { level: 1 }).innerText()
    await enterOffline(page, '/en/buy/0')
    await expect(page.locator('#old-note')).toContainText(/As of .*, from this phone/)
    await expect(page.locator('article').first()).toBeVisible()
    await page.goto(animal)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await page.goto('/en/forum')
    await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
    await expect(page.getByRole('link', { name, exact: false }).first()).toBeVisible()
    await page.goto('/forum')
    await expect(page.getByRole('heading', { name: 'இணையம் இல்லை' })).toBeVisible()
    await goOnline(page)
    // The requested page appears when the connection returns.
    await expect(page.locator('[data-copies]')).toHaveCount(0)
    await expect(page).toHaveURL(/\/forum$/)
  },
)

/** Breaks IndexedDB in the running worker. `closed`: open connections are dead without an event, new ones work, as on an iPhone. */
async function breakRecords(page: Page, how: 'closed' | 'refused' | 'silent'): Promise<void> {
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate((how) => {
    const { open } = IDBFactory.prototype
    const { transaction } = IDBDatabase.prototype
    const fresh = new WeakSet<IDBDatabase>()
    const listening = { addEventListener: { value: () => {} }, removeEventListener: { value: () => {} } }
    IDBFactory.prototype.open = function (...args) {
      if (how === 'refused') throw new DOMException('broken', 'UnknownError')
      if (how === 'silent') return Object.create(IDBOpenDBRequest.prototype, listening) as IDBOpenDBRequest
      const request = open.apply(this, args)
      request.addEventListener('success', () => fresh.add(request.result))
      return request
    }
    IDBDatabase.prototype.transaction = function (...args) {
      if (!fresh.has(this)) throw new DOMException('The connection is closing.', 'InvalidStateError')
      return transaction.apply(this, args)
    }
  }, how)
}

for (const how of ['closed', 'refused', 'silent'] as const)
  test(
    `online, every page, call and picture arrives while the worker's database is ${how}`,
    { ...(how === 'closed' && { tag: core }) },
    async ({ page }) => {
      await page.goto('/en/buy/0')
      await untilWorker(page)
      await registerByApi(page)
      await page.goto('/en/me')
      await untilCopied(page, '/en/me')
      await breakRecords(page, how)
      for (const path of ['/en/forum', '/en/buy/0', '/en/me', '/en/login', '/en/my-addresses']) {
        expect((await page.goto(path))!.status(), path).toBe(200)
        await expect(page.getByRole('main')).toBeVisible()
        await expect(page.locator('#old-note')).toBeEmpty()
      }
      await page.goto('/en/buy/0')
      const shown = await page.evaluate(async () => {
        const image = document.querySelector<HTMLImageElement>('article img[src*="/media/"]')!
        await image.decode()
        return [image.naturalWidth > 0, (await fetch('/api/v1/csrf')).ok]
      })
      expect(shown).toEqual([true, true])
      if (how !== 'closed') return
      // Its records go on, on a new connection.
      await untilCopied(page, '/en/my-addresses')
      await enterOffline(page, '/en/my-addresses')
      await expect(page.locator('#old-note')).toContainText('from this phone')
    },
  )

test('a seller opens the received orders offline, never opened before, however the link is written', async ({ page }) => {
  await page.goto('/en/')
  await untilWorker(page)
  await registerSeller(page)
  await page.goto('/en/me')
  await untilCopied(page, '/en/seller-product?tab=1')
  await enterOffline(page, '/en/seller-product/?tab=1')
  await expect(page.locator('#old-note')).toContainText('from this phone')
  await expect(page.locator('a[aria-current]').filter({ hasText: 'Ordered' })).toBeVisible()
  await page.goto('/en/seller-product')
  await expect(page.locator('#old-note')).toContainText('from this phone')
})

test('a tap on a link opens the copy while offline, and stays on the page where there is none', async ({ page }) => {
  await page.goto('/en/view-requirements')
  await untilWorker(page)
  await page.goto('/en/view-requirements')
  await untilCopied(page, '/en/view-requirements')
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await goOffline(page)
  await page.getByRole('link', { name: 'Sell', exact: true }).filter({ visible: true }).first().click()
  await expect(page.getByText('No connection. Check your connection and try again.')).toBeVisible()
  await expect(page).toHaveURL(/\/en\/buy\/0$/)
  await page.getByRole('link', { name: 'Wanted', exact: true }).filter({ visible: true }).first().click()
  await expect(page).toHaveURL(/\/en\/view-requirements/)
  await expect(page.locator('#old-note')).toContainText('from this phone')
})

test('two people on one phone: nobody sees the other’s copies, online or offline', async ({ page }) => {
  const ownCopies = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('own:copy-')))
  const noConnection = page.getByRole('heading', { name: 'No connection' })
  /** The phone is online again; the requested page then appears without a tap. */
  const untilReturned = async () => {
    await goOnline(page)
    await expect(page.locator('[data-copies]')).toHaveCount(0)
  }
  await page.goto('/en/')
  await untilWorker(page)
  expect(await loginByApi(page, '+919000000001', 'sandhai-demo')).toBe(200)
  await page.goto('/en/my-enquiries')
  await page.goto('/en/me')
  await untilCopied(page, '/en/my-enquiries')
  await untilCopied(page, '/en/me')
  const first = await ownCopies()
  expect(first).toHaveLength(1)
  await enterOffline(page, '/en/me')
  const mine = await page.getByRole('main').innerText()
  await expect(page.locator('#old-note')).toContainText('from this phone')
  await goOnline(page)
  // The second person's login bypasses the worker.
  expect(await loginByApi(page, '+919000000002', 'sandhai-demo')).toBe(200)
  await enterOffline(page, '/en/me')
  await expect(noConnection).toBeVisible()
  await expect(page.locator('#old-note')).toBeEmpty()
  await untilReturned()
  expect(await page.getByRole('main').innerText()).not.toBe(mine)
  // The first person's copies are removed before the second's first copy is stored.
  await expect(async () => {
    const second = await ownCopies()
    expect(second).toHaveLength(1)
    expect(second).not.toEqual(first)
  }).toPass()
  await untilCopied(page, '/en/me')
  await enterOffline(page, '/en/my-enquiries')
  await expect(noConnection).toBeVisible()
  await untilReturned()
  await page.goto('/en/logout')
  await expect(page).toHaveURL(/\/en$/)
  await expect.poll(ownCopies).toEqual([])
  await enterOffline(page, '/en/me')
  await expect(noConnection).toBeVisible()
})

test('a retired worker removes itself and every copy, and leaves other data', async ({ page }) => {
  // The same site with and without the kill switch: a page, a worker that has made copies, and later its replacement.
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

test("the phone's copies are listed, and removed with one tap", async ({ page }) => {
  await page.goto('/en/breeds')
  await untilWorker(page)
  await page.goto('/en/breeds')
  await untilCopied(page, '/en/breeds')
  await page.goto('/en/offline')
  const list = page.locator('[data-copies]')
  await expect(list.getByRole('link').first()).toBeVisible()
  await page.getByRole('button', { name: 'Remove them all' }).click()
  await expect(list.getByRole('link')).toHaveCount(0)
  await expect(page.getByText('None yet.')).toBeVisible()
})

test('a photo and text shared from another app open in the sell form', async ({ page }) => {
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
  // The text waits in the box until the seller taps.
  await expect(page.locator('#pasted')).toHaveValue('Jersey cow, second calf, 12 litres')
  await page.getByRole('button', { name: 'Fill the form' }).click()
  await expect(page.getByText(/^Understood: \d/)).toBeVisible()
  await expect(page.locator('#listing-description')).toHaveValue('Jersey cow, second calf, 12 litres')
  await page.reload()
  await untilAlive(page)
  await expect(page.locator('#pasted')).toHaveValue('')
})

/** Registers a person whom the worker knows, and writes a post in the forum without sending it. Returns their phone number. */
async function writePost(page: Page, words: string): Promise<string> {
  await page.goto('/en/')
  await untilWorker(page)
  const phone = await registerByApi(page)
  await page.goto('/en/me')
  await page.goto('/en/forum')
  await untilAlive(page)
  await page.getByRole('textbox', { name: 'What do you want to ask or tell?' }).fill(words)
  await typeAsLongAsAPerson(page)
  return phone
}

test('a discussion written offline waits on the phone, survives a reload, and arrives once', async ({ page }) => {
  const words = `Which fodder in the dry months? ${Date.now()}`
  await writePost(page, words)
  await goOffline(page)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
  await page.goto('/en/offline')
  const acts = page.locator('[data-acts]')
  await expect(acts).toContainText(words)
  await expect(acts).toContainText('Waits for a connection')
  await page.reload()
  await expect(acts).toContainText(words)
  await goOnline(page)
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(acts).toContainText('Sent ·', { timeout: 3000 })
  }).toPass()
  await page.goto('/en/forum')
  await expect(page.getByRole('article').filter({ hasText: words })).toHaveCount(1)
})

test('a post whose answer is lost is not stored twice', { tag: core }, async ({ page }) => {
  const words = `Lost on the way ${Date.now()}`
  await writePost(page, words)
  // The market accepts it, but the answer is lost.
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
  await goOnline(page)
})

/** Servers between the phone and the market: a captive portal, a proxy whose market is away, one that forbids. */
const between = {
  portal: { answer: { status: 200, contentType: 'text/html', body: '<h1>Welcome to our Wi-Fi</h1>' }, says: 'Something else answered' },
  proxy: {
    answer: { status: 503, headers: { 'Retry-After': '2' }, contentType: 'text/html', body: '<h1>We are back soon</h1>' },
    says: 'could not take it just now',
  },
  filter: { answer: { status: 403, contentType: 'text/html', body: '<h1>Forbidden here</h1>' }, says: 'Something else answered' },
}

for (const [name, { answer, says }] of Object.entries(between))
  test(`a ${name} that answers in place of the market: words and heart wait, say why, and arrive once`, async ({ page, context }) => {
    const words = `Answered by a ${name} ${Date.now()}`
    await writePost(page, words)
    const isWrite = (route: Route) => route.request().method() !== 'GET'
    await context.route(/\/forum|\/api\/v1\/saved-listing\//, (route) => (isWrite(route) ? route.fulfill(answer) : route.continue()))
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
    await page.goto('/en/buy/0')
    await untilAlive(page)
    const heart = page.locator('[data-heart]').first()
    const id = Number(await heart.getAttribute('data-heart'))
    await heart.click()
    await expect(page.locator('#heart-note')).toContainText('Saved.')
    await expect(page.locator('#acts-note')).toContainText('2 not sent yet')
    await page.goto('/en/offline')
    const acts = page.locator('[data-acts]')
    await expect(acts.getByText(says)).toHaveCount(2)
    await expect(acts.getByText('Not sent yet ·')).toHaveCount(2)
    await context.unroute(/\/forum|\/api\/v1\/saved-listing\//)
    await page.getByRole('button', { name: 'Send now' }).click()
    await expect(acts.getByText('Sent ·')).toHaveCount(2)
    await page.goto('/en/forum')
    await expect(page.getByRole('article').filter({ hasText: words })).toHaveCount(1)
    expect(await page.evaluate(async () => (await (await fetch('/api/v1/saved-listings')).json()).ids)).toEqual([id])
  })

test('after the session has ended a phone shows that something waits, not what, and sends it after the next login', async ({
  page,
  context,
}) => {
  const words = `Before the session ended ${Date.now()}`
  const phone = await writePost(page, words)
  await goOffline(page)
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
  await context.clearCookies()
  // Offline, too, nothing personal opens any more.
  await page.goto('/en/me')
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page.getByText(words)).toHaveCount(0)
  await goOnline(page)
  // The requested page appears by itself.
  await expect(page.locator('[data-copies]')).toHaveCount(0)
  await page.goto('/en/buy/0')
  const note = page.locator('#acts-note')
  await expect(note).toHaveText('1 not sent yet: log in, and it is sent by itself')
  await expect(note).toHaveAttribute('href', '/en/login')
  expect(await loginByApi(page, phone)).toBe(200)
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(page.locator('[data-acts]')).toContainText('Sent ·', { timeout: 3000 })
  }).toPass()
  await page.goto('/en/forum')
  await expect(page.getByRole('article').filter({ hasText: words })).toHaveCount(1)
})

test('a vet’s check saved offline waits on the phone with its photos, and is recorded once', async ({ page, context }) => {
  test.slow()
  await page.goto('/en/')
  await untilWorker(page)
  expect(await loginByApi(page, '9000000005', 'sandhai-demo')).toBe(200)
  await page.goto('/en/vet-verify?district=Thanjavur')
  const card = page.getByRole('region', { name: 'Livestocks with CheckUp pending' }).getByRole('article').first()
  const path = await card.getByRole('heading').getByRole('link').getAttribute('href')
  await card.getByRole('button', { name: /^Take: / }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Taken:')
  await page.goto(path!.replace('/product/', '/vet-verify/'))
  const animal = Number(/\d+$/.exec(page.url())![0])
  await untilAlive(page)
  const words = `Seen in the stable ${Date.now()}`
  await page.getByRole('radio', { name: 'Pass' }).check()
  await page.getByRole('textbox', { name: 'Comments' }).fill(words)
  await page.getByLabel('Photos of the check').setInputFiles(['public/share.jpg'])
  await goOffline(page)
  await page.getByRole('button', { name: 'Save the check' }).click()
  await expect(page.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
  await expect(page.getByRole('button', { name: 'Save the check' })).toBeDisabled()
  const acts = page.locator('[data-acts]')
  await page.goto('/en/offline')
  await expect(acts).toContainText('Check of an animal')
  await expect(acts).toContainText(words)
  // The market accepts the first one, but the answer is lost: the phone sends it again.
  let lost = 0
  await context.route(`**/vet-verify/${animal}`, async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.fallback()
    lost++
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await goOnline(page)
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(acts).toContainText('Sent ·', { timeout: 3000 })
  }).toPass()
  await page.goto('/en/vet-verify?tab=own')
  await expect(page.getByRole('row').filter({ hasText: words })).toHaveCount(1)
  await page.goto(`/en/product/${animal}?tab=vet`)
  await expect(
    page
      .getByRole('tabpanel')
      .getByRole('link', { name: /^Photo 1 of the check on / })
      .first(),
  ).toBeVisible()
})

/** An approved enquiry for a Kangayam bull, and the page of the buyer who posted it. */
async function openEnquiry(browser: Browser): Promise<{ id: number; buyer: Page }> {
  const buyer = await (await browser.newContext()).newPage()
  const admin = await (await browser.newContext()).newPage()
  await registerByApi(buyer)
  const wish = {
    categorytype: 1,
    category: 1,
    breed: 101,
    gender: 1,
    description: 'A bull for the plough',
    requiredcount: 1,
    acceptableprice: 0,
    weight: 0,
    requiredaroundpincode: '638701',
    postedfor: 'Selvi',
    contact: '+919876543210',
  }
  const { id } = (await (await callApi(buyer, 'POST', '/product-requirement-enquiries', wish)).json()) as { id: number }
  await loginAsAdmin(admin)
  const verdict = { isverified: true, verificationcomment: 'Called.' }
  expect((await callApi(admin, 'PUT', `/product-requirement-enquiry/id=${id}`, verdict)).status()).toBe(200)
  await admin.context().close()
  return { id, buyer }
}

test('an answer to an enquiry given offline waits on the phone and arrives once; after the enquiry is closed, the reason is shown', async ({
  page,
  browser,
}) => {
  test.slow()
  const { id, buyer } = await openEnquiry(browser)
  await page.goto('/en/')
  await untilWorker(page)
  const seller = await registerSeller(page)
  const [first, second] = [`Bull offered offline ${id}`, `Bull offered too late ${id}`]
  await listBull(page, seller, first)
  await listBull(page, seller, second)
  const path = `/en/view-enquiry/${id}`
  const row = (name: string) => page.locator('[data-acts] li').filter({ hasText: name })
  const answerOffline = async (name: string) => {
    await page.goto(path)
    await untilAlive(page)
    await goOffline(page)
    await page.getByRole('radio', { name }).check()
    // Twice, as an impatient person taps: one answer waits.
    for (let taps = 0; taps < 2; taps++) {
      await page.getByRole('button', { name: 'Answer with this listing' }).click()
      await expect(page.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
    }
    await page.goto('/en/offline')
    await expect(row(name)).toHaveCount(1)
    await expect(row(name)).toContainText(`Answer to an enquiry${name} · Wanted: `)
    await expect(row(name)).toContainText('Waits for a connection')
  }
  const untilSays = (name: string, what: string) =>
    expect(async () => {
      await page.goto('/en/offline')
      await expect(row(name)).toContainText(what, { timeout: 3000 })
    }).toPass()

  await answerOffline(first)
  await page.reload()
  await expect(row(first)).toContainText('Waits for a connection')
  await expectNoSidewaysScroll(page)
  await goOnline(page)
  await untilSays(first, 'Sent ·')
  await page.goto(path)
  await expect(page.getByRole('button', { name: `Take back: ${first}` })).toHaveCount(1)
  await buyer.goto(path)
  await expect(buyer.getByText('Answers that are not public: 1.')).toBeVisible()

  await answerOffline(second)
  await buyer.getByRole('button', { name: 'Found it, or not needed: close' }).click()
  await expect(buyer.getByRole('main').getByRole('status')).toHaveText('The enquiry is closed.')
  await goOnline(page)
  await untilSays(second, 'Not accepted')
  const reason = 'This is no longer possible for this enquiry.'
  await expect(row(second)).toContainText(`The market says: ${reason}`)
  await row(second).getByRole('link', { name: 'Correct it' }).click()
  await expect(page.getByRole('alert')).toContainText(reason)
  await page.goto('/en/offline')
  await expect(row(first)).toHaveCount(1)
  await expect(row(second)).toHaveCount(0)
  await buyer.context().close()
})

for (const [root, add, kept] of [
  ['', 'கூடையில் சேர்க்க', 'இப்போது சந்தையை அடைய முடியவில்லை. முடிந்ததும் தானாகவே கூடையில் சேரும்.'],
  ['/en', 'Add to cart', 'The market cannot be reached just now. It goes into your cart by itself as soon as that is possible.'],
] as const)
  test(`an animal added offline says beside the button that it waits, and is in the cart later (${root || 'Tamil'})`, async ({ page }) => {
    const path = `${root}/product/30`
    await page.goto(path)
    await untilWorker(page)
    await registerByApi(page)
    // Two pages after the login, so that the worker knows about it.
    await page.goto(`${root}/me`)
    await page.goto(path)
    await untilAlive(page)
    await goOffline(page)
    await page.getByRole('button', { name: add }).click()
    const says = page.locator('[data-buy-bar]').getByRole('status')
    await expect(says).toHaveText(kept)
    await expect(says).toBeInViewport()
    await expectNoSidewaysScroll(page)
    await goOnline(page)
    await expect(says).toBeEmpty()
    await page.goto(`${root}/my-cart`)
    await expect(page.getByRole('article')).toHaveCount(1)
  })

test('a heart tapped offline is full at once and in the account later; a logout before that asks first', async ({ page, context }) => {
  await context.addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  await page.goto('/en/')
  await untilWorker(page)
  await registerByApi(page)
  // Two pages after the login, so that the worker knows about it.
  await page.goto('/en/me')
  await page.goto('/en/')
  await untilAlive(page)
  const heart = page.locator('[data-heart]').first()
  const id = Number(await heart.getAttribute('data-heart'))
  await goOffline(page)
  await heart.click()
  await expect(page.locator('#heart-note')).toContainText('Saved.')
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('#acts-note')).toContainText('1 not sent yet')
  // Pages are online again, but waiting acts cannot be sent yet.
  await context.route('**/api/v1/csrf', (route) => route.abort('internetdisconnected'))
  await goOnline(page)
  await page.goto('/en/logout')
  await expect(page.getByRole('alert')).toContainText('1 of what you did is not sent yet')
  await expect(page).toHaveURL(/logout$/)
  await context.unroute('**/api/v1/csrf')
  await page.goto('/en/')
  const readSaved = async () => ((await (await page.context().request.get('/api/v1/saved-listings')).json()) as { ids: number[] }).ids
  await expect.poll(readSaved).toEqual([id])

  // The words of what was sent stay with the login, and end with it.
  const sentActs = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('sandhai-outbox')
          opening.onsuccess = () => {
            const reading = opening.result.transaction('acts').objectStore('acts').getAll()
            reading.onsuccess = () => {
              opening.result.close()
              resolve(reading.result.filter(({ state }: { state: string }) => state === 'sent').length)
            }
          }
        }),
    )
  await expect.poll(sentActs).toBe(1)
  await page.request.get('/api/v1/me')
  await page.goto('/en/me')
  expect(await sentActs()).toBe(1)
  await page.goto('/en/logout')
  await expect(page).toHaveURL(/\/en$/)
  await expect.poll(sentActs).toBe(0)
})
