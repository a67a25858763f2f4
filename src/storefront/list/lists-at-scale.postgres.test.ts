import { sql, type SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { findPlace } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { PAGE_SIZE, readBrowse } from '#src/listings/browse/schemas.ts'
import { readSearch } from '#src/listings/browse/search.server.ts'
import { traitNames, traits } from '#src/listings/traits/traits.ts'
import { readOf, statementOf } from '#tools/test-kit/rows-read.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { fillMarket } from '../../../tools/bench/crowd.ts'
import { filterGroups } from './filter-groups.server.ts'
import { listNearMisses } from './near-misses.server.ts'
import { traitGroups } from './trait-groups.server.ts'

/** So many that reading all of them exceeds every limit below several times, and PostgreSQL plans as for a million. */
const CROWD = 100_000
/** Finding a thousand matches, by a walk or by an index, reads at most this many rows. */
const MOST_ROWS = 18_000
/** A list may search up to four times for a thousand matches: also for the counts of species, breeds and distances. */
const MOST_ROWS_TOGETHER = 45_000
/** All near-miss attempts share one walk. */
const MOST_ROWS_MISSED = 8000

let market: TestMarket
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  await fillMarket({ ...market.ctx, db: market.owner }, CROWD)
  // PostgreSQL estimates from a random sample, which would make plans a matter of luck. Here the sample is the whole market (300 rows per unit of the
  // target).
  await market.owner.transaction(async (tx) => {
    await tx.execute(sql`set local default_statistics_target = ${sql.raw(String(CROWD / 250))}`)
    await tx.execute(sql`analyze listings`)
  })
})

const rowsRead = async (statement: SQL) => (await readOf(market.ctx, 'listings', statement)).rows

const listOf = (query: string) => (ctx: Ctx) => {
  const { choices } = readBrowse(0, new URLSearchParams(query), knownIds)
  return browseListings(ctx, choices, { near: choices.near ? findPlace(choices.near) : null, pageSize: PAGE_SIZE, hasCounts: true })
}

const eachValue = traitNames.flatMap((name) => traits[name].values.map((value) => `${name}=${value}`))

describe('a list reads a small part of a large market', () => {
  test.each([
    '',
    'category=1',
    'breed=101',
    'category=2&category=4',
    'category=2&sort=price-high',
    'min=20000&max=25000',
    'min=1&max=400',
    'near=642001&sort=nearest',
    'near=638701&within=25',
    'q=maadu',
    'q=kangeyam',
    'q=kangyam',
    'q=zebra',
    'q=murugan',
    'q=kathiresan',
    ...eachValue,
  ])('%s', async (query) => {
    expect(await rowsRead(await statementOf(market.ctx, listOf(query)))).toBeLessThan(MOST_ROWS)
  })
})

describe('a list of a rare combination reads a small part of a large market', () => {
  test.each([
    'sex=male&milk=5',
    'category=4&weight=300-',
    'category=6&video=1',
    'category=2&video=1&vet=1&sort=price-low',
    'category=1&sex=female&near=642001&within=50&sort=price-low',
    'category=1&vet=1&video=1&pregnant=1',
    'category=3&pregnant=1&near=638701&within=25',
    'breed=101&sex=female&milk=15&vet=1',
    'breed=101&near=638701&within=50',
    'sex=female&age=3-5&milk=10&vaccinated=1',
    'weight=0-10&vet=1&sort=nearest&near=642001',
    'q=kangeyam&milk=10',
    'q=maadu&category=4',
    'q=naattu kozhi',
    'q=murugan&category=1',
    'q=murugan cow&sort=price-low',
    'q=murugan&near=642001&within=50',
    'q=kathiresan&category=2',
  ])('%s', async (query) => {
    expect(await rowsRead(await statementOf(market.ctx, listOf(query)))).toBeLessThan(MOST_ROWS_TOGETHER)
  })
})

describe('the near misses of an empty list read a small part of a large market', () => {
  test.each([
    'category=1&q=zebra&near=641001&within=25&milk=15',
    'category=4&q=zebra&milk=15&pregnant=1',
    'category=6&q=zebra&milk=15&pregnant=1&sex=male&vet=1&video=1&near=638001&within=25&min=100&max=200',
    'q=kangayam+zebra+nattu&sex=male&milk=5&verified=1&vaccinated=1',
    'category=1&min=1&max=2&sex=female&age=3-5&weight=300-',
    'category=4&milk=15&weight=300-',
  ])('%s', async (query) => {
    const { choices } = readBrowse(0, new URLSearchParams(query), knownIds)
    const words = readSearch(choices.text).map(({ typed }) => typed)
    const asked = { choices, words, groups: filterGroups('en', choices, null), traits: traitGroups('en', choices, []) }
    expect(await rowsRead(await statementOf(market.ctx, (ctx) => listNearMisses(ctx, asked)))).toBeLessThan(MOST_ROWS_MISSED)
  })
})
