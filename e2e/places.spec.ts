import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onDesks, onPhones, test, untilAlive } from './market.ts'
import { PASSWORD } from './people.ts'

const PLACES = '/en/admin/places?district=tamil-nadu_perambalur'

test(
  'an admin stops delivery to a PIN code with a reason, a buyer’s address shows it, and delivery is opened again',
  { tag: onDesks },
  async ({ page }) => {
    await loginAsAdmin(page)
    await page.goto('/en/admin/places')
    await expectAxeClean(page)
    await page.getByRole('table').getByRole('link', { name: 'Perambalur' }).click()
    await expect(page).toHaveURL(PLACES)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perambalur')
    await expectAxeClean(page)

    const box = page.locator('input[name="pincode"]').last()
    const pincode = (await box.getAttribute('value'))!
    await box.check()
    await page.getByLabel('Reason').selectOption({ label: 'Roads or weather' })
    await page.getByRole('button', { name: 'Stop delivery' }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Changed PIN codes: 1' })).toBeVisible()
    const latest = page.getByRole('region', { name: 'Changes' }).getByRole('listitem').first()
    await expect(latest).toContainText('Stopped: 1')
    await expect(latest).toContainText('Roads or weather')
    // An address form queries this.
    const isDeliverable = async () =>
      ((await (await page.request.get(`/api/v1/pincode-place/pincode=${pincode}`)).json()) as { isdeliverable: boolean }).isdeliverable
    expect(await isDeliverable()).toBe(false)

    await page.locator(`input[value="${pincode}"]`).check()
    await page.getByLabel('Reason').selectOption({ label: 'We can bring animals there now' })
    await page.getByRole('button', { name: 'Open delivery' }).click()
    await expect(latest).toContainText('Opened: 1')
    expect(await isDeliverable()).toBe(true)
    await latest.getByRole('link', { name: 'Perambalur' }).click()
    await page.getByRole('link', { name: 'All of it in the audit trail' }).click()
    await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('Delivery opened or stopped')
  },
)

test('stopping a whole district needs the admin’s password', { tag: onDesks }, async ({ page }) => {
  await loginAsAdmin(page)
  // Another district than the journey above, which runs at the same time.
  await page.goto('/en/admin/places?district=tamil-nadu_ariyalur')
  await untilAlive(page)
  const password = page.getByLabel('Your own password')
  await expect(password).toBeHidden()
  await page.locator('input[name="all"]').check()
  await page.getByLabel('Reason').selectOption({ label: 'We can bring animals there now' })
  await page.getByRole('button', { name: 'Open delivery' }).click()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('input[name="all"]')).toBeChecked()
  await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Open delivery' }).click()
  await expect(page.getByRole('main').getByRole('status')).toBeVisible()
})

test('a district fits a phone, and reports what is missing', { tag: onPhones }, async ({ page }) => {
  await loginAsAdmin(page)
  await page.goto(PLACES)
  await expectNoSidewaysScroll(page)
  await page.getByLabel('Reason').selectOption({ label: 'Something else' })
  await page.getByRole('button', { name: 'Open delivery' }).click()
  await expect(page.getByRole('alert')).toContainText('Tick the PIN codes to change.')
})
