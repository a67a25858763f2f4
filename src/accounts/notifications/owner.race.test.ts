import { and, eq, ne } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '../makers.server.ts'
import { findSession } from '../sessions.server.ts'
import { pushDevices } from '../tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { addDevice, type PushSubscription } from './devices.server.ts'

let market: TestMarket
let people: Ctx[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  people = await Promise.all(
    [0, 1, 2].map(async () => {
      const { id } = await makeUser(market.ctx)
      const { id: sessionId, viewer } = (await findSession(market.ctx.db, await makeSession(market.ctx, id)))!
      return { ...market.ctx, viewer, sessionId }
    }),
  )
})

const ROUNDS = 60
const ORIGIN = 'https://push.example'
const subscription = (n: number): PushSubscription => ({
  endpoint: `${ORIGIN}/${n}`,
  keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) },
})

type Add = (ctx: Ctx, of: PushSubscription) => Promise<number>

/** In each round two people subscribe in the browser of a third at the same instant. Counts the rounds in which both got the same id. */
async function sharedIds(add: Add, from: number): Promise<number> {
  const [former, ...both] = people as [Ctx, Ctx, Ctx]
  let shared = 0
  for (let n = from; n < from + ROUNDS; n++) {
    await add(former, subscription(n))
    const [one, other] = await Promise.all(both.map((ctx) => add(ctx, subscription(n))))
    if (one === other) shared += 1
  }
  return shared
}

test('a browser that two people subscribe at the same instant has another id for each, so that no mark works for both', async () => {
  const add: Add = (ctx, of) => addDevice(ctx, of, { userAgent: '', origins: [ORIGIN] })
  expect(await sharedIds(add, 0)).toBe(0)
})

test('control: without a lock on the address both get the same id', async () => {
  const add: Add = (ctx, { endpoint, keys }) =>
    inTransaction(ctx, async ({ db, viewer, sessionId }) => {
      const device = { userId: viewer!.id, sessionId: sessionId!, endpoint, ...keys, device: '' }
      await db.delete(pushDevices).where(and(eq(pushDevices.endpoint, endpoint), ne(pushDevices.userId, device.userId)))
      const insert = db.insert(pushDevices).values(device)
      const [stored] = await insert.onConflictDoUpdate({ target: pushDevices.endpoint, set: device }).returning({ id: pushDevices.id })
      return stored!.id
    })
  expect(await sharedIds(add, ROUNDS)).toBeGreaterThan(0)
})
