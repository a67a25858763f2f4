import sharp from 'sharp'
import { expectAxeClean } from './axe.ts'
import { expect, test, untilAlive } from './market.ts'
import { chooseSpecies, openStep, registerSeller, writeOn } from './sellers.ts'

test('a part of the form that cannot be fetched leaves the rest, and comes after a reload', async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.route(/\/assets\/(preview|recorder)-/, (route) => route.abort('internetdisconnected'))
  await chooseSpecies(page, 'Goat')
  await openStep(page, 'photos')
  const record = page.locator('#clips').getByRole('button', { name: 'Record your voice' })
  await record.click()
  await expect(page.locator('#clips').getByRole('alert')).toContainText('Please choose a file from the phone.')
  // A release has replaced the file: the clip is not sent as it is.
  await page.route(/\/assets\/make-small-/, (route) => route.fulfill({ status: 404 }))
  await page.locator('#listing-clip').setInputFiles({ name: 'walk.webm', mimeType: 'video/webm', buffer: Buffer.from('a clip') })
  await expect(page.locator('#clips')).toContainText('A part of this page could not be loaded.')
  await writeOn(page, 'name', 'Black goat')
  await openStep(page, 'check')
  const preview = page.getByRole('button', { name: 'Preview' })
  await preview.click()
  const missing = page.getByRole('alert').filter({ hasText: 'The preview could not be loaded.' })
  await expect(missing).toBeVisible()
  await expectAxeClean(page)
  await missing.getByRole('button', { name: 'Close' }).click()
  await expect(missing).toHaveCount(0)
  await expect(page.locator('[name=name]')).toHaveValue('Black goat')

  await page.unroute(/\/assets\/(preview|recorder)-/)
  await page.reload()
  await untilAlive(page)
  await expect(page.locator('[name=name]')).toHaveValue('Black goat')
  await openStep(page, 'check')
  await preview.click()
  await expect(page.getByRole('dialog', { name: 'This is how buyers will see it' })).toBeVisible()
})

test('a reload while a save is under way keeps what was typed after it, and asks nothing', async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  const arrived = Promise.withResolvers<void>()
  // The server stores the text, and its answer never comes.
  await page.route('**/api/v1/listing-draft', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    await route.fetch()
    arrived.resolve()
  })
  await chooseSpecies(page, 'Goat')
  await arrived.promise
  await writeOn(page, 'name', 'Black goat')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await untilAlive(page)
  await expect(page.locator('[name=name]')).toHaveValue('Black goat')
  await expect(page.getByText('✓ Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(await (await page.request.get('/api/v1/listing-draft')).json()).toMatchObject({ typed: { name: 'Black goat' } })
})

test('an address of a later step shows the choice of the species until one is chosen', async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell#words')
  await untilAlive(page)
  await page.getByRole('radio', { name: 'Goat', exact: true }).check()
  await expect(page.locator('[aria-current=step]')).toContainText('Animal')
})

test('a cut-out picture gets a white ground on the phone, too', async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  const animal = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#b5651d' } })
    .png()
    .toBuffer()
  const cutOut = await sharp({ create: { width: 2400, height: 1800, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite([{ input: animal, left: 700, top: 400 }])
    .png()
    .toBuffer()
  await page.locator('#listing-image').setInputFiles({ name: 'sticker.png', mimeType: 'image/png', buffer: cutOut })
  await expect(page.locator('#photos').getByText('✓ Sent')).toBeVisible()
  await page.reload()
  const src = await page.locator('#photos li img').first().getAttribute('src')
  const sent = sharp(await (await page.request.get(src!)).body())
  const data = await sent.extract({ left: 2, top: 2, width: 1, height: 1 }).raw().toBuffer()
  expect([...data].every((channel) => channel > 245)).toBe(true)
})
