import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { DAY, daysBefore } from '#src/kit/time-money/dates.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { remindSellers } from './reminders.server.ts'
import { closesAt, freshnessOf } from './renew-rules.ts'
import { renew } from './renew.server.ts'

let market: TestMarket
let seller: Awaited<ReturnType<typeof makeUser>>
let pickupAddressId: number
shareMarket((opened) => (market = opened))
beforeEach(async () => {
  await market.ctx.db.delete(outbox)
  await market.ctx.db.update(listings).set({ state: 'withdrawn' })
  seller = await makeUser(market.ctx, { typeId: 2, locale: 'en' })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})

const now = new Date('2026-11-21T06:00:00Z')
const ctxAt = (at = now) => ({ ...market.ctx, now: at })
const silentFor = (days: number, facts: ListingFacts = {}) =>
  makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, nameEn: 'Kangayam bull', touchedAt: daysBefore(now, days), ...facts })
const messages = () => market.ctx.db.select().from(outbox).orderBy(outbox.id)

test('a sale is fresh for ninety days, asked about for ten more, and closed after that', () => {
  const touched = now
  const after = (days: number) => freshnessOf(touched, new Date(now.getTime() + days * DAY))
  expect([0, 90, 90.001, 100, 100.001].map(after)).toEqual(['fresh', 'fresh', 'asked', 'asked', 'closed'])
  expect(closesAt(touched).toISOString()).toBe('2027-03-01T06:00:00.000Z')
})

describe('"Still for sale?"', () => {
  test("goes by one SMS in the seller's language, ten days before the sale closes", async () => {
    const id = await silentFor(91)
    expect(await remindSellers(ctxAt())).toBe(1)
    expect(await messages()).toMatchObject([
      {
        channel: 'sms',
        recipient: seller.phone,
        template: 'listing-remind',
        locale: 'en',
        body: 'Sandhai: is your "Kangayam bull" still for sale? If you do not say, it closes on 30-November-2026. Renew it with one tap: https://sandhai.test/en/seller-product',
      },
    ])
    const [row] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
    expect(row!.remindedAt).toEqual(now)
    // A reminder must not prolong the sale.
    expect(row!.touchedAt).toEqual(daysBefore(now, 91))
  })

  test('is sent once for several animals, and in Tamil by default', async () => {
    await market.ctx.db.update(users).set({ locale: 'ta' }).where(eq(users.id, seller.id))
    await silentFor(92)
    await silentFor(95)
    await silentFor(99)
    await remindSellers(ctxAt())
    const sent = await messages()
    expect(sent).toMatchObject([{ template: 'listing-remind-more', locale: 'ta' }])
    expect(sent[0]!.body).toContain('காங்கேயம் காளை')
    expect(sent[0]!.body).toContain('மேலும் 2 பதிவு')
  })

  test.each<[string, number, ListingFacts]>([
    ['touched ninety days ago to the minute', 90, {}],
    ['closed already', 100.01, {}],
    ['sold', 95, { isSold: true }],
    ['out of stock', 95, { stock: 0 }],
    ['waiting for its verdict', 95, { state: 'pending' }],
    ['withdrawn', 95, { state: 'withdrawn' }],
  ])('is not sent for one that is %s', async (_, days, facts) => {
    await silentFor(days, facts)
    expect(await remindSellers(ctxAt())).toBe(0)
    expect(await messages()).toEqual([])
  })

  test('is not sent to a deactivated seller', async () => {
    await silentFor(95)
    await market.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, seller.id))
    expect(await remindSellers(ctxAt())).toBe(0)
  })

  test('is sent once, and again ninety days after a renewal', async () => {
    const id = await silentFor(91)
    for (let hour = 0; hour < 5; hour++) await remindSellers(ctxAt(new Date(now.getTime() + hour * 3_600_000)))
    expect(await messages()).toHaveLength(1)
    await renew({ ...market.as(seller), now }, id)
    await remindSellers(ctxAt(new Date(now.getTime() + 89 * DAY)))
    expect(await messages()).toHaveLength(1)
    await remindSellers(ctxAt(new Date(now.getTime() + 91 * DAY)))
    expect(await messages()).toHaveLength(2)
  })

  test('reaches more sellers than fit in one transaction', async () => {
    for (let n = 0; n < 55; n++)
      await makeListing(market.ctx, { sellerId: (await makeUser(market.ctx, { typeId: 2 })).id, touchedAt: daysBefore(now, 95) })
    expect(await remindSellers(ctxAt())).toBe(55)
    expect(await messages()).toHaveLength(55)
  })
})
