import { join } from 'node:path'
import { openDatabase, type Database } from './kit/database.server.ts'
import { gatewaysFor } from './kit/email.server.ts'
import type { Env } from './kit/env.server.ts'
import { openLog, type Log } from './kit/log.server.ts'
import { openMediaStore, type MediaStore } from './kit/media-store.server.ts'
import { startOutbox } from './kit/outbox.server.ts'
import { RateLimits } from './kit/rate-limits.server.ts'
import { loadReferenceData } from './load-reference.server.ts'

/** Everything one running process holds: opened once at start, closed once at the end. */
export interface Market {
  env: Env
  log: Log
  database: Database
  media: MediaStore
  limits: RateLimits
  /** True once a stop was asked for: /readyz says so and no new work should come. */
  isDraining: boolean
  close(): Promise<void>
}

/** Opens the database, brings schema and reference data up to date, opens the picture store. */
export async function openMarket(env: Env, options: { onStatement?: (sql: string, params: unknown[]) => void } = {}): Promise<Market> {
  const log = openLog(env.logLevel)
  const database = await openDatabase({
    databaseUrl: env.databaseUrl,
    dataDir: env.dataDir,
    onIdleError: (err) => log.warn({ err }, 'database connection lost'),
    ...(options.onStatement && { onStatement: options.onStatement }),
  })
  try {
    await database.migrate()
    await loadReferenceData(database.db)
    const media = await openMediaStore(join(env.dataDir, 'media'))
    const outbox = startOutbox({ db: database.db, log, gateways: gatewaysFor(env), origin: env.publicOrigin })
    const close = async () => {
      await outbox.stop()
      await database.close()
    }
    return { env, log, database, media, limits: new RateLimits(env.rateLimitFactor), isDraining: false, close }
  } catch (error) {
    await database.close()
    throw error
  }
}
