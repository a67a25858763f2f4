import { beforeAll, expect, test } from 'vitest'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { orderNumber } from '#src/orders/rules.ts'
import { sharePages, type PageReader, type Reader } from '#tools/test-kit/page-reader.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let pages: PageReader
let admin: Reader
sharePages((opened) => ({ market, pages } = opened))
beforeAll(async () => void (admin = await pages.person({ typeId: 9 })))

const placeOf = async (text: string) => (await pages.open(`/en/admin/find?q=${encodeURIComponent(text)}`, admin)).path

test('a bare number leads to the order that has it', async () => {
  const { id: orderId } = await makeOrder(market.ctx)
  expect(await placeOf(String(orderId))).toBe(`/en/orders?q=${orderNumber(orderId)}`)
})

test('a number that no order has is looked for among people, whose list finds their number', async () => {
  expect(await placeOf('638701')).toBe('/en/admin/users?q=638701')
})
