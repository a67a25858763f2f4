import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { sql } from 'drizzle-orm'
import { packRelease } from '../../scripts/release.ts'
import type { Ctx } from '#src/kit/context.ts'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { rowsIn } from '#tools/test-kit/market-state.ts'
import { fillMarket } from './crowd.ts'
import { unseen } from './pages.ts'
import { kilobytes, median, type Figure, type Section } from './result.ts'
import { each, makeCustomers, Shop, type Customer } from './shop.ts'
import { end, memoryNow, openSite } from './start.ts'

const LISTINGS = Number(process.env.BENCH_FLOOR_LISTINGS ?? 10_000)
const CONNECTIONS = 20
const ROUNDS = 3
const ROUND_SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
const CHECKOUTS = Number(process.env.BENCH_CHECKOUTS ?? 300)
const ORDERS_A_SECOND = 10
const STOCK = 50
const CROWD = 200
const SECRET = 'a secret of the bench, known to nobody else'
const IDLE_MS = 5000

const LIST = '/api/v1/product-detail-list/top=24&category=0&page=buy'

/** The production site and the floor on one PostgreSQL with the same market. */
interface Pair {
  site: string
  floor: string
  pids: { site: number; floor: number }
  ctx: Ctx
  /** Ids of animals that nobody has ordered yet. */
  animals: number[]
}

const onTheMarket = sql`
  select id::int as id from listings where state = 'passed' and not is_sold and touched_at > now() - interval '99 days' order by id`

/**
 * Compares everything that a person waits for with the floor (floor-server.ts), alternating in one run. A comparison of the site with its own SQL
 * would hide slow SQL.
 */
