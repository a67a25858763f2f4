import pg from 'pg'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, fsyncSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { createServer, Socket, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import { drizzle as drizzlePool } from 'drizzle-orm/node-postgres'
import type { Env } from '#src/kit/base/env.server.ts'
import { onceASecond } from '#src/kit/base/once-a-second.ts'
import { bulkOfClient, bulkOfEmbedded, SAME_TEXT, type Bulk } from './bulk.server.ts'
import { DatabaseClient, NamingClient, noteSlowStatements } from './database-client.server.ts'
import { grantSiteRole } from './database-roles.server.ts'
import { limitWaiting, migrate } from './migrate.server.ts'
import { eagerly, transact, type InDatabase } from './transact.server.ts'
import type { Db } from './db.ts'

/** The Drizzle methods of both engines. Their types differ only in the result of a statement; `rowsOf` types that instead. */
const asDb = (db: unknown) => db as Db

export interface Database {
  db: Db
  kind: 'embedded' | 'postgres'
  /** The same database over separate connections, so that load on the pool does not delay the page cache's query. */
  watch: Db
  /** The same database over connections for the office alone, so that statements of visitors cannot hold all of them (decision 0119). */
  desks: Db
  /**
   * Identifies this copy of the data. All processes on one database get the same value; a restored dump, a `CREATE
   * DATABASE … TEMPLATE`, a promoted standby or a copied folder gets a new one. Backups never contain it.
   */
  instance(): Promise<string>
  /**
   * For /readyz: writes a row within a second or throws, because a full or read-only database still answers queries but
   * is not ready. Calls within the same second share one answer.
   */
  ping(): Promise<void>
  /**
   * Runs the pending migrations. Several processes may call it at the same time. `atMost` limits the total number, to
   * restore an older backup. Returns how many migrations the schema is ahead of this release (docs/decisions/0079).
   */
  migrate(how?: { atMost?: number }): Promise<number>
  /**
   * One transaction over whole tables. `reads` sees one snapshot and changes nothing. `writes` runs as the role that
   * owns the tables and commits all or nothing.
   */
  bulk<T>(what: 'reads' | 'writes', act: (bulk: Bulk) => Promise<T>): Promise<T>
  /**
   * Call this when the site opens: from then on, a statement without any answer for six seconds fails. Before that,
   * processes that start together wait for each other's migrations, so silence is normal.
   */
  giveUpOnSilence(): void
  /** The number of pool connections by state; empty for the embedded database. */
  connections(): Record<string, number>
  close(): Promise<void>
}

interface DatabaseOptions {
  /** Null selects the embedded database below `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  /** The role that owns the tables and runs migrations (database-roles.server.ts). Null: the role of `databaseUrl`. */
  ownerUrl?: string | null
  /** Set when `databaseUrl` is the address of a pooler in transaction mode; this address bypasses the pooler (decision 0064). */
  directUrl?: string | null
  /** One name for all servers of a cluster. `databaseUrl` always leads to the server that accepts writes. */
  cluster?: string | null
  onStatement?: (sql: string, params: unknown[]) => void
  /** An in-memory embedded database that starts from this dump. Each test file gets its own in a third of a second. */
  memory?: { dump?: Blob }
  onIdleError?: (error: Error) => void
  /** Receives the text without values of every statement that takes longer than half a second. PostgreSQL only. */
  onSlowStatement?: (statement: string, ms: number) => void
  /**
   * Whether statements may have names (database-client.server.ts). Keep false when a pooler passes connections from one
   * client to the next. Default: false.
   */
  hasPreparedStatements?: boolean
  /** A factor for the connection and lock time-outs, for tests that crowd one row on a busy machine. */
  patience?: number
}

/** The settings of the environment that say where the database is. */
export function addressesOf(env: Pick<Env, 'databaseUrl' | 'databaseOwnerUrl' | 'databaseDirectUrl' | 'databaseCluster' | 'dataDir'>) {
  return {
    databaseUrl: env.databaseUrl,
    ownerUrl: env.databaseOwnerUrl,
    directUrl: env.databaseDirectUrl,
    cluster: env.databaseCluster,
    dataDir: env.dataDir,
  }
}

/** The only function that opens a database handle; all other code uses `ctx.db`. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === null ? openEmbedded(options) : openPool(options, options.databaseUrl)
}

/**
 * Runs one act in one transaction: `await inTransaction(ctx, async (ctx) => …)`. Shadow the outer ctx: the embedded
 * database has a single connection, so a query through the outer handle would wait for ever. The act may run again
 * (`transact`), so outside the database it changes nothing but counters and the log.
 */
export function inTransaction<C extends InDatabase, T>(ctx: C, act: (ctx: C) => Promise<T>): Promise<T> {
  return transact(ctx, act, undefined)
}

/**
 * Like `inTransaction`, but one round trip shorter: BEGIN leaves together with the first batch of statements. That
 * batch may only read and lock, because PostgreSQL runs it outside a transaction if it refuses BEGIN alone. In that
 * case each statement of the batch fails with BEGIN's error, and nothing follows.
 */
export function inEagerTransaction<C extends InDatabase, T>(ctx: C, act: (ctx: C) => Promise<T>): Promise<T> {
  return transact(ctx, act, eagerly)
}

/** A handle that refuses every query with an error that `isDatabaseAway` recognizes. */
export const unreachable = new Proxy({} as Db, {
  get() {
    throw Object.assign(new Error('The database is away.'), { code: 'ECONNREFUSED' })
  },
})

const HEARTBEAT = 'update heartbeat set at = clock_timestamp()'

const INT8 = 20
/** Return int8 as text like the pg driver. A double would round money on one engine only. */
const parsers = { [INT8]: (value: string) => value }
/** Once a database has used these extensions, every later open must pass them. */
export const extensions = { btree_gist }
const logger = (onStatement: DatabaseOptions['onStatement']) => (onStatement ? { logQuery: onStatement } : undefined)

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { memory, dataDir } = options
  const { client, instance, lock } = memory ? await openInMemory(memory) : await openInFolder(dataDir)
  const db = asDb(drizzleEmbedded(client, { logger: logger(options.onStatement) }))
  return {
    db,
    kind: 'embedded',
    watch: db,
    desks: db,
    instance: async () => instance,
    ping: onceASecond(async () => void (await client.query(HEARTBEAT))),
    migrate: async (how) => {
      const ahead = await migrate(db, 'embedded', how)
      if (!memory) writeFileSync(join(dataDir, MADE), '')
      return ahead
    },
    bulk: (mode, act) =>
      client.transaction(async (tx) => {
        for (const statement of [...(mode === 'reads' ? [ONE_SNAPSHOT] : []), ...SAME_TEXT]) await tx.query(statement)
        return act(bulkOfEmbedded(tx))
      }),
    giveUpOnSilence: () => {},
    connections: () => ({}),
    close: async () => {
      await client.close()
      lock?.close()
    },
  }
}

