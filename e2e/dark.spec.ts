import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { everyday, expect, onDesks, onPhones, test, untilAlive } from './market.ts'
import { registerByApi } from './people.ts'
import { chooseSpecies, listBull, openStep, registerSeller } from './sellers.ts'
import { steps } from '../src/selling/form/steps.ts'

// The dark theme with reduced motion.
test.use({ colorScheme: 'dark', contextOptions: { reducedMotion: 'reduce' } })

for (const prefix of ['', '/en']) {
  test(
    `text and controls have enough contrast in the dark on the pages of ${prefix || 'Tamil'}`,
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

test('forms and desks have enough contrast in the dark, too', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  await registerByApi(page)
  for (const path of ['/my-cart', '/orders', '/sell', '/my-addresses', '/saved', '/me']) {
    await page.goto(`/en${path}`)
    await expectAxeClean(page)
  }
  const context = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce' })
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

test('printed pages and drawings for paper stay light', { tag: onDesks }, async ({ page }) => {
  await page.goto('/en/how-it-works')
  const paper = page.locator('.light-sheet').first()
  await expect(paper).toHaveCSS('background-color', 'rgb(255, 253, 248)')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})

test(
  'a seller reads and fills everything in the dark: each step of the form, their listings, their earnings',
  { tag: onPhones },
  async ({ page }) => {
    test.slow()
    const seller = await registerSeller(page)
    const id = await listBull(page, seller, `Bull at night ${Date.now()}`)
    await page.goto('/en/sell')
    await untilAlive(page)
    await chooseSpecies(page, 'Cow')
    for (const step of steps) {
      await openStep(page, step)
      await expectAxeClean(page)
    }
    // A missing field is marked.
    await page.locator('[data-send]').click({ force: true })
    await expectAxeClean(page)
    for (const path of [
      '/seller-product/',
      `/seller-product/${id}/edit`,
      `/seller-product/${id}/proofs`,
      '/earnings',
      '/my-enquiries',
      '/sell/import',
      '/me',
      `/product/${id}`,
    ]) {
      await page.goto(`/en${path}`)
      await expectAxeClean(page)
    }
  },
)
