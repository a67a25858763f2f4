import type { Log } from '#src/kit/log.server.ts'

const ASK_AGAIN_AFTER_MS = 1000
/** So that a long absence is still seen at the end of the log. */
const REMIND_EVERY = 60

/**
 * What the log says of a database that is away: one line when it goes, one each minute, one when it is back, with the number
 * of those who came in vain. A line for each of them would bury everything else, at the worst time.
 */
export function watchDatabase(log: Log, ping: () => Promise<void>): (error: unknown) => void {
  let isAway = false
  let failures = 0

  async function untilBack(): Promise<void> {
    const since = Date.now()
    const facts = () => ({ failures, seconds: Math.round((Date.now() - since) / 1000) })
    for (let asked = 1; ; asked += 1) {
      await new Promise<void>((resolve) => void setTimeout(resolve, ASK_AGAIN_AFTER_MS).unref())
      const answers = await ping().then(
        () => true,
        () => false,
      )
      if (answers) break
      if (asked % REMIND_EVERY === 0) log.warn(facts(), 'database still away')
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
