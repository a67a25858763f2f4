import { spawn, type ChildProcess } from 'node:child_process'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isClean, judge, type Entry } from '../../tools/rehearse/history.ts'
import { makeSession, makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { cartLines } from '../cart/tables.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { folderPlace } from '#src/kit/media/picture-place.server.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { makeListing } from '../listings/makers.server.ts'
import { claimPictures } from '#src/market/media-owner.server.ts'
import { makeCrowd, type CrowdBuyer } from '#tools/test-kit/crowd.ts'
import { rowsOf, startPreparedPostgres, withDatabase } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder } from '#tools/test-kit/site-process.ts'
import { sendVisitors } from '#tools/test-kit/visitors.ts'

const RESTARTS = 5
const BUYERS = 1500
const WRITERS = 4
const STOCK = 2000
const SECRETS = { SESSION_SECRET: 's'.repeat(32), PEPPER: 'p'.repeat(32) }
const paths = ['/', '/en/buy/0', '/species/cow.webp']

let postgres: PostgresServer
let variables: Record<string, string>
let holder: ChildProcess | undefined
beforeAll(async () => {
  postgres = await startPreparedPostgres()
  const dataDir = tempFolder()
  variables = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '20', ...SECRETS }
  // Before the listings are made, because their pictures are names only.
  await withDatabase(postgres.url, (database) => claimPictures(database, folderPlace(join(dataDir, 'media'))))
})
afterEach(() => {
  if (holder) process.kill(-holder.pid!, 'SIGKILL')
  holder = undefined
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

interface Intent extends CrowdBuyer {
  session: string
  /** The answer to the one request, or how its connection ended. */
  outcome?: string
}

/** Buyers with one animal each in the cart. */
const newIntents = (): Promise<{ listingId: number; intents: Intent[] }> =>
  withDatabase(postgres.url, async ({ db }) => {
    const ctx = testCtx(db)
    const seller = await makeUser(ctx, { typeId: 2 })
    const listingId = await makeListing(ctx, { sellerId: seller.id, pickupAddressId: await makeAddress(ctx, seller.id), stock: STOCK })
    const intents: Intent[] = []
    for (const buyer of await makeCrowd(ctx, BUYERS)) intents.push({ ...buyer, session: await makeSession(ctx, buyer.viewer.id) })
    await db
      .insert(cartLines)
      .values(intents.map(({ viewer }) => ({ buyerId: viewer.id, listingId, count: 1, seenPrice: 1n, seenStock: 1 })))
    return { listingId, intents }
  })

/** Sent once, over a keep-alive connection: a retry would hide the outcome of the first request. */
function confirm(origin: string, { viewer, addressId, session }: Intent, agent: Agent): Promise<string> {
  const csrf = makeCsrfToken(SECRETS.SESSION_SECRET, session)
  const headers = { cookie: `__Host-sid=${session}; __Host-csrf=${csrf}`, 'x-csrftoken': csrf, 'idempotency-key': `intent-${viewer.id}` }
  return new Promise((resolve) => {
    const path = `/api/v1/confirm-order/buyer=${viewer.id}&address=${addressId}&code=`
    const asked = request(`${origin}${path}`, { method: 'PUT', agent, headers: { ...headers, 'content-length': '0' } }, (response) => {
      response.on('error', (error) => resolve(error.message))
      response.on('end', () => resolve(String(response.statusCode))).resume()
    })
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    asked.end()
  })
}

/** Sends orders without a pause, each by another buyer, until stopped. */
function sendBuyers(origin: string, intents: Intent[]) {
  let next = 0
  let isOver = false
  const writer = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver && next < intents.length) {
      const intent = intents[next++]!
      intent.outcome = await confirm(origin, intent, agent)
      await sleep(40)
    }
    agent.destroy()
  }
  const all = Promise.all(Array.from({ length: WRITERS }, writer))
  return {
    stop: async () => {
      isOver = true
      await all
      return intents.filter(({ outcome }) => outcome !== undefined)
    },
  }
}

