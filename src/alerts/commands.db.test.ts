import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import { users } from '../accounts/tables.ts'
import type { Ctx, Viewer } from '../kit/context.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { makeListing } from '../listings/makers.server.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { listings } from '../listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { MAX_SAVED_LISTINGS, MAX_SAVED_SEARCHES } from './rules.ts'
import {
  getToSave,
  listSavedListings,
  listSavedSearches,
  readSavedSearch,
  readSwitches,
  removeSearch,
  saveListing,
  saveSearch,
  switchAlerts,
  unsaveListing,
} from './saved.server.ts'
import { searchInWords } from './search-words.server.ts'
import { savedListings, savedSearches } from './tables.ts'
import { notifySavers } from './notifications.server.ts'

let market: TestMarket
let selvi: Viewer & { phone: string }
let seller: Viewer
shareMarket((opened) => (market = opened))
beforeEach(async () => {
  await market.ctx.db.delete(savedListings)
  await market.ctx.db.delete(savedSearches)
  await market.ctx.db.update(listings).set({ state: 'withdrawn' })
  selvi = await makeUser(market.ctx, { name: 'Selvi', locale: 'en' })
  seller = await makeUser(market.ctx, { typeId: 2 })
})

/** Noon in India, a day from now. */
const NOON = new Date(`${new Date(Date.now() + DAY).toISOString().slice(0, 10)}T06:30:00Z`)
const onDay = (days: number, hours = 0) => new Date(NOON.getTime() + days * DAY + hours * 3_600_000)
const by = (viewer: Viewer | null, days = 0, hours = 0): Ctx => market.as(viewer, { now: onDay(days, hours) })
const cow = (facts: Parameters<typeof makeListing>[1] = {}) =>
  makeListing(market.ctx, { sellerId: seller.id, nameEn: 'Kangayam bull', touchedAt: NOON, ...facts })
const setPrice = (id: number, price: number) =>
  market.ctx.db
    .update(listings)
    .set({ originalPrice: rupees(price) })
    .where(eq(listings.id, id))
const smsTo = async (person: { phone: string }) =>
  (await market.ctx.db.select().from(outbox).where(eq(outbox.recipient, person.phone)).orderBy(outbox.id)).map(({ template, body }) => ({
    template,
    body,
  }))

describe('a saved animal', () => {
  test('is saved once and shows its price then and now, until it is removed', async () => {
    const id = await cow()
    await saveListing(by(selvi), id)
    await setPrice(id, 80_000)
    await saveListing(by(selvi), id)
    expect(await listSavedListings(by(selvi))).toMatchObject([
      { card: { id, name: 'Kangayam bull' }, priceThen: rupees(85_000), priceNow: rupees(80_000), availability: 'available' },
    ])
    expect(await getToSave(by(selvi), id)).toMatchObject({ isSaved: true })
    await unsaveListing(by(selvi), id)
    await unsaveListing(by(selvi), id)
    expect(await listSavedListings(by(selvi))).toEqual([])
  })

  test('shows when it is sold or closed', async () => {
    const ids = [await cow(), await cow()]
    for (const id of ids) await saveListing(by(selvi), id)
    await market.ctx.db.update(listings).set({ isSold: true }).where(eq(listings.id, ids[0]!))
    await market.ctx.db
      .update(listings)
      .set({ touchedAt: onDay(-101) })
      .where(eq(listings.id, ids[1]!))
    const saved = await listSavedListings(by(selvi))
    expect(ids.map((id) => saved.find((each) => each.id === id))).toMatchObject([
      { availability: 'sold', card: { name: 'Kangayam bull' } },
      { availability: 'closed', card: { name: 'Kangayam bull' } },
    ])
  })

  test.each(['pending', 'failed', 'withdrawn'] as const)(
    'that is %s shows its category and old price, and no unverified text',
    async (state) => {
      const id = await cow()
      await saveListing(by(selvi), id)
      await setPrice(id, 60_000)
      await market.ctx.db.update(listings).set({ state, nameEn: 'Call me' }).where(eq(listings.id, id))
      expect(await listSavedListings(by(selvi))).toEqual([{ id, availability: 'gone', category: 'Cattle', priceThen: rupees(85_000) }])
    },
  )

  test('of a deactivated seller is hidden, and cannot be saved', async () => {
    const other = await makeUser(market.ctx, { typeId: 2 })
    const ids = [await cow({ sellerId: other.id }), await cow({ sellerId: other.id })]
    await saveListing(by(selvi), ids[0]!)
    await market.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, other.id))
    expect(await listSavedListings(by(selvi))).toEqual([
      { id: ids[0], availability: 'gone', category: 'Cattle', priceThen: rupees(85_000) },
    ])
    expect(await refusalOf(getToSave(by(selvi), ids[1]!))).toBe('NOT_FOUND')
    expect(await refusalOf(saveListing(by(selvi), ids[1]!))).toBe('NOT_FOUND')
  })

  test("must be public and not the viewer's own, and a hundred is the limit", async () => {
    expect(await refusalOf(saveListing(by(selvi), await cow({ state: 'pending' })))).toBe('NOT_FOUND')
    expect(await refusalOf(saveListing(by(selvi), 999_999))).toBe('NOT_FOUND')
    expect(await refusalOf(saveListing(by(seller), await cow()))).toBe('OWN_LISTING')
    expect(await refusalOf(saveListing(by(null), await cow()))).toBe('AUTH_REQUIRED')
    const first = await cow()
    for (let n = 0; n < MAX_SAVED_LISTINGS; n++)
      await market.ctx.db.insert(savedListings).values({ userId: selvi.id, listingId: n === 0 ? first : await cow(), knownPrice: 1n })
    expect(await refusalOf(saveListing(by(selvi), await cow()))).toBe('SAVED_FULL')
    expect(await refusalOf(saveListing(by(selvi), first))).toBe('taken')
    expect(await market.ctx.db.$count(savedListings, eq(savedListings.userId, selvi.id))).toBe(MAX_SAVED_LISTINGS)
  })
})

