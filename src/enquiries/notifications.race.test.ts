import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { makeUser } from '#src/accounts/makers.server.ts'
import { alertDays } from '#src/alerts/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { postEnquiry } from './commands.server.ts'
import { makeEnquiry, makeOffer } from './makers.server.ts'
import { respondToEnquiry } from './offers.server.ts'
import { notifyMatchingSellers, notifyOfExpiring, notifyOfOffers } from './notifications.server.ts'
import { enquiries, enquiryMatches, enquiryOffers } from './tables.ts'

let market: TestMarket
let poster: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  poster = await makeUser(market.ctx)
})

const now = new Date('2026-11-21T04:30:00Z')
const PROCESSES = 4
const SELLERS = 6

/** Sellers with matching animals, and two enquiries; returns how many SMS several concurrent processes send. */
async function sentBy(notify: (ctx: Ctx) => Promise<unknown>): Promise<number> {
  await market.ctx.db.delete(enquiries)
  await market.ctx.db.delete(alertDays)
  await market.ctx.db.delete(outbox)
  for (let n = 0; n < 2; n++) await makeEnquiry(market.ctx, { posterId: poster.id, createdAt: now })
  await Promise.all(Array.from({ length: PROCESSES }, () => notify({ ...market.ctx, now })))
  return market.ctx.db.$count(outbox)
}

describe('four processes that notify sellers of enquiries', () => {
  const sellers: number[] = []
  beforeAll(async () => {
    for (let n = 0; n < SELLERS; n++) {
      const seller = await makeUser(market.ctx, { typeId: 2 })
      sellers.push(seller.id)
      await makeListing(market.ctx, { sellerId: seller.id, touchedAt: now })
    }
  })

  test('notify each seller once', async () => {
    expect(await sentBy(notifyMatchingSellers)).toBe(SELLERS)
    expect(await market.ctx.db.$count(enquiryMatches)).toBe(2 * SELLERS)
  })

  test('control: checking first and recording afterwards notifies some sellers twice', async () => {
    const allHaveLooked = meetingOf(PROCESSES)
    const naive = async (ctx: Ctx) => {
      const known = new Set((await ctx.db.select().from(enquiryMatches)).map(({ sellerId }) => sellerId))
      await allHaveLooked()
      for (const sellerId of sellers.filter((id) => !known.has(id)))
        await inTransaction(ctx, async (ctx) => {
          const rows = (await ctx.db.select({ enquiryId: enquiries.id }).from(enquiries)).map((row) => ({ ...row, sellerId, toldAt: now }))
          await ctx.db.insert(enquiryMatches).values(rows).onConflictDoNothing()
          await queueMessage(ctx, { channel: 'sms', to: `+91${sellerId}`, template: 'x', locale: 'en', body: 'x' })
        })
    }
    expect(await sentBy(naive)).toBeGreaterThan(SELLERS)
  })
})

describe('four processes that notify posters', () => {
  test('notify each of them once of answers', async () => {
    await market.ctx.db.delete(enquiries)
    await market.ctx.db.delete(outbox)
    const listing = await makeListing(market.ctx, { touchedAt: now })
    for (let n = 0; n < 5; n++) await makeOffer(market.ctx, await makeEnquiry(market.ctx, { posterId: poster.id, createdAt: now }), listing)
    await Promise.all(Array.from({ length: PROCESSES }, () => notifyOfOffers({ ...market.ctx, now })))
    expect(await market.ctx.db.$count(outbox)).toBe(5)
  })

  test('ask each of them once about the coming expiry', async () => {
    await market.ctx.db.delete(enquiries)
    await market.ctx.db.delete(outbox)
    const createdAt = new Date(now.getTime() - 85 * DAY)
    for (let n = 0; n < 5; n++) await makeEnquiry(market.ctx, { posterId: poster.id, createdAt })
    await Promise.all(Array.from({ length: PROCESSES }, () => notifyOfExpiring({ ...market.ctx, now })))
    // A poster that was skipped is asked in the next round.
    await notifyOfExpiring({ ...market.ctx, now })
    expect(await market.ctx.db.$count(outbox)).toBe(5)
  })
})

describe('concurrently', () => {
  test('twenty submits of one form create one enquiry', async () => {
    await market.ctx.db.delete(enquiries)
    const input = {
      categoryTypeId: 1,
      categoryId: 1,
      breedId: null,
      ageId: null,
      genderId: null,
      colorId: null,
      description: 'A cow',
      requiredCount: 1,
      acceptablePrice: 0n,
      weightKg: 0,
      pincode: '638701',
      postedFor: 'Selvi',
      contact: '+919876543210',
    }
    const ids = await Promise.all(Array.from({ length: 20 }, () => postEnquiry(market.as(poster), input, 'one-sending')))
    expect(new Set(ids).size).toBe(1)
    expect(await market.ctx.db.$count(enquiries)).toBe(1)
  })

  test('twenty taps answer once, and of eight animals of one seller five are accepted', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2 })
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    const animals: number[] = []
    for (let n = 0; n < 8; n++) animals.push(await makeListing(market.ctx, { sellerId: seller.id }))
    await Promise.all(Array.from({ length: 20 }, () => respondToEnquiry(market.as(seller), id, animals[0]!)))
    expect(await market.ctx.db.$count(enquiryOffers, eq(enquiryOffers.enquiryId, id))).toBe(1)
    await Promise.allSettled(animals.map((animal) => respondToEnquiry(market.as(seller), id, animal)))
    expect(await market.ctx.db.$count(enquiryOffers, eq(enquiryOffers.enquiryId, id))).toBe(5)
  })
})
