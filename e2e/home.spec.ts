import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onPhones, test, withOwnFonts } from './market.ts'

const A_WEEK_S = 7 * 86_400

const banners = (page: Page) => page.getByRole('region', { name: 'The market in three pictures' })
const position = (page: Page) => banners(page).locator('[aria-live]')
const welcome = (page: Page) => page.locator('#welcome')

/** About 3,500 with three rows of animals. Layout pixels, the same on any machine. */
const TALLEST_HOME_PX = 2900

/** How high the page is without its rows of animals: other journeys list some with long names. */
const heightWithoutAnimals = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('ul:has(> li > .listing-tile)')]
    return document.documentElement.scrollHeight - rows.reduce((sum, row) => sum + row.clientHeight, 0)
  })

/** Opens the home page with a fake clock and waits for its scripts; when stopped, the clock only moves on demand. */
async function open(page: Page, path = '/en', greeted = true, isStopped = false): Promise<void> {
  if (greeted) await page.context().addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  const now = new Date()
  await page.clock.install({ time: now })
  if (isStopped) await page.clock.pauseAt(new Date(now.getTime() + 1000))
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

const pass = (page: Page, seconds: number) => page.clock.runFor(seconds * 1000)

/** The page's script arrives when the returned function is called. */
async function holdScript(page: Page): Promise<() => void> {
  let letScriptCome = () => {}
  const mayCome = new Promise<void>((resolve) => (letScriptCome = resolve))
  await page.route(/page-script/, async (route) => {
    await mayCome
    await route.fallback()
  })
  return letScriptCome
}

test('trending and top animals are shown, each with a link to its page', { tag: onDesks }, async ({ page }) => {
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

test('new animals are in a row above them and repeat none', { tag: onDesks }, async ({ page }) => {
  await open(page)
  const ids = (name: string) =>
    page
      .getByRole('group', { name })
      .locator('article [data-heart]')
      .evaluateAll((hearts) => hearts.map((heart) => heart.getAttribute('data-heart')))
  const [fresh, shown] = [await ids('New arrivals'), [...(await ids('Trending now')), ...(await ids('Top in Market'))]]
  expect(fresh.length).toBeGreaterThan(3)
  expect(fresh.filter((id) => shown.includes(id))).toEqual([])
})

test('on a phone the trending animals are a row that scrolls sideways', { tag: onPhones }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await open(page)
  const row = page.getByRole('group', { name: 'Trending now' })
  const [first, second] = [(await row.locator('article').nth(0).boundingBox())!, (await row.locator('article').nth(1).boundingBox())!]
  expect([Math.round(second.y - first.y), second.x > first.x + first.width / 2]).toEqual([0, true])
  await row.evaluate((element) => element.scrollBy({ left: 300, behavior: 'instant' }))
  expect((await row.locator('article').nth(0).boundingBox())!.x).toBeLessThan(first.x - 250)
  await expectNoSidewaysScroll(page)
})

for (const path of ['/', '/en'])
  test(
    `the first screen of ${path} has the search, the species and two rows of animals with their prices`,
    { tag: core },
    async ({ page }) => {
      await withOwnFonts(page)
      // With the line for new visitors.
      await open(page, path, false)
      const bar = page.getByRole('navigation', { name: path === '/' ? 'விரைவு மெனு' : 'Quick menu' })
      const floor = (await bar.isVisible()) ? (await bar.boundingBox())!.y : page.viewportSize()!.height
      const prices = await page
        .locator('article')
        .evaluateAll((tiles) => tiles.map((tile) => tile.querySelector('.money b')!.getBoundingClientRect()))
      const seen = prices.filter(({ bottom, left, right }) => bottom <= floor && left >= 0 && right <= page.viewportSize()!.width)
      const isPhone = page.viewportSize()!.width < 768
      const rows = new Set(seen.map(({ top }) => Math.round(top / 50)))
      expect(rows.size).toBe(isPhone ? 2 : 1)
      if (isPhone) expect(await heightWithoutAnimals(page)).toBeLessThanOrEqual(TALLEST_HOME_PX)
      await expect(page.locator('#search')).toBeInViewport()
      await expect(page.locator('a[href$="/buy/2"]').first()).toBeInViewport()
      // The trust sign of each animal stays inside its card: in Tamil it takes two lines.
      const signs = page.locator('.listing-tile p[class] > span')
      expect(await signs.count()).toBeGreaterThan(0)
      expect(
        await signs.evaluateAll((all) =>
          all
            .filter((sign) => sign.getBoundingClientRect().right > sign.closest('.listing-tile')!.getBoundingClientRect().right)
            .map((sign) => sign.textContent),
        ),
      ).toEqual([])
    },
  )

test('the banners change every five seconds until they are stopped, and can be started again', { tag: onPhones }, async ({ page }) => {
  await open(page)
  await banners(page).scrollIntoViewIfNeeded()
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

test("next and previous during a banner's animation end at the right banner", async ({ page }) => {
  await open(page)
  await banners(page).scrollIntoViewIfNeeded()
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
    // A late end event of an earlier animation.
    region.querySelector('[role=group]')!.dispatchEvent(new Event('scrollend'))
    for (let n = 0; n < 30; n += 1) await turn()
    await press('Previous')
    return region.querySelector('[aria-live]')!.textContent
  })
  expect(said).toBe('1 of 3')
  await expect(banners(page).getByRole('link', { name: 'See animals for sale' })).toBeInViewport()
})

test('the banners pause while the pointer or focus is in them', { tag: onDesks }, async ({ page }) => {
  await open(page)
  await banners(page).getByRole('link', { name: 'See animals for sale' }).focus()
  await pass(page, 20)
  await expect(position(page)).toHaveText('1 of 3')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await pass(page, 5)
  await expect(position(page)).toHaveText('2 of 3')
})

test('nothing rotates with reduced motion', { tag: onPhones }, async ({ page }) => {
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
  // They pause while out of view.
  await pass(page, 10)
  await expect(voices.locator('[aria-live]')).toHaveText('1 of 4')
  await voices.scrollIntoViewIfNeeded()
  // The observer of the page notices the scroll a moment later.
  await expect(async () => {
    await pass(page, 5)
    await expect(voices.locator('[aria-live]')).not.toHaveText('1 of 4', { timeout: 500 })
  }).toPass()
  const at = Number((await voices.locator('[aria-live]').textContent())!.slice(0, 1))
  await pass(page, 5)
  await expect(voices.locator('[aria-live]')).toHaveText(`${(at % 4) + 1} of 4`)
})

test('the welcome moves forward and back, in either language, and ends in the chosen one', { tag: onPhones }, async ({ page, context }) => {
  const openedAt = Date.now() / 1000
  await open(page, '/en', false)
  // A script shows it. Without scripts it is in a template, which shows nothing.
  const html = await (await page.request.get('/en')).text()
  expect(html.replace(/<template[\s\S]*?<\/template>/g, '')).not.toContain('Welcome to Sandhai')
  await welcome(page).getByText('New here? Three steps').click()
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
  await welcome(page).getByRole('button', { name: 'English' }).click()
  await expect(welcome(page).getByRole('heading')).toHaveText('Buy')
  await welcome(page).getByRole('button', { name: 'தமிழ்' }).click()
  await welcome(page).getByRole('button', { name: 'அடுத்து' }).click()
  await welcome(page).getByRole('button', { name: 'முடி' }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ta')
  await page.waitForLoadState('networkidle')
  await pass(page, 10)
  await expect(welcome(page)).toHaveCount(0)
  const quiet = (await context.cookies()).find(({ name }) => name === 'wizard')!
  // Set between opening and now; browsers may round to seconds.
  expect(quiet.expires - A_WEEK_S).toBeGreaterThan(openedAt - 1)
  expect(quiet.expires - A_WEEK_S).toBeLessThan(Date.now() / 1000 + 1)
  expect(quiet.sameSite).toBe('Lax')
})

for (const [how, tag, skip] of [
  ['Skip', onPhones, (page: Page) => welcome(page).getByRole('button', { name: 'Skip' }).click()],
  [
    'Escape',
    onDesks,
    async (page: Page) => {
      await welcome(page).getByText('New here? Three steps').click()
      await page.keyboard.press('Escape')
    },
  ],
] as const) {
  test(`after ${how} the welcome stays away`, { tag }, async ({ page }) => {
    await open(page, '/en', false)
    await expect(welcome(page)).toBeVisible()
    await skip(page)
    await expect(welcome(page)).toHaveCount(0)
    await page.reload()
    await page.waitForLoadState('networkidle')
    await pass(page, 10)
    await expect(welcome(page)).toHaveCount(0)
  })
}

for (const path of ['/', '/en'])
  test(`the welcome of ${path} is on the first screen; it takes no focus, moves nothing and covers nothing`, async ({ page }) => {
    const letScriptCome = await holdScript(page)
    await page.goto(path, { waitUntil: 'commit' })
    // It is there before the page's script, as the page first appears.
    await expect(welcome(page)).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    const boxes = () => page.locator('main section').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y))
    const before = await boxes()
    await page.locator('#search').focus()
    letScriptCome()
    await page.waitForLoadState('networkidle')
    await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain('wizard')
    await expect(page.locator('#search')).toBeFocused()
    expect(await boxes()).toEqual(before)
    await welcome(page).locator('summary').click()
    await expect(welcome(page).getByRole('heading')).toBeInViewport({ ratio: 1 })
    await expect(welcome(page).locator('[data-welcome=next]:visible')).toBeInViewport({ ratio: 1 })
  })

test('a tap on the welcome that comes before the script is answered when it arrives', { tag: onPhones }, async ({ page }) => {
  const letScriptCome = await holdScript(page)
  await page.goto('/en', { waitUntil: 'commit' })
  await welcome(page).locator('summary').click()
  await welcome(page).getByRole('button', { name: 'Next' }).click()
  await expect(welcome(page).getByRole('heading')).toHaveText('Welcome to Sandhai')
  letScriptCome()
  await expect(welcome(page).getByRole('heading')).toHaveText('Buy')
})

for (const path of ['/', '/en']) {
  test(`${path} with the welcome open fits its screen, and axe finds no violation`, async ({ page }) => {
    await open(page, path, false)
    await welcome(page).locator('summary').click()
    await expectNoSidewaysScroll(page)
    await expectAxeClean(page)
    // 200 % zoom on a desktop leaves 640 × 400.
    await page.setViewportSize({ width: 640, height: 400 })
    await expectNoSidewaysScroll(page)
  })
}
