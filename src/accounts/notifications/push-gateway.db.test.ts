import { randomInt } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '../makers.server.ts'
import { exportPerson, forgetPerson } from '#src/accounts/privacy/privacy.server.ts'
import { endSessionsOf } from '../sessions.server.ts'
import { pushDevices, sessions } from '../tables.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { ownerMarkOf } from '#src/kit/http/copy-owner.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { openLog } from '#src/kit/base/log.server.ts'
import { queueMessage, startOutbox, takeBackMessage, type OutboxWorker } from '#src/kit/messages/outbox.server.ts'
import { startFakePush, type FakePush, type Subscription } from '#tools/test-kit/fake-push.ts'
import { tallied } from '#src/kit/base/tally.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { findReceiver, smsTo } from './receivers.server.ts'
import { acknowledge, addDevice, stopDevice } from './devices.server.ts'
import { markFor } from './marks.server.ts'
import { isMarkFor } from './marks.server.ts'
import type { PushPayload } from './notification.ts'
import { MAX_PAYLOAD_BYTES, pushGateway } from './push-gateway.server.ts'
import { keysFrom } from './vapid.server.ts'

let market: TestMarket
let service: FakePush
let worker: OutboxWorker
let person: Viewer & { phone: string }
let own: Ctx
/** Receivers of the SMS that were sent. */
let sms: string[]

const keys = keysFrom()
const envOf = () => ({
  mode: 'live' as const,
  push: { ...keys, contact: 'mailto:office@sandhai.test' },
  pushOrigins: [service.origin],
  secret: 's'.repeat(32),
  publicOrigin: market.ctx.publicOrigin,
})
const PHONE_BROWSER = 'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const NOON = new Date('2026-11-24T06:30:00Z')

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  service = await startFakePush()
  const { db, vault, publicOrigin } = market.ctx
  worker = startOutbox({
    db,
    vault,
    origin: publicOrigin,
    log: openLog('silent'),
    gateways: {
      sms: { send: async ({ recipient }) => void sms.push(recipient) },
      email: { send: async () => {} },
      push: pushGateway({ db, vault, env: envOf() }),
    },
    isManual: true,
  })
})
afterAll(async () => {
  await worker?.stop()
  await service?.close()
})
beforeEach(async () => {
  sms = []
  service.received.length = 0
  service.faults.length = 0
  await market.ctx.db.delete(outbox)
  person = await makeUser(market.ctx, { locale: 'en' })
  own = await loggedIn(person)
})

/** The person in a new session. */
async function loggedIn(who: Viewer): Promise<Ctx> {
  await makeSession(market.ctx, who.id)
  const [session] = await market.ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, who.id))
    .orderBy(sql`${sessions.id} desc`)
    .limit(1)
  return market.as(who, { sessionId: session!.id })
}

async function device(ctx = own): Promise<Subscription> {
  const subscription = service.subscribe()
  await addDevice(ctx, subscription, { userAgent: PHONE_BROWSER, origins: [service.origin] })
  await market.ctx.db.delete(outbox).where(eq(outbox.template, 'push-welcome'))
  return subscription
}

/** Notifies the person of a step of their order; returns the id of the SMS. */
async function notify(
  now = NOON,
  template = 'order-on-the-way-buyer',
  body = 'Sandhai: your order SN-000012 (Malli) is on the way: soon.',
) {
  const link = `${market.ctx.publicOrigin}/en/orders#o12`
  const receiver = (await findReceiver(market.ctx, person.id))!
  return queueMessage({ ...market.ctx, now }, smsTo(receiver, template, { number: 'SN-000012', link }, `${body} ${link}`))
}

const rows = (channel: 'sms' | 'push') => market.ctx.db.select().from(outbox).where(eq(outbox.channel, channel)).orderBy(outbox.id)
/** Lets time pass for waiting messages. */
const pass = (seconds: number) => market.ctx.db.update(outbox).set({ dueAt: sql`${outbox.dueAt} - make_interval(secs => ${seconds})` })
const payload = (n = 0) => JSON.parse(service.received[n]!.text) as PushPayload
const inSeconds = async (channel: 'sms' | 'push') => {
  const [row] = await market.ctx.db
    .select({ seconds: sql<number>`round(extract(epoch from ${outbox.dueAt} - ${outbox.createdAt}))::int` })
    .from(outbox)
    .where(eq(outbox.channel, channel))
  return row?.seconds
}

