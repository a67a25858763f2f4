import { inArray } from 'drizzle-orm'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { kilometresBetween, type Point } from '#src/addresses/places.ts'
import { findPincode, findPlace, homeStates, readPincodes, type Town } from '#src/addresses/places.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { ageOfMonths } from '#src/listings/paste/age-of-months.ts'
import { understand } from '#src/listings/paste/understand.server.ts'
import { breeds } from '#src/listings/reference/reference-data.ts'
import { meaningOf } from '#src/listings/reference/vocabulary.server.ts'
import { wordsOf } from '#src/kit/text/sound-keys.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { readList } from './list-view.server.ts'

/** A search as buyers type it, the filters that it states, and the words that stay (sentence.test.ts). */
interface Search {
  kind: string
  search: string
  want: { min?: number; max?: number; near?: string; within?: number } & Partial<Record<Band, string>>
  rest: string[]
}
type Band = 'age' | 'milk' | 'weight' | 'lactation'

const corpus = (name: string): Search[] =>
  readFileSync(join(projectRoot, `src/listings/browse/corpus/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Search)

/** Two figures of each band: one inside it, one outside. Months, litres a day, kilograms, calvings. */
const figures: Record<Band, Record<string, [number, number]>> = {
  age: { '0-1': [2, 40], '1-3': [30, 70], '3-5': [40, 8], '5-': [70, 30] },
  milk: { any: [3, 0], '5': [6, 3], '10': [12, 8], '15': [16, 12] },
  weight: { '0-10': [6, 20], '10-30': [20, 60], '30-100': [60, 20], '100-300': [200, 400], '300-': [400, 200] },
  lactation: { '1': [1, 3], '2': [2, 3], '3': [3, 1], '4-': [5, 2] },
}
/** The column of each band, from a figure. */
const columns: Record<Band, (figure: number) => ListingFacts> = {
  age: (months) => ({ ageId: ageOfMonths(months) }),
  milk: (litres) => ({ milkLitresPerDay: litres }),
  weight: (kilos) => ({ weightKg: kilos }),
  lactation: (count) => ({ lactation: count }),
}
const bandsOf = ({ want }: Search) => (Object.keys(figures) as Band[]).flatMap((band) => (want[band] ? [{ band, value: want[band] }] : []))

const home = readPincodes().filter(({ point, state }) => point && homeStates.includes(state))
const pincodeAt = (place: Town | null) =>
  place
    ? home.toSorted((a, b) => kilometresBetween(place, a.point as Point) - kilometresBetween(place, b.point as Point))[0]!.pincode
    : '638701'
const COUNTRY_CATTLE = 107
const MURRAH = 120
const FAR = ['629001', '600001']

/** The kind of animal that the words name, as the paste box reads them. */
function kindOf({ rest }: Search) {
  const facts = understand(rest.join(' '))
  const breed = breeds.find(({ id }) => id === facts.breedId?.value)
  const months = facts.ageMonths?.value
  return { categoryId: facts.categoryId?.value ?? breed?.categoryId, breedId: breed?.id, genderId: facts.genderId?.value, months }
}
type Facts = Pick<Row, 'categoryId' | 'breedId' | 'genderId' | 'ageId' | 'milkLitresPerDay' | 'pregnancies' | 'offspring'>
/** Whether each trade word of the search fits the animal in one of its meanings. */
const isCalled = ({ rest }: Search, facts: Facts) =>
  rest.flatMap(wordsOf).every((word) => {
    const meanings = meaningOf(word)?.tradeWords ?? []
    return meanings.length === 0 || meanings.some((each) => each.fits(facts) !== null)
  })

/** An animal that fits the search in everything. */
function wanted(search: Search): ListingFacts {
  const { want, rest } = search
  const price = want.max === undefined ? (want.min ?? 20_000) * 1.1 : Math.max(want.max * 0.9, want.min ?? 0)
  const stated = Object.assign({}, ...bandsOf(search).map(({ band, value }) => columns[band](figures[band][value]![0]))) as ListingFacts
  const kind = [...kindsFor(search, stated)].find((each) => isCalled(search, { pregnancies: null, offspring: null, ...each }))
  return {
    ...(kind ?? { categoryId: 1, breedId: COUNTRY_CATTLE, genderId: 0, ageId: 7 }),
    weightKg: 35,
    name: rest.join(' '),
    description: rest.join(' '),
    originalPrice: rupees(Math.round(price)),
    pincode: pincodeAt(want.near === undefined ? null : findPlace(want.near)),
    ...stated,
  }
}

/** The kinds that the words leave open, usual ones first. */
function* kindsFor(search: Search, { ageId: age, milkLitresPerDay: litres }: ListingFacts) {
  const { categoryId, breedId, genderId, months } = kindOf(search)
  const ages = age ? [age] : months ? [ageOfMonths(months)] : [7, 5, 3, 2, 1]
  const isUsual = (id: number) => Number(id === COUNTRY_CATTLE || id === MURRAH)
  const possible = breeds
    .filter((each) => each.categoryId === (categoryId ?? each.categoryId) && each.id === (breedId ?? each.id))
    .toSorted((a, b) => isUsual(b.id) - isUsual(a.id))
  for (const breed of possible)
    for (const sex of genderId === undefined ? [0, 1, 2] : [genderId])
      for (const ageId of ages)
        for (const milkLitresPerDay of litres === undefined && sex === 0 ? [null, 8] : [litres ?? null])
          yield { categoryId: breed.categoryId, breedId: breed.id, genderId: sex, ageId, milkLitresPerDay }
}

/** The same animal with one thing wrong each: too expensive, too cheap, too far, or outside a band. */
function decoys(search: Search): ListingFacts[] {
  const { want } = search
  const place = want.near === undefined ? null : findPlace(want.near)
  const far = FAR.find((pincode) => place && kilometresBetween(place, findPincode(pincode)!.point!) > 250)
  return [
    ...(want.max === undefined ? [] : [{ originalPrice: rupees(Math.round(want.max * 1.3)) }]),
    ...(want.min === undefined ? [] : [{ originalPrice: rupees(Math.round(want.min * 0.7)) }]),
    ...(far === undefined ? [] : [{ pincode: far }]),
    ...bandsOf(search).map(({ band, value }) => columns[band](figures[band][value]![1])),
  ].map((wrong) => ({ ...wanted(search), ...wrong }))
}

type Row = typeof listings.$inferSelect

/** Whether an animal is what the buyer meant: each thing that the corpus states, and the kind that the words name. */
function fits(search: Search, row: Row, kilometres: number | null): boolean {
  const { want } = search
  const { categoryId, breedId, genderId } = kindOf(search)
  const isSex = genderId === undefined || genderId === row.genderId || (row.genderId !== 0 && genderId > 0) || row.genderId === 3
  return (
    row.originalPrice <= rupees(want.max ?? 10_000_000) &&
    row.originalPrice >= rupees(want.min ?? 0) &&
    (want.within === undefined || (kilometres !== null && kilometres <= want.within)) &&
    (categoryId === undefined || row.categoryId === categoryId) &&
    (breedId === undefined || row.breedId === breedId) &&
    isSex &&
    isCalled(search, row) &&
    bandsOf(search).every(({ band, value }) => isIn(band, value, row))
  )
}

function isIn(band: Band, value: string, row: Row): boolean {
  const [from = 0, to = Infinity] = value.split('-').map((end) => (end === 'any' ? 1 : end === '' ? Infinity : Number(end)))
  const figure = { age: 0, milk: Number(row.milkLitresPerDay), weight: row.weightKg, lactation: row.lactation ?? 0 }[band]
  if (band === 'milk') return figure >= from
  if (band === 'age')
    return row.ageId !== null && row.ageId >= ageOfMonths(from * 12) && (to === Infinity || row.ageId < ageOfMonths(to * 12))
  return band === 'lactation' && !value.endsWith('-') ? figure === from : figure >= from && figure < to
}

let market: TestMarket
shareMarket((opened) => (market = opened))
const searches = { open: corpus('open'), closed: corpus('closed') }

beforeAll(async () => {
  const seller = await makeUser(market.ctx, { typeId: 2 })
  const address = await makeAddress(market.ctx, seller.id, { pincode: '638701' })
  for (const search of [...searches.open, ...searches.closed])
    for (const facts of [wanted(search), ...decoys(search)])
      await makeListing(market.ctx, { ...facts, sellerId: seller.id, pickupAddressId: address })
})

/** The first six animals that the page shows: its results, or the nearest animals when it has none. */
async function firstSix({ search, want }: Search): Promise<{ row: Row; kilometres: number | null }[]> {
  const page = await readList(market.as(null, { locale: 'en' }), 0, new URLSearchParams({ q: search }))
  const shown = (page.nearMisses?.nearest?.cards ?? page.cards).slice(0, 6)
  const ids = shown.map(({ id }) => id)
  const rows = await market.ctx.db.select().from(listings).where(inArray(listings.id, ids))
  const place = want.near === undefined ? null : findPlace(want.near)
  return ids.map((id) => {
    const row = rows.find((row) => row.id === id)!
    return { row, kilometres: place && kilometresBetween(place, findPincode(row.pincode)!.point!) }
  })
}

/** Whether the list begins with what was meant: at least one animal that fits, and none that does not before one that does. */
async function isMet(search: Search): Promise<boolean> {
  const fitting = (await firstSix(search)).map(({ row, kilometres }) => fits(search, row, kilometres))
  const reached = fitting.lastIndexOf(true)
  return reached >= 0 && fitting.slice(0, reached).every(Boolean)
}

test.each(['open', 'closed'] as const)('of the %s searches, at least 95 of 100 lead to what was meant in their first six', async (name) => {
  let met = 0
  for (const search of searches[name]) met += Number(await isMet(search))
  const share = met / searches[name].length
  console.info(`${name}: ${(100 * share).toFixed(1)} % of ${searches[name].length}`)
  expect(share).toBeGreaterThanOrEqual(0.95)
})
