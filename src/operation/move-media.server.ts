import { createHash } from 'node:crypto'
import { addressesOf, openDatabase } from '#src/kit/db/database.server.ts'
import { EnvError, type Env } from '#src/kit/base/env.server.ts'
import { inBatches } from '#src/kit/in-batches.ts'
import type { MediaStore, PictureFile } from '#src/kit/media/media-store.server.ts'
import { bucketPlace, placeOf, type PicturePlace } from '#src/kit/media/picture-place.server.ts'
import { adoptPictures, claimPictures, ensureMayMoveTo } from '#src/market/media-owner.server.ts'

interface Moved {
  from: string
  to: string
  /** Copied now; the others were there already, from an interrupted or earlier move. */
  copied: number
  compared: number
  /** Keys whose files differ between the two places; nothing was overwritten. */
  different: string[]
}

/** Concurrent copies, because they wait mostly for the network. */
const AT_ONCE = 8

/**
 * Moves all pictures from the folder to the bucket, or back, and compares each by hash after writing. Existing ones are compared, too, so a
 * killed move continues, and a second one copies what arrived meanwhile. The source stays unchanged. When all are equal, the target is
 * marked as this market's own.
 */
export async function moveMedia(env: Env, towards: 'bucket' | 'folder'): Promise<Moved> {
  if (env.bucket === null) throw new EnvError(['PICTURES_BUCKET must be set: the bucket that the pictures move to or from.'])
  const [folder, bucket] = [placeOf({ dataDir: env.dataDir, bucket: null }), bucketPlace(env.bucket)]
  const [source, target] = towards === 'bucket' ? [folder, bucket] : [bucket, folder]
  const database = await openDatabase(addressesOf(env))
  try {
    await claimPictures(database, source)
    await ensureMayMoveTo(database, target)
    const done = await copyAll(source, target)
    if (done.different.length === 0) await adoptPictures(database, target)
    return { from: source.name, to: target.name, ...done }
  } finally {
    await database.close()
  }
}

async function copyAll(source: PicturePlace, target: PicturePlace) {
  await target.prepare()
  const [from, to] = [await source.open({ keepsRemoved: true }), await target.open({ keepsRemoved: true })]
  const done = { copied: 0, compared: 0, different: [] as string[] }
  await inBatches(from.list(), AT_ONCE, (key) => copyOne(from, to, key, done))
  return done
}

async function copyOne(from: MediaStore, to: MediaStore, key: string, done: Omit<Moved, 'from' | 'to'>): Promise<void> {
  const files = await from.filesOf(key)
  // Deleted since it was listed.
  if (files === null) return
  let there = await to.filesOf(key)
  if (there === null) {
    await to.restore(key, files)
    done.copied += 1
    there = await to.filesOf(key)
  }
  done.compared += 1
  if (there === null || hashOf(there) !== hashOf(files)) done.different.push(key)
}

function hashOf(files: PictureFile[]): string {
  const hash = createHash('sha256')
  for (const { name, bytes } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    hash.update(`${name} ${bytes.byteLength}\n`).update(bytes)
  return hash.digest('hex')
}
