import { findChromium } from '../src/kit/testing/chromium.ts'
import { decide } from './admins.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { listBull, openStep, registerSeller } from './sellers.ts'

/** The browser's own test picture stands for the camera, its beeps for the microphone. */
const { args, ...chromium } = await findChromium()
test.use({ launchOptions: { ...chromium, args: [...args, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] } })

test('a keeper records a video and their voice in the page; an admin passes them, and a buyer pays for neither before a tap', async ({
  page,
  browser,
}) => {
  test.slow()
  const seller = await registerSeller(page)
  const id = await listBull(page, seller, 'A bull that walks')
  await page.goto(`/en/seller-product/${id}/edit`)
  await untilAlive(page)
  const clips = page.locator('#clips')
  // Closed in the middle, it leaves nothing behind.
  await clips.getByRole('button', { name: 'Record a video' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText(/^2\d seconds left/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await clips.getByRole('button', { name: 'Record a video' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  // Three seconds of it at least, however late this is seen.
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

  const site = test.info().project.use.baseURL!
  await decide(browser, site, id, true, 'Seen and heard')

  const buyer = await (await browser.newContext({ baseURL: site })).newPage()
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
