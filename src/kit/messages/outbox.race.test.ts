import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { openLog } from '#src/kit/base/log.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { queueMessage, startOutbox, type Gateway } from './outbox.server.ts'

let market: TestMarket
let sent: number[]
shareMarket((opened) => (market = opened))
beforeEach(async () => {
  sent = []
  await market.ctx.db.delete(outbox)
  for (let n = 0; n < MESSAGES; n++) {
    await queueMessage(market.ctx, { channel: 'sms', to: '+919000000001', template: 'race', locale: 'ta', body: String(n) })
  }
})

const MESSAGES = 200
const WORKERS = 8
/** A slow provider, so that all workers compete for the same rows. */
const provider: Gateway = {
  send: async (message) => {
    await sleep(Math.random() * 5)
    sent.push(message.id)
  },
}

test('eight workers send two hundred messages, each exactly once', async () => {
  const { db } = market.ctx
  const log = openLog('silent')
  const gateways = { sms: provider, email: provider, push: provider }
  const taken = await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      const worker = startOutbox({ db, log, gateways, vault: market.ctx.vault, origin: 'https://sandhai.test', isManual: true })
      let count = 0
      for (let empty = 0; empty < 3;) {
        const found = await worker.look('sms')
        count += found
        empty = found === 0 ? empty + 1 : 0
      }
      return count
    }),
  )
  expect(sent).toHaveLength(MESSAGES)
  expect(new Set(sent).size).toBe(MESSAGES)
  expect(taken.filter((count) => count > 0).length).toBeGreaterThan(1)
  const rows = await db.select().from(outbox)
  expect(rows.every(({ sentAt, attempts }) => sentAt !== null && attempts === 1)).toBe(true)
})

test('control: workers that check, then write without a lock send many messages several times', async () => {
  const { db } = market.ctx
  const naive = async () => {
    for (;;) {
      const due = await db
        .select()
        .from(outbox)
        .where(and(eq(outbox.channel, 'sms'), isNull(outbox.sentAt)))
        .orderBy(outbox.id)
        .limit(10)
      if (due.length === 0) return
      await Promise.all(
        due.map(async (message) => {
          await provider.send({ ...message, messageKey: '' }, AbortSignal.timeout(1000))
          await db
            .update(outbox)
            .set({ sentAt: sql`now()` })
            .where(eq(outbox.id, message.id))
        }),
      )
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, naive))
  expect(new Set(sent).size).toBe(MESSAGES)
  expect(sent.length).toBeGreaterThan(MESSAGES)
})
