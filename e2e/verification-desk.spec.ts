import type { Browser, Page } from '@playwright/test'
import { decide, loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onlyDesks, onPhones, test, untilAlive } from './market.ts'
import { loginByApi } from './people.ts'
import { listBull, registerSeller } from './sellers.ts'

const name = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).first()
const status = (page: Page) => page.getByRole('main').getByRole('status')
const entry = (page: Page, bull: string) => page.getByRole('navigation', { name: 'Listings to verify' }).getByRole('link', { name: bull })

/** Each journey has its own district, because other journeys list and decide at the same time. */
const places = {
  undone: { pincode: '630001', district: 'Sivaganga' },
  quick: { pincode: '612901', district: 'Ariyalur' },
  asked: { pincode: '621101', district: 'Perambalur' },
  many: { pincode: '611001', district: 'Nagapattinam' },
  fits: { pincode: '609001', district: 'Mayiladuthurai' },
  row: { pincode: '605751', district: 'Kallakurichi' },
  stale: { pincode: '625531', district: 'Theni' },
  whole: { pincode: '627001', district: 'Tirunelveli' },
  carried: { pincode: '629001', district: 'Kanniyakumari' },
  counted: { pincode: '637408', district: 'Namakkal' },
}
const queueOf = ({ district }: { district: string }, more: Record<string, string | number> = {}) =>
  `/en/admin/verification?${new URLSearchParams({ district, ...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, String(value)])) })}`

/** The sellers of the running journey. */
const sellers: { page: Page; bulls: number[] }[] = []

/** A new seller, in their own browser, with waiting bulls. */
async function sellerWith(browser: Browser, { pincode }: { pincode: string }, names: string[]) {
  const page = await (await browser.newContext()).newPage()
  const seller = await registerSeller(page, pincode)
  const bulls: number[] = []
  sellers.push({ page, bulls })
  for (const each of names) bulls.push(await listBull(page, seller, each))
  return { page, phone: seller.phone, bulls }
}

// The bulls leave the queue after each try, so that a second try finds only its own.
test.afterEach(async () => {
  for (const { page, bulls } of sellers.splice(0)) {
    const csrf = (await page.context().cookies()).find((cookie) => cookie.name.endsWith('csrf'))?.value ?? ''
    for (const id of bulls)
      await page.context().request.post('/en/seller-product/', {
        form: { csrf, act: 'withdraw', id: String(id) },
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      })
    await page.context().close()
  }
})

/** The seller changes the weight slightly, as in their list; this submits a failed listing again. */
async function reweigh(page: Page, bull: number, weight: number): Promise<void> {
  const { request } = page.context()
  const list = await (await request.get(`/en/seller-product/?listing=${bull}`)).text()
  const version = /name="version" value="(\d+)"/.exec(list)![1]!
  const csrf = (await page.context().cookies()).find((cookie) => cookie.name.endsWith('csrf'))!.value
  const form = { csrf, act: 'update', id: String(bull), version, stock: '1', weightKg: String(weight), originalPrice: '80000' }
  const answer = await request.post(`/en/seller-product/?listing=${bull}`, { form, headers: { 'Sec-Fetch-Site': 'same-origin' } })
  expect(answer.status(), /role="alert"[\s\S]{0,400}/.exec(await answer.text())?.[0]).toBe(200)
}

async function smsTo(page: Page, phone: string, template: string): Promise<string[]> {
  const messages = (await (await page.context().request.get('/dev/outbox.json')).json()) as { to: string; template: string; text: string }[]
  return messages.filter((each) => each.to === `+91${phone}` && each.template === template).map(({ text }) => text)
}

/**
 * The count of the desk of listings in an answer to the router's own read of the page; null when the answer has none. turbo-stream sends
 * one flat array, in which an object refers to its keys and values by index.
 */
function waitingIn(answer: string): number | null {
  const flat = JSON.parse(answer.split('\n')[0]!) as unknown[]
  const key = `_${flat.indexOf('listings')}`
  // The queue itself also has a key of this name; its value is no number.
  const counts = flat
    .filter((each): each is Record<string, number> => typeof each === 'object' && each !== null && key in each)
    .map((each) => flat[each[key]!])
  return counts.find((count) => typeof count === 'number') ?? null
}

