import type { Locator, Page } from '@playwright/test'
import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { goOffline, goOnline } from './connection.ts'
import { expect, expectNoSidewaysScroll, onDesks, test, untilAlive } from './market.ts'
import { newName, newPhone } from './people.ts'
import { photograph } from './photographs.ts'
import { deal } from './orders.ts'

const numberOf = (id: number) => `SN-${String(id).padStart(6, '0')}`

async function chooseAll(desk: Page, ids: number[]): Promise<void> {
  for (const id of ids) await desk.getByLabel(`Choose ${numberOf(id)}`).check()
}

/** A bearer of the list with these orders today, all ready for pickup. Returns their name. */
async function planForToday(desk: Page, buyerPhone: string, ids: number[]): Promise<string> {
  const name = newName('Velu')
  await desk.goto('/en/admin/bearers')
  await desk.locator('#bearer-new-name').fill(name)
  await desk.locator('#bearer-new-phone').fill(newPhone())
  await desk.locator('#bearer-new-capacity').fill('2')
  await desk.locator('#bearer-new-photo').setInputFiles(await photograph(3))
  await desk.getByRole('button', { name: 'Add to the list' }).click()
  await expect(desk.getByRole('main').getByRole('status')).toHaveText('The bearer is in the list.')
  await expect(desk.getByRole('img', { name: `Picture of ${name}` })).toHaveCount(1)
  await desk.goto(`/en/orders?q=${buyerPhone}`)
  await untilAlive(desk)
  const done = desk.getByRole('main').getByRole('status')
  await chooseAll(desk, ids)
  const day = desk.getByLabel('Day for all')
  await day.fill((await day.getAttribute('min'))!)
  await desk.getByLabel('Bearer for all').selectOption(name)
  await desk.getByRole('button', { name: 'Give day and bearer' }).click()
  await expect(done).toContainText(`${ids.length} orders done.`)
  await desk.goto(`/en/orders?q=${buyerPhone}`)
  await untilAlive(desk)
  await chooseAll(desk, ids)
  await desk.getByRole('button', { name: 'Ready for pickup' }).click()
  await expect(done).toContainText(`${ids.length} orders done.`)
  return name
}

