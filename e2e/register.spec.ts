import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { codeSentTo, loginByApi, newPhone, ownId, PASSWORD, registerByApi } from './people.ts'

test('a keeper registers in Tamil with the keyboard alone', { tag: core }, async ({ page, request }) => {
  const phone = newPhone()
  await page.goto('/register')
  await untilAlive(page)
  await page.getByRole('combobox', { name: 'திரு / திருமதி' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.type('செல்வி')
  await page.keyboard.press('Tab')
  await page.keyboard.type(phone)
  // Past the password, which may stay empty, and its button.
  for (let n = 0; n < 3; n++) await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByRole('textbox', { name: /^PAN/ })).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /^விற்பனையாளர்/ })).toBeChecked()
  // A seller is asked for the PAN, which may stay empty.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: /^PAN/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expectAxeClean(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('போன் எண் OTP சரிபார்ப்பு')
  await untilAlive(page)
  await expectAxeClean(page)
  await page.getByRole('textbox', { name: 'OTP எண்' }).focus()
  await page.keyboard.type(await codeSentTo(request, phone))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/$/)
  const me = await page.request.post('/api/v1/validatesession', {
    headers: { 'X-CSRFToken': (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value },
  })
  expect(await me.json()).toMatchObject({ name: 'செல்வி', usertype: 2, phone: `+91${phone}` })
})