describe('a saved search', () => {
  test.each([
    ['/buy/0', '0', ''],
    ['/buy/1', '1', ''],
    ['/buy/1?sort=price-low&after=abc', '1', ''],
    ['/buy/0?q=cow&sort=newest', '0', 'q=cow'],
    ['/buy/1?max=50000&breed=101&near=', '1', 'breed=101&max=50000'],
    ['/buy/0?category=1&category=2', '0', 'category=1&category=2'],
    ['/buy/0?near=Erode&within=50', '0', 'near=Erode&within=50'],
  ])('%s is saved as /buy/%s?%s', (path, category, query) => {
    expect(readSavedSearch(path)).toMatchObject({ category: Number(category), query })
  })

  test.each([
    '',
    '/buy',
    '/buy/999',
    '/sell',
    'https://evil.example/buy/1',
    '/buy/1/../../admin',
    '/buy/1?utm=x',
    '/buy/1?constructor=x',
    '/buy/0?breed=9999',
    '/buy/0?breed=101&breed=9999',
    '/buy/0?category=77',
    '/buy/0?max=cheap',
    '/buy/0?within=50',
    '/buy/0?near=Erode&within=7',
  ])('%s is not a search, and does not become a search for everything', async (path) => {
    expect(readSavedSearch(path)).toBeNull()
    expect(await refusalOf(saveSearch(by(selvi), path))).toBe('VALIDATION')
    expect(await listSavedSearches(by(selvi))).toEqual([])
  })

  test("longer than the list page's maximum is refused, not truncated", async () => {
    expect(await refusalOf(saveSearch(by(selvi), `/buy/0?q=cow${'&q=cow'.repeat(400)}`))).toBe('VALIDATION')
  })

  test('is saved once, described in words, twenty at most, and can be removed by its owner', async () => {
    await saveSearch(by(selvi), '/buy/1?breed=101&q=bull&max=90000&near=638701&within=50')
    await saveSearch(by(selvi), '/buy/1?q=bull&near=638701&within=50&max=90000&breed=101&sort=nearest')
    const [search, ...more] = await listSavedSearches(by(selvi))
    expect(more).toEqual([])
    expect(searchInWords(search!.choices, 'en')).toMatch(/^Cattle · Kangayam · “bull” · up to ₹90,000 · within 50 km of .*Erode|Tiruppur/)
    const other = await makeUser(market.ctx)
    await removeSearch(by(other), search!.id)
    expect(await listSavedSearches(by(selvi))).toHaveLength(1)
    await removeSearch(by(selvi), search!.id)
    expect(await listSavedSearches(by(selvi))).toEqual([])
    for (let n = 0; n < MAX_SAVED_SEARCHES; n++) await saveSearch(by(selvi), `/buy/1?max=${1000 + n}`)
    expect(await refusalOf(saveSearch(by(selvi), '/buy/2'))).toBe('SAVED_FULL')
    expect(await refusalOf(saveSearch(by(selvi), '/buy/1?max=1000'))).toBe('taken')
    expect(await listSavedSearches(by(selvi))).toHaveLength(MAX_SAVED_SEARCHES)
  })
})

