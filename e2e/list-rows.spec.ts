import type { Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, onDesks, onPhones, test, untilAlive, withOwnFonts } from './market.ts'

/** Top and bottom of each element on the screen before the first scroll. */
const boxes = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((list) =>
    list.map((element) => {
      const { top, bottom, height } = element.getBoundingClientRect()
      return { top, bottom, height }
    }),
  )

/** With all that A §2.5 names (decisions §8.8), and a long place above the signs. Layout pixels, the same on any machine. */
const TALLEST_ROW_PX = 200

for (const prefix of ['', '/en'])
  test(
    `four prices are on a phone's first screen, in rows of at most 200 px, nothing cut (${prefix || 'Tamil'})`,
    { tag: onPhones },
    async ({ page }) => {
      await withOwnFonts(page)
      await page.goto(`${prefix}/buy/0`)
      await untilAlive(page)
      await expectNoSidewaysScroll(page)
      const [header] = await boxes(page, 'body > header')
      expect(header!.height).toBeLessThanOrEqual(56)
      const [line] = await boxes(page, '.list-top')
      expect(line!.height).toBeLessThanOrEqual(56)
      const [species] = await boxes(page, '.list-species')
      expect(species!.height).toBeLessThanOrEqual(64)
      const [tools] = await boxes(page, '.list-tools')
      expect(tools!.height, 'count, chips and sort order share one row').toBeLessThanOrEqual(56)
      const rows = await boxes(page, '.listing-rows > li')
      expect(rows.length).toBeGreaterThan(20)
      expect(rows.filter(({ height }) => height > TALLEST_ROW_PX)).toEqual([])
      const cut = await page
        .locator('.listing-rows :is(.price, .price *, .place, .place *)')
        .evaluateAll((all) =>
          all.filter((each) => each.clientWidth > 1 && each.scrollWidth > each.clientWidth).map((each) => each.textContent),
        )
      expect(cut).toEqual([])
      const hidden = await page
        .locator('.listing-rows .price')
        .evaluateAll((all) =>
          all
            .filter((price) =>
              [...price.children].some(
                (part) => part.clientWidth > 1 && part.getBoundingClientRect().top > price.getBoundingClientRect().bottom - 4,
              ),
            )
            .map((price) => price.textContent),
        )
      expect(hidden).toEqual([])
      const [bar] = await boxes(page, 'body > nav')
      const prices = await boxes(page, '.listing-rows .price b')
      expect(prices[3]!.bottom).toBeLessThanOrEqual(bar!.top)
    },
  )

test('a jump to the end of the list moves nothing under the finger', { tag: onPhones }, async ({ page }) => {
  await page.goto('/buy/0?max=900000')
  await untilAlive(page)
  const tops = await page.getByRole('link', { name: 'இந்தத் தேடலைச் சேமிக்க' }).evaluate(async (link) => {
    link.scrollIntoView({ block: 'center' })
    const seen = []
    for (let frame = 0; frame < 10; frame++) {
      seen.push(Math.round(link.getBoundingClientRect().top))
      await new Promise(requestAnimationFrame)
    }
    return seen
  })
  expect(new Set(tops)).toHaveProperty('size', 1)
})

/** The visible text of each card; what only screen readers get does not count. */
const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((cards) =>
    cards.map((card) => {
      const copy = [...card.querySelectorAll<HTMLElement>('*')].filter(
        ({ offsetWidth, offsetHeight }) => offsetWidth > 1 && offsetHeight > 1,
      )
      const own = copy.map((part) =>
        [...part.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : '')).join(''),
      )
      return own.join(' ').replace(/\s+/g, ' ')
    }),
  )

/** The names of all breeds, as the page's language writes them. */
async function breedsOf(page: Page, language: string): Promise<string[]> {
  const answer = await page.request.get('/api/v1/category-type', { headers: { 'Accept-Language': language } })
  const types = (await answer.json()) as { categories: { breeds: { name: string }[] }[] }[]
  return types.flatMap(({ categories }) => categories).flatMap(({ breeds }) => breeds.map(({ name }) => name))
}

/** Breed and kind are separated by a dot; the breed comes first. */
const shownBreeds = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) => all.map((kind) => (kind as HTMLElement).innerText.split('·')[0]!.trim()))

