import { expect, test } from 'vitest'
import * as messages from '#src/paraglide/messages.js'
import { pushKinds, smsOnly } from './kinds.ts'
import { pathOf, textOf } from './notification.ts'

const names = Object.keys(messages).flatMap((key) => /^sms_(.*)/.exec(key)?.[1]?.replaceAll('_', '-') ?? [])

test('every SMS template is either listed for devices or has a reason why not', () => {
  expect(Object.keys({ ...pushKinds, ...smsOnly }).toSorted()).toEqual(names.toSorted())
  expect(Object.keys(pushKinds).filter((name) => name in smsOnly)).toEqual([])
})

test('notification texts contain no code, no phone number and no link that needs no login', () => {
  const asked: string[] = []
  const values = new Proxy({}, { get: (_, name) => (asked.push(String(name)), 'x') })
  for (const name of Object.keys(pushKinds)) {
    const text = (messages as unknown as Record<string, (values: object, of: object) => string>)[`sms_${name.replaceAll('-', '_')}`]!
    for (const locale of ['ta', 'en']) text(values, { locale })
  }
  expect(new Set(asked)).not.toContain('otp')
  expect(new Set(asked)).not.toContain('phone')
  expect(new Set(asked)).toContain('link')
})

test("a notification shows the text of the SMS without the market's name, its link and its phone numbers", () => {
  const link = 'https://sandhai.test/orders#o7'
  expect(textOf(`சந்தை: ஆர்டர் SN-000007 (பசு) உறுதி செய்யப்பட்டது. ${link}`, link)).toBe('ஆர்டர் SN-000007 (பசு) உறுதி செய்யப்பட்டது.')
  expect(textOf(`Sandhai: New answers (Goat): Malli and 2 more.\n${link}`, link)).toBe('New answers (Goat): Malli and 2 more.')
  expect(textOf(`Sandhai: Please say here whether you can give it: ${link}`, link)).toBe('Please say here whether you can give it.')
  expect(textOf('Sandhai, ticket T-17: call +91 98765 43210 or 098765-43210. It costs ₹1,25,000.', undefined)).toBe(
    'Sandhai, ticket T-17: call … or …. It costs ₹1,25,000.',
  )
  expect([...textOf(`Sandhai: ${'அ'.repeat(2000)}`, undefined)]).toHaveLength(500)
})

test('a tap opens the page of the SMS; without one, the list of messages', () => {
  expect(pathOf('https://sandhai.test/en/orders#o7', 'https://sandhai.test', 'en')).toBe('/en/orders#o7')
  expect(pathOf('https://elsewhere.test/orders', 'https://sandhai.test', 'ta')).toBe('/me#told')
  expect(pathOf('https://sandhai.test.evil.example/x', 'https://sandhai.test', 'en')).toBe('/en/me#told')
  expect(pathOf(undefined, 'https://sandhai.test', 'en')).toBe('/en/me#told')
})
