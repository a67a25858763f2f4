import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeCrowd, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import type { Entry, Shelf } from './history.ts'
import { rowsAt } from './database.ts'

export const SECRETS = { SESSION_SECRET: 's'.repeat(32), PEPPER: 'p'.repeat(32) }
const SHELVES = 20
const STOCK = 500
const LINES_AT_ONCE = 500

interface Intent extends CrowdBuyer {
  listingId: number
  session: string
  acknowledged: string | null
}

/** Buyers with one animal each in the cart. */
export async function makeIntents(databaseUrl: string, count: number): Promise<{ intents: Intent[]; listingIds: number[] }> {
  const database = await openDatabase({ databaseUrl, dataDir: '', patience: 10 })
  try {
    const ctx = testCtx(database.db)
    const seller = await makeUser(ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(ctx, seller.id)
    const listingIds: number[] = []
    for (let n = 0; n < SHELVES; n += 1) listingIds.push(await makeListing(ctx, { sellerId: seller.id, pickupAddressId, stock: STOCK }))
    const intents: Intent[] = []
    for (const [n, buyer] of (await makeCrowd(ctx, count)).entries()) {
      const session = await makeSession(ctx, buyer.viewer.id)
      intents.push({ ...buyer, listingId: listingIds[n % SHELVES]!, session, acknowledged: null })
    }
    const lines = intents.map(({ viewer, listingId }) => ({ buyerId: viewer.id, listingId, count: 1, seenPrice: 1n, seenStock: 1 }))
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) await ctx.db.insert(cartLines).values(lines.slice(at, at + LINES_AT_ONCE))
    return { intents, listingIds }
  } finally {
    await database.close()
  }
}

interface Answered {
  status: number
  body: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false })

function ask(port: number, method: string, path: string, headers: Record<string, string>, atMostMs: number): Promise<Answered> {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent, signal: AbortSignal.timeout(atMostMs) }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', () => resolve({ status: 0, body: '' }))
      response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(parts).toString('utf8') }))
    })
    asked.on('error', () => resolve({ status: 0, body: '' }))
    asked.end()
  })
}

function confirm(port: number, { viewer, addressId, session }: Intent): Promise<Answered> {
  const csrf = makeCsrfToken(SECRETS.SESSION_SECRET, session)
  const headers = {
    cookie: `__Host-sid=${session}; __Host-csrf=${csrf}`,
    'x-csrftoken': csrf,
    'idempotency-key': `intent-${viewer.id}`,
    origin: `https://localhost:${port}`,
    'content-length': '0',
  }
  return ask(port, 'PUT', `/api/v1/confirm-order/buyer=${viewer.id}&address=${addressId}&code=`, headers, 10_000)
}

export interface Crowd {
  /** Times of acknowledged orders and of pages, in milliseconds since the beginning. */
  orders: number[]
  pages: Map<string, number[]>
  refusals: Map<string, number>
  now(): number
  stop(): Promise<void>
}

/** Each buyer retries the confirmation with their own key until it succeeds. Each reader opens their page again and again. */
export function sendCrowd(
  port: number,
  intents: Intent[],
  { writers, everyMs, paths }: { writers: number; everyMs: number; paths: string[] },
): Crowd {
  const began = performance.now()
  const now = () => performance.now() - began
  const crowd = { orders: [] as number[], pages: new Map<string, number[]>(), refusals: new Map<string, number>() }
  const note = (what: string) => crowd.refusals.set(what, (crowd.refusals.get(what) ?? 0) + 1)
  let isOver = false
  let next = 0
  const writer = async () => {
    while (!isOver && next < intents.length) {
      const intent = intents[next++]!
      while (!isOver && intent.acknowledged === null) {
        const { status, body } = await confirm(port, intent)
        if (status === 200) {
          intent.acknowledged = body
          crowd.orders.push(now())
        } else {
          note(`order ${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`)
          await sleep(100)
        }
      }
      await sleep(everyMs)
    }
  }
  const reader = async (path: string) => {
    const seen: number[] = []
    crowd.pages.set(path, seen)
    while (!isOver) {
      const { status } = await ask(port, 'GET', path, {}, 2000)
      if (status === 200) seen.push(now())
      else note(`page ${status}`)
      await sleep(50)
    }
  }
  const all = [...Array.from({ length: writers }, writer), ...paths.map(reader)]
  return {
    ...crowd,
    now,
    stop: async () => {
      isOver = true
      await Promise.all(all)
    },
  }
}

/** Compares the database with what was acknowledged. */
export async function readHistory(
  leaderPort: number,
  intents: Intent[],
  listingIds: number[],
): Promise<{ entries: Entry[]; shelves: Shelf[] }> {
  const rows = await rowsAt<{ buyer: number; id: string; listing: number }>(
    leaderPort,
    'select buyer_id::int as buyer, id::text as id, listing_id::int as listing from orders where listing_id = any($1)',
    [listingIds],
  )
  const orders = Map.groupBy(rows, ({ buyer }) => buyer)
  const stock = await rowsAt<{ id: number; stock: number }>(leaderPort, 'select id::int as id, stock from listings where id = any($1)', [
    listingIds,
  ])
  return {
    entries: intents.map(({ viewer, listingId, acknowledged }) => ({
      buyerId: viewer.id,
      listingId,
      acknowledged,
      orders: (orders.get(viewer.id) ?? []).map(({ id }) => id),
    })),
    shelves: stock.map(({ id, stock: after }) => ({ listingId: id, before: STOCK, after })),
  }
}
