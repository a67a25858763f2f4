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
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { Ctx } from '#src/kit/context.ts'
import type { Env } from '#src/kit/env.server.ts'
import { bulkOfClient, bulkOfEmbedded, SAME_TEXT, type Bulk } from './bulk.server.ts'
import { DatabaseClient, NamingClient, noteSlowStatements } from './database-client.server.ts'
import { grantSiteRole } from './database-roles.server.ts'
import { limitWaiting, migrate } from './migrate.server.ts'
import { onceASecond } from '#src/kit/once-a-second.ts'

/** One dialect, two engines: PostgreSQL behind a pool, or PGlite in this process. */
export type Db = PgDatabase<PgQueryResultHKT>

/** What both engines' Drizzle can do; their types differ in what a statement answers, which `rowsOf` types instead. */
const asDb = (db: unknown) => db as Db

export interface Database {
  db: Db
  kind: 'embedded' | 'postgres'
  /** The same database over a connection of its own, which a crowd on the others does not hold up: for the page cache's question. */
  watch: Db
  /**
   * Which copy of the data this is: equal for every process on this database, another one for a restored dump, a `CREATE DATABASE …
   * TEMPLATE`, a promoted standby or a copied folder. It never travels inside a backup.
   */
  instance(): Promise<string>
  /**
   * Writes a row within a second or throws: for /readyz. A database that answers questions but is full or read-only is not ready. Whoever
   * asks within the same second shares one answer.
   */
  ping(): Promise<void>
  /** Runs the pending migrations; safe when several processes start together. `atMost`: only so many in all, for a restore of an older backup. */
  migrate(how?: { atMost?: number }): Promise<void>
  /**
   * One transaction over whole tables. `reads` sees one snapshot and changes nothing; `writes` runs as the role that owns the tables, and
   * leaves everything or nothing.
   */
  bulk<T>(what: 'reads' | 'writes', act: (bulk: Bulk) => Promise<T>): Promise<T>
  /**
   * For when the site opens: from now on a statement that gets no answer at all for six seconds is given up. Before, while
   * several processes start together and wait for each other's migrations and loads, silence is in order.
   */
  giveUpOnSilence(): void
  /** How many connections the pool has, by what they do; nothing for the embedded database. */
  connections(): Record<string, number>
  close(): Promise<void>
}

interface DatabaseOptions {
  /** Null: the embedded database below `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  /** The role that owns the tables (database-roles.server.ts). Migrations run as it; null: as the role of `databaseUrl`. */
  ownerUrl?: string | null
  /** `databaseUrl` leads to a pooler that lends connections for a transaction; this address leads past it (decision 0064). */
  directUrl?: string | null
  /** A name for all servers of one cluster, of which `databaseUrl` always leads to the one that takes writes. */
  cluster?: string | null
  onStatement?: (sql: string, params: unknown[]) => void
  /** An in-memory embedded database that begins as this dump: each test file gets its own in a third of a second. */
  memory?: { dump?: Blob }
  onIdleError?: (error: Error) => void
  /** Of a statement that took longer than half a second: its text without values. PostgreSQL only. */
  onSlowStatement?: (statement: string, ms: number) => void
  /**
   * May statements have names (database-client.server.ts)? Not where something stands before PostgreSQL that hands connections on
   * from one client to the next. False by default.
   */
  hasPreparedStatements?: boolean
  /** Multiplies the time-outs for a connection and for a lock: for tests that crowd one row on a busy machine. */
  patience?: number
}

/** Of the configuration, what says where the database is. */
export function addressesOf(env: Pick<Env, 'databaseUrl' | 'databaseOwnerUrl' | 'databaseDirectUrl' | 'databaseCluster' | 'dataDir'>) {
  const { databaseUrl, databaseOwnerUrl: ownerUrl, databaseDirectUrl: directUrl, databaseCluster: cluster, dataDir } = env
  return { databaseUrl, ownerUrl, directUrl, cluster, dataDir }
}

