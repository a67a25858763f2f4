import { sweepAccounts } from './accounts/retention.server.ts'
import { sweepAlertDays } from './alerts/once-a-day.server.ts'
import { sweepTickets } from '#src/content/support/tickets.server.ts'
import type { Db } from '#src/kit/db/database.server.ts'
import { everyHour, type Job } from './kit/hourly.server.ts'
import { sweepIdempotency } from '#src/kit/db/idempotency.server.ts'
import type { Log } from './kit/log.server.ts'
import { sweepViews } from './listings/commands.server.ts'
import { sweepBearers } from './orders/bearers/bearers.server.ts'
import { sweepRunLinks } from './orders/run-sheet/run-links.server.ts'
import { sweepClipUploads } from '#src/selling/clips/clip-uploads.server.ts'
import { sweepWaitingClips } from '#src/selling/clips/waiting-clips.server.ts'
import { sweepDrafts } from '#src/selling/form/drafts.server.ts'
import { sweepWaitingPhotos } from '#src/selling/later/waiting.server.ts'
import { sweepQueueMarks } from '#src/verification/queue-marks.server.ts'

/** Not in the first minutes of a process, when people wait for it. */
const FIRST_AFTER_MS = 300_000

const sweeps = {
  accounts: sweepAccounts,
  idempotency: sweepIdempotency,
  views: sweepViews,
  drafts: sweepDrafts,
  'waiting-photos': sweepWaitingPhotos,
  'waiting-clips': sweepWaitingClips,
  'clip-uploads': sweepClipUploads,
  bearers: sweepBearers,
  'run-links': sweepRunLinks,
  'alert-days': sweepAlertDays,
  tickets: sweepTickets,
  'queue-marks': sweepQueueMarks,
}

/** Data that is deleted when it is no longer of use, domain by domain; each process looks once an hour. */
export async function sweep(db: Db): Promise<void> {
  for (const one of Object.values(sweeps)) await one(db)
}

export function startRetention({ db, log }: { db: Db; log: Log }): Job {
  const rounds = Object.fromEntries(Object.entries(sweeps).map(([name, one]) => [`sweep-${name}`, () => one(db)]))
  return everyHour({ rounds, firstAfterMs: FIRST_AFTER_MS, log })
}
