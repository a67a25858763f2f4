import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { DEMO_PASSWORD } from './admins.ts'
import { core, expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { loginByApi } from './people.ts'

/** A bull of the sample market with every badge, by a verified seller. */
const BULL = 1

for (const prefix of ['', '/en'])
  test(`the first screen of an animal answers a buyer's first questions, in ${prefix ? 'English' : 'Tamil'}`, async ({
    page,
    viewport,
  }) => {
    await page.goto(`${prefix}/product/${BULL}`)
    const main = page.getByRole('main')
    const answers = {
      photo: main.locator('#photo-1 img').last(),
      price: main.getByText('₹1,32,000').first(),
      name: main.getByRole('heading', { level: 1 }),
      facts: main.locator('ul:has(use[href$="#weight"])').first(),
      place: main.locator('p:has(> svg > use[href$="#pin"])').first(),
      trust: main.locator('ul:has(> li > [popovertarget="proof-vet"])'),
      seller: main.locator('a[href*="/seller/"]:visible').first(),
      bar: main.locator('[data-buy-bar] > div'),
    }
    const bar = (await answers.bar.boundingBox())!
    // On a phone the bar covers the content below it.
    const foot = viewport!.width < 768 ? bar.y : viewport!.height
    for (const [what, place] of Object.entries(answers)) {
      const box = (await place.boundingBox())!
      expect(box.y, what).toBeGreaterThanOrEqual(0)
      expect(box.y + box.height, what).toBeLessThanOrEqual(what === 'bar' ? viewport!.height : foot)
    }
    await expect(answers.facts.getByRole('listitem')).toHaveCount(4)
    await expect(answers.trust.getByRole('button')).toHaveCount(3)
    const rows = await answers.trust.getByRole('button').evaluateAll((chips) => chips.map((chip) => chip.getBoundingClientRect().y))
    expect(new Set(rows).size).toBeLessThanOrEqual(2)
    if (viewport!.width < 768) {
      const photo = (await main.locator('#photo-1').boundingBox())!
      expect([photo.x, photo.width, photo.height]).toEqual([0, 360, 270])
      // The bar replaces the market's bottom navigation.
      const outer = (await main.locator('[data-buy-bar]').boundingBox())!
      expect([outer.y + outer.height, outer.height <= 68]).toEqual([viewport!.height, true])
      await expect(page.locator('body > nav')).toBeHidden()
    }
    await expectNoSidewaysScroll(page)
    await expectAxeClean(page)
  })

for (const javaScriptEnabled of [true, false])
  test(
    `each badge of an animal opens its proof, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    { tag: [onPhones, core] },
    async ({ browser }) => {
      const context = await browser.newContext({ viewport: { width: 360, height: 800 }, javaScriptEnabled })
      const page = await context.newPage()
      await page.goto(`/en/product/${BULL}`)
      for (const [chip, title, proof] of [
        [/^Seller verified/, 'A verified seller', 'PAN and address'],
        [/^Vet \d/, 'Veterinary Check Details', 'Checked by'],
        [/^2 vaccinations/, 'Livestock Vaccination detail', 'Foot and mouth disease'],
      ] as const) {
        await page.getByRole('button', { name: chip }).click()
        const sheet = page.getByRole('dialog', { name: title })
        await expect(sheet).toContainText(proof)
        if (javaScriptEnabled) await expectAxeClean(page)
        await sheet.getByRole('button', { name: 'Close' }).click()
        await expect(sheet).toBeHidden()
      }
      await context.close()
    },
  )

test('a phone of 360 pixels loads the first photo at 640, a sharper one at 1280', { tag: onPhones }, async ({ browser }) => {
  for (const [deviceScaleFactor, width] of [
    [1, 640],
    [2, 640],
    [3, 1280],
  ]) {
    const context = await browser.newContext({
      viewport: { width: 360, height: 800 },
      deviceScaleFactor: deviceScaleFactor!,
    })
    const page = await context.newPage()
    await page.goto('/product/62')
    const photo = page.locator('#photo-1 picture img')
    await expect.poll(() => photo.evaluate((img: HTMLImageElement) => img.currentSrc)).toContain(`-${width}.`)
    await context.close()
  }
})

test('a photo opens in full with its fine rendition; arrows change it, a click zooms, Esc and Back close it', async ({ page }) => {
  const details: string[] = []
  page.on('request', (request) => request.url().includes('-2048.') && details.push(request.url()))
  await page.goto(`/en/product/${BULL}`)
  await page.locator('html[data-ready]').waitFor()
  const photo = page.locator('#photo-1 a')
  expect(details).toEqual([])
  await photo.click()
  const viewer = page.getByRole('dialog', { name: 'Photos' })
  await expect(viewer.getByRole('status')).toHaveText('1/3')
  const shown = viewer.getByRole('img', { name: /^Photo 1/ })
  await expect(shown).toHaveAttribute('src', /-2048\.webp$/)
  expect(details).toHaveLength(1)
  const widthOf = () => shown.evaluate((picture) => Math.round((10 * picture.clientWidth) / innerWidth))
  expect(await widthOf()).toBe(10)
  await expectAxeClean(page)
  await shown.click()
  await expect.poll(widthOf).toBe(25)
  await shown.click()
  await expect.poll(widthOf).toBe(10)
  await page.keyboard.press('ArrowRight')
  await expect(viewer.getByRole('status')).toHaveText('2/3')
  await expect.poll(() => details.length).toBe(2)
  await page.keyboard.press('Escape')
  await expect(viewer).toBeHidden()
  // The page is at the photo that the viewer showed last.
  await expect(page.locator('#photo-2')).toBeInViewport()
  await photo.dispatchEvent('click')
  await expect(viewer).toBeVisible()
  await page.goBack()
  await expect(viewer).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/en/product/${BULL}$`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('pinch and double tap zoom a photo', { tag: onPhones }, async ({ page }) => {
  await page.goto(`/product/${BULL}`)
  await page.locator('html[data-ready]').waitFor()
  await page.locator('#photo-1 a').click()
  const shown = page.locator('[data-viewer] img').first()
  await expect(shown).toHaveAttribute('src', /-2048\.webp$/)
  const devices = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: number[]) =>
    devices.send('Input.dispatchTouchEvent', { type, touchPoints: places.map((x, id) => ({ x, y: 400, id })) })
  const isZoomed = () => shown.evaluate((picture) => picture.clientWidth > innerWidth * 1.5)
  await touch('touchStart', 150, 210)
  for (const by of [20, 40, 60, 80]) await touch('touchMove', 150 - by, 210 + by)
  await touch('touchEnd')
  await expect.poll(isZoomed).toBe(true)
  const tap = async () => {
    await touch('touchStart', 180)
    await touch('touchEnd')
  }
  // A slow machine may turn a double tap into two single ones, so repeat it.
  await expect(async () => {
    await tap()
    await tap()
    expect(await isZoomed()).toBe(false)
  }).toPass()
})

test('without scripts a photo is a link to its fine rendition', { tag: onPhones }, async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`/product/${BULL}`)
  await page.locator('#photo-1 a').click()
  await expect(page).toHaveURL(/-2048\.webp$/)
  await context.close()
})

