import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { DEMO_PASSWORD, loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { goOffline, goOnline } from './connection.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onPhones, test, untilAlive } from './market.ts'
import { deal } from './orders.ts'
import { loginByApi, newPhone, PASSWORD, registerByApi, ownId } from './people.ts'
import { callApi } from './sellers.ts'

async function adminPage(browser: Browser): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await loginAsAdmin(page)
  return { page, context }
}

async function moveTo(browser: Browser, id: number, ...statuses: number[]): Promise<void> {
  const { page, context } = await adminPage(browser)
  for (const status of statuses) expect((await callApi(page, 'PUT', `/order-detail-status/id=${id}/${status}`)).status()).toBe(200)
  await context.close()
}

/** From the card of the delivered bull to its first 21 days. */
async function expectFirstDays(page: Page, id: number): Promise<void> {
  await page
    .locator(`#o${id}`)
    .getByRole('link', { name: /^முதல் 21 நாட்கள்/ })
    .click()
  await expect(page).toHaveURL(new RegExp(`/orders/${id}/first-days$`))
  await untilAlive(page)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.goto(`/en/orders/${id}/first-days`)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('The first 21 days')
  const text = (await main.textContent())!
  const dayAfter = (words: RegExp) => Date.parse(`${words.exec(text)![1]!.replaceAll('-', ' ')} UTC`)
  expect(dayAfter(/Keep it apart until (\d+-\w+-\d+)/) - dayAfter(/Came on (\d+-\w+-\d+)/)).toBe(21 * 86_400_000)
  // The seller named no vaccination, so the card names those to ask a vet about; a bull is not milked.
  await expect(main).toContainText('We know of no vaccination. Ask a vet about:')
  await expect(main).not.toContainText('Milk it last')
}

test('the sample buyer has orders in several states and a receipt, and the sample seller was paid', async ({ page, browser }) => {
  expect(await loginByApi(page, '9000000001', DEMO_PASSWORD)).toBe(200)
  await page.goto('/en/orders')
  // Each card has the status of its own order, as the call gives it. The steps below name statuses, too, so only the chip counts.
  const path = `/api/v1/order/buyer=${await ownId(page)}&type=1`
  const answer = await page.request.get(path, { headers: { 'Accept-Language': 'en' } })
  const orders = (await answer.json()) as { id: number; status: string }[]
  expect([...new Set(orders.map(({ status }) => status))].sort()).toEqual(['Cancelled', 'Delivered', 'On the way', 'Order placed'])
  await expect(page.getByRole('article')).toHaveCount(orders.length)
  for (const { id, status } of orders) await expect(page.locator(`#o${id} > header .chip`).first()).toHaveText(status)
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: 'View Invoice' })
      .or(page.getByRole('button', { name: 'View Invoice' })),
  ).toHaveCount(1)
  // On a desktop, what happens is beside what was ordered.
  if (page.viewportSize()!.width > 768)
    for (const card of await page.getByRole('article').all()) {
      const [history, photo] = [(await card.locator('ol').first().boundingBox())!, (await card.locator('.thumb').boundingBox())!]
      expect([photo.x > history.x + history.width, Math.abs(photo.y - history.y) < 8]).toEqual([true, true])
    }
  await page.goto('/en/my-addresses')
  await expect(page.getByRole('main')).toContainText('638001')
  const selling = await browser.newContext()
  const seller = await selling.newPage()
  expect(await loginByApi(seller, '9000000002', DEMO_PASSWORD)).toBe(200)
  await seller.goto('/en/seller-product/?tab=1')
  await expect(seller.getByRole('main')).toContainText('Kurumbai')
  await seller.goto('/en/orders/2/invoice?of=commission')
  await expect(seller.getByRole('main')).toContainText('SAMPLE-0001')
  await selling.close()
})

