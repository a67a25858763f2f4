import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { toStoredPoint } from '#src/addresses/places.ts'
import { findPlace, type Town } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { tokensOf } from '#src/kit/text/tokens.ts'
import { cardColumns, cardPhoto, cardRow, isLive, toCard, wantedBy, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { isHit, unknown, type Wanted } from '#src/listings/traits/finding.server.ts'
import { tradeIdsOf } from '#src/listings/paste/lexicon.server.ts'
import { categoryOf } from '#src/listings/paste/reading.server.ts'
import { browsePath, defaultSort, radii, type BrowseChoices } from '#src/listings/browse/schemas.ts'
import { chosenOf, type Chosen } from './chosen-filters.tsx'

type Choices = Omit<BrowseChoices, 'after'>
type Kind = 'wider' | 'farther' | 'without' | 'without-two' | 'species' | 'market'

/** The list without some conditions, and its number of matches. */
export interface NearMiss {
  kind: Kind
  /** The dropped conditions. */
  labels: string[]
  path: string
  count: number
  isMore: boolean
  /** The widened radius. */
  km: number | null
}
export interface NearMisses {
  /** Drops of one condition that find matches. */
  ways: NearMiss[]
  /** The nearest match with its first animals; null in an empty market. */
  nearest: (NearMiss & { cards: ListingCard[] }) | null
}

interface Try {
  kind: Kind
  labels: string[]
  choices: Choices
  /** The lowest level with matches is shown; within a level the one with the fewest, because it is closest to the query. */
  level: number
}

/** People read no longer list. */
const MAX_WAYS = 10
const MAX_PAIRS = 10
const MAX_SHOWN = 5
const CARDS = 6
/** Counts stop here. */
const COUNTED = 100

/**
 * For a search without matches: searches farther away, without one word or filter, or without two; if all that fails, the newest of the species or of
 * the market. One statement.
 */
export async function listNearMisses(ctx: Ctx, asked: Chosen): Promise<NearMisses> {
  const tries = triesOf(asked)
  const { counts, best, cards } = await readTries(ctx, tries)
  const found = tries.map(({ kind, labels, choices }, at) => ({
    kind,
    labels,
    path: browsePath(choices),
    count: Math.min(counts[at]!, COUNTED),
    isMore: counts[at]! > COUNTED,
    km: choices.withinKm,
  }))
  for (const card of cards) card.reason = reasonOf(ctx, asked, best === null ? [] : found[best]!.labels, card)
  return {
    ways: found.filter(({ kind, count }) => kind === 'without' && count > 0).slice(0, MAX_SHOWN),
    nearest: best === null ? null : { ...found[best]!, cards },
  }
}

/** How far this animal is from what was asked, in its own figures; '' when they do not tell. */
function reasonOf(ctx: Ctx, { choices, traits }: Chosen, labels: string[], card: ListingCard): string {
  const { minPrice, maxPrice, withinKm } = choices
  const [price, km] = [card.offerPrice ?? card.originalPrice, card.kilometres ?? 0]
  const litres = traits.find(({ name }) => name === 'milk')?.options.find(({ isChosen }) => isChosen)?.label
  const reasons = [
    litres !== undefined && labels.includes(litres) && card.milk?.litres,
    maxPrice !== null && price > maxPrice && m.list_miss_dearer({ price: formatRupees(price - maxPrice) }, ctx),
    minPrice !== null && price < minPrice && m.list_miss_cheaper({ price: formatRupees(minPrice - price) }, ctx),
    withinKm !== null && km > withinKm && m.list_miss_farther({ km: km - withinKm }, ctx),
  ]
  return reasons.filter(Boolean).join(' · ')
}

function triesOf(asked: Chosen): Try[] {
  const { choices } = asked
  const one = wordsFirst(asked).slice(0, MAX_WAYS)
  const singles = one.map(({ label, rest }): Try => ({ kind: 'without', labels: [label], choices: rest, level: 2 + lost(asked, rest) }))
  const nothing = { ...choices, breedIds: [], text: '', minPrice: null, maxPrice: null, near: '', withinKm: null, traits: {} }
  const newest = { ...nothing, sort: defaultSort('') }
  return [
    ...widerOf(choices),
    ...singles,
    ...pairsOf(asked, one),
    ...(choices.categoryIds.length > 0 ? [{ kind: 'species' as const, labels: [], choices: newest, level: 6 }] : []),
    { kind: 'market', labels: [], choices: { ...newest, categoryIds: [] }, level: 7 },
  ]
}

const isAnimal = (id: string) => id === 'aadu' || id in categoryOf

/** 1 when the animal is dropped: somebody who asks for a big goat wants no big dog. */
function lost(asked: Chosen, { categoryIds, text }: Choices): 0 | 1 {
  const left = text.split(' ')
  const namesAnimal = (word: string) => tokensOf(word).flatMap(tradeIdsOf).some(isAnimal)
  const isLost = asked.words.some((word) => namesAnimal(word) && !left.includes(word))
  return isLost || categoryIds.length < asked.choices.categoryIds.length ? 1 : 0
}

/** Each condition. A single failing word tells more than all words together. */
function wordsFirst(asked: Chosen): ReturnType<typeof chosenOf> {
  const all = chosenOf(asked)
  const words = asked.words.length
  return words < 2 ? all : [...all.slice(1, words + 1), all[0]!, ...all.slice(words + 1)]
}

/** The same in a wider radius, then at any distance. */
function widerOf(choices: Choices): Try[] {
  const { withinKm } = choices
  if (withinKm === null || choices.near === '') return []
  const wider = radii.filter((km) => km > withinKm)
  return [
    ...wider.map((km): Try => ({ kind: 'wider', labels: [], choices: { ...choices, withinKm: km }, level: 0 })),
    { kind: 'farther', labels: [], choices: { ...choices, withinKm: null }, level: 1 },
  ]
}

/** Drops pairs of conditions that exclude each other; pairs that keep the animal come first. */
function pairsOf(asked: Chosen, one: ReturnType<typeof chosenOf>): Try[] {
  const seen = new Set(one.map(({ rest }) => browsePath(rest)))
  const pairs: Try[] = []
  for (const { label, rest } of one) {
    const words = asked.words.filter((word) => rest.text.split(' ').includes(word))
    for (const other of chosenOf({ ...asked, choices: rest, words })) {
      const path = browsePath(other.rest)
      if (seen.has(path)) continue
      seen.add(path)
      pairs.push({ kind: 'without-two', labels: [label, other.label], choices: other.rest, level: 4 + lost(asked, other.rest) })
    }
  }
  return pairs.toSorted((a, b) => a.level - b.level).slice(0, MAX_PAIRS)
}

const outcome = { counts: z.array(z.number()), best: z.number().nullable() }
const triedRow = z.union([cardRow.extend(outcome), z.object({ id: z.null(), ...outcome })])

/** Counts the matches of each attempt (drops of two only if nothing milder helps) and reads the first animals of the best attempt. */
async function readTries(ctx: Ctx, tries: Try[]): Promise<{ counts: number[]; best: number | null; cards: ListingCard[] }> {
  const looks = tries.map(({ level, choices }, at) => {
    const near = choices.near === '' ? null : findPlace(choices.near)
    return { at, level, near, wanted: wantedBy(ctx, { ...choices, after: null }, near) }
  })
  const near = looks.find((look) => look.near)?.near ?? null
  const isBestNear = sql`(select at from best) in (${sql.join(
    looks.map((look) => sql`${look.near ? look.at : -1}::int`),
    sql`, `,
  )})`
  const isFirst = ({ level }: Look) => level <= 3
  const rows = await rowsOf(
    ctx,
    sql`
    with newest as materialized (${walked(ctx, looks, null)}),
    nearest as materialized (${near ? walked(ctx, looks, near) : sql`select * from newest where false`}),
    met as materialized (select array[${sql.join(
      looks.map(({ at }) => sql`count(*) filter (where fits[${sql.raw(`${at + 1}`)}])`),
      sql`, `,
    )}]::int[] as c from newest),
    first as materialized (${found(looks.filter(isFirst), sql`false`)}),
    last as materialized (${found(
      looks.filter((look) => !isFirst(look)),
      sql`(select max(n) from first) > 0`,
    )}),
    tried as materialized (select * from first union all select * from last),
    best as materialized (select * from tried where n > 0 order by level, n, at limit 1),
    candidates as (select unnest(ids) as id from best union select w.id from newest w, best where w.fits[best.at + 1]
      union select w.id from nearest w, best where w.fits[best.at + 1]),
    page as (select l.id, row_number() over (order by case when ${isBestNear} then ${distanceTo(near)} end, l.created_at desc, l.id desc) as place
      from candidates join listings l on l.id = candidates.id order by place limit ${CARDS})
    select (select array_agg(n order by at) from tried) as counts, (select at from best) as best, page_cards.* from (select 1) one left join (
      select ${cardColumns(ctx)}, page.place from page join listings l on l.id = page.id ${cardPhoto}
    ) page_cards on true order by page_cards.place`,
    triedRow,
  )
  const { counts, best } = rows[0]!
  return { counts, best, cards: rows.flatMap((row) => (row.id === null ? [] : [toCard(ctx, row, near)])) }
}

interface Look {
  at: number
  level: number
  near: Town | null
  wanted: Wanted
}

/** The first walk tests each row for all attempts, up to this many rows. Beyond it, each attempt uses the indexes. */
const WALKED = 2000

/** The newest or the nearest animals, each with the attempts that it matches. */
function walked(ctx: Ctx, looks: Look[], near: Town | null): SQL {
  const matches = looks.map((look) => (near && !look.near ? sql`false` : isHit(look.wanted)))
  const [placed, by] = near ? [sql`and l.location is not null`, distanceTo(near)] : [sql``, sql`l.created_at desc, l.id desc`]
  return sql`select l.id, array[${sql.join(matches, sql`, `)}] as fits
    from (select l.* from listings l where ${isLive(ctx.now)} ${placed} order by ${by} limit ${WALKED}) l`
}

/** One row per attempt: its number, its level, the ids that the indexes found when the walk found few, and the count. */
function found(looks: Look[], isSpared: SQL): SQL {
  if (looks.length === 0) return sql`select 0::int as at, 0::int as level, '{}'::bigint[] as ids, 0::int as n where false`
  const isMet = (at: number) => sql`(select c[${sql.raw(`${at + 1}`)}] from met) > ${COUNTED}`
  const each = looks.map(
    ({ at, level, wanted }) => sql`(${at}::int, ${level}::int, case when ${isSpared} or ${isMet(at)} then '{}'::bigint[]
      else array(select l.id from listings l where ${wanted.indexed} limit ${unknown(COUNTED + 1)}) end)`,
  )
  return sql`select t.at, t.level, t.ids, case when ${isSpared} then 0
      else least(greatest(cardinality(t.ids), met.c[t.at + 1]), ${COUNTED + 1}) end as n
    from (values ${sql.join(each, sql`, `)}) t(at, level, ids), met`
}

function distanceTo(near: Town | null): SQL {
  if (!near) return sql`null::float8`
  const [x, y] = toStoredPoint(near)
  return sql`l.location <-> point(${x}::float8, ${y}::float8)`
}
