import type { Page } from '@playwright/test'
import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onPhones, test, untilAlive } from './market.ts'
import { newName, newPhone } from './people.ts'
import { deal } from './orders.ts'
import { callApi } from './sellers.ts'

const numberOf = (id: number) => `SN-${String(id).padStart(6, '0')}`
const row = (page: Page, id: number) => page.getByRole('row').filter({ hasText: numberOf(id) })

test(
  'an admin works through the orders with the keyboard, and moves several at once',
  { tag: [onDesks, core] },
  async ({ page, browser }) => {
    test.slow()
    const { buyerPhone, seller, ids, close } = await deal(browser, page, 2)
    const [first, second] = ids as [number, number]
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const desk = await context.newPage()
    await loginAsAdmin(desk)
    await seller.goto('/en/seller-product/?tab=1')
    await seller.locator(`#o${first}`).getByRole('button', { name: 'Yes, confirm the order' }).click()
    await expect(seller.getByRole('main').getByRole('status')).toContainText('Confirmed.')

    await desk.goto(`/en/orders?q=${buyerPhone}`)
    await untilAlive(desk)
    await expectAxeClean(desk)
    await expectNoSidewaysScroll(desk)
    await desk.keyboard.press('j')
    await expect(row(desk, second).getByRole('link')).toBeFocused()
    await desk.keyboard.press('j')
    await expect(row(desk, first).getByRole('link')).toBeFocused()
    await desk.keyboard.press('Enter')
    const panel = desk.getByRole('region', { name: numberOf(first) })
    await expect(panel).toBeFocused()
    await expect(panel).toContainText('Pickup address')
    await expectAxeClean(desk)
    await expectNoSidewaysScroll(desk)
    await desk.keyboard.press('k')
    await expect(row(desk, second).getByRole('link')).toBeFocused()
    await desk.keyboard.press('Escape')
    await expect(panel).toBeHidden()

    // Only one of the two is confirmed, so only that one can become ready.
    const all = desk.getByLabel('All of this page')
    await desk.getByLabel(`Choose ${numberOf(second)}`).check()
    await expect(all).toBeChecked({ indeterminate: true })
    // A placed order cannot become ready.
    await expect(desk.getByRole('button', { name: 'Ready for pickup' })).toHaveCount(0)
    await expect(desk.getByRole('button', { name: 'Confirm', exact: true })).toBeVisible()
    await all.check()
    await expect(desk.getByText('Chosen: 2')).toBeVisible()
    await desk.getByRole('button', { name: 'Ready for pickup' }).click()
    const done = desk.getByRole('main').getByRole('status')
    await expect(done).toContainText('One order done.')
    await expect(done).toContainText(`${numberOf(second)} This is not possible in the order's present state.`)
    await expect(row(desk, first)).toContainText('Ready for pickup')
    await expect(row(desk, second)).toContainText('Order placed')
    await expectAxeClean(desk)

    // In a view that the orders leave they stay for the next step, ticked, and the bar shows the result.
    await desk.goto(`/en/orders?view=confirm&q=${buyerPhone}`)
    await untilAlive(desk)
    await desk.getByLabel(`Choose ${numberOf(second)}`).check()
    await desk.getByRole('button', { name: 'Confirm', exact: true }).click()
    await expect(done).toHaveText('One order done.')
    await expect(done).toBeInViewport({ ratio: 1 })
    await expect(row(desk, second)).toContainText('Order confirmed')
    const ticked = desk.getByLabel(`Choose ${numberOf(second)}`)
    await expect(ticked).toBeChecked()
    // A refusal and an opened row leave them there, too.
    await desk.getByRole('button', { name: 'Give day and bearer' }).click()
    await expect(desk.getByRole('alert').first()).toBeVisible()
    await expect(ticked).toBeChecked()
    await row(desk, second).getByRole('link').click()
    await expect(desk.getByRole('region', { name: numberOf(second) })).toBeVisible()
    await expect(ticked).toBeChecked()
    await desk.getByRole('button', { name: 'Ready for pickup' }).click()
    await expect(row(desk, second)).toContainText('Ready for pickup')
    await desk.getByRole('button', { name: 'On the way', exact: true }).click()
    await expect(row(desk, second)).toContainText('On the way')
    await expectAxeClean(desk)
    await context.close()
    await close()
  },
)

