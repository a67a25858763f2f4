import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { readOf, statementOf } from '#tools/test-kit/rows-read.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { listDeskMessages, MESSAGES_PER_PAGE, messageViews, readMessageFigures } from './message-desk.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const OLD = 20_000
const RECENT = 200
const WAITING = 10

test('the message desk reads the messages of its two weeks, however many older ones are kept', async () => {
  const add = (count: number, age: string, sentAt: string) =>
    market.owner.execute(sql`
      insert into outbox (channel, recipient, template, locale, body, created_at, due_at, sent_at)
      select 'sms', '+919000000001', 'order-status', 'ta', 'ok', t.at, t.at, ${sql.raw(sentAt)}
      from generate_series(1, ${count}::int) n
        cross join lateral (select now() - ${age}::interval - n * interval '1 second' as at) t`)
  await add(OLD, '20 days', 't.at')
  await add(RECENT, '1 day', 't.at')
  await add(WAITING, '1 day', 'null')
  await market.owner.execute(sql`vacuum analyze outbox`)
  const ctx = market.as(await makeUser(market.ctx, { typeId: 9 }))
  expect((await readMessageFigures(ctx)).counts).toEqual({ sent: RECENT, failed: 0, waiting: WAITING })
  const figures = await statementOf(ctx, readMessageFigures)
  expect((await readOf(ctx, 'outbox', figures)).rows).toBeLessThanOrEqual(RECENT + 2 * WAITING)
  for (const view of messageViews) {
    const list = await statementOf(ctx, (as) => listDeskMessages(as, { view, way: null, page: 1 }))
    expect((await readOf(ctx, 'outbox', list)).rows).toBeLessThanOrEqual(MESSAGES_PER_PAGE)
  }
})
