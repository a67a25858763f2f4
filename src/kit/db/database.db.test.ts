import { sql, type SQL } from 'drizzle-orm'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openTestMarket, shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { inTransaction, openDatabase } from './database.server.ts'
import type { Db } from './db.ts'
import { isDatabaseAway, sqlState } from './database-errors.server.ts'
import { HOT_AFTER } from './database-client.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  await market.owner.execute(sql`create table goats (id int primary key, stock int not null check (stock >= 0))`)
})
beforeEach(() => market.owner.execute(sql`truncate goats`))

async function rows(query: SQL, db = market.ctx.db): Promise<unknown[]> {
  return ((await db.execute(query)) as unknown as { rows: unknown[] }).rows
}
const goats = () => rows(sql`select id, stock from goats order by id`)

describe('one act, one transaction', () => {
  test('a successful act commits and returns its result', async () => {
    const answer = await inTransaction(market.ctx, async (ctx) => {
      await ctx.db.execute(sql`insert into goats values (1, 3)`)
      await ctx.db.execute(sql`update goats set stock = 2`)
      return 'done'
    })
    expect(answer).toBe('done')
    expect(await goats()).toEqual([{ id: 1, stock: 2 }])
  })

  test('an exception rolls everything back and reaches the caller unchanged', async () => {
    const problem = new Problem('NOT_FOUND')
    const act = inTransaction(market.ctx, async (ctx) => {
      await ctx.db.execute(sql`insert into goats values (1, 3), (2, 5)`)
      throw problem
    })
    await expect(act).rejects.toBe(problem)
    expect(await goats()).toEqual([])
  })

  test('a statement that the database refuses rolls everything back', async () => {
    const act = inTransaction(market.ctx, async (ctx) => {
      await ctx.db.execute(sql`insert into goats values (1, 3)`)
      await ctx.db.execute(sql`update goats set stock = stock - 4`)
    })
    expect(sqlState(await act.catch((error: unknown) => error))).toBe('23514')
    expect(await goats()).toEqual([])
  })

  test('the inner ctx equals the outer one except for its db, which sees the uncommitted rows', async () => {
    await inTransaction(market.ctx, async (ctx) => {
      const { db, ...rest } = ctx
      const { db: outer, ...outerRest } = market.ctx
      expect(rest).toEqual(outerRest)
      expect(db).not.toBe(outer)
      await ctx.db.execute(sql`insert into goats values (1, 3)`)
      expect(await rows(sql`select id from goats`, ctx.db)).toEqual([{ id: 1 }])
      if (market.database.kind === 'postgres') expect(await goats()).toEqual([])
    })
  })

  test('a nested transaction can roll back alone, and rolls back with the outer one', async () => {
    await inTransaction(market.ctx, async (ctx) => {
      await ctx.db.execute(sql`insert into goats values (1, 1)`)
      const inner = inTransaction(ctx, async (ctx) => {
        await ctx.db.execute(sql`insert into goats values (2, 2)`)
        throw new Problem('NOT_FOUND')
      })
      await expect(inner).rejects.toThrow('NOT_FOUND')
    })
    expect(await goats()).toEqual([{ id: 1, stock: 1 }])

    const outer = inTransaction(market.ctx, async (ctx) => {
      await inTransaction(ctx, (ctx) => ctx.db.execute(sql`insert into goats values (3, 3)`))
      throw new Problem('NOT_FOUND')
    })
    await expect(outer).rejects.toThrow('NOT_FOUND')
    expect(await goats()).toEqual([{ id: 1, stock: 1 }])
  })
})

test('both engines return integers beyond the range of a double exactly', async () => {
  expect(await rows(sql`select 9007199254740993::bigint as money, count(*) as n from goats`)).toEqual([
    { money: '9007199254740993', n: '0' },
  ])
})

test('ping answers on an open database and throws on a closed one', async () => {
  await market.database.ping()
  const other = await openTestMarket()
  await other.close()
  await expect(other.database.ping()).rejects.toThrow()
})

