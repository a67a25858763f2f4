import { findChromium } from '#tools/test-kit/chromium.ts'
import { decide } from './admins.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { chooseSpecies, listBull, openStep, registerSeller, writeOn } from './sellers.ts'

/** The browser's test picture replaces the camera, its beeps the microphone. */
const { args, ...chromium } = await findChromium()
test.use({ launchOptions: { ...chromium, args: [...args, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] } })

test('a keeper records a video and a voice note in the page; an admin passes them, and a buyer loads neither before a tap', async ({
  page,
  browser,
}) => {
  test.slow()
  const seller = await registerSeller(page)
  const id = await listBull(page, seller, 'A bull that walks')
  await page.goto(`/en/seller-product/${id}/edit`)
  await untilAlive(page)
  const clips = page.locator('#clips')
  // Closing the dialog midway leaves nothing behind.
  await clips.getByRole('button', { name: 'Record a video' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText(/^2\d seconds left/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await clips.getByRole('button', { name: 'Record a video' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  // At least three seconds, even when the page is slow.
  await expect(page.getByText(/^(2[0-6]|1?\d) seconds left/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(clips.getByText('Video 1', { exact: true })).toBeVisible()
  await expect(clips.getByRole('listitem')).toHaveCount(1)
  await clips.getByLabel('What video 1 shows').fill('He walks to the well')
  await clips.getByRole('button', { name: 'Record your voice' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText(/^(5[0-7]|[1-4]?\d) seconds left/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(clips.getByText("The seller's voice")).toBeVisible()
  await expect(clips.getByRole('button', { name: 'Record your voice' })).toBeHidden()
  await expectNoSidewaysScroll(page)
  await openStep(page, 'check')
  await page
    .locator('form')
    .filter({ has: page.locator('#clips') })
    .getByRole('button', { name: /^Save/ })
    .click()
  await expect(page).toHaveURL(/done=pending/)

  await decide(browser, id, true, 'Seen and heard')

  const buyer = await (await browser.newContext()).newPage()
  const asked: string[] = []
  buyer.on('request', (request) => /-(video|voice)\./.test(request.url()) && asked.push(request.url()))
  await buyer.goto(`/en/product/${id}`)
  await expect(buyer.getByText('He walks to the well')).toBeVisible()
  await expect(buyer.getByText(/^0:\d\d · \d/).first()).toBeVisible()
  await buyer.getByText('He walks to the well').scrollIntoViewIfNeeded()
  expect(asked).toEqual([])
  await buyer.getByRole('link', { name: /Play video 1/ }).click()
  const video = buyer.locator('video')
  await expect.poll(() => video.evaluate((player: HTMLVideoElement) => player.currentTime)).toBeGreaterThan(0)
  expect(asked.every((url) => url.includes('-video.'))).toBe(true)
  await buyer.locator('audio').evaluate((player: HTMLAudioElement) => player.play())
  await expect.poll(() => buyer.locator('audio').evaluate((player: HTMLAudioElement) => player.currentTime)).toBeGreaterThan(0)
})

test('a seller plays their voice note in the preview before sending the listing', { tag: '@phones' }, async ({ page }) => {
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await chooseSpecies(page, 'Goat')
  await writeOn(page, 'name', 'Kodi goat')
  await openStep(page, 'photos')
  const clips = page.locator('#clips')
  await clips.getByRole('button', { name: 'Record your voice' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText(/^(5[0-7]|[1-4]?\d) seconds left/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(clips.getByText("The seller's voice")).toBeVisible()
  await openStep(page, 'check')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'This is how buyers will see it' })
  await preview.locator('audio').evaluate((player: HTMLAudioElement) => player.play())
  await expect.poll(() => preview.locator('audio').evaluate((player: HTMLAudioElement) => player.currentTime)).toBeGreaterThan(0)
  await expectNoSidewaysScroll(page)
})
