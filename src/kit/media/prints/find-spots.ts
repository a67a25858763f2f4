/**
 * Finds spots that survive crops, rotations, scaling and recompression: extremes of the difference of Gaussians in scale and position, each with a
 * size and a direction (Lowe, "Distinctive image features from scale-invariant keypoints", 2004).
 */

/** Grey values from 0 to 1, row by row. */
export interface Grey {
  width: number
  height: number
  data: Float32Array
}

export interface Spot {
  /** In pixels of the searched picture. */
  x: number
  y: number
  /** The blur radius at which the spot stands out most. */
  size: number
  /** Radians, from x towards y. */
  angle: number
  strength: number
  /** The blurred picture that describes the spot, and its pixel size in searched pixels. */
  level: Grey
  step: number
}

const SCALES_PER_OCTAVE = 3
const FIRST_BLUR = 1.6
/** The blur that the camera and the downscaling have already applied. */
const GIVEN_BLUR = 0.5
const MIN_CONTRAST = 0.004
/** Spots on a straight edge can slide along it, so they are dropped. */
const MAX_EDGE = 10
const SMALLEST_OCTAVE = 16

/** Awaits `breathe` after each piece of work, so that other requests can run. */
export async function findSpots(picture: Grey, breathe: () => Promise<unknown>): Promise<Spot[]> {
  const spots: Spot[] = []
  let base = blur(picture, Math.sqrt(FIRST_BLUR ** 2 - GIVEN_BLUR ** 2))
  for (let step = 1; Math.min(base.width, base.height) >= SMALLEST_OCTAVE; step *= 2) {
    const levels = await levelsOf(base, breathe)
    const differences = levels.slice(1).map((level, n) => differenceOf(level, levels[n]!))
    for (let n = 1; n <= SCALES_PER_OCTAVE; n += 1) {
      spots.push(...spotsOf(levels[n]!, differences.slice(n - 1, n + 2), { n, step }))
      await breathe()
    }
    base = halved(levels[SCALES_PER_OCTAVE]!)
  }
  return spots
}

async function levelsOf(base: Grey, breathe: () => Promise<unknown>): Promise<Grey[]> {
  const levels = [base]
  for (let n = 1; n < SCALES_PER_OCTAVE + 3; n += 1) {
    await breathe()
    const before = FIRST_BLUR * 2 ** ((n - 1) / SCALES_PER_OCTAVE)
    const after = FIRST_BLUR * 2 ** (n / SCALES_PER_OCTAVE)
    levels.push(blur(levels[n - 1]!, Math.sqrt(after ** 2 - before ** 2)))
  }
  return levels
}

const differenceOf = (level: Grey, below: Grey): Float32Array => level.data.map((value, at) => value - below.data[at]!)

function spotsOf(level: Grey, layers: Float32Array[], { n, step }: { n: number; step: number }): Spot[] {
  const { width, height } = level
  const layer = layers[1]!
  const size = FIRST_BLUR * 2 ** (n / SCALES_PER_OCTAVE)
  const spots: Spot[] = []
  for (let y = 2; y < height - 2; y += 1) {
    for (let x = 2; x < width - 2; x += 1) {
      const at = y * width + x
      const strength = Math.abs(layer[at]!)
      if (strength < MIN_CONTRAST || !isExtreme(layers, at, width) || isEdge(layer, at, width)) continue
      for (const angle of anglesOf(level, x, y, size * 1.5))
        spots.push({ x: x * step, y: y * step, size: size * step, angle, strength, level, step })
    }
  }
  return spots
}

function isExtreme(layers: Float32Array[], at: number, width: number): boolean {
  const value = layers[1]![at]!
  const sign = Math.sign(value)
  for (const layer of layers)
    for (const row of [at - width, at, at + width])
      for (const near of [row - 1, row, row + 1]) if (sign * layer[near]! > sign * value) return false
  return true
}