export async function besideFloor(): Promise<Section[]> {
  const postgres = await startPreparedPostgres()
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-bench-'))
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  const children: ChildProcess[] = []
  try {
    const variables = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, SESSION_SECRET: SECRET, LOG_LEVEL: 'silent' }
    // Fill the market after the first start: the site has marked its picture folder now, and refuses to start on an unmarked one when the database
    // names pictures.
    await end((await openSite('server.ts', variables)).child)
    const ctx = testCtx(database.db, { locale: 'ta', publicOrigin: 'http://localhost' })
    await fillMarket(ctx, LISTINGS)
    await fillFloor(ctx)
    const floor = fork(new URL('./floor-server.ts', import.meta.url), { env: { DATABASE_URL: postgres.url } })
    children.push(floor)
    const [{ port: floorPort }] = (await once(floor, 'message')) as [{ port: number }]
    const opened = await openSite('server.ts', variables)
    children.push(opened.child)
    const site = `http://127.0.0.1:${opened.port}`
    await bodyOf(site + LIST)
    const start = (performance.now() - opened.started) / 1000
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idle = memoryNow(opened.child, 'VmRSS')
    const rows = await rowsIn<{ id: number }>(ctx, onTheMarket)
    const pids = { site: opened.child.pid!, floor: floor.pid! }
    const pair: Pair = { site, floor: `http://127.0.0.1:${floorPort}`, pids, ctx, animals: rows.map(({ id }) => id) }
    const figures = [...(await reads(pair)), await listUnderOrders(pair), ...(await checkouts(pair)), ...(await rush(pair))]
    const peak = memoryNow(opened.child, 'VmHWM')
    figures.push(
      { name: 'start to the first list', value: start, unit: 's', atMost: 0.8, note: 'from spawn to the answer of the first list JSON' },
      { name: 'memory, idle', value: idle, unit: 'MiB', atMost: 150, note: `${IDLE_MS / 1000} s after that` },
      { name: 'memory, peak', value: peak, unit: 'MiB', atMost: 400, note: 'after all of the above' },
      {
        name: 'installed for running',
        value: installedBytes() / 1e6,
        unit: 'MB',
        atMost: 300,
        note: 'a release (npm run release)',
      },
    )
    return [{ title: 'Beside the floor', explains: explains(), figures }]
  } finally {
    for (const child of children) await end(child)
    await database.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const explains = () =>
  [
    `Requests per second as a share of the floor's: a bare node:http server that sends minimal JSON from one statement through pg, in its own schema on the same PostgreSQL.`,
    `${LISTINGS.toLocaleString('en-IN')} listings, ${CONNECTIONS} connections, median of ${ROUNDS} alternating rounds of ${ROUND_SECONDS} s.`,
    `Load of the machine at the start: ${loadavg()[0]!.toFixed(1)}.`,
  ].join(' ')

async function fillFloor(ctx: Ctx): Promise<void> {
  await ctx.db.execute(sql`create schema floor`)
  await ctx.db.execute(sql`
    create table floor.animals as
    select l.id, l.name, l.description, l.price, l.weight_kg as kg, l.stock, l.district as place, l.created_at,
      (select p.media_key from listing_photos p where p.listing_id = l.id limit 1) as picture from listings l`)
  await ctx.db.execute(sql`alter table floor.animals add primary key (id)`)
  await ctx.db.execute(sql`create index on floor.animals (created_at, id)`)
  await ctx.db.execute(
    sql`create table floor.orders (id bigint primary key generated always as identity, animal_id bigint, buyer_id bigint, price bigint)`,
  )
  await ctx.db.execute(sql`analyze`)
}

async function reads({ site, floor, pids, ctx, animals }: Pair): Promise<Figure[]> {
  const [id] = animals
  const product = `/product/${id}`
  const cookie = await memberCookie(ctx, id!)
  const figures: Figure[] = []
  for (const [name, path, other, atLeast, how] of [
    ['list JSON of 24', LIST, '/list', 0.6, {}],
    ['product JSON', `/api/v1/product/id=${id}`, `/animal?id=${id}`, 0.6, {}],
    ['list page, cached', '/buy/0', '/list', 1, {}],
    ['list page, uncached', '/buy/0', '/list', 0.05, { isFresh: true }],
    ['list page of a buyer', '/buy/0', '/list', 0.15, { cookie }],
    ['product page, cached', product, `/animal?id=${id}`, 1, {}],
    ['product page, uncached', product, `/animal?id=${id}`, 0.05, { isFresh: true }],
    ['product page of a buyer', product, `/animal?id=${id}`, 0.12, { cookie }],
  ] as const) {
    const [ownCost, leastCost] = [new Cost(pids.site), new Cost(pids.floor)]
    const { ratio, own, least } = await inTurn(
      () => ownCost.of(() => perSecond(site, path, how)),
      () => leastCost.of(() => perSecond(floor, other)),
    )
    const sizes = `${await sizesOf(site + path)}; the floor ${kilobytes((await bodyOf(floor + other)).byteLength)} KB`
    figures.push({
      name,
      value: ratio,
      unit: '×',
      atLeast,
      note: `${rates(own, least)}; ${ownCost.each} against ${leastCost.each} ms of Node's CPU; ${sizes}`,
    })
  }
  return figures
}

/** The cookie of a buyer who is logged in. */
async function memberCookie(ctx: Ctx, listingId: number): Promise<string> {
  const [buyer] = await makeCustomers(ctx, SECRET, [listingId])
  return `__Host-sid=${buyer!.session}`
}

/** Throughput of the cached list while other animals are ordered ten times a second, as a share of its throughput without orders. */
async function listUnderOrders(pair: Pair): Promise<Figure> {
  const shop = new Shop(portOf(pair.site), CONNECTIONS)
  const customers = await customersOf(pair, ORDERS_A_SECOND * ROUND_SECONDS * (ROUNDS + 1))
  await each(customers, CONNECTIONS, (customer) => expect200(shop.add(customer)))
  const { ratio, own, least } = await inTurn(
    async () => {
      const orders: Promise<unknown>[] = []
      const timer = setInterval(() => {
        const customer = customers.pop()
        if (customer) orders.push(expect200(shop.confirm(customer)))
      }, 1000 / ORDERS_A_SECOND)
      const rate = await perSecond(pair.site, '/buy/0')
      clearInterval(timer)
      await Promise.all(orders)
      return rate
    },
    () => perSecond(pair.site, '/buy/0'),
  )
  shop.close()
  const note = `${Math.round(own)} requests/s against ${Math.round(least)} without orders`
  return { name: `list page, cached, under ${ORDERS_A_SECOND} orders/s`, value: ratio, unit: '×', atLeast: 0.8, note }
}

async function checkouts(pair: Pair): Promise<Figure[]> {
  const shop = new Shop(portOf(pair.site), CONNECTIONS)
  const figures: Figure[] = []
  const bare = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const addAndConfirm = async (customer: Customer) => {
    await expect200(shop.add(customer))
    await expect200(shop.confirm(customer))
  }
  const all = async (customer: Customer) => {
    await expect200(shop.add(customer))
    await expect200(shop.address(customer))
    await expect200(shop.confirm(customer))
    await expect200(shop.orders(customer))
  }
  for (const [name, act, atLeast, rate] of [
    ['checkout, add and confirm', addAndConfirm, 0.15, 250],
    ['checkout, all four calls', all, 0.1, 160],
  ] as const) {
    await timed(await customersOf(pair, CHECKOUTS), act)
    const { ratio, own, least } = await inTurn(
      async () => timed(await customersOf(pair, CHECKOUTS), act),
      async () => timed(await customersOf(pair, CHECKOUTS), (customer) => orderOfFloor(pair.floor, bare, customer)),
    )
    figures.push(
      {
        name,
        value: ratio,
        unit: '×',
        atLeast,
        note: `${rates(own, least)}; of the floor's, one statement that takes stock and writes the order`,
      },
      {
        name,
        value: own,
        unit: '/s',
        atLeast: rate,
        note: `${CHECKOUTS} customers, ${CONNECTIONS} at once, each of an animal of their own`,
      },
    )
  }
  shop.close()
  bare.destroy()
  return figures
}

/** All customers order at the same time, each over their own connection. */
async function rush(pair: Pair): Promise<Figure[]> {
  const times: number[] = []
  const ends: Map<string, number>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const animal = pair.animals.pop()!
    await pair.ctx.db.execute(sql`update listings set stock = ${STOCK} where id = ${animal}::bigint`)
    const crowd = await makeCustomers(pair.ctx, SECRET, Array<number>(CROWD).fill(animal))
    const shop = new Shop(portOf(pair.site), CROWD)
    await each(crowd, CONNECTIONS, (customer) => expect200(shop.add(customer)))
    const counts = new Map<string, number>()
    const began = performance.now()
    await each(crowd, CROWD, async (customer) => {
      const { status, body } = await shop.confirm(customer)
      const outcome = status === 200 ? '200' : `${status} ${(JSON.parse(body) as { code: string }).code}`
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    })
    times.push((performance.now() - began) / 1000)
    ends.push(counts)
    shop.close()
  }
  const least = (how: string) => Math.min(...ends.map((counts) => counts.get(how) ?? 0))
  const outcomes = ends.map((counts) => [...counts].map(([how, count]) => `${count} × ${how}`).join(', ')).join('; ')
  return [
    { name: `${CROWD} buyers, ${STOCK} animals`, value: median(times), unit: 's', atMost: 0.6, note: `all at once; ${outcomes}` },
    { name: 'of those, sold', value: least('200'), unit: '', atLeast: STOCK, note: 'the least of the rounds' },
    {
      name: 'of those, answered how many are left',
      value: least('409 STOCK_CHANGED'),
      unit: '',
      atLeast: CROWD - STOCK,
      note: 'the least of the rounds',
    },
  ]
}

