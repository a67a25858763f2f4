import type { Browser, Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { offered } from './offered.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onPhones, test, untilAlive } from './market.ts'
import { newPhone, ownId, registerByApi } from './people.ts'
import { callApi } from './sellers.ts'

interface Words {
  root: string
  add: string
  added: string
  continueBuy: string
  view: string
  continueOrder: string
  noAddress: string
  save: string
  saved: string
  continueAddress: string
  place: string
  placed: string
  orders: string
  payNothing: string
  free: string
}
const english: Words = {
  root: '/en',
  add: 'Add to cart',
  added: 'Congrats! Item added',
  continueBuy: 'Continue Buy',
  view: 'View Mycart',
  continueOrder: 'Continue Order',
  noAddress: 'No existing address available, Please add a new address below.',
  save: 'Save address',
  saved: 'Your new address has been saved successfully!',
  continueAddress: 'Continue',
  place: 'Place Order',
  placed: 'Your order is placed',
  orders: 'My Orders',
  payNothing: 'Nothing now.',
  free: 'Your Delivery is FREE!!',
}
const tamil: Words = {
  root: '',
  add: 'கூடையில் சேர்க்க',
  added: 'வாழ்த்துகள்! கூடையில் சேர்ந்தது',
  continueBuy: 'மேலும் வாங்க',
  view: 'என் கூடையைப் பார்க்க',
  continueOrder: 'ஆர்டரைத் தொடர',
  noAddress: 'இன்னும் முகவரி எதுவும் இல்லை. கீழே புதிய முகவரியைச் சேருங்கள்.',
  save: 'முகவரியைச் சேமியுங்கள்',
  saved: 'உங்கள் புதிய முகவரி சேமிக்கப்பட்டது!',
  continueAddress: 'தொடருங்கள்',
  place: 'ஆர்டர் செய்ய',
  placed: 'உங்கள் ஆர்டர் பதிவாகிவிட்டது',
  orders: 'என் ஆர்டர்கள்',
  payNothing: 'இப்போது எதுவும் வேண்டாம்.',
  free: 'உங்களுக்கு இலவசமாகக் கொண்டு வருகிறோம்!!',
}

async function buysTwo({ page, browser }: { page: Page; browser: Browser }, words: Words): Promise<void> {
  const animals = [await offered(browser, 'First journey bull'), await offered(browser, 'Second journey bull')]
  await page.goto(`${words.root}/product/${animals[0]}`)
  await registerByApi(page)
  for (const [n, id] of animals.entries()) {
    await page.goto(`${words.root}/product/${id}`)
    await untilAlive(page)
    await page.getByRole('button', { name: words.add }).click()
    const modal = page.getByRole('dialog', { name: words.added })
    await expect(modal.getByRole('link', { name: words.continueBuy })).toHaveAttribute('href', `${words.root}/buy/0`)
    await expect(page.locator('#cart-count')).toHaveText(String(n + 1))
    await expectAxeClean(page)
    if (n === 1) await modal.getByRole('link', { name: words.view }).click()
  }
  await expect(page).toHaveURL(new RegExp(`${words.root}/my-cart$`))
  await untilAlive(page)
  const lines = page.getByRole('article')
  await expect(lines).toHaveCount(2)
  await expect(lines.first()).toContainText('First journey bull')
  await lines.first().locator('button[value="1"]').click()
  await expect(lines.first().getByRole('spinbutton')).toHaveValue('2')
  await expect(page.locator('#cart-total + dl')).toContainText('₹2,55,000')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  await page.getByRole('link', { name: words.continueOrder }).click()
  await expect(page).toHaveURL(new RegExp(`${words.root}/my-addresses/buy/\\d+$`))
  await expect(page.getByRole('main')).toContainText(words.noAddress)
  await untilAlive(page)
  await expectAxeClean(page)
  const { address_1, address_2, pincode } = address()
  for (const [name, text] of Object.entries({ pincode, address1: address_1, address2: address_2 }))
    await page.locator(`#address-${name}`).fill(text)
  await page.getByRole('button', { name: words.save }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.saved)
  await page.getByRole('main').getByRole('link', { name: words.continueAddress }).click()
  await expect(page).toHaveURL(/\/confirm-order\/\d+$/)
  await untilAlive(page)
  await expect(page.getByRole('main')).toContainText(words.payNothing)
  await expect(page.getByRole('main')).toContainText(words.free)
  // 2 % of the first line exceeds the maximum.
  await expect(page.locator('#summary ~ div dl')).toContainText('₹2,54,500')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: words.place }).click()
  await expect(page.getByRole('heading', { name: words.placed })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(/SN-\d{6}[\s\S]*SN-\d{6}/)
  await expect(page.locator('#cart-count')).toBeHidden()
  await expect(page.getByRole('main').getByRole('link', { name: words.orders })).toHaveAttribute('href', `${words.root}/orders`)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
}

