import type { Page } from '@playwright/test'
import { findChromium } from '#tools/test-kit/chromium.ts'
import { goOffline, goOnline } from './connection.ts'
import { fillCow, loseFirstAnswer, sellerWithWorker, submitListing, waitingTitle } from './later.ts'
import { expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { listBull, openStep } from './sellers.ts'

// Clips that were recorded offline (decision 0109). The browser's test picture replaces the camera, its beeps the microphone.
const { args, ...chromium } = await findChromium()
test.use({
  serviceWorkers: 'allow',
  isWithWorker: true,
  launchOptions: { ...chromium, args: [...args, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] },
})

/** Opens a form, and waits until the phone has what records clips. */
async function openOnce(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilAlive(page)
  const scriptsThere = () =>
    page.evaluate(async () => {
      const names = (await (await caches.open('copy:files')).keys()).map(({ url }) => url)
      return ['recorder', 'make-small'].every((script) => names.some((name) => name.includes(`/${script}-`)))
    })
  await expect.poll(scriptsThere).toBe(true)
}

const clipsOf = (page: Page) => page.locator('#clips')

async function record(page: Page, button: string, running: RegExp): Promise<void> {
  await openStep(page, 'photos')
  await clipsOf(page).getByRole('button', { name: button }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText(running)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(clipsOf(page).getByText('It is on this phone and is sent by itself').first()).toBeVisible()
}
const twoSeconds = /^(2[0-7]|1?\d) seconds left/
const twoOfVoice = /^(5[0-7]|[1-4]?\d) seconds left/

/** Waits until so many acts are sent. */
async function untilAllSent(page: Page, count: number): Promise<void> {
  await expect(async () => {
    await page.goto('/en/offline')
    await expect(page.locator('[data-acts] li').filter({ hasText: 'Sent ·' })).toHaveCount(count, { timeout: 3000 })
  }).toPass()
}

test(
  'a video recorded offline waits on the phone, and is on its new listing once, although answers are lost',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithWorker(page)
    const name = `Cow with a video ${Date.now()}`
    await openOnce(page, '/en/sell')
    await goOffline(page)
    await page.goto('/en/sell')
    await untilAlive(page)
    await record(page, 'Record a video', twoSeconds)
    await expectNoSidewaysScroll(page)
    await clipsOf(page).getByLabel('What video 1 shows').fill('She walks to the well')
    // The page goes, and the phone has everything.
    await page.goto('/en/offline')
    const acts = page.locator('[data-acts] li')
    await expect(acts).toHaveCount(1)
    await expect(acts).toContainText('Video of an animal')
    await expect(acts).toContainText('Waits for a connection')
    await expect(acts.getByRole('link', { name: 'Save it on the phone' })).toBeVisible()
    await page.goto('/en/sell')
    await untilAlive(page)
    await expect(clipsOf(page).getByRole('listitem')).toHaveCount(1)
    await expect(clipsOf(page).getByLabel('What video 1 shows')).toHaveValue('She walks to the well')

    await openStep(page, 'photos')
    await fillCow(page, name)
    await submitListing(page)
    await expect(waitingTitle(page)).toBeVisible()

    // A part arrives but its answer is lost, then the same for the last call.
    await loseFirstAnswer(context, '**/api/v1/clip-upload/id=*', 'PATCH')
    const calls = await loseFirstAnswer(context, '**/api/v1/listing-draft/clip**')
    await context.setOffline(false)
    await untilAllSent(page, 2)
    expect(calls()).toBeGreaterThan(1)
    await context.unrouteAll({ behavior: 'wait' })

    await page.goto('/en/seller-product/')
    await page.getByRole('article').filter({ hasText: name }).getByRole('link', { name }).first().click()
    await expect(page.getByText('She walks to the well')).toHaveCount(1)
    await expect(page.getByRole('link', { name: /Play video 1/ })).toHaveCount(1)
    await expect(page.getByRole('link', { name: /Play video 2/ })).toHaveCount(0)
  },
)

test(
  'a voice note and a price changed offline both reach the listing; a video that waits is in the open form once it is sent',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    const id = await listBull(page, await sellerWithWorker(page), `Bull with a voice ${Date.now()}`)
    const path = `/en/seller-product/${id}/edit`
    await openOnce(page, path)
    await goOffline(page)
    await record(page, 'Record your voice', twoOfVoice)
    await openStep(page, 'price')
    await page.locator('#listing-originalPrice').fill('81000')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('It is on this phone and is sent by itself').first()).toBeVisible()
    await page.goto('about:blank')
    await context.setOffline(false)
    await untilAllSent(page, 2)
    await page.goto(path)
    await untilAlive(page)
    await expect(page.locator('#listing-originalPrice')).toHaveValue('81000')
    await expect(clipsOf(page).getByText("The seller's voice", { exact: true })).toHaveCount(1)
    // It is the listing's, not one that waits for another save.
    await expect(clipsOf(page).getByRole('checkbox')).toHaveCount(1)

    // The form stays open: its video arrives in it.
    await goOffline(page)
    await record(page, 'Record a video', twoSeconds)
    await goOnline(page)
    await expect(clipsOf(page).getByText('Video 1', { exact: true })).toBeVisible()
    await expect(clipsOf(page).getByText('It is on this phone and is sent by itself')).toHaveCount(0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL(/done=pending/)
    await page.goto(`/en/product/${id}`)
    await expect(page.getByRole('link', { name: /Play video 1/ })).toHaveCount(1)
  },
)

