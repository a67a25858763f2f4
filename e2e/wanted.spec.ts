import type { Page } from '@playwright/test'
import { decide } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { loginByApi, registerByApi } from './people.ts'
import { callApi, listBull, registerSeller, openStep, describeAnimal } from './sellers.ts'

/** The market's messages to this number, newest first. */
async function messagesTo(page: Page, phone: string): Promise<string[]> {
  const messages = (await (await page.request.get('/dev/outbox.json')).json()) as { to: string; text: string }[]
  return messages.filter(({ to }) => to === `+91${phone}`).map(({ text }) => text)
}

async function openDesk(page: Page): Promise<void> {
  expect(await loginByApi(page, '9000000009', 'sandhai-demo')).toBe(200)
}

const idIn = (page: Page) => Number(/view-enquiry\/(\d+)/.exec(page.url())![1])

test('a buyer posts an enquiry, an admin approves it, a seller answers, and the buyer is notified and compares', async ({
  page,
  browser,
}) => {
  test.slow()
  const phone = await registerByApi(page)
  await page.goto('/add-enquiry')
  await untilAlive(page)
  // An empty form reports its errors and loses nothing.
  await page.getByRole('button', { name: 'தேவையைப் பதிவிட' }).click()
  await expect(page.getByText('என்ன வகை வேண்டும் என்று தேர்ந்தெடுங்கள்.')).toBeVisible()
  await page.getByRole('radio', { name: 'கால்நடைகள்' }).check()
  await page.getByRole('radio', { name: 'மாடுகள்', exact: true }).check()
  await page.getByRole('combobox', { name: 'இனம்' }).selectOption({ label: 'காங்கேயம்' })
  await page.getByLabel('விவரம்').fill('உழவுக்கு ஒரு காளை வேண்டும்')
  await page.getByLabel('விலை (ஒன்றுக்கு)').fill('90,000')
  await page.getByLabel('எந்தப் பின்கோடு பகுதியில்?').fill('638701')
  await expect(page.getByText('காங்கேயம், திருப்பூர், தமிழ்நாடு')).toBeVisible()
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'தேவையைப் பதிவிட' }).dblclick()
  await expect(page.getByRole('main').getByRole('status')).toContainText('உங்கள் தேவை பதிவானது.')
  await expect(page.getByText('சரிபார்ப்பில் உள்ளது')).toBeVisible()
  await expectAxeClean(page)
  const id = idIn(page)
  await page.goto('/my-enquiries')
  // Two taps created one enquiry.
  await expect(page.getByRole('article')).toHaveCount(1)
  await expectAxeClean(page)

  const desk = await browser.newContext()
  const admin = await desk.newPage()
  await openDesk(admin)
  await admin.goto('/en/view-requirements?state=pending')
  await expect(admin.locator('article', { hasText: 'உழவுக்கு ஒரு காளை வேண்டும்' }).first()).toContainText('Pending Verification')
  await expectAxeClean(admin)
  await admin.goto(`/en/view-enquiry/${id}`)
  await untilAlive(admin)
  await admin.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(admin.getByText('Please enter approval comment and save your response.')).toBeVisible()
  await admin.getByRole('checkbox').check()
  await admin.getByLabel('Comment').fill('Called them.')
  await expectAxeClean(admin)
  await admin.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(admin.getByRole('main').getByRole('status')).toContainText('Succesfully approved requirement request for posting.')
  await desk.close()

  const shop = await browser.newContext()
  const seller = await shop.newPage()
  const account = await registerSeller(seller)
  const bull = await listBull(seller, account, 'Answering bull')
  await seller.goto(`/en/view-requirements?kind=c1&near=638701&within=25`)
  await seller
    .locator('article', { hasText: 'உழவுக்கு ஒரு காளை வேண்டும்' })
    .filter({ has: seller.locator(`a[href$="/view-enquiry/${id}"]`) })
    .getByRole('link')
    .click()
  await untilAlive(seller)
  await expect(seller.getByText('NEW ENQUIRY')).toBeVisible()
  // A buyer's phone number stays hidden from sellers.
  await expect(seller.getByRole('main')).not.toContainText(phone.slice(0, 5))
  await expectAxeClean(seller)
  await seller.getByRole('button', { name: 'Answer with this listing' }).click()
  await expect(seller.getByRole('main').getByRole('status')).toContainText('Your answer is in, and the poster is told.')
  // The bull waits for its verification, so nobody is notified yet.
  expect((await messagesTo(page, phone)).some((text) => text.includes('Answering bull'))).toBe(false)
  await decide(browser, bull, true, 'Good.')
  const second = await listBull(seller, account, 'Second bull')
  await decide(browser, second, true, 'Good.')
  const answered = await callApi(seller, 'POST', `/enquiry-response/id=${id}`, { product: second })
  expect(answered.status()).toBe(200)
  // The seller withdraws the answer, then gives it again.
  await seller.goto(`/en/view-enquiry/${id}`)
  await untilAlive(seller)
  await seller.getByRole('button', { name: 'Take back: Second bull' }).click()
  await expect(seller.getByRole('main').getByRole('status')).toContainText('Your answer has been withdrawn.')
  await expect(seller.getByRole('radio', { name: 'Second bull' })).toBeVisible()
  await expect(seller.getByRole('button', { name: /^Take back/ })).toHaveCount(1)
  await expectAxeClean(seller)
  await seller.getByRole('button', { name: 'Answer with this listing' }).click()
  await expect(seller.getByRole('button', { name: /^Take back/ })).toHaveCount(2)
  await shop.close()

  await expect.poll(() => messagesTo(page, phone)).toContainEqual(expect.stringContaining('Answering bull'))
  await page.goto(`/en/view-enquiry/${id}`)
  const table = page.getByRole('region', { name: 'Answers from sellers: 2' })
  await expect(table.getByRole('columnheader', { name: 'Answering bull' })).toBeVisible()
  await expect(table.getByRole('columnheader', { name: 'Second bull' })).toBeVisible()
  await expect(table.getByRole('link', { name: /^Call/ }).first()).toHaveAttribute('href', `tel:+91${account.phone}`)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Found it, or not needed: close' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('The enquiry is closed.')
})