test('errors appear beside their fields, the first one gets the focus, and the typed values stay', async ({ page }) => {
  await page.goto('/en/register')
  await untilAlive(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Selvi')
  await page.getByRole('radio', { name: /^Veterinarian/ }).check()
  await page.getByRole('textbox', { name: /^Degree/ }).fill('BVSc')
  await page.getByRole('textbox', { name: 'Password' }).fill('short')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toBeFocused()
  await untilAlive(page)
  await expect(page.getByRole('textbox', { name: 'Phone number' })).toHaveAccessibleDescription(/Phone number cannot be blank/)
  await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAccessibleDescription(/Use at least 8 characters\. A short/)
  await expect(page.getByRole('checkbox', { name: /^I am 18 or older/ })).toHaveAccessibleDescription('Please tick this to go on.')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Selvi')
  await expect(page.getByRole('radio', { name: /^Veterinarian/ })).toBeChecked()
  await expect(page.getByRole('textbox', { name: /^Degree/ })).toHaveValue('BVSc')
  await expect(page.getByRole('textbox', { name: /^PAN/ })).toHaveCount(0)
  await page.getByRole('radio', { name: /^Seller I/ }).check()
  await expect(page.getByRole('textbox', { name: /^Degree/ })).toHaveCount(0)
  await page.getByRole('textbox', { name: /^PAN/ }).fill('ABCD12345F')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByText('Please provide a valid PAN card Number.')).toBeVisible()
  await untilAlive(page)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

for (const place of ['page', 'modal'])
  test(`a refused registration keeps password and PAN on the screen, and no answer has them (${place})`, async ({ page }) => {
    await page.goto(place === 'page' ? '/en/register' : '/en/buy/2')
    await untilAlive(page)
    if (place === 'modal') {
      await page.locator('a[href="/en/login"]:visible').first().click()
      await page.getByRole('button', { name: 'New User Registration' }).click()
    }
    const form = place === 'page' ? page.getByRole('main') : page.getByRole('dialog', { name: 'New User Registration' })
    const [password, pan] = [form.getByRole('textbox', { name: 'Password' }), form.getByRole('textbox', { name: /^PAN/ })]
    const secrets = [PASSWORD, 'PQRSX6789K']
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Selvi')
    await password.fill(secrets[0]!)
    await form.getByRole('radio', { name: /^Seller I/ }).check()
    await pan.fill(secrets[1]!)
    const register = form.getByRole('button', { name: 'Register', exact: true })
    const answers: string[] = []
    await page.route(/\/register(\.data)?(\?|$)/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const response = await route.fetch({ maxRedirects: 0 })
      answers.push(await response.text())
      await route.fulfill({ response })
    })
    const refuse = async () => {
      const before = answers.length
      await register.click()
      await expect.poll(() => answers.length).toBe(before + 1)
      await untilAlive(page)
      for (const [field, value] of [
        [password, secrets[0]!],
        [pan, secrets[1]!],
      ] as const)
        await expect(field).toHaveValue(value)
    }
    await refuse()
    await expect(form.getByRole('textbox', { name: 'Phone number' })).toHaveAccessibleDescription(/Phone number cannot be blank/)
    // The second refusal comes after other fields were corrected.
    await form.getByRole('textbox', { name: 'Phone number' }).fill(newPhone())
    await refuse()
    await expect(form.getByRole('checkbox', { name: /^I am 18/ })).toHaveAccessibleDescription('Please tick this to go on.')
    await form.getByRole('checkbox', { name: /^I am 18/ }).check()
    for (const answer of answers) for (const secret of secrets) expect(answer).not.toContain(secret)
    await register.click()
    await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()
  })

test('a returning person finds the OTP step, can correct the number, and sees when the OTP is wrong', async ({ page, request }) => {
  const [typo, phone] = [newPhone(), newPhone()]
  await page.goto('/?refcode=ABCDEFGHJK')
  await page.goto('/en/register?next=/en/buy/2')
  await untilAlive(page)
  await expect(page.getByText('Invited by code ABCDEFGHJK')).toBeVisible()
  await page.getByRole('textbox', { name: 'Phone number' }).fill(typo)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Selvi')
  await page.getByRole('radio', { name: /^Buyer I/ }).check()
  await page.getByRole('checkbox', { name: /^I am 18/ }).check()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()

  await page.goto('/en/buy/0')
  await page.goto('/en/register?next=/en/buy/2')
  await untilAlive(page)
  await expect(page.getByText(`We sent an SMS with an OTP to +91 ${typo.slice(0, 5)} ${typo.slice(5)}.`)).toBeVisible()
  await expect(page.getByText(/You can ask for another OTP in \d+ seconds/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send another OTP' })).toHaveCount(0)
  await page.getByText('Change number').click()
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone)
  await page.getByRole('button', { name: 'Send OTP to this number' }).click()
  await expect(page.getByText(`+91 ${phone.slice(0, 5)} ${phone.slice(5)}`)).toBeVisible()
  await untilAlive(page)

  const code = await codeSentTo(request, phone)
  await page.getByRole('textbox', { name: 'OTP' }).fill(String((Number(code) + 1) % 1e6).padStart(6, '0'))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toHaveText(/OTP is not matching/)
  await untilAlive(page)
  await expect(page.getByRole('textbox', { name: 'OTP' })).toBeFocused()
  await page.getByRole('textbox', { name: 'OTP' }).fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/en\/buy\/2$/)
})

test('after a minute another OTP can be requested', async ({ page, request }) => {
  const phone = newPhone()
  await page.clock.install()
  await page.goto('/en/register')
  await untilAlive(page)
  await fill(page, phone)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()
  await untilAlive(page)
  const first = await codeSentTo(request, phone)
  await expect(page.getByRole('button', { name: 'Send another OTP' })).toHaveCount(0)
  await page.clock.fastForward(61_000)
  await page.getByRole('button', { name: 'Send another OTP' }).click()
  const second = await codeSentTo(request, phone, first)
  // The first one counts no more.
  await page.getByRole('textbox', { name: 'OTP' }).fill(first)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toHaveText(/OTP is not matching/)
  await page.getByRole('textbox', { name: 'OTP' }).fill(second)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/en$/)
})

