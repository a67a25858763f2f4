import type { Page } from '@playwright/test'
import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onDesks, test, untilAlive } from './market.ts'
import { newPhone } from './people.ts'
import { deal } from './orders.ts'

const numberOf = (id: number) => `SN-${String(id).padStart(6, '0')}`

async function chooseBoth(desk: Page, ids: number[]): Promise<void> {
  for (const id of ids) await desk.getByLabel(`Choose ${numberOf(id)}`).check()
}

/** A bearer of the list who has these orders today; both are on the way. Answers their name. */
async function planForToday(desk: Page, buyerPhone: string, ids: number[]): Promise<string> {
  const name = `Velu ${buyerPhone}`
  await desk.goto('/en/admin/bearers')
  await desk.locator('#bearer-new-name').fill(name)
  await desk.locator('#bearer-new-phone').fill(newPhone())
  await desk.getByRole('button', { name: 'Add to the list' }).click()
  await expect(desk.getByRole('main').getByRole('status')).toHaveText('The bearer is in the list.')
  await desk.goto(`/en/orders?q=${buyerPhone}`)
  await untilAlive(desk)
  const done = desk.getByRole('main').getByRole('status')
  await chooseBoth(desk, ids)
  const day = desk.getByLabel('Day for all')
  await day.fill((await day.getAttribute('min'))!)
  await desk.getByLabel('Bearer for all').selectOption(name)
  await desk.getByRole('button', { name: 'Give day and bearer' }).click()
  await expect(done).toContainText('2 orders done.')
  for (const act of ['Ready for pickup', 'On the way']) {
    await desk.goto(`/en/orders?q=${buyerPhone}`)
    await untilAlive(desk)
    await chooseBoth(desk, ids)
    await desk.getByRole('button', { name: act }).click()
    await expect(done).toContainText('2 orders done.')
  }
  return name
}

test(
  'a bearer brings two animals with the page of their day, from the run sheet to the last stop',
  { tag: onDesks },
  async ({ page, browser, baseURL }) => {
    test.slow()
    const { buyerPhone, seller, ids, close } = await deal(browser, page, baseURL!, 2)
    for (const id of ids) {
      await seller.goto('/en/seller-product/?tab=1')
      await seller.locator(`#o${id}`).getByRole('button', { name: 'Yes, confirm the order' }).click()
      await expect(seller.getByRole('main').getByRole('status')).toContainText('Confirmed.')
    }
    const office = await browser.newContext({ baseURL: baseURL!, viewport: { width: 1280, height: 800 } })
    const desk = await office.newPage()
    await loginAsAdmin(desk)
    const name = await planForToday(desk, buyerPhone, ids)

    await desk.goto('/en/admin/run-sheet')
    await untilAlive(desk)
    await desk.getByLabel('Who brings it').selectOption(name)
    await desk.getByRole('button', { name: 'Show' }).click()
    const sheet = desk.getByRole('region', { name })
    for (const id of ids) await expect(sheet).toContainText(numberOf(id))
    await expectAxeClean(desk)
    await expectNoSidewaysScroll(desk)
    await sheet.getByRole('button', { name: 'Send the day by SMS' }).click()
    const link = await sheet.getByRole('status').getByRole('link').textContent()
    // On paper there are the stops and nothing to tap.
    await desk.emulateMedia({ media: 'print' })
    await expect(sheet.getByRole('listitem').first()).toBeVisible()
    await expect(desk.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(sheet.getByRole('button')).toHaveCount(0)
    await desk.emulateMedia({ media: 'screen' })

    const bringing = await browser.newContext({ baseURL: baseURL!, viewport: { width: 360, height: 800 } })
    const bearer = await bringing.newPage()
    await bearer.goto(new URL(link!).pathname)
    await untilAlive(bearer)
    await expectAxeClean(bearer)
    // No shop furniture on the way.
    await expect(bearer.getByRole('contentinfo')).toHaveCount(0)
    await expect(bearer.getByRole('link', { name: /விற்க|Sell/ })).toBeHidden()
    await expectNoSidewaysScroll(bearer)
    for (const [left, id] of [...ids.entries()].map(([n, id]) => [ids.length - n - 1, id] as const)) {
      const stop = bearer.getByRole('article', { name: new RegExp(`${numberOf(id)}$`) })
      await expect(stop.getByRole('link', { name: 'Show the way' }).or(stop.getByRole('link', { name: 'வழி பார்க்க' }))).toHaveAttribute(
        'href',
        /^geo:0,0\?q=.*638701/,
      )
      await page.goto(`/en/orders/${id}/handover`)
      await untilAlive(page)
      await page.getByRole('button', { name: 'Yes, I accept it' }).click()
      const shown = page.getByRole('status').filter({ hasText: /\d \d \d \d/ })
      const code = /\d \d \d \d/.exec((await shown.textContent())!)![0].replaceAll(' ', '')
      await stop.locator('summary').click()
      await stop.locator('[name=code]').fill(code)
      await stop.locator('[name=paymentMethod][value=cash]').check()
      await stop.getByRole('button').click()
      await expect(bearer.getByRole('article')).toHaveCount(left)
    }
    await expect(bearer.getByRole('main').getByRole('status')).toBeVisible()
    await expectNoSidewaysScroll(bearer)
    // The office takes the link back: it opens nothing any more, whoever has it.
    await sheet.getByRole('button', { name: 'Stop the link' }).click()
    await expect(sheet.getByRole('status')).toHaveText('The link works no more.')
    expect((await bearer.reload())!.status()).toBe(404)
    await expect(bearer.getByRole('main')).not.toContainText('4 Temple Street')
    await bringing.close()
    await office.close()
    await close()
  },
)