describe('sqlState', () => {
  test.each([
    ['23505', sql`insert into goats values (1, 1), (1, 2)`],
    ['23514', sql`insert into goats values (1, -1)`],
    ['23502', sql`insert into goats (id) values (1)`],
    ['22P02', sql`select 'goat'::int`],
  ])('finds %s however many times the driver wrapped the error', async (state, query) => {
    const error = await market.ctx.db.execute(query).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(sqlState(error)).toBe(state)
    expect(isDatabaseAway(error)).toBe(false)
  })

  test('returns undefined for our own errors and for system errors', () => {
    expect(sqlState(new Error('EPIPE'))).toBeUndefined()
    expect(sqlState(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBeUndefined()
    expect(sqlState(undefined)).toBeUndefined()
  })
})

describe('isDatabaseAway tells an outage from a bug', () => {
  const failure = (facts: object, message = '') => new DrizzleQueryError('select 1', [], Object.assign(new Error(message), facts))
  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENOTFOUND',
    '57P01',
    '57P02',
    '57P03',
    '08006',
    '53300',
    '57014',
    '55P03',
    '25P03',
  ])('%s: away', (code) => expect(isDatabaseAway(failure({ code }))).toBe(true))
  test.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('%s: away', (message) => expect(isDatabaseAway(failure({}, message))).toBe(true))
  test.each(['23505', '42P01', '22P02', '42601', 'ENOENT', 'ERR_INVALID_ARG_TYPE'])('%s: a bug', (code) =>
    expect(isDatabaseAway(failure({ code }))).toBe(false),
  )
})

describe('migrations', () => {
  test('do not run a second time', async () => {
    const before = await rows(sql`select * from schema_migrations`)
    await market.database.migrate()
    expect(await rows(sql`select * from schema_migrations`)).toEqual(before)
    expect(before.length).toBeGreaterThan(0)
  })

  test('stop the start when a file was edited after it ran', async () => {
    await market.owner.execute(sql`update schema_migrations set hash = 'x' || hash where number = 0`)
    await expect(market.database.migrate()).rejects.toThrow('Migration 0 was changed after it ran on this database.')
    await market.owner.execute(sql`update schema_migrations set hash = substr(hash, 2) where number = 0`)
    await market.database.migrate()
  })

  test('of a newer release stop the start of this one', async () => {
    await market.owner.execute(sql`insert into schema_migrations (number, hash) select max(number) + 1, 'newer' from schema_migrations`)
    await expect(market.database.migrate()).rejects.toThrow('This database was made by a newer version of Sandhai.')
    await market.owner.execute(sql`delete from schema_migrations where hash = 'newer'`)
    await market.database.migrate()
  })

  test('of a newer release that declares this one compatible let it run and change nothing', async () => {
    const [{ count }] = (await rows(sql`select count(*)::int as count from schema_migrations`)) as [{ count: number }]
    await market.owner.execute(sql`insert into schema_migrations (number, hash) values (${count}, 'newer')`)
    const setComment = (at: number, from: number) =>
      market.owner.execute(
        sql.raw(`comment on table schema_migrations is 'At ${at} migrations, releases that know ${from} or more run on this schema.'`),
      )
    await setComment(count + 1, count)
    expect(await market.database.migrate()).toBe(1)
    await setComment(count + 1, count + 1)
    await expect(market.database.migrate()).rejects.toThrow('This database was made by a newer version of Sandhai.')
    // The comment was written for an older schema, so it does not cover this one.
    await setComment(count, count - 1)
    await expect(market.database.migrate()).rejects.toThrow('This database was made by a newer version of Sandhai.')
    await market.owner.execute(sql`delete from schema_migrations where hash = 'newer'`)
    expect(await market.database.migrate()).toBe(0)
  })
})

describe('a frequent statement', () => {
  test('is planned once per connection for all values, and only where prepared statements are allowed', async () => {
    if (market.database.kind === 'embedded') return
    for (const hasPreparedStatements of [true, false]) {
      const own = await openDatabase({ databaseUrl: inject('postgresUrl'), dataDir: '', hasPreparedStatements })
      const ask = async (n: number, db: Db) =>
        expect(await rows(sql`select ${n}::int as n, 'all day' as asked`, db)).toEqual([{ n, asked: 'all day' }])
      const plans = (db: Db) => rows(sql`select statement from pg_prepared_statements`, db)
      try {
        await own.db.transaction(async (db) => {
          for (let n = 1; n < HOT_AFTER; n++) await ask(n, db)
          expect(await plans(db)).toEqual([])
          for (const n of [7, 8]) await ask(n, db)
          expect(await plans(db)).toEqual(hasPreparedStatements ? [{ statement: "select $1::int as n, 'all day' as asked" }] : [])
        })
      } finally {
        await own.close()
      }
    }
  })
})
