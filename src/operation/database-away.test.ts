import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'

/** Opened while the database was reachable, so they are cached. */
const kept = ['/', '/en/buy/0', '/buy/0?q=maadu']
/** New pages, and pages rendered for one person. */
const unseen = ['/en/buy/0?q=aadu', '/product/1']
const pages = [...kept, '/product/1']
const calls = ['/api/v1/product-detail-list/top=12&category=0&page=home']

let postgres: PostgresServer
let site: SiteProcess
let dataDir: string
beforeAll(async () => {
  postgres = await startPreparedPostgres()
  dataDir = tempFolder()
  site = await startSite({ DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' })
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

async function get(path: string, headers: Record<string, string> = {}) {
  // Only a request that hangs meets this time-out; the bench measures how fast answers are.
  const response = await fetch(site.origin + path, { headers, signal: AbortSignal.timeout(120_000) })
  const body = await response.text()
  return {
    path,
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    type: response.headers.get('content-type'),
    cacheStatus: response.headers.get('cache-status'),
    body,
  }
}

/** How long the answer takes. The session of this cookie is looked up before anything is answered. */
async function timed(path: string) {
  const asked = performance.now()
  const { status, retryAfter } = await get(path, { cookie: `__Host-sid=${'s'.repeat(43)}` })
  return { status, retryAfter, ms: performance.now() - asked }
}
/** A bearer's page counts as the office's (decision 0119), a cart as a visitor's. */
const askBoth = () => Promise.all([timed('/bring/unknown'), timed('/my-cart')])

async function untilReady(status: number): Promise<void> {
  while ((await get('/readyz')).status !== status) await sleep(25)
}

const statuses = async (paths: string[]) =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await get(path)).status])))

describe('an unreachable PostgreSQL', () => {
  test('while it is reachable, everything answers', async () => {
    expect(await statuses(['/healthz', '/readyz', ...pages, ...calls])).toEqual({
      '/healthz': 200,
      '/readyz': 200,
      '/': 200,
      '/en/buy/0': 200,
      '/buy/0?q=maadu': 200,
      '/product/1': 404,
      [calls[0]!]: 200,
    })
  })

  test('makes every call and new page answer 503 with Retry-After, and the site stays up', async () => {
    await postgres.crash()
    await untilReady(503)
    expect((await get('/healthz')).status).toBe(200)
    for (let round = 0; round < 3; round++) {
      for (const answer of await Promise.all([...unseen, ...calls].map((path) => get(path)))) {
        expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
        expect(answer.body).not.toMatch(/ECONNREFUSED|select |node_modules/)
        expect(answer.type).toMatch(answer.path.startsWith('/api/') ? 'application/problem+json' : 'text/html')
      }
    }
  })

  test('does not close the market: a visited page is served stale, with a note', async () => {
    for (const answer of await Promise.all(kept.map((path) => get(path)))) {
      expect(answer).toMatchObject({ status: 200, cacheStatus: 'sandhai; hit; detail=old' })
      expect(answer.body).toMatch(/id="old-note" role="status">[^<]{20}/)
    }
    expect((await get('/en/buy/0')).body).toContain('The market cannot be reached right now.')
    expect((await get('/')).body).toContain('சந்தையை இப்போது தொடர்புகொள்ள முடியவில்லை.')
  })

  test('is used again after its return, by the same process', async () => {
    await postgres.restart()
    await untilReady(200)
    await sleep(600) // wait until the page cache asks again
    expect(await statuses(pages)).toEqual({ '/': 200, '/en/buy/0': 200, '/buy/0?q=maadu': 200, '/product/1': 404 })
    expect((await get('/en/buy/0')).body).not.toContain('The market cannot be reached right now.')
    process.kill(site.pid, 0)
  })
})

describe.runIf(process.platform === 'linux')('a PostgreSQL that is frozen', () => {
  test('blocks nobody: pages are stale or a 503, and /healthz does not depend on it', async () => {
    // Open connections exist after this, on which a statement would wait.
    await Promise.all([statuses(pages), askBoth()])
    await postgres.freeze()
    try {
      const seen = Promise.all(kept.map((path) => get(path)))
      const answers = Promise.all([...unseen, ...calls, '/login'].map((path) => get(path)))
      const both = askBoth()
      await untilReady(503)
      expect((await get('/healthz')).status).toBe(200)
      for (const answer of await seen) {
        expect(answer).toMatchObject({ status: 200, cacheStatus: 'sandhai; hit; detail=old' })
      }
      for (const answer of await answers) {
        if (answer.path === '/login') expect(answer.status).toBe(200)
        else expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
      }
      const [ofOffice, ofVisitor] = await both
      for (const answer of [ofOffice, ofVisitor]) expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
      // The office waits longer than others only while the database answers (decision 0119). A wait for a silent one takes three times as long.
      expect(ofOffice.ms).toBeLessThan(2 * ofVisitor.ms)
    } finally {
      await postgres.thaw()
    }
    await untilReady(200)
    expect((await get('/')).status).toBe(200)
  })
})

test('a second start finds the market ready, on both databases', async () => {
  await startSite({ DATA_DIR: dataDir, DATABASE_URL: postgres.url })
  await startSite({ DATA_DIR: tempFolder(inject('preparedDataDir')) })
})