function isEdge(layer: Float32Array, at: number, width: number): boolean {
  const twice = 2 * layer[at]!
  const xx = layer[at + 1]! + layer[at - 1]! - twice
  const yy = layer[at + width]! + layer[at - width]! - twice
  const xy = (layer[at + width + 1]! - layer[at + width - 1]! - layer[at - width + 1]! + layer[at - width - 1]!) / 4
  const determinant = xx * yy - xy * xy
  return determinant <= 0 || (xx + yy) ** 2 / determinant >= (MAX_EDGE + 1) ** 2 / MAX_EDGE
}

const BINS = 36

/** The directions in which the surroundings grow brighter: the strongest, and any other that is nearly as strong. */
function anglesOf({ width, height, data }: Grey, x: number, y: number, blurHere: number): number[] {
  const histogram = new Float32Array(BINS)
  const radius = Math.round(3 * blurHere)
  for (let dy = -radius; dy <= radius; dy += 1) {
    for (let dx = -radius; dx <= radius; dx += 1) {
      const [px, py] = [x + dx, y + dy]
      if (px < 1 || py < 1 || px >= width - 1 || py >= height - 1) continue
      const at = py * width + px
      const gx = data[at + 1]! - data[at - 1]!
      const gy = data[at + width]! - data[at - width]!
      const weight = Math.exp(-(dx * dx + dy * dy) / (2 * blurHere ** 2))
      const bin = Math.round((Math.atan2(gy, gx) / (2 * Math.PI)) * BINS + BINS) % BINS
      histogram[bin]! += weight * Math.hypot(gx, gy)
    }
  }
  const smooth = histogram.map((value, n) => (histogram[(n + BINS - 1) % BINS]! + 2 * value + histogram[(n + 1) % BINS]!) / 4)
  const most = Math.max(...smooth)
  const angles: { angle: number; weight: number }[] = []
  for (let n = 0; n < BINS; n += 1) {
    const [left, middle, right] = [smooth[(n + BINS - 1) % BINS]!, smooth[n]!, smooth[(n + 1) % BINS]!]
    if (middle < 0.8 * most || middle <= left || middle < right) continue
    const between = (left - right) / (2 * (left - 2 * middle + right) || 1)
    angles.push({ angle: ((n + between) / BINS) * 2 * Math.PI, weight: middle })
  }
  return angles
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 2)
    .map(({ angle }) => angle)
}

/** A separable Gaussian blur. Pixels beyond the border repeat the border. */
function blur(picture: Grey, radius: number): Grey {
  const reach = Math.ceil(3 * radius)
  const kernel = Array.from({ length: 2 * reach + 1 }, (_, n) => Math.exp(-((n - reach) ** 2) / (2 * radius ** 2)))
  const sum = kernel.reduce((a, b) => a + b, 0)
  const weights = Float32Array.from(kernel, (value) => value / sum)
  return blurAlong(blurAlong(picture, weights, 'rows'), weights, 'columns')
}

function blurAlong({ width, height, data }: Grey, weights: Float32Array, along: 'rows' | 'columns'): Grey {
  const [length, lines, next, nextLine] = along === 'rows' ? [width, height, 1, width] : [height, width, width, 1]
  const reach = (weights.length - 1) / 2
  const line = new Float32Array(length + 2 * reach)
  const out = new Float32Array(data.length)
  for (let n = 0; n < lines; n += 1) {
    const start = n * nextLine
    for (let at = -reach; at < length + reach; at += 1) line[at + reach] = data[start + Math.min(Math.max(at, 0), length - 1) * next]!
    for (let at = 0; at < length; at += 1) {
      let value = 0
      for (let k = 0; k < weights.length; k += 1) value += weights[k]! * line[at + k]!
      out[start + at * next] = value
    }
  }
  return { width, height, data: out }
}

function halved({ width, height, data }: Grey): Grey {
  const [w, h] = [width >> 1, height >> 1]
  const out = new Float32Array(w * h)
  for (let y = 0; y < h; y += 1) for (let x = 0; x < w; x += 1) out[y * w + x] = data[2 * y * width + 2 * x]!
  return { width: w, height: h, data: out }
}
