import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { readOf, statementOf } from '#tools/test-kit/rows-read.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { listDeskMessages, readMessageFigures } from './message-desk.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const OLD = 20_000
const RECENT = 100
const WAITING = 10

const send = (count: number, at: string) =>
  market.owner.execute(sql`
    insert into outbox (channel, recipient, template, locale, body, created_at, due_at, sent_at)
    select 'sms', '+919000000001', 'order-status', 'ta', 'ok', t.at, t.at, t.at
    from generate_series(1, ${count}::int) n cross join lateral (select now() - ${sql.raw(`interval '${at}'`)} - n * interval '1 second' as at) t`)

test('the message desk reads the messages of the last days, however many are kept', async () => {
  await send(OLD, '5 days')
  await send(RECENT, '1 hour')
  await market.owner.execute(sql`
    insert into outbox (channel, recipient, template, locale, body)
    select 'sms', '+919000000001', 'order-status', 'ta', 'ok' from generate_series(1, ${WAITING}::int)`)
  for (const table of ['outbox', 'message_totals']) await market.owner.execute(sql.raw(`vacuum analyze ${table}`))
  const ctx = market.as(await makeUser(market.ctx, { typeId: 9 }))
  expect((await readMessageFigures(ctx)).counts).toEqual({ sent: OLD + RECENT, failed: 0, waiting: WAITING })
  const figures = await statementOf(ctx, readMessageFigures)
  expect((await readOf(ctx, 'outbox', figures)).rows).toBeLessThanOrEqual(RECENT + 2 * WAITING)
  const list = await statementOf(ctx, (as) => listDeskMessages(as, { view: 'sent', way: null, page: 1 }))
  expect((await readOf(ctx, 'outbox', list)).rows).toBeLessThanOrEqual(RECENT)
})
