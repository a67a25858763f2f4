import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { core, everyday, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'

/** Each journey uses a person of its own: the journeys run concurrently on one market, and each person has one address book. */
const people = { buyer: '+919000000001', seller: '+919000000002', both: '+919000000003', agent: '+919000000004', vet: '+919000000005' }
const newVet = '+919000000006'

async function logIn(page: Page, phone: string): Promise<void> {
  const { request } = page.context()
  const { origin } = new URL((await request.get('/api/v1/csrf')).url())
  const token = (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value
  // A site that is just starting hashes passwords slowly, and refuses with 503 when too many log in at once.
  await expect(async () => {
    const response = await request.post('/api/v1/login', {
      data: { username: phone, password: 'sandhai-demo' },
      headers: { 'X-CSRFToken': token, Origin: origin },
    })
    expect(response.status()).toBe(200)
  }).toPass()
}
const formOf = (page: Page) => page.locator('#content form')

async function fillIn(page: Page, { name, pincode }: { name: string; pincode: string }): Promise<void> {
  const form = formOf(page)
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Phone').fill('98765 43210')
  await form.getByLabel('Farm', { exact: true }).check()
  await form.getByLabel('Address line 1').fill('12 Temple Street')
  await form.getByLabel('Address line 2').fill('Near the shandy')
  await form.getByLabel('PIN code').fill(pincode)
}
const save = (page: Page) => formOf(page).getByRole('button', { name: 'Save address' }).click()

test('a keeper adds, changes and deletes an address in Tamil, with the keyboard alone', { tag: core }, async ({ page }) => {
  await logIn(page, people.both)
  await page.goto('/my-addresses')
  await untilAlive(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் முகவரிகள்')
  const form = formOf(page)
  const { keyboard } = page
  /** Tabs from field to field, past the buttons in between. */
  const tabTo = async (label: string) => {
    for (let n = 0; n < 30; n++) {
      await keyboard.press('Tab')
      if (await form.getByLabel(label, { exact: true }).evaluate((box) => box === document.activeElement)) return
    }
    throw new Error(`Tab does not lead to ${label}.`)
  }
  await page.locator('#new-address').evaluate((heading) => {
    heading.tabIndex = -1
    heading.focus()
  })
  const name = `செல்வி ${Date.now()}`
  await tabTo('பின்கோடு')
  await keyboard.type('641001')
  await expect(form.getByRole('status')).toContainText('கோயம்புத்தூர்')
  await keyboard.press('Enter')
  // Name, number and kind of place are prefilled; the street is not.
  const street = form.getByLabel('முகவரி – முதல் வரி')
  await expect(street).toBeFocused()
  await expect(street).toHaveAttribute('aria-invalid', 'true')
  await keyboard.type('12, கோவில் தெரு')
  await expect(street).not.toHaveAttribute('aria-invalid')
  await tabTo('முகவரி – இரண்டாம் வரி')
  await keyboard.type('சந்தைக்கு அருகில்')
  await tabTo('பெயர்')
  await expect(form.getByLabel('பெயர்')).not.toHaveValue('')
  await keyboard.type(name)
  await tabTo('போன் எண்')
  await expect(form.getByLabel('போன் எண்')).toHaveValue(/^\d{5} \d{5}$/)
  await keyboard.type('௯௮௭௬௫ ௪௩௨௧௦')
  await keyboard.press('Tab')
  await expect(form.getByLabel('வீடு', { exact: true })).toBeChecked()
  await keyboard.press('ArrowRight')
  await expect(form.getByLabel('பண்ணை', { exact: true })).toBeChecked()
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('உங்கள் புதிய முகவரி சேமிக்கப்பட்டது!')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/\/my-addresses$/)
  const card = page.getByRole('listitem').filter({ hasText: name })
  await expect(card).toContainText('+91 98765 43210')
  await expect(card).toContainText('தமிழ்நாடு 641001')

  await untilAlive(page)
  await card.getByRole('link', { name: /^மாற்ற/ }).focus()
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('முகவரியை மாற்றுங்கள்')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(form.getByLabel('போன் எண்')).toHaveValue('98765 43210')
  await tabTo('பின்கோடு')
  await keyboard.press('Control+A')
  await keyboard.type('638701')
  await keyboard.press('Enter')
  await expect(page.getByRole('status').first()).toHaveText('முகவரி மாற்றப்பட்டது.')
  await expect(card).toContainText('காங்கேயம், திருப்பூர், தமிழ்நாடு 638701')

  await card.getByRole('link', { name: /^நீக்க/ }).focus()
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('இந்த முகவரியை நீக்கலாமா?')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(page.getByRole('status').first()).toHaveText('முகவரி நீக்கப்பட்டது.')
  await expect(card).toHaveCount(0)
})

test('a buyer adds a delivery address and continues the order with it', async ({ page }) => {
  await logIn(page, people.buyer)
  await page.goto('/en/my-addresses/buy/1')
  await untilAlive(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select your delivery address')
  const form = formOf(page)
  await expect(form.getByLabel('Home', { exact: true })).toBeChecked()
  for (const label of ['Name', 'Phone']) {
    await expect(form.getByLabel(label)).not.toHaveValue('')
    await form.getByLabel(label).fill('')
  }
  await save(page)
  for (const [label, error] of [
    ['PIN code', 'Pincode cannot be blank'],
    ['Address line 1', 'Address cannot be blank'],
    ['Address line 2', 'Address cannot be blank'],
    ['Name', 'Name cannot be blank'],
    ['Phone', 'Phone cannot be blank'],
  ] as const) {
    await expect(form.getByLabel(label)).toHaveAccessibleDescription(new RegExp(`^${error}`))
    await expect(form.getByLabel(label)).toHaveAttribute('aria-invalid', 'true')
  }
  await expect(form.getByLabel('PIN code')).toBeFocused()
  // An error leaves with the first letter, and comes back with the next refusal.
  const line = form.getByLabel('Address line 1')
  await line.fill(' ')
  await expect(form.getByText('Address cannot be blank')).toHaveCount(2)
  await expect(form.getByText('Address cannot be blank').and(page.locator(':visible'))).toHaveCount(1)
  await save(page)
  await expect(form.getByText('Address cannot be blank').and(page.locator(':visible'))).toHaveCount(2)
  await expect(line).toHaveAttribute('aria-invalid', 'true')
  const name = `Selvi ${Date.now()}`
  await fillIn(page, { name, pincode: '641001' })
  // A second tap while the answer is on its way saves one address.
  let sent = 0
  await page.route('**/my-addresses/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    sent += 1
    await new Promise((resolve) => setTimeout(resolve, 500))
    // The page aborts this request when the second tap replaces it.
    await route.fulfill({ response }).catch(() => {})
  })
  await save(page)
  await expect.poll(() => sent).toBe(1)
  await form.locator('button[name=act]').last().dispatchEvent('click')
  await expect(page.getByText('Your new address has been saved successfully!')).toBeVisible()
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/en\/confirm-order\/\d+$/)
  const next = new URL(page.url()).pathname
  await page.goto('/en/my-addresses/buy/1')
  const card = page.getByRole('listitem').filter({ hasText: name })
  await expect(card).toHaveCount(1)
  await expect(card.getByRole('link', { name: 'Proceed with this address' })).toHaveAttribute('href', next)
  await expectNoSidewaysScroll(page)
})

test('a seller adds the pickup address and continues to the sell form', async ({ page }) => {
  await logIn(page, people.agent)
  await page.goto('/en/my-addresses/sell/selleraddress')
  await untilAlive(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Please add a pickup address before listing a product')
  await fillIn(page, { name: `Agent ${Date.now()}`, pincode: '638701' })
  await save(page)
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/en\/sell$/)
})

test('a PIN code shows its place at once, and that we do not deliver there yet', async ({ page, context }) => {
  await logIn(page, people.vet)
  await page.goto('/en/my-addresses')
  await untilAlive(page)
  const form = formOf(page)
  const place = form.getByRole('status')
  const box = form.getByLabel('PIN code')
  await form.getByRole('button', { name: 'Look up' }).click()
  await expect(box).toHaveAccessibleDescription(/^A PIN code has six digits/)
  await box.pressSequentially('999999')
  await expect(box).toHaveAccessibleDescription(/^This Pincode is not valid\. Please try different code\./)
  await box.fill('60500')
  await expect(box).not.toHaveAttribute('aria-invalid')
  await box.pressSequentially('1')
  await expect(place).toContainText('Puducherry')
  await expect(place).toContainText('We do not deliver to this area yet. You can still save the address.')
  await expect(place.getByRole('link')).toHaveAttribute('href', '/en/coming-soon')
  // Corrected while the look-up is running: an incomplete PIN code must show no error.
  await page.route('**/pincode-place/**', () => {})
  await box.fill('641001')
  await expect(place).toContainText('Looking')
  await box.press('Backspace')
  await expect(place).not.toContainText(/Looking|could not be looked up/)
  await page.unroute('**/pincode-place/**')

  const name = `Vet ${Date.now()}`
  await fillIn(page, { name, pincode: '605001' })
  await context.setOffline(true)
  await save(page)
  await expect(form.getByRole('alert')).toContainText(
    'Failure on address save, Please try again later/contact our support team for more details.',
  )
  await expect(form.getByRole('alert')).toBeFocused()
  await expect(form.getByLabel('Name')).toHaveValue(name)
  await expect(form.getByLabel('Farm', { exact: true })).toBeChecked()
  await box.fill('641001')
  await expect(place).toContainText('The place could not be looked up just now.')
  await context.setOffline(false)
  await form.getByRole('button', { name: 'Look up' }).click()
  await expect(place).toContainText('Coimbatore')
  await box.fill('605001')
  await save(page)
  await expect(page.getByText('Your new address has been saved successfully!')).toBeVisible()
  await page.getByRole('link', { name: 'Continue' }).click()
  const card = page.getByRole('listitem').filter({ hasText: name })
  await expect(card).toContainText('We do not deliver to this area yet.')
})

for (const prefix of ['', '/en'])
  test(`axe finds no violation in the address book (${prefix || 'Tamil'})`, async ({ page }) => {
    test.slow()
    await logIn(page, people.seller)
    await page.goto(`${prefix}/my-addresses`)
    const change = (await page.locator('#content li a').first().getAttribute('href'))!
    const paths = [
      `${prefix}/my-addresses`,
      `${prefix}/my-addresses/buy/1`,
      `${prefix}/my-addresses/sell/selleraddress`,
      change,
      change.replace('change', 'remove'),
      change.replace('change', 'saved'),
    ]
    for (const path of everyday(paths, prefix)) {
      await page.goto(path)
      await expectAxeClean(page)
      await expectNoSidewaysScroll(page)
    }
    await page.goto(`${prefix}/my-addresses`)
    await untilAlive(page)
    await formOf(page).getByRole('button').last().click()
    await expect(formOf(page).getByRole('alert')).toBeVisible()
    await expectAxeClean(page)
  })

test('an anonymous visitor is redirected to the login, which leads back', async ({ page }) => {
  await page.goto('/en/my-addresses/sell/selleraddress')
  await expect(page).toHaveURL(/\/en\/login\?next=%2Fen%2Fmy-addresses%2Fsell%2Fselleraddress$/)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('an address is looked up, corrected, saved, changed and deleted', async ({ page }) => {
    await logIn(page, newVet)
    await page.goto('/en/my-addresses/buy/1')
    const form = formOf(page)
    const name = `Script ${Date.now()}`
    await fillIn(page, { name, pincode: '605001' })
    await form.getByRole('button', { name: 'Look up' }).click()
    await expect(form.getByRole('status')).toContainText('We do not deliver to this area yet.')
    await expect(form.getByLabel('Name')).toHaveValue(name)
    await expect(form.getByLabel('Farm', { exact: true })).toBeChecked()
    await form.getByLabel('PIN code').fill('12')
    await form.getByLabel('Phone').fill('')
    await save(page)
    await expect(form.getByLabel('Phone')).toHaveAccessibleDescription('Phone cannot be blank')
    await expect(form.getByLabel('PIN code')).toHaveAccessibleDescription(/^Pincode not valid/)
    await expect(form.getByLabel('PIN code')).toBeFocused()
    await expect(form.getByLabel('Address line 1')).toHaveValue('12 Temple Street')
    await fillIn(page, { name, pincode: '641001' })
    await form.getByLabel('PIN code').press('Enter')
    await expect(page.getByText('Your new address has been saved successfully!')).toBeVisible()
    await page.goto('/en/my-addresses')
    const card = page.getByRole('listitem').filter({ hasText: name })
    await card.getByRole('link', { name: /^Edit/ }).click()
    await form.getByLabel('Address line 2').fill('Beside the temple')
    await save(page)
    await expect(page.getByText('The address has been changed.')).toBeVisible()
    await expect(card).toContainText('Beside the temple')
    await card.getByRole('link', { name: /^Delete/ }).click()
    await page.getByRole('button', { name: 'Yes, delete it' }).click()
    await expect(page.getByText('The address has been deleted.')).toBeVisible()
    await expect(card).toHaveCount(0)
  })
})
