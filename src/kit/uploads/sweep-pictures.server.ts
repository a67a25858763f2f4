import { everyHour, type Job } from '../hourly.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'

/** A picture's row follows its files within moments. After this time, a picture without a row is left over from a crash or a deleted row. */
const SWEEP_AFTER_MS = 3_600_000
/** How long an operator can still restore a picture without a row. */
const QUARANTINE_MS = 30 * 86_400_000
const FIRST_AFTER_MS = 600_000
const BATCH = 500
/** The log names this many pictures of the next sweep and counts the rest. */
const MOST_NAMED = 20

type UsedKeys = (keys: string[]) => Promise<Set<string>>

interface Sweep {
  /** Pictures without a row. The next sweep moves them to the quarantine unless a row names them by then. */
  announced: Set<string>
  quarantined: number
  /** Restored from the quarantine because a row names them again. */
  putBack: number
  /** Deleted after their time in the quarantine. */
  purged: number
}

/**
 * Moves pictures without a row to the quarantine, but only if the previous sweep announced them. Deletes pictures after 30 days in the quarantine.
 * `usedKeys` returns which of the given keys have a row.
 */
export async function sweepPictures(
  media: MediaStore,
  usedKeys: UsedKeys,
  { announced, now = Date.now() }: { announced: Set<string>; now?: number },
): Promise<Sweep> {
  const sweep: Sweep = { announced: new Set(), quarantined: 0, putBack: 0, purged: 0 }
  for await (const batch of batchesOf(media.list())) {
    const used = await usedKeys(batch)
    for (const key of batch) {
      if (used.has(key)) continue
      const savedAt = await media.savedAt(key)
      if (!savedAt || now - savedAt.getTime() < SWEEP_AFTER_MS) continue
      if (!announced.has(key)) sweep.announced.add(key)
      else {
        await media.quarantine(key)
        sweep.quarantined += 1
      }
    }
  }
  for await (const batch of batchesOf(media.listQuarantined())) {
    const used = await usedKeys(batch.map(({ key }) => key))
    for (const { key, since } of batch) {
      if (used.has(key)) {
        await media.putBack(key)
        sweep.putBack += 1
      } else if (now - since.getTime() > QUARANTINE_MS) {
        await media.purge(key)
        sweep.purged += 1
      }
    }
  }
  return sweep
}

async function* batchesOf<T>(items: AsyncIterable<T>): AsyncIterable<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    if (batch.push(item) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

interface Sweeper {
  media: MediaStore
  usedKeys: UsedKeys
  log: Log
}

export function startPictureSweeper({ media, usedKeys, log }: Sweeper): Job {
  let announced = new Set<string>()
  async function round(): Promise<void> {
    const { announced: next, ...done } = await sweepPictures(media, usedKeys, { announced })
    announced = next
    if (next.size > 0) {
      const keys = [...next].slice(0, MOST_NAMED)
      log.info({ count: next.size, keys }, 'pictures without a row: they go to the quarantine at the next sweep')
    }
    if (done.quarantined + done.putBack + done.purged > 0) log.info(done, 'pictures swept')
  }
  return everyHour({ rounds: { pictures: round }, firstAfterMs: FIRST_AFTER_MS, log })
}
