import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { DEMO_PASSWORD } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { codeSentTo, loginByApi, newPhone, ownId, PASSWORD, registerByApi } from './people.ts'

/** As a person without a mouse gets there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The keyboard does not reach it.')
}

test('a person changes their profile in Tamil with the keyboard alone', async ({ page }) => {
  test.slow()
  await registerByApi(page)
  const id = await ownId(page)
  await page.goto(`/en/userprofile/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Profile')
  await page.goto(`/userprofile/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('என் விவரம்')
  await untilAlive(page)
  await expectAxeClean(page)
  await tabTo(page, page.getByRole('link', { name: 'விவரங்களைத் திருத்த' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?edit=1$/)
  await untilAlive(page)
  await expectAxeClean(page)
  const name = page.getByLabel('பெயர்', { exact: true })
  await tabTo(page, name)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await tabTo(page, page.getByLabel('மின்னஞ்சல்'))
  await page.keyboard.type('selvi@')
  // The type "agent", which an admin decides.
  await tabTo(page, page.getByRole('radio', { name: /^வாங்குபவர்$/ }))
  for (let down = 0; down < 3; down += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription('பெயரை எழுதுங்கள்.')
  await expect(page.getByLabel('மின்னஞ்சல்')).toHaveValue('selvi@')
  await expect(page.getByRole('radio', { name: /விற்பனை முகவர்/ })).toBeChecked()
  await expectAxeClean(page)
  await page.keyboard.type('செல்வி அம்மாள்')
  await tabTo(page, page.getByLabel('மின்னஞ்சல்'))
  await page.keyboard.press('End')
  await page.keyboard.type('example.com')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('status')).toContainText('உங்கள் விவரங்கள் சேமிக்கப்பட்டன!')
  await expect(page.getByRole('main').getByText('செல்வி அம்மாள்')).toBeVisible()
  await expect(page.getByText('selvi@example.com')).toBeVisible()
  await expect(page.getByText('கேட்டிருப்பது: விற்பனை முகவர்')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await tabTo(page, page.getByRole('link', { name: 'தொடருங்கள்' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/userprofile/${id}$`))
})

test('a profile saved offline keeps its typed values, and is saved when the connection is back', async ({ page, context }) => {
  await registerByApi(page)
  const id = await ownId(page)
  await page.goto(`/en/userprofile/${id}?edit`)
  await untilAlive(page)
  await page.getByLabel('Name', { exact: true }).fill('Selvi of the hills')
  // The browser believes that it is online, but no request arrives.
  await page.route('**/userprofile/**', (route) =>
    route.request().method() === 'POST' ? route.abort('internetdisconnected') : route.continue(),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Selvi of the hills')
  await page.unroute('**/userprofile/**')
  await context.setOffline(true)
  // The first answer is still on the page, so recognize the second try by its failed request.
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Save' }).click()
  await failed
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'false')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/saved=profile/)
  await expect(page.getByRole('main')).toContainText('Selvi of the hills')
})

test('a person who wants to sell is asked for their address first', async ({ page }) => {
  await registerByApi(page)
  await page.goto(`/en/userprofile/${await ownId(page)}?edit=1`)
  await untilAlive(page)
  await page.getByRole('radio', { name: 'Seller', exact: true }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('To sell, first add the address where your animals are fetched.')).toBeVisible()
  await page.getByRole('link', { name: 'Add your address' }).click()
  await expect(page).toHaveURL(/\/en\/my-addresses\/sell\/selleraddress$/)
})

test('a picture is uploaded with its progress, shown, and removed again', async ({ page }) => {
  await registerByApi(page)
  await page.goto(`/en/userprofile/${await ownId(page)}`)
  await untilAlive(page)
  const box = page.getByLabel('Add a picture')
  await box.setInputFiles({ name: 'cow.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no cow at all') })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('alert')).toHaveText(
    'Failure on user profile image save, Please try again later/contact our support team for more details. Only JPEG and PNG pictures can be taken.',
  )
  await box.setInputFiles({ name: 'cow.jpg', mimeType: 'image/jpeg', buffer: readFileSync('public/share.jpg') })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Your picture is saved.')
  const picture = page.getByRole('img', { name: 'Picture of Selvi' })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAxeClean(page)
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await expect(picture).toHaveCount(0)
})

test('a new phone number needs the password and the code sent to it', async ({ page, browser }) => {
  const old = await registerByApi(page)
  const id = await ownId(page)
  const phone = newPhone()
  await page.goto(`/en/userprofile/${id}?edit=1`)
  await untilAlive(page)
  await page.getByLabel('Phone number').fill(phone)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByLabel('Your password', { exact: true })).toBeFocused()
  await expect(page.getByLabel('Phone number')).toHaveValue(phone)
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your new phone number')
  expect(page.url()).not.toContain(phone)
  await expectAxeClean(page)
  const code = await codeSentTo(page.context().request, phone)
  await page
    .getByRole('textbox')
    .first()
    .fill(code === '111111' ? '222222' : '111111')
  await page.getByRole('button', { name: 'Use this number' }).click()
  await expect(page.getByText('OTP is not matching').first()).toBeVisible()
  await page.getByRole('textbox').first().fill(code)
  await page.getByRole('button', { name: 'Use this number' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Your new phone number is saved.')
  await expect(page.getByText(`+91 ${phone.slice(0, 5)} ${phone.slice(5)}`)).toBeVisible()
  const elsewhere = await (await browser.newContext()).newPage()
  expect(await loginByApi(elsewhere, old)).toBe(401)
  expect(await loginByApi(elsewhere, phone)).toBe(200)
  await elsewhere.context().close()
})

test('a person sees where they are logged in and ends a session', async ({ page, browser }) => {
  const phone = await registerByApi(page)
  const id = await ownId(page)
  const elsewhere = await (await browser.newContext()).newPage()
  expect(await loginByApi(elsewhere, phone)).toBe(200)
  await page.goto(`/en/userprofile/${id}`)
  await expect(page.getByText('This device')).toHaveCount(1)
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Done: logged out there.')
  await expect(page.getByRole('button', { name: 'End all others' })).toHaveCount(0)
  await elsewhere.goto(`/en/userprofile/${id}`)
  await expect(elsewhere).toHaveURL(/\/en\/login\?next=/)
  await elsewhere.context().close()
})

test('a person changes their password; a wrong old one is reported at its field', async ({ page }) => {
  const phone = await registerByApi(page)
  await page.goto(`/en/userprofile/${await ownId(page)}`)
  await page.getByText('Change password').click()
  await page.getByLabel('Present password').fill('not mine at all')
  await page.getByLabel('New password').fill('seven white goats')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByLabel('Present password')).toHaveAccessibleDescription('This is not your password.')
  await page.getByLabel('Present password').fill(PASSWORD)
  await page.getByLabel('New password').fill('seven white goats')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Your password is changed.')
  expect(await loginByApi(page, phone)).toBe(401)
  expect(await loginByApi(page, phone, 'seven white goats')).toBe(200)
})

test('a person exports their data and deletes their account', { tag: core }, async ({ page }) => {
  test.slow()
  // No other journey uses this person. A new one would wait a minute for their second code.
  const phone = '9000000036'
  await page.goto('/en/newsletter')
  await loginByApi(page, phone, DEMO_PASSWORD)
  const id = await ownId(page)
  await page.goto(`/en/userprofile/${id}`)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download my data' }).click()])
  expect(download.suggestedFilename()).toBe(`sandhai-${id}.json`)
  const data = JSON.parse(readFileSync(await download.path(), 'utf8')) as { account: { phone: string } }
  expect(data.account.phone).toBe(`+91${phone}`)

  await page.getByRole('link', { name: 'Delete my account' }).click()
  await expect(page.getByText('will be deleted permanently')).toBeVisible()
  await expectAxeClean(page)
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Send me the OTP' }).click()
  await expect(page.getByRole('button', { name: 'Delete permanently' })).toBeVisible()
  await page
    .getByRole('textbox')
    .first()
    .fill(await codeSentTo(page.context().request, phone))
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page).toHaveURL(/\/en$/)
  expect(await loginByApi(page, phone, DEMO_PASSWORD)).toBe(401)
})

test('another person’s profile is a 404', async ({ page }) => {
  await registerByApi(page)
  const response = await page.goto('/en/userprofile/1')
  expect(response?.status()).toBe(404)
})
