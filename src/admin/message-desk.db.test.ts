import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { listDeskMessages, messageViews, readMessageFigures, retryMessages, type MessageView, type Way } from './message-desk.server.ts'

let market: TestMarket
let ctx: Ctx
let person: Viewer & { phone: string }

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ctx = market.as(await makeUser(market.ctx, { typeId: 9 }))
  person = await makeUser(market.ctx, { name: 'Rani' })
})

async function message(changes: Partial<typeof outbox.$inferInsert>): Promise<number> {
  const [row] = await market.ctx.db
    .insert(outbox)
    .values({
      channel: 'sms',
      recipient: person.phone,
      userId: person.id,
      template: 'listing-passed',
      locale: 'ta',
      body: 'ok',
      ...changes,
    })
    .returning({ id: outbox.id })
  return row!.id
}

test('only admins read the message desk', async () => {
  const one = market.as(person)
  expect(await refusalOf(listDeskMessages(one, { view: 'sent', way: null, page: 1 }))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(readMessageFigures(one))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(retryMessages(one, null))).toBe('ROLE_FORBIDDEN')
})

test('sent, failed and waiting messages are counted by day and channel, SMS by billed parts', async () => {
  const { now } = ctx
  await message({ sentAt: now, body: 'a'.repeat(160) })
  await message({ sentAt: now, body: 'ஆ'.repeat(71) })
  await message({ sentAt: now, channel: 'email', subject: 'News', recipient: 'rani@example.org' })
  await message({ failedAt: now, lastError: 'NO_PROVIDER' })
  await message({})
  const { counts, days, channels } = await readMessageFigures(ctx)
  expect(counts).toEqual({ sent: 3, failed: 1, waiting: 1 })
  expect(days).toHaveLength(14)
  expect(days.at(-1)).toEqual({ day: indianDay(now), sms: 2, parts: 3, email: 1, failed: 1, shown: 0, spared: 0, notShown: 0 })
  expect(channels).toMatchObject([
    { channel: 'sms', sent: 2, failed: 1, waiting: 1, lastError: 'NO_PROVIDER' },
    { channel: 'push', sent: 0, failed: 0, waiting: 0, shown: 0, lastError: null },
    { channel: 'email', sent: 1, failed: 0, waiting: 0, lastError: null },
  ])
  const [failed] = await listDeskMessages(ctx, { view: 'failed', way: null, page: 1 })
  expect(failed).toMatchObject({ userName: 'Rani', template: 'listing-passed', lastError: 'NO_PROVIDER', canRetry: true })
  expect(await listDeskMessages(ctx, { view: 'failed', way: null, page: 2 })).toEqual([])
})

test('each message shows its channel, and the desk counts the SMS parts that a device saved', async () => {
  const now = new Date(ctx.now.getTime() + 1000)
  const before = await readMessageFigures(ctx)
  const push = (standsBefore: number, changes: object) => message({ channel: 'push', recipient: '7', standsBefore, ...changes })
  const shown = await message({ shownAt: now, body: 'ஆ'.repeat(71) })
  await push(shown, { sentAt: now, shownAt: now })
  const late = await message({ sentAt: now })
  await push(late, { failedAt: now, lastError: 'PROVIDER_503' })
  const waits = await message({})
  await push(waits, {})
  const alone = await message({ channel: 'push', recipient: '7', sentAt: now })
  const wayOf = async (view: 'sent' | 'waiting', id: number) =>
    (await listDeskMessages(ctx, { view, way: null, page: 1 })).find((each) => each.id === id)?.way
  expect(await wayOf('sent', shown)).toBe('shown')
  expect(await wayOf('sent', late)).toBe('push-first')
  expect(await wayOf('waiting', waits)).toBe('push-first')
  expect(await wayOf('sent', alone)).toBe('push')
  const { counts, ways, days, channels } = await readMessageFigures(ctx)
  // A message counts once, however many devices received the push.
  expect(counts).toEqual({ sent: before.counts.sent + 3, waiting: before.counts.waiting + 1, failed: before.counts.failed })
  expect(days.at(-1)).toMatchObject({
    shown: 1,
    spared: 2,
    sms: before.days.at(-1)!.sms + 1,
    notShown: 1,
    failed: before.days.at(-1)!.failed,
  })
  // Each way filters the list, and its counts are of the same messages.
  const idsOf = async (view: 'sent' | 'waiting', way: Way) => (await listDeskMessages(ctx, { view, way, page: 1 })).map(({ id }) => id)
  expect([await idsOf('sent', 'shown'), await idsOf('sent', 'push-first'), await idsOf('waiting', 'push-first')]).toEqual([
    [shown],
    [late],
    [waits],
  ])
  expect(await idsOf('sent', 'push')).toEqual([alone])
  const bySms = await idsOf('sent', 'sms')
  for (const id of [shown, late, alone]) expect(bySms).not.toContain(id)
  expect(ways.find(({ way }) => way === 'sms')!.sent).toBe(bySms.length)
  expect(ways.find(({ way }) => way === 'push-first')).toEqual({ way: 'push-first', sent: 1, waiting: 1, failed: 0 })
  expect(channels[1]).toMatchObject({ channel: 'push', sent: 2, failed: 1, waiting: 1, shown: 1, lastError: 'PROVIDER_503' })
})

test('the desk lists and counts the sent messages of two weeks, and all that failed or wait', async () => {
  const before = await readMessageFigures(ctx)
  const old = daysBefore(ctx.now, 14)
  await message({ createdAt: old, sentAt: old })
  const shown = await message({ createdAt: old, shownAt: ctx.now })
  const failed = await message({ createdAt: old, failedAt: old, body: '' })
  const waiting = await message({ createdAt: old })
  const idsOf = async (view: MessageView) => (await listDeskMessages(ctx, { view, way: null, page: 1 })).map(({ id }) => id)
  expect(await idsOf('sent')).toContain(shown)
  expect((await idsOf('failed')).at(-1)).toBe(failed)
  expect(await idsOf('waiting')).toContain(waiting)
  for (const view of messageViews) {
    const { counts } = await readMessageFigures(ctx)
    expect(counts[view]).toBe(before.counts[view] + 1)
    expect(counts[view]).toBe((await idsOf(view)).length)
  }
})

test('a retry of a failed message starts from the first attempt and is in the audit trail; a deleted secret cannot be retried', async () => {
  const failed = await message({ failedAt: ctx.now, attempts: 7, lastError: 'TIMEOUT' })
  const secret = await message({ failedAt: ctx.now, body: '' })
  expect(await refusalOf(retryMessages(ctx, secret))).toBe('NOT_FOUND')
  expect(await retryMessages(ctx, failed)).toBe(1)
  const [row] = await market.ctx.db.select().from(outbox).where(eq(outbox.id, failed))
  expect(row).toMatchObject({ failedAt: null, attempts: 0, lastError: null })
  // The message waits now, so a second tap finds nothing.
  expect(await refusalOf(retryMessages(ctx, failed))).toBe('NOT_FOUND')
  expect(await retryMessages(ctx, null)).toBe(1)
  const events = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'message_retried'))
  expect(events.map(({ object }) => object)).toEqual([`message:${failed}`, 'messages'])
})