test('registering over a page leads back to it, and every login button leads to the code meanwhile', async ({ page, request }) => {
  const phone = newPhone()
  await page.goto('/en/buy/2')
  await untilAlive(page)
  const login = page.locator('a[href="/en/login"]:visible').first()
  await login.click()
  const modal = page.locator('dialog[aria-labelledby="identity-title"]')
  await modal.getByRole('button', { name: 'New User Registration' }).click()
  await expect(modal.getByRole('heading', { name: 'New User Registration' })).toBeVisible()
  await modal.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(modal.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await expect(modal.getByText('Phone number cannot be blank')).toBeVisible()
  await expect(modal.getByText('Type is required')).toBeVisible()
  await expectAxeClean(page)
  await fill(page, phone)
  await modal.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()

  await page.goto('/en/buy/2')
  await untilAlive(page)
  await login.click()
  await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()
  await page.getByRole('textbox', { name: 'OTP' }).fill(await codeSentTo(request, phone))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/en\/buy\/2$/)
  await expect(page.locator('a[href="/en/login"]')).toHaveCount(0)
})

test('a number that is registered already is reported at the foot of the registration modal', async ({ page }) => {
  await page.goto('/en/buy/2')
  await untilAlive(page)
  await page.locator('a[href="/en/login"]:visible').first().click()
  const modal = page.locator('dialog[aria-labelledby="identity-title"]')
  await modal.getByRole('button', { name: 'New User Registration' }).click()
  await expect(modal.getByRole('heading', { name: 'New User Registration' })).toBeVisible()
  // The sample market's buyer and seller.
  await fill(page, '9000000003')
  await modal.getByRole('button', { name: 'Register', exact: true }).click()
  const failure = modal.locator('[data-failure]')
  await expect(failure).toHaveText('This phone number is registered already. Please login, or use Forgot Password.')
  const consent = (await modal.locator('[name=hasConsented]').boundingBox())!
  expect((await failure.boundingBox())!.y).toBeGreaterThan(consent.y)
  await expect(modal.getByRole('textbox', { name: 'Phone number' })).toHaveValue('9000000003')
})

test('PAN is shown for the types 2, 3 and 4, the degree for type 5', async ({ page }) => {
  await page.goto('/en/register')
  await untilAlive(page)
  const shown: string[] = []
  for (const typeId of [1, 2, 3, 4, 5]) {
    await page.locator(`input[name=typeId][value="${typeId}"]`).check()
    const isThere = async (name: RegExp) => (await page.getByRole('textbox', { name }).count()) === 1
    shown.push(`${typeId}${(await isThere(/^PAN/)) ? ' PAN' : ''}${(await isThere(/^Degree/)) ? ' degree' : ''}`)
  }
  expect(shown).toEqual(['1', '2 PAN', '3 PAN', '4 PAN', '5 degree'])
})

