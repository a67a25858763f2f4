import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import type { Db } from '#src/kit/db/db.ts'

/** Within this time, two quartz clocks drift apart by a few milliseconds. */
const COMPARE_EVERY_MS = 60_000

const clockRow = z.object({ ms: z.number() })

/**
 * The database's clock without a round trip per request. Orders, steps and documents take their times from it, so all processes agree and a wrong
 * system clock of a site has no effect. Between comparisons, the process counts with its monotonic clock, which nobody can set.
 */
export class DatabaseClock {
  readonly #db: Db
  readonly #timer: NodeJS.Timeout
  #ms = Date.now()
  #at = performance.now()

  private constructor(db: Db) {
    this.#db = db
    // A failed comparison keeps the previous offset.
    this.#timer = setInterval(() => void this.compare().catch(() => {}), COMPARE_EVERY_MS).unref()
  }

  /** Compares once, then every minute until `stop`. */
  static async start(db: Db): Promise<DatabaseClock> {
    const clock = new DatabaseClock(db)
    await clock.compare()
    return clock
  }

  stop = async () => clearInterval(this.#timer)

  now(): Date {
    return new Date(this.#ms + performance.now() - this.#at)
  }

  /** The error is at most half a round trip to the database. */
  async compare(): Promise<void> {
    const startedAt = performance.now()
    const row = await oneRowOf({ db: this.#db }, sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`, clockRow)
    this.#ms = row.ms
    this.#at = (startedAt + performance.now()) / 2
  }
}
