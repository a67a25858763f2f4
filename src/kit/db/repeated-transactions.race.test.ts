import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '../context.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { inTransaction } from './database.server.ts'
import { sqlState } from './database-errors.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

type Transact = (ctx: Ctx, act: (ctx: Ctx) => Promise<void>) => Promise<void>

const once: Transact = (ctx, act) => ctx.db.transaction((db) => act({ ...ctx, db }))

const mark = async ({ db }: Ctx, id: number) => {
  await db
    .update(users)
    .set({ name: sql`${users.name} || '+'` })
    .where(eq(users.id, id))
}

/** Two transactions change the same two rows in opposite order, and each waits until the other holds its first row. */
async function deadlock(transact: Transact) {
  const [one, other] = [(await makeUser(market.ctx, { name: 'A' })).id, (await makeUser(market.ctx, { name: 'B' })).id]
  const bothHaveOne = meetingOf(2)
  let tries = 0
  const change = (ids: [number, number]) => {
    let isFirstTry = true
    return transact(market.ctx, async (ctx) => {
      tries += 1
      await mark(ctx, ids[0])
      if (isFirstTry) await bothHaveOne()
      isFirstTry = false
      await mark(ctx, ids[1])
    })
  }
  const ends = await Promise.allSettled([change([one, other]), change([other, one])])
  const rows = await market.ctx.db
    .select({ name: users.name })
    .from(users)
    .where(sql`${users.id} in (${one}, ${other})`)
    .orderBy(users.id)
  return { ends, tries, names: rows.map(({ name }) => name) }
}

test('of two transactions in a deadlock the one that was rolled back is repeated, and both take effect once', async () => {
  const { ends, tries, names } = await deadlock(inTransaction)
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect([tries, names]).toEqual([3, ['A++', 'B++']])
})

test('control: without the repetition one of them fails', async () => {
  const { ends, names } = await deadlock(once)
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [sqlState(end.reason)] : []))
  expect([failed, names]).toEqual([['40P01'], ['A+', 'B+']])
})

test('a transaction within another one is repeated with the whole, and any other error is not repeated', async () => {
  const nested: Transact = (ctx, act) => inTransaction(ctx, (ctx) => inTransaction(ctx, act))
  const { ends, tries, names } = await deadlock(nested)
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect([tries, names]).toEqual([3, ['A++', 'B++']])
  let runs = 0
  const divide = inTransaction(market.ctx, async ({ db }) => {
    runs += 1
    await db.execute(sql`select 1 / 0`)
  })
  expect(sqlState(await divide.catch((error: unknown) => error))).toBe('22012')
  expect(runs).toBe(1)
})

test('a transaction that loses again is repeated once more, and then fails', async () => {
  const lost = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  const losing = async (times: number) => {
    let runs = 0
    const transaction = async () => {
      runs += 1
      if (runs <= times) throw lost
      return 'done'
    }
    const db = { transaction } as unknown as Ctx['db']
    const end = await inTransaction({ ...market.ctx, db }, async () => '').catch((error: unknown) => sqlState(error))
    return { end, runs }
  }
  expect(await losing(2)).toEqual({ end: 'done', runs: 3 })
  expect(await losing(3)).toEqual({ end: '40P01', runs: 3 })
})
