import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Gateway, OutgoingMessage } from './outbox.server.ts'
import { missingTemplates, msg91Gateway } from './sms.server.ts'
import { startFakeMsg91, type FakeMood, type FakeMsg91 } from '#tools/test-kit/fake-msg91.ts'

let provider: FakeMsg91
let gateway: Gateway
beforeAll(async () => {
  provider = await startFakeMsg91({ authKey: 'key-0123456789', templates: { flowta0001: ['otp'], flowen0001: ['otp'], flowen0002: [] } })
})
afterAll(() => provider?.close())
beforeEach(() => {
  provider.sent.length = 0
  provider.refused.length = 0
  provider.moods.length = 0
  provider.calls = 0
  gateway = newGateway()
})

const newGateway = (authKey = 'key-0123456789') =>
  msg91Gateway({
    provider: 'msg91',
    baseUrl: provider.url,
    authKey,
    templates: { 'otp.ta': 'flowta0001', 'otp.en': 'flowen0001', 'password-changed.en': 'flowen0002' },
  })
const code: OutgoingMessage = {
  id: 7,
  channel: 'sms',
  userId: null,
  recipient: '+919000000001',
  template: 'otp',
  locale: 'ta',
  subject: null,
  body: 'சந்தை: 123456',
  variables: { otp: '123456' },
  createdAt: new Date(),
  attempts: 1,
  maxAttempts: 1,
  dueAt: new Date(),
  sentAt: null,
  failedAt: null,
  lastError: null,
  standsBefore: null,
  shownAt: null,
  messageKey: 'outbox-7@sandhai.test',
}
const send = (message: Partial<OutgoingMessage> = {}, by = gateway) =>
  by.send({ ...code, ...message }, AbortSignal.timeout(15_000)).then(
    () => 'sent',
    (error: unknown) => (error instanceof Error ? `${error.constructor.name} ${error.message}` : 'unknown'),
  )

describe('an SMS through MSG91', () => {
  test("is sent in the recipient's language, with the template's variables and the number without its plus", async () => {
    expect(await send()).toBe('sent')
    expect(await send({ locale: 'en' })).toBe('sent')
    expect(await send({ template: 'password-changed', locale: 'en', variables: {} })).toBe('sent')
    expect(provider.sent).toEqual([
      { mobiles: '919000000001', templateId: 'flowta0001', variables: { otp: '123456' } },
      { mobiles: '919000000001', templateId: 'flowen0001', variables: { otp: '123456' } },
      { mobiles: '919000000001', templateId: 'flowen0002', variables: {} },
    ])
    expect(provider.refused).toEqual([])
  })

  test.each<[FakeMood, string]>([
    ['error-with-200', 'Undeliverable PROVIDER_REFUSES_200'],
    ['unauthorised', 'SendFailure PROVIDER_REFUSES_KEY'],
    ['too-many', 'SendFailure PROVIDER_429'],
    ['server-error', 'SendFailure PROVIDER_500'],
    ['html', 'SendFailure PROVIDER_200'],
    ['empty', 'SendFailure PROVIDER_200'],
    ['hang-up', 'SendFailure NO_CONNECTION'],
    ['redirect', 'SendFailure NO_CONNECTION'],
  ])('is not marked as sent when the provider answers with %s', async (mood, failure) => {
    provider.moods.push(mood)
    expect(await send()).toBe(failure)
    expect(provider.sent).toEqual([])
    expect(provider.calls).toBe(1)
  })

  test('fails with a time-out after one request when the provider does not answer', async () => {
    provider.moods.push('silence')
    expect(await send()).toBe('SendFailure TIMEOUT')
    expect(provider.calls).toBe(1)
  })

  test.each([
    [{ template: 'unknown' }, 'Undeliverable NO_TEMPLATE'],
    [{ recipient: '+14155550100' }, 'Undeliverable NO_INDIAN_MOBILE'],
    [{ variables: {} }, 'Undeliverable PROVIDER_REFUSES_400'],
  ])('with %j is not sent', async (message, failure) => {
    expect(await send(message)).toBe(failure)
    expect(provider.sent).toEqual([])
  })

  test('with a wrong key fails', async () => {
    expect(await send({}, newGateway('another-key-0000'))).toBe('SendFailure PROVIDER_REFUSES_KEY')
  })

  test('fails at once after five consecutive failures (circuit breaker)', async () => {
    provider.moods.push(...Array.from({ length: 5 }, () => 'server-error' as const))
    for (let n = 0; n < 5; n++) expect(await send()).toBe('SendFailure PROVIDER_500')
    expect(await send()).toBe('SendFailure BREAKER_OPEN')
    expect(provider.calls).toBe(5)
  })

  test('refused for good does not count as a failure of the provider', async () => {
    provider.moods.push(...Array.from({ length: 8 }, () => 'error-with-200' as const))
    for (let n = 0; n < 8; n++) expect(await send()).toBe('Undeliverable PROVIDER_REFUSES_200')
    expect(await send()).toBe('sent')
  })
})

test('texts without a template are listed in each language at the start of the site', () => {
  const configuration = { provider: 'msg91', baseUrl: 'http://127.0.0.1:9', authKey: 'key-0123456789' } as const
  const missing = missingTemplates({ ...configuration, templates: { 'otp-register.ta': 'flowta0001', 'vet-approved.en': 'flowen0003' } })
  expect(missing).toEqual(
    expect.arrayContaining(['otp-register.en', 'otp-erase.ta', 'vet-approved.ta', 'order-placed-buyer.ta', 'order-placed-buyer.en']),
  )
  expect(missing.filter((name) => ['otp-register.ta', 'vet-approved.en'].includes(name))).toEqual([])
  expect(new Set(missing).size).toBe(missing.length)
})