interface OpenEmbedded {
  client: PGlite
  /** See `Database.instance`. */
  instance: string
  lock?: Server
}

async function openInMemory({ dump }: NonNullable<DatabaseOptions['memory']>): Promise<OpenEmbedded> {
  const client = await PGlite.create({ dataDir: 'memory://', parsers, extensions, ...(dump && { loadDataDir: dump }) })
  return { client, instance: `memory:${randomUUID()}` }
}

async function openInFolder(dataDir: string): Promise<OpenEmbedded> {
  const dir = join(dataDir, 'database')
  mkdirSync(dir, { recursive: true })
  const lock = await lockDirectory(dir)
  ensureNothingLost(dataDir, dir)
  const client = await PGlite.create({
    parsers,
    extensions,
    fs: new SyncedNodeFS(dir),
    startParams: [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'],
  }).catch((error: unknown) => {
    throw new EmbeddedDamaged(dir, 'it does not open', error)
  })
  await ensureMarketInside(dataDir, dir, client)
  // PGlite writes this file once, when it creates the database. A copied folder has another inode or birth time.
  const { ino, birthtimeMs } = statSync(join(dir, 'PG_VERSION'))
  return { client, lock, instance: `embedded:${ino}:${Math.round(birthtimeMs)}` }
}

/**
 * PGlite as published never calls fsync: a committed transaction survives a killed process but not a power failure.
 * This class restores the call. `wal_sync_method` must be `fsync`, because PGlite's fdatasync does nothing.
 * It relies on PGlite's internals, so the version is pinned and a test counts the calls.
 */
class SyncedNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const result = await super.init(...args)
    // PGlite has no types for the Emscripten options.
    const { emscriptenOpts } = result as unknown as { emscriptenOpts: { preRun: ((module: EmscriptenModule) => void)[] } }
    emscriptenOpts.preRun.push((module) => {
      module.NODEFS.stream_ops.fsync = (stream) => {
        if (stream.nfd !== undefined) fsyncSync(stream.nfd)
        return 0
      }
    })
    return result
  }
}
interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync(stream: { nfd?: number }): number } }
}

