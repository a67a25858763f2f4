import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { alertDays, alertsOff } from '#src/alerts/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { DAY, indianDay } from '#src/kit/time-money/dates.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeEnquiry, makeOffer } from './makers.server.ts'
import { notifyMatchingSellers, notifyOfExpiring, notifyOfOffers } from './notifications.server.ts'
import { enquiries, enquiryMatches } from './tables.ts'

/** The people who are notified, of what, and how often. */
let market: TestMarket
/** Ten in the morning in India. */
const now = new Date('2026-11-21T04:30:00Z')
const at = (days: number, hours = 0): Ctx => ({ ...market.ctx, now: new Date(now.getTime() + days * DAY + hours * 3_600_000) })
shareMarket((opened) => (market = opened))
beforeEach(async () => {
  await market.ctx.db.delete(enquiries)
  await market.ctx.db.delete(outbox)
  await market.ctx.db.delete(alertDays)
  await market.ctx.db.update(listings).set({ state: 'withdrawn' })
})

type Person = Viewer & { phone: string }
/** A seller in Kangayam with a passed Kangayam bull, unless overridden. */
async function sellerWith(changes: ListingFacts = {}, person: Partial<typeof users.$inferInsert> = {}): Promise<Person> {
  const seller = await makeUser(market.ctx, { typeId: 2, locale: 'en', ...person })
  await makeListing(market.ctx, { sellerId: seller.id, touchedAt: now, createdAt: now, ...changes })
  return seller
}
const wanted = (changes: Parameters<typeof makeEnquiry>[1] = {}) => makeEnquiry(market.ctx, { createdAt: now, ...changes })
const notified = async (template?: string) =>
  (
    await market.ctx.db
      .select()
      .from(outbox)
      .where(template ? eq(outbox.template, template) : undefined)
      .orderBy(outbox.id)
  ).map(({ recipient, body }) => ({ recipient, body }))
const phones = async () => (await notified()).map(({ recipient }) => recipient).toSorted()

describe('sellers with such an animal', () => {
  test('are notified at most once a day, of everything in one SMS, and never twice of the same enquiry', async () => {
    const seller = await sellerWith()
    const first = await wanted()
    expect(await notifyMatchingSellers(at(0))).toBe(1)
    expect(await notified()).toEqual([
      {
        recipient: seller.phone,
        body: `Sandhai: Wanted near you: Kangayam, Tiruppur. Answer with yours: https://sandhai.test/en/view-enquiry/${first}`,
      },
    ])
    await wanted()
    await wanted({ breedId: null })
    expect(await notifyMatchingSellers(at(0, 1))).toBe(0)
    expect(await notifyMatchingSellers(at(1))).toBe(1)
    expect((await notified())[1]).toEqual({
      recipient: seller.phone,
      body: 'Sandhai: Wanted near you: Kangayam, Tiruppur, and 1 more. Answer with yours: https://sandhai.test/en/view-requirements',
    })
    expect(await notifyMatchingSellers(at(2))).toBe(0)
    expect(await market.ctx.db.$count(enquiryMatches, eq(enquiryMatches.sellerId, seller.id))).toBe(3)
    const [message] = await market.ctx.db.select().from(outbox)
    expect(message!.userId).toBe(seller.id)
  })

  test('match by kind, requested breed, distance, and an animal that is for sale', async () => {
    const near = await sellerWith()
    await sellerWith({ breedId: 102 })
    await sellerWith({ categoryId: 2, breedId: 201 })
    // Chennai is some 350 km away.
    await sellerWith({ pincode: '600001' })
    await sellerWith({ state: 'pending' })
    await sellerWith({ isSold: true })
    await sellerWith({ touchedAt: new Date(now.getTime() - 101 * DAY) })
    await sellerWith({}, { isActive: false })
    await sellerWith({}, { typeId: 1 })
    await wanted()
    await notifyMatchingSellers(at(0))
    expect(await phones()).toEqual([near.phone])
  })

  test('match with any breed, and with a type without categories, when none is requested', async () => {
    const cattle = [await sellerWith(), await sellerWith({ breedId: 102 })]
    const feed = await sellerWith({ categoryId: 21, breedId: null, ageId: null, genderId: null, colorId: null })
    await wanted({ breedId: null })
    await wanted({ categoryTypeId: 4, categoryId: null, breedId: null })
    await notifyMatchingSellers(at(0))
    expect(await phones()).toEqual([...cattle, feed].map(({ phone }) => phone).toSorted())
  })

  test('match by district when the PIN code has no coordinates', async () => {
    const same = await sellerWith()
    await sellerWith({ pincode: '600001' })
    await wanted({ location: null })
    await notifyMatchingSellers(at(0))
    expect(await phones()).toEqual([same.phone])
  })

  test('exclude the poster, sellers who have answered, and those who have switched the SMS off', async () => {
    const poster = await sellerWith()
    const off = await sellerWith()
    await market.ctx.db.insert(alertsOff).values({ userId: off.id, kind: 'wanted' })
    const answered = await makeUser(market.ctx, { typeId: 2 })
    const listing = await makeListing(market.ctx, { sellerId: answered.id, touchedAt: now })
    await makeOffer(market.ctx, await wanted({ posterId: poster.id }), listing)
    expect(await notifyMatchingSellers(at(0))).toBe(0)
    expect(await notified()).toEqual([])
  })

  test('keep their daily SMS when the enquiry is closed before they are notified', async () => {
    await sellerWith()
    const id = await wanted()
    // Closed after the sellers were found, before the first transaction that notifies one.
    const db = new Proxy(market.ctx.db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== 'transaction') return value.bind(target) as unknown
        return async (act: Parameters<typeof target.transaction>[0]) => {
          await target.update(enquiries).set({ closedAt: now }).where(eq(enquiries.id, id))
          return target.transaction(act)
        }
      },
    })
    expect(await notifyMatchingSellers({ ...at(0), db })).toBe(0)
    expect(await market.ctx.db.$count(alertDays)).toBe(0)
    await wanted()
    expect(await notifyMatchingSellers(at(0, 1))).toBe(1)
  })

  test('get nothing at night, and nothing about closed, pending, refused or old enquiries', async () => {
    await sellerWith()
    await wanted({ closedAt: now })
    await wanted({ isVerified: null })
    await wanted({ isVerified: false })
    await wanted({ createdAt: new Date(now.getTime() - 11 * DAY) })
    expect(await notifyMatchingSellers(at(0))).toBe(0)
    await wanted()
    expect(await notifyMatchingSellers(at(0, 12))).toBe(0)
    expect(await notifyMatchingSellers(at(1))).toBe(1)
  })
})

