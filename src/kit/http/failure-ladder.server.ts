import { eq, sql, type SQL } from 'drizzle-orm'
import type { Db } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { failureLadders } from '#src/kit/db/tables.ts'

/** Seconds that nobody may try after this many failures in a row, as SQL over `failures`. */
export type Ladder = SQL

const failures = sql`(coalesce(${failureLadders.failures}, 0) + 1)`

/** Nothing for the first four wrong passwords, then 1, 2, 4 … 60 seconds. */
export const loginLadder: Ladder = sql`case when ${failures} < 5 then 0 else least(60, power(2, least(${failures}, 20) - 5)) end`

const HOUR = 3600
const DAY = 24 * HOUR
/** A ladder whose rests, in seconds, begin with the failures named; with each `every` more after the last it rests as long again. */
const rests = (steps: [failures: number, seconds: number][], every: number): Ladder => {
  const [last, longest] = steps.at(-1)!
  const named = steps.map(([count, seconds]) => `when f = ${count} then ${seconds}`).join(' ')
  return sql`(select case ${sql.raw(named)} when f > ${sql.raw(String(last))} and (f - ${sql.raw(String(last))}) % ${sql.raw(String(every))} = 0 then ${sql.raw(String(longest))} else 0 end from (select ${failures} as f) as counted)`
}

/** Ten wrong codes in a row an hour's rest, fifteen a day, twenty a week, and a month after each five more (safety.md §4.3). */
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
 * Wrong codes for one number, by who asked for them (safety.md §4.3). A browser known from a login has the ladder above to itself. All
 * strangers share one, and all who waited share another: otherwise an attacker with many addresses and browsers would have ten tries from
 * each. Both together leave a patient guesser fewer than eighty tries in a year.
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
        // A rest of 0 seconds is null: one that ends now would still last for a transaction that began a moment before.
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

/** Gives back a try that `claimTry` counted but that was not evaluated under overload: it was neither right nor wrong. */
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

/** RATE_LIMITED like `claimTry`, without taking a try. */
export async function ensureMayTry(db: Db, key: string): Promise<void> {
  const [row] = await db
    .select({ wait: sql<number>`ceil(extract(epoch from ${failureLadders.blockedUntil} - now()))::int` })
    .from(failureLadders)
    .where(eq(failureLadders.key, key))
  if (row && row.wait > 0) throw new Problem('RATE_LIMITED', { retryAfterSeconds: row.wait })
}

/** After a right answer: forgets the failures. */
export async function clearFailures(db: Db, key: string): Promise<void> {
  await db.delete(failureLadders).where(eq(failureLadders.key, key))
}
