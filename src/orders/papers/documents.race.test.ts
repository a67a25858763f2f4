import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { countOf, rush } from '#tools/test-kit/crowd.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { bonusOf, makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '../tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'

// safety.md §1: INV-8 and INV-13 at the delivery.

const DELIVERIES = often(24, 200)
const AT_ONCE = 40

let market: TestMarket
shareMarket((opened) => (market = opened))

const rowsOf = async <T>(query: ReturnType<typeof sql>) => ((await market.ctx.db.execute(query)) as unknown as { rows: T[] }).rows

test(`${DELIVERIES} orders, each delivered by two concurrent calls while every third attempt breaks: one delivery, one pair of documents and one bonus each`, async () => {
  const { ctx } = market
  const friend = await makeUser(ctx, { typeId: 1 })
  const seller = await makeUser(ctx, { typeId: 2 })
  const admin = await makeUser(ctx, { typeId: 9 })
  const made: number[] = []
  for (let n = 0; n < DELIVERIES; n++) made.push((await makeOrder(ctx, { status: 5, seller, admin })).id)
  await ctx.db.update(orders).set({ referrerId: friend.id })
  const attempts = made.flatMap((id, n) => [id, id].map((order, m) => ({ order, breaks: (2 * n + m) % 3 === 0 })))
  const ends = await rush(attempts, AT_ONCE, ({ order, breaks }) =>
    inTransaction(market.as(admin), async (ctx) => {
      await takeStep(ctx, order, { to: 6, note: 'Paid.' })
      if (breaks) throw new Error('broken')
    }),
  )
  // When the broken call came first, the other succeeded; when neither broke, the second was refused.
  const delivered = await ctx.db.$count(orders, eq(orders.status, 6))
  expect(countOf(ends).taken).toBe(delivered)
  expect(Object.keys(countOf(ends)).toSorted()).toEqual(['Error: broken', 'ORDER_TERMINAL', 'taken'])
  for (const kind of ['receipt', 'commission']) {
    const serials = await rowsOf<{ serial: number }>(sql`select serial from invoices where kind = ${kind} order by serial`)
    expect(serials.map(({ serial }) => serial)).toEqual(Array.from({ length: delivered }, (_, n) => n + 1))
  }
  expect(await bonusOf(ctx, friend.id)).toBe(Math.min(5000, 150 * delivered))
})

test('control: a counter without a lock loses updates', async () => {
  const { ctx } = market
  await market.owner.execute(sql`create table naive_bonus (id bigint primary key, rupees integer not null)`)
  const friend = await makeUser(ctx, { typeId: 1 })
  await ctx.db.execute(sql`insert into naive_bonus values (${friend.id}, 0)`)
  const allHaveRead = meetingOf(2)
  await Promise.all(
    [1, 2].map(async () => {
      const [row] = await rowsOf<{ rupees: number }>(sql`select rupees from naive_bonus where id = ${friend.id}`)
      await allHaveRead()
      await ctx.db.execute(sql`update naive_bonus set rupees = ${row!.rupees + 150} where id = ${friend.id}`)
    }),
  )
  expect((await rowsOf<{ rupees: number }>(sql`select rupees from naive_bonus where id = ${friend.id}`))[0]!.rupees).toBe(150)
  expect(await ctx.db.$count(users, eq(users.id, friend.id))).toBe(1)
})