test("the rail's count is updated after each verdict, without a new document", { tag: [onDesks, onlyDesks] }, async ({ page, browser }) => {
  const bulls = [1, 2, 3].map((n) => `Counted bull ${n}`)
  await sellerWith(browser, places.counted, bulls)
  await loginAsAdmin(page)
  await page.goto(queueOf(places.counted))
  await untilAlive(page)
  await page.evaluate(() => ((window as { isSameDocument?: boolean }).isSameDocument = true))
  const onRail = page.locator('nav [data-waiting=listings]:visible > span').first()
  // Other journeys list and decide meanwhile, so compare the rail with the answer that it was rendered from. office.db.test checks that answer.
  let lastAnswered = 'none'
  await page.route(/verification\.data/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    lastAnswered = waitingIn(await response.text())?.toLocaleString('en-IN') ?? lastAnswered
    await route.fulfill({ response })
  })
  for (const bull of bulls) {
    await expect(name(page)).toHaveText(bull)
    await onRail.evaluate((count) => (count.textContent = 'not yet counted'))
    await page.keyboard.press('p')
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expect(status(page)).toContainText('Successfully saved verification response.')
    await expect.poll(async () => (await onRail.innerText()) === lastAnswered).toBe(true)
  }
  expect(await page.evaluate(() => (window as { isSameDocument?: boolean }).isSameDocument)).toBe(true)
})

test('an admin undoes a verdict within ten seconds, and the seller gets no message', { tag: core }, async ({ page, browser }) => {
  const { phone } = await sellerWith(browser, places.undone, ['Undone bull'])
  await loginAsAdmin(page)
  await page.goto(queueOf(places.undone))
  await untilAlive(page)
  await page.keyboard.press('f')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect(status(page)).toContainText('Successfully saved verification response.')
  expect(await smsTo(page, phone, 'listing-failed')).toHaveLength(1)
  await page.keyboard.press('u')
  await expect(status(page)).toHaveText('Taken back. The seller gets no message.')
  await expect(name(page)).toHaveText('Undone bull')
  expect(await smsTo(page, phone, 'listing-failed')).toEqual([])
  await expect(page.getByRole('radio', { name: 'Fail' })).toBeEnabled()
})

test('the next animal appears before the verdict is saved; a refused verdict returns with the typed text', async ({ page, browser }) => {
  const { page: person, bulls } = await sellerWith(browser, places.quick, ['Quick bull 1', 'Quick bull 2'])
  await loginAsAdmin(page)
  await page.goto(queueOf(places.quick))
  await untilAlive(page)
  // The page preloads the next one meanwhile.
  await page.locator('[data-ahead]').waitFor({ state: 'attached' })
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/verification\.data/, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.fallback()
  })
  await page.keyboard.press('p')
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect(name(page)).toHaveText('Quick bull 2')
  await expect(status(page)).toHaveText('Saving …')
  // A choice made for the next one meanwhile stays.
  await page.keyboard.press('f')
  answer()
  await expect(status(page)).toContainText('Successfully saved verification response.')
  await expect(name(page)).toHaveText('Quick bull 2')
  await expect(page.getByRole('radio', { name: 'Fail' })).toBeChecked()
  await page.unroute(/verification\.data/)

  // The seller changes the animal while the admin decides.
  await reweigh(person, bulls[1]!, 430)
  await page.getByRole('textbox', { name: 'Comment' }).fill('Too dark')
  await page.getByRole('button', { name: 'Save verdict' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to save verification response.')
  await expect(name(page)).toHaveText('Quick bull 2')
  await expect(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('Too dark')
})

test(
  'queue, photo and verdict fit one screen of a desktop, with reasons, even when many have the same photo',
  { tag: [onDesks, onlyDesks] },
  async ({ page, browser }) => {
    const { bulls } = await sellerWith(browser, places.fits, ['Wide bull 1', 'Wide bull 2', 'Wide bull 3'])
    await loginAsAdmin(page)
    await page.goto(queueOf(places.fits, { id: bulls[0]! }))
    await untilAlive(page)
    await page.keyboard.press('f')
    await page.keyboard.press('1')
    const parts = [
      page.getByRole('link', { name: /^Possible duplicates: \d/ }),
      page.getByRole('checkbox').first(),
      page.getByRole('button', { name: 'Save verdict' }),
      page.getByRole('img', { name: /Wide bull 1/ }).first(),
      entry(page, 'Wide bull 3'),
    ]
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => scrollY)).toBe(0)
  },
)

