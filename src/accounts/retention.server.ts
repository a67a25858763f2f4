import { and, eq, like, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#src/kit/database.server.ts'
import { failureLadders, outbox } from '#src/kit/tables.ts'
import { PHONE_CHANGED } from './phone-change.server.ts'
import { otps, pendingRegistrations, sessions } from './tables.ts'

/** Codes and unfinished registrations hold phones of people who are nobody's users (safety.md §4.6). */
const KEEP_HOURS = 24
/**
 * Wrong codes count for half a year after the last: by then its rest, a month at most, is long over, and twenty-five tries in each such
 * round are fewer than the ladder leaves whoever never stops (safety.md §4.3). Wrong passwords rest a minute at most.
 */
const KEEP_WRONG_CODES_DAYS = 180
/** The longest a session may be idle; after that nobody can use it, whoever it was (sessions.server.ts). */
const KEEP_IDLE_DAYS = 30

/** Removes what nobody can use any more. */
export async function sweepAccounts(db: Db): Promise<void> {
  const dayAgo = sql`now() - make_interval(hours => ${KEEP_HOURS})`
  await db.delete(otps).where(lt(otps.createdAt, dayAgo))
  await db.delete(pendingRegistrations).where(lt(pendingRegistrations.createdAt, dayAgo))
  const { key, triedAt } = failureLadders
  await db.delete(failureLadders).where(and(or(like(key, 'login:%'), like(key, 'password:%')), lt(triedAt, dayAgo)))
  await db.delete(failureLadders).where(lt(triedAt, sql`now() - make_interval(days => ${KEEP_WRONG_CODES_DAYS})`))
  // Written to a number that is its receiver's no more: whoever erases himself later could not find it.
  await db.delete(outbox).where(and(eq(outbox.template, PHONE_CHANGED), lt(sql`coalesce(${outbox.sentAt}, ${outbox.failedAt})`, dayAgo)))
  await db
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, sql`now()`), lt(sessions.seenAt, sql`now() - make_interval(days => ${KEEP_IDLE_DAYS})`)))
}
