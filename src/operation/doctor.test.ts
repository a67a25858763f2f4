import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { migrationHashes } from '#src/kit/db/migrate.server.ts'
import { startPostgres, type PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { ensureModeFits } from '#src/market/market-marks.server.ts'
import { openMarketVault } from '#src/market/vault-keys.server.ts'
import { noteBackup } from './backup/last-backup.server.ts'
import { examine } from './doctor.server.ts'
import { countRows, prepare, withDatabase, withEmbedded } from '#tools/test-kit/prepared.ts'
import { cleanUp, tempFolder } from '#tools/test-kit/site-process.ts'

const PEPPER = 'p'.repeat(32)
let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

let databases = 0
async function emptyDatabase(): Promise<string> {
  const admin = await openDatabase({ databaseUrl: postgres.adminUrl, dataDir: '' })
  const name = `doctor_${(databases += 1)}`
  await admin.db.execute(`create database ${name}`)
  await admin.close()
  return new URL(`/${name}`, postgres.url).href
}

async function preparedMarket() {
  const url = await emptyDatabase()
  await withDatabase(url, async (database) => {
    await prepare(database)
    await ensureModeFits(database.db, 'demo')
    await openMarketVault(database.db, { pepper: PEPPER, pepperOld: null, pepperNext: null })
  })
  const dataDir = tempFolder()
  mkdirSync(join(dataDir, 'media'))
  return { url, dataDir, variables: { DATABASE_URL: url, DATA_DIR: dataDir, PEPPER, SESSION_SECRET: 's'.repeat(32) } }
}

/** The problems found, without hints. */
const problemsOf = async (variables: Record<string, string>) =>
  (await examine(variables)).filter(({ level }) => level === 'problem').map(({ what, says }) => `${what}: ${says}`)

describe('an installation', () => {
  test('that works has no problem and stays unchanged', async () => {
    const { url, variables } = await preparedMarket()
    const before = await withDatabase(url, ({ db }) => countRows(db))
    expect(await problemsOf(variables)).toEqual([])
    expect(await withDatabase(url, ({ db }) => countRows(db))).toEqual(before)
  })

  test('that was never opened gets instructions for the start, and nothing is created', async () => {
    const dataDir = tempFolder()
    expect(await problemsOf({ DATA_DIR: dataDir })).toEqual([])
    expect((await examine({ DATA_DIR: dataDir })).map(({ what, level }) => `${what} ${level}`)).toContain('database hint')
    const url = await emptyDatabase()
    expect(await problemsOf({ DATABASE_URL: url, DATA_DIR: dataDir })).toEqual([
      'schema: no market was ever opened on it: npm start creates the tables',
    ])
  })

  test.each<[string, (market: Awaited<ReturnType<typeof preparedMarket>>) => Promise<Record<string, string>>, RegExp]>([
    ['without readable settings', async () => ({ MARKET_MODE: 'perhaps' }), /^settings: MARKET_MODE/],
    ['without a database', async ({ variables }) => ({ ...variables, DATABASE_URL: 'postgres://localhost:1/none' }), /^database: /],
    ['with another PEPPER', async ({ variables }) => ({ ...variables, PEPPER: 'q'.repeat(32) }), /^marks: PEPPER is not the one/],
    [
      'with maintenance left on',
      async ({ variables, dataDir }) => {
        writeFileSync(join(dataDir, 'maintenance'), '')
        return variables
      },
      /^switches: maintenance is on/,
    ],
    [
      'with waiting messages',
      async ({ variables, url }) => {
        await withDatabase(url, ({ db }) =>
          db.execute(sql`insert into outbox (channel, recipient, template, locale, body, max_attempts, due_at)
            values ('sms', '+919000000001', 'otp', 'ta', 'x', 7, now() - interval '1 hour')`),
        )
        return variables
      },
      /^messages: 1 waiting, the oldest for 60 minutes/,
    ],
    [
      'with a refusing provider, so that each message waits for its next try',
      async ({ variables, url }) => {
        await withDatabase(url, ({ db }) =>
          db.execute(sql`insert into outbox (channel, recipient, template, locale, body, attempts, due_at)
            values ('sms', '+919000000001', 'ticket-opened', 'ta', 'x', 4, now() + interval '10 minutes')`),
        )
        return variables
      },
      /^messages: 1 waiting, the oldest for 16 minutes/,
    ],
    [
      'whose backups have stopped',
      async ({ variables, dataDir }) => {
        await noteBackup(dataDir, new Date(Date.now() - 31 * 3_600_000))
        return variables
      },
      /^backups: the last one is 31 hours old/,
    ],
    [
      'of a newer release',
      async ({ variables, url }) => {
        await withDatabase(url, ({ db }) => db.execute(sql`insert into schema_migrations (number, hash) values (9999, 'of tomorrow')`))
        return variables
      },
      /^schema: it belongs to a newer release/,
    ],
  ])('%s gets a problem that says so', async (_, breakIt, says) => {
    const problems = await problemsOf(await breakIt(await preparedMarket()))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(says)
  })

  test('that has a backup of last night is well; without any, a live one has a problem and a demo a hint', async () => {
    const { variables, dataDir } = await preparedMarket()
    const about = async (more: Record<string, string> = {}) =>
      (await examine({ ...variables, ...more })).find(({ what }) => what === 'backups')
    expect(await about()).toMatchObject({ level: 'hint', says: expect.stringContaining('none was made') as string })
    const live = {
      MARKET_MODE: 'live',
      PUBLIC_ORIGIN: 'https://sandhai.example',
      SESSION_SECRET: 'k3T9vQz7LmX2pRw8YbN4cHs6JdF1gA5eUoIyVtKrZBM',
      PEPPER: '9f1c7e4ab2d80563f7e91a4cc8b35d2670ae41fb98d3c516',
      SMS_PROVIDER: 'msg91',
      MSG91_AUTH_KEY: 'key-0123456789',
      MSG91_TEMPLATES: 'otp.ta=flowta0001, otp.en=flowen0001',
    }
    expect(await about(live)).toMatchObject({ level: 'problem', says: expect.stringContaining('none was made') as string })
    await noteBackup(dataDir, new Date(Date.now() - 20 * 3_600_000))
    expect(await about()).toMatchObject({ level: 'well', says: 'the last one is 20 hours old' })
  })

  test('that was upgraded and taken back works, and gets the hint that it is ahead of its release', async () => {
    const { url, variables } = await preparedMarket()
    await withDatabase(url, async ({ db }) => {
      await db.execute(sql`insert into schema_migrations (number, hash) select count(*), 'of tomorrow' from schema_migrations`)
      const says = `At ${migrationHashes().length + 1} migrations, releases that know ${migrationHashes().length} or more run on this schema.`
      await db.execute(sql.raw(`comment on table schema_migrations is '${says}'`))
    })
    expect(await problemsOf(variables)).toEqual([])
    expect((await examine(variables)).find(({ what }) => what === 'schema')).toMatchObject({
      level: 'hint',
      says: expect.stringContaining('1 migrations ahead of this release, which runs on it') as string,
    })
  })

  test('on the embedded database that the site has open gets the report that another process uses it', async () => {
    const dataDir = tempFolder()
    await withEmbedded(dataDir, async (database) => {
      await prepare(database)
      expect(await problemsOf({ DATA_DIR: dataDir })).toEqual([expect.stringContaining('Another process is using the embedded database')])
    })
  })
})
