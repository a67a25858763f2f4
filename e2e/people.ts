import type { APIRequestContext, Page } from '@playwright/test'
import { expect } from './market.ts'

/** An unused number: ten digits, as people type it. */
export const newPhone = () => `9${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`

/** A name that nobody else has. It is all letters, because a name with a number in it is refused. */
export const newName = (first: string) => `${first} ${newPhone().replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`

export const PASSWORD = 'காளை மாடு ஏழு'

/** The code in the newest SMS to this number, once it is sent. `not`: a code that was read before. */
export async function codeSentTo(request: APIRequestContext, phone: string, not?: string): Promise<string> {
  const find = async () => {
    const messages = (await (await request.get('/dev/outbox.json')).json()) as { to: string; text: string; template: string }[]
    const text = messages.find(({ to, template }) => to === `+91${phone}` && template.startsWith('otp-'))?.text ?? ''
    const code = /\b(\d{6})\b/.exec(text)?.[1]
    return code === not ? undefined : code
  }
  await expect.poll(find).toBeTruthy()
  return (await find())!
}

/** Registers a person by the API, as an app would, and logs the page's browser in. */
export async function registerByApi(page: Page, phone = newPhone(), changes: object = {}): Promise<string> {
  const { request } = page.context()
  await request.get('/api/v1/csrf')
  const csrf = async () => ({ 'X-CSRFToken': (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value })
  const form = { phone, password: PASSWORD, username: 'Selvi', usertype: 1, consent: true, ...changes }
  const asked = await request.post('/api/v1/user', { data: form, headers: await csrf() })
  expect(asked.ok(), await asked.text()).toBe(true)
  const { id } = (await asked.json()) as { id: number }
  const proof = { otp: await codeSentTo(request, phone), verify_otp: true }
  expect((await request.put(`/api/v1/userprofile/id=${id}`, { data: proof, headers: await csrf() })).ok()).toBe(true)
  return phone
}

const csrfOf = async (page: Page) => ({
  'X-CSRFToken': (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value,
})

/** Logs the page's browser in as an app would; returns the status. */
export async function loginByApi(page: Page, phone: string, password = PASSWORD): Promise<number> {
  const { request } = page.context()
  await request.get('/api/v1/csrf')
  return (await request.post('/api/v1/login', { data: { username: phone, password }, headers: await csrfOf(page) })).status()
}

/** The id of the person logged in in the page's browser. */
export async function ownId(page: Page): Promise<number> {
  const response = await page.context().request.post('/api/v1/validatesession', { headers: await csrfOf(page) })
  return ((await response.json()) as { id: number }).id
}

export async function askForType(page: Page, id: number, usertype: number): Promise<void> {
  const response = await page.context().request.post(`/api/v1/userprofile/id=${id}`, { data: { usertype }, headers: await csrfOf(page) })
  expect(response.status()).toBe(200)
}

/** A first post within three seconds counts as a program's and waits for an admin. A longer wait never hurts, so this works on a busy machine. */
export const typeAsLongAsAPerson = (page: Page) => page.waitForTimeout(3200)