describe('a person with a device that shows notifications', () => {
  test('gets one encrypted, signed message with the text of the SMS first', async () => {
    await device()
    await notify()
    expect(await worker.look('push')).toBe(1)
    expect(await worker.look('sms')).toBe(0)
    expect(service.faults).toEqual([])
    expect(service.received).toMatchObject([{ urgency: 'high', subject: 'mailto:office@sandhai.test', publicKey: keys.publicKey }])
    const [{ ttl, topic, bytes, text }] = service.received as [FakePush['received'][0]]
    expect(topic).toMatch(/^[\w-]{32}$/)
    // Not longer than the SMS waits.
    expect(ttl > 500 && ttl <= 600).toBe(true)
    expect(bytes <= MAX_PAYLOAD_BYTES).toBe(true)
    expect(text).not.toContain(person.phone.slice(3))
    const [push] = await rows('push')
    expect(payload()).toMatchObject({
      id: push!.id,
      owner: ownerMarkOf(person.id, 's'.repeat(32)),
      locale: 'en',
      text: 'your order SN-000012 (Malli) is on the way: soon.',
      path: '/en/orders#o12',
      tag: topic,
    })
    expect(push).toMatchObject({ attempts: 1, failedAt: null, shownAt: null })
  })

  test('gets no SMS once the phone has shown the message, and an SMS after ten minutes if it has not', async () => {
    await device()
    const first = await notify()
    expect(await inSeconds('sms')).toBe(600)
    await worker.look('push')
    await acknowledge(market.ctx, { id: payload().id, mark: payload().shown })
    await pass(700)
    expect(await worker.look('sms')).toBe(0)
    const [spared] = await rows('sms')
    expect(spared).toMatchObject({ id: first, attempts: 0, sentAt: null })
    expect(spared!.shownAt).toBeInstanceOf(Date)

    const second = await notify()
    await worker.look('push')
    await pass(700)
    expect(await worker.look('sms')).toBe(1)
    expect(sms).toEqual([person.phone])
    // Too late to stop the SMS, but still recorded.
    await acknowledge(market.ctx, { id: payload(1).id, mark: payload(1).shown })
    expect((await rows('sms')).find(({ id }) => id === second)).toMatchObject({ attempts: 1, shownAt: null })
    expect((await rows('push')).every(({ shownAt }) => shownAt !== null)).toBe(true)
  })

  test('gets the message on each device; one device that shows it is enough', async () => {
    await device()
    await device()
    await notify()
    expect(await worker.look('push')).toBe(2)
    await acknowledge(market.ctx, { id: payload(1).id, mark: payload(1).shown })
    await pass(700)
    expect(await worker.look('sms')).toBe(0)
  })

  test('gets no push between nine in the evening and six in the morning, but afterwards', async () => {
    await device()
    await notify(new Date('2026-11-24T16:00:00Z'))
    expect([await inSeconds('push'), await inSeconds('sms')]).toEqual([8.5 * 3600, 8.5 * 3600 + 600])
    await market.ctx.db.delete(outbox)
    await notify(new Date('2026-11-24T00:00:00Z'))
    expect(await inSeconds('push')).toBe(1800)
    await market.ctx.db.delete(outbox)
    await notify(new Date('2026-11-24T15:29:59Z'))
    expect(await inSeconds('push')).toBe(0)
  })

  test('gets codes and warnings by SMS only, at once, also at night', async () => {
    await device()
    for (const template of ['password-changed', 'login-new-device', 'otp-login', 'run-sheet', 'order-bearer-off']) {
      await notify(new Date('2026-11-24T20:00:00Z'), template)
      expect([await inSeconds('push'), await inSeconds('sms')]).toEqual([undefined, 0])
      await market.ctx.db.delete(outbox)
    }
  })

  test('gets the SMS at once when the browser has ended its subscription', async () => {
    const gone = await device()
    service.answer(gone, 410)
    await notify()
    expect(await worker.look('push')).toBe(1)
    expect(await worker.look('sms')).toBe(1)
    expect(await market.ctx.db.$count(pushDevices, eq(pushDevices.userId, person.id))).toBe(0)
    // The next message goes by SMS only.
    await notify()
    expect(await rows('push')).toHaveLength(1)
  })

  test('gets the SMS after ten minutes when one of two devices is gone and the other has not shown the message', async () => {
    service.answer(await device(), 404)
    await device()
    await notify()
    expect(await worker.look('push')).toBe(2)
    expect(await worker.look('sms')).toBe(0)
    await pass(700)
    expect(await worker.look('sms')).toBe(1)
  })
})

