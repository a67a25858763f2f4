import type { Locator, Page } from '@playwright/test'
import { DEMO_PASSWORD } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive, withOwnFonts } from './market.ts'
import { loginByApi } from './people.ts'

const VET = '9000000005'
const WAITING_VET = '9000000006'
// The journeys share one vet, so they run one after the other.
test.describe.configure({ mode: 'default' })

/** Releases whatever an earlier journey has left. */
async function emptyHands(page: Page) {
  await page.goto('/en/vet-verify')
  while ((await page.getByRole('button', { name: 'Release it' }).count()) > 0) {
    await page.getByRole('button', { name: 'Release it' }).first().click()
    await page.waitForURL(/\/en\/vet-verify$/)
  }
}

/** Takes an animal by the button of its row. */
async function takeFrom(page: Page, row: Locator) {
  const name = await row.getByRole('heading').innerText()
  await row.getByRole('button', { name: /^Take: / }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText(`Taken: ${name}. They are in your day’s route above.`)
}

test('a vet takes the nearest animal, checks it on its own page, and a buyer sees the result', { tag: core }, async ({ page, browser }) => {
  test.slow()
  await loginByApi(page, VET, DEMO_PASSWORD)
  await emptyHands(page)
  await page.goto('/en/vet-verify?pincode=638011')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await expect(page.getByText('By distance from 638011')).toBeVisible()
  const card = page.getByRole('region', { name: 'Livestocks with CheckUp pending' }).getByRole('article').first()
  const link = card.getByRole('heading').getByRole('link')
  const name = await link.innerText()
  const path = (await link.getAttribute('href'))!
  await expect(card).not.toContainText('Pickup address')

  await takeFrom(page, card)
  await expect(page).toHaveURL(/\/en\/vet-verify\?pincode=638011$/)
  await expectAxeClean(page)
  await page.goto(path.replace('/product/', '/vet-verify/'))
  await expect(page.getByRole('main')).toContainText('You have taken this animal, until')
  await expect(page.getByRole('main')).toContainText('Pickup address')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  // On the animal's own page the vet's tab is open.
  await page.goto(path)
  await untilAlive(page)
  await expect(page.getByRole('tab', { name: 'Veterinary Check Details' })).toHaveAttribute('aria-selected', 'true')
  const panel = page.getByRole('tabpanel')
  await panel.getByLabel('Checked-On').fill('')
  await panel.getByRole('button', { name: 'Save the check' }).click()
  await expect(panel.getByRole('alert')).toHaveText('Failed to save Veterinary check details.')
  await expect(panel.getByRole('group', { name: 'Approval status' })).toHaveAccessibleDescription('Approval status value is required.')
  await expect(panel.getByLabel('Checked-On')).toHaveAccessibleDescription('Checked-On field value is required.')
  await expect(panel.getByRole('textbox', { name: 'Comments' })).toHaveAccessibleDescription(/Comments field value is required\./)
  await panel.getByRole('radio', { name: 'Pass' }).check()
  await panel.getByLabel('Checked-On').fill(new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date()))
  await panel.getByRole('textbox', { name: 'Comments' }).fill('Walks well, eats well.')
  await panel.getByLabel('Temperature').fill('385')
  await panel.getByLabel('Walk and legs').selectOption('Good')
  await panel.getByRole('button', { name: 'Save the check' }).click()
  // Refused, and the typed values stay.
  await expect(panel.getByLabel('Temperature')).toHaveAccessibleDescription('Between 30 and 45 °C, such as 38.5.')
  await expect(panel.getByRole('textbox', { name: 'Comments' })).toHaveValue('Walks well, eats well.')
  await panel.getByLabel('Temperature').fill('38,5')
  await panel.getByLabel('Photos of the check').setInputFiles(['public/share.jpg', 'public/share.jpg'])
  await panel.getByRole('button', { name: 'Save the check' }).click()
  await expect(panel.getByRole('status')).toHaveText('The check is saved. Thank you.')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  const buyer = await (await browser.newContext()).newPage()
  await buyer.goto(`${path}?tab=vet`)
  await expect(buyer.getByRole('tabpanel')).toContainText('Walks well, eats well.')
  await expect(buyer.getByRole('tabpanel')).toContainText('38.5 °C')
  await expect(buyer.getByRole('tabpanel')).toContainText('Valid until')
  const taken = buyer.getByRole('tabpanel').getByRole('link', { name: /^Photo [12] of the check on / })
  await expect(taken).toHaveCount(2)
  expect((await buyer.request.get((await taken.first().getAttribute('href'))!)).headers()['content-type']).toBe('image/jpeg')
  await expect(buyer.getByRole('tabpanel')).not.toContainText('Save the check')
  await buyer.context().close()

  await page.goto('/en/vet-verify?tab=completed')
  await expect(page.getByRole('region', { name: 'CheckUp Completed' }).getByRole('article').first()).toContainText(name)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

test("a vet's taken animals form a route; typed text stays until it is saved, then it is one of their checks", async ({ page }) => {
  test.slow()
  await loginByApi(page, VET, DEMO_PASSWORD)
  await emptyHands(page)
  const names: string[] = []
  for (const district of ['Erode', 'Salem']) {
    await page.goto(`/en/vet-verify?district=${district}`)
    const card = page.getByRole('region', { name: 'Livestocks with CheckUp pending' }).getByRole('article').first()
    names.push(await card.getByRole('heading').innerText())
    await takeFrom(page, card)
  }
  await page.goto('/en/vet-verify?pincode=636001')
  const route = page.getByRole('region', { name: /^Taken by you/ })
  await expect(route).toContainText('A short way from 636001')
  // From Salem, the animal in Salem is first.
  const stops = route.getByRole('article')
  await expect(stops.first()).toContainText(names[1]!)
  await expect(stops.nth(1)).toContainText(names[0]!)
  await expect(stops.nth(1)).toContainText('km further')
  await expect(stops.first().getByRole('link', { name: /^\+91/ })).toHaveAttribute('href', /^tel:/)
  await expect(route.getByRole('link', { name: 'The way on the map' })).toHaveAttribute('href', /waypoints=/)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  await stops.first().getByRole('link', { name: 'Enter what you found' }).click()
  await untilAlive(page)
  await page.context().setOffline(true)
  await page.getByRole('textbox', { name: 'Comments' }).fill('Kept without a line')
  await page.getByRole('radio', { name: 'Fail' }).check()
  await expect(page.getByText('Kept on this phone')).toBeVisible()
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByText('What you wrote before is here again.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Comments' })).toHaveValue('Kept without a line')
  await expect(page.getByRole('radio', { name: 'Fail' })).toBeChecked()
  await expectAxeClean(page)
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('own:vet-check-')))
  expect(await kept()).toHaveLength(1)
  await page.getByRole('button', { name: 'Save the check' }).click()
  await expect(page).toHaveURL(/tab=completed/)
  await expect.poll(kept).toEqual([])

  await page.getByRole('link', { name: 'My checks' }).click()
  const row = page.getByRole('table', { name: 'My checks' }).getByRole('row').nth(1)
  await expect(row).toContainText(names[1]!)
  await expect(row).toContainText('Kept without a line')
  await expect(row).toContainText('Fail')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await emptyHands(page)
})

