import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './market.ts'

for (const prefix of ['', '/en']) {
  test(`axe finds nothing on the pages of ${prefix || 'Tamil'}`, async ({ page }) => {
    await page.goto(`${prefix}/buy/0`)
    const product = (await page.locator('article a').first().getAttribute('href'))!
    for (const path of [
      prefix || '/',
      `${prefix}/buy/0`,
      `${prefix}/buy/1?breed=101&max=90000&near=641001`,
      `${prefix}/buy/2?breed=101`,
      product,
      `${product}?tab=vaccination`,
      `${prefix}/buy/0?min=abc&max=xyz&near=nowheretown&sort=nearest`,
      `${prefix}/newsletter`,
      `${prefix}/dev/outbox`,
      `${prefix}/login`,
      `${prefix}/nowhere`,
    ]) {
      await page.goto(path)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${path}: ${id} ${nodes[0]?.html}`)).toEqual([])
    }
  })
}

test('the keyboard alone reaches the search, the filters and an animal', async ({ page }) => {
  await page.goto('/en/buy/0')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#content')).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Skip to the list' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.locator('article a').first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Product Info' })).toBeVisible()
})

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 25; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${target} was not reached.`)
}