test(
  'a voice note waits while its listing is refused, and follows the corrected one; a refused video can be saved on the phone or discarded',
  { tag: onPhones },
  async ({ page, context }) => {
    test.slow()
    await sellerWithWorker(page)
    const name = `Cow with a wrong offer ${Date.now()}`
    await openOnce(page, '/en/sell')
    await goOffline(page)
    await record(page, 'Record your voice', twoOfVoice)
    await record(page, 'Record a video', twoSeconds)
    // The phone made a video. On its way its bytes are lost, so the server cannot read it.
    await context.route('**/api/v1/clip-upload/id=*', async (route) => {
      const body = route.request().postDataBuffer()
      const isVideo = route.request().method() === 'PATCH' && body !== null && /V_VP|V_MPEG|avc1|vp09/.test(body.toString('latin1'))
      await route.continue(isVideo ? { postData: Buffer.alloc(body.length) } : {})
    })
    await expect(clipsOf(page).getByText('It is on this phone and is sent by itself')).toHaveCount(2)
    await openStep(page, 'photos')
    await fillCow(page, name)
    await openStep(page, 'price')
    await page.locator('#listing-offerPrice').fill('70000')
    await submitListing(page)
    await expect(waitingTitle(page)).toBeVisible()
    await context.setOffline(false)
    const rowOf = (text: string) => page.locator('[data-acts] li').filter({ hasText: text })
    await expect(async () => {
      await page.goto('/en/offline')
      await expect(rowOf('photos: 1').filter({ hasText: 'Not accepted' })).toHaveCount(1, { timeout: 3000 })
    }).toPass()
    // By now it is known whose voice note it is.
    await expect(rowOf('Voice note')).toContainText(name)
    await expect(rowOf('Voice note')).toContainText('Goes after its listing, which was not accepted')

    await rowOf('photos: 1').getByRole('link', { name: 'Correct it' }).click()
    await untilAlive(page)
    // Its form is its own now, so it is sent while the seller corrects.
    await expect(clipsOf(page).getByText("The seller's voice", { exact: true })).toHaveCount(1)
    await page.locator('#listing-offerPrice').fill('60000')
    await openStep(page, 'photos')
    await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(1)
    await submitListing(page)
    await expect(page).toHaveURL(/sent=\d+/)
    const id = /sent=(\d+)/.exec(page.url())![1]
    await page.goto(`/en/product/${id}`)
    await expect(page.locator('audio')).toHaveCount(1)

    await expect(async () => {
      await page.goto('/en/offline')
      await expect(rowOf('Video of an animal').filter({ hasText: 'Not accepted' })).toHaveCount(1, { timeout: 3000 })
    }).toPass()
    await expect(rowOf('Video of an animal')).toContainText('This file cannot be shown as a video')
    const saved = page.waitForEvent('download')
    await rowOf('Video of an animal').getByRole('link', { name: 'Save it on the phone' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^sandhai-video-\d+\.(mp4|webm)$/)
    await rowOf('Video of an animal').getByRole('button', { name: 'Do not send' }).click()
    await expect(rowOf('Video of an animal')).toHaveCount(0)
  },
)

test('a full phone says so, and the clip stays in the page', { tag: onPhones }, async ({ page, context }) => {
  test.slow()
  await sellerWithWorker(page)
  await openOnce(page, '/en/sell')
  await goOffline(page)
  await context.serviceWorkers()[0]!.evaluate(() => {
    IDBObjectStore.prototype.add = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
  })
  await clipsOf(page).getByRole('button', { name: 'Record your voice' }).click()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText(twoOfVoice)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(clipsOf(page).getByText('this phone is full: it could not be stored here')).toBeVisible()
  await expect(clipsOf(page).getByRole('button', { name: 'Try again' })).toBeVisible()
})
