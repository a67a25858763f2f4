import { and, eq, like, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#src/kit/db/db.ts'
import { failureLadders, outbox } from '#src/kit/db/tables.ts'
import { PHONE_CHANGED } from '#src/accounts/profile/phone-change.server.ts'
import { KNOWN_DAYS } from '../known-devices.server.ts'
import { erasedPhones, knownDevices, otps, pendingRegistrations, sessions } from '../tables.ts'

/** For codes and unfinished registrations, which hold phone numbers of people without an account (safety.md §4.6). */
const KEEP_HOURS = 24
/**
 * Wrong codes count for half a year after the last one. By then the lockout, at most ten weeks, is over, and a guesser who pauses for so
 * long gains hardly any tries (otp-guesses.db.test.ts). Wrong passwords block for a minute at most.
 */
const KEEP_WRONG_CODES_DAYS = 180
/** The longest idle time of a session; after that it is invalid for every type of user (sessions.server.ts). */
const KEEP_IDLE_DAYS = 30

/** Retention of used one-time benefits of a phone number after its account was erased (decisions.md §7.5). */
const KEEP_ERASED_PHONES_YEARS = 2

/** Deletes expired codes, registrations and sessions, and counters that no longer count. */
export async function sweepAccounts(db: Db): Promise<void> {
  const dayAgo = sql`now() - make_interval(hours => ${KEEP_HOURS})`
  await db.delete(otps).where(lt(otps.createdAt, dayAgo))
  await db.delete(pendingRegistrations).where(lt(pendingRegistrations.createdAt, dayAgo))
  const { key, triedAt } = failureLadders
  await db.delete(failureLadders).where(and(or(like(key, 'login:%'), like(key, 'password:%')), lt(triedAt, dayAgo)))
  await db.delete(failureLadders).where(lt(triedAt, sql`now() - make_interval(days => ${KEEP_WRONG_CODES_DAYS})`))
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, sql`now() - make_interval(days => ${KNOWN_DAYS})`))
  await db.delete(erasedPhones).where(lt(erasedPhones.erasedAt, sql`now() - make_interval(years => ${KEEP_ERASED_PHONES_YEARS})`))
  // The old number may have a new owner, whose erasure would not find this message.
  await db.delete(outbox).where(and(eq(outbox.template, PHONE_CHANGED), lt(sql`coalesce(${outbox.sentAt}, ${outbox.failedAt})`, dayAgo)))
  await db
    .delete(sessions)
    .where(or(lt(sessions.expiresAt, sql`now()`), lt(sessions.seenAt, sql`now() - make_interval(days => ${KEEP_IDLE_DAYS})`)))
}
