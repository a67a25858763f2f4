import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { cartLines } from '../cart/tables.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { folderPlace } from '#src/kit/media/picture-place.server.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { makeListing } from '../listings/makers.server.ts'
import { claimPictures } from '#src/market/media-owner.server.ts'
import { layBadLine, type BadLine } from '#tools/test-kit/bad-line.ts'
import { makeCrowd, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import { rowsOf, startPreparedPostgres, withDatabase } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'

/** Decision 0090: a write is committed or given up in time, and its sender can ask which. */
const BUYERS = 4
const STOCK = 50
const SECRETS = { SESSION_SECRET: 's'.repeat(32), PEPPER: 'p'.repeat(32) }

let postgres: PostgresServer
let line: BadLine
let site: SiteProcess
let listingId: number
beforeAll(async () => {
  postgres = await startPreparedPostgres()
  const dataDir = tempFolder()
  await withDatabase(postgres.url, async (database) => {
    // Before the listing is made, because its picture is a name only.
    await claimPictures(database, folderPlace(join(dataDir, 'media')))
    const ctx = testCtx(database.db)
    const seller = await makeUser(ctx, { typeId: 2 })
    listingId = await makeListing(ctx, { sellerId: seller.id, pickupAddressId: await makeAddress(ctx, seller.id), stock: STOCK })
  })
  const url = new URL(postgres.url)
  line = await layBadLine({ host: url.hostname, port: Number(url.port) })
  url.host = `127.0.0.1:${line.port}`
  site = await startSite({ DATA_DIR: dataDir, DATABASE_URL: url.href, LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '20', ...SECRETS })
})
afterAll(async () => {
  await cleanUp()
  await line?.close()
  await postgres?.stop()
})

interface Buyer extends CrowdBuyer {
  session: string
}

const newBuyers = (): Promise<Buyer[]> =>
  withDatabase(postgres.url, async ({ db }) => {
    const ctx = testCtx(db)
    const buyers: Buyer[] = []
    for (const buyer of await makeCrowd(ctx, BUYERS)) buyers.push({ ...buyer, session: await makeSession(ctx, buyer.viewer.id) })
    await db
      .insert(cartLines)
      .values(buyers.map(({ viewer }) => ({ buyerId: viewer.id, listingId, count: 1, seenPrice: 1n, seenStock: 1 })))
    return buyers
  })

async function call<T>({ viewer, session }: Buyer, method: string, path: string): Promise<{ status: number; body: T }> {
  const csrf = makeCsrfToken(SECRETS.SESSION_SECRET, session)
  const headers = {
    cookie: `__Host-sid=${session}; __Host-csrf=${csrf}`,
    'x-csrftoken': csrf,
    'idempotency-key': `far-${viewer.id}`,
    'accept-language': 'en',
  }
  const response = await fetch(`${site.origin}/api/v1${path}`, { method, headers })
  return { status: response.status, body: (await response.json()) as T }
}
const confirm = (buyer: Buyer) => call(buyer, 'PUT', `/confirm-order/buyer=${buyer.viewer.id}&address=${buyer.addressId}&code=`)
const outcomeOf = async (buyer: Buyer) =>
  (await call<{ outcome: string }>(buyer, 'GET', `/outcome?key=far-${buyer.viewer.id}`)).body.outcome

const ordersOf = ({ viewer }: Buyer) =>
  withDatabase(postgres.url, async ({ db }) => {
    const [row] = await rowsOf<{ n: number }>(db, sql`select count(*)::int as n from orders where buyer_id = ${viewer.id}`)
    return row!.n
  })

/** Each buyer orders once over a connection with this delay per round trip, and again with the same key without the delay. */
async function orderOver(delayMs: number) {
  const buyers = await newBuyers()
  // Opening a connection takes several round trips, too, so open it before.
  for (const buyer of buyers) expect(await outcomeOf(buyer)).toBe('none')
  const answers: { status: number; outcome: string; orders: number }[] = []
  for (const buyer of buyers) {
    line.weather.delayMs = delayMs / 2
    const { status } = await confirm(buyer)
    line.weather.delayMs = 0
    const outcome = await expect
      .poll(() => outcomeOf(buyer), { timeout: 60_000 })
      .not.toBe('running')
      .then(() => outcomeOf(buyer))
    answers.push({ status, outcome, orders: await ordersOf(buyer) })
    expect((await confirm(buyer)).status).toBe(200)
    expect([await outcomeOf(buyer), await ordersOf(buyer)]).toEqual(['done', 1])
  }
  return answers
}

test('an order to a database two seconds away is given up without a trace, and its sender can ask', async () => {
  const gaveUp = { status: 503, outcome: 'none', orders: 0 }
  expect(await orderOver(2000)).toEqual(Array.from({ length: BUYERS }, () => gaveUp))
})

test('an order to a database one second away is placed or given up, and the reported outcome is the stored one', async () => {
  for (const { status, outcome, orders } of await orderOver(1000))
    expect([
      [200, 'done', 1],
      [503, 'none', 0],
    ]).toContainEqual([status, outcome, orders])
})
