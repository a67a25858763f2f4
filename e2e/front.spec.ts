import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, onDesks, test } from './market.ts'

test('an admin adds a market day to the calendar, changes it, and removes it', { tag: onDesks }, async ({ page }) => {
  const name = `Journey market ${Date.now()}`
  await loginAsAdmin(page)
  await page.goto('/en/admin/front?kind=market_day')
  await expectAxeClean(page)
  const form = page.getByRole('region', { name: 'New: Market days' })
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(form.getByLabel('Market or festival, in Tamil')).toBeFocused()
  await form.getByLabel('Market or festival, in Tamil').fill('பயணச் சந்தை')
  await form.getByLabel('Market or festival, in English').fill(name)
  await form.getByLabel('What it is known for, in Tamil').fill('ஆடுகள்')
  await form.getByLabel('What it is known for, in English').fill('Goats')
  await form.getByLabel('Every week on').selectOption({ label: 'Monday' })
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Added.' })).toBeVisible()

  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByText('Change').click()
  await row.getByLabel('What it is known for, in English').fill('Goats and sheep')
  await row.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Changed.' })).toBeVisible()
  await page.goto('/en/market-days')
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Goats and sheep')
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('Every week: Monday')

  await page.goto('/en/admin/front?kind=market_day')
  await row.getByText('Change').click()
  await row.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Removed.' })).toBeVisible()
  await page.goto('/en/market-days')
  await expect(page.getByText(name)).toHaveCount(0)
})

test('an admin writes a letter, previews it, and tests it on their own address', { tag: onDesks }, async ({ page }) => {
  const subject = `Journey letter ${Date.now()}`
  await loginAsAdmin(page)
  await page.goto('/en/admin/newsletter')
  await expectAxeClean(page)
  await page.getByLabel('Subject, in Tamil').fill('சந்தைச் செய்தி')
  await page.getByLabel('Letter, in Tamil').fill('காளைகள் வந்தன.')
  await page.getByLabel('Subject, in English').fill(subject)
  await page.getByLabel('Letter, in English').fill('The bulls are here.')
  await page.getByRole('button', { name: 'Save the draft' }).click()
  await expect(page.getByRole('region', { name: 'As it arrives' })).toContainText('To stop this newsletter')
  await page.getByLabel('Try it: send to this address').fill('office@example.com')
  await page.getByRole('button', { name: 'Send the test' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The test is on its way' })).toBeVisible()
  await page.goto('/en/dev/outbox')
  await expect(page.getByText(`Test: ${subject}`)).toBeVisible()
})
