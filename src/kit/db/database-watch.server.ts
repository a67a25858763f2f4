import type { Log } from '#src/kit/base/log.server.ts'

const ASK_AGAIN_AFTER_MS = 1000
/** Repeat the message after this many failed pings, so the end of the log still shows a long outage. */
const REMIND_EVERY = 60

/**
 * Logs a database outage: one line at its start, one each minute, and one at its end with the number of failed requests. A line per failed request
 * would bury all other lines at the worst time.
 */
export function watchDatabase(log: Log, ping: () => Promise<void>): (error: unknown) => void {
  let isAway = false
  let failures = 0

  async function untilBack(): Promise<void> {
    const since = Date.now()
    const facts = () => ({ failures, seconds: Math.round((Date.now() - since) / 1000) })
    for (let attempt = 1; ; attempt += 1) {
      await new Promise<void>((resolve) => void setTimeout(resolve, ASK_AGAIN_AFTER_MS).unref())
      const answers = await ping().then(
        () => true,
        () => false,
      )
      if (answers) break
      if (attempt % REMIND_EVERY === 0) log.warn(facts(), 'database still away')
    }
    isAway = false
    log.warn(facts(), 'database is back')
  }

  return (error) => {
    if (isAway) return void (failures += 1)
    isAway = true
    failures = 1
    log.warn({ err: error }, 'database away')
    void untilBack()
  }
}
