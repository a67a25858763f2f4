import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { everyday, expect, onDesks, onPhones, test } from './market.ts'
import { registerByApi } from './people.ts'

// The dark theme, as a phone asks for it at night, and with movement reduced.
test.use({ colorScheme: 'dark', contextOptions: { reducedMotion: 'reduce' } })

for (const prefix of ['', '/en']) {
  test(
    `text and controls stand out in the dark on the pages of ${prefix || 'Tamil'}`,
    { tag: prefix ? onDesks : onPhones },
    async ({ page }) => {
      test.slow()
      await page.goto(`${prefix}/buy/0`)
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(22, 20, 15)')
      const animal = (await page.locator('article a').first().getAttribute('href'))!
      const open = [
        '/',
        '/buy/0',
        '/buy/1?breed=101&max=90000&near=641001',
        '/breeds',
        '/breeds/kangayam',
        '/how-it-works',
        '/forum',
        '/view-requirements',
        '/login',
      ]
      for (const path of everyday([...open.map((path) => prefix + path), animal], prefix)) {
        await page.goto(path)
        await expectAxeClean(page)
      }
    },
  )
}

test('and where people act and work', { tag: onDesks }, async ({ page, browser, baseURL }) => {
  test.slow()
  await registerByApi(page)
  for (const path of ['/my-cart', '/orders', '/sell', '/my-addresses', '/saved', '/me']) {
    await page.goto(`/en${path}`)
    await expectAxeClean(page)
  }
  const context = await browser.newContext({ baseURL, colorScheme: 'dark', reducedMotion: 'reduce' })
  const desk = await context.newPage()
  await loginAsAdmin(desk)
  for (const path of [
    '/admin',
    '/admin/audit',
    '/admin/verification',
    '/orders',
    '/admin/users',
    '/admin/enquiries',
    '/admin/settings',
    '/admin/messages',
    '/admin/places',
    '/admin/places?district=tamil-nadu_tiruchirappalli',
    '/admin/page-views',
  ]) {
    await desk.goto(`/en${path}`)
    await expectAxeClean(desk)
  }
  await context.close()
})

test('paper stays light: what is printed, and what is drawn for paper', { tag: onDesks }, async ({ page }) => {
  await page.goto('/en/how-it-works')
  const paper = page.locator('.light-sheet').first()
  await expect(paper).toHaveCSS('background-color', 'rgb(255, 253, 248)')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(251, 246, 234)')
})
