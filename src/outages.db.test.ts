import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction, isDatabaseAway, sqlState } from '#src/kit/db/database.server.ts'
import { openTestApp, type TestApp } from './testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const subscribe = (email: string) => app.call('/api/v1/newsletter', { method: 'POST', csrf: true, json: { email, consent: true } })

/** From now on each write to the table fails as a database in that state would refuse it. */
async function fail(table: string, state: string): Promise<void> {
  await app.owner.execute(
    sql.raw(`create or replace function out_of_order() returns trigger language plpgsql as
      $$ begin raise exception 'out of order' using errcode = '${state}'; end $$`),
  )
  await app.owner.execute(
    sql.raw(`create or replace trigger out_of_order before insert or update on ${table} for each row execute function out_of_order()`),
  )
}
const mend = (table: string) => app.owner.execute(sql.raw(`drop trigger out_of_order on ${table}`))

describe('a database that cannot do a write now is said to be away, not broken: 503 with Retry-After', () => {
  test.each([
    ['the disk is full', '53100'],
    ['there is no memory', '53200'],
    ['there are too many connections', '53300'],
    ['it takes no writes', '25006'],
    ['two waited for each other', '40P01'],
    ['two changed the same', '40001'],
    ['a lock was not to be had', '55P03'],
    ['a statement took too long', '57014'],
  ])('%s (%s)', async (_, state) => {
    await fail('newsletter_subscribers', state)
    try {
      const response = await subscribe('farm@example.com')
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' })
    } finally {
      await mend('newsletter_subscribers')
    }
    expect((await subscribe('farm@example.com')).status).toBe(200)
  })

  test('a mistake of ours stays one: 500', async () => {
    await fail('newsletter_subscribers', '22012')
    expect((await subscribe('farm@example.com')).status).toBe(500)
    await mend('newsletter_subscribers')
  })
})

test('the site is ready only while the database takes writes', async () => {
  const readiness = async () => (await app.fetch('/readyz', {})).status
  // An answer holds for a second.
  const becomes = (status: number) => expect.poll(readiness, { timeout: 15_000, interval: 200 }).toBe(status)
  await becomes(200)
  await fail('heartbeat', '25006')
  await becomes(503)
  await mend('heartbeat')
  await becomes(200)
})

describe.runIf(process.env.TEST_DATABASE === 'postgres')('a transaction whose statements are sent together', () => {
  const rejection = async (statement: string, look: (first: Promise<unknown>, second: Promise<unknown>) => Promise<unknown>) => {
    try {
      await inTransaction(app.ctx, async ({ db }) => {
        const [first, second] = [db.execute(sql.raw(statement)), db.execute(sql`select 1`)].map((asked) => asked.then((answer) => answer))
        first!.catch(() => {})
        second!.catch(() => {})
        await look(first!, second!)
      })
    } catch (error) {
      return error
    }
    return null
  }
  const lookAtSecond = (_: Promise<unknown>, second: Promise<unknown>) => second

  test('names what broke it, also when its later statements are looked at first', async () => {
    expect(sqlState(await rejection('select 1/0', lookAtSecond))).toBe('22012')
    expect(sqlState(await rejection('select 1/0', (first, second) => Promise.all([second, first])))).toBe('22012')
  })

  test('that waits in vain for a lock says so, not that it is broken', async () => {
    await app.owner.transaction(async (tx) => {
      await tx.execute(sql`lock table newsletter_subscribers in access exclusive mode`)
      const error = await rejection("set local lock_timeout = '50ms'; select 1 from newsletter_subscribers", lookAtSecond)
      expect(sqlState(error)).toBe('55P03')
      expect(isDatabaseAway(error)).toBe(true)
    })
    expect(sqlState(await rejection('select 2/0', lookAtSecond))).toBe('22012')
  })
})
