import { everyHour, type Job } from './hourly.server.ts'
import type { Log } from './log.server.ts'
import type { MediaStore } from './media-store.server.ts'

/** A picture's row comes a moment after its files; what has none after this was left by a crash, or by a row that went. */
const SWEEP_AFTER_MS = 3_600_000
const FIRST_AFTER_MS = 600_000
const BATCH = 500

type UsedKeys = (keys: string[]) => Promise<Set<string>>

/** Removes the pictures that no row names, and says how many. `usedKeys` tells which of some keys have a row. */
export async function sweepPictures(media: MediaStore, usedKeys: UsedKeys, now = Date.now()): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const look = async () => {
    const used = await usedKeys(batch)
    for (const key of batch) {
      if (used.has(key)) continue
      const savedAt = await media.savedAt(key)
      if (!savedAt || now - savedAt.getTime() < SWEEP_AFTER_MS) continue
      await media.remove(key)
      removed += 1
    }
    batch = []
  }
  for await (const key of media.list()) if (batch.push(key) === BATCH) await look()
  await look()
  return removed
}

interface Sweeper {
  media: MediaStore
  usedKeys: UsedKeys
  /** Whether these pictures are this market's at all. */
  isOurs: () => Promise<boolean>
  log: Log
}

export function startPictureSweeper({ media, usedKeys, isOurs, log }: Sweeper): Job {
  async function round(): Promise<void> {
    if (!(await isOurs())) return log.warn('the pictures here are of another database: none is removed')
    const removed = await sweepPictures(media, usedKeys)
    if (removed > 0) log.info({ removed }, 'pictures without a row removed')
  }
  return everyHour({ rounds: { pictures: round }, firstAfterMs: FIRST_AFTER_MS, log })
}