describe('a push service', () => {
  test('that sends Retry-After of up to an hour is retried then; the SMS does not wait for it', async () => {
    const slow = await device()
    service.answer(slow, 429, { 'Retry-After': '240' })
    await notify()
    await worker.look('push')
    await pass(200)
    expect(await worker.look('push')).toBe(0)
    await pass(41)
    service.answer(slow, 201)
    expect(await worker.look('push')).toBe(1)
    expect(service.received[0]!.ttl <= 600 - 241).toBe(true)
    await pass(600 - 241)
    expect(await worker.look('sms')).toBe(1)
  })

  test('that sends Retry-After as a date is retried then; half a day is too long', async () => {
    const slow = await device()
    service.answer(slow, 503, { 'Retry-After': new Date(Date.now() + 120_000).toUTCString() })
    await notify()
    await worker.look('push')
    await pass(100)
    expect(await worker.look('push')).toBe(0)
    await pass(21)
    service.answer(slow, 503, { 'Retry-After': '43200' })
    expect(await worker.look('push')).toBe(1)
    expect(await rows('push')).toMatchObject([{ lastError: 'PROVIDER_503', attempts: 2 }])
    expect((await rows('push'))[0]!.failedAt).toBeInstanceOf(Date)
    expect(await worker.look('sms')).toBe(1)
  })

  test.each([
    [400, 'PROVIDER_REFUSES_400'],
    [403, 'PROVIDER_REFUSES_403'],
    [413, 'PROVIDER_REFUSES_413'],
  ])('that refuses a message with %d gets no retry, and the device stays', async (status, reason) => {
    service.answer(await device(), status)
    await notify()
    await worker.look('push')
    expect(await rows('push')).toMatchObject([{ lastError: reason, attempts: 1 }])
    expect(await worker.look('sms')).toBe(1)
    expect(await market.ctx.db.$count(pushDevices, eq(pushDevices.userId, person.id))).toBe(1)
  })

  test('appears in metrics by its answers, and messages by whether they were shown in time', async () => {
    const counted = (series: string) => tallied().get(series) ?? 0
    const answers = 'sandhai_push_answers_total{status="201"}'
    const shown = 'sandhai_messages_total{channel="push",template="order-on-the-way-buyer",outcome="shown"}'
    const late = shown.replace('shown"', 'shown_late"')
    const before = [answers, shown, late].map(counted)
    await device()
    for (const isLate of [false, true]) {
      await notify()
      await worker.look('push')
      if (isLate) await pass(700)
      if (isLate) await worker.look('sms')
      const { id, shown: mark } = payload(service.received.length - 1)
      await acknowledge(market.ctx, { id, mark })
    }
    expect([answers, shown, late].map(counted)).toEqual([before[0]! + 2, before[1]! + 1, before[2]! + 1])
  })

  test('accepts the longest Tamil text, below three kilobytes', async () => {
    await device()
    await notify(NOON, 'listing-failed', `சந்தை: ${'கொழுத்த காளை '.repeat(200)}`)
    await worker.look('push')
    expect(service.faults).toEqual([])
    expect(service.received.map(({ bytes }) => bytes <= MAX_PAYLOAD_BYTES)).toEqual([true])
  })

  test('that is no longer on the list of hosts gets nothing', async () => {
    await device()
    const { db, vault } = market.ctx
    const gateway = pushGateway({ db, vault, env: { ...envOf(), pushOrigins: [] } })
    await notify()
    const [push] = await rows('push')
    await expect(gateway.send({ ...push!, messageKey: '' }, AbortSignal.timeout(5000))).rejects.toThrow('HOST_UNKNOWN')
    const without = pushGateway({ db, vault, env: { ...envOf(), push: null } })
    await expect(without.send({ ...push!, messageKey: '' }, AbortSignal.timeout(5000))).rejects.toThrow('NO_PROVIDER')
    expect(service.received).toEqual([])
  })
})

