import type { Browser, Locator, Page } from '@playwright/test'
import { decide } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'
import { codeSentTo, newPhone, ownId, registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

// From an animal's page to "placed" on a phone, in Tamil: each tap and each typed field is counted (issue 17, point 4).

async function offered(browser: Browser, baseURL: string, name: string): Promise<number> {
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  const id = await listBull(page, await registerSeller(page), name)
  await decide(browser, baseURL, id, true, 'Good.')
  await context.close()
  return id
}

/** A thumb that counts. */
function thumb() {
  const count = { taps: 0, fields: 0 }
  return {
    count,
    tap: async (what: Locator) => {
      count.taps += 1
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

/** Somebody whom the market does not know. */
async function comesAndOrders(page: Page, id: number, look: (page: Page) => Promise<void>) {
  const { count, tap, type } = thumb()
  const phone = newPhone()
  await page.goto(`/product/${id}`)
  await tap(addWhileLoggedOut(page).first())
  await expect(page).toHaveURL(/\/login\?next=%2Fmy-cart$/)
  await expect(page.getByText('உள்நுழைந்ததும் இந்தக் கால்நடை உங்கள் கூடையில் இருக்கும்.')).toBeVisible()
  await look(page)
  await type(page.getByRole('textbox', { name: 'போன் எண்' }), phone)
  await tap(button(page, 'OTP அனுப்ப'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('OTP எண்ணை எழுதுங்கள்')
  await look(page)
  await type(page.getByRole('textbox', { name: 'OTP எண்' }), await codeSentTo(page.context().request, phone))
  await tap(button(page, 'உள்நுழைய'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் பெயர்')
  await look(page)
  await type(page.getByRole('textbox', { name: 'பெயர்' }), 'செல்வி')
  await tap(page.locator('#login-consent, [name=hasConsented]').first())
  await tap(button(page, 'தொடர'))
  await expect(page).toHaveURL(new RegExp(`/my-cart\\?added=${id}$`))
  await expect(page.getByRole('heading', { name: 'வாழ்த்துகள்! கூடையில் சேர்ந்தது' })).toBeVisible()
  await tap(page.getByRole('link', { name: 'ஆர்டரைத் தொடர' }))
  await expect(page).toHaveURL(/\/my-addresses\/buy\/\d+$/)
  await look(page)
  await type(page.getByLabel('பின்கோடு'), '641001')
  await type(page.getByLabel('முகவரி – முதல் வரி'), '12, கோவில் தெரு')
  await tap(button(page, 'இந்த முகவரிக்குக் கொண்டு வாருங்கள்'))
  await expect(page).toHaveURL(/\/confirm-order\/\d+\?saved=1$/)
  await expect(page.getByRole('main')).toContainText('உங்கள் புதிய முகவரி சேமிக்கப்பட்டது!')
  await expect(page.getByRole('main')).toContainText(/வழக்கமாக \d முதல் \d நாட்களில் வரும்/)
  await look(page)
  await tap(button(page, 'ஆர்டர் செய்ய'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் ஆர்டர் பதிவாகிவிட்டது')
  await expect(page.getByRole('main').locator('a[href^="tel:+91"]')).toBeVisible()
  await look(page)
  return count
}

test('somebody new orders with at most nine taps and five typed fields', { tag: [onPhones, core] }, async ({ page, browser, baseURL }) => {
  test.slow()
  const id = await offered(browser, baseURL!, 'Counted bull')
  const count = await comesAndOrders(page, id, async (page) => {
    await untilAlive(page)
    await expectNoSidewaysScroll(page)
    await expectAxeClean(page)
  })
  expect(count.taps).toBeLessThanOrEqual(9)
  expect(count.fields).toBeLessThanOrEqual(5)
})

test('and with as many where no script runs', { tag: onPhones }, async ({ browser, baseURL }) => {
  test.slow()
  const id = await offered(browser, baseURL!, 'Plainly counted bull')
  const context = await browser.newContext({ baseURL: baseURL!, viewport: { width: 360, height: 800 }, javaScriptEnabled: false })
  const count = await comesAndOrders(await context.newPage(), id, expectNoSidewaysScroll)
  expect(count.taps).toBeLessThanOrEqual(9)
  expect(count.fields).toBeLessThanOrEqual(5)
  await context.close()
})

test('a known buyer orders with at most four taps', { tag: [onPhones, core] }, async ({ page, browser, baseURL }) => {
  test.slow()
  const id = await offered(browser, baseURL!, 'Quickly counted bull')
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
  await expect(page).toHaveURL(/\/confirm-order\/\d+$/)
  await tap(button(page, 'ஆர்டர் செய்ய'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் ஆர்டர் பதிவாகிவிட்டது')
  expect(count).toEqual({ taps: 4, fields: 0 })
})

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
