import { join } from 'node:path'
import { PageViews, startPageViews } from './content/page-views.server.ts'
import { openDatabase, type Database } from './kit/database.server.ts'
import { watchDatabase } from './kit/database-watch.server.ts'
import { startSealing } from './kit/audit.server.ts'
import { gatewaysFor } from './kit/gateways.server.ts'
import { processLatenessMs } from './kit/gate.server.ts'
import type { Env } from './kit/env.server.ts'
import { openLog, type Log } from './kit/log.server.ts'
import { openMediaStore, type MediaStore } from './kit/media-store.server.ts'
import { startOutbox } from './kit/outbox.server.ts'
import { RateLimits } from './kit/rate-limits.server.ts'
import { missingTemplates } from './kit/sms.server.ts'
import { openVault, type Vault } from './kit/vault.server.ts'
import { startPictureSweeper } from './kit/sweep-pictures.server.ts'
import { loadReferenceData, openExemptPincodes } from './load-reference.server.ts'
import { ownsMedia } from './media-owner.server.ts'
import { startRetention } from './retention.server.ts'
import { startTelling } from './telling.server.ts'
import { usedPictureKeys } from './selling/used-pictures.server.ts'

/** Everything one running process holds: opened once at start, closed once at the end. */
export interface Market {
  env: Env
  log: Log
  database: Database
  media: MediaStore
  limits: RateLimits
  vault: Vault
  /** How often which page was opened. */
  views: PageViews
  /** What its gates ask before they let in a second one (Gate). */
  latenessMs: () => number
  /** True once a stop was asked for: /readyz says so and no new work should come. */
  isDraining: boolean
  /** Says so in the log, once for all who meet the same absence. */
  noteAway(error: unknown): void
  close(): Promise<void>
}

/** Opens the database, brings schema and reference data up to date, opens the picture store. */
export async function openMarket(env: Env, options: { onStatement?: (sql: string, params: unknown[]) => void } = {}): Promise<Market> {
  const log = openLog(env.logLevel)
  const vault = openVault(env.pepper)
  const missing = env.sms ? missingTemplates(env.sms) : []
  if (missing.length > 0) log.warn({ templates: missing.join(' ') }, 'MSG91_TEMPLATES: these SMS have no template and are not sent')
  const database = await openDatabase({
    databaseUrl: env.databaseUrl,
    dataDir: env.dataDir,
    hasPreparedStatements: env.preparedStatements,
    onIdleError: (error) => noteAway(error),
    ...(options.onStatement && { onStatement: options.onStatement }),
  })
  const noteAway = watchDatabase(log, () => database.ping())
  try {
    await database.migrate()
    await loadReferenceData(database.db)
    await openExemptPincodes(database.db, env.exemptPincodes)
    const mediaDir = join(env.dataDir, 'media')
    const media = await openMediaStore(mediaDir)
    // Said before the first picture comes: whose folder it is.
    await ownsMedia(database.db, mediaDir).catch((error: unknown) => log.warn({ err: error }, 'the picture folder cannot be marked'))
    const outbox = startOutbox({ db: database.db, log, gateways: gatewaysFor(env), vault, origin: env.publicOrigin })
    const sealing = startSealing({ db: database.db, log })
    const retention = startRetention({ db: database.db, log })
    const telling = startTelling({ db: database.db, log, vault, publicOrigin: env.publicOrigin })
    const views = new PageViews()
    const counting = startPageViews({ views, db: database.db, log })
    const pictures = startPictureSweeper({
      media,
      usedKeys: (keys) => usedPictureKeys(database.db, keys),
      isOurs: () => ownsMedia(database.db, mediaDir),
      log,
    })
    const close = async () => {
      await outbox.stop()
      await sealing.stop()
      await retention.stop()
      await telling.stop()
      await pictures.stop()
      await counting.stop()
      await database.close()
    }
    return {
      env,
      log,
      database,
      media,
      vault,
      views,
      limits: new RateLimits(env.rateLimitFactors.address, env.rateLimitFactors.user),
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
