import { expect, test } from 'vitest'
import { shareBuiltSite, postForm, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { codeSentTo, shareTestOutbox, wrongCode } from '#tools/test-kit/test-auth-client.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { forgetSends, newPhone, PASSWORD, registerPerson } from '#tools/test-kit/test-people.ts'

/** The pages of login, registration and reset as a browser without scripts gets them after a refusal (docs/contract.md). */
let market: TestMarket
let site: BuiltSite
shareBuiltSite((opened) => ({ market, site } = opened))
shareTestOutbox(() => market.ctx)

const post = (path: string, fields: Record<string, string>, cookies = {}) => postForm(site, `/en${path}`, fields, cookies)
/** The text beside the field of that id. */
const errorAt = (html: string, id: string) => textOf(new RegExp(`id="${id}-error"[^>]*>([\\s\\S]*?)</p>`).exec(html)?.[1] ?? '').trim()
const form = { step: 'start', phone: '', name: 'Selvi', typeId: '1', hasConsented: 'yes' }

test('the login asks for phone and password in the words of A §5', async () => {
  const { status, html } = await post('/login', { phone: '', password: '' })
  expect(status).toBe(422)
  expect(errorAt(html, 'login-phone')).toBe('Phone number cannot be blank')
  expect(errorAt(html, 'login-password')).toBe('Password cannot be blank')
})

test('the registration checks each field in the words of A §5', async () => {
  const { html } = await post('/register', { step: 'start', phone: '', name: ' ', hasConsented: 'yes' })
  expect(errorAt(html, 'register-phone')).toBe('Phone number cannot be blank')
  expect(errorAt(html, 'register-name')).toBe('Name cannot be blank')
  expect(errorAt(html, 'register-type')).toBe('Type is required')
  const second = await post('/register', { ...form, phone: '+9198765432', typeId: '2', pan: 'ABCD12345F' })
  expect(errorAt(second.html, 'register-phone')).toBe('Phone number is not in correct format')
  expect(errorAt(second.html, 'register-pan')).toBe('Please provide a valid PAN card Number.')
})

test('a failed registration says why at the end of the form', async () => {
  const phone = newPhone()
  await registerPerson(market.ctx, phone)
  await forgetSends(market.ctx)
  const { status, html } = await post('/register', { ...form, phone })
  expect(status).toBe(409)
  const foot = html.slice(html.indexOf('name="hasConsented"'), html.indexOf('</form>', html.indexOf('name="hasConsented"')))
  expect(textOf(foot)).toContain('This phone number is registered already. Please login, or use Forgot Password.')
})

test('the reset checks phone, OTP and password in the words of A §5', async () => {
  const phoneError = async (phone: string) => errorAt((await post('/reset-password', { step: 'start', phone })).html, 'reset-phone')
  expect(await phoneError('')).toBe('Phone number cannot be blank')
  expect(await phoneError('+9198765432')).toBe('Phone number is not in correct format')
  const { phone, cookies } = await resetting()
  const { html } = await post('/reset-password', { step: 'save', phone, otp: '123456', password: '' }, cookies)
  expect(errorAt(html, 'reset-password')).toBe('Password cannot be blank')
})

test('the OTP steps of registration and reset ask for the OTP, and compare it', async () => {
  const phone = newPhone()
  const jar: Record<string, string> = {}
  expect((await post('/register', { ...form, phone, password: PASSWORD }, jar)).status).toBe(302)
  const reset = await resetting()
  for (const [path, fields, cookies, code] of [
    ['/register', { step: 'verify' }, jar, await codeSentTo(market.ctx, phone)],
    ['/reset-password', { step: 'save', phone: reset.phone, password: `${PASSWORD} 2` }, reset.cookies, reset.code],
  ] as const) {
    expect(textOf((await post(path, { ...fields, otp: '' }, cookies)).html), path).toContain('OTP cannot be blank')
    expect(textOf((await post(path, { ...fields, otp: wrongCode(code) }, cookies)).html), path).toContain('OTP is not matching')
    const done = await post(path, { ...fields, otp: code }, cookies)
    expect([done.status, cookies['__Host-sid']]).toEqual([302, expect.stringMatching(/^[\w-]{43}$/)])
  }
})

/** A registered person who has asked for an OTP. */
async function resetting() {
  const phone = newPhone()
  await registerPerson(market.ctx, phone)
  await forgetSends(market.ctx)
  const cookies: Record<string, string> = {}
  const { status, to } = await post('/reset-password', { step: 'start', phone }, cookies)
  expect([status, to]).toEqual([302, expect.stringContaining('/en/reset-password')])
  return { phone, cookies, code: await codeSentTo(market.ctx, phone) }
}
