import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { loginByApi } from './people.ts'
import { chooseSpecies, describeAnimal, listBull, openStep, registerSeller } from './sellers.ts'

// A listing that is made without a line (decision 0070).
test.use({ serviceWorkers: 'allow', isWithWorker: true })

const cow = {
  breed: 'Kangayam',
  sex: 'Female',
  age: '3-4 years',
  color: 'White',
  weight: '320',
  price: '65000',
  description: 'Calm, gives eight litres.',
}
const photo = () => ({ name: 'cow.jpg', mimeType: 'image/jpeg', buffer: readFileSync('public/share.jpg') })

/** A seller whose phone has the worker, and the sell form's copy with its files, without ever having opened the form. */
async function sellerWithCopy(page: Page): Promise<{ phone: string }> {
  await page.goto('/en/')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const seller = await registerSeller(page)
  await page.goto('/en/me')
  await expect
    .poll(() => page.evaluate(async () => Boolean(await caches.match(new URL('/en/sell', location.href).href, { ignoreVary: true }))))
    .toBe(true)
  // The own pages are fetched one after the other; the form's scripts come right behind it.
  await expect
    .poll(() =>
      page.evaluate(async () => Boolean(await caches.match(new URL('/en/my-addresses', location.href).href, { ignoreVary: true }))),
    )
    .toBe(true)
  return seller
}

async function fillCow(page: Page, name: string): Promise<void> {
  await page.locator('#listing-image').setInputFiles(photo())
  await expect(page.locator('#photos li img[src^="blob:"]')).toHaveCount(1)
  await chooseSpecies(page, 'Cow')
  await describeAnimal(page, { ...cow, name })
}

async function submit(page: Page): Promise<void> {
  await openStep(page, 'check')
  await page.locator('[data-send]').click()
}
const waitingTitle = (page: Page) => page.getByRole('heading', { name: 'It is on this phone' })

/** How many listings of this name the seller has. */
async function listed(page: Page, name: string): Promise<number> {
  await page.goto('/en/seller-product/')
  return page.getByRole('article').filter({ hasText: name }).count()
}

async function untilSent(page: Page, name: string): Promise<void> {
  const row = page.locator('[data-acts] li').filter({ hasText: name })
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(row).toContainText('Sent ·', { timeout: 3000 })
  }).toPass()
  expect(await listed(page, name)).toBe(1)
}

async function openOffline(context: BrowserContext, page: Page): Promise<void> {
  await context.setOffline(true)
  await page.goto('/en/sell')
  await untilAlive(page)
  await expect(page.getByRole('heading', { name: 'No connection' })).toHaveCount(0)
}

test(
  'a cow is listed without a line: form from the phone, photo and words wait, and come once',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithCopy(page)
    const name = `Cow without a line ${Date.now()}`
    await openOffline(context, page)
    await fillCow(page, name)
    await submit(page)
    await expect(waitingTitle(page)).toBeVisible()
    await expect(page.getByText(`Cow · ${name}, photos: 1`)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.goto('/en/offline')
    const acts = page.locator('[data-acts]')
    await expect(acts).toContainText(`Cow · ${name}, photos: 1`)
    await expect(acts).toContainText('Waits for a connection')
    // A new worker, as an update brings it, finds what the old one has stored.
    await page.reload()
    await expect(acts).toContainText(name)
    // The form is empty for the next animal, from the same copy.
    await page.goto('/en/sell')
    await untilAlive(page)
    await expect(page.locator('#photos li img')).toHaveCount(0)
    await openStep(page, 'animal')
    await expect(page.getByRole('radio', { name: 'Cow', exact: true })).not.toBeChecked()
    await context.setOffline(false)
    await untilSent(page, name)
  },
)

