import { readdirSync, readFileSync } from 'node:fs'
import type { Response } from '@playwright/test'
import { core, expect, test, untilAlive } from './market.ts'
import { openPassword } from './people.ts'

test('scripts are asked for only when the pictures are here, and then all of them at once', async ({ page }) => {
  const asked: string[] = []
  let pictureArrived = false
  await page.route('**/media/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    pictureArrived = true
    await route.continue()
  })
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.push(`${new URL(request.url()).pathname}${pictureArrived ? '' : ' before the picture'}`)
  })
  await page.goto('/en/seller/2')
  await untilAlive(page)
  expect(asked.length).toBeGreaterThan(3)
  expect(asked.filter((file) => file.includes('before'))).toEqual([])
})

for (const [what, path, atMostKB, atLeastKB] of [
  ['the front page', '/', 8, 1],
  ['a list', '/buy/0', 8, 1],
  ['an animal', '/product/62', 8, 1],
] as const)
  test(
    `a first visit to ${what} carries no code of desks, orders or the forum, and weighs what it may`,
    { tag: core },
    async ({ browser, baseURL }) => {
      const context = await browser.newContext({ baseURL: baseURL!, extraHTTPHeaders: { 'accept-encoding': 'gzip' } })
      const page = await context.newPage()
      const scripts: Response[] = []
      page.on('response', (response) => response.request().resourceType() === 'script' && scripts.push(response))
      await page.goto(path)
      await untilAlive(page)
      await page.waitForLoadState('networkidle')
      expect(scripts.map((script) => script.url()).filter((url) => /\/(selling|desks|buying|reviews|community|forms)-/.test(url))).toEqual(
        [],
      )
      const sizes = await Promise.all(scripts.map((script) => script.request().sizes()))
      const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
      expect(bytes).toBeLessThanOrEqual(atMostKB * 1000)
      // With React most of it is React, elsewhere the page script: what counted less would have missed something.
      expect(bytes).toBeGreaterThan(atLeastKB * 1000)
      await context.close()
    },
  )

test('no page carries the library of the schemas, which is the server’s', () => {
  const folder = 'build/client/assets'
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(30)
  expect(scripts.filter((file) => readFileSync(`${folder}/${file}`, 'utf8').includes('_zod'))).toEqual([])
})

test('who touches the page before that need not wait for the pictures', async ({ page }) => {
  await page.route('**/media/**', () => {})
  await page.goto('/en/seller/2', { waitUntil: 'domcontentloaded' })
  await page.getByRole('heading', { level: 1 }).click()
  await untilAlive(page)
})

test('a link tapped before any script is here is an ordinary link', async ({ page }) => {
  await page.route('**/assets/*.js', () => {})
  // Its own script, too, would hold up the document's end.
  await page.goto('/en/buy/0', { waitUntil: 'commit' })
  await page.locator('article a').first().click()
  await expect(page.getByRole('heading', { name: 'Product Info' })).toBeVisible()
})

test('a button tapped where no script ever comes is an ordinary button', async ({ page }) => {
  await page.route('**/assets/*.js', (route) => route.abort('internetdisconnected'))
  await page.goto('/en/reset-password')
  await page.getByLabel(/phone/i).fill('9000000077')
  await page.getByRole('main').locator('button[type=submit]').first().click()
  await expect(page.getByRole('main')).toContainText(/OTP|code/i)
})

test('a refusal that is there before the scripts leaves the focus with whoever went on typing', async ({ page }) => {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  let isRefused = false
  page.on('response', (response) => (isRefused ||= response.request().method() === 'POST'))
  await page.route('**/assets/*.js', async (route) => {
    if (!isRefused) return route.abort('internetdisconnected')
    await arrived
    await route.continue()
  })
  await page.goto('/en/reset-password')
  const phone = page.getByLabel(/phone/i)
  await phone.fill('12')
  await page.getByRole('main').locator('button[type=submit]').first().click()
  await expect(phone).toHaveAttribute('aria-invalid', 'true')
  // The wrong field would take the focus from the field beside it.
  await page.getByRole('main').locator('button[type=submit]').first().focus()
  arrive()
  await untilAlive(page)
  await expect(page.getByRole('main').locator('button[type=submit]').first()).toBeFocused()
})

test('offline a form that the browser posts itself stays with what was typed, and goes when the line is back', async ({
  page,
  context,
}) => {
  await page.goto('/en/login')
  await untilAlive(page)
  await page.getByRole('main').getByLabel(/phone/i).fill('9000000077')
  await openPassword(page)
  await page.getByRole('main').locator('input[type=password]').fill('not the password')
  await context.setOffline(true)
  await page.getByRole('main').locator('button[type=submit]').first().click()
  await expect(page.getByText('No connection. Check your connection and try again.')).toBeVisible()
  await expect(page.getByRole('main').getByLabel(/phone/i)).toHaveValue(/90000\s?00077/)
  await expect(page.getByRole('main').locator('input[type=password]')).toHaveValue('not the password')
})

test('the filter opens when the line is lost after the first page, and the page goes on answering', async ({ page, context }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await context.setOffline(true)
  const isPhone = page.viewportSize()!.width < 1000
  if (isPhone) await page.getByRole('link', { name: 'Filter Options' }).click()
  await expect(page.locator('#filter').getByRole('heading', { name: 'Filter results' })).toBeVisible()
  await context.setOffline(false)
  await page.locator('#filter').getByLabel('To', { exact: true }).fill('90000')
  await page.locator('#filter').getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/max=90000/)
  await expect(page.getByRole('link', { name: /Remove: ≤ ₹90,000/ })).toBeVisible()
})

test('the note on a cached page, served while the database is away, stays when scripts take over', async ({ page }) => {
  await page.route('**/en/seller/2', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      '<div id="old-note"></div>',
      '<div id="old-note" role="status">As it was a little while ago</div>',
    )
    await route.fulfill({ response, body })
  })
  await page.goto('/en/seller/2')
  await untilAlive(page)
  await expect(page.locator('#old-note')).toHaveText('As it was a little while ago')
  await expect(page.locator('#old-note')).toBeVisible()
})

test('a breed of another species is fetched when its list is unfolded, and can be chosen', async ({ page }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  if (page.viewportSize()!.width < 1000) await page.getByRole('link', { name: 'Filter Options' }).click()
  const filter = page.locator('#filter')
  await filter.locator('summary', { hasText: 'Goat' }).click()
  await filter.getByLabel('Salem Black', { exact: true }).check()
  await filter.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/breed=20\d/)
  // The address comes a moment before what it shows.
  await expect(page.locator('article').first()).toContainText('Salem Black')
  for (const text of await page.locator('article').allInnerTexts()) expect(text).toContain('Salem Black')
})

test('an offline tap leaves what one reads where it is, and says so; it is done when the line is back', async ({ page, context }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await context.setOffline(true)
  const wanted = page.getByRole('link', { name: 'Wanted', exact: true }).filter({ visible: true }).first()
  await wanted.click()
  await expect(page.getByText('No connection. Check your connection and try again.')).toBeVisible()
  await expect(page).toHaveURL(/\/en\/buy\/0$/)
  await expect(page.locator('article').first()).toBeVisible()
  await context.setOffline(false)
  await wanted.click()
  await expect(page).toHaveURL(/\/en\/view-requirements/)
  await expect(page.getByText('No connection.')).toBeHidden()
})

test('a browser that reports to be offline still reaches a server that answers', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }))
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await page.getByRole('link', { name: 'Wanted', exact: true }).filter({ visible: true }).first().click()
  await expect(page).toHaveURL(/\/en\/view-requirements/)
})
