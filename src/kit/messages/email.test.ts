import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readEnv } from '#src/kit/base/env.server.ts'
import { startBrokenSmtp, startFakeSmtp, type FakeSmtp } from '#tools/test-kit/fake-smtp.ts'
import { smtpGateway } from './email.server.ts'
import { gatewaysFor } from './gateways.server.ts'
import { SendFailure, Undeliverable, type OutgoingMessage } from './outbox.server.ts'

let smtp: FakeSmtp
beforeAll(async () => {
  smtp = await startFakeSmtp()
})
afterAll(() => smtp?.close())
afterEach(() => {
  smtp.letters.length = 0
  smtp.moods.length = 0
})

const from = { mailFrom: 'சந்தை Sandhai <market@sandhai.test>', mode: 'demo' } as const
const letter: OutgoingMessage = {
  id: 7,
  channel: 'email',
  userId: null,
  recipient: 'selvi@example.com',
  template: 'greeting',
  locale: 'ta',
  subject: 'வணக்கம்: உங்கள் சந்தை',
  body: 'அன்புள்ள செல்வி,\n\nhttps://sandhai.test/newsletter/confirm?id=7&token=abc\n.\n..dots\n',
  createdAt: new Date(),
  attempts: 1,
  maxAttempts: 7,
  variables: null,
  dueAt: new Date(),
  sentAt: null,
  failedAt: null,
  lastError: null,
  standsBefore: null,
  shownAt: null,
  messageKey: 'outbox-7@sandhai.test',
}
/** Only what hangs meets it. */
const patient = () => AbortSignal.timeout(600_000)
const send = (message: Partial<OutgoingMessage> = {}, url = smtp.url, sender: { mailFrom: string; mode: 'demo' | 'live' } = from) =>
  smtpGateway(url, sender).send({ ...letter, ...message }, patient())
const failure = (sending: Promise<void>) =>
  sending.then(
    () => null,
    (error: unknown) => (error instanceof Error ? `${error.constructor.name}: ${error.message}` : 'unknown'),
  )

/** Parses headers by name and decodes the body. */
function open(raw: string) {
  const [head, ...rest] = raw.split('\r\n\r\n')
  const lines = head!.replace(/\r\n[ \t]/g, ' ').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const encoded = rest.join('\r\n\r\n')
  const encoding = headers['content-transfer-encoding']
  const body =
    encoding === 'base64'
      ? Buffer.from(encoded, 'base64').toString()
      : Buffer.from(
          encoded.replace(/=\r\n/g, '').replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
          'latin1',
        ).toString()
  return { headers, names: lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()), body: body.replaceAll('\r\n', '\n') }
}

describe('an e-mail', () => {
  test('with a stop link carries List-Unsubscribe, and no other does', async () => {
    const stop = 'https://sandhai.test/newsletter/unsubscribe?id=7&token=abc'
    await send({ variables: { stop } })
    await send()
    expect(smtp.letters.map(({ raw }) => open(raw).headers['list-unsubscribe'])).toEqual([`<${stop}>`, undefined])
  })

  test('reaches the mail server complete, in Tamil, with a Message-ID', async () => {
    await send()
    expect(smtp.letters).toMatchObject([{ from: 'market@sandhai.test', to: ['selvi@example.com'] }])
    const { headers, body } = open(smtp.letters[0]!.raw)
    expect(headers).toMatchObject({
      to: 'selvi@example.com',
      'message-id': '<outbox-7@sandhai.test>',
      'auto-submitted': 'auto-generated',
      'content-type': 'text/plain; charset=utf-8',
    })
    expect(headers.from).toContain('<market@sandhai.test>')
    expect(decodeHeader(headers.subject!)).toBe(letter.subject)
    expect(body.trimEnd()).toBe(letter.body.trimEnd())
  })

  test('keeps its Message-ID on a retry', async () => {
    await send()
    await send({ attempts: 2 })
    expect(new Set(smtp.letters.map(({ raw }) => open(raw).headers['message-id'])).size).toBe(1)
  })

  test.each([
    'selvi@example.com\r\nBcc: all@example.com',
    'selvi@example.com, all@example.com',
    'Selvi <selvi@example.com>, all@example.com',
    'selvi@example.com> <all@example.com',
    'selvi@example.com\u0000',
  ])('to %j reaches nobody else', async (recipient) => {
    await failure(send({ recipient }))
    for (const { to, raw } of smtp.letters) {
      expect(to).not.toContain('all@example.com')
      expect(open(raw).names).not.toContain('bcc')
    }
  })

  test('with a multi-line subject gets no headers from it', async () => {
    await failure(send({ subject: 'Hello\r\nBcc: all@example.com\r\n\r\nbody' }))
    for (const { to, raw } of smtp.letters) {
      expect(to).toEqual(['selvi@example.com'])
      expect(open(raw).names).not.toContain('bcc')
    }
  })
})

