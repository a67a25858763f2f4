import { appendFile, copyFile, utimes, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test, untilAlive } from './market.ts'
import { chooseSpecies, openStep, registerSeller } from './sellers.ts'

/** Chooses files and changes one of them on disk before the page reads it, as a cloud app does. Chromium sees a change only by whole seconds. */
async function chooseAndChange(page: Page, field: string, files: string[], changed: string): Promise<void> {
  const yesterday = new Date(Date.now() - 86_400_000)
  await utimes(changed, yesterday, yesterday)
  await page.evaluate(() => addEventListener('change', (event) => event.stopImmediatePropagation(), { capture: true, once: true }))
  await page.locator(field).setInputFiles(files)
  // Chromium learns a file's age later than its choice. A first read waits for that.
  await page.locator(field).evaluate((input: HTMLInputElement) => Promise.all([...input.files!].map((file) => file.arrayBuffer())))
  await appendFile(changed, 'more bytes')
  await page.locator(field).dispatchEvent('change')
}

test('one of three photos that cannot be read is named, and the others are sent', async ({ page }, info) => {
  const files = ['one.jpg', 'cloud.jpg', 'three.jpg'].map((name) => info.outputPath(name))
  for (const [n, file] of files.entries()) await copyFile(`demo/pictures/kangayam-bull-${n + 1}.jpg`, file)
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await chooseSpecies(page, 'Cow')
  await openStep(page, 'photos')
  await chooseAndChange(page, '#listing-image', files, files[1]!)
  await expect(page.locator('#photos').getByRole('alert')).toContainText('cloud.jpg cannot be read')
  await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(2)

  const empty = info.outputPath('empty.jpg')
  await writeFile(empty, '')
  await page.locator('#listing-image').setInputFiles(empty)
  await expect(page.locator('#photos').getByRole('alert')).toContainText('empty.jpg is empty')

  const clip = info.outputPath('clip.mp4')
  await writeFile(clip, Buffer.alloc(5000, 1))
  await chooseAndChange(page, '#listing-clip', [clip], clip)
  await expect(page.locator('#clips').getByRole('alert')).toContainText('clip.mp4 cannot be read')
})

test('a photo that failed offline is sent when online again, although one beside it cannot be read', async ({ page }, info) => {
  const empty = info.outputPath('empty.jpg')
  await writeFile(empty, '')
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.route('**/api/v1/listing-draft/photo', (route) => route.abort('internetdisconnected'))
  await page.locator('#listing-image').setInputFiles([empty, 'demo/pictures/kangayam-bull-1.jpg'])
  const photos = page.locator('#photos')
  await expect(photos.getByRole('alert').getByRole('button', { name: 'Try again' })).toHaveCount(1)
  await page.unroute('**/api/v1/listing-draft/photo')
  // As when a phone finds its mast again.
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(photos.getByText('✓ Sent')).toHaveCount(1)
  await expect(photos.getByRole('alert')).toContainText('empty.jpg is empty')
})

test('a profile picture that cannot be read is named, and another one can be chosen', async ({ page }, info) => {
  const file = info.outputPath('face.jpg')
  await copyFile('public/share.jpg', file)
  const { id } = await registerSeller(page)
  await page.goto(`/en/userprofile/${id}`)
  await untilAlive(page)
  await chooseAndChange(page, '#profile-image', [file], file)
  await expect(page.locator('#profile-image-error')).toContainText('face.jpg cannot be read')
  await page.locator('#profile-image').setInputFiles('public/share.jpg')
  await expect(page.locator('#profile-image-error')).toHaveCount(0)
})

test('a table of animals that cannot be read is named before it is sent', async ({ page }, info) => {
  const file = info.outputPath('animals.csv')
  await writeFile(file, 'name\nLakshmi\n')
  await registerSeller(page)
  await page.goto('/en/sell/import')
  await untilAlive(page)
  await chooseAndChange(page, '#import-file', [file], file)
  await expect(page.locator('#import-file-error')).toContainText('animals.csv cannot be read')
  await expect(page.locator('#import-file')).toHaveValue('')
})

test('what an earlier choice brings late leaves the message about a later one', async ({ page }, info) => {
  const files = ['first.jpg', 'later.jpg'].map((name) => info.outputPath(name))
  for (const file of files) await copyFile('public/share.jpg', file)
  const { id } = await registerSeller(page)
  await page.goto(`/en/userprofile/${id}`)
  await untilAlive(page)
  await page.evaluate(() => {
    const read = File.prototype.arrayBuffer
    const shown = Promise.withResolvers<void>()
    addEventListener('show-first', () => shown.resolve())
    File.prototype.arrayBuffer = async function (this: File) {
      if (this.name === 'first.jpg') await shown.promise
      return read.call(this)
    }
  })
  await page.locator('#profile-image').setInputFiles(files[0]!)
  await chooseAndChange(page, '#profile-image', [files[1]!], files[1]!)
  const message = page.locator('#profile-image-error')
  await expect(message).toContainText('later.jpg cannot be read')
  await page.evaluate(() => void dispatchEvent(new Event('show-first')))
  // The first file is read, and the browser renders what that brings.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
  await expect(message).toContainText('later.jpg cannot be read')
})
