import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { rowsIn } from '#tools/test-kit/market-state.ts'
import { fillMarket } from './crowd.ts'
import { unseen } from './pages.ts'
import { bucketOf, callers, type Bucket, type Profile } from './profile-buckets.ts'
import type { Section } from './result.ts'
import { each, makeCustomers, Shop } from './shop.ts'
import { end, openSite } from './start.ts'

const LISTINGS = 2000
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
const CONNECTIONS = 10
const CUSTOMERS = 400
const SECRET = 'a secret of the bench, known to nobody else'

/** Sends one kind of request to a site. Returns the number of answers. */
type Load = (origin: string, ctx: Ctx) => Promise<number>

const kinds: [string, Load][] = [
  ['list page, uncached', reading('/buy/0', true)],
  ['product page, uncached', reading('/product/1', true)],
  ['list page, cached', reading('/buy/0', false)],
  ['list JSON, cached', reading('/api/v1/product-detail-list/top=24&category=0&page=buy', false)],
  ['checkout, add and confirm', buying],
]

/** Node's CPU time by bucket for each kind of request, in separate processes: shares, and milliseconds per request. */
export async function profiles(): Promise<Section[]> {
  const postgres = await startPreparedPostgres()
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-bench-'))
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  try {
    const variables = { DATABASE_URL: postgres.url, DATA_DIR: dataDir, SESSION_SECRET: SECRET, LOG_LEVEL: 'silent' }
    await end((await openSite('server.ts', variables)).child)
    const ctx = testCtx(database.db, { locale: 'ta', publicOrigin: 'http://localhost' })
    await fillMarket(ctx, LISTINGS)
    const sections: Section[] = []
    for (const [name, load] of kinds) sections.push(await profileOf(name, load, ctx, variables))
    return sections
  } finally {
    await database.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function profileOf(name: string, load: Load, ctx: Ctx, variables: Record<string, string>): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'sandhai-profile-'))
  const site = await openSite('server.ts', { ...variables, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` })
  const origin = `http://127.0.0.1:${site.port}`
  // The first requests trigger compilation.
  await load(origin, ctx)
  const from = performance.now() - site.started
  const requests = await load(origin, ctx)
  const until = performance.now() - site.started
  const exited = once(site.child, 'exit')
  site.child.kill('SIGTERM')
  await exited
  const largest = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .toSorted((a, b) => b.length - a.length)[0]!
  rmSync(folder, { recursive: true, force: true })
  const times = spent(JSON.parse(largest) as Profile, from, until)
  const totalMs = [...times.values()].reduce((sum, ms) => sum + ms, 0)
  return {
    title: `Where the time goes: ${name}`,
    explains: `${requests} requests, ${(totalMs / requests).toFixed(2)} ms of Node's CPU time per request, with the profiler on.`,
    figures: [...times]
      .toSorted(([, a], [, b]) => b - a)
      .map(([bucket, ms]) => ({
        name: bucket,
        value: ms / totalMs,
        unit: '×' as const,
        note: `${(ms / requests).toFixed(3)} ms per request`,
      })),
  }
}

/** Milliseconds per bucket between two times after the start. */
function spent(profile: Profile, from: number, until: number): Map<Bucket, number> {
  const parents = callers(profile)
  const times = new Map<Bucket, number>()
  let at = 0
  for (const [n, id] of profile.samples.entries()) {
    const ms = profile.timeDeltas[n]! / 1000
    at += ms
    const bucket = at >= from && at <= until ? bucketOf(id, parents) : null
    if (bucket) times.set(bucket, (times.get(bucket) ?? 0) + ms)
  }
  return times
}

let visits = 0
function reading(path: string, isFresh: boolean): Load {
  return async (url) => {
    const result = await autocannon({
      url,
      connections: CONNECTIONS,
      duration: SECONDS,
      headers: { 'accept-encoding': 'gzip, br' },
      requests: [{ method: 'GET', path, ...(isFresh && { setupRequest: (request) => ({ ...request, path: unseen(path, visits++) }) }) }],
    })
    return result['2xx']
  }
}

async function buying(origin: string, ctx: Ctx): Promise<number> {
  const rows = await rowsIn<{ id: number }>(
    ctx,
    sql`select id::int as id from listings where state = 'passed' and not is_sold and stock > 0 and touched_at > now() - interval '99 days'
      order by id limit ${CUSTOMERS}::int`,
  )
  const ids = rows.map(({ id }) => id)
  const customers = await makeCustomers(ctx, SECRET, ids)
  const shop = new Shop(Number(new URL(origin).port), CONNECTIONS)
  await each(customers, CONNECTIONS, async (customer) => {
    for (const answer of [await shop.add(customer), await shop.confirm(customer)])
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.slice(0, 300)}`)
  })
  shop.close()
  return customers.length
}
