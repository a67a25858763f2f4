import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { registerByApi } from './people.ts'

const heart = (page: Page) => page.locator('[data-heart]').first()
const note = (page: Page) => page.locator('#heart-note')

async function openHome(page: Page): Promise<void> {
  await page.context().addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  await page.goto('/en')
  await untilAlive(page)
}

test(
  'a heart saves in one tap, on the device of whoever is not logged in, and comes into the account at the login',
  { tag: core },
  async ({ page }) => {
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

    await registerByApi(page)
    await page.goto('/en/saved')
    await expect(page.getByRole('region', { name: /^Animals/ })).toContainText('Costs the same as when you saved it')
    expect(await page.evaluate(() => localStorage.getItem('sandhai.saved'))).toBe('[]')
  },
)

test('what a heart did is taken back by "Undo" and by a second tap; the account has it in another browser', async ({ page }) => {
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
  const id = Number(await heart(page).getAttribute('data-heart'))
  await expect.poll(async () => (await page.context().request.get('/api/v1/saved-listings')).json()).toEqual({ ids: [id] })
  await page.reload()
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'true')
})

test('offline a heart says that it did not work, and is empty again', async ({ page, context }) => {
  await registerByApi(page)
  await openHome(page)
  await context.setOffline(true)
  await heart(page).click()
  await expect(note(page)).toContainText('That did not work.')
  await expect(heart(page)).toHaveAttribute('aria-pressed', 'false')
  await context.setOffline(false)
})

test('the animals of a seller and those beside an animal have hearts, which save where one is', async ({ page }) => {
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