test(
  'whatever breaks while it is sent, the listing comes once: the photo, the last answer, the page',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithCopy(page)
    const name = `Cow on a breaking line ${Date.now()}`
    await openOffline(context, page)
    await fillCow(page, name)
    await submit(page)
    await expect(waitingTitle(page)).toBeVisible()
    let [photos, listings] = [0, 0]
    // First the photo arrives and nobody hears of it, then the listing.
    await context.route('**/api/v1/waiting-listing/photo**', async (route) => {
      photos += 1
      await route.fetch()
      await (photos === 1 ? route.abort('internetdisconnected') : route.continue())
    })
    await context.route('**/api/v1/waiting-listing', async (route) => {
      listings += 1
      if (listings > 1) return route.continue()
      await route.fetch()
      await route.abort('internetdisconnected')
    })
    await context.setOffline(false)
    const again = async () => {
      // The page dies with each try; the next one that opens goes on.
      await page.goto('/en/offline')
      await page.goto('about:blank')
    }
    await expect(async () => {
      await again()
      expect(listings).toBeGreaterThan(0)
    }).toPass()
    await context.unroute('**/api/v1/waiting-listing')
    await context.unroute('**/api/v1/waiting-listing/photo**')
    await untilSent(page, name)
    expect(photos).toBeGreaterThan(1)
  },
)

test(
  'a page that is closed at any step loses nothing: before it is sent, and while it waits',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithCopy(page)
    const name = `Cow of a closed page ${Date.now()}`
    await openOffline(context, page)
    await fillCow(page, name)
    await page.goto('about:blank')
    await openOffline(context, page)
    await expect(page.locator('#photos li img[src^="blob:"]')).toHaveCount(1)
    await openStep(page, 'check')
    await expect(page.locator('#listing-name')).toHaveValue(name)
    await submit(page)
    await expect(waitingTitle(page)).toBeVisible()
    // As if the page had died before it cleared what it had on the phone: the outbox knows it by its key.
    await page.goto('about:blank')
    await page.goto('/en/sell')
    await untilAlive(page)
    await expect(page.locator('#photos li img')).toHaveCount(0)
    await context.setOffline(false)
    await untilSent(page, name)
  },
)

test('what the market refuses leads back to the form with everything in it', { tag: onPhones }, async ({ page, context }) => {
  test.slow()
  await sellerWithCopy(page)
  const name = `Cow with a wrong offer ${Date.now()}`
  await openOffline(context, page)
  await fillCow(page, name)
  await openStep(page, 'price')
  await page.locator('#listing-offerPrice').fill('70000')
  await submit(page)
  await expect(waitingTitle(page)).toBeVisible()
  await context.setOffline(false)
  const row = page.locator('[data-acts] li').filter({ hasText: name })
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(row).toContainText('Not accepted', { timeout: 3000 })
  }).toPass()
  await expect(row).toContainText('Offer price cannot be greater than Original price')
  await row.getByRole('link', { name: 'Correct it' }).click()
  await untilAlive(page)
  await expect(page.getByRole('alert').filter({ hasText: 'The market did not accept it as it was' })).toBeVisible()
  await expect(page.locator('#listing-offerPrice')).toHaveValue('70000')
  await page.locator('#listing-offerPrice').fill('60000')
  await openStep(page, 'photos')
  await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(1)
  await openStep(page, 'check')
  await expect(page.locator('#listing-name')).toHaveValue(name)
  await submit(page)
  await expect(page).toHaveURL(/sent=\d+/)
  expect(await listed(page, name)).toBe(1)
  await page.goto('/en/offline')
  await expect(row).toHaveCount(0)
})

test(
  'a photo that had come before the line broke is not sent again; a form whose last answer was lost makes no second cow',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithCopy(page)
    const name = `Cow whose answer was lost ${Date.now()}`
    await page.goto('/en/sell')
    await untilAlive(page)
    await openStep(page, 'photos')
    await page.locator('#listing-image').setInputFiles(photo())
    await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(1)
    await chooseSpecies(page, 'Cow')
    await describeAnimal(page, { ...cow, name })
    let again = 0
    await context.route('**/api/v1/waiting-listing/photo**', (route) => ((again += 1), route.continue()))
    await page.route('**/sell.data**', async (route) => {
      await route.fetch()
      await route.abort('internetdisconnected')
    })
    await submit(page)
    await expect(waitingTitle(page)).toBeVisible()
    await page.unroute('**/sell.data**')
    await untilSent(page, name)
    expect(again).toBe(0)
  },
)

