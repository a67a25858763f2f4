import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { openLog } from '#src/kit/base/log.server.ts'
import { messageTotals, outbox } from '#src/kit/db/tables.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { noteShown, queueMessage, startOutbox, sumTotals, Undeliverable, type Gateway, type NewMessage } from './outbox.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))
beforeEach(async () => {
  await market.ctx.db.delete(outbox)
  await market.ctx.db.delete(messageTotals)
})

const sms: NewMessage = { channel: 'sms', to: '+919000000001', template: 'race', locale: 'en', body: 'short' }
const twoParts = 'x'.repeat(200)
/** Every third message is refused. */
const provider: Gateway = {
  send: async ({ id }) => {
    if (id % 3 === 0) throw new Undeliverable('NO_SUCH_NUMBER')
  },
}

function worker() {
  const { db, vault } = market.ctx
  const gateways = { sms: provider, email: provider, push: provider }
  return startOutbox({ db, log: openLog('silent'), gateways, vault, origin: 'https://sandhai.test', isManual: true })
}

const queries = {
  totals: sql`select day::text, channel, way, is_sent as sent, is_failed as failed, sum(messages)::int as messages, sum(parts)::int as parts
    from message_totals group by 1, 2, 3, 4, 5 having sum(messages) <> 0 or sum(parts) <> 0 order by 1, 2, 3, 4, 5`,
  rows: sql`select (coalesce(sent_at, failed_at, shown_at) at time zone 'Asia/Kolkata')::date::text as day, channel,
      case when stands_before is not null then null when shown_at is not null then 'shown'
        when exists (select 1 from outbox push where push.stands_before = o.id) then 'push-first' else channel end as way,
      sent_at is not null as sent, failed_at is not null as failed, count(*)::int as messages,
      sum(case when channel = 'sms' then ceil(length(body) / 153.0) else 0 end)::int as parts
    from outbox o where sent_at is not null or failed_at is not null or shown_at is not null
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
}

async function read(query: keyof typeof queries) {
  const { rows } = (await market.ctx.db.execute(queries[query])) as unknown as { rows: { messages: number }[] }
  return rows
}

/** The pseudo-random numbers of one process, the same in each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647
    return state % sides
  }
}

async function actAtRandom(seed: number): Promise<void> {
  const { ctx } = market
  const roll = dice(seed)
  const { look } = worker()
  const anyRow = async () => (await ctx.db.select().from(outbox).orderBy(asc(outbox.id)).offset(roll(20)).limit(1))[0]
  const acts = [
    () => queueMessage(ctx, { ...sms, body: twoParts }),
    () => queueMessage(ctx, { ...sms, devices: [7, 8] }),
    () => queueMessage(ctx, { ...sms, channel: 'email', subject: 'News', to: 'rani@example.org' }),
    () => look('sms'),
    () => look('push'),
    () => look('email'),
    async () => noteShown(ctx, (await anyRow())?.id ?? 0),
    async () => ctx.db.update(outbox).set({ dueAt: new Date(0) }).where(eq(outbox.id, (await anyRow())?.id ?? 0)),
    async () => ctx.db.update(outbox).set({ failedAt: null, attempts: 0 }).where(eq(outbox.id, (await anyRow())?.id ?? 0)),
    async () => ctx.db.delete(outbox).where(and(eq(outbox.id, (await anyRow())?.id ?? 0), isNull(outbox.standsBefore))),
    () => sumTotals(ctx.db),
  ]
  for (let n = 0; n < 150; n++) await acts[roll(acts.length)]!()
}

test('after random acts of two processes the totals are the count of the rows', async () => {
  await Promise.all([actAtRandom(11), actAtRandom(2024)])
  const rows = await read('rows')
  expect(rows.length).toBeGreaterThan(4)
  expect(await read('totals')).toEqual(rows)
  await sumTotals(market.ctx.db)
  expect(await read('totals')).toEqual(rows)
  expect(await market.ctx.db.select().from(messageTotals)).toHaveLength(rows.length)
})

async function sendOneMore(): Promise<void> {
  await queueMessage(market.ctx, { ...sms, to: '+919000000002' })
  while ((await worker().look('sms')) > 0);
}

type Sum = (db: TestMarket['ctx']['db']) => Promise<void>

/** Two processes add up at the same time while a message is sent; the first one is killed when `isKilled`. */
async function sumTwice(sum: Sum, isKilled: boolean): Promise<void> {
  const { db } = market.ctx
  for (let n = 0; n < 4; n++) await sendOneMore()
  let other: Promise<void> = Promise.resolve()
  const first = db.transaction(async (tx) => {
    await sum(tx as unknown as typeof db)
    await sendOneMore()
    other = sum(db)
    await untilLockWait(db, other)
    if (isKilled) throw new Error('killed')
  })
  await first.catch((error: unknown) => expect(String(error)).toContain('killed'))
  await other
}

test.each([false, true])('two processes that add up at the same time lose nothing and count nothing twice (one is killed: %s)', async (isKilled) => {
  await sumTwice(sumTotals, isKilled)
  expect(await read('totals')).toEqual(await read('rows'))
})

test('control: processes that read the totals and then replace them count messages twice', async () => {
  await sumTwice(async (db) => {
    const sums = await db.execute(queries.totals)
    const { rows } = sums as unknown as { rows: Record<string, unknown>[] }
    await db.execute(sql`delete from message_totals`)
    for (const { day, channel, way, sent, failed, messages, parts } of rows)
      await db.execute(sql`insert into message_totals values (${day}, ${channel}, ${way}, ${sent}, ${failed}, ${messages}, ${parts})`)
  }, false)
  expect(await read('totals')).not.toEqual(await read('rows'))
})
