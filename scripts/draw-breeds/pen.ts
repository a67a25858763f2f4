// The strokes of the breed drawings. Each function returns short SVG text in the 32 x 32 units of the Fluent animals, because a list shows eighty
// drawings on a cheap phone.

import { fromRamp, type Ramp } from '../draw-pictures/coats.ts'
import { tapered, type Curve } from '../draw-pictures/parts.ts'
import { between, n1, randomFrom } from '../draw-pictures/random.ts'

/** The steps of a tapered stroke; more are invisible at this size. */
const STEPS = 8

const compact = (outline: string): string => outline.replace(/-?\d*\.\d+/g, (figure) => n1(Number(figure)))

export const fill = (outline: string, colour: string): string => `<path d="${outline}" fill="${colour}"/>`
export const oval = (x: number, y: number, rx: number, ry: number, colour: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${colour}"/>`
/** A stroke that becomes thinner, for horns, tails and ears. */
export const tail = (curve: Curve, from: number, to: number, colour: string): string =>
  fill(compact(tapered(curve, from, to, STEPS)), colour)

/** A lumpy closed outline around a point. */
function blob(random: () => number, x: number, y: number, radius: number): string {
  const count = 5
  const points = Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * Math.PI * 2
    const reach = radius * between(random, 0.7, 1.3)
    return [x + Math.cos(angle) * reach * 1.25, y + Math.sin(angle) * reach] as const
  })
  const at = (i: number) => points[i % count]!
  const middle = (i: number) => [(at(i)[0] + at(i + 1)[0]) / 2, (at(i)[1] + at(i + 1)[1]) / 2] as const
  /** Relative coordinates from the previous midpoint, because they are shorter. */
  const from = (i: number, [toX, toY]: readonly [number, number]) => `${n1(toX - middle(i)[0])} ${n1(toY - middle(i)[1])}`
  return `M${middle(0).map(n1).join(' ')}${points.map((_, i) => `q${from(i, at(i + 1))} ${from(i, middle(i + 1))}`).join('')}z`
}

/** Random places on the body by a seed, which keep their distance and leave the face free. */
function strewn(random: () => number, count: number, distance: number): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = []
  for (let tries = 0; places.length < count && tries < 500; tries++) {
    const place = [between(random, 9, 28), between(random, 9, 24)] as const
    const onFace = place[0] < 13.5 && place[1] < 13
    if (!onFace && places.every(([x, y]) => Math.hypot(place[0] - x, place[1] - y) > distance)) places.push(place)
  }
  return places
}

/** A marking on a coat, clipped to the body. */
export type Marking = string

export function patches(ramp: Ramp, seed: string, count: number, radius: number): Marking {
  const random = randomFrom(seed)
  return fill(
    strewn(random, count, radius * 1.9)
      .map(([x, y]) => blob(random, x, y, radius * between(random, 0.65, 1.2)))
      .join(''),
    ramp[1],
  )
}

/** Round spots, each a zero-length line with a wide round stroke. */
export function spots(ramp: Ramp, seed: string, count: number, radius: number): Marking {
  const dots = strewn(randomFrom(seed), count, radius * 2.4).map(([x, y]) => `M${n1(x)} ${n1(y)}h0`)
  return `<path d="${dots.join('')}" stroke="${ramp[1]}" stroke-width="${n1(radius * 2)}" stroke-linecap="round"/>`
}

export const area = (ramp: Ramp, outline: string): Marking => fill(outline, ramp[1])
export const shade = (ramp: Ramp, ...ovals: [x: number, y: number, rx: number, ry: number][]): Marking =>
  `<g filter="url(#f)">${ovals.map((each) => oval(...each, ramp[1])).join('')}</g>`
/** Feet and stockings: everything below a height. */
export const below = (ramp: Ramp, y: number): Marking => fill(`M0 ${y}h34v9H0z`, ramp[1])

export const lit = (ramp: Ramp): string => fromRamp(ramp, 0.75)
export const own = (ramp: Ramp): string => ramp[1]
export const dim = (ramp: Ramp): string => fromRamp(ramp, 0.25)
