import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { issueInvoice } from './commands.server.ts'
import type { Snapshot } from './tables.ts'

const DELIVERIES = often(300, 2000)
const snapshot: Snapshot = {
  orderNo: 'SO',
  deliveredOn: '2026-11-20',
  seller: { name: 'Selvi', address: [] },
  buyer: null,
  lines: [],
  total: '1',
  discount: '0',
  payable: '1',
  commissionPercent: 5,
}
let market: TestMarket
let ownerId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ownerId = (await makeUser(market.ctx, { typeId: 2 })).id
})

/** Every third delivery fails after it has written its document. */
async function deliverAll(act: (ctx: Ctx, n: number) => Promise<unknown>): Promise<void> {
  await Promise.allSettled(
    Array.from({ length: DELIVERIES }, (_, n) =>
      inTransaction(market.ctx, async (ctx) => {
        await act(ctx, n)
        if (n % 3 === 0) throw new Error('the delivery failed')
      }),
    ),
  )
}
const rowsOf = async <T>(query: ReturnType<typeof sql>) => ((await market.ctx.db.execute(query)) as unknown as { rows: T[] }).rows

test('concurrent deliveries, a third of which fail, leave numbers without gaps', async () => {
  await deliverAll((ctx, n) => issueInvoice(ctx, { kind: 'commission', orderId: n + 1, ownerId, snapshot }))
  const serials = (await rowsOf<{ serial: number }>(sql`select serial from invoices order by serial`)).map(({ serial }) => serial)
  expect(serials).toEqual(Array.from({ length: Math.floor((DELIVERIES * 2) / 3) }, (_, n) => n + 1))
})

test('control: a database sequence leaves gaps', async () => {
  await market.owner.execute(sql`create sequence naive`)
  await market.owner.execute(sql`create table naive_invoices (serial bigint)`)
  await deliverAll((ctx) => ctx.db.execute(sql`insert into naive_invoices select nextval('naive')`))
  const [row] = await rowsOf<{ last: number; count: number }>(
    sql`select max(serial)::int as last, count(*)::int as count from naive_invoices`,
  )
  expect(row!.last).toBeGreaterThan(row!.count)
})
