import { keysOf, WORDS } from './describe-spot.ts'
import type { Grey } from './find-spots.ts'

/** The long side of the picture in which spots are searched, in pixels. */
export const SEARCHED_SIDE = 384
/** The long side of the stored small grey picture, in pixels. */
export const KEPT_SIDE = 64

export interface Mark {
  x: number
  y: number
  size: number
  /** Radians. */
  angle: number
  words: Uint32Array
}

/** The fingerprint of a picture: its spots, and a small grey picture for the point-by-point comparison. */
export interface Print {
  width: number
  height: number
  marks: Mark[]
  small: Grey
}

export const printKeys = (print: Print): number[] => [...new Set(print.marks.flatMap(({ words }) => keysOf(words)))]

const FORMAT = 1
const HEAD_BYTES = 7
const MARK_BYTES = 6 + WORDS * 4
const PLACE = 64
const SIZE = 16
const TURN = 256

export function packPrint({ width, height, marks, small }: Print): Buffer {
  const out = Buffer.alloc(HEAD_BYTES + marks.length * MARK_BYTES + small.data.length)
  out.writeUInt8(FORMAT, 0)
  out.writeUInt16LE(width, 1)
  out.writeUInt16LE(height, 3)
  out.writeUInt8(small.width, 5)
  out.writeUInt8(marks.length, 6)
  let at = HEAD_BYTES
  for (const { x, y, size, angle, words } of marks) {
    out.writeUInt16LE(Math.round(x * PLACE), at)
    out.writeUInt16LE(Math.round(y * PLACE), at + 2)
    out.writeUInt8(Math.round(Math.log2(size) * SIZE), at + 4)
    out.writeUInt8(Math.round((angle / (2 * Math.PI)) * TURN) & (TURN - 1), at + 5)
    words.forEach((word, n) => out.writeUInt32LE(word, at + 6 + 4 * n))
    at += MARK_BYTES
  }
  small.data.forEach((value, n) => out.writeUInt8(Math.round(value * 255), at + n))
  return out
}

/** Returns null for the empty print of an unreadable photo. */
export function unpackPrint(bytes: Buffer): Print | null {
  if (bytes.length <= HEAD_BYTES || bytes.readUInt8(0) !== FORMAT) return null
  const marks = Array.from({ length: bytes.readUInt8(6) }, (_, n) => {
    const at = HEAD_BYTES + n * MARK_BYTES
    return {
      x: bytes.readUInt16LE(at) / PLACE,
      y: bytes.readUInt16LE(at + 2) / PLACE,
      size: 2 ** (bytes.readUInt8(at + 4) / SIZE),
      angle: (bytes.readUInt8(at + 5) / TURN) * 2 * Math.PI,
      words: Uint32Array.from({ length: WORDS }, (_, word) => bytes.readUInt32LE(at + 6 + 4 * word)),
    }
  })
  const data = Float32Array.from(bytes.subarray(HEAD_BYTES + marks.length * MARK_BYTES), (value) => value / 255)
  const width = bytes.readUInt8(5)
  return { width: bytes.readUInt16LE(1), height: bytes.readUInt16LE(3), marks, small: { width, height: data.length / width, data } }
}