async function historyOf(listingId: number, intents: Intent[]) {
  return withDatabase(postgres.url, async ({ db }) => {
    const rows = await rowsOf<{ buyer: number; id: string }>(
      db,
      sql`select buyer_id::int as buyer, id::text as id from orders where listing_id = ${listingId}`,
    )
    const [shelf] = await rowsOf<{ stock: number }>(db, sql`select stock from listings where id = ${listingId}`)
    const ordersOf = Map.groupBy(rows, ({ buyer }) => buyer)
    const entries = intents.map(({ viewer, outcome }): Entry => {
      const orders = (ordersOf.get(viewer.id) ?? []).map(({ id }) => id)
      return { buyerId: viewer.id, listingId, acknowledged: outcome === '200' ? outcome : null, orders }
    })
    return judge(entries, [{ listingId, before: STOCK, after: shelf!.stock }])
  })
}

/** The site under a process that holds its socket, like systemd. */
async function startHeld() {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../tools/test-kit/hold-socket.ts')], {
    detached: true,
    env: { PATH: process.env.PATH ?? '', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  holder = child
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const starts = () => [...said.matchAll(/ is open at /g)].length
  const untilStarted = async (times: number) => {
    while (starts() < times) {
      expect(child.exitCode, said).toBeNull()
      await sleep(10)
    }
  }
  await untilStarted(1)
  const origin = `http://127.0.0.1:${/holds (\d+)/.exec(said)![1]}`
  const restart = async () => {
    const times = starts()
    process.kill(Number([...said.matchAll(/site (\d+)/g)].at(-1)![1]), 'SIGTERM')
    await untilStarted(times + 1)
  }
  return { origin, restart }
}

const countOf = (words: string[]) => Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, { length }]) => [word, length]))

describe(`a site that restarts ${RESTARTS} times during visits and orders`, () => {
  test('refuses and cuts no connection when systemd holds its socket: each order succeeds at the first try, once', async () => {
    const { origin, restart } = await startHeld()
    const { listingId, intents } = await newIntents()
    const visitors = sendVisitors(origin, paths, 10, 200)
    const buyers = sendBuyers(origin, intents)
    for (let n = 0; n < RESTARTS; n += 1) {
      await sleep(1000)
      await restart()
    }
    await sleep(500)
    const sent = await buyers.stop()
    await visitors.goHome()

    expect(countOf(visitors.outcomes.map(({ kind, status }) => `${kind} ${status}`))).toEqual({ 'answered 200': visitors.outcomes.length })
    expect(countOf(sent.map(({ outcome }) => outcome!))).toEqual({ 200: sent.length })
    const verdict = await historyOf(listingId, intents)
    expect(verdict).toMatchObject({ lost: [], doubled: [], wrongStock: [], acknowledged: sent.length, placed: sent.length })
    expect(isClean(verdict)).toBe(true)
  })

  test('control: refuses connections when it listens itself, but still loses or doubles no order', async () => {
    let site = await startSite({ ...variables })
    const { origin } = site
    const { listingId, intents } = await newIntents()
    const visitors = sendVisitors(origin, paths, 10, 200)
    const buyers = sendBuyers(origin, intents)
    await sleep(500)
    site.signal('SIGTERM')
    await site.ended
    site = await startSite({ ...variables, PORT: new URL(origin).port })
    await sleep(500)
    const sent = await buyers.stop()
    await visitors.goHome()
    site.signal('SIGTERM')
    await site.ended

    expect(visitors.outcomes.filter(({ kind }) => kind === 'refused').length).toBeGreaterThan(0)
    expect(sent.filter(({ outcome }) => outcome !== '200').length).toBeGreaterThan(0)
    const { lost, doubled, wrongStock } = await historyOf(listingId, intents)
    expect({ lost, doubled, wrongStock }).toEqual({ lost: [], doubled: [], wrongStock: [] })
  })
})
