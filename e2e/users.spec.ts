import { DEMO_PASSWORD, loginAsAdmin, loginAsSuperAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, test, untilAlive } from './market.ts'
import { askForType, loginByApi, ownId, PASSWORD, registerByApi } from './people.ts'

test('an admin makes a person a vet: decides the request, then approves the registration', { tag: core }, async ({ page, browser }) => {
  test.slow()
  const person = await (await browser.newContext()).newPage()
  const phone = await registerByApi(person)
  const id = await ownId(person)
  await askForType(person, id, 5)

  // Only an admin with powers sees whole numbers.
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

test('a deactivated person is logged out at once, and can be activated again', async ({ page, browser }) => {
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

test('the admin pages are for admins only, in Tamil too', async ({ page }) => {
  await page.goto('/en/admin/users')
  await expect(page).toHaveURL(/\/en\/login\?next=%2Fen%2Fadmin%2Fusers$/)
  await loginAsAdmin(page)
  await page.goto('/admin/users?show=vets')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('பயனர்கள்')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

test('a seller has a public page', async ({ page }) => {
  await page.goto('/en/buy/1')
  await page.locator('article a').first().click()
  await page.getByRole('table').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/en\/seller\/\d+$/)
  await expect(page.getByRole('heading', { name: /For sale now/ })).toBeVisible()
  await expect(page.getByText(/\+91/)).toHaveCount(1)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

test('the table of people is sorted and paged by links and keys', { tag: onDesks }, async ({ page, browser }) => {
  const person = await (await browser.newContext()).newPage()
  const phone = await registerByApi(person)
  await loginAsAdmin(page)
  await page.goto(`/en/admin/users?q=${phone}`)
  const table = page.getByRole('table', { name: 'Users' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await table.getByRole('link', { name: 'Orders' }).click()
  await expect(page).toHaveURL(/sort=-orders/)
  await expect(table.getByRole('columnheader', { name: 'Orders' })).toHaveAttribute('aria-sort', 'descending')
  // The search text stays.
  await expect(table.getByRole('row')).toHaveCount(2)
  await page
    .getByRole('navigation', { name: 'Saved views' })
    .getByRole('link', { name: /^New this week/ })
    .click()
  await expect(page).toHaveURL(/show=new/)
  await untilAlive(page)
  await page.keyboard.press('j')
  const rows = table.locator('[data-row-link]')
  await expect(rows.first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/en\/admin\/users\/\d+$/)
  await person.context().close()
})

test('several people are deactivated and activated again at once: first a preview, then reason and password', async ({ page, browser }) => {
  test.slow()
  const people: number[] = []
  for (let n = 0; n < 2; n++) {
    const person = await (await browser.newContext()).newPage()
    await registerByApi(person)
    people.push(await ownId(person))
    await person.context().close()
  }
  await loginAsAdmin(page)
  const own = await ownId(page)
  const tick = async (ids: number[], act: string) => {
    // The newest first, because they have just registered.
    await page.goto('/en/admin/users?sort=-registered')
    for (const id of ids) await page.locator(`input[name="ids"][value="${id}"]`).check()
    await page.getByLabel('With those who are ticked').selectOption(act)
    await page.getByRole('button', { name: 'See whom it concerns' }).click()
  }
  await tick(people, 'Deactivate')
  // The admin of this journey may be far down the list: others have registered since.
  await page.waitForURL(/\/admin\/users\/bulk\?/)
  await page.goto(`${page.url()}&ids=${own}`)
  const main = page.getByRole('main')
  await expect(main).toContainText('It can be done to 2 of the 3 who are ticked.')
  await expect(main).toContainText('This cannot be changed for oneself.')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await untilAlive(page)
  await page.getByRole('button', { name: 'Deactivate: 2' }).click()
  await expect(page.getByLabel('Why')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Why').selectOption('Writes advertisements')
  await page.getByLabel('Your own password').fill('not this one')
  await page.getByRole('button', { name: 'Deactivate: 2' }).click()
  await expect(page.getByLabel('Your own password')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Why')).toHaveValue('spam')
  await page.getByLabel('Your own password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Deactivate: 2' }).click()
  await expect(main.getByRole('status')).toHaveText('Done and noted: 2.')
  for (const id of people) {
    // A busy machine refuses now and then with Retry-After.
    await expect(async () => {
      await page.goto(`/en/admin/users/${id}`)
      await expect(main).toContainText('Deactivated', { timeout: 3000 })
    }).toPass()
  }
  await tick(people, 'Activate')
  await page.getByLabel('Why').selectOption('Was a mistake')
  await page.getByLabel('Your own password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Activate: 2' }).click()
  await expect(main.getByRole('status')).toHaveText('Done and noted: 2.')
})
