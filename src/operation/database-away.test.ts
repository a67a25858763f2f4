import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { PostgresServer } from '../kit/testing/postgres-server.ts'
import { startPreparedPostgres } from './prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from './site-process.ts'

const pages = ['/', '/en/buy/0', '/buy/0?q=maadu', '/product/1']
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

  test('is said within three seconds by every page and call: 503 with Retry-After, and the site lives', async () => {
    await postgres.crash()
    await untilReady(503, 2000)
    expect((await get('/healthz')).status).toBe(200)
    for (let round = 0; round < 3; round++) {
      for (const answer of await Promise.all([...pages, ...calls].map(get))) {
        expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
        expect(answer.tookMs).toBeLessThan(3000)
        expect(answer.body).not.toMatch(/ECONNREFUSED|select |node_modules/)
        expect(answer.type).toMatch(answer.path.startsWith('/api/') ? 'application/problem+json' : 'text/html')
      }
    }
  })

  test('is used again within two seconds of its return, by the same process', async () => {
    await postgres.restart()
    await untilReady(200, 2000)
    expect(await statuses(pages)).toEqual({ '/': 200, '/en/buy/0': 200, '/buy/0?q=maadu': 200, '/product/1': 404 })
    process.kill(site.pid, 0)
  })
})

describe.runIf(process.platform === 'linux')('a PostgreSQL that has frozen and says nothing', () => {
  const signalAll = (name: 'STOP' | 'CONT') => {
    const children = readFileSync(`/proc/${postgres.pid()}/task/${postgres.pid()}/children`, 'utf8').trim().split(' ')
    execFileSync('kill', [`-${name}`, String(postgres.pid()), ...children])
  }

  test('keeps nobody waiting for ever: after seven seconds at most it is 503, and /healthz never waits', async () => {
    await statuses(pages) // there are open connections now, on which a question would wait
    signalAll('STOP')
    try {
      const answers = Promise.all([...pages, ...calls].map(get))
      await untilReady(503, 2000)
      expect((await get('/healthz')).tookMs).toBeLessThan(200)
      for (const answer of await answers) {
        expect(answer).toMatchObject({ status: 503, retryAfter: '2' })
        expect(answer.tookMs).toBeLessThan(7500)
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
