import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { KM_PER_DEGREE, kilometresBetween, readStoredPoint, toStoredPoint, type Point } from '#src/addresses/places.ts'
import { placeName, type Town } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { animalName } from '#src/kit/http/shown-names.ts'
import { COUNT_UP_TO, encodeCursor, type Cursor } from '#src/kit/http/pagination.ts'
import { epochMs, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { m } from '#src/paraglide/messages.js'
import { genderName, lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { cardProofText } from '#src/listings/proofs/milk-proof-text.ts'
import { milkingsShownCount } from '#src/listings/proofs/proof-select.server.ts'
import { CLOSED_AFTER_DAYS, VET_CHECK_VALID_DAYS } from '#src/listings/life/rules.ts'
import { cursorList, orderOf, type BrowseChoices } from './schemas.ts'
import { firstOf, isHit, someOf, type Wanted } from '#src/listings/traits/finding.server.ts'
import { hasKeyOf, hasKeys, keyOfBreed, keyOfCategory, keysAround } from '#src/listings/traits/listing-keys.server.ts'
import { countFacets, facetsShape } from './facets.server.ts'
import type { Facets } from './facets.ts'
import { traitOptions, type TraitOption } from '#src/listings/traits/trait-table.server.ts'
import { traitNames, type TraitName } from '#src/listings/traits/traits.ts'
import { readProductNumber, readSearch, toRankQuery, toTsQuery } from './search.server.ts'

export interface ListingCard extends Pick<
  CardRow,
  | 'id'
  | 'name'
  | 'weightKg'
  | 'stock'
  | 'originalPrice'
  | 'offerPrice'
  | 'sellerVerified'
  | 'vetPassed'
  | 'vaccinated'
  | 'isSample'
  | 'listedAt'
> {
  category: string
  breed: string | null
  age: string | null
  gender: string | null
  /** The milk per day and how it was proved (listings/proofs); null when there is none or it is unknown. */
  milk: { litres: string; proof: string } | null
  city: string
  state: string
  kilometres: number | null
  photo: { key: string; color: string; hash: string; count: number } | null
  /** How far a near miss is from what was asked. */
  reason?: string
}

interface ListingPage {
  cards: ListingCard[]
  found: number
  /** True when there are more than `COUNT_UP_TO`; `found` is then that number. */
  foundMore: boolean
  next: string | null
  /** How many animals each value of each trait would leave; empty unless requested. */
  traitCounts: TraitCount[]
  /** The counts of species, breeds and distances, and the usual price; null unless requested. */
  facets: Facets | null
}

export interface TraitCount {
  name: TraitName
  value: string
  count: number
  /** More were found than are counted. */
  isMore: boolean
}

/** False for animals of a deactivated seller, and of a person whose user type may no longer sell. */
export const isSellerActive = sql`l.seller_active`

/** Whether the public may see listing `l`, sold or closed included. */
export const isPublic = sql`(l.state = 'passed' and ${isSellerActive})`

/** Passed, not sold, in stock, touched within 100 days, active seller: what lists, searches and related animals show. */
export const isLive = (now: Date) =>
  sql`l.state = 'passed' and not l.is_sold and l.stock > 0 and l.touched_at >= ${daysBefore(now, CLOSED_AFTER_DAYS).toISOString()}::timestamptz and ${isSellerActive}`

export const cardRow = z.object({
  id: z.number(),
  name: z.string(),
  categoryId: z.number(),
  breedId: z.number().nullable(),
  ageId: z.number().nullable(),
  genderId: z.number().nullable(),
  weightKg: z.number(),
  milkLitres: z.number().nullable(),
  milkingsShown: z.number(),
  stock: z.number(),
  originalPrice: moneyShape,
  offerPrice: moneyShape.nullable(),
  district: z.string(),
  stateName: z.string(),
  location: z.string().nullable(),
  sellerVerified: z.boolean(),
  vetPassed: z.boolean(),
  vaccinated: z.boolean(),
  photoKey: z.string().nullable(),
  photoColor: z.string().nullable(),
  photoHash: z.string().nullable(),
  photoCount: z.number(),
  isSample: z.boolean(),
  listedAt: momentShape,
})
export type CardRow = z.output<typeof cardRow>
/** A page row. An empty result is a single row with the count. */
const counted = { found: z.number(), looked: z.number(), counts: z.array(z.number()), facets: facetsShape.nullable() }
const pageRow = z.union([cardRow.extend({ ...counted, sortValue: z.string() }), z.object({ id: z.null(), ...counted })])

/** Whether the last vet finding of listing `l` is good and still valid (isCheckValid). */
export const isVetPassed = (now: Date) => sql`coalesce(l.vet_passed_on >= ${indianDay(daysBefore(now, VET_CHECK_VALID_DAYS))}::date, false)`

/** The columns of `CardRow` for a listing `l`. For 24 rows, small index look-ups per row are fast. */
export const cardColumns = (ctx: Ctx) => sql`
  l.id::float8 as id, ${ctx.locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name,
  l.category_id as "categoryId", l.breed_id as "breedId", l.age_id as "ageId", l.gender_id as "genderId",
  l.weight_kg::float8 as "weightKg", l.milk_litres_per_day::float8 as "milkLitres",
  ${milkingsShownCount(ctx.now)} as "milkingsShown", l.stock, l.original_price::text as "originalPrice",
  l.offer_price::text as "offerPrice", l.district, l.state_name as "stateName", l.location::text as location,
  l.is_sample as "isSample", ${epochMs(sql`l.created_at`)} as "listedAt", l.seller_verified as "sellerVerified",
  ${isVetPassed(ctx.now)} as "vetPassed", l.is_vaccinated as vaccinated,
  p.media_key as "photoKey", p.average_color as "photoColor", p.thumbhash as "photoHash",
  (select count(*)::int from listing_photos n where n.listing_id = l.id) as "photoCount"`
export const cardPhoto = sql`left join listing_photos p on p.listing_id = l.id and p.position = 0`

export function toCard(ctx: Ctx, row: CardRow, near: Point | null): ListingCard {
  const { id, categoryId, breedId, ageId, genderId, milkLitres, location, photoKey } = row
  ctx.shows?.add(animalName(id))
  return {
    id,
    name: hidePhones(row.name),
    category: nameOf(lookups.category(categoryId), ctx.locale),
    breed: nameOrNull(lookups.breed, breedId, ctx.locale),
    age: nameOrNull(lookups.age, ageId, ctx.locale),
    gender: genderName({ categoryId, breedId, genderId }, ctx.locale),
    weightKg: row.weightKg,
    milk: milkLitres ? { litres: m.card_milk({ litres: milkLitres }, ctx), proof: cardProofText(row.milkingsShown, ctx.locale) } : null,
    stock: row.stock,
    originalPrice: row.originalPrice,
    offerPrice: row.offerPrice,
    city: placeName(row.district, ctx.locale),
    state: placeName(row.stateName, ctx.locale),
    kilometres: near && location ? kilometresBetween(near, readStoredPoint(location)) : null,
    photo: photoKey ? { key: photoKey, color: row.photoColor!, hash: row.photoHash!, count: row.photoCount } : null,
    sellerVerified: row.sellerVerified,
    vetPassed: row.vetPassed,
    vaccinated: row.vaccinated,
    isSample: row.isSample,
    listedAt: row.listedAt,
  }
}

interface Order {
  /** The sort key as text, for the cursor. */
  value: SQL
  by: SQL
  after(cursor: Cursor): SQL
  /** The rank. Only the first branch (few matches) sorts by it; the index walk of many matches cannot. */
  rank?: SQL
}

const createdMs = sql`floor(extract(epoch from l.created_at) * 1000)::bigint::text`
const createdBefore = (ms: string, id: number) =>
  sql`(l.created_at, l.id) < (to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3), ${id}::bigint)`

function orderFor(choices: BrowseChoices, near: Point | null): Order {
  const sort = orderOf(choices)
  if (sort === 'nearest' && near) {
    const [x, y] = toStoredPoint(near)
    const distance = sql`(l.location <-> point(${x}::float8, ${y}::float8))`
    // Sort by distance alone: a second column would prevent the walk of the nearness index, and two distances are never equal.
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
    // Weights for place, description, facts, and breed or title. Integers, so that a cursor compares exactly.
    rank: sql`round(ts_rank('{0.05,0.15,0.5,1}', l.search_keys, ${query}::tsquery) * 1000000)::int`,
  }
}

/** The rows of the few-matches branch after the cursor, where the rank is the first sort key. */
function fewAfter(order: Order, cursor: Cursor | null): SQL {
  if (!cursor) return sql`true`
  if (!order.rank) return order.after(cursor)
  const rank = sql`${cursor.value.split(':')[0]!}::int`
  return sql`(l.rank < ${rank} or (l.rank = ${rank} and ${order.after(cursor)}))`
}

/**
 * One statement for a page of cards and the capped count, fast at any size. It first collects at most 1,001 matches in no order, for the count. If
 * there are no more, it only sorts those. Otherwise it walks an index in sort order for the first ones. By best match, it ranks few matches; many
 * matches count as equal, newest first.
 */
export async function browseListings(
  ctx: Ctx,
  choices: BrowseChoices,
  options: { near: Town | null; pageSize: number; hasCounts?: boolean },
): Promise<ListingPage> {
  const { near, pageSize } = options
  const order = orderFor(choices, near)
  const facets = options.hasCounts ? traitOptions(isVetPassed(ctx.now)) : []
  // Select the traits as booleans: PostgreSQL writes and reads a thousand narrow rows several times faster than whole ones.
  const fields = sql`l.id, l.created_at, l.price, l.location${order.rank ? sql`, l.search_keys` : sql``}${
    facets.length > 0 ? sql`, l.category_id, l.breed_id, ${traitColumns(facets)}` : sql``
  }`
  const rank = order.rank ?? sql`0`
  const matching = (other: BrowseChoices) => someOf(fields, wantedBy(ctx, other, near), COUNT_UP_TO + 1)
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
      (${firstOf(wantedBy(ctx, choices, near), {
        isAsked: sql`(select found from total) > ${COUNT_UP_TO}`,
        rest: choices.after ? order.after(choices.after) : sql`true`,
        by: order.by,
        count: pageSize + 1,
      })})
    )
    select total.found, facets.looked, facets.counts, others.facets, page_cards.* from total cross join facets cross join others left join (
      select ${cardColumns(ctx)}, ${order.rank ? sql`page.rank || ':' || ` : sql``}${order.value} as "sortValue"
      from page join listings l on l.id = page.id ${cardPhoto} order by ${order.rank ? sql`page.rank desc, ` : sql``}${order.by}
    ) page_cards on true`,
    pageRow,
  )
  const found = rows[0]!.found
  const cards = rows.filter((row) => row.id !== null)
  const pageRows = cards.slice(0, pageSize)
  const last = pageRows.at(-1)
  return {
    cards: pageRows.map((row) => toCard(ctx, row, near)),
    found: Math.min(found, COUNT_UP_TO),
    foundMore: found > COUNT_UP_TO,
    traitCounts: facets.map(({ name, value }, at) => ({ name, value, count: rows[0]!.counts[at]!, isMore: rows[0]!.looked > COUNT_UP_TO })),
    facets: rows[0]!.facets,
    next: cards.length > pageSize && last ? encodeCursor(cursorList(choices), { value: last.sortValue, id: last.id }) : null,
  }
}

/**
 * One row: how many animals each value would leave, given the chosen values of the other traits. Counts the matches without trait filters, at most
 * 1,001; with more matches, each count is a lower bound and is shown as one.
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

/** Whether listing `l` has each value of each trait: t0, t1 … */
const traitColumns = (facets: TraitOption[]): SQL =>
  sql.join(
    facets.map(({ where }, n) => sql`${where} as ${sql.raw(`t${n}`)}`),
    sql`, `,
  )

export const conditionsFor = (ctx: Ctx, choices: BrowseChoices, near: Point | null): SQL => isHit(wantedBy(ctx, choices, near))

/** The query in the form that finding.server.ts expects. */
export function wantedBy(ctx: Ctx, choices: BrowseChoices, near: Point | null): Wanted {
  const { categoryIds, breedIds, minPrice, maxPrice, sort } = choices
  const number = readProductNumber(choices.text)
  const words = number ? [] : readSearch(choices.text)
  const base = [isLive(ctx.now)]
  if (categoryIds.length > 0) base.push(oneOf(sql`l.category_id`, categoryIds))
  if (breedIds.length > 0) base.push(oneOf(sql`l.breed_id`, breedIds))
  if (number) base.push(sql`l.id = ${number.id}::bigint and ${oneOf(sql`l.category_id`, number.categoryIds)}`)
  if (near && sort === 'nearest') base.push(sql`l.location is not null`)
  const prices = [
    ...(minPrice === null ? [] : [sql`l.price >= ${minPrice}::bigint`]),
    ...(maxPrice === null ? [] : [sql`l.price <= ${maxPrice}::bigint`]),
  ]
  const text = words.length > 0 ? [sql`l.search_keys @@ ${toTsQuery(words)}::tsquery`] : []
  const circle = near && choices.withinKm ? isInside(near, choices.withinKm) : null
  const isWanted = ({ name, value }: TraitOption) => choices.traits[name] === value
  const traits = traitNames.some((name) => choices.traits[name]) ? traitOptions(isVetPassed(ctx.now)).filter(isWanted) : []
  const isByPrice = sort === 'price-low' || sort === 'price-high'
  const all = [...base, ...prices, ...text, ...traits.map(({ where }) => where)]
  const keys = [...traits.flatMap(({ key }) => key ?? []), ...onlyOne(categoryIds).map(keyOfCategory), ...onlyOne(breedIds).map(keyOfBreed)]
  const kinds = categoryIds.length + breedIds.length
  return {
    base: sql.join([...base, ...(isByPrice ? prices : [])], sql` and `),
    others: [...(isByPrice ? [] : prices), ...text, ...(circle ? [circle] : []), ...traits.map(({ where }) => where)],
    indexed: sql.join(
      [
        ...all,
        ...(keys.length > 0 ? [hasKeys(keys)] : []),
        // "is true" hides the circle from the location index, so the planner uses the key index, which covers the other conditions too.
        ...(circle ? [hasKeyOf(keysAround(near!, choices.withinKm!)), sql`(${circle}) is true`] : []),
      ],
      sql` and `,
    ),
    // PostgreSQL estimates well a single condition, and species, breed and price together, but no other combination.
    isEstimable:
      number !== null ||
      (traits.length === 0 && (text.length > 0 ? !circle && prices.length + kinds === 0 : !circle || prices.length === 0)),
  }
}

const onlyOne = (ids: number[]): number[] => (ids.length === 1 ? ids : [])

function isInside(near: Point, km: number): SQL {
  const [x, y] = toStoredPoint(near)
  return sql`l.location <@ circle(point(${x}::float8, ${y}::float8), ${km / KM_PER_DEGREE}::float8)`
}

/** With a single value, the planner can walk an index in sort order; with a list it cannot. */
const oneOf = (column: SQL, ids: number[]) =>
  ids.length === 1
    ? sql`${column} = ${ids[0]!}::smallint`
    : sql`${column} in (${sql.join(
        ids.map((id) => sql`${id}::smallint`),
        sql`, `,
      )})`
