import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { registerByApi } from './people.ts'

/** A bull of the sample market in the row "Top in Market". The newest animals are of other journeys, which also sell them. */
const BULL = 1
const heart = (page: Page) => page.locator(`[data-heart="${BULL}"]`).first()
const note = (page: Page) => page.locator('#heart-note')

async function openHome(page: Page): Promise<void> {
  await page.context().addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  await page.goto('/en')
  await untilAlive(page)
}

test("a heart saves in one tap, on an anonymous visitor's device, and moves to the account at the login", async ({ page }) => {
  await openHome(page)
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
  await heart(page).click()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(note(page)).toContainText('Saved on this phone.')
  await expect(page).toHaveURL(/\/en$/)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.reload()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/en/saved')
  await expect(page.getByText('One animal is saved on this phone.')).toBeVisible()
  const saved = page.getByRole('main').getByRole('listitem')
  await expect(saved).toHaveCount(1)
  await expect(saved).toContainText('₹')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  await registerByApi(page)
  await page.goto('/en/saved')
  await expect(page.getByRole('region', { name: /^Animals/ })).toContainText('Costs the same as when you saved it')
  expect(await page.evaluate(() => localStorage.getItem('sandhai.saved'))).toBe('[]')
})

test("an animal that is saved on the phone is opened and removed on the visitor's own list", async ({ page }) => {
  await openHome(page)
  for (const nth of [0, 1]) await page.locator('[data-heart]').nth(nth).click()
  const ids = JSON.parse((await page.evaluate(() => localStorage.getItem('sandhai.saved')))!) as number[]
  await page.goto('/en/saved')
  const saved = page.getByRole('main').getByRole('listitem')
  await expect(saved).toHaveCount(2)
  await saved
    .first()
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(saved).toHaveCount(1)
  await expect(page.getByText('One animal is saved on this phone.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('sandhai.saved'))).toBe(JSON.stringify(ids.slice(1)))
  // An animal that is not for sale any more is counted and named, and goes with one tap.
  await page.evaluate((id) => localStorage.setItem('sandhai.saved', JSON.stringify([999_999_999, id])), ids[1])
  await page.reload()
  await expect(page.getByText('No longer for sale: 1.')).toBeVisible()
  await expectAxeClean(page)
  await page.getByRole('button', { name: 'Take out' }).click()
  await expect(page.getByText('No longer for sale: 1.')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('sandhai.saved'))).toBe(JSON.stringify(ids.slice(1)))
  await saved.getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/en/product/${ids[1]}$`))
})

test('"Undo" and a second tap take a heart back; the account shows it in another browser', async ({ page }) => {
  await registerByApi(page)
  await openHome(page)
  await heart(page).click()
  await expect(note(page)).toContainText('Saved.')
  await note(page).getByRole('button', { name: 'Undo' }).click()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
  await expect(note(page)).toContainText('No longer saved.')
  await heart(page).focus()
  await page.keyboard.press('Space')
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await page.context().request.get('/api/v1/saved-listings')).json()).toEqual({ ids: [BULL] })
  await page.reload()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
})

test('a heart tapped before the saved animals are known stays full', async ({ page }) => {
  await registerByApi(page)
  const held: (() => void)[] = []
  await page.route('**/api/v1/saved-listings', async (route) => {
    const response = await route.fetch()
    await new Promise<void>((release) => held.push(release))
    await route.fulfill({ response })
  })
  await openHome(page)
  await expect.poll(() => held.length).toBe(1)
  await heart(page).click()
  await expect(note(page)).toContainText('Saved.')
  const answered = page.waitForResponse('**/api/v1/saved-listings')
  held[0]!()
  await (await answered).finished()
  // Two frames later the page has handled the answer.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
})

test('an offline heart reports the failure, and is empty again', async ({ page, context }) => {
  await registerByApi(page)
  await openHome(page)
  await context.setOffline(true)
  await heart(page).click()
  await expect(note(page)).toContainText('That did not work.')
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
  await context.setOffline(false)
})

test("a seller's animals and related animals have hearts that save in place", async ({ page }) => {
  await page.goto('/en/product/1')
  await untilAlive(page)
  const related = page.locator('ul:has(a[href*="/product/related/"]) [data-heart]').first()
  await related.click()
  await expect(related).toHaveAttribute('aria-pressed', 'true')
  await page.locator('a[href*="/seller/"]:visible').first().click()
  await expect(page).toHaveURL(/\/en\/seller\/\d+$/)
  await untilAlive(page)
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
  await heart(page).click()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/\/en\/seller\/\d+$/)
  expect(await page.evaluate(() => (JSON.parse(localStorage.getItem('sandhai.saved') ?? '[]') as number[]).length)).toBe(2)
  await expectAxeClean(page)
})