const customersOf = (pair: Pair, count: number) => makeCustomers(pair.ctx, SECRET, pair.animals.splice(0, count))

/** Returns customers per second. */
async function timed(customers: Customer[], act: (customer: Customer) => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await each(customers, CONNECTIONS, act)
  return customers.length / ((performance.now() - began) / 1000)
}

function orderOfFloor(floor: string, agent: Agent, { listingId, id }: Customer): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${floor}/order?animal=${listingId}&buyer=${id}`, { method: 'POST', agent }, (response) => {
      response.resume().on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`The floor: ${response.statusCode}`))))
    })
      .on('error', reject)
      .end()
  })
}

async function expect200(answer: Promise<{ status: number; body: string }>): Promise<void> {
  const { status, body } = await answer
  if (status !== 200) throw new Error(`${status}: ${body.slice(0, 300)}`)
}

interface Compared {
  ratio: number
  own: number
  least: number
}

async function inTurn(own: () => Promise<number>, least: () => Promise<number>): Promise<Compared> {
  await own()
  await least()
  const rounds: Compared[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two] = [await own(), await least()]
    rounds.push({ ratio: one / two, own: one, least: two })
  }
  const middle = (name: keyof Compared) => median(rounds.map((round) => round[name]))
  return { ratio: middle('ratio'), own: middle('own'), least: middle('least') }
}

/** CPU time of one process per request: steadier than a rate on a shared machine. */
class Cost {
  readonly #pid: number
  #ms = 0
  #requests = 0

  constructor(pid: number) {
    this.#pid = pid
  }

  async of(measure: () => Promise<number>): Promise<number> {
    const before = this.#now()
    const rate = await measure()
    this.#ms += this.#now() - before
    this.#requests += rate * ROUND_SECONDS
    return rate
  }

  get each(): string {
    return (this.#ms / this.#requests).toFixed(2)
  }

  /** In ms; the kernel counts in hundredths of a second. The process name in brackets may contain blanks. */
  #now(): number {
    const fields = readFileSync(`/proc/${this.#pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
}

let visits = 0

async function perSecond(origin: string, path: string, { isFresh = false, cookie = '' } = {}): Promise<number> {
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    // As browsers send it.
    headers: { 'accept-encoding': 'gzip, br', ...(cookie && { cookie }) },
    requests: [{ method: 'GET', path, ...(isFresh && { setupRequest: (request) => ({ ...request, path: unseen(path, visits++) }) }) }],
  })
  if (result.errors > 0) throw new Error(`${path}: ${result.errors} errors.`)
  // On a busy machine the gate refuses requests; they do not count.
  return result['2xx'] / result.duration
}

const bodyOf = async (url: string) => {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
  return response.arrayBuffer()
}

/** Sizes as sent, because fetch() decompresses automatically. */
async function sizesOf(url: string): Promise<string> {
  const sizes = await Promise.all(
    ['identity', 'gzip', 'br'].map(
      (coding) =>
        new Promise<number>((resolve, reject) => {
          request(url, { headers: { 'accept-encoding': coding } }, (response) => {
            let bytes = 0
            response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes))
          })
            .on('error', reject)
            .end()
        }),
    ),
  )
  return `${sizes.map(kilobytes).join(' / ')} KB plain / gzip / brotli`
}

const rates = (own: number, least: number) => `${Math.round(own)} against ${Math.round(least)}/s`
const portOf = (origin: string) => Number(new URL(origin).port)

/** The disk space of an installed release (scripts/release.ts). */
function installedBytes(): number {
  const folder = mkdtempSync(join(tmpdir(), 'sandhai-release-'))
  try {
    packRelease(folder)
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
