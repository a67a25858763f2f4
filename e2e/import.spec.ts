import { readFileSync } from 'node:fs'
import { expectAxeClean } from './axe.ts'
import { expect, onDesks, test, untilAlive } from './market.ts'
import { registerSeller } from './sellers.ts'

test('a farm lists animals from a table, and reads which cell is invalid', { tag: onDesks }, async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell/import')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the table' }).click()])
  const template = readFileSync(await download.path(), 'utf8')
  const [heads, cow] = template.trim().split(/\r\n/)
  const table = [heads, cow, cow!.replace('85000', 'about a lakh')].join('\r\n')
  const check = page.getByRole('button', { name: 'Check the table' })
  await page
    .getByLabel('The filled table (.xlsx or CSV)')
    .setInputFiles({ name: 'animals.png', mimeType: 'text/csv', buffer: Buffer.from([0xff, 0x50]) })
  await check.click()
  await expect(page.getByText('This is no CSV file in UTF-8.')).toBeVisible()
  await page
    .getByLabel('The filled table (.xlsx or CSV)')
    .setInputFiles({ name: 'animals.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await check.click()
  const main = page.getByRole('main')
  await expect(main.getByRole('status').first()).toHaveText('Rows that are right: 1. Rows to correct: 1.')
  await expect(main.getByRole('listitem').nth(1)).toContainText('Asking price:')
  await expectAxeClean(page)
  await main.getByRole('checkbox').check()
  await main.getByRole('button', { name: 'List what is right (1)' }).click()
  await expect(main.getByRole('status').first()).toContainText('Each needs a photo')
  await expect(main.getByRole('article')).toHaveCount(1)
})

test('a farm lists animals from an Excel file; a broken file is reported', { tag: onDesks }, async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell/import')
  await untilAlive(page)
  const field = page.getByLabel('The filled table (.xlsx or CSV)')
  await field.setInputFiles({ name: 'animals.xlsx', mimeType: '', buffer: Buffer.from('PK no workbook') })
  await expect(page.getByText('This Excel file could not be read.')).toBeVisible()
  await expect(field).toHaveValue('')
  await field.setInputFiles('e2e/animals.xlsx')
  await expect(field).toHaveValue(/table\.csv$/)
  await expect(page.getByText('This Excel file could not be read.')).toBeHidden()
  await page.getByRole('button', { name: 'Check the table' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('status').first()).toHaveText('Rows that are right: 2. Rows to correct: 1.')
  await expect(main.getByRole('listitem')).toContainText(['Kangeyam cow, "calm"', 'ஜெர்சி பசு', 'No price'])
  await expect(main.getByRole('listitem').nth(2)).toContainText('Asking price:')
})
