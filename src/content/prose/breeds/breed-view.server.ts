import type { Ctx } from '#src/kit/context.ts'
import { formatRupees, rupees, type Money } from '#src/kit/time-money/money.ts'
import { breedFacts, type BreedFacts } from '#src/storefront/breeds/breed-facts.server.ts'
import { breedPath } from '#src/storefront/breeds/breed-paths.ts'
import { readKindMarket, type KindMarket } from '#src/storefront/breeds/breed-market.server.ts'
import { browseListings, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { breedPicture } from '#src/listings/animal-pictures.ts'
import { breeds, wordsFor, type Breed } from '#src/listings/reference/reference-data.ts'
import { browsePath } from '#src/listings/browse/schemas.ts'
import type { Repeat } from '#src/listings/reference/vaccination-schedule.ts'
import { vaccinesOf, type FirstAge } from '#src/listings/reference/vaccine-ages.ts'
import { findPlace } from '#src/addresses/places.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** Animals on a breed's page; the list has the rest. */
const CARDS_SHOWN = 8
const NEIGHBOURS_SHOWN = 4
const DOGS_CATEGORY = 5
/** Radius around a district's place. */
const AROUND_KM = 50

export interface KindShown {
  cards: ListingCard[]
  /** "24", "1,000+"; empty for 0. */
  count: string
  hasMore: boolean
  allPath: string
  usual: { from: string; to: string } | null
  /** Number of listings per price step; null when there are too few. */
  prices: { from: string; to: string; count: number }[] | null
  places: { name: string; count: number; path: string }[]
}

/** `near`: a town whose animals come first. */
export async function readKind(
  ctx: Ctx,
  { breedIds = [], categoryIds = [], near = '' }: { breedIds?: number[]; categoryIds?: number[]; near?: string },
): Promise<KindShown> {
  const choices = {
    categoryIds,
    breedIds,
    text: '',
    minPrice: null,
    maxPrice: null,
    near,
    withinKm: null,
    traits: {},
    sort: near ? ('nearest' as const) : ('newest' as const),
    after: null,
  }
  const [list, market] = await Promise.all([
    browseListings(ctx, choices, { near: near ? findPlace(near) : null, pageSize: CARDS_SHOWN }),
    readKindMarket(ctx, { breedIds, categoryIds }),
  ])
  return {
    cards: list.cards,
    count: list.found === 0 ? '' : `${list.found.toLocaleString('en-IN')}${list.foundMore ? '+' : ''}`,
    hasMore: list.next !== null,
    allPath: browsePath(choices),
    usual: market.usual && shownRange(market.usual),
    prices: market.usual && market.steps.map(({ count, ...range }) => ({ ...shownRange(range), count })),
    places: placesOf(market, { categoryIds, breedIds }),
  }
}

const placesOf = ({ districts }: KindMarket, kind: { categoryIds: number[]; breedIds: number[] }) =>
  districts
    // Skip districts without coordinates: nobody can search around them.
    .filter(({ shown }) => findPlace(shown) !== null)
    .map(({ shown, count }) => ({ name: shown, count, path: browsePath({ ...kind, near: shown, withinKm: AROUND_KM }) }))

const shownRange = ({ from, to }: { from: Money; to: Money }) => ({ from: formatRupees(from), to: formatRupees(to) })
/** "280-350"; one number when both are equal. */
const span = ([from, to]: [number, number]) => (from === to ? String(from) : `${from}-${to}`)

const factsOf = (breed: Breed): BreedFacts => breedFacts[breed.id]!

export function weightText(breed: Breed, locale: Locale): string {
  const { female, male } = factsOf(breed)
  if (!male) return m.breed_weight_one({ kg: span(female) }, { locale })
  const words = wordsFor(breed.categoryId, breed.id)!
  return m.breed_weight_both(
    { female: words.female[locale], femaleKg: span(female), male: words.male[locale], maleKg: span(male) },
    { locale },
  )
}

export function milkText(breed: Breed, locale: Locale): string | null {
  const { milk } = factsOf(breed)
  return milk ? m.breed_milk_text({ litres: span(milk) }, { locale }) : null
}

/** The price range from other sources, for when too few listings of our own exist. */
export function aboutPriceText(breed: Breed, locale: Locale): string {
  const [from, to] = factsOf(breed).price
  const range = shownRange({ from: rupees(from), to: rupees(to) })
  // Street puppies are mostly given away; "₹0" would look like an error.
  return from === 0 ? m.breed_price_free({ to: range.to }, { locale }) : m.page_breed_price(range, { locale })
}

export async function readBreed(ctx: Ctx, breed: Breed) {
  const { locale } = ctx
  const facts = factsOf(breed)
  const kind = await readKind(ctx, { breedIds: [breed.id] })
  const price = kind.usual
    ? m.breed_price_ours({ ...kind.usual, count: kind.count }, { locale })
    : m.breed_price_about({ price: aboutPriceText(breed, locale) }, { locale })
  return {
    name: breed[locale],
    otherName: breed[locale === 'ta' ? 'en' : 'ta'],
    categoryId: breed.categoryId,
    path: breedPath(breed),
    picture: breedPicture(breed.id),
    tract: facts.tract[locale],
    weight: weightText(breed, locale),
    colors: facts.colors[locale],
    milk: milkText(breed, locale),
    // Listings may include grown dogs; the price range from other sources is for puppies.
    price: breed.categoryId === DOGS_CATEGORY && !kind.usual ? m.breed_price_pup({ price }, { locale }) : price,
    story: facts.story?.[locale] ?? null,
    vaccines: vaccinesOf(breed).map((vaccine) => ({
      name: vaccine[locale],
      first: ageText(vaccine.first, locale),
      again: againText(vaccine.repeat, locale),
    })),
    kind,
    neighbours: neighboursOf(breed).map((each) => ({ name: each[locale], path: breedPath(each) })),
  }
}

function ageText(first: FirstAge, locale: Locale): string {
  if (first.unit === 'injury') return m.breed_age_injury({}, { locale })
  const texts = { day: m.breed_age_day, week: m.breed_age_week, month: m.breed_age_month }
  return texts[first.unit]({ age: first.to === undefined ? first.from : `${first.from}-${first.to}` }, { locale })
}

const YEAR_MONTHS = 12

function againText({ boosterDays, thirdDays, months }: Repeat, locale: Locale): string {
  const parts = [
    boosterDays !== undefined && m.breed_again_booster({ days: boosterDays }, { locale }),
    thirdDays !== undefined && m.breed_again_third({ days: thirdDays }, { locale }),
    months !== undefined &&
      (months === YEAR_MONTHS
        ? m.breed_again_year({}, { locale })
        : months % YEAR_MONTHS === 0
          ? m.breed_again_years({ count: months / YEAR_MONTHS }, { locale })
          : m.breed_again_months({ count: months }, { locale })),
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : m.breed_again_once({}, { locale })
}

/** Breeds of the same kind from the same places first, then their neighbours in the tables. */
function neighboursOf(breed: Breed): Breed[] {
  const places = (each: Breed) => factsOf(each).tract.en.match(/[A-Z]\w+/g) ?? []
  const mine = new Set(places(breed))
  const shared = (each: Breed) => places(each).filter((place) => mine.has(place)).length
  return breeds
    .filter(({ id, categoryId }) => categoryId === breed.categoryId && id !== breed.id)
    .toSorted((a, b) => shared(b) - shared(a) || Math.abs(a.id - breed.id) - Math.abs(b.id - breed.id))
    .slice(0, NEIGHBOURS_SHOWN)
}