test("a seller's page has prices on its first screen, and a call is about one animal", async ({ page, viewport }) => {
  const open = async () => {
    await page.goto('/en/seller/2')
    await untilAlive(page)
    const price = (await page.locator('.listing-rows .price b').first().boundingBox())!
    expect(price.y + price.height).toBeLessThanOrEqual(viewport!.height - 68)
    await page.getByRole('button', { name: 'Talk to the seller' }).click()
    const link = page.getByRole('dialog', { name: 'Which animal is it about?' }).getByRole('link').first()
    await expectNoSidewaysScroll(page)
    await expectAxeClean(page)
    await link.click()
  }
  await open()
  const modal = page.getByRole('dialog', { name: 'User Login' })
  await modal.getByRole('textbox', { name: 'Phone number' }).fill('9000000001')
  await modal.getByRole('textbox', { name: 'Password' }).fill(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/en\/product\/\d+\?wanted=call$/)
  await open()
  await expect(page).toHaveURL(/\/en\/product\/\d+\?wanted=call$/)
  await expect(page.getByRole('main').getByRole('status').first().getByRole('link')).toHaveAttribute('href', /^tel:\+91/)
  // Their own page offers no call.
  expect(await loginByApi(page, '9000000002', DEMO_PASSWORD)).toBe(200)
  await page.goto('/en/seller/2')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('[data-buy-bar]')).toHaveCount(0)
})

test('on paper an animal has its facts, and no buttons', { tag: onPhones }, async ({ page }) => {
  await page.goto(`/en/product/${BULL}`)
  await page.emulateMedia({ media: 'print' })
  for (const text of ['₹1,32,000', 'Kangayam bull, four teeth', 'Seller verified']) await expect(page.getByText(text).first()).toBeVisible()
  for (const tool of ['body > header', 'body > footer', '[data-buy-bar]', '[data-heart]', '[class*=button]'])
    expect(await page.locator(tool).evaluateAll((all) => all.filter((each) => each.checkVisibility()).length), tool).toBe(0)
})

/** The controls that paper shows, by their text; a chip that states a fact is none. */
const controlsOnPaper = async (page: Page) => {
  await page.emulateMedia({ media: 'print' })
  const controls =
    'nav, select, textarea, input, [class*=button], [class*=usual-filter], main a.absolute.top-2, [role=tab][aria-selected=false]'
  const shown = await page
    .locator(controls)
    .evaluateAll((all) =>
      all.filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 1).map((each) => each.outerHTML),
    )
  await page.emulateMedia({ media: 'screen' })
  return shown
}

test("paper has no control of a list, of a buyer's animal and of a buyer's orders", { tag: onPhones }, async ({ page }) => {
  await page.goto('/en')
  expect(await loginByApi(page, '9000000001', DEMO_PASSWORD)).toBe(200)
  // A4 upright and across.
  for (const width of [794, 1123]) {
    await page.setViewportSize({ width, height: 1123 })
    for (const path of ['/en/buy/1?max=80000', `/en/product/${BULL}`, '/en/orders']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await controlsOnPaper(page), path).toEqual([])
    }
  }
  await page.goto('/en/buy/1?max=80000')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('≤ ₹80,000', { exact: true })).toBeVisible()
})

test('the contact links of an animal and of the footer are as tall as a thumb', { tag: onPhones }, async ({ page }) => {
  const heightsOf = (links: string) =>
    page.locator(`${links} >> visible=true`).evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height))
  // A wide phone: the text of the login takes one line.
  await page.setViewportSize({ width: 600, height: 800 })
  await page.goto(`/en/product/${BULL}`)
  await page
    .getByRole('contentinfo')
    .getByText(/^Contact/)
    .first()
    .click()
  const heights = [...(await heightsOf('main td a[href*="/login"]')), ...(await heightsOf('footer address a'))]
  expect(heights).toHaveLength(4)
  for (const height of heights) expect(height).toBeGreaterThanOrEqual(44)
})
