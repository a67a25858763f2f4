import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Decrypter, Encrypter } from 'age-encryption'
import { inBatches } from '#src/kit/in-batches.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { damaged, openBytes, putInPlace, sealBytes, BackupRefused } from './sealed-file.server.ts'
import { pack, unpack } from './tar.ts'

/** A picture never changes under its key, so it is copied once for all backups; its file name carries the hash of its content. */
const SEALED_NAME = /^([a-z0-9]{20})\.([0-9a-f]{64})\.tar\.age$/
const FILE_NAME = /^(\d{2,4}\.(avif|webp|jpg)|(video|voice)\.(mp4|webm))$/
/** Concurrent copies, because reading and writing wait for disks. */
const AT_ONCE = 4

interface Kept {
  key: string
  sha256: string
}

const shelfOf = (folder: string, key: string) => join(folder, key.slice(0, 2))
const fileOf = (folder: string, { key, sha256 }: Kept) => join(shelfOf(folder, key), `${key}.${sha256}.tar.age`)

/** Pictures that earlier backups copied into this folder. */
async function copiesIn(folder: string): Promise<Map<string, string>> {
  const kept = new Map<string, string>()
  for (const shelf of await readdir(folder).catch(() => [])) {
    for (const name of await readdir(join(folder, shelf))) {
      const [, key, sha256] = SEALED_NAME.exec(name) ?? []
      if (key && sha256) kept.set(key, sha256)
      // Left by a killed backup.
      else await rm(join(folder, shelf, name), { force: true })
    }
  }
  return kept
}

/** Copies pictures into a backup folder, except those that it already has. */
export async function pictureCopier(media: MediaStore, folder: string, encrypter: Encrypter) {
  const kept = await copiesIn(folder)
  let copied = 0
  async function copy(key: string): Promise<void> {
    const files = await media.filesOf(key)
    if (files === null) return
    const sealed = await sealBytes(encrypter, pack(files))
    const sha256 = createHash('sha256').update(sealed).digest('hex')
    await mkdir(shelfOf(folder, key), { recursive: true })
    const draft = join(shelfOf(folder, key), `${key}.part`)
    await writeFile(draft, sealed)
    await putInPlace(draft, fileOf(folder, { key, sha256 }))
    kept.set(key, sha256)
    copied += 1
  }
  return {
    kept,
    copied: () => copied,
    copyAll: async () => {
      await inBatches(media.list(), AT_ONCE, async (key) => {
        if (!kept.has(key)) await copy(key)
      })
    },
  }
}

/** Writes the list of a backup's pictures line by line, so that a million need no memory. */
export async function writePictureList(file: string, keys: Iterable<string>, kept: Map<string, string>) {
  const hash = createHash('sha256')
  const draft = `${file}.part`
  const stream = createWriteStream(draft)
  let [bytes, count] = [0, 0]
  const missing: string[] = []
  for (const key of keys) {
    const sha256 = kept.get(key)
    if (sha256 === undefined) {
      missing.push(key)
      continue
    }
    const line = `${key} ${sha256}\n`
    hash.update(line)
    bytes += line.length
    count += 1
    if (!stream.write(line)) await once(stream, 'drain')
  }
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject)
    stream.end(() => resolve())
  })
  await putInPlace(draft, file)
  return { bytes, sha256: hash.digest('hex'), count, missing }
}

async function* picturesIn(list: string): AsyncIterable<Kept> {
  for await (const line of createInterface({ input: createReadStream(list), crlfDelay: Infinity })) {
    const [key = '', sha256 = ''] = line.split(' ')
    if (!SEALED_NAME.test(`${key}.${sha256}.tar.age`)) throw damaged(list)
    yield { key, sha256 }
  }
}

/** Restores each picture of the list. Pictures that the folder already has stay, so a restarted restore continues where it was killed. */
export async function restorePictures(
  media: MediaStore,
  { list, folder, decrypter }: { list: string; folder: string; decrypter: Decrypter },
): Promise<number> {
  let restored = 0
  async function restoreOne(kept: Kept): Promise<void> {
    if ((await media.savedAt(kept.key)) !== null) return
    const file = fileOf(folder, kept)
    const sealed = await readFile(file).catch(() => {
      throw new BackupRefused(`The backup lacks the picture ${file}.`)
    })
    if (createHash('sha256').update(sealed).digest('hex') !== kept.sha256) throw damaged(file)
    const files = unpack(Buffer.from(await openBytes(file, decrypter, sealed)))
    if (!files || files.some(({ name }) => !FILE_NAME.test(name))) throw damaged(file)
    await media.restore(kept.key, files)
    restored += 1
  }
  await inBatches(picturesIn(list), AT_ONCE, restoreOne)
  return restored
}

/** Deletes pictures that no backup of this folder lists any more. */
export async function prunePictures(folder: string, lists: string[]): Promise<number> {
  const listed = new Set<string>()
  for (const list of lists) for await (const { key } of picturesIn(list)) listed.add(key)
  let pruned = 0
  for (const [key, sha256] of await copiesIn(folder)) {
    if (listed.has(key)) continue
    await rm(fileOf(folder, { key, sha256 }), { force: true })
    pruned += 1
  }
  return pruned
}
