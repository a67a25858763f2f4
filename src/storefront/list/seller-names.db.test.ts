import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { wholeKeyOf, wordsOf } from '#src/kit/text/sound-keys.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { readList } from './list-view.server.ts'

let market: TestMarket
/** Listings by seller and species. */
const ids: Record<string, number> = {}
const sellers: Record<string, number> = {}

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const { ctx } = market
  const animals = { cow: [1, 118, 'ஜெர்சி பசு'], goat: [2, 201, 'வெள்ளாடு'] } as const
  for (const [name, kinds] of Object.entries({
    Murugan: ['cow', 'goat'],
    செல்வி: ['cow'],
    'Palani Kumar': ['goat'],
    'Abdul Rahman': ['goat'],
    'லட்சுமி அம்மாள்': ['cow'],
    'James S': ['goat'],
  } satisfies Record<string, (keyof typeof animals)[]>)) {
    sellers[name] = (await makeUser(ctx, { typeId: 2, name })).id
    for (const kind of kinds) {
      const [categoryId, breedId, title] = animals[kind]
      ids[`${name} ${kind}`] = await makeListing(ctx, { sellerId: sellers[name], categoryId, breedId, genderId: 0, name: title })
    }
  }
  await makeUser(ctx, { typeId: 2, name: 'Dinesh' })
})

async function find(q: string): Promise<string[]> {
  const page = await readList(market.as(null, { locale: 'en' }), 0, new URLSearchParams({ q }))
  return Object.keys(ids).filter((key) => page.cards.some(({ id }) => id === ids[key]))
}

describe("a search with a seller's name finds the seller's listings", () => {
  test.each([
    ['murugan', ['Murugan cow', 'Murugan goat']],
    ['முருகன்', ['Murugan cow', 'Murugan goat']],
    ['murugan cow', ['Murugan cow']],
    ['முருகன் மாடு', ['Murugan cow']],
    ['முருகனின் ஆடு', ['Murugan goat']],
    ['moorugan aadu', ['Murugan goat']],
    ['murukan pasu venum', ['Murugan cow']],
    ['muruggan goat under 5 lakh', ['Murugan goat']],
    ['cow of selvi', ['செல்வி cow']],
    ['selvee maadu', ['செல்வி cow']],
    ['abdul rahman', ['Abdul Rahman goat']],
    ['அப்துல் ரஹ்மான் ஆடு', ['Abdul Rahman goat']],
    ['rahman goat', ['Abdul Rahman goat']],
    ['latsumi ammaal pasu', ['லட்சுமி அம்மாள் cow']],
    ['latsumi cow', ['லட்சுமி அம்மாள் cow']],
    ['kumar goat', ['Palani Kumar goat']],
    ['james', ['James S goat']],
    ['murugan horse', []],
    ['dinesh goat', []],
    ['abdul kumar', []],
  ])('%s', async (q, found) => {
    expect(await find(q)).toEqual(found)
  })

  test('a word that means something else is no name', async () => {
    const painter = await makeUser(market.ctx, { typeId: 2, name: 'Karuppu Jersey' })
    ids['Karuppu goat'] = await makeListing(market.ctx, { sellerId: painter.id, categoryId: 2, breedId: 201, name: 'வெள்ளாடு' })
    expect([await find('karuppu aadu'), await find('jersey goat')]).toEqual([[], []])
    delete ids['Karuppu goat']
  })

  test('a text that has the name is found, too', async () => {
    ids['named calf'] = await makeListing(market.ctx, { name: 'Selvi, a calf', categoryId: 1 })
    expect(await find('selvi')).toEqual(['செல்வி cow', 'named calf'])
    delete ids['named calf']
  })
})

describe('the search knows no name but the one that the public pages show now', () => {
  const change = (facts: Partial<typeof users.$inferInsert>) =>
    market.owner
      .update(users)
      .set(facts)
      .where(eq(users.id, sellers['Murugan'] ?? 0))
  const cow = () => eq(listings.id, ids['Murugan cow'] ?? 0)

  test('a rename counts at once', async () => {
    await change({ name: 'Velmurugan S' })
    expect([await find('murugan cow'), await find('வேல்முருகன் மாடு')]).toEqual([[], ['Murugan cow']])
    await change({ name: 'Murugan' })
    expect([await find('murugan cow'), await find('velmurugan')]).toEqual([['Murugan cow'], []])
  })

  test.each([
    ['erased', { name: '', erasedAt: new Date() }, { name: 'Murugan', erasedAt: null }],
    ['deactivated', { isActive: false }, { isActive: true }],
    ['no seller any more', { typeId: 1 }, { typeId: 2 }],
  ])('a person who is %s is forgotten at once', async (_, facts, back) => {
    await change(facts)
    expect(await find('murugan')).toEqual([])
    await change(back)
    expect(await find('murugan cow')).toEqual(['Murugan cow'])
  })

  test('a listing that is written again or gets another seller has the name of its seller', async () => {
    await market.owner.update(listings).set({ searchKeys: "'+cow':1B" }).where(cow())
    expect([await find('murugan'), await find('selvi')]).toEqual([['Murugan cow', 'Murugan goat'], ['செல்வி cow']])
    await market.owner.update(listings).set({ sellerId: sellers['செல்வி'], searchKeys: "'+cow':1B" }).where(cow())
    expect([await find('murugan'), await find('selvi')]).toEqual([['Murugan goat'], ['Murugan cow', 'செல்வி cow']])
  })
})

test('the database and the search hear names alike', async () => {
  const names = `Murugan முருகன் Velmurugan வேல்முருகன் Selvi செல்வி Kathiresan கதிரேசன் Xavier சேவியர் Lakshmi லட்சுமி Joseph Krishnaveni
    கிருஷ்ணவேணி Chinnaiyan சின்னையன் Azhagan அழகன் Fathima பாத்திமா Shanthi சாந்தி Raja ராஜா Aiyappan ஐயப்பன் Kuppusamy குப்புசாமி Babu பாபு
    Indra Natarajan நடராஜன் Ponnaiya பொன்னையா Ravindran Muthukkaruppan முத்துக்கருப்பன் Zakir Queen JOSÉ Ramya ரம்யா Mohanasundaram Kavya24
    James Das Makkal முருகனின் மக்கள் Sundaramurthykrishnaswamyvenkatasubramaniam S. க`
  const { keys } = await oneRowOf(
    market.ctx,
    sql`select tsvector_to_array(name_keys(${names})) as keys`,
    z.object({ keys: z.array(z.string()) }),
  )
  const heard = wordsOf(names).map(wholeKeyOf)
  expect(new Set(keys)).toEqual(new Set(heard.filter((key) => key.length > 1).map((key) => `~${key}`)))
})
