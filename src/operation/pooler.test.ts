import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { EnvError } from '#src/kit/base/env.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { freePort } from '#tools/test-kit/free-port.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { openMarket } from '#src/market/market.server.ts'
import { pathOf } from '#tools/test-kit/debian-programs.ts'
import { envOf } from '#tools/test-kit/full-market.ts'
import { rowsOf, startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { cleanUp, tempFolder } from '#tools/test-kit/site-process.ts'

const PROGRAM = pathOf('pgbouncer')
const isThere = PROGRAM !== null

let postgres: PostgresServer
const poolers: ChildProcess[] = []
beforeAll(async () => {
  if (isThere) postgres = await startPreparedPostgres()
})
afterAll(async () => {
  for (const pooler of poolers) pooler.kill()
  await cleanUp()
  await postgres?.stop()
})

/** The connect_query of the file for operators. */
const connectQuery = /connect_query='[^']*'/.exec(readFileSync(join(projectRoot, 'ops/pgbouncer.ini'), 'utf8'))![0]

/** Starts PgBouncer in transaction mode with two server connections for all. Returns the address of the database behind it. */
async function startPooler(query = connectQuery): Promise<string> {
  const [folder, port] = [tempFolder(), await freePort()]
  const { hostname, port: serverPort, pathname } = new URL(postgres.url)
  const users = join(folder, 'users')
  writeFileSync(users, '"postgres" ""\n')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
test = host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} ${query}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 2
server_login_retry = 1
`,
  )
  chmodSync(folder, 0o755)
  const isRoot = process.getuid?.() === 0
  const uid = isRoot ? { uid: Number(execFileSync('id', ['-u', 'postgres'])), gid: Number(execFileSync('id', ['-g', 'postgres'])) } : {}
  poolers.push(spawn(PROGRAM!, ['-q', file], { stdio: 'ignore', ...uid }))
  const url = `postgres://postgres@127.0.0.1:${port}/test`
  for (let tries = 0; ; tries += 1) {
    const database = await openDatabase({ databaseUrl: url, directUrl: postgres.url, dataDir: '' })
    const answers = await rowsOf(database.db, sql`select 1`).then(
      () => true,
      () => tries > 100,
    )
    await database.close()
    if (answers) return url
    await sleep(50)
  }
}

/** Twenty concurrent people read, and run transactions whose statements leave in one packet. Returns the failures. */
async function crowd(url: string, hasPreparedStatements: boolean): Promise<string[]> {
  const database = await openDatabase({ databaseUrl: url, directUrl: postgres.url, dataDir: '', hasPreparedStatements })
  const failures: string[] = []
  const person = async (n: number) => {
    for (let turn = 0; turn < 30; turn += 1) {
      const key = n * 100 + turn
      const [row] = await rowsOf<{ n: number }>(database.db, sql`select ${key}::int as n`)
      const answers = await database.db.transaction((tx) =>
        Promise.all([1, 2, 3].map((part) => rowsOf<{ n: number }>(tx, sql`select ${key}::int + ${part}::int as n`))),
      )
      const all = [row!.n, ...answers.map(([each]) => each!.n)]
      if (all.some((each, part) => each !== key + part)) failures.push(`${key}: ${all.join()}`)
    }
  }
  const people = Array.from({ length: 20 }, (_, n) =>
    person(n).catch((error: Error & { cause?: Error }) => void failures.push(String(error.cause ?? error))),
  )
  await Promise.all(people)
  await database.close()
  return failures
}

describe.skipIf(!isThere)('a market behind PgBouncer in transaction mode', () => {
  test('answers a crowd correctly without named prepared statements; control: with names some fail', async () => {
    const url = await startPooler()
    expect(await crowd(url, false)).toEqual([])
    expect((await crowd(url, true)).join()).toMatch(/prepared statement .* (already exists|does not exist)/)
  })

  test('opens, migrates over a direct connection, and its statements have time-outs', async () => {
    const url = await startPooler()
    const market = await openMarket(envOf(tempFolder(), url, { databaseDirectUrl: postgres.url, preparedStatements: false }), {
      isRehearsal: true,
    })
    try {
      await market.database.ping()
      expect(
        await rowsOf(market.database.db, sql`select current_setting('statement_timeout') as t, current_setting('jit') as jit`),
      ).toEqual([{ t: '5s', jit: 'off' }])
    } finally {
      await market.close()
    }
  })

  test('is refused when the pooler sets no time-outs', async () => {
    const url = await startPooler('')
    const opened = openMarket(envOf(tempFolder(), url, { databaseDirectUrl: postgres.url }), { isRehearsal: true })
    await expect(opened).rejects.toThrow(EnvError)
  })
})
