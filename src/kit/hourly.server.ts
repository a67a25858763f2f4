import { isDatabaseAway } from '#src/kit/db/database.server.ts'
import type { Log } from './log.server.ts'
import { tally } from './tally.server.ts'

const EVERY_MS = 3_600_000

/** How each round of this process last ended, in milliseconds since 1970. */
export const lastRounds = new Map<string, { succeededAt: number | null }>()

export interface Job {
  /** Starts no further round, and waits for a running one. */
  stop(): Promise<void>
}

/**
 * Runs each process's hourly jobs one after another, first some minutes after the start, so that the start stays quick. A job that
 * fails does not stop the next. An unreachable database is logged elsewhere.
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
      await round().then(
        () => lastRounds.set(job, { succeededAt: Date.now() }),
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
