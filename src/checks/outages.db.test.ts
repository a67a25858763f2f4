import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { isDatabaseAway, sqlState } from '#src/kit/db/database-errors.server.ts'
import { openTestApp, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))

const subscribe = (email: string) => app.call('/api/v1/newsletter', { method: 'POST', csrf: true, json: { email, consent: true } })

/** Makes each write to the table fail with this error state, as a database in that state would refuse it. */
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

describe('a database that cannot write now counts as away, not broken: 503 with Retry-After', () => {
  test.each([
    ['the disk is full', '53100'],
    ['out of memory', '53200'],
    ['too many connections', '53300'],
    ['read-only', '25006'],
    ['deadlock', '40P01'],
    ['serialization failure', '40001'],
    ['lock not available', '55P03'],
    ['statement time-out', '57014'],
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

  test('an error of our own stays a 500', async () => {
    await fail('newsletter_subscribers', '22012')
    expect((await subscribe('farm@example.com')).status).toBe(500)
    await mend('newsletter_subscribers')
  })
})

test('the site is ready only while the database accepts writes', async () => {
  const readiness = async () => (await app.fetch('/readyz', {})).status
  // An answer is cached for a second.
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

  test('reports the statement that broke it, even when a later one is awaited first', async () => {
    expect(sqlState(await rejection('select 1/0', lookAtSecond))).toBe('22012')
    expect(sqlState(await rejection('select 1/0', (first, second) => Promise.all([second, first])))).toBe('22012')
  })

  test('reports a lock time-out as such, not as broken', async () => {
    await app.owner.transaction(async (tx) => {
      await tx.execute(sql`lock table newsletter_subscribers in access exclusive mode`)
      const error = await rejection("set local lock_timeout = '50ms'; select 1 from newsletter_subscribers", lookAtSecond)
      expect(sqlState(error)).toBe('55P03')
      expect(isDatabaseAway(error)).toBe(true)
    })
    expect(sqlState(await rejection('select 2/0', lookAtSecond))).toBe('22012')
  })
})

test('a read that exceeds its time-out gets the outage page, with nothing of the requested page', async () => {
  const { promise: late, resolve: arrive } = Promise.withResolvers<Response>()
  const slow = await openTestApp({}, async (request) => {
    if (!request.url.includes('again=1')) return late
    // The requested page arrives while the outage page is rendered.
    arrive(new Response('late '.repeat(1000), { headers: { 'Content-Type': 'text/html', 'Content-Length': '5000', 'X-Wanted': 'yes' } }))
    await sleep(100)
    return new Response('<main>Try again</main>'.repeat(100), { headers: { 'Content-Type': 'text/html' } })
  })
  try {
    const response = await slow.call('/en/buy/0', { as: await makeUser(slow.ctx), headers: { 'Accept-Encoding': 'gzip, br' } })
    const { headers } = response
    expect([response.status, headers.get('content-encoding'), headers.get('content-length'), headers.get('x-wanted')]).toEqual([
      503,
      'br',
      null,
      null,
    ])
    expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toContain('Try again')
  } finally {
    await slow.close()
  }
})
