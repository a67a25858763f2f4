// The areas of a second colour on a coat. A marking is a white shape in the animal's 32 x 32 units. The animal is drawn again in the second colour
// and shows only through that shape, so that light and shadow continue across it.

import type { Ramp } from './coats.ts'
import { between, n2, randomFrom } from './random.ts'

export interface Marking {
  readonly ramp: Ramp
  readonly shape: string
  /** The width of the soft edge in units; 0 is sharp. */
  readonly blur?: number
}

const fill = (path: string): string => `<path d="${path}"/>`

/** A closed, lumpy outline around a point. */
function blob(seed: string, x: number, y: number, radius: number, stretch = 1.25): string {
  const random = randomFrom(seed)
  const count = 10
  const points = Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * Math.PI * 2
    const reach = radius * between(random, 0.72, 1.28)
    return [x + Math.cos(angle) * reach * stretch, y + Math.sin(angle) * reach] as const
  })
  const point = (i: number) => points[i % count] ?? points[0]!
  const middle = (i: number) => `${n2((point(i)[0] + point(i + 1)[0]) / 2)} ${n2((point(i)[1] + point(i + 1)[1]) / 2)}`
  const turns = Array.from({ length: count }, (_, i) => `Q${n2(point(i + 1)[0])} ${n2(point(i + 1)[1])} ${middle(i + 1)}`)
  return `M${middle(0)}${turns.join('')}Z`
}

export interface Area {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
const BARREL: Area = { left: 8, top: 7.5, right: 29, bottom: 23 }

/** Random patches on the body by a seed. They keep their distance, so that no two merge. */
export function patches(ramp: Ramp, seed: string, count: number, radius: number, area: Area = BARREL, blur = 0.12): Marking {
  const random = randomFrom(seed)
  const places: (readonly [number, number])[] = []
  for (let tries = 0; places.length < count && tries < 400; tries++) {
    const place = [between(random, area.left, area.right), between(random, area.top, area.bottom)] as const
    const onFace = place[0] < 13.5 && place[1] < 13
    if (!onFace && places.every(([x, y]) => Math.hypot(place[0] - x, place[1] - y) > radius * 1.7)) places.push(place)
  }
  const shapes = places.map(([x, y], i) => fill(blob(`${seed}${i}`, x, y, radius * between(random, 0.55, 1.25))))
  return { ramp, shape: shapes.join(''), blur }
}

export const spot = (ramp: Ramp, x: number, y: number, radius: number, blur = 0.1): Marking => ({
  ramp,
  shape: fill(blob(`${x}/${y}`, x, y, radius, 1)),
  blur,
})
export const shade = (ramp: Ramp, x: number, y: number, rx: number, ry: number, blur = 1.2): Marking => ({
  ramp,
  shape: `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}"/>`,
  blur,
})
export const area = (ramp: Ramp, path: string, blur = 0.15): Marking => ({ ramp, shape: fill(path), blur })

/** Everything below a height: feet, stockings, belly. */
export const below = (ramp: Ramp, y: number, blur = 0.2): Marking => ({
  ramp,
  shape: `<rect x="-4" y="${y}" width="40" height="20"/>`,
  blur,
})

// Cattle and buffaloes
export const bullShoulder = (ramp: Ramp): Marking => ({
  ramp,
  shape:
    '<ellipse cx="13" cy="11" rx="6.4" ry="8.6"/><ellipse cx="16.6" cy="5.4" rx="4.4" ry="4.2"/><ellipse cx="27.5" cy="15" rx="2.6" ry="6"/>',
  blur: 1.7,
})
export const oxFace = (ramp: Ramp): Marking => ({ ramp, shape: fill('M0 3H9.4L8 14.5H0Z'), blur: 0.9 })
export const oxMuzzle = (ramp: Ramp): Marking => ({ ramp, shape: fill('M0 7.6H4.6L5.4 14H0Z'), blur: 0.6 })
export const oxStar = (ramp: Ramp): Marking => ({
  ramp,
  shape: fill('M6.1 6.4C6.9 5.9 8.6 5.6 9 6.3C8.8 7.2 7 8.4 5.6 8.7C5 8.5 5.3 7 6.1 6.4Z'),
  blur: 0.12,
})

// Goats and hair sheep (the goat's outline)
export const goatHead = (ramp: Ramp): Marking => ({ ramp, shape: fill('M0 4H14L11.2 12.6C9.8 14 7 14.5 5.6 13.6L0 13Z'), blur: 0.2 })
export const goatFaceStripes = (ramp: Ramp): Marking => ({
  ramp,
  shape:
    fill('M2.4 9.7C4.8 9.3 6.6 7.6 8.4 6.3L9.4 7C8 8.3 5.4 10.3 2.8 10.8Z') +
    fill('M3.6 11.4C5.6 11.6 7.4 11.1 8.6 10.1L8.8 10.9C7.6 12 5.6 12.4 3.8 12.1Z'),
  blur: 0.1,
})
export const goatThroat = (ramp: Ramp): Marking => ({ ramp, shape: fill('M5 12.2C6.4 13 8 13 9.2 12.4L11 20.5H8.2Z'), blur: 0.4 })
export const goatUnderline = (ramp: Ramp): Marking => ({ ramp, shape: fill('M6.5 19.4C12 22.3 19 20.3 26 21.2L31 25V31H8Z'), blur: 0.45 })
export const goatBlanket = (ramp: Ramp): Marking => ({ ramp, shape: fill('M13.5 9H31V22.5H14.5C12.5 19 12 13 13.5 9Z'), blur: 0.5 })

// Dogs
export const dogMask = (ramp: Ramp): Marking => ({ ramp, shape: '<ellipse cx="4" cy="13" rx="3" ry="2.4"/>', blur: 0.6 })
export const houndTanPoints = (ramp: Ramp): Marking => ({
  ramp,
  shape:
    fill('M0 8.2C2.6 8.3 4.6 8.4 6.4 9.3L7.4 12H0Z') +
    '<circle cx="6.1" cy="5.7" r=".5"/>' +
    fill('M7 13.5C9 14.5 10 17 10 20L12 31H6Z') +
    fill('M17 24H28V31H17Z') +
    fill('M8 24.5H14V31H8Z') +
    fill('M20.6 20L24 22.5L24 31H18Z'),
  blur: 0.35,
})

// Horses (the stripeless zebra's outline)
export const horseBlaze = (ramp: Ramp): Marking => ({ ramp, shape: fill('M5.4 3.6L6.7 4.2L3.2 8.6L1.9 8.2Z'), blur: 0.12 })
