/**
 * All files of a picture as one object: a fixed-length head with the position of each file, then the files, smallest first. A single object is
 * complete or absent, and the first read returns the small files for lists.
 */
import type { PictureFile } from './media-store.server.ts'

export const HEAD_BYTES = 1024
const FORMAT = 'sandhai-picture-1'

/** The first byte and the length of each file. */
export type PackIndex = Record<string, [start: number, length: number]>

export function packPicture(files: PictureFile[]): Buffer {
  const sorted = files.toSorted((a, b) => a.bytes.byteLength - b.bytes.byteLength)
  const index: PackIndex = {}
  let at = HEAD_BYTES
  for (const { name, bytes } of sorted) {
    if (index[name]) throw new Error(`A picture has ${name} once.`)
    index[name] = [at, bytes.byteLength]
    at += bytes.byteLength
  }
  const head = Buffer.alloc(HEAD_BYTES, ' ')
  const text = `${FORMAT} ${JSON.stringify(index)}`
  if (Buffer.byteLength(text) > HEAD_BYTES) throw new Error('A picture has too many files.')
  head.write(text)
  return Buffer.concat([head, ...sorted.map(({ bytes }) => bytes)])
}

/** Returns null when the bytes are not one of our packs. */
export function readIndex(start: Buffer): PackIndex | null {
  const text = start.subarray(0, HEAD_BYTES).toString('utf8')
  if (start.length < HEAD_BYTES || !text.startsWith(`${FORMAT} `)) return null
  try {
    return JSON.parse(text.slice(FORMAT.length)) as PackIndex
  } catch {
    return null
  }
}

/** Returns null for a damaged pack. */
export function unpackPicture(pack: Buffer): PictureFile[] | null {
  const index = readIndex(pack)
  if (!index) return null
  const files = Object.entries(index).map(([name, [start, length]]) => ({ name, bytes: pack.subarray(start, start + length), length }))
  if (files.some(({ bytes, length }) => bytes.byteLength !== length)) return null
  return files.map(({ name, bytes }) => ({ name, bytes })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