describe('a device', () => {
  test('needs an address of a known push service', async () => {
    const add = (endpoint: string) =>
      refusalOf(addDevice(own, { ...service.subscribe(), endpoint }, { userAgent: '', origins: [service.origin] }))
    expect(await add('http://169.254.169.254/latest/meta-data')).toBe('VALIDATION')
    expect(await add(service.origin.replace('127.0.0.1', 'localhost'))).toBe('VALIDATION')
    expect(await refusalOf(addDevice(own, service.subscribe(), { userAgent: '', origins: [] }))).toBe('VALIDATION')
  })

  test('gets a welcome message at once, also at night, and no SMS if that fails', async () => {
    const subscription = service.subscribe()
    const night = new Date('2026-11-24T20:00:00Z')
    await addDevice({ ...own, locale: 'ta', now: night }, subscription, { userAgent: '', origins: [service.origin] })
    expect(await worker.look('push')).toBe(1)
    expect(payload()).toMatchObject({ locale: 'ta', path: `/userprofile/${person.id}#push` })
    expect(service.received).toMatchObject([{ urgency: 'high', ttl: 12 * 3600 }])
    await acknowledge(market.ctx, { id: payload().id, mark: payload().shown })
    service.answer(subscription, 500)
    await addDevice(own, subscription, { userAgent: '', origins: [service.origin] })
    await worker.look('push')
    expect(await rows('sms')).toEqual([])
  })

  test('a person has ten at most: the eleventh replaces the first', async () => {
    const all: Subscription[] = []
    for (let n = 0; n < 11; n++) all.push(await device())
    const stored = await market.ctx.db.select().from(pushDevices).where(eq(pushDevices.userId, person.id)).orderBy(pushDevices.id)
    expect(stored.map(({ endpoint }) => endpoint)).toEqual(all.slice(1).map(({ endpoint }) => endpoint))
    expect(stored[0]!.device).toBe('Chrome · Android')
  })

  test('belongs to the person who is logged in there', async () => {
    const shared = await device()
    const sister = await makeUser(market.ctx)
    await addDevice(await loggedIn(sister), shared, { userAgent: '', origins: [service.origin] })
    const stored = await market.ctx.db.select().from(pushDevices).where(eq(pushDevices.endpoint, shared.endpoint))
    expect(stored.map(({ userId }) => userId)).toEqual([sister.id])
  })

  test('of another person now is not stopped by a mark in a message to its former owner; adding it twice keeps its mark', async () => {
    const shared = await device()
    const idOf = async () =>
      (await market.ctx.db.select().from(pushDevices).where(eq(pushDevices.endpoint, shared.endpoint))).map(({ id }) => id)
    const [id] = await idOf()
    const own = markFor(market.ctx.vault, 'stop', id!)
    const sister = await loggedIn(await makeUser(market.ctx))
    await addDevice(sister, shared, { userAgent: '', origins: [service.origin] })
    const [after] = await idOf()
    await stopDevice(market.ctx, { id: id!, mark: own })
    expect(await idOf()).toEqual([after])
    await addDevice(sister, shared, { userAgent: '', origins: [service.origin] })
    expect(await idOf()).toEqual([after])
    await stopDevice(market.ctx, { id: after!, mark: markFor(market.ctx.vault, 'stop', after!) })
    expect(await idOf()).toEqual([])
  })

  test('is removed with its session: a message that waits for it goes by SMS at once', async () => {
    await device()
    await notify()
    await market.ctx.db.delete(sessions).where(eq(sessions.id, own.sessionId!))
    expect(await market.ctx.db.$count(pushDevices, eq(pushDevices.userId, person.id))).toBe(0)
    expect(await worker.look('push')).toBe(1)
    expect(service.received).toEqual([])
    expect(await worker.look('sms')).toBe(1)
    expect(await refusalOf(addDevice(own, service.subscribe(), { userAgent: '', origins: [service.origin] }))).toBe('NOT_FOUND')
  })

  test('can report a shown message, and stop, only with the mark of that message', async () => {
    await device()
    await device()
    await notify()
    await worker.look('push')
    const [one, other] = [payload(0), payload(1)]
    const nobody = market.as(null)
    expect(await refusalOf(acknowledge(nobody, { id: one.id, mark: other.shown }))).toBe('NOT_FOUND')
    expect(await refusalOf(acknowledge(nobody, { id: one.id, mark: one.stop }))).toBe('NOT_FOUND')
    expect(await refusalOf(stopDevice(nobody, { id: one.device, mark: other.stop }))).toBe('NOT_FOUND')
    expect(await refusalOf(stopDevice(nobody, { id: one.device, mark: '' }))).toBe('NOT_FOUND')
    expect(isMarkFor(market.ctx.vault, 'stop', one.device, one.stop)).toBe(true)
    await acknowledge(nobody, { id: one.id, mark: one.shown })
    await stopDevice(nobody, { id: one.device, mark: one.stop })
    await stopDevice(nobody, { id: one.device, mark: one.stop })
    const left = await market.ctx.db.select({ id: pushDevices.id }).from(pushDevices).where(eq(pushDevices.userId, person.id))
    expect(left).toEqual([{ id: other.device }])
  })
})

