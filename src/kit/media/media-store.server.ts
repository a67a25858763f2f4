/**
 * Pictures on disk: `dir/ab/<key>/<width>.<ext>`. A picture is complete or absent even after a crash, because `save` writes it into a temporary
 * folder, flushes it, and renames it into place. Callers insert its database row after `save`; a sweeper removes pictures without a row.
 */
import { randomInt } from 'node:crypto'
import { mkdir, open, opendir, readFile, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import path from 'node:path'
import { PICTURE_EXTENSIONS, type PictureFormat, type PictureWidth } from './media-url.ts'
import type { ProcessedPicture } from './pictures.server.ts'

const KEY_LENGTH = 20
const KEY_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const KEY = /^[a-z0-9]{20}$/
export const isKey = (text: string): boolean => KEY.test(text)
/** Unfinished saves and removals; the dot keeps them out of `list`. */
const TEMP_PREFIX = '.temp-'
/** Pictures in quarantine; the dot keeps them out of `list`. */
const QUARANTINE = '.quarantine'
/** A save takes a second, so an older temporary folder is left over from a crash. Younger ones may belong to another process. */
const STALE_AFTER_MS = 10 * 60_000

/** The disk is full or the bucket's quota is used up. Nothing was stored. */
export class MediaStoreFull extends Error {
  constructor(options?: ErrorOptions) {
    super('There is no room left for pictures', options)
    this.name = 'MediaStoreFull'
  }
}

export interface PictureFile {
  /** The name within the picture's folder: `320.avif`. */
  name: string
  bytes: Uint8Array
}

export type MediaStore = {
  /** Resolves once the picture would survive a power failure. Throws MediaStoreFull. */
  save(picture: Pick<ProcessedPicture, 'variants'>): Promise<string>
  saveFiles(files: PictureFile[]): Promise<string>
  /** Returns null if the file does not exist. Accepts any string as key. */
  readFile(key: string, name: string): Promise<Buffer | null>
  /** Returns null if the picture does not exist. Accepts any string as key. */
  read(key: string, width: PictureWidth, format: PictureFormat): Promise<Buffer | null>
  /** Returns the time of the save, or null if the picture is missing. The sweeper skips the newest pictures, whose rows may not be committed yet. */
  savedAt(key: string): Promise<Date | null>
  /** Removing a missing picture succeeds. A store opened with `keepsRemoved` moves the picture to the quarantine instead. */
  remove(key: string): Promise<void>
  /** Moves a picture to the quarantine: nobody can read or list it, but it is not deleted. */
  quarantine(key: string): Promise<void>
  /** Returns a picture from the quarantine. */
  putBack(key: string): Promise<void>
  purge(key: string): Promise<void>
  /** Lists the quarantined pictures and the time of their move. */
  listQuarantined(): AsyncIterable<{ key: string; since: Date }>
  /** Lists every key in no order. Pictures saved in the meantime may be missing. */
  list(): AsyncIterable<string>
  /** Returns all files of a picture for backups, or null if it is missing. */
  filesOf(key: string): Promise<PictureFile[] | null>
  /** Restores a picture from a backup under its old key. Keeps an existing one. */
  restore(key: string, files: PictureFile[]): Promise<void>
  /** Returns Infinity when unknown. Throws when the store is unreachable. */
  freeBytes(): Promise<number>
}

/** On a disk of this machine. */
export type FolderStore = MediaStore & {
  /** Returns the path of a file, whether it exists or not. Throws for an invalid key. */
  path(key: string, width: PictureWidth, format: PictureFormat): string
}

/** `keepsRemoved`: another database may use the folder too, so this store deletes nothing (media-owner.server.ts). */
export async function openMediaStore(dir: string, { keepsRemoved = false } = {}): Promise<FolderStore> {
  await mkdir(dir, { recursive: true })
  await removeStaleTemps(dir)

  const folders = foldersIn(dir)
  const { shelfOf, folderOf, fileOf } = folders
  const quarantine = quarantineIn(dir, folders)

  async function removeForGood(key: string) {
    const temp = path.join(dir, `${TEMP_PREFIX}${key}`)
    const wasThere = await rename(folderOf(key), temp).then(() => true, nullIfMissing) // hides all files in one step
    if (!wasThere) return
    await flushFolder(shelfOf(key))
    await rm(temp, { recursive: true, force: true })
  }

  async function saveFiles(files: PictureFile[]) {
    const key = newKey()
    await placePicture(dir, folders, key, files)
    return key
  }

  async function* list() {
    for await (const shelf of await opendir(dir)) {
      if (!/^[a-z0-9]{2}$/.test(shelf.name)) continue
      for await (const { name } of await opendir(path.join(dir, shelf.name))) if (KEY.test(name)) yield name
    }
  }

  return {
    save: (picture) => saveFiles(picture.variants.map((variant) => ({ name: nameOf(variant), bytes: variant.bytes }))),
    saveFiles,
    readFile: async (key, name) => (KEY.test(key) ? readFile(path.join(folderOf(key), path.basename(name))).catch(nullIfMissing) : null),
    filesOf: async (key) => {
      const names = await readdir(folderOf(key)).catch(nullIfMissing)
      if (names === null) return null
      const read = names.sort().map(async (name) => ({ name, bytes: await readFile(path.join(folderOf(key), name)) }))
      return Promise.all(read).catch(nullIfMissing)
    },
    restore: async (key, files) => {
      if (await stat(folderOf(key)).catch(nullIfMissing)) return
      await placePicture(dir, folders, key, files)
    },
    remove: keepsRemoved ? quarantine.quarantine : removeForGood,
    ...quarantine,
    list,
    path: fileOf,
    read: async (key, width, format) => (KEY.test(key) ? readFile(fileOf(key, width, format)).catch(nullIfMissing) : null),
    savedAt: async (key) => stat(folderOf(key)).then(({ mtime }) => mtime, nullIfMissing),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(dir)
      return bavail * bsize
    },
  }
}

