import { pushGateway } from '#src/accounts/notifications/push-gateway.server.ts'
import { PageViews, startPageViews } from '#src/content/page-views.server.ts'
import { canRewriteAudit, ensureTimeLimits } from '#src/kit/db/database-roles.server.ts'
import { addressesOf, openDatabase, type Database } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { DatabaseClock } from '#src/kit/db/database-clock.server.ts'
import { watchDatabase } from '#src/kit/db/database-watch.server.ts'
import { startSealing } from '#src/kit/records/audit.server.ts'
import { gatewaysFor } from '#src/kit/messages/gateways.server.ts'
import { processLatenessMs } from '#src/kit/http/gate.server.ts'
import { EnvError, type Env } from '#src/kit/base/env.server.ts'
import { openLog, type Log } from '#src/kit/base/log.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { BucketAway } from '#src/kit/media/bucket.server.ts'
import { placeOf } from '#src/kit/media/picture-place.server.ts'
import { startOutbox } from '#src/kit/messages/outbox.server.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { missingTemplates } from '#src/kit/messages/sms.server.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { startPictureSweeper } from '#src/kit/uploads/sweep-pictures.server.ts'
import { startPrints } from '#src/listings/prints/prints.server.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { loadReferenceData, openExemptPincodes } from './load-reference.server.ts'
import { claimPictures } from './media-owner.server.ts'
import { ensureModeFits } from './market-marks.server.ts'
import { openMarketVault } from './vault-keys.server.ts'
import { startResealing } from './resealing.server.ts'
import { startRetention } from './retention.server.ts'
import { startNotifications } from './notifications.server.ts'

/** Everything that one running process holds: opened once at start, closed once at the end. */
export interface Market {
  env: Env
  log: Log
  database: Database
  clock: DatabaseClock
  media: MediaStore
  limits: RateLimits
  vault: Vault
  views: PageViews
  /** Event-loop lag, by which the gates shed load (Gate). */
  latenessMs: () => number
  /** The pipeline's gates (app.server.ts), for the operator's metrics. */
  gates?: Record<string, { inside: number; waiting: number }>
  /** True after a stop was requested: /readyz says so, and no new work should come. */
  isDraining: boolean
  /** Logs that the database is away, once per absence. */
  noteAway(error: unknown): void
  close(): Promise<void>
}

interface Opening {
  onStatement?: (sql: string, params: unknown[]) => void
  /** A restored copy that will be thrown away: no background jobs, no messages, and one role does everything. */
  isRehearsal?: boolean
}

/** Opens the database, brings schema and reference data up to date, opens the picture store. */
export async function openMarket(env: Env, options: Opening = {}): Promise<Market> {
  const log = openLog(env.logLevel)
  const missing = env.sms ? missingTemplates(env.sms) : []
  // In demo mode an operator may try the provider with one or two templates.
  if (missing.length > 0 && env.mode === 'live') throw new EnvError([`MSG91_TEMPLATES lacks ${missing.join(' ')}.`])
  if (missing.length > 0) log.warn({ templates: missing.join(' ') }, 'MSG91_TEMPLATES: these SMS have no template and are not sent')
  const database = await databaseOf(env, log, { ...options, onIdleError: (error) => noteAway(error) })
  const noteAway = watchDatabase(log, () => database.ping())
  try {
    const ahead = await database.migrate()
    if (ahead > 0) log.warn({ ahead }, 'the schema is of a newer release, which allows this release to run on it')
    if (env.mode === 'live' && !options.isRehearsal && (await canRewriteAudit(database.db))) {
      throw new EnvError([
        'DATABASE_URL: its role may rewrite the audit trail. Give the site a role of its own, and the owner of the tables in DATABASE_OWNER_URL (README).',
      ])
    }
    if (env.databaseDirectUrl) await ensureTimeLimits(database.db)
    await loadReferenceData(database.db)
    await ensureModeFits(database.db, env.mode)
    const vault = await openMarketVault(database.db, env)
    await openExemptPincodes(database.db, env.exemptPincodes)
    const { media, owner } = await openPictures(env, database, log)
    const views = new PageViews()
    const clock = await DatabaseClock.start(database.watch)
    const workers = options.isRehearsal ? [] : startWorkers(env, { db: database.db, log, vault }, { views, media, clock })
    if (owner === 'ours' && !options.isRehearsal)
      workers.push(startPictureSweeper({ media, usedKeys: (keys) => usedPictureKeys(database.db, keys), log }))
    const close = async () => {
      for (const worker of [...workers, clock]) await worker.stop()
      await database.close()
    }
    return {
      env,
      log,
      database,
      clock,
      media,
      vault,
      views,
      limits: new RateLimits(env.rateLimitFactors.address, env.rateLimitFactors.user, env.rateLimitFactors.phone),
      latenessMs: processLatenessMs,
      isDraining: false,
      noteAway,
      close,
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** An unreachable bucket does not prevent the start: pages and orders need no picture. Nothing is deleted from it until the next start. */
async function openPictures(env: Env, database: Database, log: Log): Promise<{ media: MediaStore; owner: 'ours' | 'copy' | 'unknown' }> {
  const place = placeOf(env)
  const owner = await claimPictures(database, place).catch((error: unknown) => {
    if (!(error instanceof BucketAway)) throw error
    if (error.isRefusal) throw new EnvError([`PICTURES_BUCKET: ${error.message}`])
    log.error(
      { err: error },
      'the bucket of pictures is unreachable: no picture is shown until it is back, and none is deleted until the next start',
    )
    return 'unknown' as const
  })
  if (owner === 'copy')
    log.warn(
      `this database is a copy of the one that owns the picture ${place.name}: no picture is deleted until npm run pictures -- --adopt`,
    )
  return { media: await place.open({ keepsRemoved: owner !== 'ours' }), owner }
}

type Heard = Pick<Parameters<typeof openDatabase>[0], 'onStatement' | 'onIdleError'>

function databaseOf(env: Env, log: Log, { onStatement, onIdleError }: Heard): Promise<Database> {
  return openDatabase({
    ...addressesOf(env),
    hasPreparedStatements: env.preparedStatements,
    ...(onIdleError && { onIdleError }),
    ...(onStatement && { onStatement }),
    onSlowStatement: (statement, ms) => {
      tally('sandhai_database_slow_statements_total')
      log.warn({ statement: statement.slice(0, 1000), ms: Math.round(ms) }, 'slow statement')
    },
  })
}

/** Background jobs. They stop in this order, the messages first. */
function startWorkers(
  env: Env,
  common: { db: Db; log: Log; vault: Vault },
  { views, media, clock }: { views: PageViews; media: MediaStore; clock: DatabaseClock },
): { stop(): Promise<void> }[] {
  return [
    startOutbox({ ...common, gateways: { ...gatewaysFor(env), push: pushGateway({ ...common, env }) }, origin: env.publicOrigin }),
    startSealing(common),
    startResealing(common),
    startRetention(common),
    startNotifications({ ...common, clock, publicOrigin: env.publicOrigin }),
    startPageViews({ ...common, views }),
    startPrints({ ...common, media }),
  ]
}