test('a full phone says so at once, and what is typed stays on the page', { tag: onPhones }, async ({ page, context }) => {
  test.slow()
  await sellerWithCopy(page)
  await openOffline(context, page)
  // What a browser without room does; its own limit, set by its tools, lets some writes through.
  const full = () => {
    const refuse = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    Cache.prototype.put = async () => refuse()
    IDBObjectStore.prototype.add = refuse
  }
  await page.evaluate(full)
  await context.serviceWorkers()[0]!.evaluate(full)
  await fillCow(page, 'Cow on a full phone')
  await openStep(page, 'photos')
  await expect(page.getByText('This phone is full: the photos are in this page alone')).toBeVisible()
  await submit(page)
  await expect(page.getByText('this phone is full: it could not be stored here')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.locator('#listing-name')).toHaveValue('Cow on a full phone')
})

test(
  'whoever logs out while a listing waits is asked; it is there again after the next login',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    const { phone } = await sellerWithCopy(page)
    const name = `Cow of somebody who logs out ${Date.now()}`
    await openOffline(context, page)
    await fillCow(page, name)
    await submit(page)
    await expect(waitingTitle(page)).toBeVisible()
    await context.route('**/api/v1/csrf', (route) => route.abort('internetdisconnected'))
    await context.setOffline(false)
    await page.goto('/en/logout')
    await expect(page.getByRole('alert')).toContainText('1 of what you did is not sent yet')
    await page.getByRole('main').getByRole('button').click()
    await expect(page).toHaveURL(/\/en$/)
    await context.unroute('**/api/v1/csrf')
    await page.goto('/en/offline')
    await expect(page.locator('[data-acts]')).toBeHidden()
    expect(await loginByApi(page, `+91${phone}`)).toBe(200)
    await page.goto('/en/me')
    await untilSent(page, name)
  },
)

test(
  'a change of the price waits without a line; where the listing was changed meanwhile, both are shown',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await page.goto('/en/')
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const seller = await registerSeller(page)
    const name = `Bull that waits ${Date.now()}`
    const id = await listBull(page, seller, name)
    const path = `/en/seller-product/${id}/edit`
    const row = page.locator('[data-acts] li').filter({ hasText: name })
    const priceOf = async () => {
      await page.goto('/en/seller-product/')
      return page.locator(`#l${id}`).innerText()
    }
    const changeOffline = async (price: string) => {
      await page.goto(path)
      await untilAlive(page)
      await context.setOffline(true)
      await openStep(page, 'price')
      await page.locator('#listing-originalPrice').fill(price)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('It is on this phone and is sent by itself').first()).toBeVisible()
    }
    const untilSays = (what: string) =>
      expect(async () => {
        await page.goto('/en/offline')
        await expect(row.filter({ hasText: what })).toHaveCount(1, { timeout: 3000 })
      }).toPass()

    await changeOffline('81000')
    await context.setOffline(false)
    await untilSays('Sent ·')
    expect(await priceOf()).toContain('81,000')

    // While the second change waits, the first phone's owner changes the price on another one.
    await changeOffline('82000')
    await page.goto('about:blank')
    await context.route('**/api/v1/csrf', (route) => route.abort('internetdisconnected'))
    await context.setOffline(false)
    await page.goto('/en/seller-product/')
    const card = page.locator(`#l${id}`)
    await card.getByRole('button', { name: 'Stock and price' }).click()
    await card.getByLabel('Original price (₹)').fill('79000')
    await card.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByRole('main').getByRole('status')).toContainText('Saved.')
    await context.unroute('**/api/v1/csrf')
    await untilSays('Not accepted')
    expect(await priceOf()).toContain('79,000')
    await page.goto('/en/offline')
    await row.getByRole('link', { name: 'Correct it' }).click()
    await untilAlive(page)
    await expect(page.locator('#listing-originalPrice')).toHaveValue('82000')
    await expect(page.getByRole('alert').first()).toContainText('This listing has changed since you wrote this')
  },
)