export const nameOf = ({ width, format }: { width: PictureWidth; format: PictureFormat }) => `${width}.${PICTURE_EXTENSIONS[format]}`

type Folders = ReturnType<typeof foldersIn>

/** `folderOf` and `fileOf` throw for an invalid key. */
function foldersIn(dir: string) {
  const shelfOf = (key: string) => path.join(dir, key.slice(0, 2))
  const folderOf = (key: string) => {
    if (!KEY.test(key)) throw new Error(`Not a media key: ${JSON.stringify(key)}`)
    return path.join(shelfOf(key), key)
  }
  const fileOf = (key: string, width: PictureWidth, format: PictureFormat) =>
    path.join(folderOf(key), `${width}.${PICTURE_EXTENSIONS[format]}`)
  return { shelfOf, folderOf, fileOf }
}

async function placePicture(dir: string, { shelfOf, folderOf }: Folders, key: string, files: PictureFile[]): Promise<void> {
  const temp = path.join(dir, `${TEMP_PREFIX}${key}`)
  try {
    await mkdir(temp)
    for (const { name, bytes } of files) await writeDurably(path.join(temp, path.basename(name)), bytes)
    await flushFolder(temp)
    await mkdir(shelfOf(key), { recursive: true })
    await flushFolder(dir) // also when the shelf exists: its creator may not have flushed it
    await rename(temp, folderOf(key))
    await flushFolder(shelfOf(key))
  } catch (error) {
    await rm(temp, { recursive: true, force: true })
    // After a failed flush, the renamed folder may not survive a crash, so delete it and return no key.
    await rm(folderOf(key), { recursive: true, force: true })
    throw isFull(error) ? new MediaStoreFull({ cause: error }) : error
  }
}

/** Hidden pictures that are not deleted yet. */
function quarantineIn(dir: string, { shelfOf, folderOf }: Folders) {
  const quarantineDir = path.join(dir, QUARANTINE)
  const quarantinedFolderOf = (key: string) => path.join(quarantineDir, path.basename(folderOf(key)))

  async function quarantine(key: string) {
    await mkdir(quarantineDir, { recursive: true })
    const wasThere = await rename(folderOf(key), quarantinedFolderOf(key)).then(() => true, nullIfMissing)
    if (!wasThere) return
    // Set the folder's time, because a rename keeps the old one and the quarantine counts from now.
    await utimes(quarantinedFolderOf(key), new Date(), new Date())
    await flushFolder(shelfOf(key))
    await flushFolder(quarantineDir)
  }

  async function putBack(key: string) {
    await mkdir(shelfOf(key), { recursive: true })
    const wasThere = await rename(quarantinedFolderOf(key), folderOf(key)).then(() => true, nullIfMissing)
    if (wasThere) await flushFolder(shelfOf(key))
  }

  async function* listQuarantined() {
    const names = await readdir(quarantineDir).catch(nullIfMissing)
    for (const key of names ?? []) {
      const found = KEY.test(key) && (await stat(path.join(quarantineDir, key)).catch(nullIfMissing))
      if (found) yield { key, since: found.mtime }
    }
  }

  const purge = (key: string) => rm(quarantinedFolderOf(key), { recursive: true, force: true })

  return { quarantine, putBack, purge, listQuarantined }
}

/** 103 random bits, so nobody can guess the address of an unpublished picture. */
export function newKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => KEY_LETTERS[randomInt(KEY_LETTERS.length)]).join('')
}

async function writeDurably(file: string, bytes: Uint8Array) {
  const handle = await open(file, 'wx', 0o644)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A new or renamed entry is on disk only after a flush of its folder. */
async function flushFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function removeStaleTemps(dir: string) {
  for (const name of await readdir(dir)) {
    if (!name.startsWith(TEMP_PREFIX)) continue
    const found = await stat(path.join(dir, name)).catch(nullIfMissing)
    if (found && Date.now() - found.mtimeMs > STALE_AFTER_MS) await rm(path.join(dir, name), { recursive: true, force: true })
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

function isFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOSPC' || code === 'EDQUOT'
}
