import { setImmediate as pause } from 'node:timers/promises'
import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#src/kit/db/db.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { isCopy, mirrored } from '#src/kit/media/prints/compare-prints.ts'
import { printKeys, unpackPrint, type Print } from '#src/kit/media/prints/print.ts'
import { photoCopies, photoPrints } from './tables.ts'

/** Two different pictures may share a key by chance; copies share more. */
const FEWEST_KEYS = 2
/** The number of candidates with the most shared keys that are compared. */
const COMPARED = 24
/** Keys per statement: a few milliseconds, so that other queries of the embedded database do not wait long. */
const AT_ONCE = 64

/** The photos with one of these keys, one row per shared key, by index. */
export const photosWith = (keys: number[]) =>
  sql`select q.photo_id::text as id from unnest(${`{${keys.join(',')}}`}::int[]) as k(key) join photo_prints q on q.keys @> array[k.key]`

/** Planner settings: without them, PostgreSQL would scan a small table once per key. */
export const ALWAYS_BY_INDEX = sql.raw(
  `select ${['seqscan', 'indexscan', 'material'].map((kind) => `set_config('enable_${kind}', 'off', true)`).join(', ')}`,
)

const idRow = z.object({ id: z.string() })

/** Compares a photo's print with all others and stores which photos show the same picture, including crops, mirror images and screenshots. */
export async function noteCopies(db: Db, photoId: number, packed: Uint8Array): Promise<void> {
  const print = printIn(packed)
  const copies = print ? await copiesOf(db, photoId, print) : []
  await db
    .insert(photoCopies)
    .values([photoId, ...copies].map((copyId) => ({ photoId, copyId })))
    .onConflictDoNothing()
}

async function copiesOf(db: Db, photoId: number, print: Print): Promise<number[]> {
  const likely = await likeliest(db, photoId, print)
  if (likely.length === 0) return []
  const others = await db
    .select({ id: photoPrints.photoId, print: photoPrints.print })
    .from(photoPrints)
    .where(inArray(photoPrints.photoId, likely))
  const copies: number[] = []
  for (const { id, print: packed } of others) {
    const other = printIn(packed)
    if (other && isCopy(print, other)) copies.push(id)
    await pause()
  }
  return copies
}

/** The photos that share the most keys with a print or its mirror image. */
async function likeliest(db: Db, photoId: number, print: Print): Promise<number[]> {
  const keys = [...new Set([...printKeys(print), ...printKeys(mirrored(print))])]
  const shared = new Map<number, number>()
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const rows = await db.transaction(async (db) => {
      const [, found] = await Promise.all([db.execute(ALWAYS_BY_INDEX), rowsOf({ db }, photosWith(keys.slice(at, at + AT_ONCE)), idRow)])
      return found
    })
    for (const { id } of rows) shared.set(Number(id), (shared.get(Number(id)) ?? 0) + 1)
    await pause()
  }
  shared.delete(photoId)
  return [...shared]
    .filter(([, count]) => count >= FEWEST_KEYS)
    .toSorted(([a, m], [b, n]) => n - m || b - a)
    .slice(0, COMPARED)
    .map(([id]) => id)
}

const printIn = (bytes: Uint8Array) => unpackPrint(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
