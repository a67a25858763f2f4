import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { registerSeller } from './sellers.ts'

const drawings = join(import.meta.dirname, '../demo/pictures')
const photos = readdirSync(drawings)
  .filter((name) => name.endsWith('.jpg'))
  .slice(4, 7)
  .map((name) => join(drawings, name))

const COW = 'ஜெர்சி பசு 🐄🐄 3 வயது 2வது ஈத்து 12 லிட்டர் கன்றுடன் 300 கிலோ செவலை\nவிலை 65000 காங்கேயம் போன் 90000 00001'
/** Issue 21, "to reach". */
const MOST_TAPS = 8

test('a cow from a pasted message and three photos is sent with eight taps at most', { tag: [onPhones, core] }, async ({ page }) => {
  await registerSeller(page)
  await page.goto('/sell')
  await untilAlive(page)
  let taps = 0
  const tap = async (name: string | RegExp) => {
    taps += 1
    await page.getByRole('button', { name }).click()
  }
  taps += 1
  await page.getByText('வாட்ஸ்அப்பில் எழுதியது உள்ளதா?').click()
  await expectAxeClean(page)
  await page.locator('#pasted').fill(COW)
  await tap('படிவத்தை நிரப்பவும்')
  await expect(page.getByText(/புரிந்தவை: \d+/)).toBeVisible()
  await expectNoSidewaysScroll(page)
  taps += 1
  await page.locator('#listing-image').setInputFiles(photos)
  await expect(page.locator('#photos').getByText('✓ வந்துவிட்டது')).toHaveCount(3)

  // What was understood is marked, with the words behind it.
  taps += 1
  await page.locator('nav a[href="#price"]').first().click()
  await expect(page.locator('#listing-originalPrice-hint')).toContainText('“65000”')
  await expect(page.locator('#listing-originalPrice')).toHaveValue('65000')
  taps += 1
  await page.locator('nav a[href="#words"]').first().click()
  await expect(page.locator('#listing-description')).toHaveValue(/12 லிட்டர்/)
  await expect(page.locator('#listing-description')).not.toHaveValue(/90000/)
  await expect(page.locator('#listing-name')).toHaveValue(/ஜெர்சி/)
  taps += 1
  await page.locator('[name=isAllowed]').check()
  taps += 1
  await page.locator('[data-send]').click()
  await expect(page).toHaveURL(/\/sell\?sent=\d+/)
  expect(taps).toBeLessThanOrEqual(MOST_TAPS)
})

test('without scripts the form comes back filled, and a message that says nothing is answered in words', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await registerSeller(page)
  await page.goto('/en/sell')
  await page
    .locator('details', { has: page.locator('#pasted') })
    .locator('summary')
    .click()
  await page.locator('#pasted').fill('Jersey cow 3 years 2nd lactation 12 litres with calf 65k Kangayam')
  await page.getByRole('button', { name: 'Fill the form' }).click()
  await expect(page.locator('[name=originalPrice]')).toHaveValue('65000')
  await expect(page.locator('[name=lactation]')).toHaveValue('2')
  await page
    .locator('details', { has: page.locator('#pasted') })
    .locator('summary')
    .click()
  await page.getByRole('button', { name: 'Fill the form' }).click()
  await expect(page.getByText('Please paste the message first.')).toBeVisible()
  await context.close()
})
