import { setTimeout as sleep } from 'node:timers/promises'
import { startPreparedPostgres } from '../src/operation/prepared.ts'
import { cleanUp, startSite, tempFolder } from '../src/operation/site-process.ts'
import type { Section } from './result.ts'

/** A path requested while the database was there, so its page is cached; the others are not. */
const cachedPath = '/'
const unseen = ['/en/buy/0?q=aadu', '/api/v1/product-detail-list/top=12&category=0&page=home']
const ROUNDS = 5

/** How long people wait while the database is unreachable (safety.md §3). Tests check the answers; this measures their times. */
export async function absence(): Promise<Section[]> {
  const postgres = await startPreparedPostgres()
  try {
    const { origin, signal, ended } = await startSite({ DATA_DIR: tempFolder(), DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' })
    const ask = async (path: string) => {
      const began = performance.now()
      const response = await fetch(origin + path)
      await response.arrayBuffer()
      return { status: response.status, seconds: (performance.now() - began) / 1000 }
    }
    const slowest = async (paths: string[]) => {
      let most = 0
      for (let round = 0; round < ROUNDS; round++) {
        for (const { seconds } of await Promise.all(paths.map(ask))) most = Math.max(most, seconds)
      }
      return most
    }
    const untilReady = async (status: number) => {
      const began = performance.now()
      while ((await ask('/readyz')).status !== status) await sleep(20)
      return (performance.now() - began) / 1000
    }
    await ask(cachedPath)
    await postgres.crash()
    const noticed = await untilReady(503)
    const refused = await slowest(unseen)
    const old = await slowest([cachedPath])
    await postgres.restart()
    const back = await untilReady(200)
    await postgres.freeze()
    const [frozen, frozenOld, healthy] = await Promise.all([slowest(unseen), slowest([cachedPath]), slowest(['/healthz'])])
    await postgres.thaw()
    await untilReady(200)
    const signalled = performance.now()
    signal('SIGTERM')
    await ended
    const stop = (performance.now() - signalled) / 1000
    const figure = (name: string, value: number, atMost: number, note = '') => ({ name, value, unit: 's' as const, atMost, note })
    return [
      {
        title: 'Absence',
        explains: `Seconds, the slowest of ${ROUNDS} rounds: first with PostgreSQL killed, then frozen, so that connections stay open without answers.`,
        figures: [
          figure('killed: /readyz says so', noticed, 2),
          figure('killed: an unseen page or call is refused', refused, 3),
          figure('killed: a seen page comes as it was', old, 3),
          figure('back: /readyz says so', back, 2),
          figure('frozen: an unseen page or call is refused', frozen, 3),
          figure('frozen: a seen page comes as it was', frozenOld, 3),
          figure('frozen: /healthz', healthy, 0.2),
          figure('SIGTERM until the end', stop, 10),
        ],
      },
    ]
  } finally {
    await cleanUp()
    await postgres.stop()
  }
}
