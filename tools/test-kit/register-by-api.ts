import { expect } from 'vitest'
import { TestBrowser } from './test-browser.ts'
import { codeSentTo } from './test-auth-client.ts'
import { PASSWORD } from './test-people.ts'
import type { TestApp } from './test-app.ts'

/** The body of `POST /user`. */
export const userForm = (phone: string, changes: object = {}) => ({
  phone,
  password: PASSWORD,
  username: 'Selvi',
  usertype: 1,
  title: 2,
  userdegree: '',
  sellerpannumber: '',
  loginreferralcode: '',
  consent: true,
  ...changes,
})

/** Registers a person over the wire and returns their logged-in browser. The market's outbox worker must be running. */
export async function registerByApi(
  app: TestApp,
  phone: string,
  changes: object = {},
  browser = new TestBrowser(app),
): Promise<TestBrowser> {
  const { id } = (await (await browser.call('POST', '/user', userForm(phone, changes))).json()) as { id: number }
  expect(await browser.says('PUT', `/userprofile/id=${id}`, { otp: await codeSentTo(app.ctx, phone), verify_otp: true })).toBe('200')
  return browser
}
