import type { Browser, Page } from '@playwright/test'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import { decide, loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'
import { expectNoModal, openSheet } from './sheets.ts'

/** A cow in milk on the market. The page's browser is the seller's. */
async function listCow(page: Page, browser: Browser): Promise<number> {
  const id = await listBull(page, await registerSeller(page), 'ஜெர்சி பசு')
  const cow = { product_variant: [{ gender: 0, milk_produce_per_Day: 12 }] }
  expect((await callApi(page, 'PUT', `/product/id=${id}`, cow)).status()).toBe(200)
  await decide(browser, id, true, 'நல்ல பசு')
  return id
}

/** Chooses a video in the form, as a phone's camera records it. */
const chooseClip = (page: Page) =>
  page.locator('#milking-clip').evaluate(async (input: HTMLInputElement) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
    const paint = canvas.getContext('2d')!
    const timer = setInterval(() => {
      paint.fillStyle = `hsl(${Math.random() * 360} 60% 50%)`
      paint.fillRect(0, 0, 320, 240)
    }, 50)
    const parts: Blob[] = []
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' })
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.start()
    await new Promise((done) => setTimeout(done, 2500))
    const ended = new Promise((done) => (recorder.onstop = done))
    recorder.stop()
    await ended
    clearInterval(timer)
    const files = new DataTransfer()
    files.items.add(new File(parts, 'milking.webm', { type: 'video/webm' }))
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })

async function fillMilking(page: Page, time: 'காலை' | 'மாலை', litres: string): Promise<void> {
  await page.getByRole('radio', { name: time }).check()
  await page.getByLabel('எவ்வளவு கறந்தது?').fill(litres)
}
const rowsOf = (page: Page) => page.locator('section[aria-labelledby=milk-title] > ul > li')
const add = (page: Page) => page.getByRole('button', { name: 'இதைச் சேர்க்க' }).click()

/** An admin passes all proofs of this animal. */
async function seeAll(browser: Browser, id: number, count: number): Promise<void> {
  const context = await browser.newContext({ viewport: test.info().project.use.viewport })
  const admin = await context.newPage()
  await loginAsAdmin(admin)
  await admin.goto('/admin/proofs')
  const mine = admin.locator('[data-row-link]').filter({ hasText: `-${String(id).padStart(5, '0')} ` })
  await expect(mine).toHaveCount(count)
  await expectNoSidewaysScroll(admin)
  await expectAxeClean(admin)
  for (let left = count; left > 0; left--) {
    await mine.first().click()
    const open = admin.getByRole('article').filter({ has: admin.locator(`a[href="/product/${id}?tab=verification"]`) })
    await open.getByRole('button', { name: 'இதைக் காட்டுகிறது' }).click()
    await expect(admin.getByRole('main').getByRole('status')).toBeVisible()
    await expect(mine).toHaveCount(left - 1)
  }
  await context.close()
}

test('a keeper shows three milkings; a visitor reads “3 milkings shown”', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const id = await listCow(page, browser)
  const visitor = await (await browser.newContext({ viewport: test.info().project.use.viewport })).newPage()
  await visitor.goto(`/product/${id}`)
  await expect(visitor.getByText('நாளுக்கு 12 லிட்டர் · விற்பனையாளர் சொல்வது')).toBeVisible()

  await page.goto('/seller-product/')
  await page.locator(`#l${id} [popovertarget=more-${id}]`).first().click()
  await page.locator(`#l${id}`).getByRole('link', { name: 'கறவையைக் காட்ட' }).click()
  await untilAlive(page)
  await expectNoSidewaysScroll(page)
  await expectAxeClean(page)
  // A missing field is reported in place, and the typed values stay.
  await page.getByLabel('எவ்வளவு கறந்தது?').fill('7')
  await add(page)
  await expect(page.locator('#milking-time-error')).toBeVisible()
  await fillMilking(page, 'காலை', '7')
  await chooseClip(page)
  await expect(page.getByText('வீடியோ வந்துவிட்டது')).toBeVisible()
  await add(page)
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('பார்த்து வருகிறோம்')

  // The other two from a browser without scripts, where the clip is sent with the form.
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
    viewport: test.info().project.use.viewport,
  })
  const old = await plain.newPage()
  await old.goto(`/seller-product/${id}/proofs`)
  const clip = { name: 'milking.mp4', mimeType: 'video/mp4', buffer: await makeClip() }
  const yesterday = new Date(Date.now() - 18.5 * 3_600_000).toISOString().slice(0, 10)
  for (const [time, count] of [
    ['மாலை', 2],
    ['காலை', 3],
  ] as const) {
    await old.getByLabel('நாள்', { exact: true }).fill(yesterday)
    await fillMilking(old, time, '5.5')
    await old.locator('#milking-clip').setInputFiles(clip)
    await add(old)
    await expect(rowsOf(old)).toHaveCount(count)
  }
  await expect(old.getByRole('button', { name: 'இதைச் சேர்க்க' })).toHaveCount(0)
  await plain.close()

  await seeAll(browser, id, 3)
  await expect(async () => {
    await visitor.goto(`/product/${id}`)
    await expect(visitor.getByText('நாளுக்கு 12 லிட்டர் · 3 கறவை வீடியோ')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await visitor.getByRole('button', { name: '3 கறவை வீடியோ' }).click()
  const proof = visitor.getByRole('dialog', { name: 'எவ்வளவு பால்' })
  await expect(proof.getByRole('listitem')).toHaveCount(3)
  await expect(proof.getByRole('link', { name: /^கறவை, / })).toHaveCount(3)
  await expectNoSidewaysScroll(visitor)
  await visitor.keyboard.press('Escape')
  await expectAxeClean(visitor)
  for (const width of [360, 1280])
    for (const prefix of ['', '/en']) {
      await visitor.setViewportSize({ width, height: 800 })
      await visitor.goto(`${prefix}/product/${id}`)
      await untilAlive(visitor)
      await expect((await openSheet(visitor, 'proof-milk')).getByRole('listitem')).toHaveCount(3)
      await visitor.keyboard.press('Escape')
      await expectNoModal(visitor)
    }
  await visitor.setViewportSize(test.info().project.use.viewport!)
  await visitor.goto('/buy/1?milk=any')
  await expect(visitor.locator('article').filter({ has: visitor.locator(`a[href="/product/${id}"]`) })).toContainText('12 லி பால் 3 வீடியோ')
  await visitor.context().close()
})
