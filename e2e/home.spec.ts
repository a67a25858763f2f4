import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onPhones, test } from './market.ts'

const A_ROTATION_MS = 5000
const A_WEEK_S = 7 * 86_400

const banners = (page: Page) => page.getByRole('region', { name: 'The market in three pictures' })
const position = (page: Page) => banners(page).locator('[aria-live]')
const welcome = (page: Page) => page.locator('#welcome')

/** The home page with a clock that we move, once its scripts have taken over; stopped, it does not move by itself meanwhile. */
async function open(page: Page, path = '/en', greeted = true, isStopped = false): Promise<void> {
  if (greeted) await page.context().addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  const now = new Date()
  await page.clock.install({ time: now })
  if (isStopped) await page.clock.pauseAt(new Date(now.getTime() + 1000))
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

const pass = (page: Page, seconds: number) => page.clock.runFor(seconds * 1000)

test('trending and top animals are shown, each a link to its own page', { tag: onDesks }, async ({ page }) => {
  await open(page)
  const trending = page.getByRole('group', { name: 'Trending now' }).locator('article')
  const top = page.getByRole('group', { name: 'Top in Market' }).locator('article')
  await expect(trending).toHaveCount(10)
  await expect(top).toHaveCount(4)
  for (const shelf of [trending, top]) {
    const links = await shelf.getByRole('link').evaluateAll((list) => list.map((link) => link.getAttribute('href')))
    expect(new Set(links).size).toBe(links.length)
    for (const link of links) expect(link).toMatch(/^\/en\/product\/\d+$/)
  }
  for (const text of await top.allInnerTexts()) expect(text).toMatch(/Verified Seller|Vet checked/)
  await top.first().getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Product Info' })).toBeVisible()
})

for (const path of ['/', '/en'])
  test(`the first screen of ${path} has the search, the species and animals with their prices`, { tag: core }, async ({ page }) => {
    await open(page, path)
    const bar = page.getByRole('navigation', { name: path === '/' ? 'விரைவு மெனு' : 'Quick menu' })
    const floor = (await bar.isVisible()) ? (await bar.boundingBox())!.y : page.viewportSize()!.height
    const prices = await page
      .locator('article')
      .evaluateAll((tiles) => tiles.map((tile) => tile.querySelector('b, .font-bold')!.getBoundingClientRect()))
    const seen = prices.filter(({ bottom, left, right }) => bottom <= floor && left >= 0 && right <= page.viewportSize()!.width)
    expect(seen.length).toBeGreaterThanOrEqual(2)
    await expect(page.locator('#search')).toBeInViewport()
    await expect(page.locator('a[href$="/buy/2"]').first()).toBeInViewport()
  })

test('the banners change every five seconds until they are stopped, and start again when asked', { tag: onPhones }, async ({ page }) => {
  await open(page)
  await expect(position(page)).toHaveText('1 of 3')
  await pass(page, 5)
  await expect(position(page)).toHaveText('2 of 3')
  await expect(banners(page).getByRole('link', { name: 'Sell an animal' })).toBeInViewport()
  await pass(page, 5)
  await pass(page, 5)
  await expect(position(page)).toHaveText('1 of 3')
  await banners(page).getByRole('button', { name: 'Stop the rotation' }).click()
  await pass(page, 30)
  await expect(position(page)).toHaveText('1 of 3')
  await banners(page).getByRole('button', { name: 'Next' }).click()
  await expect(position(page)).toHaveText('2 of 3')
  await banners(page).getByRole('button', { name: 'Previous' }).click()
  await expect(position(page)).toHaveText('1 of 3')
  await banners(page).getByRole('button', { name: 'Start the rotation' }).click()
  await pass(page, 5)
  await expect(position(page)).toHaveText('2 of 3')
})

test('whoever goes on and back while a banner is still moving is where they wanted to be', async ({ page }) => {
  await open(page)
  const said = await banners(page).evaluate(async (region) => {
    const turn = () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      })
    const press = async (name: string) => {
      region.querySelector<HTMLElement>(`button[aria-label=${name}]`)!.click()
      await turn()
    }
    await press('Next')
    // The end event of an earlier movement, fired late.
    region.querySelector('[role=group]')!.dispatchEvent(new Event('scrollend'))
    for (let n = 0; n < 30; n += 1) await turn()
    await press('Previous')
    return region.querySelector('[aria-live]')!.textContent
  })
  expect(said).toBe('1 of 3')
  await expect(banners(page).getByRole('link', { name: 'See animals for sale' })).toBeInViewport()
})

test('the banners wait while somebody is in them', { tag: onDesks }, async ({ page }) => {
  await open(page)
  await banners(page).getByRole('link', { name: 'See animals for sale' }).focus()
  await pass(page, 20)
  await expect(position(page)).toHaveText('1 of 3')
  await page.getByLabel('Search for an animal').focus()
  await pass(page, 5)
  await expect(position(page)).toHaveText('2 of 3')
})

test('nothing rotates for readers who want less motion', { tag: onPhones }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  await expect(banners(page).getByRole('button', { name: 'Start the rotation' })).toBeVisible()
  await pass(page, 30)
  await expect(position(page)).toHaveText('1 of 3')
})

