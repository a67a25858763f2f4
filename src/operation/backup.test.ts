import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { findBrokenSeal } from '#src/kit/records/audit.server.ts'
import { inTransaction, openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { startPostgres, type PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { claimPictures } from '#src/market/media-owner.server.ts'
import { folderPlace } from '#src/kit/media/picture-place.server.ts'
import { makeBackup } from './backup/backup.server.ts'
import { writeNewKey } from './backup/key-file.server.ts'
import { restoreBackup } from './backup/restore.server.ts'
import { BackupRefused } from './backup/sealed-file.server.ts'
import { allFacts, type TableFacts } from './backup/tables.server.ts'
import { addPicture, envOf, fillMarket, NASTY, PEPPER } from '#tools/test-kit/full-market.ts'
import { prepare, rowsOf } from '#tools/test-kit/prepared.ts'
import { cleanUp, launchSite, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

let postgres: PostgresServer
let keyFile: string
let recipient: string
beforeAll(async () => {
  postgres = await startPostgres()
  keyFile = join(tempFolder(), 'backup.key')
  recipient = await writeNewKey(keyFile)
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

let databases = 0
async function emptyPostgres(): Promise<string> {
  const admin = await openDatabase({ databaseUrl: postgres.adminUrl, dataDir: '' })
  const name = `backup_${(databases += 1)}`
  await admin.db.execute(`create database ${name}`)
  await admin.close()
  return new URL(`/${name}`, postgres.url).href
}

const inside = async <T>({ databaseUrl, dataDir }: Env, use: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase({ databaseUrl, dataDir })
  return use(database).finally(() => database.close())
}

const engines = ['embedded', 'postgres'] as const
type Engine = (typeof engines)[number]

async function emptyPlace(engine: Engine): Promise<Env> {
  return envOf(tempFolder(), engine === 'postgres' ? await emptyPostgres() : null, { backupRecipients: [recipient] })
}

interface Filled {
  env: Env
  facts: TableFacts[]
  filled: Awaited<ReturnType<typeof fillMarket>>
}

async function filledMarket(engine: Engine): Promise<Filled> {
  const place = await emptyPlace(engine)
  const env = engine === 'embedded' ? { ...place, dataDir: tempFolder(inject('preparedDataDir')) } : place
  return inside(env, async (database) => {
    if (engine === 'postgres') await prepare(database)
    const filled = await fillMarket(database, env.dataDir)
    return { env, filled, facts: await database.bulk('reads', allFacts) }
  })
}

const markets = new Map<Engine, Promise<Filled>>()
const market = (engine: Engine) => {
  const known = markets.get(engine) ?? filledMarket(engine)
  markets.set(engine, known)
  return known
}
/** Tables whose rows do not survive a restore. */
const left = ['sessions', 'otps', 'outbox', 'page_changes', 'run_links']
const others = (facts: TableFacts[]) => facts.filter(({ name }) => !left.includes(name))

const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof BackupRefused ? error.message : error),
  )

/** Everything in the catalogue about tables, columns, keys, indexes and triggers. */
const shapeOf = ({ db }: Database) =>
  rowsOf(
    db,
    sql.raw(`
    select 'c' as kind, table_name || '.' || column_name as name, concat_ws(' ', data_type, is_nullable, column_default, is_identity) as what
      from information_schema.columns where table_schema = 'public'
    union all select 'k', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) || convalidated::text from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select 'i', indexrelid::regclass::text, pg_get_indexdef(indexrelid) || indisvalid::text from pg_index i
      join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
    union all select 't', tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    order by 1, 2, 3`),
  )

describe.each(engines)('a backup of a market on %s', (from) => {
  test.each(engines)('is restored on %s: every table, sequence, key and trigger, every picture, and no session', async (to) => {
    const { env, facts, filled } = await market(from)
    const folder = tempFolder()
    const made = await makeBackup(env, { to: folder })
    expect(made).toMatchObject({ pictures: filled.pictures.length, copied: filled.pictures.length, missing: [] })
    const place = await emptyPlace(to)
    const done = await restoreBackup(place, { from: folder, key: keyFile })
    expect(done).toMatchObject({ tables: facts.length, pictures: filled.pictures.length })
    for (const key of filled.pictures) {
      const files = (dir: string) => readdirSync(dir).map((name) => [name, readFileSync(join(dir, name)).toString('base64')])
      const at = (dataDir: string) => files(join(dataDir, 'media', key.slice(0, 2), key))
      expect(at(place.dataDir)).toEqual(at(env.dataDir))
      expect(at(place.dataDir).length).toBeGreaterThan(8)
    }
    await inside(place, async (database) => {
      expect(others(await database.bulk('reads', allFacts))).toEqual(others(facts))
      expect(others(facts).filter(({ rows }) => rows !== '0').length).toBeGreaterThan(25)
      const fresh = await emptyPlace(to)
      await inside(fresh, async (other) => {
        await other.migrate()
        expect(await shapeOf(database)).toEqual(await shapeOf(other))
      })
      expect(await rowsOf(database.db, sql`select description from listings where id = ${filled.listingId}`)).toEqual([
        { description: NASTY },
      ])
      expect(await rowsOf(database.db, sql`select 1 from sessions`)).toEqual([])
      expect(await rowsOf(database.db, sql`select last_error as why from outbox where sent_at is null`)).toContainEqual({ why: 'RESTORED' })
      // Sequences continue after the last row, triggers fire, the audit trail verifies, and the folder belongs to this database.
      const [{ id: last }] = (await rowsOf<{ id: number }>(database.db, sql`select max(id)::int as id from users`)) as [{ id: number }]
      const ctx = testCtx(database.db)
      expect((await makeUser(ctx)).id).toBe(last + 1)
      await expect(database.db.execute(sql`update audit_events set event = 'x'`)).rejects.toThrow()
      await database.db.execute(sql`update listings set stock = stock where id = ${filled.listingId}`)
      expect((await rowsOf(database.db, sql`select 1 from page_changes`)).length).toBe(1)
      expect(await findBrokenSeal(database.db, ctx.vault)).toBeNull()
      expect(await claimPictures(database, folderPlace(join(place.dataDir, 'media')))).toBe('ours')
    })
  })
})

describe('a backup folder', () => {
  test('receives only new pictures, reports missing ones, and keeps the requested number of backups', async () => {
    const { env, filled } = await filledMarket('postgres')
    const to = tempFolder()
    await makeBackup(env, { to, now: new Date('2026-01-01T00:00:00Z') })
    const young = (await addPicture(env.dataDir, 9)).mediaKey
    const gone = filled.pictures[0]!
    await inside(env, async ({ db }) => {
      await db.execute(sql`update users set picture_key = ${young} where id = (select min(id) from users)`)
      await db.execute(sql`update users set picture_key = 'aaaaaaaaaaaaaaaaaaaa' where id = (select max(id) from users)`)
      await db.execute(sql`delete from listing_photos where media_key = ${gone}`)
    })
    // A killed backup leaves this behind.
    mkdirSync(join(to, 'backups/.draft-2026-01-01T120000Z-1'), { recursive: true })
    mkdirSync(join(to, 'pictures', young.slice(0, 2)), { recursive: true })
    writeFileSync(join(to, 'pictures', young.slice(0, 2), `${young}.part`), 'half')
    const second = await makeBackup(env, { to, now: new Date('2026-01-02T00:00:00Z') })
    expect(second).toMatchObject({ copied: 1, missing: ['aaaaaaaaaaaaaaaaaaaa'], pruned: 0 })
    const third = await makeBackup(env, { to, keep: 2, now: new Date('2026-01-03T00:00:00Z') })
    expect(third).toMatchObject({ copied: 0, pruned: 1 })
    const keys = readdirSync(join(to, 'pictures'), { recursive: true }).map((name) => String(name).slice(3, 23))
    expect(keys).toContain(young)
    expect(keys).not.toContain(gone)
    const place = await emptyPlace('embedded')
    expect(await restoreBackup(place, { from: to, key: keyFile, name: '2026-01-02T000000Z' })).toMatchObject({ pictures: 3 })
  })
})

describe('a restore refuses with one line and creates nothing for', () => {
  let to: string
  let backup: string
  beforeAll(async () => {
    const { env } = await market('embedded')
    to = tempFolder()
    backup = (await makeBackup(env, { to })).folder
  })

  /** Restores from a damaged copy of the folder. */
  async function refused(spoil: (root: string, backup: string) => void, how: { key?: string; pepper?: string } = {}) {
    const root = tempFolder(to)
    spoil(root, join(root, 'backups', backup.split('/').at(-1)!))
    const place = { ...(await emptyPlace('embedded')), ...(how.pepper && { pepper: how.pepper }) }
    const line = String(await refusal(restoreBackup(place, { from: root, key: how.key ?? keyFile })))
    expect(line.split('\n')).toHaveLength(1)
    return { line: line.replaceAll(root, ''), place }
  }
  const nothingIn = ({ dataDir }: Env) => !existsSync(join(dataDir, 'database')) && !existsSync(join(dataDir, 'media'))
  const flip = (file: string) => {
    const bytes = readFileSync(file)
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    writeFileSync(file, bytes)
  }
  const firstPicture = (root: string) =>
    join(root, 'pictures', String(readdirSync(join(root, 'pictures'), { recursive: true }).find((name) => String(name).endsWith('.age'))))

  test('a truncated database', async () => {
    const { line, place } = await refused((_, folder) => truncateSync(join(folder, 'database.gz.age'), 5000))
    expect(line).toMatch(/^The backup is truncated: \S+database\.gz\.age has 5000 bytes instead of \d+\.$/)
    expect(nothingIn(place)).toBe(true)
  })

  test('an altered database, list or manifest', async () => {
    for (const name of ['database.gz.age', 'pictures.txt', 'manifest.json']) {
      const { line, place } = await refused((_, folder) => flip(join(folder, name)))
      expect(line).toMatch(/^The backup is damaged or was altered: /)
      expect(line).toContain(name)
      expect(nothingIn(place)).toBe(true)
    }
  })

  test('a manifest whose hashes were made to fit another database', async () => {
    const { line } = await refused((_, folder) => {
      const file = join(folder, 'manifest.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"rows": "\d+"/, '"rows": "1"'))
    })
    expect(line).toMatch(/damaged or was altered: \S+manifest\.json/)
  })

  test('a missing or altered picture', async () => {
    const missing = await refused((root) => rmSync(firstPicture(root)))
    expect(missing.line).toMatch(/^The backup lacks the picture /)
    const altered = await refused((root) => flip(firstPicture(root)))
    expect(altered.line).toMatch(/^The backup is damaged or was altered: \/pictures\//)
    expect(existsSync(join(altered.place.dataDir, 'database/PG_VERSION')) && existsSync(join(altered.place.dataDir, 'media/.owner'))).toBe(
      false,
    )
  })

  test('another key, no key, another PEPPER, and a folder without a backup', async () => {
    const other = join(tempFolder(), 'other.key')
    await writeNewKey(other)
    expect((await refused(() => {}, { key: other })).line).toMatch(/^The key does not open this backup: /)
    expect((await refused(() => {}, { key: '/nowhere' })).line).toBe('The key file /nowhere cannot be read.')
    const wrong = await refused(() => {}, { pepper: 'q'.repeat(32) })
    expect(wrong.line).toBe('PEPPER is not the one of this backup.')
    expect(nothingIn(wrong.place)).toBe(true)
    expect((await refused((root) => rmSync(join(root, 'backups'), { recursive: true }))).line).toBe('There is no backup in .')
  })

  test.each(engines)('a non-empty database on %s, and a non-empty picture folder', async (engine) => {
    const { env } = await market(engine)
    const elsewhere = { ...env, dataDir: engine === 'embedded' ? env.dataDir : tempFolder() }
    if (engine === 'embedded') {
      elsewhere.dataDir = tempFolder()
      cpSync(join(env.dataDir, 'database'), join(elsewhere.dataDir, 'database'), { recursive: true })
    }
    expect(await refusal(restoreBackup(elsewhere, { from: to, key: keyFile }))).toMatch(/^The database is not empty\./)
    const place = await emptyPlace(engine)
    mkdirSync(join(place.dataDir, 'media/ab'), { recursive: true })
    expect(await refusal(restoreBackup(place, { from: to, key: keyFile }))).toMatch(/^The picture folder \S+ is not empty\./)
  })
})

describe('while people write', () => {
  const pairs = async ({ db }: Database) => {
    const [row] = await rowsOf<{ users: number; addresses: number }>(
      db,
      sql`select (select count(*)::int from users where name = 'pair') as users, (select count(*)::int from addresses where name = 'pair') as addresses`,
    )
    return row!
  }

  test('a backup is one snapshot: of two rows that belong together it has both or neither; control: reading table after table has not', async () => {
    const { env } = await filledMarket('postgres')
    let isWriting = true
    const writing = inside(env, async ({ db }) => {
      const ctx = testCtx(db)
      while (isWriting) {
        await inTransaction(ctx, async (ctx) => {
          const { id } = await makeUser(ctx, { name: 'pair' })
          await makeAddress(ctx, id, { name: 'pair' })
        })
      }
    })
    const to = tempFolder()
    await inside(env, async ({ db }) => {
      const count = async (table: string) =>
        (await rowsOf<{ n: number }>(db, sql.raw(`select count(*)::int as n from ${table} where name = 'pair'`)))[0]!.n
      let isTorn = false
      while (!isTorn) {
        const before = await count('users')
        await sleep(20)
        isTorn = before !== (await count('addresses'))
      }
    })
    await makeBackup(env, { to })
    isWriting = false
    await writing
    const place = await emptyPlace('postgres')
    await restoreBackup(place, { from: to, key: keyFile })
    const found = await inside(place, pairs)
    expect(found.users).toBeGreaterThan(0)
    expect(found.addresses).toBe(found.users)
    expect((await inside(env, pairs)).users).toBeGreaterThan(found.users)
  })
})

describe('the commands', () => {
  const variables = ({ dataDir, databaseUrl }: Env) => ({
    DATA_DIR: dataDir,
    PEPPER,
    BACKUP_RECIPIENT: recipient,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  const run = (script: string, args: string[], env: Record<string, string>) =>
    launchSite(env, { program: `scripts/${script}.ts`, args }).ended

  test('back up, and rehearse the restore on both engines: every table, every picture, a login and an order', async () => {
    const { env, filled } = await market('embedded')
    const to = tempFolder()
    const backup = await run('backup', ['--to', to], variables(env))
    expect(backup).toMatchObject({ code: 0, err: [] })
    expect(backup.out.join('\n')).toContain(`${filled.pictures.length} pictures (${filled.pictures.length} new)`)
    const elsewhere = { PEPPER, DATA_DIR: tempFolder() }
    for (const on of [[], ['--on', postgres.adminUrl]]) {
      const check = await run('restore-check', ['--from', to, '--key', keyFile, ...on], elsewhere)
      expect(check).toMatchObject({ code: 0, err: [] })
      expect(check.out.join(' ')).toMatch(
        /can be restored: \d+ tables with \d+ rows are as they were, \d\d files of pictures open, a login and an order succeeded/,
      )
    }
    expect(readdirSync(elsewhere.DATA_DIR)).toEqual(['secret'])
    await inside({ ...env, databaseUrl: postgres.adminUrl }, async ({ db }) =>
      expect(await rowsOf(db, sql`select datname from pg_database where datname like 'sandhai_check%'`)).toEqual([]),
    )
    const refused = await run('restore', ['--from', to, '--key', keyFile], variables(env))
    expect([refused.code, refused.err]).toEqual([1, [expect.stringMatching(/^The picture folder \S+ is not empty/)]])
    const without = await run('restore', ['--from', to, '--key', keyFile], { DATA_DIR: tempFolder() })
    expect([without.code, without.err]).toEqual([1, [expect.stringMatching(/^PEPPER must be set/)]])
  })

  test('restart a killed restore, which ends as if it had never been interrupted', async () => {
    const { env, filled, facts } = await market('postgres')
    const to = tempFolder()
    await makeBackup(env, { to })
    const place = await emptyPlace('postgres')
    const restore = () => launchSite(variables(place), { program: 'scripts/restore.ts', args: ['--from', to, '--key', keyFile] })
    const us = new pg.Client({ connectionString: place.databaseUrl! })
    await us.connect()
    // Blocks the restore among its rows: it must drop a key of a table that this connection reads.
    const first = restore()
    const asked = async (question: string) => (await us.query(question)).rows.length > 0
    while (!(await asked(`select 1 from pg_class where relname = 'run_links'`))) {
      expect(first.child.exitCode, first.err().join()).toBeNull()
      await sleep(5)
    }
    await us.query('begin; lock table users in access share mode')
    while (!(await asked('select 1 from pg_locks where not granted'))) {
      expect(first.child.exitCode, first.err().join()).toBeNull()
      await sleep(10)
    }
    first.child.kill('SIGKILL')
    await first.ended
    await us.query('rollback')
    await us.end()
    expect(await restore().ended).toMatchObject({ code: 0, err: [] })
    await inside(place, async (database) => expect(others(await database.bulk('reads', allFacts))).toEqual(others(facts)))
    expect(filled.pictures.every((key) => existsSync(join(place.dataDir, 'media', key.slice(0, 2), key)))).toBe(true)
  })

  test('move an embedded market to PostgreSQL, where it opens with its sessions, and refuse a second move', async () => {
    const { env, facts, filled } = await filledMarket('embedded')
    const there = { ...env, databaseUrl: await emptyPostgres() }
    expect(await run('move-to-postgres', [], variables(there))).toMatchObject({
      code: 0,
      err: [],
      out: [expect.stringMatching(/rows are in PostgreSQL/)],
    })
    await inside(there, async (database) => {
      const isOurs = ({ name }: TableFacts) => name !== 'page_changes'
      expect((await database.bulk('reads', allFacts)).filter(isOurs)).toEqual(facts.filter(isOurs))
    })
    const site = await startSite({ ...variables(there), SESSION_SECRET: 's'.repeat(32) })
    expect((await fetch(`${site.origin}/product/${filled.listingId}`)).status).toBe(200)
    const me = await fetch(`${site.origin}/me`, { headers: { Cookie: `__Host-sid=${filled.session}` }, redirect: 'manual' })
    expect(me.status).toBe(200)
    site.signal('SIGKILL')
    await site.ended
    const again = await run('move-to-postgres', [], variables(there))
    expect([again.code, again.err]).toEqual([1, ['The database is not empty. A restore needs an empty one, and deletes nothing.']])
  })
})

test('a key file is never overwritten', async () => {
  expect(await refusal(writeNewKey(keyFile))).toMatch(/is there already, and a key is never overwritten/)
})
