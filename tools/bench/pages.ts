import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { startPostgres } from '#tools/test-kit/postgres-server.ts'
import { kilobytes, median, type Section } from './result.ts'

/** The site's own concurrency: more connections would wait at its gate or be refused (src/kit/http/gate.server.ts). */
const CONNECTIONS = 8
const ROUNDS = 5
const ROUND_SECONDS = Number(process.env.BENCH_SECONDS ?? 3)

/** Pages under load, each alternating with its reference on the same server process. */
export async function pagesUnderLoad(): Promise<Section[]> {
  const postgres = await startPostgres()
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-bench-'))
  const child = fork(new URL('./site.ts', import.meta.url), {
    env: { ...process.env, DATABASE_URL: postgres.url, DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMIT_FACTOR: '1000', PORT: '3000' },
  })
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const origin = `http://127.0.0.1:${port}`
    const product = /\/product\/\d+/.exec(await (await fetch(`${origin}/buy/0`)).text())![0]
    return [await pages(origin, product), await statements(origin, product)]
  } finally {
    child.kill('SIGKILL')
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function pages(origin: string, product: string): Promise<Section> {
  const figures: Section['figures'] = []
  for (const [name, path] of [
    ['list page', '/buy/0'],
    ['product page', product],
    ['home page', '/'],
  ] as const) {
    const sizes = await Promise.all(['identity', 'gzip', 'br'].map((coding) => sizeOf(origin + path, coding)))
    const size = `${sizes.map(kilobytes).join(' / ')} KB plain / gzip / brotli`
    const string = `${origin}/bench/string?path=${path}`
    const cached = await compare({ url: origin + path }, { url: string })
    figures.push({ name: `${name}, kept`, value: cached.ratio, unit: '×', atLeast: 0.5, note: `${perSecond(cached)}; ${size}` })
    const drawn = await compare({ url: origin + path, isFresh: true }, { url: string })
    figures.push({ name: `${name}, rendered`, value: drawn.ratio, unit: '×', atLeast: 0.05, note: perSecond(drawn) })
  }
  return {
    title: 'Pages',
    explains:
      'Requests per second of a page, uncompressed, as a share of a constant string of the same size from the same server. "Kept": the page is cached. "Rendered": each request has a new URL, so the page is not cached.',
    figures,
  }
}

async function statements(origin: string, product: string): Promise<Section> {
  const count = async (path: string, fresh = '') => {
    const response = await fetch(`${origin}/bench/statements?fresh=${encodeURIComponent(fresh)}&path=${encodeURIComponent(path)}`)
    return ((await response.json()) as { count: number }).count
  }
  const figures: Section['figures'] = []
  for (const [name, path, atMost] of [
    ['home page', '/', 4],
    ['list page', '/buy/0', 3],
    ['product page', product, 4],
  ] as const) {
    figures.push({
      name: `${name}, rendered`,
      value: await count(path, unseen(path, visits++).slice(path.length)),
      unit: 'statements',
      atMost,
      note: 'including the check for changes',
    })
    figures.push({ name: `${name}, kept`, value: await count(path), unit: 'statements', atMost: 1, note: 'the check for changes' })
  }
  return { title: 'Statements', explains: 'SQL statements per request.', figures }
}

interface Target {
  url: string
  /** Each request uses a new URL. */
  isFresh?: boolean
}
interface Comparison {
  ratio: number
  own: number
  other: number
}

/** Alternates round by round after a warm-up. Returns the median of the rounds' ratios. */
async function compare(own: Target, other: Target): Promise<Comparison> {
  await requestsPerSecond(own, 1)
  await requestsPerSecond(other, 1)
  const rounds: Comparison[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const one = await requestsPerSecond(own, ROUND_SECONDS)
    const two = await requestsPerSecond(other, ROUND_SECONDS)
    rounds.push({ ratio: one / two, own: one, other: two })
  }
  return {
    ratio: median(rounds.map(({ ratio }) => ratio)),
    own: median(rounds.map(({ own }) => own)),
    other: median(rounds.map(({ other }) => other)),
  }
}

let visits = 0

/** The page under a URL that is not cached. Only parameters that the page reads make a new URL (src/server/pages/shared-addresses.server.ts). */
export function unseen(path: string, n: number): string {
  const query = path.includes('/product/')
    ? `pincode=${100_000 + (n % 900_000)}`
    : path.includes('/buy/')
      ? `max=${1_000_000 + n}`
      : `refcode=${String(n).padStart(10, '0')}`
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

async function requestsPerSecond({ url, isFresh }: Target, duration: number): Promise<number> {
  const { pathname, search, origin } = new URL(url)
  const path = pathname + search
  const result = await autocannon({
    url: origin,
    connections: CONNECTIONS,
    duration,
    requests: [{ method: 'GET', path, ...(isFresh && { setupRequest: (request) => ({ ...request, path: unseen(path, visits++) }) }) }],
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors.`)
  return result.requests.average
}

async function sizeOf(url: string, coding: string): Promise<number> {
  // fetch() decompresses automatically, so use the server's content length.
  const response = await fetch(url, { headers: { 'accept-encoding': coding } })
  return Number(response.headers.get('content-length') ?? (await response.arrayBuffer()).byteLength)
}

const perSecond = ({ own, other }: Comparison) => `${Math.round(own)} against ${Math.round(other)} requests/s`