const sizes = [
  { width: 360, height: 800 },
  { width: 1280, height: 800 },
]
for (const prefix of ['', '/en']) {
  for (const size of sizes) {
    const where = `${prefix || 'Tamil'}, ${size.width} px`
    test(`the registration modal gives way to the code, Back leads to the list, and the code logs in (${where})`, async ({
      page,
      request,
    }) => {
      const phone = newPhone()
      await page.setViewportSize(size)
      await page.goto(`${prefix}/buy/2`)
      await untilAlive(page)
      const login = page.locator(`a[href="${prefix}/login"]:visible`).first()
      await login.click()
      const modal = page.locator('dialog[aria-labelledby="identity-title"]')
      await modal.getByRole('button', { name: prefix ? 'New User Registration' : 'புதிய பயனர் பதிவு' }).click()
      await modal.locator('#identity-phone').fill(phone)
      await modal.locator('#identity-salutation').selectOption('2')
      await modal.locator('#identity-name').fill('Selvi')
      await modal.locator('#identity-password').fill(PASSWORD)
      await modal.locator('input[name=typeId][value="5"]').check()
      await expect(modal.locator('#identity-degree')).toBeVisible()
      await modal.locator('input[name=typeId][value="3"]').check()
      await expect(modal.locator('#identity-degree')).toHaveCount(0)
      await modal.locator('#identity-pan').fill('ABCDE12345')
      await modal.locator('input[name=hasConsented]').check()
      await modal.locator('button.button-primary').click()
      await expect(modal.locator('#identity-pan')).toBeFocused()
      await expect(modal.locator('#identity-pan-error')).toHaveText(
        prefix ? 'Please provide a valid PAN card Number.' : 'சரியான PAN அட்டை எண்ணை எழுதுங்கள்.',
      )
      await expectAxeClean(page)
      await modal.locator('#identity-pan').fill('ABCDE1234F')
      await modal.locator('input[name=hasConsented]').check()
      await modal.locator('button.button-primary').click()
      await expect(page).toHaveURL(new RegExp(`${prefix}/register\\?`))
      await expect(page.locator('#register-otp')).toBeVisible()
      await expect(modal).toHaveCount(0)
      await expectNoSidewaysScroll(page)

      await page.goBack()
      await expect(page).toHaveURL(new RegExp(`${prefix}/buy/2$`))
      await untilAlive(page)
      await expect(modal).toHaveCount(0)
      await login.click()
      await page.locator('#register-otp').fill(await codeSentTo(request, phone))
      await page.locator('button[value=verify]').click()
      await expect(page).toHaveURL(new RegExp(`${prefix}/buy/2$`))
      await expect(page.locator(`a[href="${prefix}/login"]`)).toHaveCount(0)
      const me = await (await page.request.get(`/api/v1/userprofile/id=${await ownId(page)}`)).json()
      expect(me).toMatchObject({ name: 'Selvi', title: 2, usertype: 3 })
      await page.context().clearCookies()
      expect(await loginByApi(page, phone)).toBe(200)
    })
  }
}

test('a person who registers from an animal finds the buyer chosen, and returns to it', async ({ page, request }) => {
  const phone = newPhone()
  await page.goto('/en/buy/1')
  const animal = (await page.locator('article a').first().getAttribute('href'))!
  await page.goto(`/en/register?next=${animal}`)
  await expect(page.getByRole('heading', { level: 1, name: 'New User Registration' })).toBeVisible()
  await untilAlive(page)
  await expect(page.getByRole('radio')).toHaveCount(5)
  await expect(page.getByRole('radio', { name: /^Buyer I/ })).toBeChecked()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await expectAxeClean(page)
  await untilAlive(page)
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Selvi')
  await page.getByRole('checkbox', { name: /^I am 18/ }).check()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()
  // A return within a quarter of an hour: the login leads to the code.
  await page.goto(`/en/login?next=${animal}`)
  await untilAlive(page)
  await page.getByRole('textbox', { name: 'OTP' }).fill(await codeSentTo(request, phone))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(new RegExp(`${animal}$`))
  const me = await page.request.post('/api/v1/validatesession', {
    headers: { 'X-CSRFToken': (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value },
  })
  expect(await me.json()).toMatchObject({ name: 'Selvi', usertype: 1 })
})

test('a vet registers with degree and password, and logs in with it', async ({ page, request }) => {
  const phone = newPhone()
  await page.goto('/en/register?next=/en/buy/1')
  await untilAlive(page)
  await page.getByRole('radio', { name: /^Veterinarian/ }).check()
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Meena')
  await page.getByRole('textbox', { name: /^Degree/ }).fill('BVSc')
  await page.getByRole('textbox', { name: /^Password/ }).fill(PASSWORD)
  await page.getByRole('checkbox', { name: /^I am 18/ }).check()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()
  await untilAlive(page)
  await page.getByRole('textbox', { name: 'OTP' }).fill(await codeSentTo(request, phone))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/en\/buy\/1$/)
  await page.context().clearCookies()
  expect(await loginByApi(page, phone)).toBe(200)
})