describe('the poster', () => {
  test('is notified of an answer when its listing has passed, then of several in one SMS', async () => {
    const poster = await makeUser(market.ctx, { locale: 'en' })
    const id = await wanted({ posterId: poster.id })
    const listing = await makeListing(market.ctx, { state: 'pending', nameEn: 'First bull', touchedAt: now })
    await makeOffer(market.ctx, id, listing)
    expect(await notifyOfOffers(at(0))).toBe(0)
    await market.ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, listing))
    expect(await notifyOfOffers(at(0))).toBe(1)
    expect(await notifyOfOffers(at(0))).toBe(0)
    for (const nameEn of ['Second bull', 'Third bull'])
      await makeOffer(market.ctx, id, await makeListing(market.ctx, { nameEn, touchedAt: now }))
    expect(await notifyOfOffers(at(0, 2))).toBe(0)
    expect(await notifyOfOffers(at(0, 4))).toBe(1)
    const link = `https://sandhai.test/en/view-enquiry/${id}`
    expect(await notified()).toEqual([
      { recipient: poster.phone, body: `Sandhai: A seller has answered your enquiry (Kangayam): First bull. ${link}` },
      { recipient: poster.phone, body: `Sandhai: New answers to your enquiry (Kangayam): Second bull and 1 more. ${link}` },
    ])
  })

  test('is not notified of answers to a closed enquiry', async () => {
    const id = await wanted({ closedAt: now })
    await makeOffer(market.ctx, id, await makeListing(market.ctx, { touchedAt: now }))
    expect(await notifyOfOffers(at(0))).toBe(0)
  })

  test('is asked a week before the expiry whether they still need it, once per renewal', async () => {
    const poster = await makeUser(market.ctx)
    const created = (days: number) => ({ posterId: poster.id, createdAt: new Date(now.getTime() - days * DAY) })
    const id = await wanted(created(84))
    await wanted(created(82))
    await wanted(created(91))
    await wanted({ ...created(84), isVerified: null })
    expect(await notifyOfExpiring(at(0, 12))).toBe(0)
    expect(await notifyOfExpiring(at(0))).toBe(1)
    expect(await notifyOfExpiring(at(0))).toBe(0)
    const [message] = await notified('enquiry-expiring')
    expect(message!.body).toMatch(
      new RegExp(`^சந்தை: உங்கள் தேவை \\(காங்கேயம்\\) .* அன்று முடிகிறது. .* https://sandhai.test/view-enquiry/${id}$`),
    )
    // A renewal restarts the ninety days, and the question.
    const renewedAt = new Date(Date.now() + DAY)
    await market.ctx.db.update(enquiries).set({ renewedAt }).where(eq(enquiries.id, id))
    const after = (days: number): Ctx => ({ ...market.ctx, now: new Date(Date.parse(`${indianDay(renewedAt)}T04:30:00Z`) + days * DAY) })
    expect(await notifyOfExpiring(after(82))).toBe(0)
    expect(await notifyOfExpiring(after(85))).toBe(1)
  })
})
