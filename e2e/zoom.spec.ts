import type { Page } from '@playwright/test'
import { controlsInTrouble } from './overlaps.ts'
import { expect, expectNoSidewaysScroll, onPhones, test, untilAlive, withOwnFonts } from './market.ts'
import { newPhone, ownId, registerByApi } from './people.ts'
import { offered } from './offered.ts'
import { callApi } from './sellers.ts'

// A phone of 360 pixels at 200 %: half as wide, and half as high.
test.use({ viewport: { width: 180, height: 400 } })
test.beforeEach(({ page }) => withOwnFonts(page))

async function expectRoom(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page)
  expect(await controlsInTrouble(page), page.url()).toEqual([])
}

for (const path of [
  '/',
  '/buy/0',
  '/product/1',
  '/compare?ids=1,2,3',
  '/my-cart',
  '/sell',
  '/orders',
  '/breeds',
  '/breeds/kangayam',
  '/login',
  '/register',
  '/forum',
  '/view-requirements',
  '/how-it-works',
  '/en',
  '/en/register',
  '/en/buy/1',
  '/en/product/2',
  '/en/compare?ids=1,2,3',
])
  test(`at 200 % nothing of ${path} is off the screen, and tap targets do not overlap`, { tag: onPhones }, async ({ page }) => {
    await page.goto(path)
    await untilAlive(page)
    await expectRoom(page)
  })

test("at 200 % a row's text has at least half of its width", { tag: onPhones }, async ({ page }) => {
  await page.goto('/buy/0')
  for (const row of (await page.locator('.listing-rows h3').all()).slice(0, 5))
    expect((await row.boundingBox())!.width).toBeGreaterThanOrEqual(90)
})

for (const root of ['', '/en'])
  test(`at 200 % a buyer orders, and nothing overlaps (${root || 'Tamil'})`, { tag: onPhones }, async ({ page, browser }) => {
    test.slow()
    const product = await offered(browser, 'Narrow bull')
    await page.goto('/')
    await registerByApi(page)
    const id = await ownId(page)
    const address = { name: 'செல்வி', phone: `+91${newPhone()}`, type: 1, address_1: '12, கோவில் தெரு', address_2: 'ஊர்', pincode: '641001' }
    await page.goto(`${root}/my-addresses`)
    await untilAlive(page)
    await expectRoom(page)
    const saved = (await (await callApi(page, 'POST', `/user-address/user=${id}`, address)).json()) as { id: number }
    expect((await callApi(page, 'POST', `/buyercart/buyer=${id}`, { product, items_count: 1 })).status()).toBe(200)
    for (const path of ['/my-cart', `/confirm-order/${saved.id}`]) {
      await page.goto(root + path)
      await untilAlive(page)
      await expectRoom(page)
    }
    await page.getByRole('main').locator('[data-place-bar] button, button[type=submit]').last().click()
    await expect(page).toHaveURL(/placed=/)
    await untilAlive(page)
    await expectRoom(page)
    await page.goto(`${root}/orders`)
    await untilAlive(page)
    await expectRoom(page)
  })
