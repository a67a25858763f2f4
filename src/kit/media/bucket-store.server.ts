/**
 * Pictures in a bucket (decision 0063): `pictures/<key>` holds all files of one picture, `quarantine/<key>` those that the sweeper removed.
 * The object store guarantees that an object is complete and durable.
 */
import { LRUCache } from 'lru-cache'
import { onceASecond } from '#src/kit/base/once-a-second.ts'
import { BucketFull, type Bucket } from './bucket.server.ts'
import { isKey, MediaStoreFull, nameOf, newKey, type MediaStore, type PictureFile } from './media-store.server.ts'
import { HEAD_BYTES, packPicture, readIndex, unpackPicture, type PackIndex } from './picture-pack.ts'

const SHOWN = 'pictures/'
const HIDDEN = 'quarantine/'
/** Covers the head and, for most pictures, the files that lists show. */
const FIRST_READ = 64 * 1024
/** About 300 bytes per entry. */
const MOST_KNOWN = 20_000

/** `keepsRemoved` as for folders: another database may use the bucket too. */
export function openBucketStore(bucket: Bucket, { keepsRemoved = false } = {}): MediaStore {
  const quarantine = async (key: string) => move(bucket, shown(key), hidden(key))
  const remove = async (key: string) => bucket.remove(shown(key))
  const place = async (key: string, files: PictureFile[], isFirst = false) => {
    try {
      await bucket.put(shown(key), packPicture(files), { isFirst })
    } catch (error) {
      throw error instanceof BucketFull ? new MediaStoreFull({ cause: error }) : error
    }
  }
  const readFile = readerOf(bucket)
  const saveFiles = async (files: PictureFile[]) => {
    const key = newKey()
    await place(key, files)
    return key
  }
  return {
    save: ({ variants }) => saveFiles(variants.map((variant) => ({ name: nameOf(variant), bytes: variant.bytes }))),
    saveFiles,
    readFile,
    read: (key, width, format) => readFile(key, nameOf({ width, format })),
    savedAt: (key) => bucket.savedAt(shown(key)),
    remove: keepsRemoved ? quarantine : remove,
    quarantine,
    putBack: (key) => move(bucket, hidden(key), shown(key)),
    purge: async (key) => bucket.remove(hidden(key)),
    listQuarantined: async function* () {
      for await (const { key, savedAt } of keysBelow(bucket, HIDDEN)) yield { key, since: savedAt }
    },
    list: async function* () {
      for await (const { key } of keysBelow(bucket, SHOWN)) yield key
    },
    filesOf: async (key) => {
      const found = await bucket.get(shown(key))
      if (found === null) return null
      const files = unpackPicture(found.bytes)
      if (files === null) throw new Error(`The picture ${key} in the bucket is damaged.`)
      return files
    },
    restore: async (key, files) => {
      if ((await bucket.savedAt(shown(key))) === null) await place(key, files, true)
    },
    freeBytes: onceASecond(async () => {
      await bucket.probe()
      return Infinity
    }),
  }
}

/** Copy first: a kill between the two steps leaves the picture in both places, where the next sweep finds it. */
async function move(bucket: Bucket, from: string, to: string): Promise<void> {
  if (await bucket.copy(from, to)) await bucket.remove(from)
}

async function* keysBelow(bucket: Bucket, prefix: string) {
  for await (const { name, savedAt } of bucket.list(prefix)) {
    const key = name.slice(prefix.length)
    if (isKey(key)) yield { key, savedAt }
  }
}

/** A picture never changes under its key, so its file table is read only once. */
function readerOf(bucket: Bucket): MediaStore['readFile'] {
  const known = new LRUCache<string, PackIndex>({ max: MOST_KNOWN })
  return async (key, name) => {
    if (!isKey(key)) return null
    let index = known.get(key)
    let start: Buffer | undefined
    if (!index) {
      const found = await bucket.get(shown(key), [0, FIRST_READ - 1])
      if (found === null) return null
      start = found.bytes
      index = readIndex(start) ?? undefined
      if (!index) throw new Error(`The picture ${key} in the bucket is damaged.`)
      known.set(key, index)
    }
    const place = index[name]
    if (!place) return null
    const [from, to] = [place[0], place[0] + place[1]]
    if (start && to <= start.length && from >= HEAD_BYTES) return start.subarray(from, to)
    const found = await bucket.get(shown(key), [from, to - 1])
    if (found && found.bytes.length !== to - from) throw new Error(`The picture ${key} in the bucket is damaged.`)
    return found && found.bytes
  }
}

const shown = (key: string) => SHOWN + ensureKey(key)
const hidden = (key: string) => HIDDEN + ensureKey(key)

function ensureKey(key: string): string {
  if (!isKey(key)) throw new Error(`Not a media key: ${JSON.stringify(key)}`)
  return key
}
