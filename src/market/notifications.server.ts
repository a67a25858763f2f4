import { notifyDesks } from '#src/admin/desk-digest.server.ts'
import { notifySavers } from '#src/alerts/notifications.server.ts'
import { notifyMatchingSellers, notifyOfExpiring, notifyOfOffers } from '#src/enquiries/notifications.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { DatabaseClock } from '#src/kit/db/database-clock.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { everyHour, type Job } from '#src/kit/hourly.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { askUnasked, closeUnanswered } from '#src/selling/owners/consents.server.ts'
import { remindSellers } from '#src/selling/own/reminders.server.ts'

/** The first round soon after the start, then one each hour. */
const FIRST_AFTER_MS = 60_000

interface Teller {
  db: Db
  log: Log
  vault: Vault
  clock: DatabaseClock
  publicOrigin: string
}

/**
 * Notifications that no act triggers: each round collects what is new since the last one. Several processes may run it at once, because the
 * message row records who was notified.
 */
export function startNotifications({ db, log, vault, clock, publicOrigin }: Teller): Job {
  /** No viewer: each message is queued in its receiver's language. */
  const ctx = (): Ctx => ({
    db,
    log,
    vault,
    publicOrigin,
    viewer: null,
    sessionId: null,
    locale: 'ta',
    now: clock.now(),
    requestId: 'telling',
    browserId: null,
  })
  const rounds = {
    'ask-owners': () => askUnasked(ctx()),
    'close-unanswered': () => closeUnanswered(ctx()),
    'remind-sellers': () => remindSellers(ctx()),
    'tell-of-offers': () => notifyOfOffers(ctx()),
    'tell-matching-sellers': () => notifyMatchingSellers(ctx()),
    'tell-savers': () => notifySavers(ctx()),
    'tell-of-expiring': () => notifyOfExpiring(ctx()),
    'tell-desks': () => notifyDesks(ctx()),
  }
  return everyHour({ rounds, firstAfterMs: FIRST_AFTER_MS, log })
}
