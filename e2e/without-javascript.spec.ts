import { expect, test } from '@playwright/test'
import { showMore } from './market.ts'
import { offered } from './offered.ts'

test('the market works before JavaScript loads, or without it', async ({ page, browser }) => {
  await page.goto('/en')
  await page.getByLabel('Search for an animal').fill('jersey')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.locator('article').first()).toContainText('Jersey')

  await page.goto('/en/buy/0')
  await page.getByRole('link', { name: 'Filter Options' }).click()
  await page.getByLabel(/^Goat \(\d+\)$/).check()
  await page.getByLabel('PIN code or town').fill('641001')
  await page.locator('#filter').getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/category=2/)
  for (const text of await page.locator('article').allInnerTexts()) expect(text).toContain('Goat')

  await page.goto('/en/buy/0')
  await showMore(page)
  await expect(page).toHaveURL(/after=/)
  await expect(page.locator('article').first()).toBeVisible()

  await page.locator('article a').first().click()
  await page.getByRole('tab', { name: 'Product Variant detail' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Stock Qty')
  // An animal of its own: the first of the list may just have been ordered by another journey, and then nobody asks where to.
  await page.goto(`/en/product/${await offered(browser, 'Delivered bull')}`)
  await page.getByLabel('PIN code for delivery').fill('641001')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText(/We deliver to .*641001/)).toBeVisible()

  await page.getByRole('link', { name: 'தமிழ்' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ta')
})
