import { eq, sql, type SQL } from 'drizzle-orm'
import type { Db } from '#src/kit/db/db.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { failureLadders } from '#src/kit/db/tables.ts'

/** SQL over `failures`: the seconds without attempts after this many consecutive failures. */
type Ladder = SQL

const failures = sql`(coalesce(${failureLadders.failures}, 0) + 1)`

/** No wait for the first four wrong passwords, then 1, 2, 4 … 60 seconds. */
export const loginLadder: Ladder = sql`case when ${failures} < 5 then 0 else least(60, power(2, least(${failures}, 20) - 5)) end`

const HOUR = 3600
const DAY = 24 * HOUR
/** Builds a ladder from named steps, in seconds. After the last step, each `every` further failures wait as long as the last step. */
const rests = (steps: [failures: number, seconds: number][], every: number): Ladder => {
  const [last, longest] = steps.at(-1)!
  const named = steps.map(([count, seconds]) => `when f = ${count} then ${seconds}`).join(' ')
  return sql`(select case ${sql.raw(named)} when f > ${sql.raw(String(last))} and (f - ${sql.raw(String(last))}) % ${sql.raw(String(every))} = 0 then ${sql.raw(String(longest))} else 0 end from (select ${failures} as f) as counted)`
}

/** Ten consecutive wrong codes wait an hour, fifteen a day, twenty a week, and each further five a month (safety.md §4.3). */
export const otpLadder: Ladder = rests(
  [
    [10, HOUR],
    [15, DAY],
    [20, 7 * DAY],
    [25, 30 * DAY],
  ],
  5,
)

/**
 * Ladders for wrong codes of one number, by the kind of requester (safety.md §4.3). A browser known from a login uses the ladder above alone. All
 * strangers share one ladder, and all who waited share another; otherwise an attacker with many addresses and browsers would get ten attempts from
 * each. Both together leave a patient guesser fewer than eighty attempts a year.
 */
export const codeLadders = {
  known: otpLadder,
  stranger: rests(
    [
      [10, DAY],
      [15, 70 * DAY],
    ],
    5,
  ),
  waited: rests(
    [
      [5, DAY],
      [10, 70 * DAY],
    ],
    5,
  ),
} as const

/**
 * Takes one attempt at `key` and counts it as wrong until `clearFailures`, so a parallel burst gets no more attempts than a sequence. Throws
 * RATE_LIMITED with the seconds to wait during the wait of the last failure. Call it outside the transaction of the act. Returns the number of
 * consecutive failures.
 */
export async function claimTry(db: Db, key: string, ladder: Ladder): Promise<number> {
  const [claimed] = await db
    .insert(failureLadders)
    .values({ key, failures: 1, triedAt: sql`now()` })
    .onConflictDoUpdate({
      target: failureLadders.key,
      set: {
        failures,
        triedAt: sql`now()`,
        // Store a wait of 0 seconds as null: an end of "now" would still block a transaction that began a moment before.
        blockedUntil: sql`now() + make_interval(secs => nullif(${ladder}, 0))`,
      },
      setWhere: sql`coalesce(${failureLadders.blockedUntil}, now()) <= now()`,
    })
    .returning({ failures: failureLadders.failures })
  if (claimed) return claimed.failures
  await ensureMayTry(db, key)
  // The wait ended between the two statements.
  return claimTry(db, key, ladder)
}

/** Returns an attempt that `claimTry` counted but that overload kept from being evaluated. */
export async function giveTryBack(db: Db, key: string, claimed: number): Promise<void> {
  await db
    .update(failureLadders)
    .set({
      failures: sql`greatest(${failureLadders.failures} - 1, 0)`,
      // Removes the wait of this attempt only, not a later one's.
      blockedUntil: sql`case when ${failureLadders.failures} = ${claimed} then null else ${failureLadders.blockedUntil} end`,
    })
    .where(eq(failureLadders.key, key))
}

/** Throws RATE_LIMITED like `claimTry`, without taking an attempt. */
export async function ensureMayTry(db: Db, key: string): Promise<void> {
  const [row] = await db
    .select({ wait: sql<number>`ceil(extract(epoch from ${failureLadders.blockedUntil} - now()))::int` })
    .from(failureLadders)
    .where(eq(failureLadders.key, key))
  if (row && row.wait > 0) throw new Problem('RATE_LIMITED', { retryAfterSeconds: row.wait })
}

/** Deletes the failures after a correct attempt. */
export async function clearFailures(db: Db, key: string): Promise<void> {
  await db.delete(failureLadders).where(eq(failureLadders.key, key))
}
