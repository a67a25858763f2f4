import { isDatabaseAway } from './database.server.ts'
import type { Log } from './log.server.ts'

const EVERY_MS = 3_600_000

export interface Job {
  /** No further round begins; a running one is waited for. */
  stop(): Promise<void>
}

/**
 * What each process does once an hour, and first some minutes after its start: people wait for it before. One after another; one that
 * fails keeps the next from nothing. A database that is away is noted elsewhere.
 */
export function everyHour({
  rounds,
  firstAfterMs,
  log,
}: {
  rounds: Record<string, () => Promise<unknown>>
  firstAfterMs: number
  log: Log
}): Job {
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const runAll = async () => {
    for (const [job, round] of Object.entries(rounds)) {
      if (isStopped) return
      await round().catch((error: unknown) => {
        if (!isDatabaseAway(error)) log.error({ err: error, job }, 'hourly job failed')
      })
    }
  }
  const run = () => (running = running.then(runAll))
  const timer = setInterval(run, EVERY_MS).unref()
  const first = setTimeout(run, firstAfterMs).unref()
  return {
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      clearTimeout(first)
      await running
    },
  }
}
