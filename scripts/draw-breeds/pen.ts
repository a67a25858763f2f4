// The strokes that the drawings of breeds are made of. Each answers SVG in the 32 x 32 units of the Fluent animals, and few
// characters of it: a list shows eighty of these drawings on a cheap phone.

import { fromRamp, type Ramp } from '../draw-pictures/coats.ts'
import { tapered, type Curve } from '../draw-pictures/parts.ts'
import { between, randomFrom } from '../draw-pictures/random.ts'

/** Steps of a tapered stroke: at the size of a thumb nobody sees more. */
const STEPS = 8

const short = (value: number): string => String(Math.round(value * 10) / 10)
const compact = (outline: string): string => outline.replace(/-?\d*\.\d+/g, (figure) => short(Number(figure)))

export const fill = (outline: string, colour: string): string => `<path d="${outline}" fill="${colour}"/>`
export const oval = (x: number, y: number, rx: number, ry: number, colour: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${colour}"/>`
/** A stroke that grows thinner, as horns, tails and ears do. */
export const tail = (curve: Curve, from: number, to: number, colour: string): string =>
  fill(compact(tapered(curve, from, to, STEPS)), colour)

export const shifted = (curve: Curve, dx: number, dy: number): Curve => curve.map(([x, y]) => [x + dx, y + dy]) as unknown as Curve

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
  /** From the middle before to a point: relative figures are shorter. */
  const from = (i: number, [toX, toY]: readonly [number, number]) => `${short(toX - middle(i)[0])} ${short(toY - middle(i)[1])}`
  return `M${middle(0).map(short).join(' ')}${points.map((_, i) => `q${from(i, at(i + 1))} ${from(i, middle(i + 1))}`).join('')}z`
}

/** Places strewn over the body by a seed, which keep their distance and leave the face free. */
function strewn(random: () => number, count: number, distance: number): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = []
  for (let tries = 0; places.length < count && tries < 500; tries++) {
    const place = [between(random, 9, 28), between(random, 9, 24)] as const
    const onFace = place[0] < 13.5 && place[1] < 13
    if (!onFace && places.every(([x, y]) => Math.hypot(place[0] - x, place[1] - y) > distance)) places.push(place)
  }
  return places
}

/** What lies on a coat; it is cut to the body. */
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

/** Round spots, each a dot of a wide stroke. */
export function spots(ramp: Ramp, seed: string, count: number, radius: number): Marking {
  const dots = strewn(randomFrom(seed), count, radius * 2.4).map(([x, y]) => `M${short(x)} ${short(y)}h0`)
  return `<path d="${dots.join('')}" stroke="${ramp[1]}" stroke-width="${short(radius * 2)}" stroke-linecap="round"/>`
}

export const area = (ramp: Ramp, outline: string): Marking => fill(outline, ramp[1])
/** An area whose edge fades into the coat. */
export const shade = (ramp: Ramp, ...ovals: [x: number, y: number, rx: number, ry: number][]): Marking =>
  `<g filter="url(#f)">${ovals.map((each) => oval(...each, ramp[1])).join('')}</g>`
/** Feet and stockings: everything below a height. */
export const below = (ramp: Ramp, y: number): Marking => fill(`M0 ${y}h34v9H0z`, ramp[1])

export const lit = (ramp: Ramp): string => fromRamp(ramp, 0.75)
export const own = (ramp: Ramp): string => ramp[1]
export const dim = (ramp: Ramp): string => fromRamp(ramp, 0.25)
