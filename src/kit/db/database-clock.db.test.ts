import { sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { DatabaseClock } from '#src/kit/db/database-clock.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))
afterEach(() => vi.useRealTimers())

async function databaseSays(): Promise<number> {
  const [row] = await rowsOf(
    market.ctx,
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
    z.object({ ms: z.number() }),
  )
  return row!.ms
}

/**
 * Measures the round trip of a comparison. The database reads its clock during this round trip, so the clock error is smaller than it, however busy
 * the machine is.
 */
async function tripOf<T>(compare: () => Promise<T>): Promise<{ tripMs: number; compared: T }> {
  const startedAt = performance.now()
  const compared = await compare()
  // Plus one millisecond, because a Date cuts off the fraction.
  return { tripMs: performance.now() - startedAt + 1, compared }
}

/** Expects our clock to lie between two readings of the database clock. */
async function expectRight(clock: DatabaseClock, tripMs: number): Promise<void> {
  const before = await databaseSays()
  const now = clock.now().getTime()
  expect(now).toBeGreaterThanOrEqual(before - tripMs)
  expect(now).toBeLessThanOrEqual((await databaseSays()) + tripMs)
}

test('the clock returns the time of the database', async () => {
  const { compared: clock, tripMs } = await tripOf(() => DatabaseClock.start(market.database.watch))
  await expectRight(clock, tripMs)
  await clock.stop()
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'the clock ignores the system clock of the site, even when somebody sets it',
  async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2020-01-01') })
    const { compared: clock, tripMs } = await tripOf(() => DatabaseClock.start(market.database.watch))
    await expectRight(clock, tripMs)
    vi.setSystemTime('2031-01-01')
    await expectRight(clock, tripMs)
    await clock.stop()
  },
)

test('the clock keeps counting while the database does not answer', async () => {
  let isAway = false
  const db = {
    execute: (statement: never) => (isAway ? Promise.reject(new Error('away')) : market.database.watch.execute(statement)),
  } as never
  const { compared: clock, tripMs } = await tripOf(() => DatabaseClock.start(db))
  isAway = true
  await expect(clock.compare()).rejects.toThrow('away')
  await expectRight(clock, tripMs)
  await clock.stop()
})
