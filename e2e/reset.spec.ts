import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { codeSentTo, newPhone, registerByApi } from './people.ts'
import { callApi } from './sellers.ts'

const NEW = 'வெள்ளை ஆடு நான்கு'
/** Sellers of the sample market that no other journey uses, others at each size, because a code ends the number's earlier one. */
const seller = (place: 1 | 2 | 3, { project }: { project: { name: string } }) =>
  `90000000${project.name === 'desk' ? 13 + place : 10 + place}`

test(
  'a forgotten password is reset in the modal; its field appears with the sixth digit',
  { tag: core },
  async ({ page, request }, info) => {
    await page.goto('/en/buy/2')
    await untilAlive(page)
    await page.locator('a[href="/en/login"]:visible').first().click()
    const modal = page.locator('dialog[aria-labelledby="identity-title"]')
    await modal.getByRole('button', { name: 'Forgot Password?' }).click()
    await expect(modal.getByRole('heading', { name: 'Password Reset' })).toBeVisible()
    const phone = modal.getByRole('textbox', { name: 'Phone number' })
    await phone.fill(newPhone())
    await modal.getByRole('button', { name: 'Send OTP' }).click()
    await expect(modal.getByRole('alert')).toHaveText(
      "This Phone number doesn't exists in our system, Please create your account through New User Registration button!",
    )
    await expect(phone).toBeFocused()
    await expectAxeClean(page)
    const number = seller(1, info)
    await phone.fill(number)
    await modal.getByRole('button', { name: 'Send OTP' }).click()
    const otp = modal.getByRole('textbox', { name: 'OTP' })
    await expect(otp).toBeVisible()
    const code = await codeSentTo(request, number)
    await otp.pressSequentially(code.slice(0, 5))
    await expect(modal.getByRole('textbox', { name: 'New password' })).toHaveCount(0)
    await otp.pressSequentially(code.slice(5))
    const password = modal.getByRole('textbox', { name: 'New password' })
    await password.fill('short')
    await modal.getByRole('button', { name: 'Save' }).click()
    await expect(password).toHaveAccessibleDescription(/Use at least 8 characters/)
    await expect(password).toBeFocused()
    await expectAxeClean(page)
    await password.fill(NEW)
    await modal.getByRole('button', { name: 'Save' }).click()
    await expect(page.locator('a[href="/en/login"]')).toHaveCount(0)
    await expect(page).toHaveURL(/\/en\/buy\/2$/)
  },
)

test('on the page, in Tamil: a reload keeps the step, a wrong OTP is reported, the new password logs in', async ({
  page,
  request,
}, info) => {
  const number = seller(2, info)
  await page.goto('/login?next=/buy/2')
  await page.getByRole('link', { name: 'கடவுச்சொல் மறந்ததா?' }).click()
  await untilAlive(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('புதிய கடவுச்சொல் அமைக்க')
  await expectAxeClean(page)
  await page.getByRole('textbox', { name: 'போன் எண்' }).fill(number)
  await page.getByRole('button', { name: 'OTP அனுப்ப' }).click()
  await expect(page.getByText(`+91 90000 ${number.slice(5)}`)).toBeVisible()
  const code = await codeSentTo(request, number)
  const response = await page.reload()
  expect(response!.headers()['referrer-policy']).toBe('no-referrer')
  await untilAlive(page)
  await expectAxeClean(page)
  const otp = page.getByRole('textbox', { name: 'OTP எண்' })
  await expect(page.getByRole('textbox', { name: 'புதிய கடவுச்சொல்' })).toHaveCount(0)
  await otp.pressSequentially(String((Number(code) + 1) % 1e6).padStart(6, '0'))
  await page.getByRole('textbox', { name: 'புதிய கடவுச்சொல்' }).fill(NEW)
  await page.getByRole('button', { name: 'சேமிக்க' }).click()
  await expect(page.getByRole('alert')).toContainText('OTP பொருந்தவில்லை')
  await untilAlive(page)
  await expect(otp).toBeFocused()
  await otp.pressSequentially(code)
  await page.getByRole('textbox', { name: 'புதிய கடவுச்சொல்' }).fill(NEW)
  await page.getByRole('button', { name: 'சேமிக்க' }).click()
  await expect(page).toHaveURL(/\/buy\/2$/)
  await expect(page.locator('a[href="/login"]')).toHaveCount(0)
})

for (const [n, prefix] of ['', '/en'].entries()) {
  for (const [k, width] of [360, 1280].entries()) {
    test(`the modal leads from the number to the new password and gives way to the page (${prefix || 'Tamil'}, ${width} px)`, async ({
      page,
      request,
    }) => {
      const number = `900000003${2 * n + k + 2}`
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${prefix}/buy/2`)
      await untilAlive(page)
      const login = page.locator(`a[href="${prefix}/login"]:visible`)
      await login.first().click()
      const modal = page.locator('dialog[aria-labelledby="identity-title"]')
      await modal.getByRole('button', { name: prefix ? 'Forgot Password?' : 'கடவுச்சொல் மறந்ததா?' }).click()
      await modal.locator('#identity-reset-phone').fill(number)
      await modal.locator('button[type=submit]').click()
      await modal.locator('#identity-reset-otp').fill(await codeSentTo(request, number))
      await modal.locator('#identity-reset-password').fill(NEW)
      await expectNoSidewaysScroll(page)
      await modal.locator('button[type=submit]').click()
      await expect(modal).toHaveCount(0)
      await expect(login).toHaveCount(0)
      await expect(page).toHaveURL(new RegExp(`${prefix}/buy/2$`))
    })
  }
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('both fields are visible at once, and the whole reset works', async ({ page, request }, info) => {
    const number = seller(3, info)
    await page.goto('/en/reset-password')
    await page.getByRole('textbox', { name: 'Phone number' }).fill('12345')
    await page.getByRole('button', { name: 'Send OTP' }).click()
    await expect(page.getByText('Phone number is not in correct format')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue('12345')
    await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
    await page.getByRole('button', { name: 'Send OTP' }).click()
    await page.getByRole('textbox', { name: 'OTP' }).fill(await codeSentTo(request, number))
    await page.getByRole('textbox', { name: 'New password' }).fill(NEW)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(/\/en$/)
    await expect(page.locator('a[href="/en/login"]')).toHaveCount(0)
  })

  test('a reset that fails shows the message of the server', async ({ page, browser }) => {
    const number = await registerByApi(page)
    await page.context().clearCookies()
    await page.goto('/en/reset-password')
    await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
    // A demo sends ten codes a minute to one number.
    const other = await browser.newPage()
    for (let n = 0; n < 10; n++) await callApi(other, 'PATCH', `/init-forgot-password/userphone=+91${number}`)
    await other.close()
    await page.getByRole('button', { name: 'Send OTP' }).click()
    await expect(page.getByRole('alert')).toHaveText(/Please try again in \d+ seconds/)
    await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue(number)
  })
})
