import type { Browser, Locator, Page } from '@playwright/test'
import { decide, loginAsAdmin } from './admins.ts'
import { expect, onDesks, onlyDesks, test, untilAlive } from './market.ts'
import { deal } from './orders.ts'
import { ownId, registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

/** An admin's work in a morning, and where to find it. */
interface Morning {
  verdicts: { count: number; queue: string }
  orders: { count: number; table: string; bearer?: string }
  reports: { count: number; isMine: (title: string) => boolean }
  settlements: { count: number; isMine: (address: string) => boolean }
}

/** Nobody else uses the office on its big market (playwright.config.ts), so the morning takes the longest waiting cases. */
const whole: Morning = {
  verdicts: { count: 30, queue: '/en/admin/verification' },
  orders: { count: 20, table: '/en/orders?view=prepare', bearer: 'Bearer 3' },
  reports: { count: 5, isMine: () => true },
  settlements: { count: 3, isMine: () => true },
}

test('a morning at the desks, with the keyboard alone', { tag: [onDesks, onlyDesks] }, async ({ page, browser }) => {
  test.slow()
  const isBig = test.info().project.name === 'office'
  const morning = isBig ? whole : await prepare(browser)
  await loginAsAdmin(page)
  await page.goto('/en/admin')
  await verify(page, morning.verdicts)
  if (isBig) await lookThroughList(page)
  await plan(page, morning.orders)
  await answerReports(page, morning.reports)
  await settle(page, morning.settlements)
})

/** On a market shared with other journeys: a few cases of its own. */
async function prepare(browser: Browser): Promise<Morning> {
  const district = { pincode: '604405', name: 'Tiruvannamalai' }
  const name = `Morning bull ${Date.now()}`
  const buyer = await (await browser.newContext()).newPage()
  const { buyerPhone, seller, ids, close } = await deal(browser, buyer, 3)
  const admin = await (await browser.newContext()).newPage()
  await loginAsAdmin(admin)
  const [sold, ...open] = ids as [number, ...number[]]
  const bring = async (id: number, status: number, body?: object) =>
    expect((await callApi(admin, 'PUT', `/order-detail-status/id=${id}/${status}`, body)).status()).toBe(200)
  for (const id of ids) await bring(id, 2)
  await bring(sold, 4)
  await bring(sold, 5)
  // A buyer's first order is ₹500 cheaper.
  await bring(sold, 6, { method: 'cash', amount: 84_500, note: 'Paid at the door.' })
  const sellerPath = `/en/admin/money/${await ownId(seller)}`
  await close()

  const other = await (await browser.newContext()).newPage()
  const person = await registerSeller(other, district.pincode)
  const reported = await listBull(other, person, name)
  await decide(browser, reported, true, 'Good.')
  await registerByApi(buyer)
  expect((await callApi(buyer, 'POST', '/report', { product: reported, reason: 'fraud' })).status()).toBe(200)
  for (const n of [1, 2]) await listBull(other, person, `${name} ${n}`)
  for (const each of [buyer, admin, other]) await each.context().close()
  return {
    verdicts: { count: 2, queue: `/en/admin/verification?district=${district.name}` },
    orders: { count: open.length, table: `/en/orders?q=${buyerPhone}&view=prepare` },
    reports: { count: 1, isMine: (title) => title.includes(name) },
    settlements: { count: 1, isMine: (address) => address === sellerPath },
  }
}

const done = (page: Page) => page.getByRole('main').getByRole('status')

/** Presses Tab until the target has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let n = 0; n < MOST_TABS; n++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(target)}.`)
}
const MOST_TABS = 150

/** Presses J until the row is one of ours. */
async function rowByKeys(page: Page, isMine: (row: Locator) => Promise<boolean>): Promise<Locator> {
  const focused = page.locator('[data-row-link]:focus')
  const rows = await page.locator('[data-row-link]').count()
  for (let n = 0; n < rows; n++) {
    await page.keyboard.press('j')
    if (await isMine(focused)) return focused
  }
  throw new Error('No row is ours.')
}

async function verify(page: Page, { count, queue }: Morning['verdicts']): Promise<void> {
  await page.goto(queue)
  await untilAlive(page)
  const shown = page.getByRole('main').getByRole('heading', { level: 2 }).first().getByRole('link')
  const seen = new Set<string>()
  for (let n = 0; n < count; n++) {
    const address = (await shown.getAttribute('href'))!
    seen.add(address)
    // Every third one is failed, with a reason.
    await page.keyboard.press(n % 3 === 2 ? 'f' : 'p')
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expect(done(page).getByRole('link').first()).toHaveAttribute('href', `${address}?tab=verification`)
    if (n < count - 1) await expect(shown).not.toHaveAttribute('href', address)
  }
  expect(seen.size).toBe(count)
}

/** A long queue has pages: keys turn them, and the open animal stays. */
async function lookThroughList(page: Page): Promise<void> {
  await page.goto('/en/admin/verification')
  await untilAlive(page)
  const list = page.getByRole('navigation', { name: 'Listings to verify' })
  const shown = page.getByRole('main').getByRole('heading', { level: 2 }).first()
  const name = await shown.textContent()
  const [first, second] = [/^1–(\d+) of \d+$/, /^\d\d–1\d\d of \d+$/]
  await expect(list.getByText(first)).toBeVisible()
  await page.keyboard.press(']')
  await expect(list.getByText(second)).toBeVisible()
  await expect(shown).toHaveText(name!)
  await page.keyboard.press('[')
  await expect(list.getByText(first)).toBeVisible()
}

async function plan(page: Page, { count, table, bearer }: Morning['orders']): Promise<void> {
  await page.goto(table)
  await untilAlive(page)
  const numbers: string[] = []
  for (let n = 0; n < count; n++) {
    await page.keyboard.press('j')
    numbers.push(/^SN-\d+/.exec((await page.locator('[data-row-link]:focus').textContent())!)![0])
    await page.keyboard.press('x')
  }
  await expect(page.getByText(`Chosen: ${count}`)).toBeVisible()
  await page.keyboard.press('n')
  const tomorrow = new Date(Date.now() + 86_400_000).toLocaleDateString('en-US', {
    timeZone: 'Asia/Kolkata',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  })
  await page.keyboard.type(tomorrow.replaceAll('/', ''))
  if (bearer) {
    await tabTo(page, page.getByLabel('Bearer for all'))
    await page.keyboard.type(bearer)
  }
  await tabTo(page, page.getByRole('button', { name: 'Give day and bearer' }))
  await page.keyboard.press('Enter')
  await expect(done(page)).toContainText(`${count} orders done.`)
  const [month, day, year] = tomorrow.split('/')
  await page.goto(`/en/admin/run-sheet?day=${year}-${month}-${day}`)
  for (const number of numbers) await expect(page.getByRole('main')).toContainText(number)
}

async function answerReports(page: Page, { count, isMine }: Morning['reports']): Promise<void> {
  for (let n = 0; n < count; n++) {
    await page.goto('/en/admin/reports')
    await untilAlive(page)
    const row = await rowByKeys(page, async (link) => isMine((await link.textContent())!))
    const address = (await row.getAttribute('href'))!
    await page.keyboard.press('Enter')
    await expect(page.locator(`[data-row-link][href="${address}"]`)).toHaveAttribute('aria-current', 'true')
    await page.keyboard.press('n')
    await page.keyboard.type('Called the seller: all is well.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(done(page)).toHaveText('Left as it is.')
    await expect(page.locator(`[data-row-link][href="${address}"]`)).toHaveCount(0)
  }
}

async function settle(page: Page, { count, isMine }: Morning['settlements']): Promise<void> {
  for (let n = 0; n < count; n++) {
    await page.goto('/en/admin/money')
    await untilAlive(page)
    const row = await rowByKeys(page, async (link) => isMine((await link.getAttribute('href'))!))
    const address = (await row.getAttribute('href'))!
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${address}`)
    await untilAlive(page)
    await tabTo(page, page.getByLabel('How it was paid'))
    await page.keyboard.type('Bank')
    await page.keyboard.press('Tab')
    await page.keyboard.type(`UTR ${n}`)
    await tabTo(page, page.getByRole('button', { name: 'Record the payment' }))
    await page.keyboard.press('Enter')
    await expect(done(page)).toHaveText('Recorded. The seller is told by SMS.')
    await page.goto('/en/admin/money')
    await expect(page.locator(`[data-row-link][href="${address}"]`)).toHaveCount(0)
  }
}
