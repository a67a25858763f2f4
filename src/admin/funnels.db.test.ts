import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { pageViews } from '#src/content/tables.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { contactTaps } from '#src/listings/tables.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { readFunnels } from './funnels.server.ts'

let market: TestMarket
shareMarket((opened) => (market = opened))

test('the funnels count thirty days of steps without tracking any person', async () => {
  const { ctx } = market
  const admin = await makeUser(ctx, { typeId: 9 })
  const buyer = await makeUser(ctx)
  expect(await refusalOf(readFunnels(market.as(buyer)))).toBe('ROLE_FORBIDDEN')
  const before = await readFunnels(market.as(admin))
  const day = (days: number) => indianDay(daysBefore(ctx.now, days))
  await ctx.db.insert(pageViews).values([
    { day: day(0), route: '/buy/:typeId', locale: 'ta', count: 8 },
    { day: day(29), route: '/buy/:typeId', locale: 'en', count: 2 },
    { day: day(30), route: '/buy/:typeId', locale: 'en', count: 100 },
    { day: day(0), route: '/product/:productId', locale: 'ta', count: 5 },
    { day: day(0), route: '/sell', locale: 'ta', count: 3 },
  ])
  const listingId = await makeListing(ctx, { stock: 5 })
  await makeVerification(ctx, { listingId, adminId: admin.id, passed: true, comment: 'Good' })
  await makeListing(ctx, { state: 'pending' })
  // Two ways of contact about one animal count as one contact.
  await ctx.db.insert(contactTaps).values([
    { listingId, personId: buyer.id, way: 'call' },
    { listingId, personId: buyer.id, way: 'whatsapp' },
  ])
  await makeOrder(ctx, { buyer, listingId })
  const { listed, passed, ...after } = await readFunnels(market.as(admin))
  expect(after).toEqual({ lists: 10, animals: 5, sellForms: 3, contacts: 1, orders: 1 })
  expect([listed - before.listed, passed - before.passed]).toEqual([2, 1])
})
