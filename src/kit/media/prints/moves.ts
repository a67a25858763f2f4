import type { Mark } from './print.ts'

/** A shift, rotation and scale: x' = a·x − b·y + c, y' = b·x + a·y + d. */
export interface Move {
  a: number
  b: number
  c: number
  d: number
}

/** A spot and its most similar spot in the other picture. */
export interface Pair {
  from: Mark
  to: Mark
}

export const scaleOf = ({ a, b }: Move): number => Math.hypot(a, b)
export const moved = ({ a, b, c, d }: Move, x: number, y: number): [x: number, y: number] => [a * x - b * y + c, b * x + a * y + d]

export function backwards(move: Move): Move {
  const { a, b, c, d } = move
  const square = scaleOf(move) ** 2
  return { a: a / square, b: -b / square, c: -(a * c + b * d) / square, d: (b * c - a * d) / square }
}

/** At least three spots must agree before the pictures are compared point by point. */
const FEWEST = 3
const MOST_TRIED = 6
const MOST_RESIZED = 4
/** The tolerance of a spot's position in pixels of 384, and of its size and direction. */
const MOST_PIXELS = 14
const MOST_DOUBLINGS = 0.7
const MOST_RADIANS = 0.4

/** Returns the moves on which most pairs of spots agree, best first. */
export function movesBetween(pairs: Pair[]): Move[] {
  return pairs
    .map((pair) => agreeing(pairs, moveOf(pair)))
    .filter(({ length }) => length >= FEWEST)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MOST_TRIED)
    .map((inliers) => {
      const again = agreeing(pairs, fit(inliers))
      return fit(again.length >= FEWEST ? again : inliers)
    })
    .filter((move) => scaleOf(move) < MOST_RESIZED && scaleOf(move) > 1 / MOST_RESIZED)
}

function moveOf({ from, to }: Pair): Move {
  const scale = to.size / from.size
  const turn = to.angle - from.angle
  const [a, b] = [scale * Math.cos(turn), scale * Math.sin(turn)]
  return { a, b, c: to.x - a * from.x + b * from.y, d: to.y - b * from.x - a * from.y }
}

function agreeing(pairs: Pair[], move: Move): Pair[] {
  const scale = scaleOf(move)
  const turn = Math.atan2(move.b, move.a)
  const reach = MOST_PIXELS * Math.max(1, scale)
  // A spot with two directions counts once.
  const places = new Set<number>()
  return pairs.filter(({ from, to }) => {
    const [x, y] = moved(move, from.x, from.y)
    if (Math.hypot(x - to.x, y - to.y) > reach || Math.abs(Math.log2(to.size / from.size / scale)) > MOST_DOUBLINGS) return false
    const off = to.angle - from.angle - turn
    if (Math.abs(Math.atan2(Math.sin(off), Math.cos(off))) > MOST_RADIANS) return false
    const place = Math.round(from.x / 3) * 1000 + Math.round(from.y / 3)
    if (places.has(place)) return false
    places.add(place)
    return true
  })
}

/** Least-squares fit of a move to the pairs. */
function fit(pairs: Pair[]): Move {
  const mean = (value: (pair: Pair) => number) => pairs.reduce((sum, pair) => sum + value(pair), 0) / pairs.length
  const [fromX, fromY, toX, toY] = [mean(({ from }) => from.x), mean(({ from }) => from.y), mean(({ to }) => to.x), mean(({ to }) => to.y)]
  let [along, across, square] = [0, 0, 0]
  for (const { from, to } of pairs) {
    const [x, y, u, v] = [from.x - fromX, from.y - fromY, to.x - toX, to.y - toY]
    along += x * u + y * v
    across += x * v - y * u
    square += x * x + y * y
  }
  const [a, b] = [along / (square || 1), across / (square || 1)]
  return { a, b, c: toX - a * fromX + b * fromY, d: toY - b * fromX - a * fromY }
}
