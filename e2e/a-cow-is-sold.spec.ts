import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { DEMO_PASSWORD, loginAsAdmin } from './admins.ts'
import { core, expect, test, untilAlive } from './market.ts'
import { askForType, loginByApi, ownId, PASSWORD, registerByApi } from './people.ts'
import { chooseSpecies, openStep, describeAnimal } from './sellers.ts'

/** A seller with the badge "verified". */
const SELLER = '9000000002'
const drawings = join(import.meta.dirname, '../demo/pictures')
const photo = join(
  drawings,
  readdirSync(drawings).find((name) => name.endsWith('.jpg'))!,
)

const browserOf = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage()

/** An approved vet of this journey's own: another journey may release what the sample market's vet has taken. */
async function makeVet(vet: Page, admin: Page): Promise<void> {
  await registerByApi(vet)
  const id = await ownId(vet)
  await askForType(vet, id, 5)
  await admin.goto(`/en/admin/users/${id}`)
  await admin.getByRole('button', { name: 'Approve', exact: true }).click()
  await admin.getByLabel('Registration number').fill('TNVC 5150')
  await admin.locator('#user-vet-password').fill(PASSWORD)
  await admin.getByRole('button', { name: 'Approve as vet' }).click()
  await expect(admin.getByText('Approved: may check animals.')).toBeVisible()
}

test(
  'a cow is listed, passed, checked, shown with all three badges, asked about and sold',
  { tag: core },
  async ({ page: seller, browser }) => {
    test.slow()
    const [admin, vet, buyer] = [await browserOf(browser), await browserOf(browser), await browserOf(browser)]
    const name = `Chain cow ${Date.now() % 1_000_000}`

    expect(await loginByApi(seller, SELLER, DEMO_PASSWORD)).toBe(200)
    await seller.goto('/en/sell')
    await untilAlive(seller)
    await seller.locator('#listing-image').setInputFiles(photo)
    await expect(seller.locator('#photos').getByText('✓ Sent')).toHaveCount(1)
    await chooseSpecies(seller, 'Cow')
    const answers = { breed: 'Kangayam', sex: 'Female', age: '3-4 years', color: 'White', weight: '310', price: '78,000' }
    await describeAnimal(seller, { ...answers, name, description: 'Gives nine litres a day, quiet at milking.' })
    await openStep(seller, 'price')
    await seller.locator('#listing-vaccine1').selectOption({ index: 1 })
    await seller.locator('#listing-dose1').selectOption('1')
    await seller.locator('#listing-vaccinated1').fill('2026-08-15')
    await openStep(seller, 'check')
    await seller.locator('[data-send]').click()
    await expect(seller).toHaveURL(/sent=\d+/)
    const path = `/en/product/${/sent=(\d+)/.exec(seller.url())![1]}`
    expect((await buyer.goto(path))!.status()).toBe(404)

    await loginAsAdmin(admin)
    await admin.goto(path)
    await admin.getByRole('tabpanel').getByRole('radio', { name: 'Pass' }).check()
    await admin.getByRole('tabpanel').getByRole('textbox', { name: 'Comment' }).fill('Photos and facts agree.')
    await admin.getByRole('tabpanel').getByRole('button', { name: 'Save verdict' }).click()
    await expect(admin.getByRole('tabpanel').getByRole('status')).toHaveText('Successfully saved verification response.')

    await makeVet(vet, admin)
    await vet.goto(path)
    // The form is there at once (A §6).
    const panel = vet.getByRole('tabpanel')
    await panel.getByRole('radio', { name: 'Pass' }).check()
    await panel.getByLabel('Checked-On').fill(new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date()))
    await panel.getByRole('textbox', { name: 'Comments' }).fill('Udder sound, walks well.')
    await panel.getByRole('button', { name: 'Save the check' }).click()
    await expect(panel.getByRole('status')).toHaveText('The check is saved. Thank you.')

    await buyer.goto(`/en/buy/1?q=${encodeURIComponent(name)}`)
    const card = buyer
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: buyer.getByRole('link', { name, exact: true }) })
    for (const badge of ['Verified Seller', 'Vet checked', 'Vaccinated']) await expect(card).toContainText(badge)
    await registerByApi(buyer)
    await buyer.goto(path)
    await untilAlive(buyer)
    await buyer.getByRole('button', { name: 'Contact Seller' }).first().click()
    const tap = buyer.waitForResponse((response) => response.url().includes('/product-contact/'))
    const call = buyer.getByRole('dialog', { name: 'Contact Seller' }).getByRole('link', { name: /^Call/ })
    await expect(call).toHaveAttribute('href', 'tel:+919000000002')
    await call.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()))
    await call.click()
    expect((await tap).status()).toBe(200)

    await seller.goto('/en/seller-product/')
    await untilAlive(seller)
    const own = seller.getByRole('article').filter({ hasText: name })
    await expect(own).toContainText('1 person asked')
    await own.getByRole('button', { name: 'It is sold' }).click()
    await seller.getByRole('dialog', { name: 'Tell us about the sale' }).getByRole('button', { name: 'Sold through Sandhai' }).click()
    await expect(seller.getByRole('main').getByRole('status')).toContainText('Marked as sold')

    await buyer.goto(path)
    await expect(buyer.getByRole('main').getByRole('status').first()).toContainText('Sold')
    await expect(buyer.getByRole('button', { name: 'Contact Seller' })).toHaveCount(0)
    await buyer.goto(`/en/buy/1?q=${encodeURIComponent(name)}`)
    await expect(card).toHaveCount(0)
    for (const page of [admin, vet, buyer]) await page.context().close()
  },
)