/**
 * Two processes on one PGlite folder silently lose each other's rows, so the second process must stop. The lock is a
 * socket: the system releases it when a process is killed, unlike a lock file. On Linux it is an abstract socket of the
 * network namespace, so it cannot detect a second container on the same volume.
 */
async function lockDirectory(dir: string): Promise<Server> {
  const name = `sandhai-${createHash('sha256').update(realpathSync(dir)).digest('hex').slice(0, 32)}`
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : process.platform === 'linux' ? `\0${name}` : join('/tmp', `${name}.sock`)
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? new DatabaseInUse(dir) : error))
    server.listen(address, resolve)
  })
  server.unref()
  return server
}

/** This file beside the database folder marks the first complete start. Once it exists, an empty folder means lost data, not a new market. */
const MADE = 'database.made'
/** Without one of these, PGlite creates an empty database over the remaining files or exits without a reason. */
const NEEDED = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'] as const

function ensureNothingLost(dataDir: string, dir: string): void {
  if (!existsSync(join(dataDir, MADE))) return
  const missing = NEEDED.filter((name) => !existsSync(join(dir, name)))
  if (missing.length > 0) throw new EmbeddedDamaged(dir, `${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing`)
}

async function ensureMarketInside(dataDir: string, dir: string, client: PGlite): Promise<void> {
  if (!existsSync(join(dataDir, MADE))) return
  const question = "select to_regclass('schema_migrations') is not null as is_there"
  const isThere = await client.query<{ is_there: boolean }>(question).then(
    ({ rows }) => rows[0]!.is_there,
    () => false,
  )
  if (isThere) return
  await client.close().catch(() => {})
  throw new EmbeddedDamaged(dir, 'its tables cannot be read')
}

/** The site never creates a new market over a damaged one, because the remaining files may still be useful. */
class EmbeddedDamaged extends Error {
  constructor(dir: string, what: string, cause?: unknown) {
    super(
      `The embedded database in ${dir} is damaged: ${what}. Nothing was changed. Keep DATA_DIR aside and restore a backup into an empty one (npm run restore); only whoever wants an empty market starts with an empty DATA_DIR.`,
      { cause },
    )
  }
}

export class DatabaseInUse extends Error {
  constructor(dir: string) {
    super(`Another process is using the embedded database in ${dir}. Stop it, or give this one another DATA_DIR or a DATABASE_URL.`)
  }
}

/** A pool whose idle connections may drop without an uncaught error that would end the process. */
function quietPool(config: pg.PoolConfig, { onIdleError }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', (error) => onIdleError?.(error))
  pool.on('connect', (client) => client.on('error', (error) => onIdleError?.(error)))
  return pool
}

function openPools(options: DatabaseOptions, connecting: pg.PoolConfig, limits: pg.PoolConfig) {
  // A pooler does not accept these startup options; it sets them itself (ops/pgbouncer.ini).
  const settings = options.directUrl ? connecting : { ...connecting, ...limits }
  const Client = options.hasPreparedStatements ? NamingClient : DatabaseClient
  return {
    pool: quietPool({ ...settings, max: 10, Client }, options),
    deskPool: quietPool({ ...settings, max: 4, Client }, options),
    // Two connections, because a restarted server may just have dropped one.
    watchPool: quietPool({ ...settings, max: 2 }, options),
  }
}

