import type { Browser, Page } from '@playwright/test'
import { decide, loginAsAdmin, openDesks } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

/** A bull that passed as "Calm bull" and that its seller has renamed to "Champion bull". The page's browser is the seller's. */
async function changedBull(page: Page, browser: Browser): Promise<{ id: number; phone: string; title: string }> {
  const seller = await registerSeller(page)
  const number = seller.phone.slice(-6)
  const id = await listBull(page, seller, `Calm bull ${number}`)
  await decide(browser, id, true, 'Good.')
  const change = { product: { name: `Champion bull ${number}` } }
  const changed = await callApi(page, 'PUT', `/product/id=${id}`, change)
  expect(await changed.json()).toMatchObject({ verified_again: false })
  return { id, phone: seller.phone, title: `bull ${number}` }
}

/** Expects this name on the public page. */
async function expectPublicName(browser: Browser, id: number, name: string): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await expect(async () => {
    expect((await page.goto(`/en/product/${id}`))!.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name, { timeout: 1000 })
  }).toPass()
  await context.close()
}

async function smsTo(page: Page, phone: string): Promise<string | undefined> {
  const messages = (await (await page.context().request.get('/dev/outbox.json')).json()) as { to: string; template: string; text: string }[]
  return messages.find(({ to, template }) => to === `+91${phone}` && template === 'listing-reverted')?.text
}

const deskOf = async (browser: Browser, javaScriptEnabled = true) => {
  const context = await browser.newContext({ javaScriptEnabled, viewport: test.info().project.use.viewport })
  const admin = await context.newPage()
  await loginAsAdmin(admin)
  return admin
}

test('a seller renames a bull; everybody sees the new name at once, until an admin restores the earlier one', async ({ page, browser }) => {
  test.slow()
  const { id, phone, title } = await changedBull(page, browser)
  await expectPublicName(browser, id, `Champion ${title}`)
  await page.goto('/en/seller-product/')
  await expect(page.locator(`#l${id}`)).toContainText('We are looking at your new name or description.')

  const admin = await deskOf(browser)
  await admin.goto('/en/admin/verification')
  const desks = await openDesks(admin)
  await desks.getByRole('link', { name: /^Second look \d+ waiting$/ }).click()
  await expect(admin).toHaveURL(/\/en\/admin\/second-looks$/)
  await untilAlive(admin)
  // The keys of every desk.
  await admin.keyboard.press('k')
  await expect(admin.locator('[data-row-link]').first()).toBeFocused()
  await admin.keyboard.press('?')
  await expect(admin.getByText('J next row, K row before')).toBeVisible()
  await admin.keyboard.press('?')
  const row = admin.locator('[data-row-link]').filter({ hasText: title })
  await row.click()
  const look = admin.getByRole('article').filter({ hasText: title })
  await expect(look.locator('del')).toHaveText('before: Calm')
  await expect(look.locator('ins')).toHaveText('now: Champion')
  await expectAxeClean(admin)
  await expectNoSidewaysScroll(admin)
  // A reason is required, because the seller reads it.
  const reason = look.getByRole('textbox', { name: 'In your own words' })
  await look.getByRole('button', { name: 'Put back the earlier text' }).click()
  await expect(look.getByText('Please write why')).toBeVisible()
  await expect(reason).toHaveAttribute('aria-invalid', 'true')
  await reason.fill('It has won nothing.')
  await look.getByRole('button', { name: 'Put back the earlier text' }).click()
  await expect(admin.getByText('The earlier text is back')).toBeVisible()
  await expect(row).toHaveCount(0)
  await admin.context().close()

  await expectPublicName(browser, id, `Calm ${title}`)
  await expect.poll(() => smsTo(page, phone)).toContain('It has won nothing.')
  await page.reload()
  await expect(page.locator(`#l${id}`)).toContainText(`Calm ${title}`)
  await expect(page.locator(`#l${id}`)).not.toContainText('We are looking at your new name or description.')
})

test('without JavaScript, in Tamil: a change made meanwhile needs another look, and then passes', async ({ page, browser }) => {
  test.slow()
  const { id, title } = await changedBull(page, browser)
  const admin = await deskOf(browser, false)
  await admin.goto('/admin/second-looks')
  await admin.locator('[data-row-link]').filter({ hasText: title }).click()
  const look = admin.getByRole('article').filter({ hasText: title })
  await expect(look.locator('ins')).toHaveText('இப்போது: Champion')
  await expectNoSidewaysScroll(admin)

  expect((await callApi(page, 'PUT', `/product/id=${id}`, { product: { name: `Strong ${title}` } })).status()).toBe(200)
  const pass = look.getByRole('button', { name: 'புதியதை ஏற்க' })
  await pass.click()
  await expect(admin.getByRole('alert').filter({ hasText: 'இதற்கிடையில்' })).toBeVisible()
  await expect(look.locator('ins')).toHaveText('இப்போது: Strong')
  await pass.click()
  await expect(admin.getByRole('main').getByRole('status')).toHaveText('புதியது ஏற்கப்பட்டது.')
  await expect(look).toHaveCount(0)
  await admin.context().close()
  await expectPublicName(browser, id, `Strong ${title}`)
})