const address = (pincode = '641001') => ({
  name: 'Selvi',
  phone: `+91${newPhone()}`,
  type: 1,
  address_1: '12 Gandhi Street',
  address_2: 'Near the bus stand',
  pincode,
})

test('in Tamil a buyer orders two bulls of two sellers', { tag: [onPhones, core] }, async ({ page, browser }) => {
  test.slow()
  await buysTwo({ page, browser }, tamil)
})

test('in English a buyer orders two bulls of two sellers', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  await buysTwo({ page, browser }, english)
})

test('without JavaScript a buyer orders the same way', { tag: [onPhones, core] }, async ({ browser }) => {
  test.slow()
  const id = await offered(browser, 'Plain bull')
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`/en/product/${id}`)
  await expect(page.getByRole('link', { name: 'Login to add to cart' })).toBeVisible()
  await page.goto('/en/my-cart')
  await expect(page.getByText('You have not logged in yet!')).toBeVisible()
  await registerByApi(page)
  await page.goto('/en/my-cart')
  await expect(page.getByText('Your Cart is empty')).toBeVisible()
  await page.goto(`/en/product/${id}`)
  await page.getByLabel('Quantity').selectOption('2')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await expect(page.getByRole('heading', { name: 'Congrats! Item added' })).toBeVisible()
  await expect(page.locator('#cart-count')).toHaveText('1')
  await page.getByRole('button', { name: /^One less/ }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText('The quantity is changed.')
  await expect(page.getByRole('spinbutton')).toHaveValue('1')
  const far = await callApi(page, 'POST', `/user-address/user=${await ownId(page)}`, address('560001'))
  await page.goto(`/en/confirm-order/${((await far.json()) as { id: number }).id}`)
  await expect(page.getByText("Sorry! We don't have active operation on one of the address placed in your order.")).toBeVisible()
  await expect(page.getByRole('button', { name: 'Place Order' })).toHaveAttribute('aria-disabled', 'true')
  const near = await callApi(page, 'POST', `/user-address/user=${await ownId(page)}`, address())
  await page.goto(`/en/confirm-order/${((await near.json()) as { id: number }).id}`)
  await page.getByLabel('Referral code').fill('ABCDE12345')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('This order has your First Order Discount.')).toBeVisible()
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page.getByRole('heading', { name: 'Your order is placed' })).toBeVisible()
  await context.close()
})

