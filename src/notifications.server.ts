import { notifyDesks } from './admin/desk-digest.server.ts'
import { notifySavers } from './alerts/notifications.server.ts'
import { notifyMatchingSellers, notifyOfExpiring, notifyOfOffers } from './enquiries/notifications.server.ts'
import type { Ctx } from './kit/context.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import { everyHour, type Job } from './kit/hourly.server.ts'
import type { Log } from './kit/log.server.ts'
import type { Vault } from './kit/vault.server.ts'
import { remindSellers } from '#src/selling/own/reminders.server.ts'

/** Soon after the start, and each hour from then on. */
const FIRST_AFTER_MS = 60_000

interface Teller {
  db: Db
  log: Log
  vault: Vault
  publicOrigin: string
}

/**
 * Notifications that no act triggers: each round looks what has come together since the last. Several processes
 * may look at once; who was notified is stored with the message.
 */
export function startNotifications({ db, log, vault, publicOrigin }: Teller): Job {
  /** Nobody's act: what is queued is in each receiver's own language. */
  const ctx = (): Ctx => ({
    db,
    log,
    vault,
    publicOrigin,
    viewer: null,
    sessionId: null,
    locale: 'ta',
    now: new Date(),
    requestId: 'telling',
    browserId: null,
  })
  const rounds = {
    'remind-sellers': () => remindSellers(ctx()),
    'tell-of-offers': () => notifyOfOffers(ctx()),
    'tell-matching-sellers': () => notifyMatchingSellers(ctx()),
    'tell-savers': () => notifySavers(ctx()),
    'tell-of-expiring': () => notifyOfExpiring(ctx()),
    'tell-desks': () => notifyDesks(ctx()),
  }
  return everyHour({ rounds, firstAfterMs: FIRST_AFTER_MS, log })
}
