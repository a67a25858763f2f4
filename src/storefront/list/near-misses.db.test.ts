import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { readBrowse } from '#src/listings/browse/schemas.ts'
import { readSearch } from '#src/listings/browse/search.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { filterGroups } from './filter-groups.server.ts'
import { listNearMisses } from './near-misses.server.ts'
import { traitGroups } from './trait-groups.server.ts'

let market: TestMarket
const ids: Record<string, number> = {}

shareMarket((opened) => (market = opened))

/** The near misses of a list page with this URL. */
function missed(typeId: number, query: string, locale: 'ta' | 'en' = 'en') {
  const ctx = market.as(null, { locale })
  const { choices } = readBrowse(typeId, new URLSearchParams(query), knownIds)
  const asked = {
    choices,
    words: readSearch(choices.text).map(({ typed }) => typed),
    groups: filterGroups('en', choices, null),
    traits: traitGroups('en', choices, []),
  }
  return listNearMisses(ctx, asked)
}

test('an empty market shows nothing and causes no error', async () => {
  expect(await missed(1, 'q=zebra&near=641001&within=25&milk=15')).toEqual({ ways: [], nearest: null })
})

test('a search without matches shows and names the nearest matches', async () => {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const list = async (name: string, facts: Partial<Parameters<typeof makeListing>[1]>) =>
    (ids[name] = await makeListing(market.ctx, { sellerId: seller.id, name, ...facts }))
  // Erode and Salem are some 55 km apart; Kanniyakumari is 350 km away.
  await list('Salem cow', { pincode: '636001' })
  await list('Far cow', { pincode: '629001' })
  await list('Red hen', { categoryId: 4, breedId: null, pincode: '641001' })
  await list('Black hen', { categoryId: 4, breedId: null, pincode: '641001' })

  const near = await missed(1, 'near=638001&within=25')
  expect(near.nearest).toMatchObject({ kind: 'wider', km: 100, count: 1, path: '/buy/1?near=638001&within=100' })
  expect(near.nearest!.cards.map(({ id }) => id)).toEqual([ids['Salem cow']])
  expect(near.nearest!.cards[0]!.kilometres).toBeGreaterThan(25)

  const far = await missed(1, 'near=600001&within=100')
  expect(far.nearest).toMatchObject({ kind: 'farther', km: null, count: 2 })
  expect(far.nearest!.cards.map(({ id }) => id)).toEqual([ids['Salem cow'], ids['Far cow']])

  const word = await missed(1, 'q=kangayam+zebra')
  expect(word.nearest).toMatchObject({ kind: 'without', labels: ['“zebra”'], count: 2 })
  expect(word.nearest!.cards.map(({ id }) => id).toSorted()).toEqual([ids['Salem cow'], ids['Far cow']].toSorted())
  expect(word.ways.map(({ labels }) => labels)).toContainEqual(['“zebra”'])

  // "Far" stands in the name of one animal only, which is a cow.
  const animal = await missed(0, 'q=far+chicken')
  expect(animal.nearest).toMatchObject({ labels: ['“far”'], count: 2 })
  expect(animal.nearest!.cards.map(({ id }) => id).toSorted()).toEqual([ids['Red hen'], ids['Black hen']].toSorted())

  // A zebra and a chicken with 15 litres are both impossible, so both conditions are dropped and the species stays.
  const two = await missed(4, 'q=zebra&milk=15')
  expect(two.ways).toEqual([])
  expect(two.nearest).toMatchObject({ kind: 'without-two', count: 2, path: '/buy/4' })

  const species = await missed(4, 'q=zebra&milk=15&pregnant=1')
  expect(species.nearest).toMatchObject({ kind: 'species', path: '/buy/4' })
  const all = await missed(6, 'q=zebra&milk=15&pregnant=1')
  expect(all.nearest!.kind).toBe('market')
  expect(all.nearest!.cards).toHaveLength(4)
})

test('each of the nearest animals says in its own figures how far it is from what was asked, in both languages', async () => {
  const reasons = async (query: string, locale: 'ta' | 'en' = 'en') =>
    (await missed(1, query, locale)).nearest!.cards.map(({ reason }) => reason)
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const facts = { sellerId: seller.id, genderId: 0, milkLitresPerDay: 12, originalPrice: rupees(60_000), offerPrice: rupees(52_000) }
  await makeListing(market.ctx, { ...facts, breedId: 118, name: 'Jersey', pincode: '636001' })
  expect(await reasons('q=jersey&milk=10&max=50000')).toEqual(['₹2,000 more'])
  expect(await reasons('q=jersey&milk=10&max=50000', 'ta')).toEqual(['₹2,000 கூடுதல்'])
  expect(await reasons('q=jersey&min=55000')).toEqual(['₹3,000 less'])
  expect(await reasons('q=jersey&milk=15')).toEqual(['12 l milk'])
  // The heading has named the word.
  expect(await reasons('q=jersey+zebra')).toEqual([''])
  // Salem is some 55 km from Erode.
  expect(await reasons('q=jersey&near=638001&within=25')).toEqual([expect.stringMatching(/^\d\d km farther$/)])
  expect(await reasons('q=jersey&near=638001&within=25&max=50000')).toEqual([expect.stringMatching(/^₹2,000 more · \d\d km farther$/)])
})
