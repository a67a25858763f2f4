// Parts of Indian animals that the emoji lack: humps, dewlaps, the horns of each breed, long ears, udders, bells. All in the drawing's 32 x 32 units,
// coloured from the coat's ramp.

import { coats, fromRamp, mix, type Ramp } from './coats.ts'
import { newId } from './emoji.ts'
import { n2 } from './random.ts'

export type Part = (coat: Ramp) => string
export type Point = readonly [x: number, y: number]
export type Curve = readonly [Point, Point, Point, Point]

const along = (curve: Curve, t: number): Point => {
  const u = 1 - t
  const at = (i: 0 | 1): number => u ** 3 * curve[0][i] + 3 * u * u * t * curve[1][i] + 3 * u * t * t * curve[2][i] + t ** 3 * curve[3][i]
  return [at(0), at(1)]
}

/** The outline of a stroke along a curve whose half width changes from one end to the other. */
export function tapered(curve: Curve, from: number, to: number, steps = 18): string {
  const left: string[] = []
  const right: string[] = []
  for (let i = 0; i <= steps; i++) {
    const t = i / steps
    const [x, y] = along(curve, t)
    const [beforeX, beforeY] = along(curve, Math.max(0, t - 0.02))
    const [afterX, afterY] = along(curve, Math.min(1, t + 0.02))
    const length = Math.hypot(afterX - beforeX, afterY - beforeY) || 1
    const width = from + (to - from) * t
    const dx = (-(afterY - beforeY) / length) * width
    const dy = ((afterX - beforeX) / length) * width
    left.push(`${n2(x + dx)} ${n2(y + dy)}`)
    right.unshift(`${n2(x - dx)} ${n2(y - dy)}`)
  }
  return `M${left.join('L')}L${right.join('L')}Z`
}

export const shift = (curve: Curve, dx: number, dy: number): Curve => curve.map(([x, y]) => [x + dx, y + dy]) as unknown as Curve

function horn(curve: Curve, width: number, ramp: Ramp): string {
  const id = newId()
  const [[x1, y1], , , [x2, y2]] = curve
  return (
    `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">` +
    `<stop stop-color="${ramp[1]}"/><stop offset=".45" stop-color="${mix(ramp[1], ramp[2], 0.55)}"/><stop offset="1" stop-color="${ramp[0]}"/></linearGradient>` +
    `<path d="${tapered(curve, width, 0.1)}" fill="url(#${id})" stroke="${mix(ramp[0], ramp[1], 0.4)}" stroke-width=".08" stroke-linejoin="round"/>` +
    `<path d="${tapered(shift(curve, -width * 0.28, -width * 0.1), width * 0.22, 0.02)}" fill="${ramp[2]}" opacity=".55"/>`
  )
}

export interface HornStyle {
  readonly curve: Curve
  readonly width: number
}

/** Cattle horns, from the poll of the Fluent ox. The upright ones are behind the head, so that the brow covers their roots. */
export const cattleHorns = {
  lyre: {
    curve: [
      [10.2, 6],
      [6.6, 3.6],
      [7, -0.8],
      [10.9, -2.6],
    ],
    width: 0.8,
  },
  wideLyre: {
    curve: [
      [10.2, 6],
      [5.2, 4.6],
      [4.2, -1.4],
      [9.2, -3.6],
    ],
    width: 1,
  },
  longBack: {
    curve: [
      [10.2, 6],
      [9.3, 3.2],
      [11.6, 0.4],
      [15.6, -1.6],
    ],
    width: 0.72,
  },
  forward: {
    curve: [
      [9.8, 6],
      [7.4, 4.9],
      [5.4, 2.4],
      [5.9, -0.8],
    ],
    width: 0.7,
  },
  upright: {
    curve: [
      [10.2, 6],
      [8.3, 4],
      [8.5, 1.2],
      [10.1, -0.8],
    ],
    width: 0.62,
  },
  short: {
    curve: [
      [10.1, 6],
      [8.6, 4.8],
      [8.1, 3.5],
      [8.7, 2.4],
    ],
    width: 0.6,
  },
  stump: {
    curve: [
      [10.2, 5.8],
      [9.6, 4.8],
      [9.4, 4.1],
      [9.5, 3.5],
    ],
    width: 0.72,
  },
  drooping: {
    curve: [
      [10.6, 5.4],
      [14.2, 3.2],
      [16.8, 6.6],
      [13.9, 9.2],
    ],
    width: 0.85,
  },
} as const satisfies Record<string, HornStyle>