test(
  'a desktop shows photo, facts, seller and verdict at once, and saving moves nothing',
  { tag: [core, onDesks, onlyDesks] },
  async ({ page, browser }) => {
    await sellerWith(browser, places.whole, ['Whole bull 1', 'Whole bull 2'])
    await loginAsAdmin(page)
    await page.goto(queueOf(places.whole))
    await untilAlive(page)
    const main = page.getByRole('main')
    const parts = [
      main.getByRole('img', { name: /Whole bull 1/ }).first(),
      main.getByRole('region', { name: 'What the seller says' }),
      main.getByRole('region', { name: 'Seller', exact: true }).getByRole('link', { name: /^\+91/ }).first(),
      main.getByRole('radio', { name: 'Pass' }),
      main.getByRole('button', { name: 'Save verdict' }),
    ]
    for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 })
    const pass = page.getByRole('radio', { name: 'Pass' })
    const boxes = async () => [await name(page).boundingBox(), await pass.boundingBox()]
    const before = await boxes()
    await page.keyboard.press('p')
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expect(status(page)).toContainText('Successfully saved verification response.')
    await expect(name(page)).toHaveText('Whole bull 2')
    expect((await boxes()).map((box) => box!.y)).toEqual(before.map((box) => box!.y))
  },
)

test('on a phone Pass and Fail stay in sight, also for the next animal', { tag: onPhones }, async ({ page, browser }) => {
  await sellerWith(browser, places.carried, ['Carried bull 1', 'Carried bull 2'])
  await loginAsAdmin(page)
  await page.goto(`${queueOf(places.carried)}#listing`)
  await untilAlive(page)
  const [pass, fail, save] = [
    page.getByRole('radio', { name: 'Pass' }),
    page.getByRole('radio', { name: 'Fail' }),
    page.getByRole('button', { name: 'Save verdict' }),
  ]
  await expectAxeClean(page)
  const top = (await name(page).boundingBox())!.y
  await page.getByRole('region', { name: 'Seller', exact: true }).scrollIntoViewIfNeeded()
  for (const each of [pass, fail]) await expect(each).toBeInViewport({ ratio: 1 })
  await expect(save).toBeHidden()
  await fail.check()
  await expect(save).toBeInViewport({ ratio: 1 })
  await page.getByRole('textbox', { name: 'Comment' }).fill('Too dark')
  // Closed and opened again, the form has the typed text.
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(save).toBeHidden()
  await fail.check()
  await expect(page.getByRole('textbox', { name: 'Comment' })).toHaveValue('Too dark')
  await save.click()
  await expect(name(page)).toHaveText('Carried bull 2')
  await expect(status(page)).toContainText('Successfully saved verification response.')
  await expect.poll(async () => Math.round((await name(page).boundingBox())!.y)).toBe(Math.round(top))
  for (const each of [pass, fail, status(page)]) await expect(each).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: /Undo/ })).toBeInViewport({ ratio: 1 })
  await expectNoSidewaysScroll(page)
  await expectAxeClean(page)
})

test('a question goes to the seller, and the listing returns with the answer', { tag: core }, async ({ page, browser }) => {
  const { page: person, phone, bulls } = await sellerWith(browser, places.asked, ['Asked bull'])
  await loginAsAdmin(page)
  await page.goto(queueOf(places.asked))
  await untilAlive(page)
  await page.keyboard.press('a')
  await page.keyboard.type('How old is he?')
  await expectAxeClean(page)
  await page.getByRole('button', { name: 'Send question' }).click()
  await expect(status(page)).toContainText('The question is on its way.')
  const [sms] = await smsTo(page, phone, 'listing-question')
  expect(sms).toContain('How old is he?')
  await page.goto(queueOf(places.asked, { view: 'asked' }))
  await expect(page.getByText('No answer yet')).toBeVisible()

  await person.goto('/en/seller-product/')
  await expect(person.getByText('Sandhai has a question: How old is he?')).toBeVisible()
  await person.goto(new URL(/https?:\S+$/.exec(sms!)![0]).pathname.replace(/^(\/en)?/, '/en'))
  await untilAlive(person)
  await expectAxeClean(person)
  await expectNoSidewaysScroll(person)
  await person.getByRole('button', { name: 'Send answer' }).click()
  await expect(person.getByText('Please write the answer.')).toBeVisible()
  await person.getByRole('textbox', { name: /Your answer/ }).fill('Four teeth, so about three years')
  await person.getByRole('button', { name: 'Send answer' }).click()
  await expect(status(person)).toContainText('Thank you.')

  await page.goto(queueOf(places.asked, { view: 'answered' }))
  await expect(page.getByText('Answer: Four teeth, so about three years')).toBeVisible()
  // For anybody else the page is a 404.
  await loginByApi(page, '9000000001', 'sandhai-demo')
  expect((await page.goto(`/en/listing-question/${bulls[0]}`))!.status()).toBe(404)
})

