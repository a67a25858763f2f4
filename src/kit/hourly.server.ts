import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { tally } from '#src/kit/base/tally.server.ts'

const EVERY_MS = 3_600_000

/** The planned time and the last successful end of each round of this process, in milliseconds since 1970. */
export const lastRounds = new Map<string, { plannedAt: number; succeededAt: number | null }>()

export interface Job {
  /** Starts no further round and awaits a running one. */
  stop(): Promise<void>
}

/**
 * Runs the hourly jobs of this process one after another. The first round waits some minutes, so that the start stays fast. A failing job does not
 * stop the next one. Another place logs an unreachable database.
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
  const plannedAt = Date.now()
  for (const job of Object.keys(rounds)) lastRounds.set(job, { plannedAt, succeededAt: null })
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  const runAll = async () => {
    for (const [job, round] of Object.entries(rounds)) {
      if (isStopped) return
      await round().then(
        () => lastRounds.set(job, { plannedAt, succeededAt: Date.now() }),
        (error: unknown) => {
          tally('sandhai_round_failures_total', { round: job })
          if (!isDatabaseAway(error)) log.error({ err: error, job }, 'hourly job failed')
        },
      )
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