/** The only place where a database handle is opened; everybody else uses `ctx.db`. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === null ? openEmbedded(options) : openPool(options, options.databaseUrl)
}

/**
 * One act, one transaction: `await inTransaction(ctx, async (ctx) => …)`. The inner ctx shadows the outer one, because the
 * embedded database has a single connection and a query through the outer handle would wait for ever.
 */
export function inTransaction<T>(ctx: Ctx, act: (ctx: Ctx) => Promise<T>): Promise<T> {
  return ctx.db.transaction((db) => act({ ...ctx, db }))
}

/** The SQLSTATE of a failed statement ("23505" unique, "23514" check …), however deep the driver wrapped it. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e) {
    if (typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code)) return e.code
  }
  return undefined
}

/**
 * The database cannot be reached, is starting up, has no room (class 53: disk, memory, connections), takes no writes (25006), or gave up
 * for others' sake (55P03 and 57014 time-outs, 40P01 deadlock, 40001 serialization): try again soon. Everything else is a bug.
 */
export function isDatabaseAway(error: unknown): boolean {
  for (let e = error as { code?: unknown; message?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e) {
    if (typeof e.code === 'string' && (UNREACHABLE.test(e.code) || OUT_OF_ORDER.test(e.code))) return true
    if (typeof e.message === 'string' && /timeout exceeded when trying to connect|Connection terminated|is not queryable/i.test(e.message))
      return true
  }
  return false
}

const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/
const OUT_OF_ORDER = /^(08\w{3}|53\w{3}|57P0[123]|57014|55P03|40P01|40001|25006|25P03|58030)$/

/** The database as it is while it is away: every question is refused at once, as `isDatabaseAway` knows it. */
export const unreachable = new Proxy({} as Db, {
  get() {
    throw Object.assign(new Error('The database is away.'), { code: 'ECONNREFUSED' })
  },
})

const HEARTBEAT = 'update heartbeat set at = clock_timestamp()'

const INT8 = 20
/** Must be handed over at every opening, once a database has used them. */
export const extensions = { btree_gist }
const logger = (onStatement: DatabaseOptions['onStatement']) => (onStatement ? { logQuery: onStatement } : undefined)

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  // int8 as text, as the pg driver gives it: money must not pass through a double on one engine only.
  const parsers = { [INT8]: (value: string) => value }
  let lock: Server | undefined
  let client: PGlite
  let instance: string
  if (options.memory) {
    client = await PGlite.create({
      dataDir: 'memory://',
      parsers,
      extensions,
      ...(options.memory.dump && { loadDataDir: options.memory.dump }),
    })
    instance = `memory:${randomUUID()}`
  } else {
    const dir = join(options.dataDir, 'database')
    mkdirSync(dir, { recursive: true })
    lock = await lockDirectory(dir)
    ensureNothingLost(options.dataDir, dir)
    client = await PGlite.create({
      parsers,
      extensions,
      fs: new SyncedNodeFS(dir),
      startParams: [...PGlite.defaultStartParams.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync'],
    }).catch((error: unknown) => {
      throw new EmbeddedDamaged(dir, 'it does not open', error)
    })
    await ensureMarketInside(options.dataDir, dir, client)
    // Written once, when the database is made; a copied or restored folder has a file of its own.
    const { ino, birthtimeMs } = statSync(join(dir, 'PG_VERSION'))
    instance = `embedded:${ino}:${Math.round(birthtimeMs)}`
  }
  const db = asDb(drizzleEmbedded(client, { logger: logger(options.onStatement) }))
  return {
    db,
    kind: 'embedded',
    watch: db,
    instance: async () => instance,
    ping: onceASecond(async () => void (await client.query(HEARTBEAT))),
    migrate: async (how) => {
      await migrate(db, 'embedded', how)
      if (!options.memory) writeFileSync(join(options.dataDir, MADE), '')
    },
    bulk: (what, act) =>
      client.transaction(async (tx) => {
        for (const statement of [...(what === 'reads' ? [ONE_SNAPSHOT] : []), ...SAME_TEXT]) await tx.query(statement)
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

/**
 * PGlite as published never calls fsync: an acknowledged commit survives a killed process, not a power cut.
 * This puts the real call back. `wal_sync_method` must be `fsync`, because its fdatasync does nothing.
 * It leans on PGlite's internals: the version is pinned and a test counts the calls.
 */
class SyncedNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const result = await super.init(...args)
    // PGlite does not type what it hands to Emscripten.
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
 * Two processes on one PGlite folder lose each other's rows without a word, so the second is turned away.
 * A socket is the lock: the system releases it at once when a process is killed, unlike a file left behind.
 * (Linux: an abstract socket, one per network namespace, so two containers sharing a volume are not seen.)
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

/** Beside the database's folder: from the first whole start on, an empty folder is a loss and no beginning. */
const MADE = 'database.made'
/** Without one of these PGlite makes an empty database over what is left, or ends without a reason. */
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

/** Never answered by making a new market over it: what is left may still be worth something. */
export class EmbeddedDamaged extends Error {
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

/** An idle connection that the server drops must not end the process. */
function quietPool(config: pg.PoolConfig, { onIdleError }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', (error) => onIdleError?.(error))
  pool.on('connect', (client) => client.on('error', (error) => onIdleError?.(error)))
  return pool
}

async function openPool(options: DatabaseOptions, connectionString: string): Promise<Database> {
  const { patience = 1 } = options
  const connecting = { connectionString, connectionTimeoutMillis: 2000 * patience }
  const limits = {
    statement_timeout: 5000 * patience,
    lock_timeout: 2000 * patience,
    idle_in_transaction_session_timeout: 5000,
    // Our statements are short; compiling them just in time costs more than it gives.
    options: '-c jit=off',
  }
  // A pooler knows no such words at the beginning of a connection: it sets them itself (ops/pgbouncer.ini).
  const settings = options.directUrl ? connecting : { ...connecting, ...limits }
  const pool = quietPool({ ...settings, max: 10, Client: options.hasPreparedStatements ? NamingClient : DatabaseClient }, options)
  // Two: one may be the one that a restarted server has just dropped.
  const watchPool = quietPool({ ...settings, max: 2 }, options)
  if (options.onSlowStatement) noteSlowStatements(options.onSlowStatement)
  const silences = [watchForSilence(pool), watchForSilence(watchPool)]
  const db = asDb(drizzlePool(pool, { logger: logger(options.onStatement) }))
  return {
    db,
    kind: 'postgres',
    watch: asDb(drizzlePool(watchPool, { logger: logger(options.onStatement) })),
    instance: async () => {
      // After a promotion the timeline is another one, and the cluster still the same.
      const timeline = options.cluster ? 'null' : TIMELINE
      const { rows } = await pool.query<{ instance: string }>(
        `
        select concat_ws(':', 'postgres', $1::text, s.system_identifier, ${timeline}, d.oid) as instance
        from pg_control_system() s, pg_control_checkpoint() c, pg_database d where d.datname = current_database()`,
        [options.cluster ?? null],
      )
      return rows[0]!.instance
    },
    ping: onceASecond(async () => {
      const answer = pool.query({ text: HEARTBEAT })
      const late = new Promise<never>((_, reject) =>
        setTimeout(() => reject(new Error('The database did not answer within a second.')), 1000).unref(),
      )
      await Promise.race([answer, late])
    }),
    migrate: async (how) => {
      const sessionUrl = options.ownerUrl ?? options.directUrl
      const migrators = sessionUrl ? new pg.Pool({ ...connecting, ...limits, connectionString: sessionUrl, max: 1 }) : pool
      try {
        await migrateWith(migrators, options.ownerUrl ? pool : null, how)
      } finally {
        if (migrators !== pool) await migrators.end()
      }
    },
    bulk: (what, act) => {
      const direct = options.directUrl ?? connectionString
      return bulkOverPostgres(what === 'writes' ? (options.ownerUrl ?? direct) : direct, what, act)
    },
    giveUpOnSilence: () => {
      for (const silence of silences) silence.isWatched = true
    },
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, 'waited for': pool.waitingCount }),
    close: async () => {
      await Promise.all([pool.end(), watchPool.end()])
    },
  }
}

/** Migrates in one session of `migrators`. The role of `site` gets its rights on the new tables; null where the site owns them. */
async function migrateWith(migrators: pg.Pool, site: pg.Pool | null, how?: { atMost?: number }): Promise<void> {
  const client = await migrators.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error, site ? 'DATABASE_OWNER_URL' : 'DATABASE_URL')
  })
  try {
    const { rows } = await client.query<{ version: number }>("select current_setting('server_version_num')::int as version")
    if (rows[0]!.version < 150_000) throw new Error('PostgreSQL 15 or newer is needed.')
    await waitForMigrationLock(client)
    const owner = asDb(drizzlePool(client))
    await limitWaiting(owner)
    await migrate(owner, 'postgres', how)
    if (site) await grantSiteRole(owner, await nameOfRole(site))
  } finally {
    // Ends the session, and with it the lock and the settings.
    client.release(true)
  }
}

/** The control file learns of a promotion at the next checkpoint only; the names of the log's files begin with it at once. */
const TIMELINE = `case when pg_is_in_recovery() then c.timeline_id else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`

const ONE_SNAPSHOT = 'set transaction isolation level repeatable read, read only'
/** A backup of a large market takes minutes, in which the session is silent to the server, too. */
const NO_TIME_OUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map((name) => `set local ${name} = 0`)

/** Over a plain connection: COPY cannot be pipelined. */
async function bulkOverPostgres<T>(connectionString: string, what: 'reads' | 'writes', act: (bulk: Bulk) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, options: '-c jit=off' })
  // Whatever ends the connection also ends the statement, which says so.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(error, what === 'writes' ? 'DATABASE_OWNER_URL' : 'DATABASE_URL')
  })
  try {
    const faster = what === 'reads' ? [ONE_SNAPSHOT] : [`set local maintenance_work_mem = '256MB'`]
    for (const statement of ['begin', ...faster, ...NO_TIME_OUTS, ...SAME_TEXT]) await client.query(statement)
    const answer = await act(bulkOfClient(client))
    await client.query('commit')
    return answer
  } finally {
    // Without a commit the server rolls back.
    await client.end().catch(() => {})
  }
}