test('a seller answers with a new listing: the form is prefilled from the enquiry', { tag: core }, async ({ page, browser }) => {
  test.slow()
  const other = await browser.newContext()
  const buyer = await other.newPage()
  await registerByApi(buyer)
  const wish = {
    categorytype: 1,
    category: 1,
    breed: 101,
    gender: 0,
    description: 'A calm cow',
    requiredcount: 1,
    acceptableprice: 0,
    weight: 310,
    requiredaroundpincode: '638701',
    postedfor: 'Selvi',
    contact: '+919876543210',
  }
  const { id } = (await (await callApi(buyer, 'POST', '/product-requirement-enquiries', wish)).json()) as { id: number }
  const desk = await browser.newContext()
  const admin = await desk.newPage()
  await openDesk(admin)
  const verdict = { isverified: true, verificationcomment: 'Called.' }
  expect((await callApi(admin, 'PUT', `/product-requirement-enquiry/id=${id}`, verdict)).status()).toBe(200)
  await desk.close()

  await registerSeller(page)
  await page.goto(`/en/view-enquiry/${id}`)
  await untilAlive(page)
  await page.getByRole('button', { name: 'Respond' }).click()
  await expect(page).toHaveURL(/\/en\/sell/)
  await untilAlive(page)
  await page.locator('#listing-image').setInputFiles('public/share.jpg')
  await openStep(page, 'animal')
  await expect(page.locator('input[name=breedId][value="101"]')).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Female' })).toBeChecked()
  await expect(page.locator('input[name=weightKg]')).toHaveValue('310')
  const answers = { breed: 'Kangayam', sex: 'Female', age: '3-4 years', color: 'Grey', weight: '310', price: '60000' }
  await describeAnimal(page, { ...answers, name: 'Cow that was asked for', description: 'Calm, used to children.' })
  await page.locator('[data-send]').click()
  await expect(page.locator('#sent-title')).toBeVisible()
  await buyer.goto(`/en/view-enquiry/${id}`)
  await expect(buyer.getByText('Answers that are not public: 1.')).toBeVisible()
  await other.close()
})

test(
  'an enquiry is posted without scripts, step by step, and the board asks anonymous visitors to log in',
  { tag: core },
  async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/en/view-requirements')
    await expect(page.getByText(/enquir(y is|ies are) open now/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log in here' })).toHaveAttribute('href', '/en/login?next=%2Fen%2Fview-requirements')
    await registerByApi(page)
    await page.goto('/en/my-enquiries')
    await expect(page.getByText('Sorry! there are no enquiries open as of now, please try again later.')).toBeVisible()
    await page.goto('/en/add-enquiry')
    await page.getByRole('radio', { name: 'Feeds' }).check()
    await expect(page.getByRole('combobox', { name: 'Breed' })).toHaveCount(0)
    await page.getByRole('radio', { name: 'Green fodder and straw' }).check()
    await page.getByLabel('Details').fill('Straw, ten bales')
    await page.getByLabel('Around which PIN code').fill('638701')
    await page.getByRole('button', { name: 'Look up' }).click()
    await expect(page.getByText('Kangayam, Tiruppur, Tamil Nadu')).toBeVisible()
    await expect(page.getByLabel('Details')).toHaveValue('Straw, ten bales')
    await page.getByRole('button', { name: 'Post requirement' }).click()
    await expect(page.getByText('Required price cannot be blank')).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Green fodder and straw' })).toBeChecked()
    await page.getByLabel('Price for one').fill('0')
    await page.getByRole('button', { name: 'Post requirement' }).click()
    await expect(page.getByRole('main').getByRole('status')).toHaveText(
      'Enquiry posted successfully. Thanks for posting your requirement, our team will validate your request and list it in our website.',
    )
    await expect(page.getByText('Open to offers')).toBeVisible()
    await page.getByRole('button', { name: 'Found it, or not needed: close' }).click()
    await expect(page.getByRole('main').getByRole('status')).toHaveText('The enquiry is closed.')
    await context.close()
  },
)
