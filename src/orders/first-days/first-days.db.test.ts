import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { vaccinations } from '#src/listings/tables.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { readFirstDays } from './read-first-days.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

test('only the buyer of a delivered animal reads the three weeks with its vaccinations, and only after the delivery', async () => {
  const { id, buyer, seller, listingId } = await makeOrder(market.ctx, { status: 6 })
  await market.ctx.db.insert(vaccinations).values({ listingId, vaccineId: 1, dose: 1, vaccinatedOn: '2026-01-01' })
  const card = await readFirstDays(market.as(buyer), id)
  expect(card.vaccinations).toMatchObject([{ id: 1, status: 'overdue' }])
  expect(card.came).not.toBe(card.until)
  for (const other of [seller, await makeUser(market.ctx)]) expect(await refusalOf(readFirstDays(market.as(other), id))).toBe('NOT_FOUND')
  const open = await makeOrder(market.ctx, { status: 5 })
  expect(await refusalOf(readFirstDays(market.as(open.buyer), open.id))).toBe('NOT_FOUND')
})