/** The seller recognizes the bearer by name, photo and the three digits that the run sheet tells the bearer to say. */
async function expectRecognizable(seller: Page, desk: Page, name: string, id: number): Promise<void> {
  const paper = await desk.context().newPage()
  await paper.goto('/en/admin/run-sheet')
  const stop = paper
    .getByRole('region', { name })
    .getByRole('listitem')
    .filter({ hasText: numberOf(id) })
    .filter({ hasText: 'Say to the seller' })
  const code = /Say to the seller\s*(\d{3})/.exec((await stop.textContent())!)![1]!
  await paper.close()
  await seller.goto('/en/seller-product/?tab=1')
  const card = seller.locator(`#o${id}`)
  await expect(card).toContainText('This person fetches it')
  await expect(card.getByText(name, { exact: true })).toBeVisible()
  await expect(card.getByText(code, { exact: true })).toBeVisible()
  const photo = card.getByRole('img', { name: `Picture of ${name}` })
  await photo.scrollIntoViewIfNeeded()
  await expect.poll(() => photo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
  await expectNoSidewaysScroll(seller)
}

/** A stop of the bearer's page, opened. */
async function openStop(bearer: Page, kind: 'எடுக்க' | 'ஒப்படைக்க', id: number): Promise<Locator> {
  const stop = bearer.getByRole('article', { name: new RegExp(`${kind} ${numberOf(id)}$`) })
  const card = stop.locator('details').first()
  if (!(await card.evaluate((details: HTMLDetailsElement) => details.open))) await card.locator('summary').first().click()
  return stop
}

/** Types the digits that the seller reads on their page, and reports that the animal is loaded. */
async function reportLoaded(bearer: Page, seller: Page, id: number): Promise<void> {
  await seller.goto('/en/seller-product/?tab=1')
  const code = /tell them:\s*(\d{3})/.exec((await seller.locator(`#o${id}`).textContent())!)![1]!
  const stop = await openStop(bearer, 'எடுக்க', id)
  await stop.getByText('வண்டியில் ஏற்றியாயிற்று').first().click()
  await stop.locator('[name=code]').fill(code)
  await stop.getByRole('button').click()
}

/** The buyer accepts the animal. Returns the digits that they say to the bearer. */
async function acceptAt(page: Page, id: number): Promise<string> {
  await page.goto(`/en/orders/${id}/handover`)
  await untilAlive(page)
  await page.getByRole('button', { name: 'Yes, I accept it' }).click()
  const shown = page.getByRole('status').filter({ hasText: /\d \d \d \d/ })
  return /\d \d \d \d/.exec((await shown.textContent())!)![0].replaceAll(' ', '')
}

/** The buyer does not take the animal: the bearer reports it with a picture, and reads to whom it goes back. */
async function reportRefused(bearer: Page, id: number): Promise<void> {
  const stop = await openStop(bearer, 'ஒப்படைக்க', id)
  await stop.getByText('வாங்குபவர் ஏற்கவில்லை').first().click()
  await stop.locator('[name=reason]').fill('கால் நொண்டுகிறது.')
  await stop.getByRole('button', { name: 'தெரிவிக்க' }).click()
  await expect(stop.getByText('கால்நடையை ஒரு படம் எடுங்கள்.')).toBeVisible()
  await stop.locator('[name=photo]').setInputFiles(await photograph(5))
  await expectAxeClean(bearer)
  await stop.getByRole('button', { name: 'தெரிவிக்க' }).click()
  await expect(bearer.getByRole('main').getByRole('status').first()).toContainText(`${numberOf(id)}: வாங்குபவர் ஏற்கவில்லை`)
  await expect(bearer.getByRole('region', { name: 'விற்பனையாளரிடம் திரும்ப ஒப்படைக்க' })).toContainText(numberOf(id))
}

/** At the last stop there is no connection, and the first digits are wrong: the handover waits on the phone, is refused, and arrives once corrected. */
async function handOverOffline(bearer: Page, stop: Locator, code: string): Promise<void> {
  const path = new URL(bearer.url()).pathname
  // The report that the animal is loaded, which was sent before, stands in the list, too.
  const acts = bearer.locator('[data-acts] li').filter({ hasText: 'ஒப்படைத்தாகிவிட்டது' })
  const close = async (digits: string) => {
    await goOffline(bearer)
    await stop.locator('[name=code]').fill(digits)
    await stop.getByRole('button').click()
    await expect(stop.getByRole('alert')).toContainText('முடிந்ததும் தானாகவே போய்விடும்')
    // The day's page opens without a connection, says how old it is, and leads to what waits.
    await bearer.goto(path)
    await expect(bearer.locator('#old-note[data-copied-at]')).toBeVisible()
    // Nothing newer arrived.
    await expect(bearer.locator('#old-note a')).toHaveCount(0)
    await expect(stop).toContainText('4 Temple Street')
    await bearer.locator('#acts-note').click()
    await expect(acts).toContainText(['ஒப்படைப்பு'])
    await expect(acts).toContainText(['நெட்டுக்காகக் காத்திருக்கிறது'])
    await expect(acts).toHaveCount(1)
    await expectNoSidewaysScroll(bearer)
    await goOnline(bearer)
    await bearer.goto(path)
  }
  await stop.locator('[name=paymentMethod][value=cash]').check()
  await close(code === '0000' ? '1111' : '0000')
  await bearer.getByRole('link', { name: /செயலைச் சந்தை ஏற்கவில்லை/ }).click()
  await expect(acts).toContainText(['இந்த எண் பொருந்தவில்லை.'])
  await acts.getByRole('link', { name: 'திருத்த' }).click()
  await expect(stop.getByRole('alert')).toContainText('இந்த எண் பொருந்தவில்லை.')
  await expect(stop.locator('[name=paymentMethod][value=cash]')).toBeChecked()
  await expect(stop.locator('[name=code]')).toHaveValue('')
  await expectAxeClean(bearer)
  await close(code)
  await expect(async () => {
    await bearer.goto(path)
    await expect(bearer.getByRole('article')).toHaveCount(0, { timeout: 3000 })
  }).toPass()
  await expect(bearer.locator('#acts-note')).toHaveCount(0)
}

test(
  'a bearer whom the seller recognizes fetches three animals, delivers two and takes one back, with the page of their day',
  { tag: onDesks },
  async ({ page, browser }) => {
    test.slow()
    const { buyerPhone, seller, ids, close } = await deal(browser, page, 3)
    for (const id of ids) {
      await seller.goto('/en/seller-product/?tab=1')
      await seller.locator(`#o${id}`).getByRole('button', { name: 'Yes, confirm the order' }).click()
      await expect(seller.getByRole('main').getByRole('status')).toContainText('Confirmed.')
    }
    const office = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const desk = await office.newPage()
    await loginAsAdmin(desk)
    const name = await planForToday(desk, buyerPhone, ids)
    await expectRecognizable(seller, desk, name, ids[0]!)

    await desk.goto('/en/admin/run-sheet')
    await untilAlive(desk)
    await desk.getByLabel('Who brings it').selectOption(name)
    const sheet = desk.getByRole('region', { name })
    for (const id of ids) await expect(sheet).toContainText(numberOf(id))
    await expect(sheet).toContainText('6 stops · about 0 km in a straight line')
    await expect(sheet).toContainText('it carries 3 cows or as much in other animals; it takes 2.')
    await expectAxeClean(desk)
    await expectNoSidewaysScroll(desk)
    await sheet.getByRole('button', { name: 'Send the day by SMS' }).click()
    const link = await sheet.getByRole('status').getByRole('link').textContent()
    // On paper there are the stops and no controls.
    await desk.emulateMedia({ media: 'print' })
    await expect(sheet.getByRole('listitem').first()).toBeVisible()
    await expect(desk.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(sheet.getByRole('button')).toHaveCount(0)
    await desk.emulateMedia({ media: 'screen' })

    const bringing = await browser.newContext({ viewport: { width: 360, height: 800 }, serviceWorkers: 'allow' })
    const bearer = await bringing.newPage()
    await bearer.goto(new URL(link!).pathname)
    await bearer.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await untilAlive(bearer)
    await expectAxeClean(bearer)
    // No cart, newsletter or footer on the way.
    await expect(bearer.getByRole('contentinfo')).toHaveCount(0)
    await expect(bearer.getByRole('link', { name: /விற்க|Sell/ })).toBeHidden()
    await expectNoSidewaysScroll(bearer)
    const path = new URL(link!).pathname
    const [first, back, last] = ids as [number, number, number]
    const status = bearer.getByRole('main').getByRole('status').first()
    await reportLoaded(bearer, seller, first)
    await expect(status).toContainText(`${numberOf(first)}: ஏற்றியாயிற்று.`)
    // On the way to the buyer, the bearer has nothing to fetch at the seller's any more.
    await seller.reload()
    await expect(seller.locator(`#o${first}`)).not.toContainText(name)
    await reportLoaded(bearer, seller, back)
    await expect(status).toContainText(`${numberOf(back)}: ஏற்றியாயிற்று.`)
    // Without a connection the report waits on the phone and leaves by itself.
    await goOffline(bearer)
    await reportLoaded(bearer, seller, last)
    await expect(bearer.getByRole('alert').first()).toContainText('முடிந்ததும் தானாகவே போய்விடும்')
    await goOnline(bearer)
    await expect(async () => {
      await bearer.goto(path)
      await expect(bearer.getByRole('article')).toHaveCount(3, { timeout: 3000 })
    }).toPass()
    await untilAlive(bearer)
    const stop = await openStop(bearer, 'ஒப்படைக்க', first)
    await expect(stop.getByRole('link', { name: 'வழி பார்க்க' })).toHaveAttribute('href', /^geo:0,0\?q=.*638701/)
    await stop.getByText('ஒப்படைத்தாகிவிட்டது').first().click()
    await stop.locator('[name=code]').fill(await acceptAt(page, first))
    await stop.locator('[name=paymentMethod][value=cash]').check()
    await stop.getByRole('button', { name: 'ஒப்படைத்து, பணம் வாங்கியாயிற்று' }).click()
    await expect(bearer.getByRole('article')).toHaveCount(2)
    await expect(status).toContainText(`${numberOf(first)}: ஒப்படைத்து`)
    // The copy on the phone follows: the stop is done there, too.
    await expect(async () => {
      await goOffline(bearer)
      await bearer.goto(path)
      await expect(bearer.locator('#old-note[data-copied-at]')).toBeVisible()
      await expect(bearer.getByRole('article')).toHaveCount(2, { timeout: 2000 })
    }).toPass()
    await goOnline(bearer)
    await bearer.goto(path)
    await untilAlive(bearer)
    await reportRefused(bearer, back)
    await expect(bearer.getByRole('article')).toHaveCount(1)
    const lastStop = await openStop(bearer, 'ஒப்படைக்க', last)
    await lastStop.getByText('ஒப்படைத்தாகிவிட்டது').first().click()
    await handOverOffline(bearer, lastStop, await acceptAt(page, last))
    // The day is not over while an animal has to go back.
    await expect(bearer.getByRole('region', { name: 'விற்பனையாளரிடம் திரும்ப ஒப்படைக்க' })).toContainText(numberOf(back))
    await expect(bearer.getByRole('main')).not.toContainText('எல்லாம் முடிந்தது')
    await expectNoSidewaysScroll(bearer)
    // The office revokes the link, which then opens nothing for anybody. Every stop is done by now, and the link can still be revoked.
    await desk.reload()
    await untilAlive(desk)
    await sheet.getByRole('button', { name: 'Stop the link' }).click()
    await expect(sheet.getByRole('status')).toHaveText('The link works no more.')
    expect((await bearer.reload())!.status()).toBe(404)
    await expect(bearer.getByRole('main')).not.toContainText('4 Temple Street')
    // The copy on the phone went with the link.
    await goOffline(bearer)
    await bearer.goto(new URL(link!).pathname)
    await expect(bearer.locator('[data-copies]')).toHaveCount(1)
    await expect(bearer.getByRole('main')).not.toContainText('4 Temple Street')
    await goOnline(bearer)
    await bringing.close()
    await office.close()
    await close()
  },
)
