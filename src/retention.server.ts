import { sweepAccounts } from './accounts/retention.server.ts'
import type { Ctx } from './kit/context.ts'
import type { Db } from './kit/database.server.ts'
import { everyHour, type Job } from './kit/hourly.server.ts'
import { sweepIdempotency } from './kit/idempotency.server.ts'
import type { Log } from './kit/log.server.ts'
import type { Vault } from './kit/vault.server.ts'
import { sweepDrafts } from './selling/drafts.server.ts'
import { remindSellers } from './selling/reminders.server.ts'

/** Not in the first minutes of a process, when people wait for it. */
const FIRST_AFTER_MS = 300_000

/** What is kept no longer than it is of use, domain by domain; each process looks once an hour. */
export async function sweep(db: Db): Promise<void> {
  await sweepAccounts(db)
  await sweepIdempotency(db)
  await sweepDrafts(db)
}

interface Retained {
  db: Db
  log: Log
  vault: Vault
  publicOrigin: string
}

export function startRetention({ db, log, vault, publicOrigin }: Retained): Job {
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
    requestId: 'retention',
    browserId: null,
  })
  const round = async () => {
    await sweep(db)
    await remindSellers(ctx())
  }
  return everyHour({ name: 'retention', firstAfterMs: FIRST_AFTER_MS, round, log })
}
