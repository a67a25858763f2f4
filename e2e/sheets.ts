import type { Locator, Page } from '@playwright/test'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll } from './market.ts'

/** The page behind answers again: no modal is open, and its first link can be pressed. */
export async function expectNoModal(page: Page): Promise<void> {
  await expect(page.locator('dialog:modal, [popover]:popover-open')).toHaveCount(0)
  await page.getByRole('main').getByRole('link').first().click({ trial: true })
}

/** Opens a sheet, closes it with Esc, opens it again, and returns it. */
export async function openSheet(page: Page, id: string): Promise<Locator> {
  const sheet = page.locator(`#${id}`)
  const opener = page.locator(`[popovertarget=${id}]`).first()
  await opener.click()
  await expect(sheet).toBeVisible()
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  return sheet
}