const MIGRATION_LOCK = 7_263_424
const MIGRATION_WAIT_MS = 10 * 60_000

/**
 * Of instances that start together one migrates; the others wait here and then find nothing to do. They ask again and again: a statement
 * that waits for the lock has a snapshot, and a concurrent index waits for all of those.
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

/** The first connection failed. Says why without a word of the address, which holds a password. */
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

/** Longer than `statement_timeout`: a server at work would have answered, if only with a refusal. */
const SILENCE_MS = 6000

/**
 * The server enforces all other time-outs. A server that has frozen, or is cut off silently, enforces none: whoever holds
 * a connection to it would wait for ever. Such a connection is torn down; its statement fails as "Connection terminated".
 */
function watchForSilence(pool: pg.Pool): { isWatched: boolean } {
  const silence = { isWatched: false }
  const lent = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => lent.add(client))
  pool.on('release', (_, client) => lent.delete(client))
  pool.on('connect', (client) => {
    // pg does not type its connection.
    const { stream } = (client as unknown as { connection: { stream: unknown } }).connection
    if (!(stream instanceof Socket)) throw new Error('pg has moved its socket: a silent server would no longer be noticed.')
    stream.setTimeout(SILENCE_MS, () => void (silence.isWatched && lent.has(client) && stream.destroy()))
  })
  return silence
}
