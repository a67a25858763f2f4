import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'

test('"Near me" opens the nearest first, and the phone says no more than a coarse square', async ({ browser, baseURL, viewport }) => {
  const pollachi = { latitude: 10.66312, longitude: 77.00813 }
  const context = await browser.newContext({ baseURL: baseURL!, viewport, geolocation: pollachi, permissions: ['geolocation'] })
  const page = await context.newPage()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')))
  await page.goto('/en/buy/1')
  await untilAlive(page)
  await page.getByRole('link', { name: 'Near me', exact: true }).click()
  await expect(page).toHaveURL(/near=10\.7%2C77\.0&sort=nearest|sort=nearest&near=10\.7%2C77\.0/)
  await expect(page.getByText(/^Distance from .*Coimbatore/)).toBeVisible()
  expect(sent.filter((each) => /10\.66|77\.00/.test(each))).toEqual([])
  const distances = await page.locator('.listing-rows .place b').allTextContents()
  const kilometres = distances.map((text) => Number(/\d+/.exec(text)![0]))
  expect(kilometres).toEqual(kilometres.toSorted((a, b) => a - b))
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  // The usual distance is one tap, and says so as a chip that a tap takes away.
  await page.getByRole('link', { name: 'Within 50 km', exact: true }).click()
  await expect(page).toHaveURL(/within=50/)
  await expect(page.getByRole('link', { name: 'Remove: Near me · Within 50 km' })).toBeVisible()
  await context.close()
})

test('where the phone does not say where it is, the field for a PIN code or town has the focus', async ({ page }) => {
  await page.goto('/en/buy/1')
  await untilAlive(page)
  await page.getByRole('link', { name: 'Near me', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'We could not find where you are.' })).toBeVisible()
  await expect(page.getByLabel('PIN code or town')).toBeFocused()
  await expectAxeClean(page)
})

test('the usual price of a species is one tap, and species and distances say how many they leave', async ({ page }) => {
  await page.goto('/en/buy/1?near=638701')
  const found = async () => Number(/\d+/.exec((await page.getByText(/^\d+ found$/).textContent())!)![0])
  const option = (await page.locator('select[name=within] option[value="100"]').textContent())!
  const within = Number(/\((\d+)\)/.exec(option)![1])
  await page.goto('/en/buy/1?near=638701&within=100')
  expect(await found()).toBe(within)
  await page.goto('/en/buy/1')
  await page.getByRole('link', { name: '≤ ₹80,000' }).click()
  await expect(page).toHaveURL(/max=80000/)
  await expect(page.getByRole('link', { name: 'Remove: ≤ ₹80,000' })).toBeVisible()
})
