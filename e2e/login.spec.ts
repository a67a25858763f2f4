import type { Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { codeSentTo, newPhone, PASSWORD, registerByApi } from './people.ts'

const demo = { phone: '9000000001', password: 'sandhai-demo' }
const loginLink = 'a[href="/en/login"]:visible'

test(
  'a buyer logs in over the list they were reading; a wrong password is reported and keeps the number',
  { tag: core },
  async ({ page }) => {
    await page.goto('/en/buy/2')
    await untilAlive(page)
    await page.locator(loginLink).first().click()
    const modal = page.getByRole('dialog', { name: 'User Login' })
    await expect(modal.getByRole('textbox', { name: 'Phone number' })).toBeFocused()
    await expectAxeClean(page)
    await modal.getByRole('textbox', { name: 'Phone number' }).fill(demo.phone)
    // Without a password 'Login' asks for it.
    await page.keyboard.press('Enter')
    await expect(modal.getByRole('textbox', { name: 'Password' })).toHaveAccessibleDescription('Password cannot be blank')
    await modal.getByRole('textbox', { name: 'Password' }).fill('not this one')
    await page.keyboard.press('Enter')
    await expect(modal.getByRole('alert')).toHaveText('Authentication failed. Try resetting password using Forgot password option below!')
    await expect(modal.getByRole('textbox', { name: 'Phone number' })).toHaveValue(demo.phone)
    await expectAxeClean(page)
    await modal.getByRole('textbox', { name: 'Password' }).fill(demo.password)
    await page.keyboard.press('Enter')
    await expect(page.locator(loginLink)).toHaveCount(0)
    await expect(page).toHaveURL(/\/en\/buy\/2$/)
  },
)

test('Esc, the backdrop and Close close the modal, and the focus returns', async ({ page }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  const link = page.locator(loginLink).first()
  const modal = page.getByRole('dialog', { name: 'User Login' })
  const ways = [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 40),
    () => modal.getByRole('button', { name: 'Close' }).first().click(),
    () => modal.getByRole('button', { name: 'Close' }).last().click(),
  ]
  for (const close of ways) {
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(modal).toBeVisible()
    await close()
    await expect(modal).toHaveCount(0)
    await expect(link).toBeFocused()
  }
})

test('in the sheet a new person corrects their number, asks for another OTP, mistypes it once, and is logged in', async ({
  page,
  request,
}) => {
  const [typo, phone] = [newPhone(), newPhone()]
  await page.clock.install()
  await page.goto('/en/buy/2')
  await untilAlive(page)
  await page.locator(loginLink).first().click()
  const sheet = page.locator('dialog[aria-labelledby="identity-title"]')
  const otp = sheet.getByRole('textbox', { name: 'OTP' })
  const send = async (phone: string) => {
    await expect(sheet.getByRole('heading', { name: 'User Login' })).toBeVisible()
    await sheet.getByRole('textbox', { name: 'Phone number' }).fill(phone)
    await sheet.getByRole('button', { name: 'Log in with a code by SMS', exact: true }).click()
    await expect(sheet.getByText(`+91 ${phone.slice(0, 5)} ${phone.slice(5)}.`)).toBeVisible()
  }
  await send(typo)
  await expect(otp).toBeFocused()
  await sheet.getByRole('button', { name: 'Use another number' }).click()
  await send(phone)
  const first = await codeSentTo(request, phone)

  await expect(sheet.getByText(/You can ask for another OTP in \d+ seconds/)).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Send another OTP' })).toHaveCount(0)
  await page.clock.fastForward(61_000)
  // The SMS is faster than the answer: what is typed meanwhile is sent as soon as the answer is there.
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/v1/login-code', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await answered
    await route.fulfill({ response })
  })
  await sheet.getByRole('button', { name: 'Send another OTP' }).click()
  const code = await codeSentTo(request, phone, first)

  await otp.fill(String((Number(code) + 1) % 1e6).padStart(6, '0'))
  answer()
  await expect(sheet.getByRole('alert')).toHaveText(/OTP is not matching/)
  await expect(otp).toBeFocused()
  await expectAxeClean(page)
  await otp.fill(code.slice(0, 5))
  await expect(sheet.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  await otp.press(code[5]!)
  await expect(sheet.getByRole('heading', { name: 'Your name' })).toBeVisible()
  await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('Selvi')
  await sheet.getByRole('radio', { name: /^Buyer I/ }).check()
  await sheet.locator('[name=hasConsented]').first().check()
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await expect(page.locator(loginLink)).toHaveCount(0)
  await expect(page).toHaveURL(/\/en\/buy\/2$/)
})

