import type { Page } from '@playwright/test'
import { DEMO_PASSWORD, loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onlyDesks, test, untilAlive } from './market.ts'
import { loginByApi } from './people.ts'
import { listBull, registerSeller } from './sellers.ts'

const QUEUE = '/en/admin/verification'

const listing = (page: Page) => page.getByRole('main').getByRole('heading', { level: 2 }).first()

// The journeys share one queue, so they run one after the other.
test.describe.configure({ mode: 'default' })

/** The newest SMS with this template. */
async function newestSms(page: Page, template: string): Promise<{ text: string; locale: string } | undefined> {
  const messages = (await (await page.context().request.get('/dev/outbox.json')).json()) as {
    template: string
    text: string
    locale: string
  }[]
  return messages.find((message) => message.template === template)
}

test('an admin works through the queue with the keyboard, sees a copied listing, and fails it', async ({ page }) => {
  test.slow()
  await loginAsAdmin(page)
  await page.goto('/en')
  await page.locator('header details > summary').last().click()
  await page.getByRole('link', { name: 'Verify listings' }).click()
  await expect(page).toHaveURL(/\/en\/admin\/verification$/)
  await untilAlive(page)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  await expect(page.getByRole('main').getByText(/^\d+ waiting$/)).toBeVisible()
  const first = await listing(page).innerText()
  await page.keyboard.press('j')
  await expect(listing(page)).not.toHaveText(first)
  await page.keyboard.press('k')
  await expect(listing(page)).toHaveText(first)
  await page.keyboard.press('ArrowRight')
  await expect(listing(page)).not.toHaveText(first)
  await page.keyboard.press('ArrowLeft')
  await expect(listing(page)).toHaveText(first)
  // A key pressed at the moment of rendering applies to the newly rendered listing.
  await page.evaluate(async () => {
    const shown = () => document.querySelector('main h2')!.textContent
    const strike = (key: string) => dispatchEvent(new KeyboardEvent('keydown', { key }))
    const before = shown()
    await new Promise<void>((resolve) => {
      const watch = new MutationObserver(() => {
        if (shown() === before) return
        watch.disconnect()
        strike('k')
        resolve()
      })
      watch.observe(document.querySelector('main')!, { subtree: true, childList: true, characterData: true })
      strike('j')
    })
  })
  await expect(listing(page)).toHaveText(first)

  // The sample market's copied cow.
  while (!(await listing(page).innerText()).includes('low price')) {
    const at = await listing(page).innerText()
    await page.keyboard.press('j')
    await expect(listing(page)).not.toHaveText(at)
  }
  const warning = page.getByRole('region', { name: 'Is this animal listed elsewhere?' })
  await expect(warning.getByRole('link', { name: /Gir cow, 11 litres a day/ })).toContainText('Same ear tag · Same picture')

  // The key only selects; it sends nothing.
  await page.keyboard.press('f')
  await expect(page.getByRole('radio', { name: 'Fail' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Fail' })).toBeFocused()
  await expect(listing(page)).toContainText('low price')

  await page.getByRole('button', { name: 'Save verdict' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to save verification response.')
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await expect(comment).toBeFocused()
  await expect(comment).toHaveAccessibleDescription(/Verification Comment is required\./)
  await expect(page.getByRole('radio', { name: 'Fail' })).toBeChecked()
  await expectAxeClean(page)

  // Letters typed into the comment are text, not shortcuts.
  await comment.pressSequentially('jk pf')
  await expect(listing(page)).toContainText('low price')
  await page.getByLabel('These photos are used in another listing.').check()
  await page.getByRole('button', { name: 'Save verdict' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Successfully saved verification response.')
  await expect(listing(page)).not.toContainText('low price')

  // The seller reads the ready phrase in their own language.
  await expect
    .poll(async () => (await newestSms(page, 'listing-failed'))?.text)
    .toMatch(/சந்தை: .*வேறொரு விற்பனைப் பதிவில்.*jk pf.*\/product\/\d+$/)
  await page.getByRole('link', { name: 'See what you decided' }).click()
  await expect(page.getByRole('tab', { name: 'Product verification Detail' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel')).toContainText('jk pf')
})

test('an admin passes a waiting animal on its own page, and a buyer finds it', async ({ page, browser }) => {
  test.slow()
  await loginAsAdmin(page)
  await page.goto(QUEUE)
  await untilAlive(page)
  const waits = page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link')
  while (!(await waits.innerText()).includes('Kankrej')) {
    const at = await waits.innerText()
    await page.keyboard.press('j')
    await expect(waits).not.toHaveText(at)
  }
  const path = (await waits.getAttribute('href'))!
  const stranger = await (await browser.newContext()).newPage()
  expect((await stranger.goto(path))!.status()).toBe(404)

  await page.goto(path)
  await untilAlive(page)
  const tab = page.getByRole('tab', { name: 'Product verification Detail' })
  await expect(tab).toHaveAttribute('aria-selected', 'true')
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('radio', { name: 'Pass' }).check()
  await panel.getByRole('button', { name: 'Save verdict' }).click()
  await expect(panel.getByRole('alert')).toHaveText('Failed to save verification response.')
  await panel.getByRole('textbox', { name: 'Comment' }).fill('Seen on a video call.')
  await panel.getByRole('button', { name: 'Save verdict' }).click()
  await expect(panel.getByRole('status')).toHaveText('Successfully saved verification response.')
  await expect(panel).toContainText('Seen on a video call.')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  expect((await stranger.goto(path))!.status()).toBe(200)
  await expect(stranger.getByRole('tab', { name: 'Product verification Detail' })).toHaveCount(0)
  await stranger.context().close()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the verdict works, keeps the typed text, and is in Tamil', async ({ page }) => {
    await loginAsAdmin(page)
    await page.goto('/admin/verification')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('சரிபார்க்க வேண்டிய விற்பனைப் பதிவுகள்')
    while (!(await listing(page).innerText()).includes('மந்தை')) await page.getByRole('link', { name: 'அடுத்தது' }).click()
    await page.getByLabel('கருத்து', { exact: true }).fill('நல்ல நாய்')
    await page.getByRole('button', { name: 'முடிவைச் சேமிக்க' }).click()
    await expect(page.getByRole('alert')).toHaveText('சரிபார்ப்பு முடிவைச் சேமிக்க முடியவில்லை.')
    await expect(listing(page)).toContainText('மந்தை')
    await expect(page.getByLabel('கருத்து', { exact: true })).toHaveValue('நல்ல நாய்')
    await expect(page.getByText('ஏற்பதா, திருத்தம் தேவையா என்று தேர்ந்தெடுங்கள்.')).toBeVisible()
    await page.getByLabel('ஏற்கப்பட்டது').check()
    await page.getByRole('button', { name: 'முடிவைச் சேமிக்க' }).click()
    await expect(page.getByRole('main').getByRole('status')).toContainText('சரிபார்ப்பு முடிவு சேமிக்கப்பட்டது.')
    await expectNoSidewaysScroll(page)
  })
})

test(
  'three verdicts with the keyboard alone: a key selects, a digit ticks the reason, Enter saves',
  { tag: [core, onlyDesks] },
  async ({ page, browser }) => {
    const person = await (await browser.newContext()).newPage()
    const seller = await registerSeller(person)
    const bulls: number[] = []
    for (const number of [1, 2, 3]) bulls.push(await listBull(person, seller, `Keyboard bull ${number}`))
    await loginAsAdmin(page)
    for (const [n, bull] of bulls.entries()) {
      await page.goto(`${QUEUE}?id=${bull}`)
      await untilAlive(page)
      const queued = page.getByRole('navigation', { name: 'Listings to verify' }).locator('[aria-current]')
      // The second one passes: after it the seller is no longer new.
      await expect(queued).toHaveText(n < 2 ? /new seller/ : /^Keyboard bull 3₹85,000 · today(?!.*new seller)/)
      // Reasons are offered only after the verdict that they explain.
      await expect(page.getByRole('checkbox', { name: 'Photos and facts agree.' })).toBeHidden()
      await page.keyboard.press(n === 0 ? 'f' : 'p')
      await page.keyboard.press('1')
      const reason = n === 0 ? /^The photos are not clear/ : 'Photos and facts agree.'
      await expect(page.getByRole('checkbox', { name: reason })).toBeChecked()
      await page.keyboard.press('Enter')
      const saved = page.getByRole('main').getByRole('status')
      await expect(saved.getByRole('link')).toHaveAttribute('href', `/en/product/${bull}?tab=verification`)
    }
    await person.context().close()
    const stranger = await browser.newContext()
    const answers = bulls.map(async (bull) => (await stranger.request.get(`/en/product/${bull}`)).status())
    expect(await Promise.all(answers)).toEqual([404, 200, 200])
    await stranger.close()
  },
)

test('only admins open the queue', async ({ page }) => {
  await page.goto(QUEUE)
  await expect(page).toHaveURL(/\/en\/login\?next=%2Fen%2Fadmin%2Fverification$/)
  await loginByApi(page, '9000000002', DEMO_PASSWORD)
  expect((await page.goto(QUEUE))!.status()).toBe(403)
  await loginAsAdmin(page)
  expect((await page.goto(`${QUEUE}?id=999999`))!.status()).toBe(404)
})
