import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../context.ts'
import { inTransaction, openDatabase, type Database } from '#src/kit/db/database.server.ts'
import {
  KEEP_DAYS,
  LEASE_SECONDS,
  listMessages,
  MAX_ATTEMPTS,
  queueMessage,
  RETRY_SECONDS,
  SendFailure,
  startOutbox,
  Undeliverable,
  type Gateway,
  type OutgoingMessage,
} from './outbox.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { signal } from '#tools/test-kit/signal.ts'
import { testCtx, testVault } from '#tools/test-kit/test-ctx.ts'

let database: Database
let ctx: Ctx
let sent: OutgoingMessage[]
let logged: Record<string, unknown>[]
// Without the timestamp, whose digits might match a secret.
const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) })

beforeAll(async () => {
  database = await openDatabase({ databaseUrl: null, dataDir: '', memory: {} })
  await database.migrate()
  ctx = testCtx(database.db, { locale: 'ta', log })
})
afterAll(() => database?.close())
beforeEach(async () => {
  sent = []
  logged = []
  await database.db.delete(outbox)
})

const accepting: Gateway = { send: async (message) => void sent.push(message) }
const failing = (error: () => Error): Gateway => ({
  send: async () => {
    throw error()
  },
})
const worker = (email: Gateway = accepting) =>
  startOutbox({ db: database.db, log, gateways: { email, sms: accepting, push: accepting }, vault: testVault, origin: ctx.publicOrigin, isManual: true })
const letter = {
  channel: 'email',
  to: 'selvi@example.com',
  template: 'greeting',
  locale: 'ta',
  subject: 'வணக்கம்',
  body: 'இரகசியம் 4711',
} as const
const only = async () => (await database.db.select().from(outbox))[0]!
/** Lets time pass for waiting messages. */
const pass = (seconds: number) => database.db.update(outbox).set({ dueAt: sql`${outbox.dueAt} - make_interval(secs => ${seconds})` })

describe('a message', () => {
  test('is sent once, after the commit, and never again', async () => {
    await queueMessage(ctx, letter)
    expect(await worker().look('email')).toBe(1)
    expect(sent).toMatchObject([
      { recipient: letter.to, subject: letter.subject, body: letter.body, template: 'greeting', locale: 'ta', attempts: 1 },
    ])
    const row = await only()
    expect(sent[0]!.messageKey).toBe(`outbox-${row.id}@sandhai.test`)
    expect(row.sentAt).toBeInstanceOf(Date)
    await pass(365 * 86_400)
    expect(await worker().look('email')).toBe(0)
    expect(sent).toHaveLength(1)
  })

  test('of a rolled-back act is never sent', async () => {
    const act = inTransaction(ctx, async (ctx) => {
      await queueMessage(ctx, letter)
      throw new Error('the goat was sold meanwhile')
    })
    await expect(act).rejects.toThrow('sold meanwhile')
    expect(await worker().look('email')).toBe(0)
  })

  test('by e-mail needs a subject, and one by SMS must have none', async () => {
    const { subject: _, ...text } = letter
    await expect(queueMessage(ctx, text)).rejects.toThrow()
    await expect(queueMessage(ctx, { ...letter, channel: 'sms', to: '+919000000001' })).rejects.toThrow()
    await queueMessage(ctx, { ...text, channel: 'sms', to: '+919000000001' })
    expect(await worker().look('email')).toBe(0)
    expect(await worker().look('sms')).toBe(1)
  })

  test('is sent automatically in queue order, and a stopped worker sends no more', async () => {
    const own = startOutbox({
      db: database.db,
      log,
      gateways: { email: accepting, sms: accepting, push: accepting },
      vault: testVault,
      origin: ctx.publicOrigin,
    })
    await inTransaction(ctx, async (ctx) => {
      for (const body of ['1', '2', '3']) await queueMessage(ctx, { ...letter, body })
    })
    while (sent.length < 3) await sleep(10)
    expect(sent.map(({ body }) => body)).toEqual(['1', '2', '3'])
    await own.stop()
    await queueMessage(ctx, letter)
    await sleep(300)
    expect(sent).toHaveLength(3)
  })

  test('goes out in the same round even when the queue is longer than a batch', async () => {
    const own = startOutbox({
      db: database.db,
      log,
      gateways: { email: accepting, sms: accepting, push: accepting },
      vault: testVault,
      origin: ctx.publicOrigin,
    })
    for (let n = 0; n < 25; n++) await queueMessage(ctx, letter)
    while (sent.length < 25) await sleep(10)
    await own.stop()
    expect(new Set(sent.map(({ id }) => id)).size).toBe(25)
  })
})

