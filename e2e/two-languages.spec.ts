import { core, expect, expectNoSidewaysScroll, onDesks, onPhones, test } from './market.ts'

test('Tamil is the default and English one tap away, on the same page, and remembered', { tag: core }, async ({ page }) => {
  await page.goto('/buy/1')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ta')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('மாடுகள்')
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page).toHaveURL(/\/en\/buy\/1$/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.goto('/buy/2')
  await expect(page).toHaveURL(/\/en\/buy\/2$/)
  await page.getByRole('link', { name: 'தமிழ்' }).click()
  await expect(page).toHaveURL(/:\d+\/buy\/2$/)
  await page.goto('/buy/3')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ta')
})

test('Tamil letters are rendered with the site’s own font', { tag: [onPhones, core] }, async ({ page }) => {
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  expect(await page.evaluate(() => document.fonts.check('16px "Noto Sans Tamil"', 'மாடு'))).toBe(true)
  // Missing glyphs are all the same box; real ones differ in width.
  const widths = await page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d')!
    pen.font = '64px "Noto Sans Tamil"'
    return ['க', 'ஙௌ', 'ர', 'ஊ', 'ணை', 'ஐ'].map((letter) => pen.measureText(letter).width)
  })
  expect(new Set(widths).size).toBe(widths.length)
})

for (const prefix of ['', '/en']) {
  test(
    `every page of ${prefix || 'Tamil'} fits its screen, with its alternate, description and picture`,
    { tag: prefix ? onDesks : onPhones },
    async ({ page, request, baseURL }) => {
      await page.goto(`${prefix}/buy/0`)
      const product = (await page.locator('article a').first().getAttribute('href'))!.replace(/^\/en/, '')
      for (const path of [
        '/',
        '/buy/0',
        '/buy/5',
        '/buy/21',
        '/buy/0?q=kozhi&sort=price-low&near=641001&within=200',
        product,
        product.replace('product/', 'product/related/'),
        '/login',
        '/coming-soon',
      ]) {
        await page.goto(prefix + path === '/en/' ? '/en' : prefix + path)
        await expectNoSidewaysScroll(page)
        expect((await page.title()).length).toBeGreaterThan(10)
        expect(await page.locator('meta[name=description]').getAttribute('content')).toBeTruthy()
        expect(await page.locator('meta[name=keywords]').getAttribute('content')).toBeTruthy()
        const canonical = (await page.locator('link[rel=canonical]').getAttribute('href'))!
        expect(canonical.startsWith(baseURL!)).toBe(true)
        const twins = await page.locator('link[rel=alternate]').evaluateAll((links) => links.map((link) => link.getAttribute('hreflang')))
        expect(twins).toEqual(['ta-IN', 'en-IN', 'x-default'])
        expect((await request.get(canonical)).status()).toBe(200)
        const picture = (await page.locator('meta[property="og:image"]').getAttribute('content'))!
        expect((await request.get(picture)).headers()['content-type']).toBe('image/jpeg')
      }
    },
  )
}

test('an unknown address is a real 404 with the quoted text and a link home', { tag: onDesks }, async ({ page }) => {
  for (const path of ['/en/nothing-here', '/en/product/999999999', '/en/buy/abc', '/en/product/1e3', '/en/product/%00']) {
    const response = await page.goto(path)
    expect(response!.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page Not Found!!' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Click here to go to home page!' }).click()
  await expect(page).toHaveURL(/\/en\/?$/)
})
