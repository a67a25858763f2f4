import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { findPlace } from '#src/addresses/places.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { makeListing, makeListingClip } from '../makers.server.ts'
import { browsePath, radii, readBrowse, usualMaxPrice } from '#src/listings/browse/schemas.ts'
import { facetText, type Facet } from '#src/listings/browse/facets.ts'
import { traitNames, traits } from './traits.ts'

let market: TestMarket
/** Animals by their distinguishing feature. */
const animals: Record<string, number> = {}

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx } = market
  const verified = await makeUser(ctx, { typeId: 2, isVerified: true })
  const plain = await makeUser(ctx, { typeId: 2 })
  const add = async (key: string, facts: Parameters<typeof makeListing>[1]) => {
    animals[key] = await makeListing(ctx, { sellerId: plain.id, ...facts })
  }
  await add('milker', { breedId: 118, genderId: 0, ageId: 7, weightKg: 320, milkLitresPerDay: 12, lactation: 4, name: 'ஜெர்சி பசு' })
  await add('pregnant', {
    breedId: 118,
    genderId: 0,
    ageId: 6,
    weightKg: 280,
    milkLitresPerDay: 0,
    lactation: 1,
    name: 'பசு',
    description: 'ஏழு மாத சினை',
  })
  await add('bull', { breedId: 101, genderId: 1, ageId: 9, weightKg: 400, sellerId: verified.id })
  await add('kid', { categoryId: 2, breedId: 201, genderId: 1, ageId: 2, weightKg: 8, name: 'ஆட்டுக் குட்டி' })
  await makeListingClip(ctx, animals.milker!)
  await makeListingClip(ctx, animals.kid!, 'voice')
})

async function find(query: string) {
  const { choices } = readBrowse(0, new URLSearchParams(query), knownIds)
  return browseListings(market.ctx, choices, { near: choices.near ? findPlace(choices.near) : null, pageSize: 24, hasCounts: true })
}
const found = async (query: string) => {
  const { cards } = await find(query)
  return Object.keys(animals).filter((key) => cards.some(({ id }) => id === animals[key]))
}

describe('trait filters', () => {
  test.each([
    ['sex=female', ['milker', 'pregnant']],
    ['sex=male', ['bull', 'kid']],
    ['age=0-1', ['kid']],
    ['age=1-3', ['pregnant']],
    ['age=3-5', ['milker']],
    ['age=5-', ['bull']],
    ['milk=any', ['milker']],
    ['milk=10', ['milker']],
    ['milk=15', []],
    ['pregnant=1', ['pregnant']],
    ['lactation=1', ['pregnant']],
    ['lactation=2', []],
    ['lactation=4-', ['milker']],
    ['weight=0-10', ['kid']],
    ['weight=100-300', ['pregnant']],
    ['weight=300-', ['milker', 'bull']],
    ['verified=1', ['bull']],
    ['vet=1', []],
    ['vaccinated=1', []],
    ['video=1', ['milker']],
    ['sex=female&milk=10&category=1', ['milker']],
    ['sex=male&milk=10', []],
    ['sex=neither&milk=much', ['milker', 'pregnant', 'bull', 'kid']],
  ] as const)('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('every trait value shows how many animals it would leave, and leaves that many', async () => {
    for (const chosen of ['', 'sex=female', 'category=1', 'sex=male&weight=300-', 'milk=15']) {
      const { traitCounts } = await find(chosen)
      expect(traitCounts.length).toBe(traitNames.reduce((sum, name) => sum + traits[name].values.length, 0))
      for (const { name, value, count, isMore } of traitCounts) {
        const query = new URLSearchParams(chosen)
        query.set(name, value)
        expect(isMore).toBe(false)
        expect((await find(query.toString())).found, `${chosen} and ${name}=${value}`).toBe(count)
      }
    }
  })

  test('species, breeds, distances and the usual price show how many animals each would leave, and leave that many', async () => {
    for (const chosen of [
      '',
      'category=1',
      'category=2&sex=male',
      'near=638701',
      'near=638701&within=25&breed=118',
      'max=1000',
      'q=zebra',
    ]) {
      const { facets } = await find(chosen)
      const expectFound = async (facet: Facet, value: number, name: string) => {
        const query = new URLSearchParams(chosen)
        if (name === 'category') query.delete('breed')
        query.set(name, String(value))
        const { found } = await find(query.toString())
        expect(facetText(facet, value), `${chosen} and ${name}=${value}`).toBe(String(found))
      }
      for (const id of [1, 2, 3]) await expectFound(facets!.species, id, 'category')
      for (const id of [118, 101, 201]) await expectFound(facets!.breed, id, 'breed')
      if (chosen.includes('near')) for (const km of radii) await expectFound(facets!.within, km, 'within')
      const category = Number(new URLSearchParams(chosen).get('category') ?? 0)
      await expectFound(facets!.max, usualMaxPrice(category ? [category] : []), 'max')
    }
  })

  test('a count above the limit is shown as a lower bound, or not at all when it is zero', () => {
    expect(facetText({ looked: 1001, counts: { 1: 340 } }, 1)).toBe('340+')
    expect(facetText({ looked: 1001, counts: { 1: 340 } }, 2)).toBe('')
    expect(facetText({ looked: 12, counts: null }, 2)).toBe('0')
  })

  test('traits are part of the URL, and unreadable ones are dropped', () => {
    const { choices } = readBrowse(1, new URLSearchParams('sex=female&milk=10&age=old&vet=1'), knownIds)
    expect(browsePath({ ...choices, after: null })).toBe('/buy/1?sex=female&milk=10&vet=1')
  })
})