describe('a notification', () => {
  test('is sent once for a lower price, then only for an even lower one', async () => {
    const id = await cow()
    await saveListing(by(selvi), id)
    expect(await notifySavers(by(null))).toBe(0)
    await setPrice(id, 80_000)
    expect(await notifySavers(by(null))).toBe(1)
    expect(await notifySavers(by(null, 0, 1))).toBe(0)
    expect(await notifySavers(by(null, 1))).toBe(0)
    await setPrice(id, 90_000)
    expect(await notifySavers(by(null, 2))).toBe(0)
    await setPrice(id, 79_000)
    expect(await notifySavers(by(null, 3))).toBe(1)
    expect(await smsTo(selvi)).toEqual([
      {
        template: 'saved-drop',
        body: `Sandhai: Kangayam bull, which you saved, now costs ₹80,000 instead of ₹85,000.\nhttps://sandhai.test/en/product/${id}`,
      },
      {
        template: 'saved-drop',
        body: `Sandhai: Kangayam bull, which you saved, now costs ₹79,000 instead of ₹80,000.\nhttps://sandhai.test/en/product/${id}`,
      },
    ])
  })

  test('hides a phone number in the name', async () => {
    const id = await cow({ nameEn: 'Bull 98765 43210' })
    await saveListing(by(selvi), id)
    await setPrice(id, 80_000)
    await notifySavers(by(null))
    expect((await smsTo(selvi))[0]!.body).toContain('Bull xxxxx, which')
  })

  test('waits for the next day when one was sent today, and for the morning', async () => {
    const [one, two] = [await cow(), await cow()]
    for (const id of [one, two]) await saveListing(by(selvi), id)
    await setPrice(one, 80_000)
    // Nine in the evening.
    expect(await notifySavers(by(null, 0, 9))).toBe(0)
    expect(await notifySavers(by(null))).toBe(1)
    await setPrice(two, 80_000)
    expect(await notifySavers(by(null, 0, 2))).toBe(0)
    expect(await notifySavers(by(null, 1))).toBe(1)
    expect(await smsTo(selvi)).toHaveLength(2)
  })

  test('reports animals that became public since, by their first pass, not earlier or own ones', async () => {
    const keeper = await makeUser(market.ctx, { typeId: 3, locale: 'ta' })
    await cow({ createdAt: onDay(-3) })
    await saveSearch(by(keeper), '/buy/1?breed=101')
    const waited = await cow({ createdAt: onDay(-2) })
    await makeVerification(market.ctx, { listingId: waited, adminId: seller.id, passed: true, comment: '.', createdAt: onDay(0, 1) })
    await cow({ createdAt: onDay(0, 1), sellerId: keeper.id })
    await cow({ createdAt: onDay(0, 1), breedId: 102 })
    await cow({ createdAt: onDay(0, 1), state: 'pending' })
    expect(await notifySavers(by(null, 0, 2))).toBe(1)
    const [sms, ...more] = await smsTo(keeper)
    expect(more).toEqual([])
    expect(sms).toMatchObject({ template: 'saved-found' })
    expect(sms!.body).toContain(`https://sandhai.test/product/${waited}`)
    expect(await notifySavers(by(null, 1))).toBe(0)
  })

  test('is one message: lower prices, and new animals of several searches, each once', async () => {
    const id = await cow({ createdAt: onDay(-5) })
    await saveListing(by(selvi), id)
    await saveSearch(by(selvi), '/buy/1')
    await saveSearch(by(selvi), '/buy/0?q=kangayam')
    await setPrice(id, 70_000)
    for (const hours of [1, 2]) await cow({ createdAt: onDay(0, hours) })
    expect(await notifySavers(by(null, 0, 3))).toBe(1)
    expect(await smsTo(selvi)).toEqual([
      {
        template: 'saved-news',
        body: 'Sandhai: of what you saved, 1 cost less now; new for your searches: 2.\nhttps://sandhai.test/en/saved',
      },
    ])
  })

  test('goes to nobody who has switched it off or is gone, and leaves out sold animals', async () => {
    const id = await cow()
    await saveListing(by(selvi), id)
    await saveSearch(by(selvi), '/buy/1')
    await switchAlerts(by(selvi), 'saved', false)
    expect(await readSwitches(by(selvi))).toEqual({ saved: false, wanted: true })
    await setPrice(id, 50_000)
    await cow({ createdAt: onDay(0, 1) })
    expect(await notifySavers(by(null, 0, 2))).toBe(0)
    await market.ctx.db.update(listings).set({ isSold: true }).where(eq(listings.id, id))
    // After switching on again: animals from the time between are on the list, but cause no notification.
    await switchAlerts(by(selvi, 0, 3), 'saved', true)
    expect(await readSwitches(by(selvi))).toEqual({ saved: true, wanted: true })
    expect(await notifySavers(by(null, 0, 3))).toBe(0)
    expect(await smsTo(selvi)).toEqual([])
  })
})

test('the data export contains alerts data, and an erasure deletes all of it', async () => {
  const id = await cow()
  await saveListing(by(selvi), id)
  await saveSearch(by(selvi), '/buy/1?breed=101')
  await switchAlerts(by(selvi), 'wanted', false)
  expect(await exportPerson(market.ctx, selvi.id)).toMatchObject({
    savedListings: [{ listingId: id, knownPrice: '85000' }],
    savedSearches: [{ category: 1, query: 'breed=101' }],
    alertsSwitchedOff: ['wanted'],
  })
  await forgetPerson(market.ctx, selvi.id)
  expect(await market.ctx.db.$count(savedListings, and(eq(savedListings.userId, selvi.id)))).toBe(0)
  expect(await exportPerson(market.ctx, selvi.id)).toEqual({ savedListings: [], savedSearches: [], alertsSwitchedOff: [] })
})
