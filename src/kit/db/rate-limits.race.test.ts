import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { RateLimits } from './rate-limits.server.ts'
import { limitCounts } from '#src/kit/db/tables.ts'

let market: TestMarket
/** Stand-ins for other processes: each has its own pool and shares no memory with the others. */
const processes: Database[] = []
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const [row] = ((await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }).rows
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${row!.name}`
  // Patience, because a thousand requests at once wait long for a connection on a busy machine.
  for (let n = 0; n < 4; n++) processes.push(await openDatabase({ databaseUrl: url.href, dataDir: '', patience: 60 }))
})
afterAll(async () => {
  for (const each of processes) await each.close()
})

const TRIES = 1000
/** Three per day and address, multiplied by the factor. */
const FACTOR = 3
const ALLOWED = 3 * FACTOR

async function burst(take: (n: number) => Promise<unknown>): Promise<number> {
  const passed = await Promise.all(
    Array.from({ length: TRIES }, (_, n) =>
      take(n).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Problem && error.code === 'RATE_LIMITED') return false
          throw error
        },
      ),
    ),
  )
  return passed.filter(Boolean).length
}

describe('a limit counted in the database', () => {
  test('passes exactly its number of a thousand concurrent requests over four processes', async () => {
    const limits = processes.map(() => new RateLimits(FACTOR))
    const at = (n: number) => n % processes.length
    expect(await burst((n) => limits[at(n)]!.takeDurable(processes[at(n)]!.db, 'newsletter', '203.0.113.7'))).toBe(ALLOWED)
    const [row] = await market.ctx.db.select().from(limitCounts).where(eq(limitCounts.key, 'newsletter:203.0.113.7'))
    expect(row!.points).toBe(TRIES)
  })

  test('survives a process restart', async () => {
    expect(await burst(() => new RateLimits(FACTOR).takeDurable(market.ctx.db, 'newsletter', '203.0.113.7'))).toBe(0)
  })

  test('control: read, then write without a lock passes more', async () => {
    const naive = async (n: number) => {
      const { db } = processes[n % processes.length]!
      const [row] = await db.select().from(limitCounts).where(eq(limitCounts.key, 'naive'))
      const points = row?.points ?? 0
      if (points >= ALLOWED) throw new Problem('RATE_LIMITED')
      await db
        .insert(limitCounts)
        .values({ key: 'naive', points: points + 1 })
        .onConflictDoUpdate({ target: limitCounts.key, set: { points: points + 1 } })
    }
    expect(await burst(naive)).toBeGreaterThan(ALLOWED)
  })
})
