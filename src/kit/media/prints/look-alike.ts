import type { Grey } from './find-spots.ts'
import { backwards, moved, scaleOf, type Move } from './moves.ts'
import { KEPT_SIDE, SEARCHED_SIDE } from './print.ts'

/** The minimum overlap as a share of the smaller part. The other picture may be larger: a screenshot, or the original of a crop. */
const LEAST_OF_ONE = 0.5
const LEAST_OF_EACH = 0.1
/** The minimum share of equal points in the overlap: a line of text may cover the rest. */
const LEAST_ALIKE = 0.8
/** The brightness tolerance of a point after the overall brightness is equalized; larger on steep edges. */
const TOLERANCE = 0.03
const PER_STEEPNESS = 0.5
/** Points with a larger difference do not influence the overall brightness. */
const OUTLIER = 0.12

/** Lays one small picture over the other by `move` (in pixels of the searched picture) and compares them point by point. */
export function lookAlike(a: Grey, b: Grey, move: Move): boolean {
  const small = { ...move, c: (move.c * KEPT_SIDE) / SEARCHED_SIDE, d: (move.d * KEPT_SIDE) / SEARCHED_SIDE }
  // Iterate over the picture with the larger points.
  const isEnlarged = scaleOf(move) >= 1
  const [coarse, fine, coarseToFine] = isEnlarged ? [a, b, small] : [b, a, backwards(small)]
  const points = pointsOf(coarse, fine, coarseToFine)
  const ofCoarse = points.length / coarse.data.length
  const ofFine = (points.length * scaleOf(coarseToFine) ** 2) / fine.data.length
  if (Math.max(ofCoarse, ofFine) < LEAST_OF_ONE || Math.min(ofCoarse, ofFine) < LEAST_OF_EACH) return false
  return shareAlike(points) >= LEAST_ALIKE
}

interface Point {
  coarse: number
  fine: number
  steepness: number
}

function pointsOf(coarse: Grey, fine: Grey, coarseToFine: Move): Point[] {
  const times = Math.max(1, Math.round(scaleOf(coarseToFine)))
  const points: Point[] = []
  for (let y = 0; y < coarse.height; y += 1) {
    for (let x = 0; x < coarse.width; x += 1) {
      const [u, v] = moved(coarseToFine, x + 0.5, y + 0.5)
      if (u < 0.5 || v < 0.5 || u > fine.width - 0.5 || v > fine.height - 0.5) continue
      let sum = 0
      for (let j = 0; j < times; j += 1)
        for (let i = 0; i < times; i += 1) sum += valueAt(fine, ...moved(coarseToFine, x + (i + 0.5) / times, y + (j + 0.5) / times))
      points.push({ coarse: coarse.data[y * coarse.width + x]!, fine: sum / times ** 2, steepness: steepnessAt(coarse, x, y) })
    }
  }
  return points
}

function shareAlike(points: Point[]): number {
  let [gain, offset] = brightness(points)
  for (let round = 0; round < 3; round += 1) {
    const near = points.filter(({ coarse, fine }) => Math.abs(fine - gain * coarse - offset) < OUTLIER)
    if (near.length < points.length / 4) break
    ;[gain, offset] = brightness(near)
  }
  const alike = points.filter(
    ({ coarse, fine, steepness }) => Math.abs(fine - gain * coarse - offset) < TOLERANCE + PER_STEEPNESS * gain * steepness,
  )
  return alike.length / points.length
}

/** Linear regression from one picture's brightness to the other's. */
function brightness(points: Point[]): [gain: number, offset: number] {
  let [x, y, xx, xy] = [0, 0, 0, 0]
  for (const { coarse, fine } of points) {
    x += coarse
    y += fine
    xx += coarse * coarse
    xy += coarse * fine
  }
  const n = points.length || 1
  const gain = Math.min(Math.max((xy - (x * y) / n) / (xx - (x * x) / n || 1), 0.4), 2.5)
  return [gain, (y - gain * x) / n]
}

/** Bilinear interpolation between the centres of four points. */
function valueAt({ width, height, data }: Grey, x: number, y: number): number {
  const [across, down] = [Math.min(Math.max(x - 0.5, 0), width - 1.001), Math.min(Math.max(y - 0.5, 0), height - 1.001)]
  const [column, row] = [Math.floor(across), Math.floor(down)]
  const [u, v] = [across - column, down - row]
  const at = row * width + column
  return (data[at]! * (1 - u) + data[at + 1]! * u) * (1 - v) + (data[at + width]! * (1 - u) + data[at + width + 1]! * u) * v
}

function steepnessAt({ width, height, data }: Grey, x: number, y: number): number {
  const at = y * width + x
  const across = (data[x + 1 < width ? at + 1 : at]! - data[x > 0 ? at - 1 : at]!) / 2
  const down = (data[y + 1 < height ? at + width : at]! - data[y > 0 ? at - width : at]!) / 2
  return Math.hypot(across, down)
}