/**
 * Our statements are short, so JIT compilation costs more time than it saves. Dates, intervals and floats are read as
 * text, and a transaction expects to see what others have just written: none of that may depend on what the operator
 * set for the database. pg itself sets client_encoding.
 */
const SESSION = [
  'jit=off',
  'datestyle=ISO,MDY',
  'timezone=UTC',
  'intervalstyle=postgres',
  'extra_float_digits=1',
  'standard_conforming_strings=on',
  String.raw`default_transaction_isolation=read\ committed`,
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

async function openPool(options: DatabaseOptions, connectionString: string): Promise<Database> {
  const { patience = 1 } = options
  const connecting = { connectionString, connectionTimeoutMillis: 2000 * patience }
  const limits = {
    statement_timeout: 5000 * patience,
    lock_timeout: 2000 * patience,
    idle_in_transaction_session_timeout: 5000,
    options: SESSION,
  }
  const { pool, watchPool, deskPool } = openPools(options, connecting, limits)
  if (options.onSlowStatement) noteSlowStatements(options.onSlowStatement)
  const pools = [pool, watchPool, deskPool]
  const silences = pools.map(watchForSilence)
  const over = (each: pg.Pool) => asDb(drizzlePool(each, { logger: logger(options.onStatement) }))
  return {
    db: over(pool),
    kind: 'postgres',
    watch: over(watchPool),
    desks: over(deskPool),
    instance: () => instanceOf(pool, options.cluster),
    ping: onceASecond(() => heartbeat(pool)),
    migrate: async (how) => {
      const sessionUrl = options.ownerUrl ?? options.directUrl
      const migrators = sessionUrl ? new pg.Pool({ ...connecting, ...limits, connectionString: sessionUrl, max: 1 }) : pool
      try {
        return await migrateWith(migrators, options.ownerUrl ? pool : null, how)
      } finally {
        if (migrators !== pool) await migrators.end()
      }
    },
    bulk: (mode, act) => {
      const direct = options.directUrl ?? connectionString
      return bulkOverPostgres(mode === 'writes' ? (options.ownerUrl ?? direct) : direct, mode, act)
    },
    giveUpOnSilence: () => {
      for (const silence of silences) silence.isWatched = true
    },
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, 'waited for': pool.waitingCount }),
    close: async () => {
      await Promise.all(pools.map((each) => each.end()))
    },
  }
}

/** A promotion changes the timeline but not the cluster, so the cluster's name replaces the timeline. */
async function instanceOf(pool: pg.Pool, cluster: DatabaseOptions['cluster']): Promise<string> {
  const { rows } = await pool.query<{ instance: string }>(
    `
    select concat_ws(':', 'postgres', $1::text, s.system_identifier, ${cluster ? 'null' : TIMELINE}, d.oid) as instance
    from pg_control_system() s, pg_control_checkpoint() c, pg_database d where d.datname = current_database()`,
    [cluster ?? null],
  )
  return rows[0]!.instance
}

async function heartbeat(pool: pg.Pool): Promise<void> {
  const answer = pool.query({ text: HEARTBEAT })
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('The database did not answer within a second.')), 1000).unref(),
  )
  await Promise.race([answer, late])
}

/**
 * Migrates in one session of `migrators`, then grants rights on the new tables to the role of `site`; null when the
 * site owns the tables. On a schema that is ahead, the newer release has granted them, and this release does not know
 * which tables to withhold.
 */
async function migrateWith(migrators: pg.Pool, site: pg.Pool | null, how?: { atMost?: number }): Promise<number> {
  const client = await migrators.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error, site ? 'DATABASE_OWNER_URL' : 'DATABASE_URL')
  })
  try {
    const { rows } = await client.query<{ version: number }>("select current_setting('server_version_num')::int as version")
    if (rows[0]!.version < 150_000) throw new Error('PostgreSQL 15 or newer is needed.')
    await waitForMigrationLock(client)
    const owner = asDb(drizzlePool(client))
    await limitWaiting(owner)
    const ahead = await migrate(owner, 'postgres', how)
    if (site && ahead === 0) await grantSiteRole(owner, await nameOfRole(site))
    return ahead
  } finally {
    // Closing the session releases its lock and settings.
    client.release(true)
  }
}