test('an animal sold meanwhile stops the order, is reported, and is removed in place', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  const [gone, stays] = [await offered(browser, 'Coveted bull'), await offered(browser, 'Patient bull')]
  const [slow, quick] = [page, await (await browser.newContext()).newPage()]
  for (const each of [slow, quick]) {
    await each.goto('/en')
    await registerByApi(each)
    const id = await ownId(each)
    for (const product of each === slow ? [gone, stays] : [gone])
      expect((await callApi(each, 'POST', `/buyercart/buyer=${id}`, { product, items_count: 2 })).status()).toBe(200)
  }
  const buyAll = async (each: Page) => {
    const id = await ownId(each)
    const saved = (await (await callApi(each, 'POST', `/user-address/user=${id}`, address())).json()) as { id: number }
    await each.goto(`/en/confirm-order/${saved.id}`)
    await untilAlive(each)
    return () => each.getByRole('button', { name: 'Place Order' }).click()
  }
  const placeSlow = await buyAll(slow)
  await (
    await buyAll(quick)
  )()
  await expect(quick.getByRole('heading', { name: 'Your order is placed' })).toBeVisible()

  await placeSlow()
  const failure = slow.getByRole('alert')
  await expect(failure).toContainText('Failed to place your order')
  await expect(failure).toContainText('Coveted bull: no longer for sale.')
  await expect(failure).toContainText('Reference')
  await expectAxeClean(slow)
  await failure.getByRole('link', { name: 'Open my cart' }).click()
  await untilAlive(slow)
  const blocked = slow.getByRole('button', { name: 'Continue Order' })
  await expect(blocked).toHaveAttribute('aria-disabled', 'true')
  await expect(blocked).toHaveAccessibleDescription('Please remove out-of-stock items to Continue your order')
  const total = slow.getByRole('region', { name: 'Total' })
  await expect(total).toContainText('Not counted, because it cannot be ordered now: Coveted bull')
  await expectAxeClean(slow)
  await slow.getByRole('button', { name: /^Remove ?: Coveted bull/ }).click()
  await expect(slow.getByRole('article')).toHaveCount(1)
  await expect(slow.getByRole('main').getByRole('status')).toHaveText('It is out of your cart.')
  await expect(slow.locator('#cart-count')).toHaveText('1')
  await expect(slow.getByRole('link', { name: 'Continue Order' })).toBeVisible()
  await expect(total).not.toContainText('Not counted')
})

test('an order that fails offline is retried at the error message, and placed once', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const product = await offered(browser, 'Distant bull')
  await page.goto('/en')
  await registerByApi(page)
  const id = await ownId(page)
  expect((await callApi(page, 'POST', `/buyercart/buyer=${id}`, { product, items_count: 1 })).status()).toBe(200)
  const saved = (await (await callApi(page, 'POST', `/user-address/user=${id}`, address())).json()) as { id: number }
  await page.goto(`/en/confirm-order/${saved.id}`)
  await untilAlive(page)
  // The order arrives, but its answer is lost.
  await page.route('**/confirm-order/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch({ maxRedirects: 0 })
    await route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Place Order' }).click()
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('the same order is never placed twice')
  await expectAxeClean(page)
  await page.unroute('**/confirm-order/**')
  await failure.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Your order is placed' })).toBeVisible()
  await page.goto('/en/orders')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('adding to the cart offline is reported, and can be retried', { tag: onPhones }, async ({ page, browser }) => {
  test.slow()
  const id = await offered(browser, 'Far-off bull')
  await page.goto('/en')
  await registerByApi(page)
  await page.goto(`/en/product/${id}`)
  await untilAlive(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Add to cart' }).click()
  const failed = page.getByRole('dialog', { name: 'Failed to add item' })
  await expect(failed).toContainText('Sorry! There seems to be some issue while adding selected item to your cart...')
  await expect(failed.getByRole('link', { name: 'Contact our team' })).toHaveAttribute('href', '/en/support')
  await expectAxeClean(page)
  await page.context().setOffline(false)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('dialog', { name: 'Congrats! Item added' })).toBeVisible()
})

test(
  'a quantity and a removal that fail offline are reported at their animal, and can be retried',
  {
    tag: onPhones,
  },
  async ({ page, browser }) => {
    const product = await offered(browser, 'Counted bull')
    await page.goto('/en')
    await registerByApi(page)
    const id = await ownId(page)
    expect((await callApi(page, 'POST', `/buyercart/buyer=${id}`, { product, items_count: 1 })).status()).toBe(200)
    await page.goto('/en/my-cart')
    await untilAlive(page)
    const line = page.getByRole('article')
    for (const name of [/^One more/, /^Remove ?:/]) {
      await page.context().setOffline(true)
      await line.getByRole('button', { name }).click()
      await expect(line.getByRole('alert')).toContainText('No connection.')
      await page.context().setOffline(false)
      await line.getByRole('button', { name }).click()
      await expect(line.getByRole('alert')).toHaveCount(0)
    }
    await expect(line).toHaveCount(0)
  },
)
