import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '#src/kit/db/db.ts'
import { rowsIn } from './market-state.ts'

/**
 * For race tests on PostgreSQL: waits until another connection to this database waits for a lock, however slow the machine is. With `other`,
 * the act of that connection, it also returns when the act is finished, as happens in controls without the lock.
 */
export async function untilLockWait(db: Db, other?: Promise<unknown>): Promise<void> {
  let isDone = false
  const done = () => void (isDone = true)
  other?.then(done, done)
  const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const isWaiting = async () => (await rowsIn({ db }, waiting)).length > 0
  while (!isDone && !(await isWaiting())) await sleep(5)
}
