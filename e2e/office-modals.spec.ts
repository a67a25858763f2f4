import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { newName, newPhone, PASSWORD } from './people.ts'

for (const prefix of ['', '/en'])
  test(`an admin removes a bearer for good: a wrong password is reported, the right one removes the bearer (${prefix || 'Tamil'})`, async ({
    page,
  }) => {
    await loginAsAdmin(page)
    await page.goto(`${prefix}/admin/bearers`)
    await untilAlive(page)
    const name = newName('Velu')
    await page.locator('#bearer-new-name').fill(name)
    await page.locator('#bearer-new-phone').fill(newPhone())
    await page.locator('form:has(#bearer-new-name) button[type=submit]').click()
    await expect(page).toHaveURL(/done=added/)
    const card = page.locator('details').filter({ hasText: name })
    const sheet = card.locator('[popover]')
    const forget = async (password: string) => {
      await untilAlive(page)
      if (!(await card.evaluate((details: HTMLDetailsElement) => details.open))) await card.locator('summary').click()
      await card.locator('[popovertarget^=forget-]').first().click()
      await expect(sheet).toBeVisible()
      await expectAxeClean(page)
      await expectNoSidewaysScroll(page)
      await sheet.locator('input[type=password]').fill(password)
      await sheet.locator('button[type=submit]').click()
    }
    await forget('not this one')
    await expect(card.locator('[id$=-password-error]')).toBeAttached()
    // A refused sheet is closed, so the reason stands in the row.
    await expect(card.locator('p.text-brick').filter({ visible: true }).first()).toHaveText(/\S/)
    await forget(PASSWORD)
    await expect(page).toHaveURL(/done=forgotten/)
    await expect(page.locator('dialog:modal, [popover]:popover-open')).toHaveCount(0)
    await expect(card).toHaveCount(0)
  })