test('an admin completes an order, and buyer and seller get their papers', { tag: [onDesks, core] }, async ({ page, browser }) => {
  test.slow()
  const { seller, ids, close } = await deal(browser, page)
  const [id] = ids
  const number = `SN-${String(id).padStart(6, '0')}`

  // The seller confirms the order.
  await seller.goto('/en/seller-product/?tab=1')
  const line = seller.locator(`#o${id}`)
  await expect(line).toContainText('Order placed')
  await expect(line).toContainText('Can you give it?')
  await expectAxeClean(seller)
  await line.getByRole('button', { name: 'Yes, confirm the order' }).click()
  await expect(seller.getByRole('main').getByRole('status')).toContainText('Confirmed.')
  await expect(line).toContainText('Order confirmed')

  const { page: desk, context } = await adminPage(browser)
  await desk.goto(`/en/orders?q=${number}`)
  await untilAlive(desk)
  const card = desk.locator(`#o${id}`)
  await expect(card).toContainText('Pickup address')
  await expect(card).toContainText('1 Sample Farm')
  const save = card.getByRole('button', { name: 'Save', exact: true })
  await expect(save).toBeDisabled()
  // Only valid next steps can be chosen.
  await expect(card.getByLabel('Status').locator('option')).toHaveText([
    'Order confirmed',
    'Health check done',
    'Ready for pickup',
    'Cancelled',
    'Not available',
  ])
  await expectAxeClean(desk)
  await expectNoSidewaysScroll(desk)
  await card.getByLabel('Status').selectOption('Ready for pickup')
  await expect(save).toBeEnabled()
  await save.click()
  await expect(desk.getByRole('main').getByRole('status')).toHaveText('The status is saved.')
  await card.getByLabel('Status').selectOption('On the way')
  await save.click()
  await expect(card.getByLabel('Status')).toHaveValue('5')
  await card.getByLabel('Status').selectOption('Delivered')
  await expect(card.getByLabel('Amount paid')).toHaveValue(/^8[45]\d{3}/)
  await card.getByLabel('Paid by').selectOption('UPI')
  await card.getByLabel('Amount paid').fill('much')
  await save.click()
  await expect(card).toContainText('Write the amount paid in rupees.')
  await expect(card).toContainText('Please write how it is known.')
  await card.getByLabel('Note').fill('Told by phone.')
  await card.getByLabel('Amount paid').fill('99,99,999')
  await save.click()
  await expect(card).toContainText('This is more than was to be paid.')
  await card.getByLabel('Amount paid').fill('80,000')
  await save.click()
  await expect(card).toContainText('₹80,000 paid by UPI')
  await expect(card.getByLabel('Status')).toHaveCount(0)
  // The money for the seller is settled on the seller's page, which counts what the seller holds.
  await expect(card).toContainText('The commission is not settled yet.')
  await card.getByRole('link', { name: 'Settle with the seller' }).click()
  await untilAlive(desk)
  await desk.getByLabel('How it was paid').selectOption('Bank transfer')
  await desk.getByLabel('Reference (transfer or slip number)').fill('SAMPLE-0001')
  await desk.getByRole('checkbox', { name: number }).check()
  await desk.getByRole('button', { name: 'Record the payment' }).click()
  await desk.goto(`/en/orders?q=${number}`)
  await untilAlive(desk)
  await expect(card).toContainText('SAMPLE-0001')
  await expectAxeClean(desk)
  // The file has names and numbers, so it needs the admin's own password.
  await desk.goto(`/en/orders?q=${number}`)
  await desk.getByText('Download as a CSV file').click()
  await desk.getByLabel('Your own password').fill('not this one')
  await desk.getByRole('button', { name: 'Download the file' }).click()
  await expect(desk.getByLabel('Your own password')).toHaveAccessibleDescription('The password is not right.')
  await desk.getByLabel('Your own password').fill(PASSWORD)
  const [file] = await Promise.all([desk.waitForEvent('download'), desk.getByRole('button', { name: 'Download the file' }).click()])
  expect(await readFile(await file.path(), 'utf8')).toMatch(new RegExp(`^\uFEFFOrder number,.*\r\n${number},`))
  await context.close()

  await page.goto('/en/orders')
  const mine = page.locator(`#o${id}`)
  await expect(mine).toContainText('Delivered')
  await expect(mine).not.toContainText('Pickup address')
  await expect(mine.getByRole('button', { name: 'Cancel Order' })).toHaveCount(0)
  await expect(mine.getByRole('link', { name: 'View Invoice' })).toBeVisible()
  await mine.getByText('Earlier steps').click()
  await expect(mine.getByText('Sandhai team').first()).toBeVisible()
  await expectAxeClean(page)
  expect((await page.request.get('/en/orders.csv')).status()).toBe(403)

  await seller.reload()
  await expect(line.getByRole('link', { name: 'Commission invoice' })).toBeVisible()
  await expectAxeClean(seller)
  await close()
})

