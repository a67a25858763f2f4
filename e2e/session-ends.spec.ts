import type { BrowserContext, Page } from '@playwright/test'
import { core, expect, test, untilAlive } from './market.ts'
import { loginByApi, typeAsLongAsAPerson } from './people.ts'
import { chooseSpecies, listBull, registerSeller, writeOn } from './sellers.ts'

/** As when a browser deletes the cookie, or another tab logs out. */
async function endSession(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies()
  await context.clearCookies()
  await context.addCookies(cookies.filter(({ name }) => !name.endsWith('sid')))
}
const nameBox = (page: Page) => page.locator('#listing-name')

test('a person who is logged out while typing is asked to log in, and finds everything again', { tag: core }, async ({ page, context }) => {
  const { phone } = await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await chooseSpecies(page, 'Cow')
  await expect(page.getByText('✓ Saved', { exact: true })).toBeVisible()
  await endSession(context)
  await writeOn(page, 'name', 'Lakshmi')
  const login = page.getByRole('link', { name: 'Log in to save' })
  await expect(login).toBeInViewport()
  await expect(login).toHaveAttribute('href', /\/login\?next=%2Fen%2Fsell$/)
  expect(await loginByApi(page, phone)).toBe(200)
  await page.goto('/en/sell')
  await expect(nameBox(page)).toHaveValue('Lakshmi')
  await expect(page.getByText('✓ Saved', { exact: true })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a form sent after the session has ended is returned with all text', async ({ page, context }) => {
    const { phone } = await registerSeller(page)
    await page.goto('/en/sell')
    await page.getByRole('radio', { name: 'Cow', exact: true }).check()
    await page.locator('button[value=species]').click()
    await nameBox(page).fill('Lakshmi <3')
    await page.locator('#listing-description').fill('Calm.\nGood milk.')
    await endSession(context)
    await page.locator('button[value=preview]').click()
    await expect(page.getByText('Nothing you wrote is lost.')).toBeVisible()
    await expect(page.getByText('Lakshmi <3')).toBeVisible()
    expect(await loginByApi(page, phone)).toBe(200)
    await page.getByRole('button', { name: 'I have logged in' }).click()
    await expect(page.getByText('Everything you wrote is here.')).toBeVisible()
    await expect(nameBox(page)).toHaveValue('Lakshmi <3')
    await expect(page.locator('#listing-description')).toHaveValue('Calm.\nGood milk.')
    await page.locator('button[value=preview]').click()
    await expect(page.locator('#preview')).toContainText('Lakshmi <3')
  })
})

test.describe('after a login in another tab', () => {
  /** Logs in again with another session, sends what was typed before, and sends it once more. */
  async function sendTwice(page: Page, phone: string, field: string, button: string): Promise<void> {
    const typed = await page.locator(field).inputValue()
    const send = page
      .locator('form')
      .filter({ has: page.locator(field) })
      .getByRole('button', { name: button, exact: true })
    expect(await loginByApi(page, phone)).toBe(200)
    await send.click()
    const outdated = page.getByText('Everything you wrote is here. Please check it and send it once more.')
    await expect(outdated).toBeVisible()
    await expect(page.locator(field)).toHaveValue(typed)
    await typeAsLongAsAPerson(page)
    await send.click()
    await expect(outdated).toHaveCount(0)
  }

  test('a discussion, a review and a new price are sent with the same button', async ({ page }) => {
    const seller = await registerSeller(page)
    const id = await listBull(page, seller)
    await page.goto(`/en/product/${id}`)
    await untilAlive(page)
    await page.locator(`#quick-${id}-originalPrice`).fill('91000')
    await sendTwice(page, seller.phone, `#quick-${id}-originalPrice`, 'Update')
    await expect(page.getByText('₹91,000').first()).toBeVisible()

    const words = `Which fodder? ${Date.now()}`
    await page.goto('/en/forum')
    await untilAlive(page)
    await page.locator('#forum-content').fill(words)
    await sendTwice(page, seller.phone, '#forum-content', 'Post')
    await expect(page.getByRole('article').filter({ hasText: words })).toBeVisible()

    await page.goto('/en/product/1')
    await untilAlive(page)
    await page.locator('#review-comment').fill('Spoke well.')
    await sendTwice(page, seller.phone, '#review-comment', 'Save')
    await expect(page.locator('#reviews')).toContainText('Spoke well.')
  })
})
