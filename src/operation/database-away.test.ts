import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { PostgresServer } from '../kit/testing/postgres-server.ts'
import { startPreparedPostgres } from './prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from './site-process.ts'

/** Seen while the database was there, so they are kept. */
const kept = ['/', '/en/buy/0', '/buy/0?q=maadu']
/** Nobody has seen these, or they are drawn for one person. */
const unseen = ['/en/buy/0?q=aadu', '/product/1']
const pages = [...kept, '/product/1']
const calls = ['/api/v1/product-detail-list/top=12&category=0&page=home']

let postgres: PostgresServer
let site: SiteProcess
beforeAll(async () => {
  postgres = await startPreparedPostgres()
  site = await startSite({ DATA_DIR: tempFolder(), DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' })
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

async function get(path: string) {
  const asked = performance.now()
  const response = await fetch(site.origin + path, { signal: AbortSignal.timeout(20_000) })
  const body = await response.text()
  return {
    path,
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    type: response.headers.get('content-type'),
    cacheStatus: response.headers.get('cache-status'),
    body,
    tookMs: performance.now() - asked,
  }
}

async function untilReady(status: number, withinMs: number): Promise<number> {
  const began = performance.now()
  while ((await get('/readyz')).status !== status) {
    expect(performance.now() - began).toBeLessThan(withinMs)
    await sleep(25)
  }
  return performance.now() - began
}

const statuses = async (paths: string[]) =>
  Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await get(path)).status])))

describe('a PostgreSQL that is gone', () => {
  test('while it is there, everything answers', async () => {
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

  test('is said within three seconds by every call and unseen page: 503 with Retry-After, and the site lives', async () => {
    await postgres.crash()
    await untilReady(503, 2000)
    expect((await get('/healthz')).status).toBe(200)
    for (let round = 0; round < 3; round++) {
      for (const answer of await Promise.all([...unseen, ...calls].map(get))) {
        expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
        expect(answer.tookMs).toBeLessThan(3000)
        expect(answer.body).not.toMatch(/ECONNREFUSED|select |node_modules/)
        expect(answer.type).toMatch(answer.path.startsWith('/api/') ? 'application/problem+json' : 'text/html')
      }
    }
  })

  test('does not close the market: a page seen before is shown as it was, and says so', async () => {
    for (const answer of await Promise.all(kept.map(get))) {
      expect(answer).toMatchObject({ status: 200, cacheStatus: 'sandhai; hit; detail=old' })
      expect(answer.body).toMatch(/id="old-note" role="status">[^<]{20}/)
      expect(answer.tookMs).toBeLessThan(3000)
    }
    expect((await get('/en/buy/0')).body).toContain('The market cannot be reached right now.')
    expect((await get('/')).body).toContain('சந்தையை இப்போது தொடர்புகொள்ள முடியவில்லை.')
  })

  test('is used again within two seconds of its return, by the same process', async () => {
    await postgres.restart()
    await untilReady(200, 2000)
    await sleep(600) // for so long the page cache does not ask again
    expect(await statuses(pages)).toEqual({ '/': 200, '/en/buy/0': 200, '/buy/0?q=maadu': 200, '/product/1': 404 })
    expect((await get('/en/buy/0')).body).not.toContain('The market cannot be reached right now.')
    process.kill(site.pid, 0)
  })
})

describe.runIf(process.platform === 'linux')('a PostgreSQL that has frozen and says nothing', () => {
  const signalAll = (name: 'STOP' | 'CONT') => {
    const children = readFileSync(`/proc/${postgres.pid()}/task/${postgres.pid()}/children`, 'utf8').trim().split(' ')
    execFileSync('kill', [`-${name}`, String(postgres.pid()), ...children])
  }

  test('keeps nobody waiting: within three seconds there is the page as it was, or a 503, and /healthz never waits', async () => {
    await statuses(pages) // there are open connections now, on which a question would wait
    signalAll('STOP')
    try {
      const seen = Promise.all(kept.map(get))
      const answers = Promise.all([...unseen, ...calls, '/login'].map(get))
      await untilReady(503, 2000)
      expect((await get('/healthz')).tookMs).toBeLessThan(200)
      for (const answer of await seen) {
        expect(answer).toMatchObject({ status: 200, cacheStatus: 'sandhai; hit; detail=old' })
        expect(answer.tookMs).toBeLessThan(3000)
      }
      for (const answer of await answers) {
        if (answer.path === '/login') expect(answer.status).toBe(200)
        else expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
        expect(answer.tookMs).toBeLessThan(3000)
      }
    } finally {
      signalAll('CONT')
    }
    await untilReady(200, 2000)
    expect((await get('/')).status).toBe(200)
  })
})

test('a second start finds the market ready in under five seconds, on both databases', async () => {
  const second = await startSite({ DATA_DIR: tempFolder(), DATABASE_URL: postgres.url })
  const embedded = await startSite({ DATA_DIR: tempFolder(inject('preparedDataDir')) })
  console.log(`second start: PostgreSQL ${Math.round(second.readyAfterMs)} ms, embedded ${Math.round(embedded.readyAfterMs)} ms`)
  expect(second.readyAfterMs).toBeLessThan(5000)
  expect(embedded.readyAfterMs).toBeLessThan(5000)
})