test('one verdict for several, one postponed, and a filter that stays', { tag: [onDesks, onlyDesks] }, async ({ page, browser }) => {
  test.slow()
  await sellerWith(browser, places.many, ['Many bull 1', 'Many bull 2', 'Many bull 3'])
  await loginAsAdmin(page)
  await page.goto(queueOf(places.many, { view: 'new-seller' }))
  await untilAlive(page)
  await expectAxeClean(page)
  await expect(name(page)).toHaveText('Many bull 1')
  await page.keyboard.press('s')
  await expect(name(page)).toHaveText('Many bull 2')
  await expect(entry(page, 'Many bull 1')).toContainText('put off')
  await page.getByLabel('Decide Many bull 3 in the same way').check()
  await page.keyboard.press('f')
  await expect(page.getByRole('button', { name: 'Fail 2 listings' })).toBeInViewport()
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await expect(status(page)).toContainText('Listings: 2.')
  await expect(page).toHaveURL(/view=new-seller/)
  await expect(name(page)).toHaveText('Many bull 1')
  await expect(entry(page, 'Many bull 3')).toHaveCount(0)
  await page.keyboard.press('u')
  await expect(status(page)).toHaveText('Taken back. The seller gets no message.')
  await expect(entry(page, 'Many bull 3')).toHaveCount(1)
})

test('thirty consecutive verdicts with the keyboard alone', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  const rows = [
    await sellerWith(browser, places.row, ['Row bull 1', 'Row bull 2']),
    await sellerWith(browser, places.row, ['Row bull 3', 'Row bull 4']),
  ]
  const bulls = rows.flatMap(({ page: person, bulls }) => bulls.map((id) => ({ person, id })))
  await loginAsAdmin(page)
  await page.goto(queueOf(places.row))
  await untilAlive(page)
  const shown = () => name(page).getByRole('link').getAttribute('href')
  for (let n = 0; n < 30; n++) {
    const { id, person } = bulls[n % bulls.length]!
    await expect.poll(shown).toBe(`/en/product/${id}`)
    await page.keyboard.press('f')
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expect(status(page).getByRole('link')).toHaveAttribute('href', `/en/product/${id}?tab=verification`)
    // Its seller submits it again, and it is the last of the queue.
    await reweigh(person, id, 421 + Math.floor(n / bulls.length))
  }
})

test(
  'a verdict from an older page is refused with who decided; the desk goes on and keeps the typed text',
  { tag: onDesks },
  async ({ page, browser }) => {
    const { bulls } = await sellerWith(browser, places.stale, ['Stale bull', 'Next bull'])
    const decideMeanwhile = (id: number) => decide(browser, id, true, 'Photos and facts agree.')
    const fail = async (comment: string) => {
      await page.keyboard.press('f')
      await page.getByLabel('Comment', { exact: true }).fill(comment)
      await page.getByRole('button', { name: 'Save verdict' }).click()
      await expect(page.getByRole('alert').last()).toContainText('Meanwhile somebody has decided: “Pass” (Selvi,')
    }
    await loginAsAdmin(page)
    await page.goto(queueOf(places.stale, { id: bulls[0]! }))
    await untilAlive(page)
    await decideMeanwhile(bulls[0]!)
    await fail('Listed already.')
    await expect(name(page)).toHaveText('Next bull')
    await expect(page.getByText('You wrote: Listed already.')).toBeVisible()
    await expect(page.getByLabel('Comment', { exact: true })).toHaveValue('')
    await expectAxeClean(page)
    // The last one of the queue stays, and so does the text in its form.
    await decideMeanwhile(bulls[1]!)
    await fail('Listed twice.')
    await expect(page.getByLabel('Comment', { exact: true })).toHaveValue('Listed twice.')
    await page.getByRole('link', { name: 'Look at it as it is now' }).click()
    await expect(page.getByText('no longer waiting for a verdict')).toBeVisible()
  },
)