describe('a message that cannot be sent', () => {
  test('is retried with growing waits and the same key, then given up', async () => {
    await queueMessage(ctx, letter)
    const keys = new Set<string>()
    const refusing: Gateway = {
      send: async ({ messageKey }) => {
        keys.add(messageKey)
        throw new SendFailure('ECONNREFUSED')
      },
    }
    for (const [index, seconds] of RETRY_SECONDS.entries()) {
      const before = Date.now()
      expect(await worker(refusing).look('email')).toBe(1)
      const after = Date.now()
      expect(await only()).toMatchObject({ attempts: index + 1, sentAt: null, failedAt: null, lastError: 'ECONNREFUSED' })
      const triedAt = (await only()).dueAt.getTime() - seconds * 1000
      expect(triedAt).toBeGreaterThanOrEqual(before)
      expect(triedAt).toBeLessThanOrEqual(after)
      expect(await worker(refusing).look('email')).toBe(0)
      await pass(seconds)
    }
    expect(await worker(refusing).look('email')).toBe(1)
    expect(await only()).toMatchObject({ attempts: MAX_ATTEMPTS, sentAt: null, failedAt: expect.any(Date) })
    await pass(365 * 86_400)
    expect(await worker().look('email')).toBe(0)
    expect(keys.size).toBe(1)
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      ...RETRY_SECONDS.map(() => [40, 'message not sent, will be tried again']),
      [50, 'message given up'],
    ])
  })

  test('is sent at the next attempt when the failure is over', async () => {
    await queueMessage(ctx, letter)
    await worker(failing(() => new SendFailure('ETIMEDOUT'))).look('email')
    await pass(RETRY_SECONDS[0])
    expect(await worker().look('email')).toBe(1)
    expect(await only()).toMatchObject({ attempts: 2, sentAt: expect.any(Date), lastError: null })
  })

  test('to an unknown recipient is given up at once', async () => {
    await queueMessage(ctx, letter)
    await worker(failing(() => new Undeliverable('EENVELOPE RCPT TO 550'))).look('email')
    expect(await only()).toMatchObject({ attempts: 1, failedAt: expect.any(Date), lastError: 'EENVELOPE RCPT TO 550' })
  })

  test('leaves neither text nor recipient in the log or the table, whatever the provider says', async () => {
    await queueMessage(ctx, letter)
    await worker(failing(() => new Error(`550 <${letter.to}> does not want "${letter.body}"`))).look('email')
    expect(await only()).toMatchObject({ lastError: 'Error' })
    expect(JSON.stringify(logged)).not.toMatch(/selvi|இரகசியம்|4711/)
    expect(logged).toMatchObject([{ channel: 'email', template: 'greeting', attempts: 1, reason: 'Error' }])
  })

  test('in the middle of a batch does not block the others', async () => {
    for (const body of ['1', 'bad', '3']) await queueMessage(ctx, { ...letter, body })
    await worker({
      send: async (message) =>
        message.body === 'bad' ? Promise.reject(new SendFailure('X')) : accepting.send(message, AbortSignal.timeout(9)),
    }).look('email')
    expect(sent.map(({ body }) => body)).toEqual(['1', '3'])
  })
})

