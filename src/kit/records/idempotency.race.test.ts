import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import type { Ctx } from '../context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { findOutcome, once } from './idempotency.server.ts'
import { idempotency } from '#src/kit/db/tables.ts'

const AT_ONCE = 200
let market: TestMarket
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  await market.owner.execute(sql`create table acts (name text)`)
})

const note = (ctx: Ctx, name: string) => ctx.db.execute(sql`insert into acts values (${name})`)
async function actsNamed(name: string): Promise<number> {
  const { rows } = (await market.ctx.db.execute(sql`select count(*)::int as n from acts where name = ${name}`)) as unknown as {
    rows: { n: number }[]
  }
  return rows[0]!.n
}
const allAtOnce = <T>(act: (n: number) => Promise<T>) => Promise.all(Array.from({ length: AT_ONCE }, (_, n) => act(n)))

test('two hundred concurrent requests with one key act once and all get the same answer', async () => {
  const answers = await allAtOnce((n) =>
    once(market.ctx, { owner: 'user:1', key: 'k', request: {} }, async (ctx) => {
      await note(ctx, 'once')
      return { n }
    }),
  )
  expect(await actsNamed('once')).toBe(1)
  expect(new Set(answers.map(({ n }) => n)).size).toBe(1)
})

test('findOutcome returns running during the act and the outcome after its end', async () => {
  const outcome = () => findOutcome(market.ctx, { owners: ['user:1'], key: 'slow' })
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const slow = once(market.ctx, { owner: 'user:1', key: 'slow', request: {} }, async () => {
    started.resolve()
    await gate.promise
    return { n: 1 }
  })
  await started.promise
  expect(await outcome()).toBe('running')
  const waiting = outcome()
  gate.resolve()
  await slow
  expect(await waiting).toBe('done')
})

test('control: check, then write without a lock acts more than once', async () => {
  // The first to check waits until another has checked, too: a busy machine may run one after the other.
  const others = Promise.withResolvers<void>()
  let checks = 0
  await allAtOnce(() =>
    inTransaction(market.ctx, async (ctx) => {
      const { rows } = (await ctx.db.execute(sql`select 1 from idempotency where key = 'naive'`)) as unknown as { rows: unknown[] }
      if (++checks > 1) others.resolve()
      await others.promise
      if (rows.length > 0) return
      await note(ctx, 'naive')
      await ctx.db
        .insert(idempotency)
        .values({ owner: 'user:1', key: 'naive', requestHash: Buffer.alloc(32) })
        .onConflictDoNothing()
    }),
  )
  expect(await actsNamed('naive')).toBeGreaterThan(1)
})