test('a buyer cancels one of two orders after confirming, in Tamil', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const { ids, close } = await deal(browser, page, 2)
  const [kept, dropped] = ids
  await page.goto('/orders')
  await untilAlive(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் ஆர்டர்கள்')
  const card = page.locator(`#o${dropped}`)
  await expect(card).toContainText('ஆர்டர் பெறப்பட்டது')
  await card.getByRole('button', { name: 'ஆர்டரை ரத்து செய்ய' }).click()
  const asked = page.getByRole('dialog', { name: 'ஆர்டரை ரத்து செய்ய' })
  await expect(asked).toContainText('உங்கள் ஆர்டரை ரத்து செய்யலாமா?')
  await expectAxeClean(page)
  await asked.getByRole('button', { name: 'இல்லை' }).click()
  await expect(asked).toBeHidden()
  await card.getByRole('button', { name: 'ஆர்டரை ரத்து செய்ய' }).click()
  // Offline, the error appears where the buyer tapped, not at the top of a long page.
  await page.context().setOffline(true)
  await asked.getByRole('button', { name: 'ஆம்' }).click()
  await expect(asked).toContainText('நெட் உள்ளதா என்று பார்த்து மீண்டும் முயலுங்கள்.')
  await expect(card.getByRole('alert')).toHaveText('நெட் உள்ளதா என்று பார்த்து மீண்டும் முயலுங்கள்.')
  await page.context().setOffline(false)
  // An unavailable server is not the same as offline, and the message says so.
  await page.route(/[.]data/, (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, body: 'away' }))
  await asked.getByRole('button', { name: 'ஆம்' }).click()
  await expect(asked).toContainText('இந்தச் சேவை இப்போது இல்லை. சிறிது நேரத்தில் மீண்டும் முயலுங்கள்.')
  await page.unroute(/[.]data/)
  await asked.getByRole('button', { name: 'ஆம்' }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText('ஆர்டர் ரத்து செய்யப்பட்டது.')
  await expect(card).toContainText('ரத்து செய்யப்பட்டது')
  await expect(page.locator(`#o${kept}`)).toContainText('ஆர்டர் பெறப்பட்டது')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await close()
})

test('without JavaScript a buyer cancels, and a seller cannot', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const { seller, ids, close } = await deal(browser, page, 2)
  const plain = async (of: Page) => browser.newContext({ javaScriptEnabled: false, storageState: await of.context().storageState() })
  const buying = await plain(page)
  const buyer = await buying.newPage()
  await buyer.goto('/en/orders')
  await buyer.locator(`#o${ids[0]}`).getByRole('button', { name: 'Cancel Order' }).click()
  const asked = buyer.getByRole('dialog', { name: 'Cancel Order' })
  await expect(asked).toContainText('Please confirm if you want to Cancel your Order')
  await asked.getByRole('button', { name: 'Yes' }).click()
  await expect(buyer.getByRole('main').getByRole('status')).toHaveText('The order is cancelled.')
  await buying.close()

  const selling = await plain(seller)
  const desk = await selling.newPage()
  await desk.goto('/en/seller-product/?tab=1')
  const line = desk.locator(`#o${ids[1]}`)
  await line.getByRole('button', { name: 'Not available' }).click()
  const sheet = desk.getByRole('dialog', { name: 'Not available' })
  await sheet.getByLabel('Reason').fill('It fell ill.')
  await sheet.getByRole('button', { name: 'Yes' }).click()
  await expect(desk.getByRole('main').getByRole('status')).toContainText('Noted as not available.')
  await expect(line).toContainText('It fell ill.')
  await selling.close()
  await page.goto('/en/orders')
  await expect(page.locator(`#o${ids[1]}`)).toContainText('It fell ill.')
  await close()
})

test(
  'at the door: the buyer accepts, the bearer types the four digits, and the buyer reads what to do in the first 21 days',
  { tag: [onPhones, core] },
  async ({ page, browser }) => {
    test.slow()
    const { seller, ids, close } = await deal(browser, page)
    const [id] = ids
    await moveTo(browser, id!, 2, 4, 5)
    const bringing = await browser.newContext({ viewport: { width: 360, height: 800 }, serviceWorkers: 'allow' })
    const bearer = await bringing.newPage()
    const bearerPhone = await registerByApi(bearer, newPhone())

    const { page: desk, context } = await adminPage(browser)
    await desk.goto(`/en/orders?q=${id}`)
    await untilAlive(desk)
    await desk.getByLabel('Time of day').selectOption('evening (4–8)')
    await desk.getByLabel('Phone of who brings it').fill(bearerPhone)
    await desk.getByRole('button', { name: 'Save the delivery' }).click()
    await expect(desk.getByRole('main').getByRole('status')).toHaveText('The delivery is saved.')
    await context.close()

    await page.goto('/orders')
    await page.locator(`#o${id}`).getByRole('link', { name: 'கால்நடை என் முன் நிற்கிறது' }).click()
    await untilAlive(page)
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'ஆம், ஏற்கிறேன்' }).click()
    const shown = page.getByRole('status').filter({ hasText: 'கொண்டு வந்தவரிடம் இந்த எண்ணைச் சொல்லுங்கள்' })
    await expect(shown).toBeVisible()
    await expectAxeClean(page)
    const code = /\d \d \d \d/.exec((await shown.textContent())!)![0].replaceAll(' ', '')

    await bearer.goto('/en/orders')
    await bearer.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await bearer.getByRole('link', { name: new RegExp(`SN-0*${id} `) }).click()
    await untilAlive(bearer)
    await expect(bearer.getByRole('main')).toContainText('4 Temple Street')
    await bearer.getByLabel("The buyer's 4 digits").fill(code === '0000' ? '1111' : '0000')
    await bearer.getByLabel('Cash').check()
    await bearer.getByRole('button', { name: 'It is handed over' }).click()
    await expect(bearer.getByRole('alert')).toBeVisible()
    await expect(bearer.getByText('4 tries left.')).toBeVisible()
    await expectAxeClean(bearer)
    await bearer.getByLabel("The buyer's 4 digits").fill(code)
    // Without a connection in the farmyard the handover waits on the phone, and is sent with the connection.
    await goOffline(bearer)
    await bearer.getByRole('button', { name: 'It is handed over' }).click()
    await expect(bearer.getByRole('alert')).toContainText('It is on this phone and is sent by itself')
    await goOnline(bearer)
    await expect(async () => {
      await bearer.goto(`/en/orders/${id}/handover`)
      await expect(bearer.getByRole('main').getByRole('status')).toContainText('Delivered on', { timeout: 3000 })
    }).toPass()
    await expect(bearer.getByRole('main')).not.toContainText('4 Temple Street')
    await bringing.close()
    await page.goto('/orders')
    await expect(page.locator(`#o${id}`)).toContainText('ஒப்படைக்கப்பட்டது')
    await expectFirstDays(page, id!)
    // The card is the buyer's alone.
    expect((await seller.goto(`/en/orders/${id}/first-days`))!.status()).toBe(404)
    await close()
  },
)

