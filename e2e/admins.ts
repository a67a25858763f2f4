import type { Browser, Locator, Page } from '@playwright/test'
import { expect, test } from './market.ts'
import { loginByApi, ownId, registerByApi } from './people.ts'
import { callApi } from './sellers.ts'

const SUPER_ADMIN = '9000000009'
export const DEMO_PASSWORD = 'sandhai-demo'

/** The sample market's one super admin. An admin may write thirty times a minute (api.md, L3), so use them only where powers matter. */
export const loginAsSuperAdmin = async (page: Page) => expect(await loginByApi(page, SUPER_ADMIN, DEMO_PASSWORD)).toBe(200)

/** By site, because each has its own database. */
const made = new Map<string, Promise<string>>()

/**
 * Logs the page's browser in as this worker's own admin, whose password is PASSWORD, so that concurrent journeys do not use up each other's
 * limits.
 */
export async function loginAsAdmin(page: Page): Promise<void> {
  const site = test.info().project.use.baseURL!
  if (!made.has(site)) made.set(site, makeAdmin(page.context().browser()!))
  expect(await loginByApi(page, await made.get(site)!)).toBe(200)
}

async function makeAdmin(browser: Browser): Promise<string> {
  const person = await (await browser.newContext()).newPage()
  const superAdmin = await (await browser.newContext()).newPage()
  const phone = await registerByApi(person)
  await loginAsSuperAdmin(superAdmin)
  const powers = { usertype: 9, is_admin: true, password: DEMO_PASSWORD }
  expect((await callApi(superAdmin, 'POST', `/userprofile/id=${await ownId(person)}`, powers)).status()).toBe(200)
  await person.context().close()
  await superAdmin.context().close()
  return phone
}

/** An admin's verdict, through the call that an app would use. */
export async function decide(browser: Browser, id: number, passed: boolean, comment: string): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await loginAsAdmin(page)
  const path = `/update-product/id=${id}&quantity=0&sold=false&issandhaisale=false`
  expect((await callApi(page, 'PUT', path, { is_verified: passed, comment })).status()).toBe(200)
  await context.close()
}

/** The list of desks, unfolded where a phone folds it. */
export async function openDesks(page: Page): Promise<Locator> {
  const desks = page.getByRole('navigation', { name: 'Desks' })
  if (await desks.locator('summary').isVisible()) await desks.locator('summary').click()
  return desks
}
