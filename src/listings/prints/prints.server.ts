import { setTimeout as rest } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#src/kit/db/db.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { BucketAway } from '#src/kit/media/bucket.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { packPrint, printKeys } from '#src/kit/media/prints/print.ts'
import { printOf } from '#src/kit/media/prints/take-print.server.ts'
import { photoPrints } from './tables.ts'
import { noteCopies } from './copies.server.ts'

const FIRST_AFTER_MS = 60_000
const EVERY_MS = 20_000
const BATCH = 5
/** Multiple of a batch's duration. A print takes 60 ms of the core that also answers requests, and an imported market brings thousands. */
const REST = 3
/** A photo whose transaction committed late may have a lower id than the newest print, so look back this far. */
const OVERTAKEN = 1000

/** True for photos without a print: recent ones, found by the index of their id. */
export const isWithoutPrint = sql.raw(
  `p.id > (select coalesce(max(photo_id), 0) from photo_prints) - ${OVERTAKEN} and not exists (select 1 from photo_prints q where q.photo_id = p.id)`,
)

const photoRow = z.object({ id: z.number(), key: z.string() })
const printRow = z.object({ id: z.number(), print: z.instanceof(Uint8Array) })

/** True for prints that were never compared, because a process died between the two steps. */
const isUncompared = sql`q.photo_id > (select coalesce(max(photo_id), 0) from photo_copies where photo_id = copy_id) - ${OVERTAKEN}::int
  and not exists (select 1 from photo_copies c where c.photo_id = q.photo_id and c.copy_id = q.photo_id)`

/** Takes the missing prints and compares new prints, oldest first. Returns the number of examined photos. */
export async function takePrints(db: Db, media: MediaStore): Promise<number> {
  const photos = await rowsOf(
    { db },
    sql`select p.id::float8 as id, p.media_key as key from listing_photos p where ${isWithoutPrint} order by p.id limit ${BATCH}`,
    photoRow,
  )
  for (const { id, key } of photos) {
    const picture = await media.read(key, 640, 'jpeg')
    const print = picture && (await printOf(picture).catch(() => null))
    await db
      .insert(photoPrints)
      .values({ photoId: id, print: print ? packPrint(print) : Buffer.alloc(0), keys: print ? printKeys(print) : [] })
      .onConflictDoNothing()
  }
  // Compare after the prints are stored: of two processes with one copy each, at least one then sees the other's print.
  const fresh = await rowsOf(
    { db },
    sql`select q.photo_id::float8 as id, q.print from photo_prints q where ${isUncompared} order by q.photo_id limit ${BATCH}`,
    printRow,
  )
  for (const { id, print } of fresh) await noteCopies(db, id, print)
  return Math.max(photos.length, fresh.length)
}

/** Deletes prints and copies of deleted photos. Keeps the newest print, because new photos are those with a higher id. */
export async function sweepPrints(db: Db): Promise<void> {
  await db.execute(sql`delete from photo_prints q where not exists (select 1 from listing_photos p where p.id = q.photo_id)
    and q.photo_id < (select max(photo_id) from photo_prints)`)
  const isGone = (column: string) => sql.raw(`not exists (select 1 from listing_photos p where p.id = c.${column})`)
  await db.execute(sql`delete from photo_copies c where (${isGone('photo_id')} or ${isGone('copy_id')})
    and c.photo_id < (select max(photo_id) from photo_copies)`)
}

/** Looks for photos without a print every few seconds. Several processes may run it. */
export function startPrints({ db, media, log }: { db: Db; media: MediaStore; log: Log }): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const { signal } = stopped
  let isAway = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const round = async () => {
    try {
      while (!signal.aborted) {
        const started = performance.now()
        if ((await takePrints(db, media)) < BATCH) break
        await rest(REST * (performance.now() - started), undefined, { signal, ref: false }).catch(() => {})
      }
      isAway = false
    } catch (error) {
      if (!isAway && !isDatabaseAway(error) && !(error instanceof BucketAway)) log.error({ err: error }, 'prints of photos failed')
      isAway = true
    }
    runAfter(EVERY_MS)
  }
  const runAfter = (ms: number) => {
    if (!signal.aborted) timer = setTimeout(() => (running = round()), ms).unref()
  }
  runAfter(FIRST_AFTER_MS)
  return {
    stop: async () => {
      stopped.abort()
      clearTimeout(timer)
      await running
    },
  }
}
