import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { refusalOf } from '#src/testing/test-people.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { listDeskMessages, readMessageFigures, retryMessages } from './message-desk.server.ts'

let market: TestMarket
let ctx: Ctx
let person: Viewer & { phone: string }

beforeAll(async () => {
  market = await openTestMarket()
  ctx = market.as(await makeUser(market.ctx, { typeId: 9 }))
  person = await makeUser(market.ctx, { name: 'Rani' })
})
afterAll(() => market?.close())

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

test('the desk is for admins', async () => {
  const one = market.as(person)
  expect(await refusalOf(listDeskMessages(one, { view: 'sent', page: 1 }))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(readMessageFigures(one))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(retryMessages(one, null))).toBe('ROLE_FORBIDDEN')
})

test('what was sent, failed and waits is counted by day and channel, SMS by the parts that are billed', async () => {
  const { now } = ctx
  await message({ sentAt: now, body: 'a'.repeat(160) })
  await message({ sentAt: now, body: 'ஆ'.repeat(71) })
  await message({ sentAt: now, channel: 'email', subject: 'News', recipient: 'rani@example.org' })
  await message({ failedAt: now, lastError: 'NO_PROVIDER' })
  await message({})
  const { counts, days, channels } = await readMessageFigures(ctx)
  expect(counts).toEqual({ sent: 3, failed: 1, waiting: 1 })
  expect(days).toHaveLength(14)
  expect(days.at(-1)).toEqual({ day: indianDay(now), sms: 2, parts: 3, email: 1, failed: 1 })
  expect(channels).toMatchObject([
    { channel: 'sms', sent: 2, failed: 1, waiting: 1, lastError: 'NO_PROVIDER' },
    { channel: 'email', sent: 1, failed: 0, waiting: 0, lastError: null },
  ])
  const [failed] = await listDeskMessages(ctx, { view: 'failed', page: 1 })
  expect(failed).toMatchObject({ userName: 'Rani', template: 'listing-passed', lastError: 'NO_PROVIDER', canRetry: true })
  expect(await listDeskMessages(ctx, { view: 'failed', page: 2 })).toEqual([])
})

test('what was given up is tried again from the beginning, and the trail says so; a secret is gone', async () => {
  const failed = await message({ failedAt: ctx.now, attempts: 7, lastError: 'TIMEOUT' })
  const secret = await message({ failedAt: ctx.now, body: '' })
  expect(await refusalOf(retryMessages(ctx, secret))).toBe('NOT_FOUND')
  expect(await retryMessages(ctx, failed)).toBe(1)
  const [row] = await market.ctx.db.select().from(outbox).where(eq(outbox.id, failed))
  expect(row).toMatchObject({ failedAt: null, attempts: 0, lastError: null })
  // It waits now; a second tap finds nothing.
  expect(await refusalOf(retryMessages(ctx, failed))).toBe('NOT_FOUND')
  expect(await retryMessages(ctx, null)).toBe(1)
  const events = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'message_retried'))
  expect(events.map(({ object }) => object)).toEqual([`message:${failed}`, 'messages'])
})
