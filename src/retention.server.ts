import { sweepAccounts } from './accounts/retention.server.ts'
import { isDatabaseAway, type Db } from './kit/database.server.ts'
import { sweepIdempotency } from './kit/idempotency.server.ts'
import type { Log } from './kit/log.server.ts'

const EVERY_MS = 3_600_000
/** Not in the first minutes of a process, when people wait for it. */
const FIRST_AFTER_MS = 300_000

/** What is kept no longer than it is of use, domain by domain; each process looks once an hour. */
export async function sweep(db: Db): Promise<void> {
  await sweepAccounts(db)
  await sweepIdempotency(db)
}

export function startRetention({ db, log }: { db: Db; log: Log }): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  const run = () =>
    (running = sweep(db).catch((error: unknown) => {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'retention failed')
    }))
  const timer = setInterval(run, EVERY_MS).unref()
  const first = setTimeout(run, FIRST_AFTER_MS).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      clearTimeout(first)
      await running
    },
  }
}
