import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { decide, loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, holdScripts, onDesks, onPhones, test } from './market.ts'
import { ownId, PASSWORD, registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

/** The page's person sells a bull for ₹85,000, and the order reaches this status. Returns the ids of the seller and the order. */
async function sell(browser: Browser, seller: Page, ...statuses: number[]): Promise<{ sellerId: number; orderId: number }> {
  const person = await registerSeller(seller)
  const bull = await listBull(seller, person, 'Bull of the money')
  await decide(browser, bull, true, 'Good.')
  const buying = await browser.newContext()
  const buyer = await buying.newPage()
  const phone = await registerByApi(buyer)
  const buyerId = await ownId(buyer)
  const address = { name: 'Home', phone: `+91${phone}`, type: 1, address_1: '4 Temple Street', address_2: 'Old Town', pincode: '638701' }
  const saved = await callApi(buyer, 'POST', `/user-address/user=${buyerId}`, address)
  const { id: addressId } = (await saved.json()) as { id: number }
  expect((await callApi(buyer, 'POST', `/buyercart/buyer=${buyerId}`, { product: bull, items_count: 1 })).status()).toBe(200)
  const placed = await callApi(buyer, 'PUT', `/confirm-order/buyer=${buyerId}&address=${addressId}&code=`)
  const { orders } = (await placed.json()) as { orders: { id: number }[] }
  const orderId = orders[0]!.id
  await buying.close()
  const office = await browser.newContext()
  const admin = await office.newPage()
  await loginAsAdmin(admin)
  for (const status of statuses) {
    // A buyer's first order is ₹500 cheaper.
    const body = status === 6 ? { method: 'cash', amount: 84_500, note: 'Paid at the door.' } : undefined
    expect((await callApi(admin, 'PUT', `/order-detail-status/id=${orderId}/${status}`, body)).status()).toBe(200)
  }
  await office.close()
  return { sellerId: person.id, orderId }
}

test('a seller sees from the first day what they get, and nothing of other sellers', { tag: onPhones }, async ({ page, browser }) => {
  const { orderId } = await sell(browser, page)
  await page.goto('/en/seller-product/?tab=1')
  await expect(page.locator(`#o${orderId}`)).toContainText('You get ₹80,750')
  await page.getByRole('link', { name: 'Earnings' }).click()
  await expect(page.getByRole('main')).toContainText('Orders under way: 1. Once they are delivered you get ₹80,750.')
  await expect(page.getByRole('main')).toContainText('Nothing has been sold and delivered yet.')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

test("files with other people's data ask for the password again", { tag: onDesks }, async ({ page, browser }) => {
  const seller = await (await browser.newContext()).newPage()
  const { sellerId } = await sell(browser, seller, 2, 4, 5, 6)
  await loginAsAdmin(page)
  const month = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date()).slice(0, 7)
  for (const [file, form, button, name] of [
    ['/en/admin/money/month.csv', /\/admin\/money\/month\?month=/, 'Table as CSV', `month-${month}.csv`],
    ['/en/admin/money/month.pdf', /\/admin\/money\/month\?month=/, 'Closing sheet as PDF', `month-${month}.pdf`],
    [`/en/earnings.csv?seller=${sellerId}`, /\/earnings\?seller=\d+$/, 'Table as CSV', `earnings-${month}.csv`],
    [`/en/earnings.pdf?seller=${sellerId}`, /\/earnings\?seller=\d+$/, 'Statement as PDF', `earnings-${month}.pdf`],
  ] as const) {
    // The address alone returns no file and redirects to the form.
    await page.goto(file)
    await expect(page).toHaveURL(form)
    await page.getByText('Download as a file').click()
    await page.getByLabel('Your own password').fill('not this one')
    await page.getByRole('button', { name: button, exact: true }).click()
    await expect(page.getByLabel('Your own password')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Your own password').fill(PASSWORD)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: button, exact: true }).click()
    expect((await download).suggestedFilename()).toBe(name)
  }
  await expectAxeClean(page)
  await seller.context().close()
})

test('a sale is settled at the money desk, the seller sees it, and it is reversed', { tag: [onDesks, core] }, async ({ page, browser }) => {
  test.slow()
  const { sellerId, orderId } = await sell(browser, page, 2, 4, 5, 6)
  const earnings = page.locator(`#s${orderId}`)
  await page.goto('/en/earnings')
  await expect(page.getByText('Sandhai owes you')).toBeVisible()
  await expect(earnings).toContainText('The buyer had ₹500 off. Sandhai bears that, not you.')
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Statement as PDF' }).click()
  expect((await file).suggestedFilename()).toMatch(/^earnings-20\d\d-\d\d\.pdf$/)

  const office = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const admin = await office.newPage()
  await loginAsAdmin(admin)
  await admin.goto('/en/admin/money?sort=-name')
  await expect(admin.getByRole('main').locator(`a[href="/en/admin/money/${sellerId}"]`)).toBeVisible()
  await admin.goto(`/en/admin/money/${sellerId}`)
  // The number tells two sellers of one name apart, and the sum follows the ticks and the typed amounts.
  await expect(admin.getByRole('heading', { level: 1 })).toContainText(`#${sellerId}`)
  const sum = admin.getByRole('heading', { level: 2 }).first()
  const sale = admin.getByRole('checkbox', { name: /Bull of the money/ })
  await expect(sum).toHaveText('To be paid to the seller: ₹80,750')
  // A tick that is taken away before the scripts load counts, too.
  const arrive = await holdScripts(admin)
  await admin.goto(`/en/admin/money/${sellerId}`, { waitUntil: 'commit' })
  await sale.uncheck()
  await expect(sum).toHaveText('To be paid to the seller: ₹80,750')
  arrive()
  await expect(sum).toHaveText('To be paid to the seller: ₹0')
  // A page with a route has no HTTP cache, so the next page would show before its styles.
  await admin.unrouteAll({ behavior: 'wait' })
  await sale.check()
  await expect(sum).toHaveText('To be paid to the seller: ₹80,750')
  await expect(admin.getByRole('main').getByRole('link', { name: /^\+91/ })).toHaveAttribute('href', /^tel:\+91/)
  const record = admin.getByRole('button', { name: 'Record the payment' })
  await expect(record).toBeInViewport()
  await record.click()
  await expect(admin.getByLabel('How it was paid')).toHaveAttribute('aria-invalid', 'true')
  await admin.getByLabel('How it was paid').selectOption('bank')
  await admin.getByLabel('Reference').fill('UTR 4711')
  // An amount other than the balance needs a reason and the password.
  await admin.getByLabel('Paid to the seller').fill('80,000')
  await expect(sum).toHaveText('To be paid to the seller: ₹80,000')
  await record.click()
  await expect(admin.getByLabel('Why it differs')).toHaveAttribute('aria-invalid', 'true')
  await admin.getByLabel('Paid to the seller').fill('80750')
  await record.click()
  await expect(admin.getByRole('main').getByRole('status')).toHaveText('Recorded. The seller is told by SMS.')
  await expectAxeClean(admin)
  await page.reload()
  await expect(page.getByText('Everything has been paid.')).toBeVisible()
  await expect(earnings).toContainText('reference UTR 4711')

  // The longest words of the table are Tamil.
  await admin.goto('/admin/money/month')
  await expect(admin.getByRole('columnheader', { name: 'அவர்களே வாங்கிய ரொக்கம்' })).toBeVisible()
  await expectNoSidewaysScroll(admin)
  await admin.goto(`/en/admin/money/${sellerId}`)
  await admin.getByText('Take this entry back').click()
  await admin.getByLabel('Why it is taken back').fill('Wrong account')
  await admin.getByRole('button', { name: 'Take it back' }).click()
  await expect(admin.getByLabel('Your own password')).toHaveAttribute('aria-invalid', 'true')
  await admin.getByLabel('Your own password').fill(PASSWORD)
  await admin.getByRole('button', { name: 'Take it back' }).click()
  await expect(admin.getByRole('main').getByRole('status')).toHaveText('Taken back. The seller is told by SMS.')
  await expect(admin.getByRole('heading', { level: 2 }).first()).toContainText('₹80,750')
  await page.reload()
  await expect(earnings).toContainText('An entry was taken back')
  await office.close()
})

test('the money desk shows the cash of a day and the sheet of a month, also on a phone', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const selling = await browser.newContext()
  await sell(browser, await selling.newPage(), 2, 4, 5, 6)
  await selling.close()
  await loginAsAdmin(page)
  for (const path of ['/admin/money', '/admin/money/cash', '/admin/money/month']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('பணக் கணக்கு')
    await expect(page.getByRole('main')).toContainText('₹')
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
  }
  const form = page.locator('details:has(#month-file-password)')
  await form.locator('summary').click()
  await form.locator('#month-file-password').fill(PASSWORD)
  const sheet = page.waitForEvent('download')
  await form.getByRole('button', { name: 'மாத முடிவுக் கணக்கு, PDF' }).click()
  expect((await sheet).suggestedFilename()).toMatch(/^month-20\d\d-\d\d\.pdf$/)
})

test('an offer is planned for a day, shown with an example, confirmed and cancelled', { tag: onDesks }, async ({ page }) => {
  await loginAsAdmin(page)
  await page.goto('/en/admin/settings')
  const panel = page.locator('#recommendedOfferPercent')
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await panel.getByLabel('Percent').fill('60')
  await panel.getByLabel('Holds from').fill(day)
  await panel.getByRole('button', { name: 'See what changes' }).click()
  await expect(panel.getByLabel('Percent')).toHaveAttribute('aria-invalid', 'true')
  await expect(panel.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await panel.getByLabel('Percent').fill('5')
  await panel.getByLabel('Reason').fill('Sellers ask for it')
  await panel.getByRole('button', { name: 'See what changes' }).click()
  await expect(panel.getByRole('row', { name: 'Recommended price for ₹40,000' })).toContainText('₹42,000₹44,211')
  await panel.getByRole('button', { name: 'Confirm for that day' }).click()
  await expect(panel.getByLabel('Your own password')).toHaveAttribute('aria-invalid', 'true')
  await panel.getByLabel('Your own password').fill(PASSWORD)
  await panel.getByRole('button', { name: 'Confirm for that day' }).click()
  await expect(panel).toContainText('Sellers ask for it')
  await expectAxeClean(page)
  await panel.getByRole('button', { name: 'Call it back' }).click()
  await expect(page.getByRole('status')).toHaveText('Called back: nothing changes on that day.')
  await expect(panel.getByLabel('Percent')).toHaveValue('0')
})

test('a seller adds an account, and a payout pays them with the bank’s files', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  const { sellerId, orderId } = await sell(browser, page, 2, 4, 5, 6)
  await page.goto('/en/earnings')
  await page.getByText('Add an account').click()
  await page.getByText('Bank account', { exact: true }).click()
  await page.getByLabel('Name on the account').fill('Murugesan')
  await page.getByLabel('Account number', { exact: true }).fill('0012 3456 7890')
  await page.getByLabel('Account number again').fill('001234567891')
  await page.getByLabel('IFSC').fill('sbin0001234')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Save the account' }).click()
  await expect(page.getByText('The two account numbers differ.')).toBeVisible()
  await expectAxeClean(page)
  await page.getByLabel('Account number again').fill('001234567890')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Save the account' }).click()
  await expect(page.getByRole('main')).toContainText('xxxx7890 · Murugesan')

  const office = await browser.newContext()
  const desk = await office.newPage()
  await loginAsAdmin(desk)
  await desk.goto('/en/admin/money?sort=oldest')
  const row = desk.getByRole('row').filter({ hasText: `#${sellerId}` })
  await row.getByRole('checkbox').check()
  await expectAxeClean(desk)
  await desk.getByRole('button', { name: 'Pay ₹80,750 · sellers: 1' }).click()
  await expect(desk).toHaveURL(/\/payouts\/\d+$/)
  const line = desk.getByRole('row').filter({ hasText: `#${sellerId}` })
  await expect(line).toContainText('001234567890 · SBIN0001234 · Murugesan')
  await desk.getByText('Files for the bank').click()
  await desk.getByLabel('Your own password').fill(PASSWORD)
  const download = desk.waitForEvent('download')
  await desk.getByRole('button', { name: 'Bank transfers as CSV' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  const [head, payment] = file.split('\r\n') as [string, string]
  expect(payment).toMatch(/^Murugesan,001234567890,SBIN0001234,80750,PO-\d+-\d+$/)

  // "Not paid" names the payment and asks why; what was typed stays.
  await line.getByRole('textbox').fill('N4710')
  await line.getByRole('button', { name: /^Mark as not paid/ }).click()
  await expect(desk.getByText('Payments that the bank did not make: 1')).toBeVisible()
  await desk.getByRole('button', { name: 'Mark as not paid', exact: true }).click()
  await expect(desk.getByText('Choose why it was not paid.')).toBeVisible()
  await expectAxeClean(desk)
  await expectNoSidewaysScroll(desk)
  await desk.getByRole('link', { name: 'Close' }).click()
  await expect(line.getByRole('textbox')).toHaveValue('N4710')

  await desk.getByText('References from the bank’s file').click()
  const answer = `${head},UTR\r\n${payment},N4711\r\nSomebody,1,2,3,PO-999999-1,N4712\r\n`
  const upload = { name: 'answer.csv', mimeType: 'text/csv', buffer: Buffer.from(answer) }
  await desk.getByLabel('The bank’s answer as CSV').setInputFiles(upload)
  await desk.getByRole('button', { name: 'Fill in the references' }).click()
  await expect(desk.getByRole('status')).toContainText('References filled in: 1.')
  await expect(desk.getByRole('status')).toContainText('Rows that are not of this payout or have no reference: 1.')
  await expect(line.getByRole('textbox')).toHaveValue('N4711')
  await expectAxeClean(desk)
  await expectNoSidewaysScroll(desk)
  await desk.getByRole('button', { name: /^Record/ }).click()
  await expect(desk.getByRole('status')).toContainText('Recorded: 1.')
  await expect(line).toContainText('Paid')
  await office.close()
  await page.goto('/en/earnings')
  await expect(page.locator(`#s${orderId}`)).toContainText('₹80,750: Bank transfer')
  await expect(page.locator(`#s${orderId}`)).toContainText('reference N4711')
})