async function fill(page: import('@playwright/test').Page, phone: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone number' }).fill(phone)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Selvi')
  await page.getByRole('radio', { name: /^Buyer I/ }).check()
  await page.getByRole('checkbox', { name: /^I am 18/ }).check()
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the whole registration works, and the fields for vets say so', async ({ page, request }) => {
    const phone = newPhone()
    await page.goto('/en/register?next=/en/buy/1')
    await expect(page.getByRole('textbox', { name: 'PAN number (for sellers)' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Degree (for vets)' })).toBeVisible()
    await page.getByRole('combobox', { name: 'Title' }).selectOption({ label: 'Dr' })
    await fill(page, `0 ${phone.slice(0, 5)} ${phone.slice(5)}`)
    await page.getByRole('checkbox', { name: /^I am 18/ }).uncheck()
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await expect(page.getByText('Please tick this to go on.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Selvi')
    await expect(page.getByRole('combobox', { name: 'Title' })).toHaveValue('4')
    await fill(page, phone)
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await expect(page.getByText(/You can ask for another OTP in \d+ seconds/)).toBeVisible()
    const first = await codeSentTo(request, phone)
    await page.getByRole('button', { name: 'Send another OTP' }).click()
    const second = await codeSentTo(request, phone, first)
    await page.goto('/en/login?next=/en/buy/1')
    await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()
    await page.getByRole('textbox', { name: 'OTP' }).fill(second)
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page).toHaveURL(/\/en\/buy\/1$/)
    await expect(page.locator('a[href="/en/login"]')).toHaveCount(0)
  })
})

test('a phone that can read SMS fills the OTP in automatically', async ({ page, request }) => {
  // No browser reads SMS in a test: this script answers like Android's once it has the code.
  await page.addInitScript(() => {
    const received = new Promise<string>((resolve) => Object.assign(window, { smsArrives: resolve }))
    Object.assign(window, { OTPCredential: class {} })
    navigator.credentials.get = async (asked?: CredentialRequestOptions & { otp?: { transport: string[] } }) =>
      asked?.otp?.transport.includes('sms') ? ({ code: await received } as unknown as Credential) : null
  })
  const phone = newPhone()
  await page.goto('/en/register')
  await untilAlive(page)
  await fill(page, phone)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const otp = page.getByRole('textbox', { name: 'OTP' })
  await expect(otp).toHaveValue('')
  await untilAlive(page)
  const code = await codeSentTo(request, phone)
  await page.evaluate((code) => (window as unknown as { smsArrives: (code: string) => void }).smsArrives(code), code)
  await expect(otp).toHaveValue(code)
  await page
    .getByRole('main')
    .getByRole('button', { name: /Verify/ })
    .click()
  await expect(page).toHaveURL(/\/en$/)
})

test('a person whom an app registered without consent is asked once: after the login, and before the first listing and the first order', async ({
  page,
}) => {
  const phone = await registerByApi(page, newPhone(), { consent: undefined, usertype: 3 })
  // The session of the app: the form of a listing asks first, and so does the order.
  await page.goto('/en/confirm-order/1')
  await expect(page).toHaveURL(/\/en\/consent\?next=%2Fen%2Fconfirm-order%2F1$/)
  await page.goto('/en/sell')
  await expect(page.getByRole('heading', { level: 1, name: 'Before you go on' })).toBeVisible()
  await untilAlive(page)
  await expectAxeClean(page)
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(page.getByRole('checkbox', { name: /^I am 18/ })).toHaveAccessibleDescription('Please tick this to go on.')

  await page.context().clearCookies()
  await page.goto('/login?next=/buy/2')
  await untilAlive(page)
  await page.locator('#login-phone').fill(phone)
  await page.locator('#login-password').fill(PASSWORD)
  await page.locator('button[value=password]').click()
  await expect(page).toHaveURL(/\/consent\?next=%2Fbuy%2F2$/)
  await untilAlive(page)
  await expectNoSidewaysScroll(page)
  await page.locator('[name=hasConsented]').check()
  await page.getByRole('button', { name: 'சம்மதம், தொடர' }).click()
  await expect(page).toHaveURL(/\/buy\/2$/)
  await page.goto('/en/sell')
  await expect(page).toHaveURL(/\/en\/my-addresses\/sell\/selleraddress/)
})
