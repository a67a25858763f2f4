import type { Spot } from './find-spots.ts'

const CELLS = 4
const DIRECTIONS = 8
const VALUES = CELLS * CELLS * DIRECTIONS
/** 128 bits in four words. */
export const WORDS = VALUES / 32

/**
 * Describes the surroundings of a spot, rotated to the spot's direction: one bit for each of 4 × 4 × 8 gradients, set when the gradient is above the
 * median.
 */
export function describeSpot(spot: Spot): Uint32Array {
  const values = gradientsAround(spot)
  const middle = values.toSorted()[VALUES / 2]!
  const words = new Uint32Array(WORDS)
  for (let n = 0; n < VALUES; n += 1) if (values[n]! > middle) words[n >> 5]! |= 1 << (n & 31)
  return words
}

function gradientsAround({ x, y, size, angle, level, step }: Spot): Float32Array {
  const { width, height, data } = level
  const [cx, cy] = [x / step, y / step]
  const cell = (3 * size) / step
  const reach = Math.round((cell * Math.SQRT2 * (CELLS + 1)) / 2)
  const [cos, sin] = [Math.cos(angle) / cell, Math.sin(angle) / cell]
  const values = new Float32Array(VALUES)
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const [px, py] = [cx + dx, cy + dy]
      if (px < 1 || py < 1 || px >= width - 1 || py >= height - 1) continue
      const u = cos * dx + sin * dy
      const v = cos * dy - sin * dx
      const [column, row] = [u + CELLS / 2 - 0.5, v + CELLS / 2 - 0.5]
      if (column <= -1 || row <= -1 || column >= CELLS || row >= CELLS) continue
      const at = py * width + px
      const gx = data[at + 1]! - data[at - 1]!
      const gy = data[at + width]! - data[at - width]!
      const direction = ((((Math.atan2(gy, gx) - angle) / (2 * Math.PI)) * DIRECTIONS) % DIRECTIONS) + DIRECTIONS
      const weight = Math.hypot(gx, gy) * Math.exp(-(u * u + v * v) / (2 * (CELLS / 2) ** 2))
      share(values, column, row, direction, weight)
    }
  }
  return values
}

/** Distributes a value over neighbouring cells and directions, so that a small shift changes little. */
function share(values: Float32Array, column: number, row: number, direction: number, weight: number): void {
  const [c, r, d] = [Math.floor(column), Math.floor(row), Math.floor(direction)]
  for (const [cc, cw] of [
    [c, 1 - (column - c)],
    [c + 1, column - c],
  ] as const) {
    if (cc < 0 || cc >= CELLS) continue
    for (const [rr, rw] of [
      [r, 1 - (row - r)],
      [r + 1, row - r],
    ] as const) {
      if (rr < 0 || rr >= CELLS) continue
      const at = (rr * CELLS + cc) * DIRECTIONS
      const rest = direction - d
      values[at + (d % DIRECTIONS)]! += weight * cw * rw * (1 - rest)
      values[at + ((d + 1) % DIRECTIONS)]! += weight * cw * rw * rest
    }
  }
}

/** The position of each value in a mirrored picture. The spot's own direction stays the axis. */
const mirrorOf = Uint8Array.from({ length: VALUES }, (_, n) => {
  const direction = n % DIRECTIONS
  const column = Math.floor(n / DIRECTIONS) % CELLS
  const row = Math.floor(n / DIRECTIONS / CELLS)
  return ((CELLS - 1 - row) * CELLS + column) * DIRECTIONS + ((DIRECTIONS - direction) % DIRECTIONS)
})

/** The description of the same spot in the mirrored picture. */
export function mirroredDescription(words: Uint32Array): Uint32Array {
  const mirrored = new Uint32Array(WORDS)
  for (let n = 0; n < VALUES; n += 1) if ((words[n >> 5]! >>> (n & 31)) & 1) mirrored[mirrorOf[n]! >> 5]! |= 1 << (mirrorOf[n]! & 31)
  return mirrored
}

const TABLES = 4
const KEY_BITS = 24

/** The bits of each key: a different set per table, spread over cells and directions by a fixed pseudo-random rule. */
const bitsOfTable = Array.from({ length: TABLES }, (_, table) => {
  const bits = Array.from({ length: VALUES }, (_, n) => n)
  let seed = 7 + table
  const next = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0)
  for (let n = VALUES - 1; n > 0; n -= 1) {
    const other = Math.floor((next() / 2 ** 32) * (n + 1))
    ;[bits[n], bits[other]] = [bits[other]!, bits[n]!]
  }
  return bits.slice(0, KEY_BITS)
})

/** Index keys: similar descriptions often share some of them. */
export const keysOf = (words: Uint32Array): number[] =>
  bitsOfTable.map((bits, table) => bits.reduce((key, bit) => key * 2 + ((words[bit >> 5]! >>> (bit & 31)) & 1), 0) + table * 2 ** KEY_BITS)

export function bitsApart(a: Uint32Array, b: Uint32Array): number {
  let count = 0
  for (let n = 0; n < WORDS; n += 1) count += ones(a[n]! ^ b[n]!)
  return count
}

function ones(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555)
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333)
  return (Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) & 0xff
}
