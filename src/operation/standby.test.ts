import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { freePort } from '#tools/test-kit/free-port.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { pageTable } from '../page-table.ts'
import { examine } from './doctor.server.ts'
import { fillMarket, PEPPER } from '#tools/test-kit/full-market.ts'
import { startPreparedPostgres, withDatabase } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'

let leader: PostgresServer
let follower: PostgresServer
let site: SiteProcess
let port: number
let animal: number
let session: string
let dataDir: string
beforeAll(async () => {
  leader = await startPreparedPostgres()
  dataDir = tempFolder()
  const database = await openDatabase({ databaseUrl: leader.url, dataDir: '' })
  ;({ listingId: animal, session } = await fillMarket(database, dataDir))
  await database.close()
  follower = await leader.standby()
  port = await freePort()
  site = await startSite({
    DATA_DIR: dataDir,
    DATABASE_URL: leader.url,
    DATABASE_REPLICA_URL: follower.url,
    PEPPER,
    LOG_LEVEL: 'error',
    OPERATOR_PORT: String(port),
  })
})
afterAll(async () => {
  await cleanUp()
  await follower?.stop()
  await leader?.stop()
})

async function readsBy(outcome: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(new RegExp(`^sandhai_standby_reads_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0)
}

/** How many of the visit's reads the standby answered, once it has caught up. */
async function fromStandby(visit: () => Promise<unknown>): Promise<number> {
  const before = await readsBy('read')
  await visit()
  return (await readsBy('read')) - before
}

const open = async (path: string, headers: Record<string, string> = {}) => {
  const { status } = await fetch(site.origin + path, { headers, redirect: 'manual' })
  return status
}
/** Makes all cached pages stale: the trigger fires per statement, so it needs no row. */
const forgetPages = () => withDatabase(leader.url, ({ db }) => db.execute(sql`update listings set stock = stock where false`))

/** A new address each time, so that no cache answers. */
let visits = 0
const anew = (path: string) => `${path}?q=${(visits += 1)}`

describe('a site with a standby', () => {
  test('renders every cached page and shared call for anonymous visitors from it, and nothing for anybody else', async () => {
    await expect.poll(() => fromStandby(() => open(anew('/buy/0')))).toBe(1)
    const paths = pageTable
      .filter(({ cachedBy, path }) => cachedBy && path !== ':page')
      .map(({ path }) =>
        `/${path}`
          .replace(':typeId', '1')
          .replace(':productId', String(animal))
          .replace(':breed', 'kangayam')
          .replace(/:\w+Id/, '1'),
      )
    expect(paths.length).toBeGreaterThan(5)
    const answers: string[] = []
    for (const path of [...paths, `/api/v1/product/id=${animal}`, '/api/v1/product-top/top=5']) {
      const visit = async () => {
        await forgetPages()
        return fromStandby(async () => answers.push(`${path} ${await open(path)}`))
      }
      // A busy standby may lag now and then.
      await expect.poll(visit, { timeout: 60_000 }).toBe(1)
    }
    expect(answers.filter((answer) => !/ (200|404)$/.test(answer))).toEqual([])
    expect(await readsBy('failed')).toBe(0)
    const own = { cookie: `__Host-sid=${session}` }
    expect(await fromStandby(() => open(anew('/buy/0'), own))).toBe(0)
    expect(await fromStandby(() => open('/login'))).toBe(0)
  })

  test('shows the same pages while it is away, and reads from it when it is back', async () => {
    const doctorSays = async () => {
      const found = await examine({ DATABASE_URL: leader.url, DATABASE_REPLICA_URL: follower.url, DATA_DIR: dataDir, PEPPER })
      return found.find(({ what }) => what === 'standby')?.level
    }
    expect(await doctorSays()).toBe('well')
    await follower.crash()
    expect(await doctorSays()).toBe('hint')
    const statuses = await Promise.all(Array.from({ length: 12 }, () => open(anew('/buy/0'))))
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(await readsBy('away')).toBeGreaterThan(0)
    await follower.restart()
    await expect.poll(() => fromStandby(() => open(anew('/buy/0'))), { timeout: 60_000 }).toBe(1)
  })
})
