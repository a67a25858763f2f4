import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { makeListing } from './makers.server.ts'
import { browseListings } from './browse.server.ts'
import { knownIds } from './lookups.server.ts'
import { getProductWithRelated, relatedTo } from './queries.server.ts'
import { PAGE_SIZE, readBrowse } from './schemas.ts'

/** One species at every price: the worst market for an animal of another species. */
const CROWD = 20_000

let market: TestMarket
let cow: number
let goat: number
beforeAll(async () => {
  market = await openTestMarket()
  cow = await makeListing(market.ctx, { originalPrice: rupees(50_000) })
  goat = await makeListing(market.ctx, { categoryId: 3, breedId: 301, originalPrice: rupees(60_000) })
  const columns = sql.raw(
    'seller_id, created_by_id, pickup_address_id, category_id, breed_id, name, description, gender_id, weight_kg, described_weight_kg, stock, state, pincode, taluk, district, state_name, search_keys, seller_active',
  )
  await market.owner.execute(sql`alter table listings disable trigger all`)
  await market.owner.execute(sql`
    insert into listings (${columns}, original_price) select ${columns}, (1000 + n * 5)::bigint * 10000
    from listings, generate_series(1, ${CROWD}) n where id = ${cow}`)
  await market.owner.execute(sql`alter table listings enable trigger all`)
  await market.owner.execute(sql`analyze listings`)
})
afterAll(() => market?.close())

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** A walk, not a scan of the crowd. */
const MOST_ROWS = 200

/** How many rows of `table` a statement reads, and how often it looks there, as EXPLAIN counts them. */
async function readOf(table: string, statement: SQL): Promise<{ rows: number; looks: number }> {
  const { rows } = (await market.ctx.db.execute(sql`explain (analyze, format json) ${statement}`)) as unknown as {
    rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
  }
  const read = { rows: 0, looks: 0 }
  const walk = (node: PlanNode): void => {
    if (node['Relation Name'] === table) {
      read.rows += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      read.looks += node['Actual Loops']
    }
    node.Plans?.forEach(walk)
  }
  walk(rows[0]!['QUERY PLAN'][0].Plan)
  return read
}

const rowsReadFor = async (id: number) => (await readOf('listings', relatedTo(market.ctx, id))).rows

/** The one statement that `read` sends, which then answers as usual. */
async function statementOf(read: (ctx: Ctx) => Promise<unknown>): Promise<SQL> {
  const sent: SQL[] = []
  const db = new Proxy(market.ctx.db, {
    get(target, name) {
      if (name !== 'execute') return Reflect.get(target, name) as unknown
      return (statement: SQL) => {
        sent.push(statement)
        return target.execute(statement)
      }
    },
  })
  await read({ ...market.ctx, db })
  expect(sent).toHaveLength(1)
  return sent[0]!
}

describe('related animals are found by a walk of a few rows, however large the market', () => {
  test('among a crowd of the same breed', async () => {
    expect(await rowsReadFor(cow)).toBeLessThan(MOST_ROWS)
  })

  test('for a lone animal whose price stands in the middle of a crowd of another species', async () => {
    expect(await rowsReadFor(goat)).toBeLessThan(MOST_ROWS)
  })
})

describe.each(['', 'category=1', 'sort=price-low', 'verified=1'])('a list of %s that counts a thousand of a crowd', (query) => {
  const list = () =>
    statementOf((ctx) =>
      browseListings(ctx, readBrowse(0, new URLSearchParams(query), knownIds).choices, {
        near: null,
        pageSize: PAGE_SIZE,
        hasCounts: true,
      }),
    )

  test.each(['users', 'vet_checks', 'vaccinations'])('does not look at %s for any of them', async (table) => {
    expect((await readOf(table, await list())).looks).toBe(0)
  })

  test('looks at pictures for its cards only', async () => {
    expect((await readOf('listing_photos', await list())).looks).toBeLessThanOrEqual(2 * (PAGE_SIZE + 1))
  })
})

test('the page of an animal does not read the other animals of its seller to count those sold', async () => {
  const page = await statementOf((ctx) => getProductWithRelated(ctx, cow, null))
  // Related animals, and the newest of its breed for the usual price.
  expect((await readOf('listings', page)).rows).toBeLessThan(MOST_ROWS + 700)
})