test('a vet ticks two animals, takes them with one button, and stays on the list', async ({ page }) => {
  test.slow()
  await loginByApi(page, VET, DEMO_PASSWORD)
  await emptyHands(page)
  await page.goto('/en/vet-verify')
  await untilAlive(page)
  const list = page.getByRole('region', { name: 'Livestocks with CheckUp pending' })
  const status = page.getByRole('main').getByRole('status')
  const rows = list.getByRole('article')
  const names = [await rows.first().getByRole('heading').innerText(), await rows.nth(1).getByRole('heading').innerText()]
  for (const n of [0, 1]) await rows.nth(n).getByRole('checkbox').check()
  const button = list.getByRole('button', { name: 'Take those that are ticked' })
  await expect(button).toBeInViewport({ ratio: 1 })
  await button.click()
  await expect(status).toContainText(`Taken: ${names.join(', ')}.`)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.getByRole('heading', { name: /^Taken by you: 2 of/ }).click()
  await expect(page.getByRole('region', { name: /^Taken by you/ }).getByRole('article')).toHaveCount(2)
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('Tick at least one animal.')
  await emptyHands(page)
})

test('on a phone the button of a check stays at the foot of the screen and covers no field', async ({ page }) => {
  await loginByApi(page, VET, DEMO_PASSWORD)
  await emptyHands(page)
  await page.goto('/vet-verify?district=Salem')
  await page.getByRole('link', { name: 'முடிவை எழுத' }).first().click()
  await untilAlive(page)
  const save = page.getByRole('button', { name: 'பரிசோதனையைச் சேமிக்க' })
  await expect(save).toBeInViewport({ ratio: 1 })
  await expectAxeClean(page)
  await save.click()
  const pass = page.getByRole('radio', { name: 'நலம்', exact: true })
  await expect(pass).toBeFocused()
  await expect(save).toBeInViewport({ ratio: 1 })
  // With its label and its texts, each focused field is between the header and the button.
  const covered = () =>
    page.evaluate(() => {
      const field = document.activeElement!
      const texts = field.getAttribute('aria-describedby')?.split(' ') ?? []
      const boxes = [field.closest('label') ?? field, ...texts.map((id) => document.getElementById(id)!)].map((each) =>
        each.getBoundingClientRect(),
      )
      const top = document.querySelector('header')!.getBoundingClientRect().bottom
      const { top: bottom } = document.querySelector('[data-desk-foot]')!.getBoundingClientRect()
      return boxes.some((box) => box.top < top || box.bottom > bottom) ? field.outerHTML : null
    })
  for (const key of ['Tab', 'Shift+Tab']) {
    const end = key === 'Tab' ? save : pass
    do {
      expect(await covered(), key).toBeNull()
      await page.keyboard.press(key)
    } while (!(await end.evaluate((each) => each === document.activeElement)))
    if (key === 'Tab') await page.keyboard.press('Shift+Tab')
  }
  await expectNoSidewaysScroll(page)
})