/** After a promotion, the control file has the new timeline only from the next checkpoint on. WAL file names start with the timeline at once. */
const TIMELINE = `case when pg_is_in_recovery() then c.timeline_id else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`

const ONE_SNAPSHOT = 'set transaction isolation level repeatable read, read only'
/** A backup of a large market takes minutes, during which the server also sees an idle session. */
const NO_TIME_OUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map((name) => `set local ${name} = 0`)

/** Uses a plain connection, because COPY cannot be pipelined. */
async function bulkOverPostgres<T>(connectionString: string, mode: 'reads' | 'writes', act: (bulk: Bulk) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, options: SESSION })
  // The statement itself reports the error that ended the connection.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error, mode === 'writes' ? 'DATABASE_OWNER_URL' : 'DATABASE_URL')
  })
  try {
    const faster = mode === 'reads' ? [ONE_SNAPSHOT] : [`set local maintenance_work_mem = '256MB'`]
    for (const statement of ['begin', ...faster, ...NO_TIME_OUTS, ...SAME_TEXT]) await client.query(statement)
    const answer = await act(bulkOfClient(client))
    await client.query('commit')
    return answer
  } finally {
    // The server rolls back when the connection ends without a commit.
    await client.end().catch(() => {})
  }
}

const MIGRATION_LOCK = 7_263_424
const MIGRATION_WAIT_MS = 10 * 60_000

/**
 * One of several instances that start together migrates; the others wait here and then find no pending migration. They
 * poll instead of blocking on the lock: a blocked statement holds a snapshot, and CREATE INDEX CONCURRENTLY waits for
 * all snapshots.
 */
async function waitForMigrationLock(client: pg.PoolClient): Promise<void> {
  for (const until = Date.now() + MIGRATION_WAIT_MS; Date.now() < until; await sleep(100)) {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [MIGRATION_LOCK])
    if (rows[0]!.isOurs) return
  }
  throw new Error('Another instance has been migrating this database for ten minutes. See what it does, then start again.')
}

async function nameOfRole(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>('select current_user as name').catch((error: unknown) => {
    throw new DatabaseUnreachable(error, 'DATABASE_URL')
  })
  return rows[0]!.name
}

/** The first connection failed. The message gives the reason without the address, which contains a password. */
class DatabaseUnreachable extends Error {
  constructor(cause: unknown, variable: string) {
    const code = (cause as { code?: unknown }).code
    const reason = reasons[String(code)] ?? (typeof code === 'string' ? code : 'no answer')
    super(`${variable}: the database cannot be opened (${reason}).`, { cause })
  }
}
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
  '28P01': 'wrong user or password',
  '28000': 'wrong user or password',
  '3D000': 'the server has no database of that name',
  '57P03': 'the server is starting up',
}

/** Longer than `statement_timeout`: a working server would have answered by now, at least with a refusal. */
const SILENCE_MS = 6000

/**
 * The server enforces all other time-outs. A frozen or silently disconnected server enforces none, and its clients
 * would wait for ever. So this function destroys the socket, and the statement fails with "Connection terminated".
 */
function watchForSilence(pool: pg.Pool): { isWatched: boolean } {
  const silence = { isWatched: false }
  const lent = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => lent.add(client))
  pool.on('release', (_, client) => lent.delete(client))
  pool.on('connect', (client) => {
    // pg has no types for its connection.
    const { stream } = (client as unknown as { connection: { stream: unknown } }).connection
    if (!(stream instanceof Socket)) throw new Error('pg no longer exposes its socket here: a silent server would go undetected.')
    stream.setTimeout(SILENCE_MS, () => void (silence.isWatched && lent.has(client) && stream.destroy()))
  })
  return silence
}