test('at the door: refused with a reason and a picture', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  const { seller, ids, close } = await deal(browser, page)
  await moveTo(browser, ids[0]!, 2, 4, 5)
  await page.goto(`/en/orders/${ids[0]}/handover`)
  await untilAlive(page)
  await page.getByText('No, I do not accept it').click()
  await page.getByRole('button', { name: 'Refuse the animal' }).click()
  await expect(page.getByText('Please say why.')).toBeVisible()
  await expectAxeClean(page)
  await page.getByLabel('What is wrong with it?').fill('Lame on the left hind leg')
  await page.getByLabel('A picture').setInputFiles({ name: 'leg.jpg', mimeType: 'image/jpeg', buffer: readFileSync('public/share.jpg') })
  await page.getByRole('button', { name: 'Refuse the animal' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Noted: you have refused it.')
  const card = page.locator(`#o${ids[0]}`)
  await expect(card).toContainText('Refused on delivery day')
  await expect(card).toContainText('Lame on the left hind leg')
  await expect(card.getByRole('link', { name: 'Picture taken when it was refused' })).toBeVisible()
  await seller.goto('/en/seller-product/?tab=1')
  await expect(seller.locator(`#o${ids[0]}`)).toContainText('Lame on the left hind leg')
  await close()
})

test('without JavaScript a picture that is too large loses no text at the door', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const { ids, close } = await deal(browser, page)
  await moveTo(browser, ids[0]!, 2, 4, 5)
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const plain = await context.newPage()
  await plain.goto(`/en/orders/${ids[0]}/handover`)
  await plain.getByText('No, I do not accept it').click()
  await plain.getByLabel('What is wrong with it?').fill('Lame on the left hind leg')
  const photo = { name: 'leg.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(9 * 1024 * 1024, 1) }
  await plain.getByLabel('A picture').setInputFiles(photo)
  await plain.getByRole('button', { name: 'Refuse the animal' }).click()
  await expect(plain.getByLabel('What is wrong with it?')).toHaveValue('Lame on the left hind leg')
  await expect(plain.getByLabel('A picture')).toHaveAccessibleDescription(/8 MB/)
  await plain.getByRole('button', { name: 'Refuse the animal' }).click()
  await expect(plain.getByRole('main').getByRole('status')).toContainText('Noted: you have refused it.')
  await context.close()
  await close()
})

test('an anonymous visitor is asked to log in; a person without orders is shown the market', { tag: onPhones }, async ({ page }) => {
  await page.goto('/en/orders')
  await expect(page.getByText('You have not logged in yet!')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Log in here' })).toHaveAttribute('href', '/en/login?next=%2Fen%2Forders')
  await expectAxeClean(page)
  // There as on the seller's page, the link opens the login over the page.
  for (const path of ['/en/orders', '/en/seller-product/']) {
    await page.goto(path)
    await untilAlive(page)
    await page.getByRole('link', { name: 'Log in here' }).click()
    await expect(page.getByRole('dialog', { name: 'User Login' })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
  await registerByApi(page)
  await page.goto('/en/orders')
  await expect(page.getByText('Your Order list is empty')).toBeVisible()
  await expectAxeClean(page)
})
