import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { tally } from '#src/kit/base/tally.server.ts'
import type { Db } from './db.ts'
import { isDatabaseAway } from './database-errors.server.ts'
import { oneRowOf } from './rows.server.ts'

/** A position in the leader's write-ahead log. Positions of different timelines cannot be compared. */
export interface Position {
  timeline: number
  /** Bytes since the start of the log. */
  lsn: bigint
}

/** SQL for the leader's position: every committed and visible change is before it. Null on a standby. */
export const leaderPosition = sql`case when pg_is_in_recovery() then null else json_build_object(
  'timeline', ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
  'lsn', (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end - '0/0')::text) end`
export const positionShape = z.object({ timeline: z.number(), lsn: z.string() }).nullable()
export const readPosition = (value: z.output<typeof positionShape>): Position | null =>
  value && { timeline: value.timeline, lsn: BigInt(value.lsn) }

const leaderRow = z.object({ position: positionShape })

export async function leaderPositionOf(db: Db): Promise<Position | null> {
  const row = await oneRowOf({ db }, sql`select ${leaderPosition} as position`, leaderRow)
  return readPosition(row.position)
}

/** A standby usually lags by the network's latency, so a read retries with a pause. */
const TRIES = 4
const PAUSE_MS = 5
/** After a late or unreachable standby, reads go to the leader for this long. */
const AFTER_LATE_MS = 50
const AFTER_AWAY_MS = 3000

/**
 * Reads for anonymous visitors, from any standby behind one address (decision 0066). A standby lags behind its leader by an unknown time. So each
 * read first checks that the standby has replayed the log up to the position at which the leader was asked for changes.
 */
export class Standby {
  readonly #db: Db
  #leftAloneUntil = 0

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Runs `read` in one read-only transaction on a standby that has replayed everything up to `position`. Returns null when no standby has or none
   * answers; the caller then reads from the leader. Rethrows a failure within `read`.
   */
  async read<T>(position: Position | null, read: (db: Db) => Promise<T>): Promise<{ value: T } | null> {
    if (!position || performance.now() < this.#leftAloneUntil) return null
    let answer: { value: T } | null = null
    let isReading = false
    try {
      // Read committed: each statement sees at least the state that the first one confirmed. One snapshot for all statements could be older than
      // that.
      await this.#db.transaction(
        async (db) => {
          if (!(await replays(db, position))) return
          isReading = true
          answer = { value: await read(db) }
        },
        { accessMode: 'read only' },
      )
      if (!isReading) this.#leaveAlone('late', AFTER_LATE_MS)
    } catch (error) {
      if (!isDatabaseAway(error) || (isReading && !answer)) throw error
      this.#leaveAlone('away', AFTER_AWAY_MS)
    }
    if (answer) tally('sandhai_standby_reads_total', { outcome: 'read' })
    return answer
  }

  #leaveAlone(outcome: 'late' | 'away', ms: number): void {
    tally('sandhai_standby_reads_total', { outcome })
    this.#leftAloneUntil = performance.now() + ms
  }
}

async function replays(db: Db, position: Position): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    if (await hasReplayed(db, position)) return true
    if (tries === TRIES) return false
    await sleep(PAUSE_MS)
  }
}

const replayedRow = z.object({ isThere: z.boolean().nullable() })

/** The control file gets a new timeline only at the next restart point. Until then, this code uses no standby of a promoted leader. */
async function hasReplayed(db: Db, { timeline, lsn }: Position): Promise<boolean> {
  const row = await oneRowOf(
    { db },
    sql`select pg_is_in_recovery() and timeline_id = ${timeline}::int
      and pg_last_wal_replay_lsn() - '0/0' >= ${String(lsn)}::numeric as "isThere"
      from pg_control_checkpoint()`,
    replayedRow,
  )
  return row.isThere === true
}