describe('a worker that is killed', () => {
  /** Begins to send a message; `end` lets the provider answer. */
  async function sendSlowly() {
    const [started, end] = [signal(), signal()]
    const send = () => (started.give(), end.given)
    const done = worker({ send }).look('email')
    await started.given
    return { end, done }
  }

  test('during a send leaves the message to another worker, but only after the lease', async () => {
    await queueMessage(ctx, letter)
    const { end, done } = await sendSlowly()
    expect(await only()).toMatchObject({ attempts: 1, sentAt: null })
    expect(await worker().look('email')).toBe(0)
    await pass(LEASE_SECONDS - 5)
    expect(await worker().look('email')).toBe(0)
    await pass(10)
    expect(await worker().look('email')).toBe(1)
    expect(sent).toMatchObject([{ attempts: 2 }])
    end.give()
    await done
  })

  test('during the last attempt leaves a message that is given up, not sent', async () => {
    await queueMessage(ctx, letter)
    await database.db.update(outbox).set({ attempts: MAX_ATTEMPTS })
    await worker().look('email')
    expect(sent).toEqual([])
    expect(await only()).toMatchObject({ failedAt: expect.any(Date), lastError: 'NO_ANSWER' })
  })

  test('that is only slow marks its success even after another worker took over', async () => {
    await queueMessage(ctx, letter)
    const { end, done } = await sendSlowly()
    await pass(LEASE_SECONDS + 1)
    await worker(failing(() => new SendFailure('X'))).look('email')
    end.give()
    await done
    await pass(86_400)
    expect(await worker().look('email')).toBe(0)
    expect(await only()).toMatchObject({ sentAt: expect.any(Date) })
  })
})

describe('the outbox', () => {
  test('is listed newest first', async () => {
    for (const body of ['1', '2', '3']) await queueMessage(ctx, { ...letter, body })
    expect((await listMessages(ctx, 2)).map(({ body }) => body)).toEqual(['3', '2'])
  })

  test('deletes old sent and failed messages, and nothing that waits', async () => {
    for (const body of ['sent', 'failed', 'waiting', 'recent']) await queueMessage(ctx, { ...letter, body })
    // The person can still reread the SMS; the push in front of it is deleted.
    const { subject: _, ...text } = letter
    await queueMessage(ctx, { ...text, channel: 'sms', to: '+919000000001', userId: 1, devices: [1], body: 'shown' })
    // This SMS went out because no device showed its push, which stays with it.
    await queueMessage(ctx, { ...text, channel: 'sms', to: '+919000000001', userId: 1, devices: [1], body: 'not shown' })
    const long = sql`now() - make_interval(days => ${KEEP_DAYS + 1})`
    await database.db.update(outbox).set({ createdAt: long, dueAt: sql`now() + interval '1 day'` })
    await database.db.update(outbox).set({ sentAt: long }).where(eq(outbox.body, 'sent'))
    await database.db.update(outbox).set({ failedAt: long }).where(eq(outbox.body, 'failed'))
    await database.db.update(outbox).set({ sentAt: long }).where(eq(outbox.body, 'not shown'))
    await database.db.update(outbox).set({ shownAt: long }).where(eq(outbox.body, 'shown'))
    await database.db
      .update(outbox)
      .set({ sentAt: sql`now()` })
      .where(eq(outbox.body, 'recent'))
    const own = startOutbox({
      db: database.db,
      log,
      gateways: { email: accepting, sms: accepting, push: accepting },
      vault: testVault,
      origin: ctx.publicOrigin,
    })
    const bodies = async () => (await listMessages(ctx, 9)).map(({ body }) => body).toSorted()
    while ((await bodies()).length > 5) await sleep(50)
    expect(await bodies()).toEqual(['not shown', 'not shown', 'recent', 'shown', 'waiting'])
    await own.stop()
    // With the SMS its push is deleted.
    await database.db.delete(outbox).where(and(eq(outbox.body, 'not shown'), eq(outbox.channel, 'sms')))
    expect(await bodies()).toEqual(['recent', 'shown', 'waiting'])
  })

  test('logs once that the database is unreachable and once that it is back', async () => {
    let isAway = true
    const db = new Proxy(database.db, {
      get: (target, name) => {
        if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const own = startOutbox({ db, log, gateways: { email: accepting, sms: accepting, push: accepting }, vault: testVault, origin: ctx.publicOrigin })
    await queueMessage(ctx, letter)
    while (logged.length === 0) await sleep(10)
    await queueMessage(ctx, letter)
    await sleep(200)
    isAway = false
    await queueMessage(ctx, letter)
    while (sent.length < 3 || logged.length < 2) await sleep(10)
    await own.stop()
    expect(logged.map(({ msg }) => msg)).toEqual(['outbox waits for the database', 'outbox at work again'])
  })
})
