import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { makeUser } from '../makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { openLog } from '#src/kit/base/log.server.ts'
import { noteShown, queueMessages, startOutbox } from '#src/kit/messages/outbox.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let sent: Set<number>
const MESSAGES = 300
const TOGETHER = 10

shareMarket((opened) => (market = opened))
beforeEach(async () => {
  sent = new Set()
  await market.ctx.db.delete(outbox)
  const person = await makeUser(market.ctx)
  const message = {
    channel: 'sms',
    to: person.phone,
    userId: person.id,
    template: 'order-day-buyer',
    locale: 'ta',
    body: 'x',
    devices: [1],
  } as const
  await queueMessages(
    market.ctx,
    Array.from({ length: MESSAGES }, () => message),
  )
})

/**
 * Ten messages at a time: the ten-minute wait of each SMS ends at the same moment at which the phone reports the message as shown, while
 * two workers send. Returns for each SMS whether the report stopped it.
 */
async function race(acknowledge: (ctx: Ctx, push: { id: number; standsBefore: number | null }) => Promise<boolean>) {
  const { db, vault, publicOrigin: origin } = market.ctx
  const sms = { send: async ({ id }: { id: number }) => void (await sleep(Math.random() * 4), sent.add(id)) }
  const nothing = { send: async () => {} }
  const workers = [1, 2].map(() =>
    startOutbox({ db, vault, origin, log: openLog('silent'), gateways: { sms, email: nothing, push: nothing }, isManual: true }),
  )
  const spared = new Map<number, boolean>()
  const pushes = await db.select({ id: outbox.id, standsBefore: outbox.standsBefore }).from(outbox).where(eq(outbox.channel, 'push'))
  for (let at = 0; at < pushes.length; at += TOGETHER) {
    const round = pushes.slice(at, at + TOGETHER)
    const ids = round.map(({ standsBefore }) => standsBefore!)
    await db
      .update(outbox)
      .set({ dueAt: sql`now() - interval '1 second'` })
      .where(inArray(outbox.id, ids))
    const phones = round.map(async (push) => {
      await sleep(Math.random() * 4)
      spared.set(push.standsBefore!, await acknowledge(market.ctx, push))
    })
    const senders = workers.map(async (worker) => {
      await sleep(Math.random() * 4)
      while ((await worker.look('sms')) > 0);
    })
    await Promise.all([...phones, ...senders])
    // Send what a report had locked while the workers looked.
    await workers[0]!.look('sms')
  }
  return spared
}

test('a report at the moment the SMS is due either stops it or not: each SMS is sent or stopped, never both', async () => {
  const spared = await race(async (ctx, { id }) => (await noteShown(ctx, id))!.isInTime)
  expect(spared.size).toBe(MESSAGES)
  expect([...spared].filter(([id, isSpared]) => isSpared === sent.has(id))).toEqual([])
  // Both outcomes must occur, or the test proves nothing.
  expect(sent.size > 0 && sent.size < MESSAGES).toBe(true)
})

test('control: a report that reads first and writes afterwards claims to stop messages that are sent', async () => {
  const spared = await race(async ({ db }, { standsBefore }) => {
    const [sms] = await db
      .select({ attempts: outbox.attempts })
      .from(outbox)
      .where(and(eq(outbox.id, standsBefore!), isNull(outbox.sentAt)))
    if (!sms || sms.attempts > 0) return false
    await sleep(Math.random() * 4)
    await db
      .update(outbox)
      .set({ shownAt: sql`now()` })
      .where(eq(outbox.id, standsBefore!))
    return true
  })
  expect([...spared].filter(([id, isSpared]) => isSpared && sent.has(id)).length).toBeGreaterThan(0)
})
