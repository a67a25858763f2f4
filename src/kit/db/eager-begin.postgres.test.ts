import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { DatabaseClient } from './database-client.server.ts'
import { inEagerTransaction, inTransaction } from './database.server.ts'
import type { Db } from './db.ts'

let client: DatabaseClient
let isRefusing = false
beforeAll(async () => {
  client = new DatabaseClient({ connectionString: inject('postgresUrl') })
  await client.connect()
  // The server refuses BEGIN only, as a server without memory would.
  const { connection } = client as unknown as { connection: { query(text: string): void; parse(statement: { text: string }): void } }
  const [query, parse] = [connection.query.bind(connection), connection.parse.bind(connection)]
  const sent = (text: string) => (isRefusing && text.startsWith('begin') ? 'refuse' : text)
  connection.query = (text) => query(sent(text))
  connection.parse = (statement) => parse({ ...statement, text: sent(statement.text) })
  await client.query('create temporary table marks (id int)')
})
afterAll(() => client?.end())

const ctx = () => testCtx(drizzle(client) as unknown as Db)
const marks = async () => {
  const { rows } = (await ctx().db.execute(sql`select id from marks order by id`)) as unknown as { rows: { id: number }[] }
  return rows.map(({ id }) => id)
}

test('a transaction that does not await BEGIN commits and rolls back like any other', async () => {
  await inEagerTransaction(ctx(), async ({ db }) => {
    await db.execute(sql`select 1`)
    await db.execute(sql`insert into marks values (1)`)
  })
  const broken = inEagerTransaction(ctx(), async ({ db }) => {
    await db.execute(sql`insert into marks values (2)`)
    throw new Error('changed my mind')
  })
  await expect(broken).rejects.toThrow('changed my mind')
  expect(await marks()).toEqual([1])
})

test.each([
  ['without awaiting its answer', inEagerTransaction],
  ['and awaits its answer', inTransaction],
])('when the server refuses BEGIN and the client sends it %s, nothing after the first batch runs', async (_, within) => {
  isRefusing = true
  let firstError: unknown
  const refused = within(ctx(), async ({ db }) => {
    await Promise.all([db.execute(sql`select 1`), db.execute(sql`select 2`)]).catch((error: unknown) => {
      firstError = error
      throw error
    })
    await db.execute(sql`insert into marks values (3)`)
  }).finally(() => (isRefusing = false))
  await expect(refused).rejects.toMatchObject({ cause: { code: '42601' } })
  expect(await marks()).toEqual([1])
  if (within === inEagerTransaction) expect(firstError).toMatchObject({ cause: { code: '42601' } })
})

test('control: a write in the first batch would run outside the transaction', async () => {
  isRefusing = true
  const refused = inEagerTransaction(ctx(), ({ db }) => db.execute(sql`insert into marks values (4)`)).finally(() => (isRefusing = false))
  await expect(refused).rejects.toMatchObject({ cause: { code: '42601' } })
  expect(await marks()).toEqual([1, 4])
})
