import { DEMO_PASSWORD, loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onDesks, onPhones, test } from './market.ts'
import { loginByApi } from './people.ts'

for (const [prefix, tag, words] of [
  [
    '',
    onPhones,
    {
      name: 'உங்கள் பெயர்',
      topic: 'எதைப் பற்றி?',
      content: 'என்ன உதவி வேண்டும்?',
      send: 'அனுப்ப',
      blank: 'என்ன உதவி வேண்டும் என்று எழுதுங்கள்.',
      sent: /உங்கள் கோரிக்கை SU-\d{6} எங்களிடம் வந்தது/,
      next: 'அடுத்த',
      second: /பக்கம் 2 \/ \d/,
      download: 'PDF பதிவிறக்க',
      breed: 'இனம் பற்றி அறிய: காங்கேயம்',
      tract: 'பூர்வீகம்',
      neighbours: 'அருகில் உள்ள இனங்கள்',
      now: 'இப்போது விற்பனைக்கு',
    },
  ],
  [
    '/en',
    onDesks,
    {
      name: 'Your name',
      topic: 'What is it about?',
      content: 'What can we do for you?',
      send: 'Send',
      blank: 'Please write what we can do for you.',
      sent: /Your ticket SU-\d{6} is with us/,
      next: 'Next',
      second: /Page 2 of \d/,
      download: 'Download the PDF',
      breed: 'About the breed: Kangayam',
      tract: 'Home tract',
      neighbours: 'Neighbours',
      now: 'For sale now',
    },
  ],
] as const) {
  const language = prefix || 'Tamil'

  test(`a refused ticket keeps its text, and an accepted one gets its number (${language})`, { tag }, async ({ page }) => {
    await page.goto(`${prefix}/support`)
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    await page.getByLabel(words.name).fill('Selvi')
    await page.locator('#ticket-phone').fill('98765 43210')
    await page.getByLabel(words.topic).selectOption('order')
    await page.getByRole('button', { name: words.send, exact: true }).click()
    await expect(page.getByText(words.blank)).toBeVisible()
    await expect(page.getByLabel(words.name)).toHaveValue('Selvi')
    await expect(page.locator('#ticket-phone')).toHaveValue('98765 43210')
    await expect(page.getByLabel(words.topic)).toHaveValue('order')
    await expectAxeClean(page)
    await page.getByLabel(words.content).fill('Where is order 12?')
    await page.getByRole('button', { name: words.send, exact: true }).click()
    await expect(page.getByRole('status').getByText(words.sent)).toBeVisible()
    await expectAxeClean(page)
  })

  test(`a reader reads the terms sheet by sheet and downloads them as a PDF (${language})`, { tag }, async ({ page, request }) => {
    await page.goto(`${prefix}/terms`)
    await expect(page.locator('#pdf img')).toHaveJSProperty('complete', true)
    await page.getByRole('link', { name: words.next, exact: true }).click()
    await expect(page.getByText(words.second)).toBeVisible()
    // A rendered picture, not a broken one.
    await expect.poll(() => page.locator('#pdf img').evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(100)
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    const pdf = await request.get((await page.getByRole('link', { name: words.download }).getAttribute('href'))!)
    expect(pdf.headers()['content-type']).toBe('application/pdf')
    expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-')
    // The address of a missing sheet leads to the terms themselves.
    for (const wrong of ['0', '99', 'x']) expect((await request.get(`${prefix}/terms/page/${wrong}`)).url()).toMatch(/\/terms$/)
  })

  test(`a list of one breed leads to the breed's page, and from there to an animal (${language})`, { tag }, async ({ page }) => {
    await page.goto(`${prefix}/buy/1?breed=101`)
    await page.getByRole('link', { name: words.breed }).click()
    await expect(page).toHaveURL(new RegExp(`${prefix}/breeds/kangayam$`))
    await expect(page.getByText(words.tract, { exact: true })).toBeVisible()
    await expect(page.getByRole('navigation', { name: words.neighbours }).getByRole('link')).not.toHaveCount(0)
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    await page
      .locator('section', { has: page.getByRole('heading', { name: words.now }) })
      .locator('article a')
      .first()
      .click()
    await expect(page).toHaveURL(/\/product\/\d+$/)
    await page.getByRole('link', { name: words.breed }).click()
    await expect(page).toHaveURL(/\/breeds\/kangayam$/)
  })

  test(`prose pages fit their screen and axe finds no violation (${language})`, { tag }, async ({ page }) => {
    test.slow()
    for (const path of ['how-it-works', 'privacy-policy', 'jersey-cattle-sale-coimbatore', 'breeds']) {
      const response = await page.goto(`${prefix}/${path}`)
      expect(response!.status(), path).toBe(200)
      await expectNoSidewaysScroll(page)
      await expectAxeClean(page)
    }
  })
}

test('an admin closes a ticket with a note, and its author reads the answer', { tag: onDesks }, async ({ page, browser }) => {
  const writer = await browser.newContext()
  const letter = await writer.newPage()
  await loginByApi(letter, '+919000000001', DEMO_PASSWORD)
  await letter.goto('/en/support')
  await letter.getByLabel('What is it about?').selectOption('account')
  await letter.getByLabel('What can we do for you?').fill('Please call me about my account.')
  await letter.getByRole('button', { name: 'Send', exact: true }).click()
  const number = /SU-\d{6}/.exec(
    (await letter
      .getByText(/SU-\d{6}/)
      .first()
      .textContent())!,
  )![0]
  await loginAsAdmin(page)
  await page.goto('/en/admin/tickets')
  await expectAxeClean(page)
  await page.locator('[data-row-link]').filter({ hasText: number }).click()
  const card = page.getByRole('article', { name: number })
  await card.getByRole('button', { name: 'Close the ticket' }).click()
  await expect(card.getByText('Please write why.')).toBeVisible()
  await card.getByLabel('Answer, or what was done').fill('We called you: all is well.')
  await card.getByRole('button', { name: 'Close the ticket' }).click()
  await expect(page.getByText(`${number} is closed.`)).toBeVisible()
  await letter.goto('/en/support')
  await expect(letter.getByText('We called you: all is well.')).toBeVisible()
  await writer.close()
})
