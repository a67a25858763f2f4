/**
 * Whether one picture is a copy of another: several spots must agree on one move (shift, rotation, scale), and then the small grey pictures must
 * agree too.
 */
import { bitsApart, mirroredDescription } from './describe-spot.ts'
import { lookAlike } from './look-alike.ts'
import { movesBetween, type Pair } from './moves.ts'
import type { Mark, Print } from './print.ts'

export function isCopy(a: Print, b: Print): boolean {
  return [b, mirrored(b)].some((other) => movesBetween(pairsOf(a.marks, other.marks)).some((move) => lookAlike(a.small, other.small, move)))
}

export function mirrored({ width, height, marks, small }: Print): Print {
  return {
    width,
    height,
    marks: marks.map((mark) => ({
      ...mark,
      x: width - mark.x,
      angle: Math.PI - mark.angle,
      words: mirroredDescription(mark.words),
    })),
    small: { ...small, data: small.data.map((_, at) => small.data[at + small.width - 1 - 2 * (at % small.width)]!) },
  }
}

/** Descriptions of the same spot rarely differ in more of their 128 bits. */
const MAX_BITS_APART = 34

function pairsOf(from: Mark[], to: Mark[]): Pair[] {
  return from.flatMap((one) => {
    let best: Mark | null = null
    let least = MAX_BITS_APART + 1
    for (const other of to) {
      const apart = bitsApart(one.words, other.words)
      if (apart >= least) continue
      best = other
      least = apart
    }
    return best ? [{ from: one, to: best }] : []
  })
}
