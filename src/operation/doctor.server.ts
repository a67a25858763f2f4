import { existsSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { addressesOf, openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { doesRunOn, migrationHashes } from '#src/kit/db/migrate.server.ts'
import { oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { EnvError, readEnv, withSecrets, type Env } from '#src/kit/base/env.server.ts'
import type { BucketAddress } from '#src/kit/base/env.server.ts'
import { bucketPlace } from '#src/kit/media/picture-place.server.ts'
import { hasOwner } from '#src/market/media-owner.server.ts'
import { secondsDue } from '#src/kit/messages/outbox.server.ts'
import { maintenanceFile } from '#src/kit/maintenance-file.server.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { ensureModeFits } from '#src/market/market-marks.server.ts'
import { countOlder } from '#src/market/resealing.server.ts'
import { openMarketVault } from '#src/market/vault-keys.server.ts'
import { BACKUP_LATE_MS, lastBackupAt } from './backup/last-backup.server.ts'

/** One result. `problem`: the market does not work, or soon will not. `hint`: worth knowing. */
export interface Finding {
  what: 'settings' | 'database' | 'schema' | 'marks' | 'pictures' | 'backups' | 'messages' | 'people' | 'switches'
  level: 'well' | 'hint' | 'problem'
  says: string
}

const MIN_FREE_BYTES = 1024 ** 3
const MAX_CLOCK_MS = 5000
const MIN_VERSION = 150_000

/**
 * Examines an installation from outside the site, changes nothing, and describes what is wrong: `npm run doctor`. Skips checks whose
 * preconditions failed: without readable settings it cannot ask a database.
 */
export async function examine(variables: Record<string, string | undefined>): Promise<Finding[]> {
  const env = readSettings(variables)
  if (Array.isArray(env)) return env
  const settings: Finding = { what: 'settings', level: 'well', says: `readable, MARKET_MODE ${env.mode}, ${env.publicOrigin}` }
  return [settings, ...(await examineDatabase(env)), await examinePictures(env), await examineBackups(env), ...switches(env)]
}

function readSettings(variables: Record<string, string | undefined>): Env | Finding[] {
  try {
    return withSecrets(readEnv(variables))
  } catch (error) {
    if (error instanceof EnvError) return error.lines.map((says) => ({ what: 'settings', level: 'problem', says }))
    throw error
  }
}

async function examineDatabase(env: Env): Promise<Finding[]> {
  const folder = join(env.dataDir, 'database')
  if (env.databaseUrl === null && !existsSync(folder))
    return [{ what: 'database', level: 'hint', says: `no embedded database in ${env.dataDir} yet: npm start creates one` }]
  let database: Database
  try {
    database = await openDatabase(addressesOf(env))
  } catch (error) {
    return [{ what: 'database', level: 'problem', says: firstLine(error) }]
  }
  try {
    const answering = await findingOf('database', () => aboutDatabase(database))
    if (answering.level === 'problem') return [answering]
    const schema = await findingOf('schema', () => aboutSchema(database.db))
    if (schema.level === 'problem') return [answering, schema]
    return [
      answering,
      schema,
      await findingOf('database', () => takesWrites(database)),
      await findingOf('marks', () => aboutMarks(database.db, env)),
      await findingOf('messages', () => aboutMessages(database.db)),
      await findingOf('people', () => aboutPeople(database.db, env)),
    ]
  } finally {
    await database.close()
  }
}

type Found = Omit<Finding, 'what'>
const well = (says: string): Found => ({ level: 'well', says })
const hint = (says: string): Found => ({ level: 'hint', says })
const problem = (says: string): Found => ({ level: 'problem', says })

async function findingOf(what: Finding['what'], look: () => Promise<Found>): Promise<Finding> {
  try {
    return { what, ...(await look()) }
  } catch (error) {
    return { what, level: 'problem', says: firstLine(error) }
  }
}

const databaseRow = z.object({ version: z.number(), clock: z.number(), size: z.string() })

async function aboutDatabase({ db, kind }: Database): Promise<Found> {
  const { version, clock, size } = await oneRowOf(
    { db },
    sql`select current_setting('server_version_num')::int as version, extract(epoch from clock_timestamp())::float8 * 1000 as clock,
      pg_size_pretty(pg_database_size(current_database())) as size`,
    databaseRow,
  )
  if (version < MIN_VERSION) return problem(`PostgreSQL ${Math.floor(version / 10_000)} is too old: 15 or newer is needed`)
  const seconds = Math.round(Math.abs(clock - Date.now()) / 1000)
  if (seconds * 1000 > MAX_CLOCK_MS) return problem(`its clock and this machine's are ${seconds} seconds apart: set both by NTP`)
  return well(`${kind}, answers, ${size}`)
}

async function takesWrites({ ping }: Database): Promise<Found> {
  await ping()
  return well('takes writes')
}

const hashRow = z.object({ hash: z.string() })

const existsRow = z.object({ exists: z.boolean() })

async function aboutSchema(db: Db): Promise<Found> {
  const row = await oneRowOf({ db }, sql`select to_regclass('schema_migrations') is not null as exists`, existsRow)
  if (!row.exists) return problem('no market was ever opened on it: npm start creates the tables')
  const applied = (await rowsOf({ db }, sql`select hash from schema_migrations order by number`, hashRow)).map(({ hash }) => hash)
  const known = migrationHashes()
  const left = known.length - applied.length
  if (known.some((hash, number) => number < applied.length && hash !== applied[number]))
    return problem('its migrations are not those of this release')
  if (left < 0)
    return (await doesRunOn(db, { known: known.length, applied: applied.length }))
      ? hint(`it is ${-left} migrations ahead of this release, which runs on it: upgrade again when the cause of the rollback is fixed`)
      : problem('it belongs to a newer release: run that one, or restore a backup')
  return left === 0 ? well(`up to date, ${known.length} migrations`) : hint(`${left} migrations are pending: the next start runs them`)
}

/** In a transaction that is rolled back, because on a database without marks the checks would write them. */
async function aboutMarks(db: Db, env: Env): Promise<Found> {
  let failure: EnvError | null = null
  let keys: Found = well('')
  await db
    .transaction(async (tx) => {
      try {
        await ensureModeFits(tx, env.mode)
        keys = await aboutKeys(tx, env, await openMarketVault(tx, env))
      } catch (error) {
        if (!(error instanceof EnvError)) throw error
        failure = error
      }
      tx.rollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.constructor.name !== 'TransactionRollbackError') throw error
    })
  return failure ? problem((failure as EnvError).lines.join(' ')) : keys
}

async function aboutKeys(db: Db, { pepperOld, pepperNext }: Env, vault: Vault): Promise<Found> {
  const fits = `MARKET_MODE and PEPPER are this market's`
  if (vault.keys.length === 1) return well(fits)
  const key = `${fits}, key ${vault.keyNumber} of ${vault.keys.length}`
  if (pepperNext) return hint(`${key}; give every process PEPPER_NEXT, then make it their PEPPER`)
  const older = await countOlder(db, vault)
  if (older > 0) return hint(`${key}; ${older} values are still sealed with another one: the site reseals them within hours`)
  return pepperOld
    ? hint(`${key}; nothing is sealed with an older one, remove PEPPER_OLD`)
    : well(`${key}; nothing is sealed with an older one`)
}

const messagesRow = z.object({ failed: z.number(), waiting: z.number(), minutes: z.number() })

async function aboutMessages(db: Db): Promise<Found> {
  const { failed, waiting, minutes } = await oneRowOf(
    { db },
    sql`select (count(*) filter (where ${secondsDue} > 0))::int as waiting, coalesce(max(${secondsDue}) / 60, 0)::float8 as minutes,
      (select count(*) from outbox where failed_at > now() - interval '1 day' and stands_before is null)::int as failed
      from outbox where sent_at is null and failed_at is null and shown_at is null`,
    messagesRow,
  )
  if (waiting > 0 && minutes > 10)
    return problem(`${waiting} waiting, the oldest for ${Math.round(minutes)} minutes: does the site run, does the provider answer?`)
  return failed > 0
    ? hint(`${failed} messages were given up within a day: see /admin/messages`)
    : well('no message waits too long, none was given up')
}

const adminsRow = z.object({ admins: z.number() })

async function aboutPeople(db: Db, { mode }: Env): Promise<Found> {
  const row = await oneRowOf(
    { db },
    sql`select count(*)::int as admins from users where super_admin and is_active and type_id = 9`,
    adminsRow,
  )
  if (row.admins > 0) return well(`${row.admins} super admin${row.admins > 1 ? 's' : ''}`)
  return mode === 'live' ? problem('nobody can run the market: npm run admin -- --phone +91…') : hint('no super admin')
}

async function examinePictures({ dataDir, bucket }: Env): Promise<Finding> {
  if (bucket) return findingOf('pictures', () => aboutBucket(bucket))
  const folder = join(dataDir, 'media')
  if (!existsSync(folder)) return { what: 'pictures', level: 'hint', says: `no folder ${folder} yet: npm start creates it` }
  try {
    await access(folder, constants.R_OK | constants.W_OK)
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const gigabytes = (free / 1024 ** 3).toFixed(1)
    return free < MIN_FREE_BYTES
      ? { what: 'pictures', level: 'problem', says: `only ${gigabytes} GiB are free for ${folder}` }
      : { what: 'pictures', level: 'well', says: `${folder}, ${gigabytes} GiB free; npm run pictures compares it with the rows` }
  } catch (error) {
    return { what: 'pictures', level: 'problem', says: `${folder} cannot be written: ${firstLine(error)}` }
  }
}

async function aboutBucket(address: BucketAddress): Promise<Found> {
  const place = bucketPlace(address)
  await place.prepare()
  const isOwned = await hasOwner(place)
  return isOwned
    ? well(`${place.name} answers; npm run pictures compares it with the rows`)
    : hint(`${place.name} has no owner yet: npm start marks it`)
}

/** None at all is as bad as an old one. A demo needs none. */
async function examineBackups({ dataDir, mode }: Env): Promise<Finding> {
  const at = await lastBackupAt(dataDir)
  const age = at && Date.now() - at.getTime()
  if (age !== null && age < BACKUP_LATE_MS) return { what: 'backups', level: 'well', says: `the last one is ${hoursOf(age)} hours old` }
  const says = age === null ? `none was made with DATA_DIR ${dataDir}` : `the last one is ${hoursOf(age)} hours old`
  const level = mode === 'live' || age !== null ? 'problem' : 'hint'
  return { what: 'backups', level, says: `${says}: systemctl status sandhai-backup.timer, journalctl -u sandhai-backup` }
}

const hoursOf = (ms: number) => Math.round(ms / 3_600_000)

function switches(env: Env): Finding[] {
  const isOff = existsSync(maintenanceFile(env.dataDir))
  return [
    isOff
      ? { what: 'switches', level: 'problem', says: 'maintenance is on, writes are refused: npm run admin -- maintenance off' }
      : { what: 'switches', level: 'well', says: 'maintenance is off' },
    ...(env.mode === 'live' && env.smtpUrl === null
      ? [{ what: 'switches' as const, level: 'hint' as const, says: 'no SMTP_URL: no e-mail is sent, the newsletter is closed' }]
      : []),
  ]
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0]!
