import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { findBrokenSeal } from '#src/kit/records/audit.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { startPostgres, type PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { openMarket } from '#src/market/market.server.ts'
import { pathOf } from '#tools/test-kit/debian-programs.ts'
import { forgetPast } from './backup/restore.server.ts'
import { envOf, fillMarket } from '#tools/test-kit/full-market.ts'
import { prepare, withDatabase } from '#tools/test-kit/prepared.ts'
import { cleanUp, tempFolder } from '#tools/test-kit/site-process.ts'

const PROGRAM = pathOf('pgbackrest')

const servers: PostgresServer[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
  await cleanUp()
})

/** pgBackRest with the configuration file for operators, in folders of this test. Runs as the owner of the server's files. */
function installPgBackRest() {
  const folder = tempFolder()
  for (const name of ['repository', 'log', 'spool', 'lock']) mkdirSync(join(folder, name))
  const [file, secret] = [join(folder, 'pgbackrest.conf'), 'repository-password']
  const command = `PGBACKREST_REPO1_CIPHER_PASS=${secret} ${PROGRAM} --config=${file} --stanza=sandhai`
  return {
    archiving: ourArchiving(command),
    getting: `${command} --pg1-path="$PWD" archive-get %f "%p"`,
    serve: ({ dataDir, socketDir, port }: { dataDir: string; socketDir: string; port: string }) => {
      const ours = readFileSync(join(projectRoot, 'ops/pgbackrest.conf'), 'utf8')
      writeFileSync(
        file,
        ours
          .replace(/^repo1-path=.*$/m, `repo1-path=${join(folder, 'repository')}`)
          .replace(/^pg1-path=.*$/m, `pg1-path=${dataDir}`)
          .replace(/^pg1-port=.*$/m, `pg1-port=${port}\npg1-socket-path=${socketDir}\npg1-user=postgres`)
          .replace('[sandhai]', `log-path=${folder}/log\nspool-path=${folder}/spool\nlock-path=${folder}/lock\n[sandhai]`),
      )
      chmodSync(folder, 0o755)
      const { uid, gid } = statSync(dataDir)
      for (const name of ['repository', 'log', 'spool', 'lock']) chownSync(join(folder, name), uid, gid)
      return (args: string[]) =>
        execFileSync(PROGRAM!, [`--config=${file}`, '--stanza=sandhai', ...args], {
          uid,
          gid,
          cwd: '/',
          env: { PGBACKREST_REPO1_CIPHER_PASS: secret },
          encoding: 'utf8',
        })
    },
  }
}

/** The settings of ops/postgresql-archive.conf, with this test's command for pgBackRest. */
function ourArchiving(command: string): Record<string, string> {
  const lines = readFileSync(join(projectRoot, 'ops/postgresql-archive.conf'), 'utf8').matchAll(/^(\w+) = '?(.*?)'?$/gm)
  const settings = Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]))
  return { ...settings, archive_command: settings.archive_command!.replace('pgbackrest --stanza=sandhai', command) }
}

describe.skipIf(!PROGRAM)('pgBackRest with our files', () => {
  test('restores a market to the moment before a mistake, and the market opens', async () => {
    const tool = installPgBackRest()
    const server = await startPostgres({ durable: true, settings: tool.archiving })
    servers.push(server)
    const dataDir = tempFolder()
    const { before, pgbackrest } = await withDatabase(server.url, async (database) => {
      await prepare(database)
      const ask = async <T extends z.ZodRawShape>(text: string, shape: T) =>
        (await rowsOf({ db: database.db }, sql.raw(text), z.object(shape)))[0]!
      const place = await ask(
        "select current_setting('data_directory') as dir, current_setting('unix_socket_directories') as socket, current_setting('port') as port",
        { dir: z.string(), socket: z.string(), port: z.string() },
      )
      const pgbackrest = tool.serve({ dataDir: place.dir, socketDir: place.socket, port: place.port })
      pgbackrest(['stanza-create'])
      pgbackrest(['check'])
      pgbackrest(['--type=full', 'backup'])
      // After the backup, so only the archive has it.
      await fillMarket(database, dataDir)
      // pgBackRest compares whole seconds: no backup precedes a moment in the second in which the backup ended.
      const second = async () =>
        (await ask('select floor(extract(epoch from clock_timestamp()))::int as second', { second: z.number() })).second
      const ended = await second()
      await expect.poll(second, { timeout: 60_000 }).toBeGreaterThan(ended)
      const count = "select count(*)::int as animals, clock_timestamp()::text as at from listings where state = 'passed'"
      const before = await ask(count, { animals: z.number(), at: z.string() })
      await database.db.execute(sql`update listings set state = 'withdrawn'`)
      await database.db.execute(sql`select pg_switch_wal()`)
      pgbackrest(['check'])
      return { before, pgbackrest }
    })
    expect(before.animals).toBeGreaterThan(1)
    await server.crash()

    const restored = await startPostgres({
      durable: true,
      settings: { restore_command: tool.getting },
      files: async (to) => {
        pgbackrest(['--type=time', `--target=${before.at}`, '--target-action=promote', `--pg1-path=${to}`, 'restore'])
      },
    })
    servers.push(restored)
    const isLeader = async () =>
      withDatabase(restored.url, async ({ db }) =>
        rowsOf({ db }, sql`select not pg_is_in_recovery() as yes`, z.object({ yes: z.boolean() })).then(([row]) => row!.yes),
      )
    await expect.poll(isLeader, { timeout: 60_000 }).toBe(true)
    const alive = sql`select (select count(*) from sessions)::int as sessions,
      (select count(*) from outbox where sent_at is null and failed_at is null)::int as waiting`
    const aliveShape = z.object({ sessions: z.number(), waiting: z.number() })
    const [then] = await withDatabase(restored.url, ({ db }) => rowsOf({ db }, alive, aliveShape))
    expect(then!.sessions).toBe(1)
    expect(then!.waiting).toBeGreaterThan(0)
    await forgetPast(envOf(dataDir, restored.url))
    expect(await withDatabase(restored.url, ({ db }) => rowsOf({ db }, alive, aliveShape))).toEqual([{ sessions: 0, waiting: 0 }])
    const market = await openMarket(envOf(dataDir, restored.url), { isRehearsal: true })
    try {
      const [now] = await rowsOf(
        { db: market.database.db },
        sql`select count(*)::int as animals from listings where state = 'passed'`,
        z.object({ animals: z.number() }),
      )
      expect(now).toEqual({ animals: before.animals })
      await market.database.ping()
      expect(await findBrokenSeal(market.database.db, market.vault)).toBeNull()
    } finally {
      await market.close()
    }
  })
})
