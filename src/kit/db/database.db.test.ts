import { sql, type SQL } from 'drizzle-orm'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { inTransaction, isDatabaseAway, openDatabase, sqlState, type Db } from './database.server.ts'
import { HOT_AFTER } from './database-client.server.ts'
import { Problem } from '#src/kit/problem.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
  await market.owner.execute(sql`create table goats (id int primary key, stock int not null check (stock >= 0))`)
})
beforeEach(() => market.owner.execute(sql`truncate goats`))
afterAll(() => market?.close())

async function rows(query: SQL, db = market.ctx.db): Promise<unknown[]> {
  return ((await db.execute(query)) as unknown as { rows: unknown[] }).rows
}
const goats = () => rows(sql`select id, stock from goats order by id`)

describe('one act, one transaction', () => {
  test('what succeeds is there, and gives its answer back', async () => {
    const answer = await inTransaction(market.ctx, async (ctx) => {
      await ctx.db.execute(sql`insert into goats values (1, 3)`)
      await ctx.db.execute(sql`update goats set stock = 2`)
      return 'done'
    })
    expect(answer).toBe('done')
    expect(await goats()).toEqual([{ id: 1, stock: 2 }])
  })

  test('a throw takes all of it back, and comes out as it was', async () => {
    const problem = new Problem('NOT_FOUND')
    const act = inTransaction(market.ctx, async (ctx) => {
      await ctx.db.execute(sql`insert into goats values (1, 3), (2, 5)`)
      throw problem
    })
    await expect(act).rejects.toBe(problem)
    expect(await goats()).toEqual([])
  })

  test('a statement refused by the database takes all of it back', async () => {
    const act = inTransaction(market.ctx, async (ctx) => {
      await ctx.db.execute(sql`insert into goats values (1, 3)`)
      await ctx.db.execute(sql`update goats set stock = stock - 4`)
    })
    expect(sqlState(await act.catch((error: unknown) => error))).toBe('23514')
    expect(await goats()).toEqual([])
  })

  test('the inner ctx is the same question on the transaction: it sees the rows that nobody else sees', async () => {
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

  test('a second one inside belongs to the first: it can be taken back alone, and goes when the first goes', async () => {
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

test('whole numbers beyond a double come back whole, on both engines', async () => {
  expect(await rows(sql`select 9007199254740993::bigint as money, count(*) as n from goats`)).toEqual([
    { money: '9007199254740993', n: '0' },
  ])
})

test('an answer to ping costs nothing and a closed database throws', async () => {
  await market.database.ping()
  const other = await openTestMarket()
  await other.close()
  await expect(other.database.ping()).rejects.toThrow()
})

describe('the SQLSTATE of a failure', () => {
  test.each([
    ['23505', sql`insert into goats values (1, 1), (1, 2)`],
    ['23514', sql`insert into goats values (1, -1)`],
    ['23502', sql`insert into goats (id) values (1)`],
    ['22P02', sql`select 'goat'::int`],
  ])('%s is found however deep the driver wrapped it', async (state, query) => {
    const error = await market.ctx.db.execute(query).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(sqlState(error)).toBe(state)
    expect(isDatabaseAway(error)).toBe(false)
  })

  test('there is none for our own errors, nor for those of the system', () => {
    expect(sqlState(new Error('EPIPE'))).toBeUndefined()
    expect(sqlState(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBeUndefined()
    expect(sqlState(undefined)).toBeUndefined()
  })
})

describe('"the database is away" is distinguished from a bug', () => {
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
  test('that have run are not run again', async () => {
    const before = await rows(sql`select * from schema_migrations`)
    await market.database.migrate()
    expect(await rows(sql`select * from schema_migrations`)).toEqual(before)
    expect(before.length).toBeGreaterThan(0)
  })

  test('that were edited afterwards are refused', async () => {
    await market.owner.execute(sql`update schema_migrations set hash = 'x' || hash where number = 0`)
    await expect(market.database.migrate()).rejects.toThrow('Migration 0 was changed after it ran on this database.')
    await market.owner.execute(sql`update schema_migrations set hash = substr(hash, 2) where number = 0`)
    await market.database.migrate()
  })

  test('of a newer version make this one refuse the database', async () => {
    await market.owner.execute(sql`insert into schema_migrations (number, hash) select max(number) + 1, 'newer' from schema_migrations`)
    await expect(market.database.migrate()).rejects.toThrow('This database was made by a newer version of Sandhai.')
    await market.owner.execute(sql`delete from schema_migrations where hash = 'newer'`)
    await market.database.migrate()
  })
})

describe('a statement that is asked all day', () => {
  test('is planned once for a connection, whatever its values, but only where we may', async () => {
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
