import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { cartLines } from '../cart/tables.ts'
import type { Ctx } from '../kit/context.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { makeListing } from '../listings/makers.server.ts'
import { claimPictures } from '#src/market/media-owner.server.ts'
import { makeCrowd, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import { often } from '#tools/test-kit/often.ts'
import { folderPlace } from '#src/kit/media/picture-place.server.ts'
import { rowsOf, startPreparedPostgres, withDatabase } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'

// safety.md INV-3 and INV-4: an acknowledged order survives any kill, and a retry does not order twice.

const ROUNDS = often(1, 20)
const BUYERS = 120
const WRITERS = 8
const STOCK = 500
const SECRETS = { SESSION_SECRET: 's'.repeat(32), PEPPER: 'p'.repeat(32) }

let postgres: PostgresServer
let dataDir: string
beforeAll(async () => {
  postgres = await startPreparedPostgres()
  dataDir = tempFolder()
  // Before the listings are made, because their pictures are names only.
  await withDatabase(postgres.url, (database) => claimPictures(database, folderPlace(join(dataDir, 'media'))))
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

const inMarket = <T>(use: (ctx: Ctx) => Promise<T>) => withDatabase(postgres.url, ({ db }) => use(testCtx(db)))

interface Intent extends CrowdBuyer {
  session: string
  /** The buyer's answer; undefined when the connection broke and the buyer knows nothing. */
  answer?: string
}

/** Buyers with a session and two animals each in the cart. */
async function newIntents(): Promise<{ ids: number[]; intents: Intent[] }> {
  return inMarket(async (ctx) => {
    const seller = await makeUser(ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(ctx, seller.id)
    const ids = [
      await makeListing(ctx, { sellerId: seller.id, pickupAddressId, stock: STOCK }),
      await makeListing(ctx, { sellerId: seller.id, pickupAddressId, stock: STOCK }),
    ]
    const intents: Intent[] = []
    for (const buyer of await makeCrowd(ctx, BUYERS)) intents.push({ ...buyer, session: await makeSession(ctx, buyer.viewer.id) })
    const lines = intents.flatMap(({ viewer }) =>
      ids.map((listingId) => ({ buyerId: viewer.id, listingId, count: 1, seenPrice: 1n, seenStock: 1 })),
    )
    await ctx.db.insert(cartLines).values(lines)
    return { ids, intents }
  })
}

const openSite = () =>
  startSite({ DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '20', ...SECRETS })

async function confirm(site: SiteProcess, { viewer, addressId, session }: Intent): Promise<{ status: number; body: string }> {
  const csrf = makeCsrfToken(SECRETS.SESSION_SECRET, session)
  const response = await fetch(`${site.origin}/api/v1/confirm-order/buyer=${viewer.id}&address=${addressId}&code=`, {
    method: 'PUT',
    headers: { cookie: `__Host-sid=${session}; __Host-csrf=${csrf}`, 'x-csrftoken': csrf, 'idempotency-key': `intent-${viewer.id}` },
    signal: AbortSignal.timeout(10_000),
  })
  return { status: response.status, body: await response.text() }
}

/** All buyers confirm, eight at a time, until `end` has killed something meanwhile. */
async function confirmUntil(site: SiteProcess, intents: Intent[], end: () => Promise<unknown>): Promise<void> {
  let next = 0
  let isOver = false
  const writer = async () => {
    while (!isOver && next < intents.length) {
      const intent = intents[next++]!
      const { status, body } = await confirm(site, intent).catch(() => ({ status: 0, body: '' }))
      if (status === 200) intent.answer = body
    }
  }
  const writers = Array.from({ length: WRITERS }, writer)
  while (intents.filter(({ answer }) => answer).length < 20) await sleep(2)
  await end()
  isOver = true
  await Promise.all(writers)
}

/** Each buyer's orders, and the rest of their cart. */
async function storedState(ids: number[]) {
  return inMarket(async ({ db }) => {
    const buyers = await rowsOf<{ id: number; orders: number; cart: number }>(
      db,
      sql`select u.id::int as id, (select count(*)::int from orders o where o.buyer_id = u.id and o.listing_id in (${sql.join(ids, sql`, `)})) as orders,
        (select count(*)::int from cart_lines c where c.buyer_id = u.id) as cart from users u where u.name = 'Crowd'`,
    )
    const stock = await rowsOf<{ stock: number }>(db, sql`select stock from listings where id in (${sql.join(ids, sql`, `)})`)
    return { of: new Map(buyers.map((each) => [each.id, each])), stock: stock.map(({ stock }) => stock) }
  })
}

async function round(kill: (site: SiteProcess) => Promise<unknown>, recover: (site: SiteProcess) => Promise<SiteProcess>) {
  const { ids, intents } = await newIntents()
  const site = await openSite()
  await confirmUntil(site, intents, () => kill(site))
  const again = await recover(site)
  const { of, stock } = await storedState(ids)
  let placed = 0
  for (const { viewer, answer } of intents) {
    const { orders, cart } = of.get(viewer.id)!
    // All or nothing; and all, if the answer said so.
    expect([
      [2, 0],
      [0, 2],
    ]).toContainEqual([orders, cart])
    if (answer) expect([viewer.id, orders]).toEqual([viewer.id, 2])
    placed += orders / 2
  }
  expect(placed).toBeLessThan(BUYERS)
  expect(stock).toEqual([STOCK - placed, STOCK - placed])
  // Everybody retries with the same key: answered buyers get the same answer, the others get theirs once.
  for (const intent of intents) {
    const { status, body } = await confirm(again, intent)
    expect(status).toBe(200)
    if (intent.answer) expect(body).toBe(intent.answer)
  }
  const after = await storedState(ids)
  expect(after.stock).toEqual([STOCK - BUYERS, STOCK - BUYERS])
  for (const { viewer } of intents) expect(after.of.get(viewer.id)).toMatchObject({ orders: 2, cart: 0 })
  again.signal('SIGKILL')
  await again.ended
}

describe('orders', () => {
  test(`survive kill -9 of the site in between, ${ROUNDS} times`, async () => {
    for (let n = 0; n < ROUNDS; n++)
      await round(
        async (site) => {
          site.signal('SIGKILL')
          await site.ended
        },
        () => openSite(),
      )
  })

  test(`survive kill -9 of PostgreSQL in between, ${ROUNDS} times; the same site continues when it is back`, async () => {
    for (let n = 0; n < ROUNDS; n++)
      await round(
        () => postgres.crash(),
        async (site) => {
          await postgres.restart()
          while (!(await fetch(`${site.origin}/readyz`).then(({ ok }) => ok))) await sleep(50)
          return site
        },
      )
  })
})