/** Buffalo horns, from the poll of the Fluent buffalo. */
export const buffaloHorns = {
  coiled: {
    curve: [
      [11.3, 4.9],
      [15.6, 1.4],
      [17.6, 6.6],
      [13.6, 6.1],
    ],
    width: 0.95,
  },
  crescent: {
    curve: [
      [11.6, 5],
      [17.6, 5.4],
      [19.4, 0.2],
      [14.4, -3],
    ],
    width: 1.05,
  },
  swept: {
    curve: [
      [11.6, 5],
      [15, 3.4],
      [19.5, 4.6],
      [22.2, 0.6],
    ],
    width: 0.95,
  },
} as const satisfies Record<string, HornStyle>

export const goatHorns = {
  back: {
    curve: [
      [9, 6.4],
      [10.2, 3.2],
      [12.6, 2],
      [15.4, 2.9],
    ],
    width: 0.62,
  },
  upright: {
    curve: [
      [9, 6.4],
      [9, 4],
      [10, 2.2],
      [12.2, 0.6],
    ],
    width: 0.55,
  },
  twisted: {
    curve: [
      [9.2, 6.4],
      [11.4, 3.8],
      [13, 5.4],
      [16, 2.8],
    ],
    width: 0.7,
  },
  small: {
    curve: [
      [9, 6.4],
      [9.6, 4.9],
      [10.4, 4.2],
      [11.6, 4],
    ],
    width: 0.5,
  },
} as const satisfies Record<string, HornStyle>

/** A ram's curl beside the cheek. */
export const ramCurl: HornStyle = {
  curve: [
    [9, 6.3],
    [14.6, 2.6],
    [16.2, 10.6],
    [10.6, 10.2],
  ],
  width: 1.05,
}

export const nearHorn =
  (style: HornStyle, ramp: Ramp = coats.horn): Part =>
  () =>
    horn(style.curve, style.width, ramp)
export const farHorn =
  (style: HornStyle, ramp: Ramp = coats.horn): Part =>
  () =>
    horn(shift(style.curve, 1.7, -0.1), style.width * 0.9, [ramp[0], mix(ramp[0], ramp[1], 0.7), mix(ramp[1], ramp[2], 0.3)])

/** `height` 1 is a cow's hump, 1.5 a bull's. */
export const hump =
  (height = 1): Part =>
  (coat) => {
    const id = newId()
    const top = 8.4 - 3.5 * height
    return (
      `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${fromRamp(coat, 0.86)}"/><stop offset=".7" stop-color="${fromRamp(coat, 0.56)}"/><stop offset="1" stop-color="${fromRamp(coat, 0.42)}"/></linearGradient>` +
      `<path d="M12.6 9.6C13.2 ${n2(top + 2.6)} 14.6 ${n2(top)} 16.6 ${n2(top)}C18.9 ${n2(top)} 19.6 ${n2(top + 2.4)} 21 ${n2(top + 3.8)}C21.8 8.9 22.4 9.6 23.4 10.4L13 12Z" fill="url(#${id})"/>` +
      `<path d="M14.2 ${n2(top + 2.5)}C14.7 ${n2(top + 1.2)} 15.6 ${n2(top + 0.5)} 16.7 ${n2(top + 0.5)}C15.7 ${n2(top + 1)} 15 ${n2(top + 1.9)} 14.7 ${n2(top + 3)}Z" fill="${coat[2]}" opacity=".6"/>`
    )
  }

/** The fold of skin below an Indian neck; `depth` 1 is ordinary, 1.5 a Gir's. */
export const dewlap =
  (depth = 1): Part =>
  (coat) => {
    const id = newId()
    const out = 8.6 - 2.5 * depth
    return (
      `<linearGradient id="${id}"><stop stop-color="${fromRamp(coat, 0.62)}"/><stop offset="1" stop-color="${fromRamp(coat, 0.2)}"/></linearGradient>` +
      `<path d="M6.6 12.4C${n2(out + 0.4)} 14.4 ${n2(out)} 16.8 ${n2(out + 0.9)} 18.6C${n2(out + 1.7)} 20.2 8.4 21.6 11 22.4L12.4 13Z" fill="url(#${id})"/>` +
      `<path d="M7.6 13.6C${n2(out + 1.4)} 15.4 ${n2(out + 1.3)} 17.6 ${n2(out + 2.5)} 19.6" stroke="${coat[0]}" stroke-width=".16" opacity=".5" fill="none"/>`
    )
  }

