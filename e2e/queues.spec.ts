import type { Browser, Page } from '@playwright/test'
import { decide, loginAsAdmin } from './admins.ts'
import { expect, expectNoSidewaysScroll, onDesks, onlyDesks, onPhones, test, untilAlive } from './market.ts'
import { registerByApi } from './people.ts'
import { expectAxeClean } from './axe.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

/** Bulls on the market, each reported by somebody. */
async function reportedBulls(browser: Browser, names: string[]): Promise<void> {
  const seller = await (await browser.newContext()).newPage()
  const buyer = await (await browser.newContext()).newPage()
  const person = await registerSeller(seller)
  await registerByApi(buyer)
  for (const name of names) {
    const product = await listBull(seller, person, name)
    await decide(browser, product, true, 'Good.')
    expect((await callApi(buyer, 'POST', '/report', { product, reason: 'fraud' })).status()).toBe(200)
  }
  await seller.context().close()
  await buyer.context().close()
}

/** Presses J until the row with this text has the focus, then Enter; the oldest is open from the start. */
async function openByKeys(page: Page, text: string): Promise<void> {
  if ((await page.locator('[data-row-link][aria-current]').textContent())?.includes(text)) return
  const rows = await page.locator('[data-row-link]').count()
  const focused = page.locator('[data-row-link]:focus')
  for (let n = 0; n < rows; n++) {
    await page.keyboard.press('j')
    if ((await focused.textContent())?.includes(text)) return page.keyboard.press('Enter')
  }
  throw new Error(`No row has the text ${text}.`)
}

test('an admin decides consecutive reports with the keyboard alone', { tag: [onDesks, onlyDesks] }, async ({ page, browser }) => {
  test.slow()
  const names = [1, 2, 3].map((n) => `Queue bull ${n} ${Date.now()}`)
  await reportedBulls(browser, names)
  await loginAsAdmin(page)
  await page.goto('/en/admin/reports')
  await untilAlive(page)
  // The oldest case is open beside the queue from the start.
  await expect(page.getByRole('article')).toHaveCount(1)
  // Text typed there stays when the person opens its row.
  await page.keyboard.press('n')
  await page.keyboard.type('Half a note')
  await page.locator('[data-row-link][aria-current]').click()
  await expect(page).toHaveURL(/subject=/)
  await expect(page.getByRole('article').getByLabel('Note (why it stays)')).toHaveValue('Half a note')
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

test('on a phone the case replaces the queue, also without scripts', { tag: onPhones }, async ({ browser }) => {
  const name = `Queue bull ${Date.now()}`
  await reportedBulls(browser, [name])
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
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

test(
  'an admin writes a ready answer at the desk, and uses it for a case with the keyboard',
  { tag: onDesks },
  async ({ page, browser }) => {
    test.slow()
    const name = `Answered bull ${Date.now()}`
    await reportedBulls(browser, [name])
    await loginAsAdmin(page)
    await page.goto('/en/admin/reports')
    await untilAlive(page)
    await openByKeys(page, name)
    const open = page.getByRole('article').filter({ hasText: name })
    // The reported listing is shown for the decision.
    await expect(open.getByRole('img', { name: new RegExp(name) })).toBeVisible()
    await expect(open).toContainText('₹85,000')
    await open.getByText('Ready answers').first().click()
    await open.getByRole('link', { name: 'Change these answers' }).click()

    await untilAlive(page)
    await expectAxeClean(page)
    const tamil = page.getByRole('textbox', { name: 'In Tamil' })
    const english = page.getByRole('textbox', { name: 'In English' })
    await tamil.last().fill(`${name} பார்த்தோம்.`)
    await page.getByRole('button', { name: 'Save the answers' }).click()
    await expect(english.last()).toHaveAttribute('aria-invalid', 'true')
    await english.last().fill(`${name} was looked at.`)
    await page.getByRole('button', { name: 'Save the answers' }).click()
    await expect(page.getByRole('main').getByRole('status')).toHaveText('The answers are saved.')

    await page.goto('/en/admin/reports')
    await untilAlive(page)
    await openByKeys(page, name)
    await open.getByText('Ready answers').first().focus()
    await page.keyboard.press('Enter')
    await open.getByRole('button', { name: `${name} was looked at.` }).focus()
    await page.keyboard.press('Enter')
    await expect(open.getByLabel('Note (why it stays)')).toHaveValue(`${name} was looked at.`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-row-link]').filter({ hasText: name })).toHaveCount(0)
  },
)
