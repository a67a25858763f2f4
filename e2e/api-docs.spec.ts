import { expectAxeClean } from './axe.ts'
import { expect, test } from './market.ts'

test('a developer reads the API and tries a call from its page', async ({ page }) => {
  await page.goto('/en')
  await page.getByRole('link', { name: 'For developers (API)' }).click()
  await page.getByRole('heading', { name: /^Lookups/ }).click()
  await expect(page.getByText('/category-type').first()).toBeVisible()
  const document = await (await page.request.get('/api/v1/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  await page.getByText('/livestock-gender').first().click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  const [answer] = await Promise.all([page.waitForResponse(/livestock-gender/), page.getByRole('button', { name: 'Execute' }).click()])
  expect(answer.status()).toBe(200)
  expect((await answer.json())[0].id).toBe(0)
  // With a call and the schemas unfolded, too.
  await page.getByRole('button', { name: 'Schemas' }).click()
  await expect(page.getByText('Collapse all').or(page.getByText('Expand all')).first()).toBeVisible()
  await expectAxeClean(page)
})
