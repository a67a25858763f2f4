import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { KM_PER_DEGREE, kilometresBetween, readStoredPoint, toStoredPoint, type Point } from '#src/addresses/places.ts'
import { placeName, type Town } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { COUNT_UP_TO, encodeCursor, type Cursor } from '#src/kit/http/pagination.ts'
import { longShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { genderName, lookups, nameOf, nameOrNull } from './lookups.server.ts'
import { CLOSED_AFTER_DAYS, VET_CHECK_VALID_DAYS } from './rules.ts'
import { cursorList, type BrowseChoices } from './schemas.ts'
import { countFacets, facetsShape } from './traits/facets.server.ts'
import type { Facets } from './traits/facets.ts'
import { traitOptions, type TraitOption } from './traits/trait-table.server.ts'
import { traitNames, type TraitName } from './traits/traits.ts'
import { readProductNumber, readSearch, toRankQuery, toTsQuery } from './search.server.ts'

/** What a card shows, in the reader's language. */
export interface ListingCard {
  id: number
  name: string
  category: string
  breed: string | null
  age: string | null
  gender: string | null
  weightKg: number
  /** Litres per day; null where she gives none, or nobody said. */
  milkLitres: number | null
  stock: number
  originalPrice: Money
  offerPrice: Money | null
  city: string
  state: string
  kilometres: number | null
  photo: { key: string; color: string; hash: string; count: number } | null
  sellerVerified: boolean
  vetPassed: boolean
  vaccinated: boolean
  isSample: boolean
  listedAt: Date
}

interface ListingPage {
  cards: ListingCard[]
  found: number
  /** True: more than `COUNT_UP_TO`, and `found` is that number. */
  foundMore: boolean
  next: string | null
  /** How many each value of each trait would leave; none where they were not asked for. */
  traitCounts: TraitCount[]
  /** The same of species, breeds, distances and the usual price; null where they were not asked for. */
  facets: Facets | null
}

export interface TraitCount {
  name: TraitName
  value: string
  count: number
  /** At least so many: more were found than are counted. */
  isMore: boolean
}

/** Hides the animals of a deactivated seller, and those of a person whose type sells nothing (any more). */
export const isSellerActive = sql`l.seller_active`

/** What the public sees of a listing `l`, sold or closed too. */
export const isPublic = sql`(l.state = 'passed' and ${isSellerActive})`

/** Listed, verified, in stock, touched within the last 100 days, its seller active: what lists, searches and related animals show. */
export const isLive = (now: Date) =>
  sql`l.state = 'passed' and not l.is_sold and l.stock > 0 and l.touched_at >= ${daysBefore(now, CLOSED_AFTER_DAYS).toISOString()}::timestamptz and ${isSellerActive}`

/** The columns of a card for a listing `l`. */
export const cardRow = z.object({
  id: longShape,
  name: z.string(),
  category_id: z.number(),
  breed_id: z.number().nullable(),
  age_id: z.number().nullable(),
  gender_id: z.number().nullable(),
  weight_kg: longShape,
  milk_litres: z.number().nullable(),
  stock: z.number(),
  original_price: longShape,
  offer_price: longShape.nullable(),
  district: z.string(),
  state_name: z.string(),
  location: z.string().nullable(),
  seller_verified: z.boolean(),
  vet_passed: z.boolean(),
  vaccinated: z.boolean(),
  photo_key: z.string().nullable(),
  photo_color: z.string().nullable(),
  photo_hash: z.string().nullable(),
  photo_count: z.number(),
  is_sample: z.boolean(),
  listed_ms: longShape,
})
export type CardRow = z.output<typeof cardRow>
/** One row of a page; an empty result is one row with the count alone. */
const counted = { found: z.number(), looked: z.number(), counts: z.array(z.number()), facets: facetsShape.nullable() }
const pageRow = z.union([cardRow.extend({ ...counted, sort_value: z.string() }), z.object({ id: z.null(), ...counted })])

/** The last finding of a listing `l` is a good one, and still holds (isCheckValid). */
export const isVetPassed = (now: Date) => sql`coalesce(l.vet_passed_on >= ${indianDay(daysBefore(now, VET_CHECK_VALID_DAYS))}::date, false)`

/** The columns of `CardRow` for a listing `l`; 24 small look-ups by index beside one row each. */
export const cardColumns = (ctx: Ctx) => sql`
  l.id, ${ctx.locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name, l.category_id, l.breed_id, l.age_id, l.gender_id,
  l.weight_kg, l.milk_litres_per_day::float8 as milk_litres, l.stock, l.original_price::text as original_price, l.offer_price::text as offer_price, l.district, l.state_name,
  l.location::text as location, l.is_sample, floor(extract(epoch from l.created_at) * 1000)::bigint as listed_ms,
  l.seller_verified,
  ${isVetPassed(ctx.now)} as vet_passed,
  l.is_vaccinated as vaccinated,
  p.media_key as photo_key, p.average_color as photo_color, p.thumbhash as photo_hash,
  (select count(*)::int from listing_photos n where n.listing_id = l.id) as photo_count`
export const cardPhoto = sql`left join listing_photos p on p.listing_id = l.id and p.position = 0`

export function toCard(ctx: Ctx, row: CardRow, near: Point | null): ListingCard {
  return {
    id: Number(row.id),
    name: row.name,
    category: nameOf(lookups.category(row.category_id), ctx.locale),
    breed: nameOrNull(lookups.breed, row.breed_id, ctx.locale),
    age: nameOrNull(lookups.age, row.age_id, ctx.locale),
    gender: genderName({ categoryId: row.category_id, breedId: row.breed_id, genderId: row.gender_id }, ctx.locale),
    weightKg: Number(row.weight_kg),
    milkLitres: row.milk_litres || null,
    stock: row.stock,
    originalPrice: BigInt(row.original_price),
    offerPrice: row.offer_price === null ? null : BigInt(row.offer_price),
    city: placeName(row.district, ctx.locale),
    state: placeName(row.state_name, ctx.locale),
    kilometres: near && row.location ? kilometresBetween(near, readStoredPoint(row.location)) : null,
    photo: row.photo_key ? { key: row.photo_key, color: row.photo_color!, hash: row.photo_hash!, count: row.photo_count } : null,
    sellerVerified: row.seller_verified,
    vetPassed: row.vet_passed,
    vaccinated: row.vaccinated,
    isSample: row.is_sample,
    listedAt: new Date(Number(row.listed_ms)),
  }
}

interface Order {
  /** The sort key as the cursor holds it. */
  value: SQL
  by: SQL
  after(cursor: Cursor): SQL
  /** The rank, where the few matches are sorted in another order than the index walk of the many. */
  rank?: SQL
}

const createdMs = sql`floor(extract(epoch from l.created_at) * 1000)::bigint::text`
const createdBefore = (ms: string, id: number) =>
  sql`(l.created_at, l.id) < (to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3), ${id}::bigint)`

function orderFor(choices: BrowseChoices, near: Point | null): Order {
  const { sort } = choices
  if (sort === 'nearest' && near) {
    const [x, y] = toStoredPoint(near)
    const distance = sql`(l.location <-> point(${x}::float8, ${y}::float8))`
    // By distance alone: a second column would keep the nearness index from being walked, and no two are equally far.
    return { value: sql`${distance}::text`, by: distance, after: (c) => sql`${distance} > ${c.value}::float8` }
  }
  if (sort === 'price-low') {
    return { value: sql`l.price::text`, by: sql`l.price, l.id`, after: (c) => sql`(l.price, l.id) > (${c.value}::bigint, ${c.id}::bigint)` }
  }
  if (sort === 'price-high') {
    return {
      value: sql`l.price::text`,
      by: sql`l.price desc, l.id desc`,
      after: (c) => sql`(l.price, l.id) < (${c.value}::bigint, ${c.id}::bigint)`,
    }
  }
  const newest: Order = { value: createdMs, by: sql`l.created_at desc, l.id desc`, after: (c) => createdBefore(c.value, c.id) }
  if (sort !== 'best') return newest
  const query = toRankQuery(readSearch(choices.text))
  return {
    ...newest,
    after: (c) => createdBefore(c.value.split(':')[1]!, c.id),
    // Weights of place, description, facts, and breed or title; whole numbers, so that a cursor compares exactly.
    rank: sql`round(ts_rank('{0.05,0.15,0.5,1}', l.search_keys, ${query}::tsquery) * 1000000)::int`,
  }
}

/** The rows of the first branch after the cursor, where rank is the first sort key. */
function fewAfter(order: Order, cursor: Cursor | null): SQL {
  if (!cursor) return sql`true`
  if (!order.rank) return order.after(cursor)
  const rank = sql`${cursor.value.split(':')[0]!}::int`
  return sql`(l.rank < ${rank} or (l.rank = ${rank} and ${order.after(cursor)}))`
}

/**
 * One statement for a page of cards and the capped count, quick at any size. First it collects at most 1,001 matches in
 * no order: that is the count, and when there are no more, sorting those few is the whole work. Only when there are more
 * does the second branch run, walking the sort order's own index, which then meets a match soon because they are common.
 * By best match, those few are ranked; of the many all rank alike and the newest come first.
 */
export async function browseListings(
  ctx: Ctx,
  choices: BrowseChoices,
  options: { near: Town | null; pageSize: number; hasCounts?: boolean },
): Promise<ListingPage> {
  const { near, pageSize } = options
  const matches = conditionsFor(ctx, choices, near)
  const order = orderFor(choices, near)
  const rest = choices.after ? order.after(choices.after) : sql`true`
  const facets = options.hasCounts ? traitOptions(isVetPassed(ctx.now)) : []
  // The traits as yes or no: a thousand narrow rows are written and read several times as quickly as whole ones.
  const fields = sql`l.id, l.created_at, l.price, l.location${order.rank ? sql`, l.search_keys` : sql``}${
    facets.length > 0 ? sql`, l.category_id, l.breed_id, ${traitColumns(facets)}` : sql``
  }`
  const rank = order.rank ?? sql`0`
  const matching = (other: BrowseChoices) =>
    sql`select ${fields} from listings l where ${conditionsFor(ctx, other, near)} limit ${COUNT_UP_TO + 1}`
  const isWithin = near && ((km: number) => isInside(near, km))
  const rows = await rowsOf(
    ctx,
    sql`
    with few as materialized (${matching(choices)}),
    total as materialized (select count(*)::int as found from few),
    facets as materialized (${countTraits(facets, choices, matching({ ...choices, traits: {} }))}),
    others as materialized (${options.hasCounts ? countFacets({ choices, matching, isWithin }) : sql`select null::json as facets`}),
    page as (
      (select l.id, l.rank from (select l.*, ${rank} as rank from few l) l
        where (select found from total) <= ${COUNT_UP_TO} and ${fewAfter(order, choices.after)}
        order by ${order.rank ? sql`l.rank desc, ` : sql``}${order.by} limit ${pageSize + 1})
      union all
      (select l.id, 0 as rank from listings l where (select found from total) > ${COUNT_UP_TO} and ${matches} and ${rest}
        order by ${order.by} limit ${pageSize + 1})
    )
    select total.found, facets.looked, facets.counts, others.facets, page_cards.* from total cross join facets cross join others left join (
      select ${cardColumns(ctx)}, ${order.rank ? sql`page.rank || ':' || ` : sql``}${order.value} as sort_value
      from page join listings l on l.id = page.id ${cardPhoto} order by ${order.rank ? sql`page.rank desc, ` : sql``}${order.by}
    ) page_cards on true`,
    pageRow,
  )
  const found = rows[0]!.found
  const cards = rows.filter((row) => row.id !== null)
  const shown = cards.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    cards: shown.map((row) => toCard(ctx, row, near)),
    found: Math.min(found, COUNT_UP_TO),
    foundMore: found > COUNT_UP_TO,
    traitCounts: facets.map(({ name, value }, at) => ({ name, value, count: rows[0]!.counts[at]!, isMore: rows[0]!.looked > COUNT_UP_TO })),
    facets: rows[0]!.facets,
    next: cards.length > pageSize && last ? encodeCursor(cursorList(choices), { value: last.sort_value, id: Number(last.id) }) : null,
  }
}

