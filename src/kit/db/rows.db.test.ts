import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { epochMs, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

const saleRow = z.object({ price: moneyShape, soldAt: momentShape, paidAt: momentShape.nullable() })

test('a row has exact sums and moments, as columns and within JSON', async () => {
  const at = sql`timestamptz '2026-11-28T03:45:00.123Z'`
  // A double would round the price to 9007199254740992.
  const columns = sql`9007199254740993::text as price, ${epochMs(at)} as "soldAt", null::float8 as "paidAt"`
  const sale = { price: 9_007_199_254_740_993n, soldAt: new Date('2026-11-28T03:45:00.123Z'), paidAt: null }
  expect(await rowsOf(market.ctx, sql`select ${columns}, 'not selected by the shape' as more`, saleRow)).toEqual([sale])
  const jsonRow = z.object({ sales: z.array(saleRow) })
  const inJson = sql`select json_agg(s) as sales from (select ${columns}) s`
  expect(await rowsOf(market.ctx, inJson, jsonRow)).toEqual([{ sales: [sale] }])
  expect(await rowsOf(market.ctx, sql`select 9007199254740993::bigint as price, 0 as "soldAt", 0 as "paidAt"`, saleRow)).toMatchObject([
    { price: sale.price },
  ])
})

test('a row that its shape does not describe is refused', async () => {
  const { ctx } = market
  await expect(rowsOf(ctx, sql`select null as price, 0 as "soldAt", 0 as "paidAt"`, saleRow)).rejects.toThrow('price')
  await expect(rowsOf(ctx, sql`select 1 as price, null as "soldAt", 0 as "paidAt"`, saleRow)).rejects.toThrow('soldAt')
  await expect(rowsOf(ctx, sql`select 1 as price, 0 as sold_at, 0 as "paidAt"`, saleRow)).rejects.toThrow('soldAt')
})

test('only a whole number as text is money', () => {
  for (const text of ['', ' ', '1.50', '1e3', '₹1', true, 1]) expect(moneyShape.safeParse(text).success, String(text)).toBe(false)
  expect(moneyShape.parse('-9007199254740993')).toBe(-9_007_199_254_740_993n)
})