test('the desk filters by district and sorts by a typed PIN code', async ({ page }) => {
  await withOwnFonts(page)
  await loginByApi(page, VET, DEMO_PASSWORD)
  await page.goto('/en/vet-verify')
  await untilAlive(page)
  const filters = page.getByText('Filter Options')
  const pincode = page.getByLabel('Distance from PIN code')
  await expect(pincode).not.toBeVisible()
  await filters.click()
  await expect(page.getByRole('button', { name: 'Show' })).toHaveCount(0)
  await pincode.fill('625001')
  await pincode.press('Enter')
  await expect(page.getByText('By distance from 625001')).toBeVisible()
  await expect(filters).toHaveText('Filter Options1')
  await expect(pincode).not.toBeVisible()
  const map = page.getByRole('img', { name: 'These animals on the map' })
  await expect(map).not.toBeVisible()
  await page.getByText('These animals on the map').click()
  await expect(map).toContainText('Manapparai: 5')
  await expectAxeClean(page)
  // A wider screen folds nothing.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await expect(map).toBeVisible()
  await expect(filters).not.toBeVisible()
  await expectNoSidewaysScroll(page)
  const fields = [page.getByLabel('District'), pincode, page.getByLabel('Order', { exact: true })]
  const tops = await Promise.all(fields.map(async (field) => (await field.boundingBox())!.y))
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(4)
  await page.setViewportSize({ width: 360, height: 800 })
  await filters.click()
  await pincode.fill('999999')
  await pincode.press('Enter')
  await expect(pincode).toHaveAccessibleDescription('This Pincode is not valid. Please try different code.')
  // The wrong field is unfolded.
  await expect(pincode).toBeVisible()
  await expect(page.getByLabel('Distance from PIN code')).toHaveValue('999999')
  await page.goto('/en/vet-verify?district=Karur')
  await expect(page.getByText('Checkup pending livestock list is empty')).toBeVisible()
  await page.goto('/en/vet-verify?tab=completed&district=Karur')
  await expect(page.getByText('Checkup completed livestock list is empty')).toBeVisible()
  await page.getByRole('link', { name: 'All districts' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('a vet who has taken the animals of a day reads so', async ({ page }) => {
  await loginByApi(page, VET, DEMO_PASSWORD)
  await page.goto('/en/vet-verify?full=day')
  await expect(page.getByRole('alert')).toHaveText('You can take 60 animals in a day, not more. Please try again tomorrow.')
  await expectAxeClean(page)
  await page.goto('/vet-verify?full=day')
  await expect(page.getByRole('alert')).toHaveText('ஒரு நாளில் 60 கால்நடைகளுக்கு மேல் பொறுப்பெடுக்க முடியாது. நாளை மீண்டும் முயலுங்கள்.')
  await expectNoSidewaysScroll(page)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('a vet unfolds the filter and chooses a district', async ({ page }) => {
    await loginByApi(page, VET, DEMO_PASSWORD)
    await page.goto('/vet-verify')
    await page.getByText('வடிகட்ட', { exact: true }).click()
    await page.getByLabel('மாவட்டம்').selectOption('சேலம்')
    await page.getByRole('button', { name: 'காட்ட', exact: true }).click()
    await expect(page).toHaveURL(/district=Salem/)
    await expect(page.getByText('வடிகட்ட')).toHaveText('வடிகட்ட1')
  })

  test('a vet takes ticked animals and stays on the list', async ({ page }) => {
    await loginByApi(page, VET, DEMO_PASSWORD)
    await emptyHands(page)
    await page.goto('/en/vet-verify?sort=longest&pincode=638011')
    const rows = page.getByRole('region', { name: 'Livestocks with CheckUp pending' }).getByRole('article')
    const name = await rows.first().getByRole('heading').innerText()
    await rows.first().getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Take those that are ticked' }).click()
    await expect(page).toHaveURL(/sort=longest/)
    await expect(page.getByRole('main').getByRole('status')).toContainText(`Taken: ${name}.`)
    await emptyHands(page)
  })

  test('a vet checks an animal without taking it first and reads in Tamil what is missing; the typed text stays', async ({ page }) => {
    await loginByApi(page, VET, DEMO_PASSWORD)
    await page.goto('/vet-verify?district=Madurai')
    await page.getByRole('link', { name: 'முடிவை எழுத' }).first().click()
    await expect(page).toHaveURL(/\/vet-verify\/\d+$/)
    await page.getByLabel('கருத்து', { exact: true }).fill('கால் நலம்')
    await page.getByRole('button', { name: 'பரிசோதனையைச் சேமிக்க' }).click()
    await expect(page.getByRole('alert')).toHaveText('மருத்துவப் பரிசோதனை விவரங்களைச் சேமிக்க முடியவில்லை.')
    await expect(page.getByText('நலமா, குறை உள்ளதா என்று தேர்ந்தெடுங்கள்.')).toBeVisible()
    await expect(page.getByLabel('கருத்து', { exact: true })).toHaveValue('கால் நலம்')
    await expectNoSidewaysScroll(page)
    await page.getByLabel('குறை உள்ளது').check()
    await page.getByRole('button', { name: 'பரிசோதனையைச் சேமிக்க' }).click()
    await expect(page).toHaveURL(/\/vet-verify\?tab=completed/)
    await expect(page.getByRole('main').getByRole('status')).toHaveText('பரிசோதனை விவரங்கள் சேமிக்கப்பட்டன. நன்றி.')
    await expect(page.getByRole('region', { name: 'பரிசோதனை முடிந்த கால்நடைகள்' }).getByRole('article').first()).toContainText('கால் நலம்')
  })
})

test('a vet who waits for approval reads so; others have no desk', async ({ page }) => {
  await page.goto('/en/vet-verify')
  await expect(page).toHaveURL(/\/en\/login\?next=%2Fen%2Fvet-verify$/)
  await loginByApi(page, WAITING_VET, DEMO_PASSWORD)
  await page.goto('/en/vet-verify')
  await expect(page.getByRole('main')).toContainText('An admin still has to check your registration number.')
  await expectAxeClean(page)
  await page.goto('/en/product/1?tab=vet')
  await expect(page.getByRole('tabpanel')).toContainText('An admin still has to check your registration number.')
  await loginByApi(page, '9000000001', DEMO_PASSWORD)
  expect((await page.goto('/en/vet-verify'))!.status()).toBe(403)
})
