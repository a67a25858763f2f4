import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { rupees } from '#src/kit/time-money/money.ts'
import { readOf, statementOf } from '#tools/test-kit/rows-read.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { PAGE_SIZE, readBrowse } from '#src/listings/browse/schemas.ts'
import { makeListing } from './makers.server.ts'
import { getProductWithRelated, relatedTo } from './queries.server.ts'

/** One species at every price: the worst case for an animal of another species. */
const CROWD = 20_000

let market: TestMarket
let cow: number
let goat: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
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

/** An index walk reads at most this many rows; a scan of the market reads more. */
const MOST_ROWS = 200

const rowsReadFor = async (id: number) => (await readOf(market.ctx, 'listings', relatedTo(market.ctx, id))).rows

describe('related animals are found by a short index walk in a large market', () => {
  test('within a large herd of the same breed', async () => {
    expect(await rowsReadFor(cow)).toBeLessThan(MOST_ROWS)
  })

  test('for a single animal whose price lies in the middle of a large herd of another species', async () => {
    expect(await rowsReadFor(goat)).toBeLessThan(MOST_ROWS)
  })
})

describe.each(['', 'category=1', 'sort=price-low', 'verified=1'])('a list of %s that counts a thousand matches', (query) => {
  const list = () =>
    statementOf(market.ctx, (ctx) =>
      browseListings(ctx, readBrowse(0, new URLSearchParams(query), knownIds).choices, {
        near: null,
        pageSize: PAGE_SIZE,
        hasCounts: true,
      }),
    )

  test.each(['users', 'vet_checks', 'vaccinations'])('does not read %s for any of them', async (table) => {
    expect((await readOf(market.ctx, table, await list())).looks).toBe(0)
  })

  test('reads pictures for its cards only', async () => {
    expect((await readOf(market.ctx, 'listing_photos', await list())).looks).toBeLessThanOrEqual(2 * (PAGE_SIZE + 1))
  })
})

test("a product page does not read the seller's other animals to count the sold ones", async () => {
  const page = await statementOf(market.ctx, (ctx) => getProductWithRelated(ctx, cow, null))
  // Related animals, and the newest of the breed for the usual price.
  expect((await readOf(market.ctx, 'listings', page)).rows).toBeLessThan(MOST_ROWS + 700)
})
