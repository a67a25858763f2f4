import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BucketAddress } from '#src/kit/base/env.server.ts'
import { openBucket } from './bucket.server.ts'
import { openBucketStore } from './bucket-store.server.ts'
import { openMediaStore, type MediaStore } from './media-store.server.ts'

/** The location of the pictures: a folder of this machine, or a bucket that all machines share. */
export interface PicturePlace {
  /** For operators: "folder /var/lib/sandhai/media". */
  name: string
  /** The variable that sets this place, for messages to operators. */
  variable: 'DATA_DIR' | 'PICTURES_BUCKET'
  /** Checks that the place is reachable; call it first. Throws BucketAway. */
  prepare(): Promise<void>
  open(options?: { keepsRemoved?: boolean }): Promise<MediaStore>
  /** A note is a small file beside the pictures. It says which database they belong to, or that a restore has begun. Null: no such note. */
  readNote(name: string): Promise<string | null>
  /** Atomic, because another process may read it at any moment. */
  writeNote(name: string, text: string): Promise<void>
  /** Like `writeNote`, but the first of several processes wins. */
  writeFirstNote(name: string, text: string): Promise<void>
  removeNote(name: string): Promise<void>
  isEmpty(): Promise<boolean>
}

export function folderPlace(folder: string): PicturePlace {
  const fileOf = (name: string) => join(folder, name)
  const prepare = async () => void (await mkdir(folder, { recursive: true }))
  async function writeDraft(name: string, text: string): Promise<string> {
    const draft = fileOf(`${name}.${randomUUID()}`)
    await writeFile(draft, text)
    return draft
  }
  return {
    name: `folder ${folder}`,
    variable: 'DATA_DIR',
    prepare,
    open: (options) => openMediaStore(folder, options),
    readNote: (name) =>
      readFile(fileOf(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      }),
    writeNote: async (name, text) => {
      await prepare()
      await rename(await writeDraft(name, text), fileOf(name))
    },
    writeFirstNote: async (name, text) => {
      const draft = await writeDraft(name, text)
      try {
        await link(draft, fileOf(name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      } finally {
        await rm(draft)
      }
    },
    removeNote: (name) => rm(fileOf(name), { force: true }),
    isEmpty: async () => (await readdir(folder).catch(() => [])).length === 0,
  }
}

export function bucketPlace(address: BucketAddress): PicturePlace {
  const bucket = openBucket(address)
  return {
    name: `bucket ${address.url}`,
    variable: 'PICTURES_BUCKET',
    prepare: () => bucket.probe(),
    open: async (options) => openBucketStore(bucket, options),
    readNote: async (name) => {
      const found = await bucket.get(name)
      return found && found.bytes.toString('utf8')
    },
    writeNote: async (name, text) => void (await bucket.put(name, Buffer.from(text))),
    writeFirstNote: async (name, text) => {
      // Check first, because some stores (Swift) ignore the condition.
      if ((await bucket.get(name)) === null) await bucket.put(name, Buffer.from(text), { isFirst: true })
    },
    removeNote: (name) => bucket.remove(name),
    isEmpty: async () => {
      for await (const _ of bucket.list('')) return false
      return true
    },
  }
}

/** The folder below DATA_DIR, or the bucket if one is configured. */
export const placeOf = ({ bucket, dataDir }: { bucket: BucketAddress | null; dataDir: string }): PicturePlace =>
  bucket ? bucketPlace(bucket) : folderPlace(join(dataDir, 'media'))
