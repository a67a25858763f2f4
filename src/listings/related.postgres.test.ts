import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rupees } from '#src/kit/time-money/money.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { makeListing } from './makers.server.ts'
import { relatedTo } from './queries.server.ts'

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
    'seller_id, created_by_id, pickup_address_id, category_id, breed_id, name, description, gender_id, weight_kg, described_weight_kg, stock, state, pincode, taluk, district, state_name, search_keys',
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

/** How many rows of `listings` the statement reads, as EXPLAIN counts them. */
async function rowsReadFor(id: number): Promise<number> {
  const { rows } = (await market.ctx.db.execute(sql`explain (analyze, format json) ${relatedTo(market.ctx, id)}`)) as unknown as {
    rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
  }
  const walk = (node: PlanNode): number => {
    const seen = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    return (node['Relation Name'] === 'listings' ? seen : 0) + (node.Plans ?? []).reduce((sum, child) => sum + walk(child), 0)
  }
  return walk(rows[0]!['QUERY PLAN'][0].Plan)
}

describe('related animals are found by a walk of a few rows, however large the market', () => {
  test('among a crowd of the same breed', async () => {
    expect(await rowsReadFor(cow)).toBeLessThan(MOST_ROWS)
  })

  test('for a lone animal whose price stands in the middle of a crowd of another species', async () => {
    expect(await rowsReadFor(goat)).toBeLessThan(MOST_ROWS)
  })
})
