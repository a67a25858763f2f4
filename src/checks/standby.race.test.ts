import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { PageCache, pageChangesOf } from '#src/kit/http/page-cache.server.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'

let leader: PostgresServer
let follower: PostgresServer
let database: Database
beforeAll(async () => {
  leader = await startPreparedPostgres()
  follower = await leader.standby()
  database = await openDatabase({ databaseUrl: leader.url, replicaUrl: follower.url, dataDir: '', patience: 10 })
  await database.db.execute(sql`create table prices (price int not null)`)
  await database.db.execute(sql`insert into prices values (0)`)
  await database.db.execute(
    sql.raw(`create trigger page_change after update on prices for each statement execute function note_page_change()`),
  )
})
afterAll(async () => {
  await database?.close()
  await follower?.stop()
  await leader?.stop()
})

const onFollower = async (statement: string) => {
  const direct = await openDatabase({ databaseUrl: follower.url, dataDir: '' })
  await direct.db.execute(sql.raw(statement)).finally(() => direct.close())
}

const priceOf = async (db: Db) => (await rowsOf({ db }, sql`select price from prices`, z.object({ price: z.number() })))[0]!.price

interface Seen {
  price: number
  from: 'cache' | 'standby' | 'leader'
}
/** Reads a price that is not cached yet. */
type Fresh = (cache: PageCache) => Promise<Omit<Seen, 'from'> & { from: 'standby' | 'leader' }>

const checked: Fresh = async (cache) => {
  const read = await database.standby!.read(cache.position, priceOf)
  return read ? { price: read.value, from: 'standby' } : { price: await priceOf(database.db), from: 'leader' }
}
const unchecked: Fresh = async () => {
  const direct = await openDatabase({ databaseUrl: follower.url, dataDir: '' })
  return { price: await priceOf(direct.db).finally(() => direct.close()), from: 'standby' }
}

const pageOf = (fresh: Fresh) => {
  const cache = new PageCache(pageChangesOf(database.watch), { readsStandbys: true })
  return async (): Promise<Seen> => {
    const epoch = cache.epochOfUnknown('page') ?? (await cache.look())!
    const cached = cache.find('page', epoch)
    if (cached) return { price: Number(Buffer.from(await cached.encoded(null)).toString()), from: 'cache' }
    let from: Seen['from'] = 'cache'
    const { body } = await cache.render('page', epoch, async () => {
      const seen = await fresh(cache)
      from = seen.from
      return { status: 200, headers: {}, isCacheable: true, shows: new Set(), requestId: 'test', body: Buffer.from(String(seen.price)) }
    })
    return { price: Number(body.toString()), from }
  }
}

const setPrice = (price: number) => database.db.execute(sql`update prices set price = ${price}`)

/** Reads while a writer raises the price. Returns how many reads saw less than the price committed before they began. */
async function staleReads(fresh: Fresh, isEnough: (seen: Record<Seen['from'] | 'stale', number>) => boolean) {
  const counts = { cache: 0, standby: 0, leader: 0, stale: 0 }
  const open = pageOf(fresh)
  let acknowledged = 0
  let isOver = false
  await setPrice(0)
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const atLeast = acknowledged
      const { price, from } = await open()
      counts[from] += 1
      if (price < atLeast) counts.stale += 1
    }
  })
  for (let price = 1; !isEnough(counts); price += 1) {
    await setPrice(price)
    acknowledged = price
    // A pause now and then lets the standby catch up; on a fast machine it is late only while it may not replay.
    if (price % 3 === 0) await sleep(100)
    if (price % 12 === 1) await onFollower('select pg_wal_replay_pause()')
    if (price % 12 !== 2) continue
    await sleep(100)
    await onFollower('select pg_wal_replay_resume()')
  }
  await onFollower('select pg_wal_replay_resume()')
  isOver = true
  await Promise.all(readers)
  return counts
}

describe('a page that is rendered from a standby', () => {
  test('is never older than the last price committed before its request', async () => {
    const { stale } = await staleReads(checked, ({ standby, leader, cache }) => standby > 5 && leader > 0 && cache > 20)
    expect(stale).toBe(0)
  })

  test('comes from the leader while the standby replays nothing; control: without the check the cache keeps an old price', async () => {
    await onFollower('select pg_wal_replay_pause()')
    try {
      await setPrice(1_000_000)
      expect(await pageOf(checked)()).toEqual({ price: 1_000_000, from: 'leader' })
      const naive = pageOf(unchecked)
      const first = await naive()
      expect(first.price).not.toBe(1_000_000)
      expect(await naive()).toEqual({ price: first.price, from: 'cache' })
    } finally {
      await onFollower('select pg_wal_replay_resume()')
    }
    const page = pageOf(checked)
    await expect
      .poll(async () => {
        await setPrice(2_000_000)
        await sleep(100)
        return page()
      })
      .toEqual({ price: 2_000_000, from: 'standby' })
  })

  test('cannot write', async () => {
    await sleep(100)
    const cache = new PageCache(pageChangesOf(database.watch), { readsStandbys: true })
    await cache.look()
    await expect
      .poll(() =>
        database
          .standby!.read(cache.position, (db) => db.execute(sql`update prices set price = 3`))
          .catch((error: Error) => String(error.cause)),
      )
      .toContain('read-only transaction')
  })
})

describe('a standby', () => {
  test('is skipped when it is stopped or has become a leader, and is used again when it is back', async () => {
    const cache = new PageCache(pageChangesOf(database.watch), { readsStandbys: true })
    await cache.look()
    const from = async () => (await checked(cache)).from
    await expect.poll(from).toBe('standby')
    await follower.crash()
    expect([await from(), await from()]).toEqual(['leader', 'leader'])
    await follower.restart()
    await expect.poll(from, { timeout: 60_000 }).toBe('standby')
    await onFollower('select pg_promote()')
    expect(await from()).toBe('leader')
  })
})
