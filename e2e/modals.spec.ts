import type { Locator } from '@playwright/test'
import { DEMO_PASSWORD } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { offered } from './offered.ts'
import { codeSentTo, loginByApi, newPhone, ownId, PASSWORD, registerByApi } from './people.ts'
import { callApi } from './sellers.ts'
import { expectNoModal } from './sheets.ts'

// Each modal of buyers, to its end: what it says, where its links lead, and that nothing of it stays behind.

/** The market's own mark: the page takes no other server's answer for the market's. */
const ofMarket = { 'X-Copy-Owner': '-' }

const english = {
  root: '/en',
  add: 'Add to cart',
  added: 'Congrats! Item added',
  continueBuy: 'Continue Buy',
  view: 'View Mycart',
  failed: 'Failed to add item',
  support: 'Contact our team',
  contact: 'Contact Seller',
  call: 'Call',
  warning: 'Never pay in advance.',
  close: 'Close',
  count: 'Quantity',
  hurry: 'HURRY! Only N item(s) left',
  cancel: 'Cancel Order',
  confirm: 'Please confirm if you want to Cancel your Order',
  yes: 'Yes',
  no: 'No',
  cancelled: 'Cancelled',
  invoice: 'View Invoice',
  receipt: 'Receipt',
  download: 'Download Invoice',
}
const tamil: typeof english = {
  root: '',
  add: 'கூடையில் சேர்க்க',
  added: 'வாழ்த்துகள்! கூடையில் சேர்ந்தது',
  continueBuy: 'மேலும் வாங்க',
  view: 'என் கூடையைப் பார்க்க',
  failed: 'கூடையில் சேர்க்க முடியவில்லை',
  support: 'எங்கள் குழுவைத் தொடர்புகொள்ள',
  contact: 'விற்பனையாளரிடம் பேச',
  call: 'அழைக்க',
  warning: 'முன்பணம் எதுவும் அனுப்பாதீர்கள்.',
  close: 'மூட',
  count: 'எண்ணிக்கை',
  hurry: 'சீக்கிரம்! இன்னும் N மட்டுமே உள்ளது',
  cancel: 'ஆர்டரை ரத்து செய்ய',
  confirm: 'உங்கள் ஆர்டரை ரத்து செய்யலாமா?',
  yes: 'ஆம்',
  no: 'இல்லை',
  cancelled: 'ரத்து செய்யப்பட்டது',
  invoice: 'ரசீதைப் பார்க்க',
  receipt: 'ரசீது',
  download: 'ரசீதைப் பதிவிறக்க',
}

/** Two listings of the sample market: a single bull, and a lot of two. */
const BULL = 1
const PAIR = 30

async function look(modal: Locator): Promise<void> {
  await expect(modal).toBeVisible()
  await expectAxeClean(modal.page())
  await expectNoSidewaysScroll(modal.page())
}

for (const words of [tamil, english]) {
  const language = words.root || 'Tamil'

  test(`a buyer chooses the number of a single animal, too, and reads that it is the last (${language})`, async ({ page }) => {
    await page.goto(words.root || '/')
    await registerByApi(page)
    for (const [id, numbers, hurry] of [
      [BULL, ['1'], words.hurry.replace('N', '1')],
      [PAIR, ['1', '2'], words.hurry.replace('N', '2')],
    ] as const) {
      await page.goto(`${words.root}/product/${id}`)
      await expect(page.getByLabel(words.count).locator('option')).toHaveText([...numbers])
      await expect(page.getByText(hurry, { exact: true })).toBeVisible()
    }
    await untilAlive(page)
    await page.getByLabel(words.count).selectOption('2')
    await page.getByRole('button', { name: words.add }).click()
    await page.getByRole('dialog', { name: words.added }).getByRole('link', { name: words.view }).click()
    await expect(page.getByRole('spinbutton')).toHaveValue('2')
    await expect(page.getByRole('article').getByText(words.hurry.replace('N', '2'), { exact: true })).toBeVisible()
  })

  test(`the modals of an animal end where they lead (${language})`, async ({ page, browser }) => {
    test.slow()
    const id = await offered(browser, 'Modal bull')
    const path = `${words.root}/product/${id}`
    await page.goto(words.root || '/')
    await registerByApi(page)
    const modal = (name: string) => page.getByRole('dialog', { name })
    const add = page.getByRole('button', { name: words.add })
    const open = async () => {
      await page.goto(path)
      await untilAlive(page)
    }

    await open()
    const contact = page.getByRole('button', { name: words.contact })
    await expect(contact).toHaveCount(1)
    await contact.click()
    await look(modal(words.contact))
    await expect(modal(words.contact)).toContainText(words.warning)
    await expect(modal(words.contact).getByRole('link', { name: words.call })).toHaveAttribute('href', /^tel:\+91\d{10}$/)
    await modal(words.contact).getByRole('button', { name: words.close }).click()
    await expectNoModal(page)

    await add.click()
    await look(modal(words.added))
    await modal(words.added).getByRole('link', { name: words.continueBuy }).click()
    await expect(page).toHaveURL(new RegExp(`${words.root}/buy/0$`))
    await expectNoModal(page)
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expectNoModal(page)
    await untilAlive(page)
    await add.click()
    await expect(modal(words.added)).toBeVisible()
    // A browser may keep this page, as it is, for Back.
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
    await expectNoModal(page)
    await add.click()
    await modal(words.added).getByRole('link', { name: words.view }).click()
    await expect(page).toHaveURL(new RegExp(`${words.root}/my-cart$`))
    await expectNoModal(page)

    await open()
    await page.route('**/buyercart/**', (route) => route.fulfill({ status: 409, headers: ofMarket, json: { detail: 'Sold meanwhile.' } }))
    await add.click()
    await look(modal(words.failed))
    await expect(modal(words.failed)).toContainText('Sold meanwhile.')
    await modal(words.failed).getByRole('link', { name: words.support }).click()
    await expect(page).toHaveURL(new RegExp(`${words.root}/support$`))
    await expectNoModal(page)
  })

  test(`cancelling an order is confirmed, and the modal is gone with its order (${language})`, async ({ page, browser }) => {
    test.slow()
    const product = await offered(browser, 'Cancelled bull')
    await page.goto(words.root || '/')
    await registerByApi(page)
    const id = await ownId(page)
    const address = {
      name: 'Selvi',
      phone: `+91${newPhone()}`,
      type: 1,
      address_1: '4 Temple Street',
      address_2: 'Old Town',
      pincode: '641001',
    }
    const saved = (await (await callApi(page, 'POST', `/user-address/user=${id}`, address)).json()) as { id: number }
    await callApi(page, 'POST', `/buyercart/buyer=${id}`, { product, items_count: 1 })
    expect((await callApi(page, 'PUT', `/confirm-order/buyer=${id}&address=${saved.id}&code=`)).status()).toBe(200)
    await page.goto(`${words.root}/orders`)
    await untilAlive(page)
    const cancel = page.getByRole('button', { name: words.cancel })
    const modal = page.getByRole('dialog', { name: words.cancel })
    await cancel.click()
    await look(modal)
    await expect(modal).toContainText(words.confirm)
    await modal.getByRole('button', { name: words.no, exact: true }).click()
    await expectNoModal(page)
    await cancel.click()
    await modal.getByRole('button', { name: words.yes, exact: true }).click()
    await expect(page.getByRole('article').first()).toContainText(words.cancelled)
    await expect(cancel).toHaveCount(0)
    await expectNoModal(page)
  })

  test(`the receipt of a delivered order is read, downloaded and closed (${language})`, async ({ page }) => {
    expect(await loginByApi(page, '9000000001', DEMO_PASSWORD)).toBe(200)
    await page.goto(`${words.root}/orders`)
    await untilAlive(page)
    await page.getByRole('link', { name: words.invoice }).first().click()
    const modal = page.getByRole('dialog', { name: words.receipt })
    const download = modal.getByRole('link', { name: words.download })
    await expect(download).toBeVisible()
    await look(modal)
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
    expect(file.suggestedFilename()).toMatch(/^SN-\d{6}-receipt\.pdf$/)
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`${words.root}/orders$`))
    await expectNoModal(page)
    await page.getByRole('link', { name: words.invoice }).first().click()
    await modal.getByRole('button', { name: words.close }).click()
    await expectNoModal(page)
  })
}

