import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { findOutcome, once, sweepIdempotency } from './idempotency.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  await market.owner.execute(sql`create table acts (n int)`)
})

const acts = async ({ db } = market.ctx) =>
  ((await db.execute(sql`select count(*)::int as n from acts`)) as unknown as { rows: { n: number }[] }).rows[0]!.n
const act = (key: string, request: unknown = { price: 1 }, owner = 'user:1') =>
  once(market.ctx, { owner, key, request }, async (ctx) => {
    await ctx.db.execute(sql`insert into acts values (1)`)
    return { id: await acts(ctx) }
  })

test('a repeated request acts once and gets the same answer', async () => {
  const before = await acts()
  const first = await act('a')
  expect(await act('a')).toEqual(first)
  expect(await acts()).toBe(before + 1)
})

test('a different request with the same key is refused; another person may use the key', async () => {
  await act('b')
  await expect(act('b', { price: 2 })).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
  const before = await acts()
  await act('b', { price: 2 }, 'user:2')
  expect(await acts()).toBe(before + 1)
})

test('a failed act stores nothing, so a retry acts', async () => {
  const failing = once(market.ctx, { owner: 'user:1', key: 'c', request: {} }, async () => Promise.reject(new Error('the line is dead')))
  await expect(failing).rejects.toThrow('the line is dead')
  const before = await acts()
  await act('c', {})
  expect(await acts()).toBe(before + 1)
})

test('an act that may wait on an offline phone is remembered for sixty days', async () => {
  await act('w', { price: 1 }, 'user:1|sell')
  const age = (days: number) =>
    market.ctx.db.execute(sql`update idempotency set created_at = now() - make_interval(days => ${days}) where key = 'w'`)
  await age(59)
  await sweepIdempotency(market.ctx.db)
  const before = await acts()
  await act('w', { price: 1 }, 'user:1|sell')
  expect(await acts()).toBe(before)
  await age(61)
  await sweepIdempotency(market.ctx.db)
  await act('w', { price: 1 }, 'user:1|sell')
  expect(await acts()).toBe(before + 1)
})

test('an answer is forgotten after two days', async () => {
  await act('d')
  await market.ctx.db.execute(sql`update idempotency set created_at = now() - interval '49 hours' where key = 'd'`)
  await sweepIdempotency(market.ctx.db)
  const before = await acts()
  await act('d', { price: 3 })
  expect(await acts()).toBe(before + 1)
})

const outcomeOf = (key: string, owners = ['user:1', 'user:1|sell']) => findOutcome(market.ctx, { owners, key })

test('a client without an answer can ask for the outcome: done or none, and the question stores nothing', async () => {
  expect(await outcomeOf('asked')).toBe('none')
  await act('asked')
  expect(await outcomeOf('asked')).toBe('done')
  expect(await outcomeOf('asked', ['user:2'])).toBe('none')
  const failing = once(market.ctx, { owner: 'user:1', key: 'failed', request: {} }, async () =>
    Promise.reject(new Error('the line is dead')),
  )
  await expect(failing).rejects.toThrow('the line is dead')
  expect(await outcomeOf('failed')).toBe('none')
  const before = await acts()
  await act('failed', {})
  expect(await acts()).toBe(before + 1)
})
