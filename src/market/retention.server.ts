import { sweepTickets } from '#src/content/support/tickets.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { sweepIdempotency } from '#src/kit/records/idempotency.server.ts'
import { sweepClipUploads } from '#src/selling/clips/clip-uploads.server.ts'
import { sweepWaitingClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { sweepDrafts } from '#src/selling/unsent/drafts.server.ts'
import { sweepOwners } from '#src/selling/owners/owners.server.ts'
import { sweepWaitingPhotos } from '#src/selling/later/waiting.server.ts'
import { sweepReviewNetworks } from '#src/reviews/retention.server.ts'
import { sweepQueueMarks } from '#src/verification/queue-marks.server.ts'
import { sweepAccounts } from '#src/accounts/privacy/retention.server.ts'
import { sweepAlertDays } from '#src/alerts/once-a-day.server.ts'
import { everyHour, type Job } from '#src/kit/hourly.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { sweepViews } from '#src/listings/commands.server.ts'
import { sweepPrints } from '#src/listings/prints/prints.server.ts'
import { sweepBearers } from '#src/orders/bearers/bearers.server.ts'
import { sweepRunLinks } from '#src/orders/run-sheet/run-links.server.ts'

/** Wait out the first minutes of a process, when people wait for it. */
const FIRST_AFTER_MS = 300_000

const sweeps = {
  accounts: sweepAccounts,
  'review-networks': sweepReviewNetworks,
  idempotency: sweepIdempotency,
  views: sweepViews,
  prints: sweepPrints,
  drafts: sweepDrafts,
  'waiting-photos': sweepWaitingPhotos,
  'waiting-clips': sweepWaitingClips,
  'clip-uploads': sweepClipUploads,
  bearers: sweepBearers,
  owners: sweepOwners,
  'run-links': sweepRunLinks,
  'alert-days': sweepAlertDays,
  tickets: sweepTickets,
  'queue-marks': sweepQueueMarks,
}

/** Deletes data that is no longer needed, domain by domain; each process runs it once an hour. */
export async function sweep(db: Db): Promise<void> {
  for (const one of Object.values(sweeps)) await one(db)
}

export function startRetention({ db, log }: { db: Db; log: Log }): Job {
  const rounds = Object.fromEntries(Object.entries(sweeps).map(([name, one]) => [`sweep-${name}`, () => one(db)]))
  return everyHour({ rounds, firstAfterMs: FIRST_AFTER_MS, log })
}