test('offline the modal says so and keeps the typed values', async ({ page, context }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await page.locator(loginLink).first().click()
  const modal = page.locator('dialog[aria-labelledby="identity-title"]')
  await modal.getByRole('textbox', { name: 'Phone number' }).fill(demo.phone)
  await modal.getByRole('textbox', { name: 'Password' }).fill(demo.password)
  await context.setOffline(true)
  await page.keyboard.press('Enter')
  await expect(modal.getByRole('alert')).toContainText('Check your connection')
  await expect(modal.getByRole('textbox', { name: 'Password' })).toHaveValue(demo.password)
  await context.setOffline(false)
  await modal.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.locator(loginLink)).toHaveCount(0)
})

test("'Remember me' keeps the number while it is ticked and deletes it when it is not", async ({ page }) => {
  for (const isTicked of [false, true]) {
    await page.goto('/en/login')
    await untilAlive(page)
    await page.getByRole('textbox', { name: 'Phone number' }).fill(demo.phone)
    await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
    await page.getByRole('checkbox', { name: 'Remember me' }).setChecked(isTicked)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL(/\/en$/)
    expect((await page.evaluate(() => localStorage.getItem('sandhai.phone'))) !== null).toBe(isTicked)
    await page.context().clearCookies()
  }
  await page.goto('/en/login')
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue(demo.phone)
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Remember me' }).uncheck()
  await page.goto('/en/login')
  await untilAlive(page)
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveValue('')
})

test('the login page leads back to the previous page, and never to another site', async ({ page }) => {
  for (const [next, end] of [
    ['/en/buy/2?sort=price', /\/en\/buy\/2\?sort=price$/],
    ['//evil.example/', /\/en$/],
    ['/\\evil.example', /\/en$/],
    ['https://evil.example/', /\/en$/],
    ['/en/logout', /\/en$/],
  ] as const) {
    await page.goto(`/en/login?next=${encodeURIComponent(next)}`)
    await page.getByRole('textbox', { name: 'Phone number' }).fill(demo.phone)
    await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL(end)
    await page.context().clearCookies()
  }
})