test('the sample voices say that they are samples, and rotate like the banners', async ({ page }) => {
  await open(page)
  const voices = page.getByRole('region', { name: 'Voices from the market' })
  await expect(voices.locator('figure')).toHaveCount(4)
  for (const text of await voices.locator('figure').allInnerTexts()) expect(text).toContain('Sample')
  // Out of sight they rest.
  await pass(page, 10)
  await expect(voices.locator('[aria-live]')).toHaveText('1 of 4')
  await voices.scrollIntoViewIfNeeded()
  await expect(async () => {
    await pass(page, A_ROTATION_MS / 1000)
    await expect(voices.locator('[aria-live]')).not.toHaveText('1 of 4', { timeout: 500 })
  }).toPass()
})

test(
  'the welcome is read forward and back, in either language, and finishes in the one chosen',
  { tag: onPhones },
  async ({ page, context }) => {
    const openedAt = Date.now() / 1000
    await open(page, '/en', false)
    // It comes after the page, never with it: there it lies in a template, which shows nothing.
    const html = await (await page.request.get('/en')).text()
    expect(html.replace(/<template[\s\S]*?<\/template>/g, '')).not.toContain('Welcome to Sandhai')
    await pass(page, 4)
    await expect(welcome(page).getByRole('heading')).toHaveText('Welcome to Sandhai')
    await expect(welcome(page).getByRole('button', { name: 'Back' })).toHaveCount(0)
    await welcome(page).getByRole('button', { name: 'Next' }).click()
    await expect(welcome(page).getByRole('heading')).toHaveText('Buy')
    await welcome(page).getByRole('button', { name: 'Next' }).click()
    await expect(welcome(page).getByRole('heading')).toHaveText('Sell')
    await welcome(page).getByRole('button', { name: 'Back' }).click()
    await expect(welcome(page).getByRole('heading')).toHaveText('Buy')
    await welcome(page).getByRole('button', { name: 'தமிழ்' }).click()
    await expect(welcome(page).getByRole('heading')).toHaveText('வாங்க')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await welcome(page).getByRole('button', { name: 'அடுத்து' }).click()
    await welcome(page).getByRole('button', { name: 'முடி' }).click()
    await expect(page).toHaveURL(/localhost:\d+\/$/)
    await expect(page.locator('html')).toHaveAttribute('lang', 'ta')
    await page.waitForLoadState('networkidle')
    await pass(page, 10)
    await expect(welcome(page)).toHaveCount(0)
    const quiet = (await context.cookies()).find(({ name }) => name === 'wizard')!
    // Set between the opening and now, however long that took; browsers may round to seconds.
    expect(quiet.expires - A_WEEK_S).toBeGreaterThan(openedAt - 1)
    expect(quiet.expires - A_WEEK_S).toBeLessThan(Date.now() / 1000 + 1)
    expect(quiet.sameSite).toBe('Lax')
  },
)

for (const [how, tag, skip] of [
  ['Skip', onPhones, (page: Page) => welcome(page).getByRole('button', { name: 'Skip' }).click()],
  ['Escape', onDesks, (page: Page) => page.keyboard.press('Escape')],
] as const) {
  test(`after ${how} the welcome stays away`, { tag }, async ({ page }) => {
    await open(page, '/en', false)
    await pass(page, 4)
    await expect(welcome(page)).toBeVisible()
    await skip(page)
    await expect(welcome(page)).toHaveCount(0)
    await page.reload()
    await page.waitForLoadState('networkidle')
    await pass(page, 10)
    await expect(welcome(page)).toHaveCount(0)
  })
}

test('the welcome waits until another dialog is closed', { tag: onDesks }, async ({ page }) => {
  await open(page, '/en', false, true)
  await page.evaluate(() => {
    const dialog = document.createElement('dialog')
    document.body.append(dialog)
    dialog.showModal()
  })
  await pass(page, 10)
  await expect(welcome(page)).toHaveCount(0)
  await page.evaluate(() => document.querySelector('dialog')!.close())
  await pass(page, 2)
  await expect(welcome(page)).toBeVisible()
})

test('the welcome is seen on the first screen, once; it takes no focus, moves nothing and covers nothing', async ({ page }) => {
  await open(page, '/en', false)
  await page.locator('#search').focus()
  const place = page.locator('section:has(> div[aria-hidden])').first()
  const [before, next] = [await place.boundingBox(), await page.getByRole('heading', { name: 'Trending now' }).boundingBox()]
  await pass(page, 4)
  await expect(welcome(page)).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Search for an animal' })).toBeFocused()
  await expect(welcome(page).getByRole('heading')).toBeInViewport({ ratio: 1 })
  await expect(welcome(page).getByRole('button', { name: 'Next' })).toBeInViewport({ ratio: 1 })
  expect(await place.boundingBox()).toEqual(before)
  expect(await page.getByRole('heading', { name: 'Trending now' }).boundingBox()).toEqual(next)
  // It lies in the page; what stands where it stands makes room.
  await expect(banners(page)).toBeHidden()
  await welcome(page).getByRole('button', { name: 'Skip' }).click()
  await expect(banners(page)).toBeVisible()
  await page.reload()
  await page.waitForLoadState('networkidle')
  await pass(page, 10)
  await expect(welcome(page)).toHaveCount(0)
  // 200 % zoom on a desk leaves 640 × 400.
  await page.setViewportSize({ width: 640, height: 400 })
  await expectNoSidewaysScroll(page)
})

for (const path of ['/', '/en']) {
  test(`the whole of ${path} with the welcome open stands within its screen, and axe finds nothing`, async ({ page }) => {
    await open(page, path, false)
    await pass(page, 4)
    await expect(welcome(page)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAxeClean(page)
  })
}
