import { DEMO_PASSWORD, loginAsAdmin, loginAsSuperAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test } from './market.ts'
import { askForType, loginByApi, ownId, PASSWORD, registerByApi } from './people.ts'

test('an admin makes somebody a vet: decides the request, then approves the registration', async ({ page, browser }) => {
  test.slow()
  const person = await (await browser.newContext()).newPage()
  const phone = await registerByApi(person)
  const id = await ownId(person)
  await askForType(person, id, 5)

  // Only powers show whole numbers.
  await loginAsSuperAdmin(page)
  await page.goto('/en/admin/users?show=requests')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.getByLabel('Name, whole phone or number').fill(phone)
  await page.getByRole('button', { name: 'Find' }).click()
  // Masked in the list, whole on the person's own page.
  await expect(page.getByText(phone)).toHaveCount(0)
  await page.getByRole('link', { name: 'Selvi' }).click()
  await expect(page.getByText(`+91 ${phone.slice(0, 5)} ${phone.slice(5)}`)).toBeVisible()
  await expectAxeClean(page)
  const done = page.getByRole('main').getByRole('status')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(done).toHaveText('Done and noted.')
  await page.getByRole('button', { name: 'Approve as vet' }).click()
  await expect(page.getByLabel('Registration number')).toBeFocused()
  await expect(page.getByLabel('Registration number')).toHaveAccessibleDescription(/Please write the registration number/)
  await page.getByLabel('Registration number').fill('TNVC 4711')
  await page.locator('#user-vet-password').fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Approve as vet' }).click()
  await expect(page.getByText('Approved: may check animals.')).toBeVisible()
  await expect(page.getByText('Vet approval changed')).toBeVisible()
  await expectNoSidewaysScroll(page)

  await person.goto(`/en/userprofile/${id}`)
  await expect(person.getByText('Veterinarian')).toBeVisible()
  await person.context().close()
})

test('a deactivated person is out at once, and can be let in again', async ({ page, browser }) => {
  const person = await (await browser.newContext()).newPage()
  const phone = await registerByApi(person)
  const id = await ownId(person)
  await loginAsAdmin(page)
  await page.goto(`/en/admin/users/${id}`)
  const press = async (name: string, password: string) => {
    await page.locator('#user-active-password').fill(password)
    await page.getByRole('button', { name }).click()
  }
  await press('Deactivate', 'wrong one')
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await expect(page.locator('#user-active-password')).toHaveAccessibleDescription('This is not your password.')
  const done = page.getByRole('main').getByRole('status')
  await press('Deactivate', PASSWORD)
  await expect(done).toHaveText('Done and noted.')
  await person.goto(`/en/userprofile/${id}`)
  await expect(person).toHaveURL(/\/en\/login\?next=/)
  expect(await loginByApi(person, phone)).toBe(401)
  await press('Activate', PASSWORD)
  await expect(page.getByText('Logs the person out everywhere')).toBeVisible()
  expect(await loginByApi(person, phone, PASSWORD)).toBe(200)
  await person.context().close()
})

test('the pages of admins are for admins, in Tamil too', async ({ page }) => {
  await page.goto('/en/admin/users')
  await expect(page).toHaveURL(/\/en\/login\?next=%2Fen%2Fadmin%2Fusers$/)
  await loginAsAdmin(page)
  await page.goto('/admin/users?show=vets')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('பயனர்கள்')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

test('a seller has a page for everybody', async ({ page }) => {
  await page.goto('/en/buy/1')
  await page.locator('article a').first().click()
  await page.getByRole('table').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/en\/seller\/\d+$/)
  await expect(page.getByRole('heading', { name: /For sale now/ })).toBeVisible()
  await expect(page.getByText(/\+91/)).toHaveCount(1)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})
