import { eq, sql, type SQL } from 'drizzle-orm'
import type { Db } from './database.server.ts'
import { Problem } from './problem.ts'
import { failureLadders } from './tables.ts'

/** Seconds that nobody may try after this many failures in a row, as SQL over `failures`. */
type Ladder = SQL

const failures = sql`(coalesce(${failureLadders.failures}, 0) + 1)`

/** Nothing for the first four wrong passwords, then 1, 2, 4 … 60 seconds. */
export const loginLadder: Ladder = sql`case when ${failures} < 5 then 0 else least(60, power(2, least(${failures}, 20) - 5)) end`

const HOUR = 3600
const DAY = 24 * HOUR
/**
 * Ten wrong codes an hour's rest, fifteen a day, twenty a week, and a month after each five more: a patient guesser gets about
 * eighty tries a year at one phone, one chance in ten thousand (safety.md §4.3). It counts by phone alone: six digits are few,
 * and whoever has many addresses and browsers would else have ten tries from each. So a stranger can make a phone rest; what
 * its owner then has is his password, in a browser that has logged in as him even beyond the cap of wrong ones (login.server.ts).
 */
export const otpLadder: Ladder = sql`case when ${failures} < 10 or ${failures} % 5 <> 0 then 0 when ${failures} = 10 then ${sql.raw(String(HOUR))} when ${failures} = 15 then ${sql.raw(String(DAY))} when ${failures} = 20 then ${sql.raw(String(7 * DAY))} else ${sql.raw(String(30 * DAY))} end`

/**
 * Takes one try at `key`, counted as wrong until `clearFailures` says otherwise: a burst cannot try more often than one by one.
 * RATE_LIMITED with the seconds to wait while the last failure's rest lasts. Call it outside the transaction of the act.
 * Answers how many it makes in a row.
 */
export async function claimTry(db: Db, key: string, ladder: Ladder): Promise<number> {
  const [claimed] = await db
    .insert(failureLadders)
    .values({ key, failures: 1, triedAt: sql`now()` as never })
    .onConflictDoUpdate({
      target: failureLadders.key,
      set: {
        failures: failures as never,
        triedAt: sql`now()` as never,
        // No rest is none at all: one that ends now would, for who began a moment before, still last.
        blockedUntil: sql`now() + make_interval(secs => nullif(${ladder}, 0))` as never,
      },
      setWhere: sql`coalesce(${failureLadders.blockedUntil}, now()) <= now()`,
    })
    .returning({ failures: failureLadders.failures })
  if (claimed) return claimed.failures
  await ensureMayTry(db, key)
  // The rest ended between the two questions.
  return claimTry(db, key, ladder)
}

/** For a try that `claimTry` counted and nobody looked at, because too much was going on: it was neither right nor wrong. */
export async function giveTryBack(db: Db, key: string, claimed: number): Promise<void> {
  await db
    .update(failureLadders)
    .set({
      failures: sql`greatest(${failureLadders.failures} - 1, 0)`,
      // The rest that this try began, and no later one's.
      blockedUntil: sql`case when ${failureLadders.failures} = ${claimed} then null else ${failureLadders.blockedUntil} end`,
    })
    .where(eq(failureLadders.key, key))
}

/** The same question without taking a try. */
export async function ensureMayTry(db: Db, key: string): Promise<void> {
  const [row] = await db
    .select({ wait: sql<number>`ceil(extract(epoch from ${failureLadders.blockedUntil} - now()))::int` })
    .from(failureLadders)
    .where(eq(failureLadders.key, key))
  if (row && row.wait > 0) throw new Problem('RATE_LIMITED', { retryAfterSeconds: row.wait })
}

/** It was right: what was wrong before is forgotten. */
export async function clearFailures(db: Db, key: string): Promise<void> {
  await db.delete(failureLadders).where(eq(failureLadders.key, key))
}
