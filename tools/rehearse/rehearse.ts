import { setTimeout as sleep } from 'node:timers/promises'
import { withDatabase, prepare } from '#tools/test-kit/prepared.ts'
import { rowsAt, startCluster } from './database.ts'
import { faults, type Fault, type Stage } from './faults.ts'
import { startFront, startSites } from './front.ts'
import { isClean, judge, longestGap } from './history.ts'
import { makeIntents, readHistory, SECRETS, sendCrowd } from './people.ts'
import { rehearsalFolder, until } from './programs.ts'
import { startStore } from './store.ts'

/** The promised limits (docs/rehearsals.md). */
const BROWSING_MS = 2000
const ORDERS_MS = 15_000

const SITES = 2
const BUYERS = 3000
const WRITERS = 6
const QUIET_MS = 3000
/** How long a fault lasts, unless people are served again earlier. */
const BROKEN_MS = 12_000
const AFTERWARDS_MS = 3000

export async function rehearse({ times, only }: { times: number; only: string[] | null }): Promise<boolean> {
  const chosen = Object.entries(faults).filter(([name]) => only === null || only.includes(name))
  if (chosen.length === 0) throw new Error(`Unknown fault. Known faults: ${Object.keys(faults).join(', ')}`)
  const stage = await setStage()
  console.log(
    '| what broke | time | browsing away for | orders away for | acknowledged | lost | doubled | stock wrong | refused meanwhile |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  let isWell = true
  for (let time = 1; time <= times; time += 1) for (const [, fault] of chosen) isWell = (await strike(stage, fault, time)) && isWell
  return isWell
}

async function setStage(): Promise<Stage & { leaderUrl: string }> {
  const began = performance.now()
  const report = (what: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(3)} s  ${what}`)
  const [cluster, store] = await Promise.all([startCluster(), startStore()])
  const front = await startFront(cluster.nodes, SITES)
  await cluster.untilWhole()
  report('three PostgreSQL with Patroni, etcd, an object store, HAProxy and PgBouncer')
  await until('the leader behind HAProxy', async () => (await rowsAt(front.leaderPort, 'select 1', [], 'postgres')).length === 1)
  await rowsAt(front.leaderPort, 'create database sandhai', [], 'postgres')
  const leaderUrl = `postgres://postgres@127.0.0.1:${front.leaderPort}/sandhai`
  await withDatabase(leaderUrl, prepare)
  await startSites(front, {
    ...SECRETS,
    DATABASE_URL: `postgres://postgres@127.0.0.1:${front.poolerPort}/sandhai`,
    DATABASE_DIRECT_URL: leaderUrl,
    DATABASE_CLUSTER: 'sandhai',
    DATA_DIR: rehearsalFolder('data'),
    PUBLIC_ORIGIN: `https://localhost:${front.port}`,
    TRUSTED_PROXIES: '1',
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'warn',
    PICTURES_BUCKET: store.url,
    PICTURES_KEY_ID: store.keyId,
    PICTURES_SECRET: store.secret,
  })
  report(`${SITES} processes of the site behind HAProxy with TLS`)
  return { cluster, front, store, leaderUrl }
}

async function strike(stage: Stage & { leaderUrl: string }, fault: Fault, time: number): Promise<boolean> {
  const { cluster, front, leaderUrl } = stage
  await cluster.untilWhole()
  const { intents, listingIds } = await makeIntents(leaderUrl, BUYERS)
  const paths = ['/', '/en', `/product/${listingIds[0]}`, `/en/product/${listingIds[1]}`]
  const crowd = sendCrowd(front.port, intents, { writers: WRITERS, everyMs: 50, paths })
  await until('orders and pages', () => crowd.orders.length > 20 && paths.every((path) => (crowd.pages.get(path)?.length ?? 0) > 5))
  await sleep(QUIET_MS)
  const from = crowd.now()
  const mend = await fault.strike(stage)
  await sleep(BROKEN_MS)
  const broken = crowd.orders.length
  await until('orders again', () => crowd.orders.length > broken + 20, 90_000)
  await mend()
  await cluster.untilWhole()
  await sleep(AFTERWARDS_MS)
  const to = crowd.now()
  await crowd.stop()
  const orders = longestGap(crowd.orders, from, to)
  const gaps = paths.map((path) => ({ path, gap: longestGap(crowd.pages.get(path)!, from, to) }))
  const browsing = Math.max(...gaps.map(({ gap }) => gap))
  const { entries, shelves } = await readHistory(front.leaderPort, intents, listingIds)
  const verdict = judge(entries, shelves)
  const isWell = isClean(verdict) && browsing <= BROWSING_MS && orders <= ORDERS_MS
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const refused = [...crowd.refusals].map(([what, count]) => `${what.trim()} ${count}×`).join(', ')
  console.log(
    `| ${[fault.title, time, seconds(browsing), seconds(orders), verdict.acknowledged, verdict.lost.length, verdict.doubled.length, verdict.wrongStock.length, refused].join(' | ')} |${isWell ? '' : ' ✗'}`,
  )
  if (browsing > BROWSING_MS) console.log(gaps.map(({ path, gap }) => `${path}: ${seconds(gap)}`).join(', '))
  if (!isClean(verdict)) console.log(JSON.stringify(verdict))
  return isWell
}