for (const { root, added, view } of [english, tamil])
  test(`a visitor logs in with a password over any page, and over an animal that goes into the cart (${root || 'Tamil'})`, async ({
    page,
    browser,
  }) => {
    const bull = await offered(browser, 'Modal bull')
    const phone = await registerByApi(page)
    const modal = page.locator('dialog[aria-labelledby="identity-title"]')
    const logIn = async (password: string) => {
      await modal.locator('input[name=phone]').fill(phone)
      await modal.locator('input[name=password]').fill(password)
      await page.keyboard.press('Enter')
    }
    await page.context().clearCookies()
    await page.goto(`${root}/buy/2`)
    await untilAlive(page)
    await page.locator(`a[href="${root}/login"]:visible`).first().click()
    await logIn('not this one')
    await expect(modal.getByRole('alert')).toBeVisible()
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    await logIn(PASSWORD)
    await expect(page.locator(`a[href="${root}/login"]`)).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`${root}/buy/2$`))
    await expectNoModal(page)

    await page.context().clearCookies()
    await page.goto(`${root}/product/${bull}`)
    await untilAlive(page)
    await page.locator('a[href*="wanted=cart-"]:visible').first().click()
    await logIn(PASSWORD)
    await page.getByRole('dialog', { name: added }).getByRole('link', { name: view }).click()
    await expect(page).toHaveURL(/my-cart$/)
    await expectNoModal(page)
  })

for (const { root } of [english, tamil])
  test(`a login that needs a code as well asks for it in the same modal, and a wrong one stays there (${root || 'Tamil'})`, async ({
    page,
  }) => {
    const phone = await registerByApi(page)
    const first = await codeSentTo(page.context().request, phone)
    await page.context().clearCookies()
    // Only a hundred wrong passwords in a day make the market ask for this code. Here the code of a login without a password replaces it.
    await page.route('**/api/v1/login', async (route) => {
      const asked = await callApi(page, 'POST', '/login-code', { phone })
      await route.fulfill({ status: 202, headers: ofMarket, json: await asked.json() })
    })
    await page.route('**/api/v1/login-code', (route) =>
      route.continue({ postData: { phone, ...(route.request().postDataJSON() as object) } }),
    )
    await page.goto(`${root}/buy/2`)
    await untilAlive(page)
    const modal = page.locator('dialog[aria-labelledby="identity-title"]')
    const logIn = async () => {
      await page.locator(`a[href="${root}/login"]:visible`).first().click()
      await modal.locator('input[name=phone]').fill(phone)
      await modal.locator('input[name=password]').fill(PASSWORD)
      await page.keyboard.press('Enter')
      await look(modal.locator('input[name=otp]'))
    }
    await logIn()
    const code = await codeSentTo(page.context().request, phone, first)
    await modal.locator('input[name=otp]').fill(code === '111111' ? '222222' : '111111')
    await expect(modal.getByRole('alert')).toBeVisible()
    await modal.locator('input[name=otp]').fill(code)
    await expect(page.locator(`a[href="${root}/login"]`)).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`${root}/buy/2$`))
    await expectNoModal(page)
  })