test('without JavaScript a bearer is added, and assigned to several orders', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const { buyerPhone, ids, close } = await deal(browser, page, 2)
  const context = await browser.newContext({ viewport: { width: 360, height: 800 } })
  const loggedIn = await context.newPage()
  await loginAsAdmin(loggedIn)
  const plain = await browser.newContext({
    viewport: { width: 360, height: 800 },
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  })
  const desk = await plain.newPage()
  const name = newName('Velu')
  await desk.goto('/en/admin/bearers')
  await desk.locator('#bearer-new-name').fill(name)
  await desk.getByRole('button', { name: 'Add to the list' }).click()
  await expect(desk.locator('#bearer-new-phone')).toHaveAttribute('aria-invalid', 'true')
  await desk.locator('#bearer-new-phone').fill(newPhone())
  await desk.locator('#bearer-new-photo').setInputFiles('public/share.jpg')
  await desk.getByRole('button', { name: 'Add to the list' }).click()
  await expect(desk.getByRole('main').getByRole('status')).toHaveText('The bearer is in the list.')
  await expect(desk.getByRole('img', { name: new RegExp(name) })).toHaveCount(1)
  await expectNoSidewaysScroll(desk)

  await desk.goto(`/en/orders?q=${buyerPhone}`)
  for (const id of ids) await desk.getByLabel(`Choose ${numberOf(id)}`).check()
  await desk.getByLabel('Bearer for all').selectOption(name)
  await desk.getByRole('button', { name: 'Give day and bearer' }).click()
  await expect(desk.getByRole('main').getByRole('status')).toContainText('2 orders done.')
  for (const id of ids) await expect(row(desk, id)).toContainText(name)
  await desk.getByRole('link', { name: numberOf(ids[0]!) }).click()
  await expect(desk.getByRole('region', { name: numberOf(ids[0]!) })).toContainText('Pickup address')
  await expectNoSidewaysScroll(desk)
  await plain.close()
  await context.close()
  await close()
})

test('a step from an older page is refused in sight, with what was decided, and keeps the reason', async ({ page, browser }) => {
  const { ids, close } = await deal(browser, page)
  const [id] = ids as [number]
  await loginAsAdmin(page)
  await page.goto(`/en/orders?q=${numberOf(id)}&order=${id}`)
  await untilAlive(page)
  expect((await callApi(page, 'PUT', `/order-detail-status/id=${id}/2`)).status()).toBe(200)
  await page.getByText('End it without a sale').click()
  const reason = page.getByLabel('In your own words')
  await reason.fill('Sold elsewhere')
  await page.getByRole('button', { name: `${numberOf(id)} is not available` }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'Meanwhile somebody has decided: “Order confirmed” (Sandhai team · Selvi,' })
  await expect(refusal).toBeFocused()
  await expect(refusal).toBeInViewport({ ratio: 1 })
  await expect(reason).toHaveValue('Sold elsewhere')
  await expectAxeClean(page)
  await close()
})

test('an order ends with a reason, and goes on after "Undo"', async ({ page, browser }) => {
  const { ids, close } = await deal(browser, page)
  const [id] = ids as [number]
  await loginAsAdmin(page)
  await page.goto(`/en/orders?q=${numberOf(id)}&order=${id}`)
  await untilAlive(page)
  await page.getByText('End it without a sale').click()
  const cancel = page.getByRole('button', { name: `Cancel ${numberOf(id)}` })
  await cancel.click()
  await expect(page.getByLabel('Reason (both sides read it)')).toBeFocused()
  await page.getByLabel('Reason (both sides read it)').selectOption('Nobody could be reached.')
  await cancel.click()
  const status = page.getByRole('main').getByRole('status')
  await expect(status).toContainText(`${numberOf(id)}: It ended without a sale. Buyer and seller get the message in a few seconds.`)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await status.getByRole('button', { name: 'Undo' }).click()
  await expect(status).toHaveText(`${numberOf(id)}: Taken back: the order goes on.`)
  await expect(page.locator(`#o${id}`).getByLabel('Status')).toHaveValue('1')
  await close()
})
