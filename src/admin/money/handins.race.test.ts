import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '#src/orders/tables.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { cashHandins } from '../tables.ts'
import { noteHandin } from './cash.server.ts'

const ADMINS = 8

let market: TestMarket
let admins: Viewer[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admins = await Promise.all(Array.from({ length: ADMINS }, () => makeUser(market.ctx, { typeId: 9 })))
})

type Note = (ctx: Ctx, handin: Parameters<typeof noteHandin>[1]) => Promise<void>

/** Race control: check for a newer entry, then write without a lock. Concurrent callers all pass the check and all write. */
const naive =
  (allHaveChecked: () => Promise<void>): Note =>
  async (ctx, { day, taker, amount, note, seen }) => {
    const mine = and(eq(cashHandins.day, day), eq(cashHandins.taker, taker))
    const [last] = await ctx.db.select().from(cashHandins).where(mine).orderBy(desc(cashHandins.id)).limit(1)
    if ((last?.id ?? 0) !== seen) throw new Problem('VERSION')
    await allHaveChecked()
    await ctx.db.insert(cashHandins).values({ day, taker, amount, note, byId: ctx.viewer!.id, at: ctx.now })
  }

/** Every admin records another amount for one bearer and day at the same time, and none of them has seen an entry. */
async function noteAtOnce(how: Note) {
  const bearer = await makeBearer(market.ctx)
  const { id } = await makeOrder(market.ctx, { status: 6, admin: admins[0]! })
  await market.ctx.db.update(orders).set({ listedBearerId: bearer.id }).where(eq(orders.id, id))
  const [day, taker] = [indianDay(market.ctx.now), `listed:${bearer.id}`]
  const ends = await Promise.all(
    admins.map((admin, n) => refusalOf(how(market.as(admin), { day, taker, amount: rupees(1000 + n), note: `Counted by ${n}.`, seen: 0 }))),
  )
  const entries = await market.ctx.db.$count(cashHandins, and(eq(cashHandins.day, day), eq(cashHandins.taker, taker)))
  return { noted: ends.filter((end) => end === 'taken').length, entries }
}

test('of concurrent hand-ins for one bearer and day, one is recorded and the others are refused', async () => {
  for (let round = 0; round < 5; round++) expect(await noteAtOnce(noteHandin)).toEqual({ noted: 1, entries: 1 })
})

test('control: checking and then writing without a lock records every hand-in', async () => {
  expect(await noteAtOnce(naive(meetingOf(ADMINS)))).toEqual({ noted: ADMINS, entries: ADMINS })
})
