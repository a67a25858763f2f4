import { sql } from 'drizzle-orm'
import { findPlace } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { startPostgres } from '#tools/test-kit/postgres-server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { PAGE_SIZE, readBrowse } from '#src/listings/browse/schemas.ts'
import { loadReferenceData } from '#src/market/load-reference.server.ts'
import { fillMarket } from './crowd.ts'
import { median, type Figure, type Section } from './result.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60)
/** The list's promise: a market a thousand times as large answers within twice the time. */
const PROMISED_RATIO = 2

const lists: [string, string][] = [
  ['all, newest', ''],
  ['one category', 'category=1'],
  ['one breed', 'breed=101'],
  ['two categories', 'category=2&category=4'],
  ['by price', 'sort=price-low'],
  ['category by price', 'category=2&sort=price-high'],
  ['price range', 'min=20000&max=25000'],
  ['nearest', 'near=642001&sort=nearest'],
  ['category, nearest', 'category=1&near=642001&sort=nearest'],
  ['female', 'sex=female'],
  ['10 litres of milk', 'milk=10'],
  ['verified seller', 'verified=1'],
  ['checked by a vet', 'vet=1'],
  ['female of a category near, by price', 'category=1&sex=female&near=642001&within=50&sort=price-low'],
  ['breed within 50 km', 'breed=101&near=638701&within=50'],
  ['with a video', 'video=1'],
  ['bulls that give milk: none', 'sex=male&milk=5'],
  ['goats with a video and a check, by price', 'category=2&video=1&vet=1&sort=price-low'],
  ['heavy chickens: none', 'category=4&weight=300-'],
]
const searches: [string, string][] = [
  ['search: a common word', 'q=maadu'],
  ['search: a breed', 'q=kangeyam'],
  ['search: with a slip', 'q=kangyam'],
  ['search: two words', 'q=naattu kozhi'],
  ['search: nothing found', 'q=zebra'],
  ['search: word begun', 'q=kang'],
]

/** Measures the list page's data at two sizes, alternating. Returns the ratio of the medians. */
export async function listAtScale(small: number, large: number): Promise<Section[]> {
  const server = await startPostgres({
    settings: { shared_buffers: '2GB', random_page_cost: '1.1', effective_cache_size: '6GB', max_wal_size: '8GB' },
  })
  try {
    const markets = [await openFilled(server.url, 'small', small), await openFilled(server.url, 'large', large)]
    const figures: Figure[] = []
    for (const [kind, queries] of [
      ['list', lists],
      ['search', searches],
    ] as const) {
      for (const [name, query] of queries) {
        const times = await timeBoth(markets.map(({ ctx }) => ctx) as [Ctx, Ctx], query)
        figures.push({
          name,
          value: times.large / times.small,
          unit: '×',
          ...(kind === 'list' && { atMost: PROMISED_RATIO }),
          note: `${times.large.toFixed(2)} against ${times.small.toFixed(2)} ms`,
        })
      }
    }
    for (const { database } of markets) await database.close()
    return [
      {
        title: 'Size of the market',
        explains: `A list page's data with ${large.toLocaleString('en-IN')} listings, as a multiple of the time with ${small.toLocaleString('en-IN')}. Median of ${ROUNDS} alternating rounds.`,
        figures,
      },
    ]
  } finally {
    await server.stop()
  }
}

async function openFilled(serverUrl: string, name: string, count: number): Promise<{ ctx: Ctx; database: Database }> {
  const admin = await openDatabase({ databaseUrl: serverUrl, dataDir: '' })
  await admin.db.execute(sql.raw(`create database ${name}`))
  await admin.close()
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '' })
  await database.migrate()
  await loadReferenceData(database.db)
  const ctx = testCtx(database.db, { locale: 'ta', publicOrigin: 'http://localhost' })
  const started = performance.now()
  await fillMarket(ctx, count)
  console.log(`${count.toLocaleString('en-IN')} listings ready in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  return { ctx, database }
}

async function timeBoth(ctxs: [Ctx, Ctx], query: string): Promise<{ small: number; large: number }> {
  const { choices } = readBrowse(0, new URLSearchParams(query), knownIds)
  const near = choices.near ? findPlace(choices.near) : null
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS + 10; round++) {
    for (const [index, ctx] of ctxs.entries()) {
      const started = performance.now()
      // Like the page: with the counts of each filter.
      await browseListings(ctx, choices, { near, pageSize: PAGE_SIZE, hasCounts: true })
      if (round >= 10) times[index as 0 | 1].push(performance.now() - started)
    }
  }
  return { small: median(times[0]), large: median(times[1]) }
}
