import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'

test('recently viewed animals are on home and animal pages with prices, on this device only, until cleared', async ({ page }) => {
  await page.context().addCookies([{ name: 'wizard', value: 'seen', domain: 'localhost', path: '/' }])
  const row = page.locator('[data-recent]')
  for (const id of [1, 4]) {
    await page.goto(`/en/product/${id}`)
    await untilAlive(page)
  }
  // Not the animal that is open.
  await expect(row.getByRole('link')).toHaveCount(1)
  await expect(row.getByRole('link')).toContainText('₹1,32,000')
  await page.goto('/en')
  await untilAlive(page)
  await expect(row.getByRole('link')).toHaveCount(2)
  await expect(row.getByRole('link').first()).toHaveAttribute('href', '/en/product/4')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await row.getByRole('button', { name: 'Clear' }).click()
  await expect(row).toBeHidden()
  await page.reload()
  await untilAlive(page)
  await expect(row).toBeHidden()
})

test('an animal that is off the market drops out, and twelve are remembered', async ({ page }) => {
  const key = 'own:recent'
  const remembered = () => page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? '[]') as number[], key)
  await page.goto('/en/aboutus')
  await page.evaluate(
    ([name, ids]) => localStorage.setItem(name!, ids!),
    [key, JSON.stringify([99999999, ...Array.from({ length: 11 }, (_, at) => at + 2)])],
  )
  await page.goto('/en/product/1')
  await expect.poll(remembered).toContain(1)
  await expect.poll(remembered).not.toContain(99999999)
  expect((await remembered())[0]).toBe(1)
  expect((await remembered()).filter((_, at) => at >= 12)).toEqual([])
})