test('a verdict that is withdrawn before sending is never shown; one that a worker has taken is sent', async () => {
  await device()
  const receiver = (await findReceiver(market.ctx, person.id))!
  const verdict = () =>
    queueMessage({ ...market.ctx, now: NOON }, { ...smsTo(receiver, 'listing-passed', {}, `Sandhai: ${randomInt(1e6)}`), delaySeconds: 15 })
  const first = await verdict()
  expect(await worker.look('push')).toBe(0)
  expect(await takeBackMessage(market.ctx, first)).toBe(true)
  await pass(20)
  expect(await worker.look('push')).toBe(0)
  const second = await verdict()
  await pass(20)
  expect(await worker.look('push')).toBe(1)
  expect(await takeBackMessage(market.ctx, second)).toBe(false)
  expect(service.received).toHaveLength(1)
})

test('a person who is logged out everywhere, deactivated or erased has no devices; other people keep theirs', async () => {
  const sister = await makeUser(market.ctx)
  const hers = await loggedIn(sister)
  await device(hers)
  const here = await loggedIn(person)
  const count = (who: Viewer) => market.ctx.db.$count(pushDevices, eq(pushDevices.userId, who.id))
  await device()
  await device(here)
  await endSessionsOf(here, person.id, here.sessionId)
  expect([await count(person), await count(sister)]).toEqual([1, 1])
  const told = (await exportPerson(here, person.id)) as { devicesThatShowMessages: object[]; messages: object[] }
  expect(told.devicesThatShowMessages).toMatchObject([{ device: 'Chrome · Android', shownAt: null }])
  await notify()
  expect(((await exportPerson(here, person.id)) as typeof told).messages).toMatchObject([
    { channel: 'sms' },
    { channel: 'push', shownAt: null },
  ])
  await inTransaction(here, (ctx) => forgetPerson(ctx, person.id))
  expect([await count(person), await count(sister)]).toEqual([0, 1])
  expect(await market.ctx.db.$count(outbox)).toBe(0)
})