/** At most this many of each are counted where only "some" matters. */
const COUNT_SOME_UP_TO = 100

/** How many each of these searches finds, in one statement. */
export async function countListings(
  ctx: Ctx,
  searches: { choices: BrowseChoices; near: Point | null }[],
): Promise<{ count: number; isMore: boolean }[]> {
  const counts = searches.map(
    ({ choices, near }) =>
      sql`(select count(*)::int from (select 1 from listings l where ${conditionsFor(ctx, choices, near)} limit ${COUNT_SOME_UP_TO + 1}) few)`,
  )
  const [row] = await rowsOf(ctx, sql`select array[${sql.join(counts, sql`, `)}] as counts`, z.object({ counts: z.array(z.number()) }))
  return row!.counts.map((count) => ({ count: Math.min(count, COUNT_SOME_UP_TO), isMore: count > COUNT_SOME_UP_TO }))
}

/**
 * One row: how many each value would leave beside what is chosen of the other traits, counted among those found without any trait. Those are
 * at most 1,001; where there are more, a count is a lower limit and is shown as one.
 */
function countTraits(facets: TraitOption[], choices: BrowseChoices, all: SQL): SQL {
  if (facets.length === 0) return sql`select 0 as looked, array[]::int[] as counts`
  const chosen = facets.filter(({ name, value }) => choices.traits[name] === value)
  const column = (option: TraitOption) => sql.raw(`t${facets.indexOf(option)}`)
  const counts = facets.map((option) => {
    const others = chosen.filter(({ name }) => name !== option.name)
    return sql`count(*) filter (where ${sql.join([option, ...others].map(column), sql` and `)})::int`
  })
  return sql`select count(*)::int as looked, array[${sql.join(counts, sql`, `)}] as counts from ${chosen.length > 0 ? sql`(${all})` : sql`few`} t`
}

