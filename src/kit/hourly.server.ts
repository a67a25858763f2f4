import { isDatabaseAway } from './database.server.ts'
import type { Log } from './log.server.ts'

const EVERY_MS = 3_600_000

export interface Job {
  /** No further round begins; a running one is waited for. */
  stop(): Promise<void>
}

/** What each process does once an hour, and first some minutes after its start: people wait for it before. A database that is away is noted elsewhere. */
export function everyHour({
  name,
  firstAfterMs,
  round,
  log,
}: {
  name: string
  firstAfterMs: number
  round: () => Promise<void>
  log: Log
}): Job {
  let running: Promise<void> = Promise.resolve()
  const run = () =>
    (running = round().catch((error: unknown) => {
      if (!isDatabaseAway(error)) log.error({ err: error, job: name }, 'hourly job failed')
    }))
  const timer = setInterval(run, EVERY_MS).unref()
  const first = setTimeout(run, firstAfterMs).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      clearTimeout(first)
      await running
    },
  }
}
