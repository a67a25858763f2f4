import { readdirSync, readFileSync } from 'node:fs'
import { expectAxeClean } from './axe.ts'
import { expect, onDesks, test, untilAlive } from './market.ts'
import { registerSeller } from './sellers.ts'

const [first, second] = readdirSync('demo/pictures')
  .filter((name) => name.endsWith('.jpg'))
  .map((name) => `demo/pictures/${name}`) as [string, string]

test('a farm lists animals from a table, and reads which cell is invalid', { tag: onDesks }, async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell/import')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the table' }).click()])
  const template = readFileSync(await download.path(), 'utf8')
  const [heads, cow] = template.trim().split(/\r\n/)
  const table = [heads, cow, cow!.replace('85000', 'ask me')].join('\r\n')
  const check = page.getByRole('button', { name: 'Check the table' })
  await page
    .getByLabel('The filled table (CSV)')
    .setInputFiles({ name: 'animals.png', mimeType: 'text/csv', buffer: Buffer.from([0xff, 0x50]) })
  await check.click()
  await expect(page.getByText('This is no CSV file in UTF-8.')).toBeVisible()
  await page.getByLabel('The filled table (CSV)').setInputFiles({ name: 'animals.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
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

test('photos chosen together go to the animals that the table names them for', { tag: onDesks }, async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell/import')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download the table' }).click()])
  const [heads, cow] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split(/\r\n/)
  const withPhoto = (name: string, weight: number) => cow!.replace('320', String(weight)) + name
  const table = [heads, withPhoto('lakshmi.JPG', 320), withPhoto('folder/Velan.jpeg', 330), withPhoto('lost.jpg', 340)].join('\r\n')
  await page.getByLabel('The filled table (CSV)').setInputFiles({ name: 'animals.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await page.getByRole('button', { name: 'Check the table' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('listitem').first()).toContainText('Photo: lakshmi.JPG')
  await main.getByRole('checkbox').check()
  await main.getByRole('button', { name: 'List what is right (3)' }).click()
  const named = main.locator('section', { hasText: 'Animals of your table that wait for a photo: 3.' })
  await expect(named).toContainText('lakshmi.JPG, folder/Velan.jpeg, lost.jpg')
  await untilAlive(page)
  const choose = main.getByLabel('Choose the photos')
  await choose.setInputFiles({ name: 'other.jpg', mimeType: 'image/jpeg', buffer: readFileSync(first) })
  await expect(main.getByRole('alert')).toHaveText('No chosen file has one of these names: lakshmi.JPG, folder/Velan.jpeg, lost.jpg')
  await choose.setInputFiles([
    { name: 'velan.jpg', mimeType: 'image/jpeg', buffer: readFileSync(first) },
    { name: 'Lakshmi.jpg', mimeType: 'image/jpeg', buffer: readFileSync(second) },
  ])
  await expect(main.getByText('Animals of your table that wait for a photo: 1.')).toBeVisible()
  await expect(main.locator('.chip', { hasText: 'Pending' })).toHaveCount(2)
  await expectAxeClean(page)
})