for (const [path, words] of [
  ['/buy/0', 'வடிகட்ட'],
  ['/en/buy/0', 'Filter Options'],
] as const)
  test(`the filter shows its words inside the line above the list (${path})`, { tag: onPhones }, async ({ page }) => {
    for (const width of [320, page.viewportSize()!.width]) {
      await page.setViewportSize({ width, height: 640 })
      await page.goto(path)
      await untilAlive(page)
      expect((await textsOf(page, '[data-filter]'))[0]).toContain(words)
      const link = await page.locator('[data-filter]').boundingBox()
      const text = await page.locator('[data-filter] > span').first().boundingBox()
      expect(text!.x).toBeGreaterThanOrEqual(link!.x)
      expect(text!.x + text!.width).toBeLessThanOrEqual(link!.x + link!.width)
      expect(link!.x + link!.width).toBeLessThanOrEqual(width)
      expect(link!.height).toBeLessThanOrEqual(56)
      const search = await page.locator('#search').boundingBox()
      expect(search!.width).toBeGreaterThanOrEqual(110)
      await expectNoSidewaysScroll(page)
    }
  })

for (const [prefix, words] of [
  ['', { qty: /இருப்பு: \d/, kgs: /\d கிலோ/, sex: /பெண்|ஆண்(?!டு)/, place: /[\p{L}\p{M}] ?, தமிழ்நாடு/u, milk: /லி பால்/ }],
  ['/en', { qty: /Qty: \d/, kgs: /\d Kgs/, sex: /Female|Male|Mixed lot/, place: /\p{L} ?, Tamil Nadu/u, milk: /l milk/ }],
] as const)
  test(`each card has breed, weight, gender, Qty, city and state, milk beside them (${prefix || 'Tamil'})`, async ({ page }) => {
    const breeds = await breedsOf(page, prefix ? 'en' : 'ta')
    for (const width of [320, 768, 1024, page.viewportSize()!.width]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${prefix}/buy/1?milk=any`)
      const cows = await textsOf(page, '.listing-rows > li')
      expect(cows.length).toBeGreaterThan(2)
      for (const text of cows) for (const word of [words.qty, words.sex, words.milk, words.place]) expect(text, `${width}`).toMatch(word)
      // The name of an animal often has its breed, too, so only the fact beside it counts.
      const shown = await shownBreeds(page, '.listing-rows > li .kind')
      expect(shown).toHaveLength(cows.length)
      for (const breed of shown) expect(breeds, `${width}`).toContain(breed)
      // One of them was not weighed.
      expect(cows.filter((text) => words.kgs.test(text))).toHaveLength(cows.length - 1)
    }
    await page.goto(`${prefix}/product/1`)
    const related = await textsOf(page, '.listing-tile')
    expect(related.length).toBeGreaterThan(2)
    for (const text of related) {
      for (const word of [words.qty, words.kgs, words.sex]) expect(text).toMatch(word)
      expect(text).toMatch(words.place)
    }
    for (const facts of await page.locator('.listing-tile h3 + p').allTextContents())
      expect(breeds).toContain(facts.split(' · ')[0]!.replaceAll('\u00a0', ' '))
    await page.goto(prefix || '/')
    const tiles = await textsOf(page, '.listing-tile')
    expect(tiles.length).toBeGreaterThan(8)
    for (const text of tiles) {
      expect(text).toMatch(words.qty)
      expect(text).toMatch(words.place)
    }
    expect(tiles.filter((text) => words.kgs.test(text) && words.sex.test(text)).length).toBeGreaterThan(5)
  })

test('four cards stand in a row from 1280 px on, with and without the filter', { tag: onDesks }, async ({ page }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  const inFirstRow = async () => {
    const tops = (await boxes(page, '.listing-rows > li')).map(({ top }) => top)
    return tops.filter((top) => top === tops[0]).length
  }
  expect(await inFirstRow()).toBe(4)
  await page.getByRole('link', { name: 'Filter Options' }).click()
  await expect(page.locator('html[data-folded]')).toHaveCount(1)
  expect(await inFirstRow()).toBe(4)
})

test('the header hides while scrolling down and returns with the first scroll up', { tag: onPhones }, async ({ page }) => {
  await page.goto('/buy/0')
  await untilAlive(page)
  const header = page.locator('body > header')
  const search = page.locator('#search')
  await page.mouse.move(180, 400)
  await page.mouse.wheel(0, 900)
  await expect(header).not.toBeInViewport()
  await expect(search).toBeInViewport({ ratio: 1 })
  await page.mouse.wheel(0, -200)
  await expect(header).toBeInViewport({ ratio: 1 })
  await expect(search).toBeInViewport({ ratio: 1 })
  // One below the other.
  const [top, bottom] = [(await search.boundingBox())!.y, (await header.boundingBox())!]
  expect(top).toBeGreaterThanOrEqual(bottom.y + bottom.height)
})

test('big pictures are a setting of the device: the next list has them from its first paint', { tag: onPhones }, async ({ page }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  const photo = page.locator('.listing-rows .photo').first()
  expect((await photo.boundingBox())!.width).toBe(120)
  await page.getByRole('button', { name: 'Big pictures' }).click()
  await expect.poll(async () => (await photo.boundingBox())!.width).toBeGreaterThan(300)
  await page.route('**/assets/*.js', () => {})
  await page.goto('/en/buy/1', { waitUntil: 'commit' })
  await expect(photo).toBeVisible()
  expect((await photo.boundingBox())!.width).toBeGreaterThan(300)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto('/en/buy/1')
  await untilAlive(page)
  await page.getByRole('button', { name: 'Short rows' }).click()
  await expect.poll(async () => (await photo.boundingBox())!.width).toBe(120)
})

for (const [prefix, filterName, confirm, word] of [
  ['', 'வடிகட்ட', 'சரி, காட்டுங்கள்', 'பெண்'],
  ['/en', 'Filter Options', 'Confirm', 'Female'],
] as const)
  test(`each value of the filter shows its number of matches, and choosing it finds that many (${prefix || 'Tamil'})`, async ({
    page,
    viewport,
  }) => {
    // Other journeys add and remove listings, so retry until both pages are of the same moment.
    await expect(async () => {
      await page.goto(`${prefix}/buy/1`)
      await untilAlive(page)
      if (viewport!.width < 1000) await page.getByRole('link', { name: filterName }).click()
      const filter = page.locator('#filter')
      await expectNoSidewaysScroll(page)
      const female = filter.locator('label', { has: page.locator('[name=sex][value=female]') })
      const count = /\((\d+)\)/.exec(await female.innerText())![1]!
      expect(Number(count)).toBeGreaterThan(0)
      await female.click()
      await filter.getByRole('button', { name: confirm }).click()
      await expect(page).toHaveURL(/sex=female/)
      await expect(page.getByRole('status').first()).toContainText(count, { timeout: 1000 })
    }).toPass()
    // An active filter is a chip that removes it.
    await page.locator('.list-chips').getByText(word, { exact: true }).click()
    await expect(page).not.toHaveURL(/sex=/)
  })

test('the common filters of a species are one tap away', { tag: onPhones }, async ({ page }) => {
  await page.goto('/buy/1')
  await page.locator('.usual-filter').filter({ hasText: 'கறவையில்' }).click()
  await expect(page).toHaveURL(/\/buy\/1\?milk=any$/)
  await expect(page.locator('.listing-rows > li').first()).toContainText('லி பால் சொன்னது')
})

test(
  'an offline tap on a chip leaves the list as it is and says so; it is done when the connection is back',
  { tag: onPhones },
  async ({ page, context }) => {
    await page.goto('/en/buy/1')
    await untilAlive(page)
    await context.setOffline(true)
    const chip = page.locator('.usual-filter:not([data-near-me])').first()
    await chip.click()
    await expect(page.getByText('No connection. Check your connection and try again.')).toBeVisible()
    await expect(page).toHaveURL(/\/en\/buy\/1$/)
    await context.setOffline(false)
    await chip.click()
    await expect(page).toHaveURL(/\/en\/buy\/1\?/)
  },
)

test('breeds of an unchosen species unfold with pictures and counts', async ({ page, viewport }) => {
  // Other journeys add and remove listings, so retry until both pages are of the same moment.
  await expect(async () => {
    await page.goto('/en/buy/0?max=100000&sort=price-high')
    await untilAlive(page)
    if (viewport!.width < 1000) await page.getByRole('link', { name: 'Filter Options' }).click()
    const filter = page.locator('#filter')
    await filter
      .locator('summary')
      .filter({ hasText: /^Goat$/ })
      .click()
    const breed = filter.locator('label', { hasText: /^Boer/ }).first()
    const picture = breed.locator('img')
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    const count = Number(/\((\d+)\)/.exec((await breed.textContent())!)![1])
    await expectNoSidewaysScroll(page)
    await breed.getByRole('checkbox').check()
    await filter.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(/[?&]breed=\d+/)
    await expect(page.locator('.list-page').getByRole('status').first()).toContainText(new RegExp(`^${count} `), { timeout: 1000 })
  }).toPass()
  // Chosen breeds are part of the page, and every breed has a drawing of its own or of its species.
  const inPage = page.locator('#filter fieldset details[open] label')
  expect(await inPage.locator('img').count()).toBe(await inPage.count())
})