/** Of a listing `l`, whether each value of each trait holds: t0, t1 … */
const traitColumns = (facets: TraitOption[]): SQL =>
  sql.join(
    facets.map(({ where }, n) => sql`${where} as ${sql.raw(`t${n}`)}`),
    sql`, `,
  )

export function conditionsFor(ctx: Ctx, choices: BrowseChoices, near: Point | null): SQL {
  const parts = [isLive(ctx.now)]
  if (choices.categoryIds.length > 0) parts.push(oneOf(sql`l.category_id`, choices.categoryIds))
  if (choices.breedIds.length > 0) parts.push(oneOf(sql`l.breed_id`, choices.breedIds))
  if (choices.minPrice !== null) parts.push(sql`l.price >= ${choices.minPrice}::bigint`)
  if (choices.maxPrice !== null) parts.push(sql`l.price <= ${choices.maxPrice}::bigint`)
  const number = readProductNumber(choices.text)
  const words = number ? [] : readSearch(choices.text)
  if (number) parts.push(sql`l.id = ${number.id}::bigint and ${oneOf(sql`l.category_id`, number.categoryIds)}`)
  if (words.length > 0) parts.push(sql`l.search_keys @@ ${toTsQuery(words)}::tsquery`)
  if (near && choices.withinKm) {
    parts.push(isInside(near, choices.withinKm))
  }
  const isWanted = ({ name, value }: TraitOption) => choices.traits[name] === value
  if (traitNames.some((name) => choices.traits[name])) {
    for (const option of traitOptions(isVetPassed(ctx.now)).filter(isWanted)) parts.push(option.where)
  }
  if (near && choices.sort === 'nearest') parts.push(sql`l.location is not null`)
  return sql.join(parts, sql` and `)
}

function isInside(near: Point, km: number): SQL {
  const [x, y] = toStoredPoint(near)
  return sql`l.location <@ circle(point(${x}::float8, ${y}::float8), ${km / KM_PER_DEGREE}::float8)`
}

/** A single value lets the planner walk an index in sort order, which a list of values does not. */
const oneOf = (column: SQL, ids: number[]) =>
  ids.length === 1
    ? sql`${column} = ${ids[0]!}::smallint`
    : sql`${column} in (${sql.join(
        ids.map((id) => sql`${id}::smallint`),
        sql`, `,
      )})`
