import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Db } from '#src/kit/db/db.ts'

/** For race tests on PostgreSQL: waits until another connection to this database waits for a lock, however slow the machine is. */
export async function untilLockWait(db: Db): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const isWaiting = async () => ((await db.execute(waiting)) as unknown as { rows: unknown[] }).rows.length > 0
  while (!(await isWaiting())) await sleep(5)
}
