import type { Locator, Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { offered } from './offered.ts'
import { core, expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { codeSentTo, newPhone, ownId, registerByApi } from './people.ts'
import { callApi } from './sellers.ts'

// From an animal's page to "placed" on a phone, in Tamil: counts each tap and each typed field.

/** A thumb that counts its taps. */
function thumb() {
  const count = { taps: 0, fields: 0 }
  return {
    count,
    /** Nothing that has to be tapped is below the fold. */
    tap: async (what: Locator) => {
      count.taps += 1
      await expect(what).toBeInViewport()
      await what.click()
    },
    type: async (field: Locator, text: string) => {
      count.fields += 1
      await field.fill(text)
    },
  }
}

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const addWhileLoggedOut = (page: Page) => page.locator('a[href*="wanted=cart-"]').filter({ visible: true })

/** A person whom the market does not know orders. */
async function comesAndOrders(page: Page, id: number, look: (page: Page) => Promise<void>, hasScripts: boolean) {
  const { count, tap, type } = thumb()
  const phone = newPhone()
  await page.goto(`/product/${id}`)
  if (hasScripts) await untilAlive(page)
  await tap(addWhileLoggedOut(page).first())
  // A sheet over the animal asks for the login; without scripts it is a page.
  const asked = page.getByRole(hasScripts ? 'dialog' : 'main')
  await expect(page).toHaveURL(hasScripts ? /\/product\/\d+$/ : /\/login\?next=%2Fmy-cart$/)
  await expect(asked.getByText('உள்நுழைந்ததும் இந்தக் கால்நடை உங்கள் கூடையில் இருக்கும்.')).toBeVisible()
  await look(page)
  await type(asked.getByRole('textbox', { name: 'போன் எண்' }), phone)
  await tap(asked.getByRole('button', { name: 'SMS-இல் வரும் OTP வைத்து உள்நுழைய', exact: true }))
  await expect(asked.getByRole('heading', { name: 'OTP எண்ணை எழுதுங்கள்' })).toBeVisible()
  await look(page)
  await type(asked.getByRole('textbox', { name: 'OTP எண்' }), await codeSentTo(page.context().request, phone))
  // The sheet sends the sixth digit itself.
  if (!hasScripts) await tap(asked.getByRole('button', { name: 'உள்நுழைய', exact: true }))
  await expect(asked.getByRole('heading', { name: 'உங்கள் பெயர்' })).toBeVisible()
  // The field to fill has the focus, so it takes no tap.
  const name = asked.getByRole('textbox', { name: 'பெயர்' })
  await expect(name).toBeFocused()
  await type(name, 'செல்வி')
  await look(page)
  await tap(asked.locator('[name=hasConsented]').first())
  await tap(asked.getByRole('button', { name: 'தொடர', exact: true }))
  await expect(page.getByRole('heading', { name: 'வாழ்த்துகள்! கூடையில் சேர்ந்தது' })).toBeVisible()
  if (hasScripts) {
    // All of that happened over the animal's page, which is still there.
    await expect(page).toHaveURL(new RegExp(`/product/${id}$`))
    await look(page)
    await tap(page.getByRole('link', { name: 'என் கூடையைப் பார்க்க' }))
    await untilAlive(page)
  } else await expect(page).toHaveURL(new RegExp(`/my-cart\\?added=${id}$`))
  await tap(page.getByRole('link', { name: 'ஆர்டரைத் தொடர' }))
  await expect(page).toHaveURL(/\/my-addresses\/buy\/\d+$/)
  const where = page.getByRole('main')
  await expect(where.getByRole('heading', { level: 1 })).toHaveText('எந்த முகவரிக்குக் கொண்டு வரட்டும்?')
  await look(page)
  await expect(where.getByLabel('பின்கோடு')).toBeFocused()
  const foot = page.getByRole('contentinfo')
  await expect(foot.getByRole('textbox')).toBeHidden()
  expect((await foot.boundingBox())!.height, 'the footer is one line').toBeLessThanOrEqual(88)
  await type(where.getByLabel('பின்கோடு'), '641001')
  await type(where.getByLabel('முகவரி – முதல் வரி'), '12, கோவில் தெரு')
  await type(where.getByLabel('முகவரி – இரண்டாம் வரி'), 'பெரியார் நகர்')
  await tap(where.getByRole('button', { name: 'முகவரியைச் சேமியுங்கள்' }))
  await expect(page).toHaveURL(/\/my-addresses\/buy\/\d+\?saved=\d+$/)
  await expect(where.getByRole('heading', { level: 1 })).toHaveText('உங்கள் புதிய முகவரி சேமிக்கப்பட்டது!')
  await look(page)
  await tap(where.getByRole('link', { name: 'தொடருங்கள்' }))
  await expect(page).toHaveURL(/\/confirm-order\/\d+$/)
  await expect(page.getByRole('main')).toContainText(/வழக்கமாக \d முதல் \d நாட்களில் வரும்/)
  await look(page)
  await tap(button(page, 'ஆர்டர் செய்ய'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் ஆர்டர் பதிவாகிவிட்டது')
  await expect(page.getByRole('main').locator('a[href^="tel:+91"]')).toBeVisible()
  await look(page)
  return count
}

test('a new person orders with at most nine taps and six typed fields', { tag: [onPhones, core] }, async ({ page, browser }) => {
  test.slow()
  const id = await offered(browser, 'Counted bull')
  const count = await comesAndOrders(
    page,
    id,
    async (page) => {
      await untilAlive(page)
      await expectNoSidewaysScroll(page)
      await expectAxeClean(page)
    },
    true,
  )
  // The Continue of the saved address is one tap, its second line one field (decisions §8.6).
  expect(count.taps).toBeLessThanOrEqual(9)
  expect(count.fields).toBeLessThanOrEqual(6)
})

test('a new person needs one tap more without scripts', { tag: onPhones }, async ({ browser }) => {
  test.slow()
  const id = await offered(browser, 'Plainly counted bull')
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, javaScriptEnabled: false })
  const count = await comesAndOrders(await context.newPage(), id, expectNoSidewaysScroll, false)
  expect(count.taps).toBeLessThanOrEqual(10)
  expect(count.fields).toBeLessThanOrEqual(6)
  await context.close()
})

test(
  'a known buyer orders with five taps: the address is chosen, and one tap goes on with it',
  { tag: [onPhones, core] },
  async ({ page, browser }) => {
    test.slow()
    const id = await offered(browser, 'Quickly counted bull')
    await page.goto('/')
    await registerByApi(page)
    const address = { name: 'செல்வி', phone: `+91${newPhone()}`, type: 1, address_1: '12, கோவில் தெரு', address_2: 'ஊர்', pincode: '641001' }
    await callApi(page, 'POST', `/user-address/user=${await ownId(page)}`, address)
    const { count, tap } = thumb()
    await page.goto(`/product/${id}`)
    await untilAlive(page)
    await tap(page.getByRole('button', { name: 'கூடையில் சேர்க்க' }))
    await tap(page.getByRole('link', { name: 'என் கூடையைப் பார்க்க' }))
    await tap(page.getByRole('link', { name: 'ஆர்டரைத் தொடர' }))
    await expect(page).toHaveURL(/\/my-addresses\/buy\/\d+$/)
    await tap(page.getByRole('link', { name: /^இந்த முகவரியுடன் தொடருங்கள்/ }))
    await expect(page).toHaveURL(/\/confirm-order\/\d+$/)
    await tap(button(page, 'ஆர்டர் செய்ய'))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் ஆர்டர் பதிவாகிவிட்டது')
    expect(count).toEqual({ taps: 5, fields: 0 })
  },
)

test('a link on another site puts nothing into anybody’s cart', { tag: onPhones }, async ({ page, baseURL }) => {
  await page.goto('/en/login')
  const planted = `${baseURL}/en/login?wanted=cart-1&next=/en/buy/0`
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${planted}">Free goats</a>` }),
  )
  await page.goto('http://elsewhere.example/')
  await page.getByRole('link').click()
  await expect(page).toHaveURL(/\/en\/login\?next=%2Fen%2Fbuy%2F0$/)
  expect((await page.context().cookies(baseURL)).map(({ name }) => name).filter((name) => name.endsWith('wish'))).toEqual([])
})

for (const [root, usually] of [
  ['', /வழக்கமாக வரும் நாள்: \d+-/],
  ['/en', /Usually comes between/],
] as const)
  test(
    `everything a buyer confirms is above the button at once, and the order says when it arrives (${root || 'Tamil'})`,
    { tag: onPhones },
    async ({ page, browser }) => {
      test.slow()
      const products: number[] = []
      for (const name of ['One-screen bull', 'One-screen cow', 'One-screen goat']) products.push(await offered(browser, name))
      await page.goto(root || '/')
      await registerByApi(page)
      const id = await ownId(page)
      const address = {
        name: 'செல்வி',
        phone: `+91${newPhone()}`,
        type: 1,
        address_1: '12, கோவில் தெரு',
        address_2: 'பெரியார் நகர்',
        pincode: '641001',
      }
      const saved = (await (await callApi(page, 'POST', `/user-address/user=${id}`, address)).json()) as { id: number }
      for (const product of products)
        expect((await callApi(page, 'POST', `/buyercart/buyer=${id}`, { product, items_count: 1 })).status()).toBe(200)
      await page.goto(`${root}/confirm-order/${saved.id}`)
      await untilAlive(page)
      const bar = page.locator('[data-place-bar]')
      await expect(bar).toContainText('₹')
      const foot = (await bar.boundingBox())!.y
      for (const part of ['items', 'delivery-to', 'how-to-pay']) {
        const box = (await page.locator(`section[aria-labelledby=${part}]`).boundingBox())!
        expect(box.y + box.height, part).toBeLessThanOrEqual(foot)
      }
      await bar.getByRole('button').click()
      await expect(page).toHaveURL(/placed=/)
      await page.goto(`${root}/orders`)
      // The next step first, with the days that "placed" has named, then the newest past step.
      const timeline = page.getByRole('article').first().locator('ol').first().locator('> li')
      await expect(timeline).toHaveCount(2)
      await expect(timeline.first()).toHaveAttribute('aria-current', 'step')
      await expect(timeline.first()).toContainText(usually)
      await expectAxeClean(page)
    },
  )

for (const [root, words] of [
  ['', { next: 'ஆர்டரைத் தொடர', proceed: 'இந்த முகவரியுடன் தொடருங்கள்', chosen: 'தேர்ந்தெடுத்திருப்பது', change: 'மாற்ற', place: 'ஆர்டர் செய்ய' }],
  ['/en', { next: 'Continue Order', proceed: 'Proceed with this address', chosen: 'Chosen', change: 'Change', place: 'Place Order' }],
] as const)
  test(`a buyer chooses one of the saved addresses, and the next order proposes it (${root || 'Tamil'})`, async ({ page, browser }) => {
    test.slow()
    const bulls = [await offered(browser, 'Sent-home bull'), await offered(browser, 'Sent-again bull')]
    await page.goto(root || '/')
    await registerByApi(page)
    const id = await ownId(page)
    for (const [name, address_1] of [
      ['செல்வி', '12, கோவில் தெரு'],
      ['Kumar', '3 Market Road'],
    ]) {
      const address = { name, phone: `+91${newPhone()}`, type: 1, address_1, address_2: 'பெரியார் நகர்', pincode: '641001' }
      await callApi(page, 'POST', `/user-address/user=${id}`, address)
    }
    const cards = page.getByRole('main').getByRole('listitem')
    const fill = async (product: number) => {
      expect((await callApi(page, 'POST', `/buyercart/buyer=${id}`, { product, items_count: 1 })).status()).toBe(200)
      await page.goto(`${root}/my-cart`)
      await page.getByRole('link', { name: words.next }).click()
      await expect(page).toHaveURL(new RegExp(`${root}/my-addresses/buy/${id}$`))
      await expect(cards).toHaveCount(2)
      await expect(cards.first()).toContainText(words.chosen)
      await expect(cards.last()).not.toContainText(words.chosen)
      await untilAlive(page)
      await expectAxeClean(page)
      await expectNoSidewaysScroll(page)
    }
    await fill(bulls[0]!)
    await expect(cards.first()).toContainText('3 Market Road')
    await expect(cards.first().getByRole('link', { name: words.proceed })).toBeInViewport()
    await cards.first().getByRole('link', { name: words.proceed }).click()
    const where = page.locator('section[aria-labelledby=delivery-to]')
    await expect(where).toContainText('3 Market Road')
    await where.getByRole('link', { name: words.change }).click()
    await cards.last().getByRole('link', { name: words.proceed }).click()
    await expect(where).toContainText('12, கோவில் தெரு')
    await button(page, words.place).click()
    await expect(page).toHaveURL(/placed=/)
    await fill(bulls[1]!)
    await expect(cards.first()).toContainText('12, கோவில் தெரு')
  })