describe('a mail server', () => {
  test.each([
    ['450 to the recipient', { at: 'to', code: 450 }, 'SendFailure: EENVELOPE RCPT TO 450'],
    ['452 to the text', { at: 'data', code: 452 }, 'SendFailure: EMESSAGE DATA 452'],
    ['451 to the sender', { at: 'from', code: 451 }, 'SendFailure: EENVELOPE MAIL FROM 451'],
    ['550 to the recipient', { at: 'to', code: 550 }, 'Undeliverable: EENVELOPE RCPT TO 550'],
    ['554 to the text', { at: 'data', code: 554 }, 'Undeliverable: EMESSAGE DATA 554'],
    // Our sender or our password is wrong: a configuration error that an operator will fix.
    ['553 to the sender', { at: 'from', code: 553 }, 'SendFailure: EENVELOPE MAIL FROM 553'],
    ['535 to the password', { at: 'auth', code: 535 }, 'SendFailure: EAUTH AUTH PLAIN 535'],
  ] as const)('answers %s first, and accepts the e-mail on the next attempt', async (_, mood, says) => {
    smtp.moods.push(mood)
    expect(await failure(send())).toBe(says)
    expect(smtp.letters).toEqual([])
    await send()
    expect(smtp.letters).toHaveLength(1)
  })

  test('refuses an unknown recipient, and the e-mail counts as undeliverable without the server\'s sentence', async () => {
    expect(await failure(send({ recipient: 'nobody@example.com' }))).toBe('Undeliverable: EENVELOPE RCPT TO 550')
  })

  test('refuses a wrong password or sender, and gets no e-mail', async () => {
    const url = new URL(smtp.url)
    url.password = 'wrong'
    expect(await failure(send({}, url.href))).toContain('EAUTH')
    url.username = url.password = ''
    expect(await failure(send({}, url.href))).toMatch(/^SendFailure: /)
    expect(await failure(send({}, smtp.url, { ...from, mailFrom: 'market@elsewhere.example' }))).toContain('MAIL FROM 553')
    expect(smtp.letters).toEqual([])
  })

  test('without TLS gets no e-mail from a live site, except on loopback', async () => {
    const url = new URL(smtp.url)
    url.hostname = 'localhost'
    await send({}, url.href, { ...from, mode: 'live' })
    expect(smtp.letters).toHaveLength(1)
    url.hostname = '[::ffff:127.0.0.1]'
    expect(await failure(send({}, url.href, { ...from, mode: 'live' }))).toContain('ETLS')
    expect(smtp.letters).toHaveLength(1)
  })
})

describe('a broken mail server', () => {
  test.each([
    ['silent', 'ETIMEDOUT'],
    ['closes', 'E'],
    ['closes after greeting', 'E'],
    ['drips', 'ABORT'],
  ] as const)('(%s) gives a failure within the time limit', async (how, code) => {
    const broken = await startBrokenSmtp(how)
    const limit = how === 'drips' ? AbortSignal.timeout(5000) : patient()
    const says = await failure(smtpGateway(broken.url, from).send(letter, limit))
    expect(says).toMatch(/^SendFailure: /)
    expect(says).toContain(code)
    await broken.close()
  })

  test('that is unreachable gives a failure, not a crash', async () => {
    expect(await failure(send({}, 'smtp://127.0.0.1:1'))).toMatch(/^SendFailure: ESOCKET/)
  })
})

describe('the gateway', () => {
  const live = {
    MARKET_MODE: 'live',
    DATABASE_URL: 'postgres://market:pw@db.internal/market',
    PUBLIC_ORIGIN: 'https://sandhai.example',
    SESSION_SECRET: 'k3T9vQz7LmX2pRw8YbN4cHs6JdF1gA5eUoIyVtKrZBM',
    PEPPER: '9f1c7e4ab2d80563f7e91a4cc8b35d2670ae41fb98d3c516',
    SMS_PROVIDER: 'msg91',
    MSG91_AUTH_KEY: 'key-0123456789',
    MSG91_TEMPLATES: 'otp.ta=flowta0001',
  }
  const through = (variables: Record<string, string>, channel: 'email' | 'sms') =>
    failure(gatewaysFor(readEnv(variables))[channel].send(letter, patient()))

  test('of a demo without a mail server sends nothing; /dev/outbox shows the message', async () => {
    expect(await through({}, 'email')).toBeNull()
    expect(await through({}, 'sms')).toBeNull()
    expect(smtp.letters).toEqual([])
  })

  test('of a demo with a mail server uses it', async () => {
    expect(await through({ SMTP_URL: smtp.url, MAIL_FROM: 'market@sandhai.test' }, 'email')).toBeNull()
    expect(smtp.letters).toHaveLength(1)
  })

  test('of a live site without a provider fails with NO_PROVIDER', async () => {
    expect(await through(live, 'email')).toBe('SendFailure: NO_PROVIDER')
  })

  test('for SMS of a live site accepts registered templates only', async () => {
    expect(await through(live, 'sms')).toBe('Undeliverable: NO_TEMPLATE')
  })
})

test('a permanent failure is distinguished from a temporary one', () => {
  expect(new Undeliverable('x')).not.toBeInstanceOf(SendFailure)
})

function decodeHeader(value: string): string {
  return value.replace(/=\?UTF-8\?([BQ])\?([^?]*)\?=\s*/gi, (_, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString()
      : Buffer.from(
          text.replaceAll('_', ' ').replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
          'latin1',
        ).toString(),
  )
}