export const udder: Part = () =>
  `<path d="M17.4 21.6h6.2c.2 2-1.2 3.1-3 3.1c-2 0-3.3-1.1-3.2-3.1Z" fill="${coats.flesh[1]}"/><path d="M18.6 24.3v1.1M20.9 24.6v1.1" stroke="${coats.flesh[1]}" stroke-width=".7" stroke-linecap="round"/><path d="M17.6 23c1 .6 4 .6 5.8-.4" stroke="${coats.flesh[2]}" stroke-width=".3" opacity=".6" fill="none"/>`

/** A long leaf-shaped ear that hangs from (x, y) by the given length. */
export const hangingEar =
  (x: number, y: number, length: number, back = 0.6, width = 1): Part =>
  (coat) => {
    const end: Point = [x + back, y + length]
    const curve: Curve = [[x, y], [x + back + 0.9, y + length * 0.3], [x + back + 0.6, y + length * 0.7], end]
    return (
      `<path d="${tapered(curve, width, width * 0.42)}" fill="${fromRamp(coat, 0.34)}" stroke="${fromRamp(coat, 0.34)}" stroke-width=".5" stroke-linejoin="round"/>` +
      `<path d="${tapered(shift(curve, -0.25, 0.1), width * 0.5, width * 0.2)}" fill="${fromRamp(coat, 0.6)}" opacity=".75"/>`
    )
  }

/** Ears that point backwards, as hair sheep have them. */
export const levelEar: Part = (coat) =>
  `<path d="M8.6 8.5C10.2 7.5 12.6 7.9 13.9 9.7C12.3 10.9 9.6 10.7 8.6 9.9Z" fill="${fromRamp(coat, 0.34)}"/><path d="M9.3 8.9C10.6 8.4 12.1 8.7 13 9.6C11.8 10.1 10.2 10 9.3 9.6Z" fill="${mix(fromRamp(coat, 0.6), '#d98b86', 0.35)}"/>`

export const hangingTail: Part = (coat) =>
  `<path d="${tapered(
    [
      [27.2, 12.6],
      [29.2, 13],
      [29.5, 15.4],
      [28.9, 18],
    ],
    0.75,
    0.5,
  )}" fill="${fromRamp(coat, 0.45)}" stroke="${fromRamp(coat, 0.45)}" stroke-width=".4" stroke-linejoin="round"/>`

/** A rope round the neck with a brass bell, as dairy animals wear it. `drop` moves it for other necks. */
export const neckBell =
  (dx = 0, dy = 0, rope = '#c0392b'): Part =>
  () =>
    `<g transform="translate(${dx} ${dy})"><path d="M7.9 13.7C10.2 14.6 13.8 12 15.4 8.3" stroke="#3b1d10" stroke-opacity=".3" stroke-width=".9" fill="none"/><path d="M7.9 13.5C10.2 14.4 13.7 11.8 15.3 8.1" stroke="${rope}" stroke-width=".6" fill="none"/><path d="M7.9 13.5C10.2 14.4 13.7 11.8 15.3 8.1" stroke="#fff" stroke-opacity=".35" stroke-width=".6" stroke-dasharray=".25 .55" fill="none"/>` +
    `<path d="M7.7 16.7c.7-.3.7-2.9 1.6-2.9s.900 2.6 1.6 2.9Z" fill="#d99a1c"/><path d="M8.3 16.4c.5-.4.5-2.2.9-2.2" stroke="#ffe9a8" stroke-width=".25" fill="none"/><circle cx="9.3" cy="16.9" r=".38" fill="#8a5a10"/></g>`

/** Painted horns and a bead necklace: a bull's Pongal decoration. */
export const beads: Part = () =>
  `<path d="M8 14.4C10.6 15.6 14.6 12.8 16.2 8.7" stroke="#1f5c3a" stroke-width=".5" fill="none"/><path d="M8 14.4C10.6 15.6 14.6 12.8 16.2 8.7" stroke="#f2b01e" stroke-width=".75" stroke-linecap="round" stroke-dasharray="0 1.050" fill="none"/>`
