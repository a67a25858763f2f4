import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'

test('"Near me" shows the nearest first, and the phone sends only a coarse map square', async ({ browser, viewport }) => {
  const pollachi = { latitude: 10.66312, longitude: 77.00813 }
  const context = await browser.newContext({ viewport, geolocation: pollachi, permissions: ['geolocation'] })
  const page = await context.newPage()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')))
  await page.goto('/en/buy/1')
  await untilAlive(page)
  await page.getByRole('link', { name: 'Near me', exact: true }).click()
  await expect(page).toHaveURL(/near=10\.7%2C77\.0&sort=nearest|sort=nearest&near=10\.7%2C77\.0/)
  await expect(page.getByText(/^Distance from .*Coimbatore/)).toBeVisible()
  expect(sent.filter((each) => /10\.66|77\.00/.test(each))).toEqual([])
  const kilometres = await kilometresOf(page)
  expect(kilometres).toEqual(kilometres.toSorted((a, b) => a - b))
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  // The usual distance is one tap, and then a chip whose tap removes it.
  await page.getByRole('link', { name: 'Within 50 km', exact: true }).click()
  await expect(page).toHaveURL(/within=50/)
  await expect(page.getByRole('link', { name: 'Remove: Near me · Within 50 km' })).toBeVisible()
  await context.close()
})

test('without a position from the phone, the field for a PIN code or town gets the focus', async ({ page }) => {
  await page.goto('/en/buy/1')
  await untilAlive(page)
  await page.getByRole('link', { name: 'Near me', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'We could not find where you are.' })).toBeVisible()
  await expect(page.getByLabel('PIN code or town')).toBeFocused()
  await expectAxeClean(page)
})

const kilometresOf = async (page: Page) =>
  (await page.locator('.listing-rows .place b').allTextContents()).map((text) => Number(/\d+/.exec(text)![0]))

test('a search for "near me" waits for a place, one tap shares it, and one tap takes the order back', async ({ browser, viewport }) => {
  const pollachi = { latitude: 10.66312, longitude: 77.00813 }
  const context = await browser.newContext({ viewport, geolocation: pollachi, permissions: ['geolocation'] })
  const page = await context.newPage()
  await page.goto('/en/buy/0?q=goats+near+me')
  await untilAlive(page)
  const found = page.getByText(/^\d+ found$/)
  const waiting = await found.textContent()
  await expect(page.getByRole('link', { name: 'Remove: Nearest first' })).toBeVisible()
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Near me', exact: true }).click()
  await expect(page).toHaveURL(/q=goats&sort=nearest&near=10\.7%2C77\.0$/)
  await expect(found).toHaveText(waiting!)
  const kilometres = await kilometresOf(page)
  expect(kilometres.length).toBeGreaterThan(2)
  expect(kilometres).toEqual(kilometres.toSorted((a, b) => a - b))
  // Now the device knows the place, also for words in Tamil.
  await page.goto(`/en/buy/0?q=${encodeURIComponent('எனக்கு அருகில் மாடு')}`)
  await expect(page).toHaveURL(/&near=10\.7%2C77\.0$/)
  const cows = await kilometresOf(page)
  expect(cows).toEqual(cows.toSorted((a, b) => a - b))
  await page.getByRole('link', { name: 'Remove: Near me' }).click()
  await expect(page).toHaveURL(/\?q=%E0[^&]+$/)
  await context.close()
})

test('without JavaScript, a search for "near me" lists its animals and leads to the field for a place', async ({ browser, viewport }) => {
  const context = await browser.newContext({ viewport, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/en/buy/0?q=goats+nearby')
  await expect(page.locator('.listing-rows > li').first()).toBeVisible()
  await page.getByRole('link', { name: 'To sort by nearest, enter a PIN code or town.' }).click()
  await page.getByLabel('PIN code or town').fill('642001')
  await page.locator('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/q=goats.*near=642001.*sort=nearest|sort=nearest.*near=642001/)
  const kilometres = await kilometresOf(page)
  expect(kilometres).toEqual(kilometres.toSorted((a, b) => a - b))
  await context.close()
})

test("a species' usual price is one tap, and species and distances show their number of matches", async ({ page }) => {
  // Other journeys add and remove listings, so retry until both pages are of the same moment.
  await expect(async () => {
    await page.goto('/en/buy/1?near=638701')
    const option = (await page.locator('select[name=within] option[value="100"]').textContent())!
    const within = /\((\d+)\)/.exec(option)![1]!
    await page.goto('/en/buy/1?near=638701&within=100')
    await expect(page.getByText(/^\d+ found$/)).toHaveText(`${within} found`, { timeout: 1000 })
  }).toPass()
  await page.goto('/en/buy/1')
  await page.getByRole('link', { name: '≤ ₹80,000' }).click()
  await expect(page).toHaveURL(/max=80000/)
  await expect(page.getByRole('link', { name: 'Remove: ≤ ₹80,000' })).toBeVisible()
})

test('the home page shows animals near the place chosen on this device, from its first paint, until it is cleared', async ({ page }) => {
  await page.context().addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  const row = page.locator('[data-near-row]')
  await page.goto('/en')
  await untilAlive(page)
  await expect(row).toBeHidden()
  await page.goto('/en/buy/1?near=642001')
  await untilAlive(page)
  // Its space is reserved before any script loads, so nothing moves.
  await page.route('**/assets/*.js', () => {})
  await page.goto('/en', { waitUntil: 'commit' })
  await expect(row).toBeVisible()
  const { height } = (await row.boundingBox())!
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('/en')
  await untilAlive(page)
  await expect(row.getByRole('listitem')).toHaveCount(8)
  expect(Math.abs((await row.boundingBox())!.height - height)).toBeLessThanOrEqual(1)
  await expect(row.getByRole('listitem').first()).toContainText(/₹[\d,]+\d+ km/)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await row.getByRole('link', { name: 'Near you' }).click()
  await expect(page).toHaveURL(/\/en\/buy\/0\?near=642001&sort=nearest$/)
  await page.goto('/en')
  await untilAlive(page)
  await row.getByRole('button', { name: 'Clear' }).click()
  await expect(row).toBeHidden()
  await page.reload()
  await untilAlive(page)
  await expect(row).toBeHidden()
})
