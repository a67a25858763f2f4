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
/** Taps from the pasted message to the sent listing. */
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
  // Folded, it is one line.
  const paste = page.locator('summary', { hasText: 'வாட்ஸ்அப் செய்தியை ஒட்ட' })
  expect((await paste.boundingBox())!.height).toBeLessThanOrEqual(48)
  await paste.click()
  await expectAxeClean(page)
  await page.locator('#pasted').fill(COW)
  await tap('படிவத்தை நிரப்ப')
  await expect(page.getByText(/புரிந்தவை: \d+/)).toBeVisible()
  await expectNoSidewaysScroll(page)
  taps += 1
  await page.locator('#listing-image').setInputFiles(photos)
  await expect(page.locator('#photos').getByText('✓ வந்துவிட்டது')).toHaveCount(3)

  // Recognized facts are marked, with the words behind them.
  taps += 1
  await page.locator('nav a[href="#price"]').first().click()
  await expect(page.locator('#listing-originalPrice-hint')).toContainText('“65000”')
  await expect(page.locator('#listing-originalPrice')).toHaveValue('65000')
  taps += 1
  await page.locator('nav a[href="#words"]').first().click()
  await expect(page.locator('#listing-description')).toHaveValue(/12 லிட்டர்/)
  await expect(page.locator('#listing-description')).not.toHaveValue(/90000/)
  await expect(page.locator('#listing-name')).toHaveValue(/ஜெர்சி/)
  // The address is chosen already, though nobody typed on this form.
  await expect(page.locator('#pickup input:checked')).toHaveCount(1)
  await expect(page.getByText('இன்னும் தேவை:')).toHaveCount(0)
  taps += 1
  await page.locator('[name=isAllowed]').check()
  taps += 1
  await page.locator('[data-send]').click()
  await expect(page).toHaveURL(/\/sell\?sent=\d+/)
  expect(taps).toBeLessThanOrEqual(MOST_TAPS)
})

test('without scripts the form is returned filled in, and a message without facts is answered with an explanation', async ({ browser }) => {
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

const GOAT = 'Boer goat male 1 year 32 kg white price 9000'
const BUFFALO = 'Murrah buffalo 4 years 12 litres 85000'

test('a second message is never mixed into the animal that stands in the form', { tag: [onPhones] }, async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  const open = () => page.locator('summary', { hasText: 'Paste a WhatsApp message' }).click()
  const fill = page.getByRole('button', { name: 'Fill the form' })
  const value = (name: string) => page.locator('form [data-step]').locator(`[name=${name}]`)
  await page.locator('#listing-image').setInputFiles(photos[0]!)
  await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(1)
  await open()
  await page.locator('#pasted').fill(GOAT)
  await fill.click()
  // The box folds, and names what was understood and what is missing.
  await expect(page.getByText(/^Understood: \d/)).toBeVisible()
  await expect(page.locator('#pasted')).toBeHidden()
  await expect(value('weightKg')).toHaveValue('32')
  await open()
  await page.locator('#pasted').fill(BUFFALO)
  await fill.click()
  await expect(page.getByText('Which one is it about?')).toBeVisible()
  await expect(value('weightKg')).toHaveValue('32')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'A new animal' }).click()
  await expect(value('originalPrice')).toHaveValue('85000')
  await expect(value('weightKg')).toHaveValue('')
  await expect(page.getByText('Still missing:').first()).toContainText('Weight')
  await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(0)
  // The same animal with more answers.
  await open()
  await page.locator('#pasted').fill('Murrah buffalo 4 years 80000, 400 kg')
  await fill.click()
  await page.getByRole('button', { name: 'The same animal' }).click()
  await expect(value('originalPrice')).toHaveValue('80000')
  await expect(value('weightKg')).toHaveValue('400')
  await expect(value('milkLitresPerDay')).toHaveValue('12')
})

test('without scripts the form asks, too, which animal a second message is about', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await registerSeller(page)
  await page.goto('/en/sell')
  const paste = async (text: string) => {
    if (await page.locator('#pasted').isHidden()) await page.locator('summary', { hasText: 'Paste a WhatsApp message' }).click()
    await page.locator('#pasted').fill(text)
    await page.getByRole('button', { name: 'Fill the form' }).click()
  }
  await paste(GOAT)
  await expect(page.locator('[name=weightKg]')).toHaveValue('32')
  await paste(BUFFALO)
  await expect(page.getByText('Which one is it about?')).toBeVisible()
  await expect(page.locator('[name=weightKg]')).toHaveValue('32')
  await page.getByRole('button', { name: 'A new animal' }).click()
  await expect(page.locator('[name=originalPrice]')).toHaveValue('85000')
  await expect(page.locator('[name=weightKg]')).toHaveValue('')
  await context.close()
})