test('a wrong password on the page is reported in Tamil, with the number kept', async ({ page }) => {
  await page.goto('/login')
  await untilAlive(page)
  await page.getByRole('textbox', { name: 'போன் எண்' }).fill(demo.phone)
  await page.getByRole('textbox', { name: 'கடவுச்சொல்' }).fill('not this one')
  await page.getByRole('button', { name: 'உள்நுழைய', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('உள்நுழைய முடியவில்லை')
  await untilAlive(page)
  await expect(page.getByRole('textbox', { name: 'போன் எண்' })).toHaveValue(demo.phone)
  await expect(page.getByRole('textbox', { name: 'கடவுச்சொல்' })).toHaveValue('')
  await expectAxeClean(page)
})

for (const prefix of ['', '/en']) {
  for (const size of [
    { width: 360, height: 800 },
    { width: 1280, height: 800 },
  ]) {
    test(`modal and page show all parts of 'User Login' at once, without a tap (${prefix || 'Tamil'}, ${size.width} px)`, async ({
      page,
    }) => {
      const texts = prefix
        ? [
            'Phone number',
            'Password',
            'Remember me',
            'Login',
            'Forgot Password?',
            'Log in with a code by SMS',
            'New User Registration',
            'Close',
          ]
        : [
            'போன் எண்',
            'கடவுச்சொல்',
            'என் எண்ணை நினைவில் வையுங்கள்',
            'உள்நுழைய',
            'கடவுச்சொல் மறந்ததா?',
            'SMS-இல் வரும் OTP வைத்து உள்நுழைய',
            'புதிய பயனர் பதிவு',
            'மூட',
          ]
      const [phone, password, remember, ...ways] = texts as [string, string, string, ...string[]]
      const expectAll = async (form: import('@playwright/test').Locator) => {
        for (const name of [phone, password]) await expect(form.getByRole('textbox', { name, exact: true })).toBeVisible()
        await expect(form.getByRole('checkbox', { name: remember })).toBeVisible()
        for (const name of ways)
          await expect(
            form
              .getByRole('button', { name, exact: true })
              .or(form.getByRole('link', { name, exact: true }))
              .last(),
          ).toBeVisible()
        await expectAxeClean(page)
        await expectNoSidewaysScroll(page)
      }
      await page.setViewportSize(size)
      await page.goto(`${prefix}/buy/2`)
      await untilAlive(page)
      await page.locator(`a[href="${prefix}/login"]:visible`).first().click()
      await expectAll(page.locator('dialog[aria-labelledby="identity-title"]'))
      await page.goto(`${prefix}/login`)
      await untilAlive(page)
      await expectAll(page.getByRole('main'))
    })

    test(`in the modal a new person leaves the password empty, and a code and a name log them in (${prefix || 'Tamil'}, ${size.width} px)`, async ({
      page,
      request,
    }) => {
      const phone = newPhone()
      await page.setViewportSize(size)
      await page.goto(`${prefix}/buy/2`)
      await untilAlive(page)
      const link = `a[href="${prefix}/login"]:visible`
      await page.locator(link).first().click()
      const modal = page.locator('dialog[aria-labelledby="identity-title"]')
      await modal.locator('#identity-phone').fill(phone)
      await modal.locator('button[value=send]').click()
      await modal.locator('#identity-otp').fill(await codeSentTo(request, phone))
      await modal.locator('#identity-name').fill('Selvi')
      await modal.locator('input[name=typeId][value="1"]').check()
      await modal.locator('[name=hasConsented]').check()
      await expectNoSidewaysScroll(page)
      await modal.locator('button[type=submit]').click()
      await expect(modal).toHaveCount(0)
      await expect(page.locator(link)).toHaveCount(0)
      await expect(page).toHaveURL(new RegExp(`${prefix}/buy/2$`))
    })
  }
}

/** Like a link on a page of ours; `goto` is the address bar. */
const followLink = (page: Page, path: string) => page.evaluate((path) => location.assign(path), path)

test('typing the address of the logout signs out', async ({ page }) => {
  await registerByApi(page)
  await page.goto('/en/logout')
  await expect(page).toHaveURL(/\/en$/)
  await expect(page.locator(loginLink).first()).toBeVisible()
})

test('a link from another site signs nobody out: the page waits for its button', async ({ page }) => {
  await registerByApi(page)
  await page.goto('/en/login')
  const out = new URL('/en/logout', page.url()).href
  await page.route('http://elsewhere.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${out}">Free goats</a>` }),
  )
  await page.goto('http://elsewhere.example/')
  await page.getByRole('link').click()
  await page.waitForURL('**/en/logout')
  await untilAlive(page)
  await expect(page).toHaveURL(/\/en\/logout$/)
  await page.getByRole('main').getByRole('button', { name: 'SignOut' }).click()
  await expect(page).toHaveURL(/\/en$/)
  await expect(page.locator(loginLink).first()).toBeVisible()
})

test('the logout page posts without a tap, leads home, and deletes the remembered number', async ({ page }) => {
  await registerByApi(page)
  await page.goto('/en/login')
  await page.evaluate(() => localStorage.setItem('sandhai.phone', '9000000001'))
  await page.goto('/en/buy/0')
  await expect(page.locator(loginLink)).toHaveCount(0)
  await followLink(page, '/en/logout')
  await expect(page).toHaveURL(/\/en$/)
  await expect(page.locator(loginLink).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('sandhai.phone'))).toBeNull()
})

test('a visitor with an expired session is asked to log in again, unprompted', async ({ page }) => {
  const phone = await registerByApi(page, newPhone())
  await page.goto('/en/login')
  const sid = (await page.context().cookies()).find(({ name }) => name.endsWith('sid'))!
  await followLink(page, '/en/logout')
  await expect(page).toHaveURL(/\/en$/)
  await page.context().addCookies([sid])
  await page.goto('/en/buy/2')
  const modal = page.getByRole('dialog', { name: 'User Login' })
  await modal.getByRole('textbox', { name: 'Phone number' }).fill(phone)
  await modal.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await modal.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(modal).toHaveCount(0)
  await expect(page.locator(loginLink)).toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a person logs in from the header, returns, and signs out with a button', async ({ page }) => {
    await page.goto('/en/buy/2')
    await page.locator(loginLink).first().click()
    await expect(page).toHaveURL(/\/en\/login$/)
    await page.getByRole('textbox', { name: 'Phone number' }).fill('+91 90000 00001')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByText('Password cannot be blank')).toBeVisible()
    await page.getByRole('textbox', { name: 'Password' }).fill('not this one')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('Authentication failed.')
    await page.getByRole('textbox', { name: 'Password' }).fill(demo.password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL(/\/en\/buy\/2$/)
    await page.goto('/en/logout')
    await page.getByRole('main').getByRole('button', { name: 'SignOut' }).click()
    await expect(page).toHaveURL(/\/en$/)
    await expect(page.locator(loginLink).first()).toBeVisible()
  })

  test('a person leaves the password empty and is let in by a code', async ({ page, request }) => {
    const phone = newPhone()
    await page.goto('/en/login?next=/en/buy/2')
    await page.getByRole('textbox', { name: 'Phone number' }).fill(phone)
    await page.getByRole('button', { name: 'Log in with a code by SMS' }).click()
    await page.getByRole('textbox', { name: 'OTP' }).fill(await codeSentTo(request, phone))
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Selvi')
    await page.getByRole('radio', { name: /^Buyer I/ }).check()
    await page.locator('[name=hasConsented]').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/\/en\/buy\/2$/)
    await expect(page.locator(loginLink)).toHaveCount(0)
  })
})

test('in a demo one tap logs in as a sample person, on the page and in the modal', async ({ page, context }) => {
  await page.goto('/en/buy/2')
  await untilAlive(page)
  await page.locator(loginLink).first().click()
  const modal = page.getByRole('dialog', { name: 'User Login' })
  await modal.getByText('Sample people of this demo').click()
  await expect(modal.getByText('All have the password sandhai-demo')).toBeVisible()
  await expectAxeClean(page)
  await modal.getByRole('button', { name: 'Login: Buyer', exact: true }).click()
  await expect(page.locator(loginLink)).toHaveCount(0)
  await expect(page).toHaveURL(/\/en\/buy\/2$/)
  for (const role of ['Seller', 'Buyer and seller', 'Agent', 'Vet', 'Vet, waiting for approval', 'Admin']) {
    await context.clearCookies()
    await page.goto('/en/login?next=/en/me')
    await page.getByText('Sample people of this demo').click()
    await page.getByRole('button', { name: `Login: ${role}`, exact: true }).click()
    await expect(page, role).toHaveURL(/\/en\/me$/)
  }
})
