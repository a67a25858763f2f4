import type { Page } from '@playwright/test'
import { goOffline, goOnline } from './connection.ts'
import { cow, fillCow, loseFirstAnswer, sellerWithWorker, submitListing, waitingTitle } from './later.ts'
import { expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { loginByApi } from './people.ts'
import { photograph } from './photographs.ts'
import { chooseSpecies, describeAnimal, listBull, openStep } from './sellers.ts'

// Listings made offline (decision 0070).
test.use({ serviceWorkers: 'allow', isWithWorker: true })

/** A seller whose phone has the worker and the sell form's copy with its files, without having opened the form. */
async function sellerWithCopy(page: Page): Promise<{ phone: string }> {
  const seller = await sellerWithWorker(page)
  await page.goto('/en/me')
  await expect
    .poll(() => page.evaluate(async () => Boolean(await caches.match(new URL('/en/sell', location.href).href, { ignoreVary: true }))))
    .toBe(true)
  // The worker copies the personal pages one after the other, then the form's scripts.
  await expect
    .poll(() =>
      page.evaluate(async () => Boolean(await caches.match(new URL('/en/my-addresses', location.href).href, { ignoreVary: true }))),
    )
    .toBe(true)
  return seller
}

/** The number of the seller's listings with this name. */
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

async function openOffline(page: Page): Promise<void> {
  await goOffline(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await expect(page.getByRole('heading', { name: 'No connection' })).toHaveCount(0)
}

test(
  'a cow is listed offline: the form opens from its copy, photo and text wait, and arrive once',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithCopy(page)
    const name = `Cow without a line ${Date.now()}`
    await openOffline(page)
    await fillCow(page, name)
    await submitListing(page)
    await expect(waitingTitle(page)).toBeVisible()
    await expect(page.getByText(`Cow · ${name}, photos: 1`)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await page.goto('/en/offline')
    const acts = page.locator('[data-acts]')
    await expect(acts).toContainText(`Cow · ${name}, photos: 1`)
    await expect(acts).toContainText('Waits for a connection')
    // A new worker, as after an update, finds what the old one has stored.
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
  'the listing arrives once whatever breaks while it is sent: the photo, the last answer, the page',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithCopy(page)
    const name = `Cow on a breaking line ${Date.now()}`
    await openOffline(page)
    await fillCow(page, name)
    await submitListing(page)
    await expect(waitingTitle(page)).toBeVisible()
    let photos = 0
    // First the photo arrives but its answer is lost, then the same for the listing.
    await context.route('**/api/v1/waiting-listing/photo**', async (route) => {
      photos += 1
      await route.fetch()
      await (photos === 1 ? route.abort('internetdisconnected') : route.continue())
    })
    const listings = await loseFirstAnswer(context, '**/api/v1/waiting-listing')
    await context.setOffline(false)
    const again = async () => {
      // The page is closed during each try; the next opened page continues.
      await page.goto('/en/offline')
      await page.goto('about:blank')
    }
    await expect(async () => {
      await again()
      expect(listings()).toBeGreaterThan(0)
    }).toPass()
    // A try may still be in the handlers: wait for it before removing them.
    await context.unrouteAll({ behavior: 'wait' })
    await untilSent(page, name)
    expect(photos).toBeGreaterThan(1)
  },
)

test('a page closed at any step loses nothing: before sending, and while it waits', { tag: onPhones }, async ({ page, context }) => {
  test.slow()
  await sellerWithCopy(page)
  const name = `Cow of a closed page ${Date.now()}`
  await openOffline(page)
  await fillCow(page, name)
  await page.goto('about:blank')
  await openOffline(page)
  await expect(page.locator('#photos li img[src^="blob:"]')).toHaveCount(1)
  await openStep(page, 'check')
  await expect(page.locator('#listing-name')).toHaveValue(name)
  await submitListing(page)
  await expect(waitingTitle(page)).toBeVisible()
  // As if the page had been closed before it cleared its draft: the outbox recognizes it by its key.
  await page.goto('about:blank')
  await page.goto('/en/sell')
  await untilAlive(page)
  await expect(page.locator('#photos li img')).toHaveCount(0)
  await context.setOffline(false)
  await untilSent(page, name)
})

test('a refused listing leads back to the form with everything in it', { tag: onPhones }, async ({ page, context }) => {
  test.slow()
  await sellerWithCopy(page)
  const name = `Cow with a wrong offer ${Date.now()}`
  await openOffline(page)
  await fillCow(page, name)
  await openStep(page, 'price')
  await page.locator('#listing-offerPrice').fill('70000')
  await submitListing(page)
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
  await submitListing(page)
  await expect(page).toHaveURL(/sent=\d+/)
  expect(await listed(page, name)).toBe(1)
  await page.goto('/en/offline')
  await expect(row).toHaveCount(0)
})

test(
  'a photo uploaded before the connection broke is not sent again; a form whose last answer was lost creates no second cow',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithCopy(page)
    const name = `Cow whose answer was lost ${Date.now()}`
    await page.goto('/en/sell')
    await untilAlive(page)
    await openStep(page, 'photos')
    await page.locator('#listing-image').setInputFiles(await photograph(1))
    await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(1)
    await chooseSpecies(page, 'Cow')
    await describeAnimal(page, { ...cow, name })
    let again = 0
    await context.route('**/api/v1/waiting-listing/photo**', (route) => ((again += 1), route.continue()))
    await page.route('**/sell.data**', async (route) => {
      await route.fetch()
      await route.abort('internetdisconnected')
    })
    await submitListing(page)
    await expect(waitingTitle(page)).toBeVisible()
    await page.unroute('**/sell.data**')
    await untilSent(page, name)
    expect(again).toBe(0)
  },
)

test('a full phone is reported at once, and the typed text stays on the page', { tag: onPhones }, async ({ page, context }) => {
  test.slow()
  await sellerWithCopy(page)
  await openOffline(page)
  // Simulates a full browser storage; the developer tools' quota lets some writes through.
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
  await submitListing(page)
  await expect(page.getByText('this phone is full: it could not be stored here')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.locator('#listing-name')).toHaveValue('Cow on a full phone')
})

test(
  'logging out while a listing waits asks first; the listing is back after the next login',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    const { phone } = await sellerWithCopy(page)
    const name = `Cow of somebody who logs out ${Date.now()}`
    await openOffline(page)
    await fillCow(page, name)
    await submitListing(page)
    await expect(waitingTitle(page)).toBeVisible()
    await context.route('**/api/v1/csrf', (route) => route.abort('internetdisconnected'))
    await goOnline(page)
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
  'a price changed offline waits; if the listing was changed meanwhile, both versions are shown',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    const name = `Bull that waits ${Date.now()}`
    const id = await listBull(page, await sellerWithWorker(page), name)
    const path = `/en/seller-product/${id}/edit`
    const row = page.locator('[data-acts] li').filter({ hasText: name })
    const priceOf = async () => {
      await page.goto('/en/seller-product/')
      return page.locator(`#l${id}`).innerText()
    }
    const changeOffline = async (price: string) => {
      await page.goto(path)
      await untilAlive(page)
      await goOffline(page)
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

    // While the second change waits, the owner changes the price on another phone.
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

test(
  'a price and a new photo changed offline wait together, and arrive once although the first answer is lost',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    const name = `Bull with a photo ${Date.now()}`
    const id = await listBull(page, await sellerWithWorker(page), name)
    const path = `/en/seller-product/${id}/edit`
    await page.goto(path)
    await untilAlive(page)
    const before = await page.locator('#photos li').count()
    await goOffline(page)
    await openStep(page, 'photos')
    await page.locator('#listing-image').setInputFiles(await photograph(5))
    await expect(page.locator('#photos li img[src^="blob:"]')).toHaveCount(1)
    await openStep(page, 'price')
    await page.locator('#listing-originalPrice').fill('83000')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('It is on this phone and is sent by itself').first()).toBeVisible()
    // The photo is the outbox's now: the form opened again does not upload it.
    await page.goto('about:blank')
    let sent = 0
    await context.route('**/seller-product/*/edit', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      sent += 1
      if (sent > 1) return route.continue()
      await route.fetch({ maxRedirects: 0 })
      return route.abort('connectionreset')
    })
    await context.setOffline(false)
    const row = page.locator('[data-acts] li').filter({ hasText: name })
    await expect(async () => {
      await page.goto('/en/offline')
      await expect(row.filter({ hasText: 'Sent ·' })).toHaveCount(1, { timeout: 3000 })
    }).toPass()
    expect(sent).toBeGreaterThan(1)
    await page.goto(path)
    await untilAlive(page)
    await expect(page.locator('#photos li')).toHaveCount(before + 1)
    await expect(page.locator('#listing-originalPrice')).toHaveValue('83000')
    await expect(page.locator('#edit-discard')).toHaveCount(0)
  },
)
