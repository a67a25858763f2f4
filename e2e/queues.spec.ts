import { decide, loginAsAdmin } from './admins.ts'
import { expect, expectNoSidewaysScroll, onDesks, onPhones, test, untilAlive } from './market.ts'
import { registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'
import type { Browser, Page } from '@playwright/test'

/** Bulls on the market, each reported by somebody. */
async function reportedBulls(browser: Browser, baseURL: string, names: string[]): Promise<void> {
  const seller = await (await browser.newContext({ baseURL })).newPage()
  const buyer = await (await browser.newContext({ baseURL })).newPage()
  const person = await registerSeller(seller)
  await registerByApi(buyer)
  for (const name of names) {
    const product = await listBull(seller, person, name)
    await decide(browser, baseURL, product, true, 'Good.')
    expect((await callApi(buyer, 'POST', '/report', { product, reason: 'fraud' })).status()).toBe(200)
  }
  await seller.context().close()
  await buyer.context().close()
}

/** J until the focus is on the row with this text, and Enter; the oldest is open from the start. */
async function openByKeys(page: Page, text: string): Promise<void> {
  if ((await page.locator('[data-row-link][aria-current]').textContent())?.includes(text)) return
  const rows = await page.locator('[data-row-link]').count()
  const focused = page.locator('[data-row-link]:focus')
  for (let n = 0; n < rows; n++) {
    await page.keyboard.press('j')
    if ((await focused.textContent())?.includes(text)) return page.keyboard.press('Enter')
  }
  throw new Error(`No row says ${text}.`)
}

test('an admin decides reports in a row with the keyboard alone', { tag: onDesks }, async ({ page, browser, baseURL }) => {
  test.slow()
  const names = [1, 2, 3].map((n) => `Queue bull ${n} ${Date.now()}`)
  await reportedBulls(browser, baseURL!, names)
  await loginAsAdmin(page)
  await page.goto('/en/admin/reports')
  await untilAlive(page)
  // The oldest case is open beside the queue before anybody asks for it.
  await expect(page.getByRole('article')).toHaveCount(1)
  for (const name of names) {
    await openByKeys(page, name)
    const open = page.getByRole('article').filter({ hasText: name })
    await expect(open).toBeVisible()
    await expect(page.locator('[data-row-link][aria-current]')).toContainText(name)
    await page.keyboard.press('n')
    await expect(open.getByLabel('Note (why it stays)')).toBeFocused()
    await page.keyboard.type('Called the seller: all is well.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main').getByRole('status')).toBeVisible()
    await expect(page.locator('[data-row-link]').filter({ hasText: name })).toHaveCount(0)
    await untilAlive(page)
  }
})

test('on a phone the case stands in the queue’s place, without scripts too', { tag: onPhones }, async ({ browser, baseURL }) => {
  const name = `Queue bull ${Date.now()}`
  await reportedBulls(browser, baseURL!, [name])
  const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
  const page = await context.newPage()
  await loginAsAdmin(page)
  await page.goto('/admin/reports')
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.locator('[data-row-link]').filter({ hasText: name }).click()
  const open = page.getByRole('article').filter({ hasText: name })
  await expect(open).toBeVisible()
  await expect(page.locator('[data-row-link]:visible')).toHaveCount(0)
  await expectNoSidewaysScroll(page)
  await open.getByRole('button', { name: 'விற்பனையிலிருந்து நீக்க' }).click()
  await expect(open.getByRole('alert').or(open.locator('[aria-invalid=true]')).first()).toBeVisible()
  await page.getByRole('link', { name: 'அட்டவணைக்குத் திரும்ப' }).click()
  await expect(page.locator('[data-row-link]').filter({ hasText: name })).toBeVisible()
  await context.close()
})
