// The base animals of the breeds. The outlines come from the sample pictures (Fluent Emoji, MIT; the notice is in ../draw-pictures/README.md). The
// parameters of a breed are coat, horns, hump, ears, comb, tail and size.

import { coats, mix, type Ramp } from '../draw-pictures/coats.ts'
import { outlineOf } from '../draw-pictures/emoji.ts'
import { HEN_BODY, HEN_WING } from '../draw-pictures/hen.ts'
import { HOUND_BODY } from '../draw-pictures/hound.ts'
import { dim, fill, lit, oval, own, tail, below, type Marking } from './pen.ts'
import { shift, type Curve, type HornStyle } from '../draw-pictures/parts.ts'

/** A drawing in three layers. Markings are clipped to the body and shaded with it. */
export interface Drawing {
  body: string
  coat: Ramp
  behind: string
  markings: string
  front: string
  /** 1 fills the picture. */
  size: number
}

interface Any {
  coat: Ramp
  markings?: Marking[]
  size?: number
}

const DARK = '#1b1614'
const eye = (x: number, y: number, r = 0.5): string =>
  oval(x, y, r, r * 1.6, DARK) + `<circle cx="${x - 0.1}" cy="${y - r * 0.7}" r="${r * 0.4}" fill="#fff"/>`
const drawing = ({ coat, markings = [], size = 1 }: Any, body: string, behind: string[], front: string[], underMarkings = ''): Drawing => ({
  body,
  coat,
  behind: behind.join(''),
  markings: underMarkings + markings.join(''),
  front: front.join(''),
  size,
})

function horns(style: HornStyle | undefined, ramp: Ramp): { far: string; near: string } {
  if (!style) return { far: '', near: '' }
  return {
    far: tail(shift(style.curve, 1.7, -0.1), style.width * 0.9, 0.1, dim(ramp)),
    near: tail(style.curve, style.width, 0.1, mix(own(ramp), ramp[2], 0.3)),
  }
}

interface Ear {
  length: number
  back?: number
  width?: number
  coat?: Ramp
}
function hangingEar(x: number, y: number, { length, back = 0.5, width = 0.9, coat }: Ear, ofBody: Ramp): string {
  const curve: Curve = [
    [x, y],
    [x + back + 0.9, y + length * 0.3],
    [x + back + 0.6, y + length * 0.7],
    [x + back, y + length],
  ]
  return tail(curve, width, width * 0.5, dim(coat ?? ofBody))
}

interface Zebu extends Any {
  horns?: HornStyle
  hornRamp?: Ramp
  hump?: number
  dewlap?: number
  udder?: boolean
  /** Hanging ears of this length; without it, short level ears. */
  ear?: Ear
  muzzle?: Ramp
  bead?: boolean
}

/** Indian cattle: hump, dewlap, and the horns of the breed. */
export function zebu(breed: Zebu): Drawing {
  const { coat, hump = 1, dewlap = 1 } = breed
  const horn = horns(breed.horns, breed.hornRamp ?? coats.horn)
  const top = Math.round((8.4 - 3.5 * hump) * 10) / 10
  const out = Math.round((8.6 - 2.5 * dewlap) * 10) / 10
  const behind = [
    fill(outlineOf('ox', 'M20.84 29.805') + outlineOf('ox', 'M16.03 19.805'), dim(coat)),
    horn.far,
    fill(`M6.6 12.4C${out} 14.4 ${out} 17 ${out + 0.9} 18.6C${out + 1.7} 20.2 8.4 21.6 11 22.4L12.4 13Z`, dim(coat)),
    breed.udder ? udder : '',
  ]
  const front = [
    breed.ear ? hangingEar(10.4, 8, breed.ear, coat) : fill(outlineOf('ox', 'M11.29 7.824'), mix(dim(coat), '#d98b86', 0.2)),
    horn.near,
    eye(7.2, 9),
    oval(3.9, 10.3, 0.4, 0.6, DARK),
    breed.bead ? beads : '',
  ]
  const body =
    outlineOf('ox', 'M25.39 9.805') +
    // Drawn in the same direction as the body; otherwise it would be a hole in it.
    `M13 12L23.4 10.4C22.4 9.6 21.8 8.9 21 ${top + 3.8}C19.6 ${top + 2.4} 18.9 ${top} 16.6 ${top}C14.6 ${top} 13.2 ${top + 2.6} 12.6 9.6Z`
  const muzzle = breed.muzzle ? fill('M0 7H4.4L5.3 14H0Z', own(breed.muzzle)) : ''
  const brush = fill('M28.3 21h3v6h-3z', dim(coats.jet))
  return drawing(breed, body, behind, front, brush + muzzle + below(coats.hoof, 28.5))
}

const udder = fill('M17.4 21.6h6.2c.2 2-1.2 3.1-3 3.1s-3.3-1.1-3.2-3.1zM18.3 24h.7v1.7h-.7zM20.7 24h.7v1.7h-.7z', own(coats.flesh))

/** For a bull that is decorated for Pongal. */
const beads =
  '<path d="M8 14.4C10.6 15.6 14.6 12.8 16.2 8.7" stroke="#f2b01e" stroke-width=".75" stroke-linecap="round" stroke-dasharray="0 1" fill="none"/>'

interface Dairy extends Any {
  face: Ramp
  muzzle: Ramp
  patch?: Ramp
}

/** Cows of European descent: no hump, no horns, a large udder. */
export function dairy(breed: Dairy): Drawing {
  const { coat, face, patch } = breed
  const head = outlineOf('cow', 'M11.925 4.104')
  const marks = patch
    ? ['M22.625 14.434', 'm25.205 11.384', 'm16.865 18.264', 'M8.056 21.133']
        .map((start) => fill(outlineOf('cow', start), own(patch)))
        .join('')
    : ''
  return drawing(
    breed,
    outlineOf('cow', 'M24.935 9.134'),
    [
      fill(outlineOf('cow', 'M21.395 29.134') + outlineOf('cow', 'M15.625 19.134'), dim(coat)),
      fill(outlineOf('cow', 'M25.565 24.134') + 'M19.5 23h1v2.2h-1zM22.5 23h1v2.2h-1z', own(coats.flesh)),
    ],
    [
      fill(head, own(coat)),
      fill(outlineOf('cow', 'M8.655 12.115'), own(face)),
      fill('M8.4 4.6Q10.2 2.6 12.6 4.4L11 5.6zM11.2 5.2C12.6 4.2 15 4.2 16.4 5.6C15.2 7.6 12.8 7.8 11.2 6.8z', dim(face)),
      fill(outlineOf('cow', 'M5.345 12.114'), own(breed.muzzle)),
      eye(7, 9.1),
      oval(3.5, 9.8, 0.4, 0.7, DARK),
      fill(outlineOf('cow', 'M29.625 26.134'), own(coats.jet)),
    ],
    marks + below(coats.hoof, 27.8),
  )
}

interface Buffalo extends Any {
  horns: HornStyle
}

export function buffalo(breed: Buffalo): Drawing {
  const { coat } = breed
  const horn = horns(breed.horns, coats.horn)
  return drawing(
    breed,
    outlineOf('water-buffalo', 'M25.67 9.775'),
    [fill(outlineOf('water-buffalo', 'M21.12 29.775') + outlineOf('water-buffalo', 'M16.31 19.775'), dim(coat)), horn.far, udder],
    [
      fill(outlineOf('water-buffalo', 'M11.594 8.098'), mix(lit(coat), '#000000', 0.2)),
      horn.near,
      oval(7.5, 8.8, 0.7, 1, lit(coat)),
      eye(7.5, 8.8, 0.45),
      oval(3.8, 10.3, 0.4, 0.7, DARK),
    ],
    fill(outlineOf('water-buffalo', 'M2.36 10.165'), dim(coat)) + below(coats.hoof, 28.5),
  )
}

interface Goat extends Any {
  horns?: HornStyle
  hornRamp?: Ramp
  ear?: Ear
  beard?: Ramp
}

const goatFar = (coat: Ramp): string => fill(outlineOf('goat', 'M9.05 28.45') + outlineOf('goat', 'M19.99 20.75'), dim(coat))

export function goat(breed: Goat): Drawing {
  const { coat, ear, beard } = breed
  const horn = horns(breed.horns, breed.hornRamp ?? coats.horn)
  return drawing(
    breed,
    outlineOf('goat', 'M28.27 21.03'),
    [goatFar(coat), horn.far, beard ? fill('M3.6 11h3.2l-.8 4.3z', own(beard)) : ''],
    [
      horn.near,
      ear ? hangingEar(9.3, 8.2, ear, coat) : fill('M8.4 8.5C10 6.5 12 5.6 13.8 5.7C13.4 8 11.6 9.8 9.2 10z', dim(coat)),
      eye(6.4, 8.8),
      oval(2.6, 10.2, 0.5, 0.3, DARK),
    ],
    below(coats.hoof, 27.4),
  )
}

interface Sheep extends Any {
  ear?: Ear
  /** A ram's curl beside the cheek. */
  curl?: HornStyle
}

/** Southern sheep have hair, not wool: the goat's build with a hanging tail and no beard. */
export function hairSheep(breed: Sheep): Drawing {
  const { coat, ear, curl } = breed
  const horn = horns(curl, coats.horn)
  const hanging: Curve = [
    [27.2, 12.8],
    [29.2, 13],
    [29.5, 15.4],
    [28.9, 18.4],
  ]
  const body = outlineOf('goat', 'M28.27 21.03').replace(
    'v-9.62c0-.88-.57-1.62-1.35-1.89a.486.486 0 0 0-.65.46v1.93c0 .28-.22.5-.5.5',
    'v-6.2c0-1.4-1-2.42-2.5-2.42',
  )
  return drawing(
    breed,
    body,
    [goatFar(coat), tail(hanging, 0.9, 0.5, dim(coat)), horn.far],
    [
      ear ? hangingEar(9.3, 8.2, ear, coat) : fill('M8.6 8.5C10.2 7.5 12.6 7.9 13.9 9.7C12.3 10.9 9.6 10.7 8.6 9.9z', dim(coat)),
      horn.near,
      eye(6.4, 8.8),
      oval(2.6, 10.2, 0.5, 0.3, DARK),
    ],
    below(coats.hoof, 27.6),
  )
}

interface WoolSheep extends Any {
  face: Ramp
  legs?: Ramp
  curl?: HornStyle
}

export function woolSheep(breed: WoolSheep): Drawing {
  const { coat, face, legs = face } = breed
  const curls = [
    [17, 12],
    [20, 14],
    [23, 12],
    [26, 15],
    [15, 16],
    [18.5, 18],
    [22, 17.5],
    [25, 20],
    [12, 19],
    [15, 21],
    [10, 15],
  ]
  const fleece = `<path d="${curls.map(([x, y]) => `M${x} ${y}q.8 1.2 1.8 0`).join('')}" stroke="${dim(coat)}" stroke-width=".4" fill="none" stroke-linecap="round"/>`
  const horn = horns(breed.curl, coats.paleHorn)
  return drawing(
    breed,
    outlineOf('ewe', 'M14.97 10'),
    [
      fill(outlineOf('ewe', 'M20.02 21.39') + outlineOf('ewe', 'M11.96 29.66'), dim(legs)),
      fill(outlineOf('ewe', 'M11 29.66') + outlineOf('ewe', 'm24.438 24.328'), own(legs)),
    ],
    [
      fleece,
      fill(outlineOf('ewe', 'M7.92 7.76'), own(face)),
      fill(outlineOf('ewe', 'M10.19 6.53'), dim(face)),
      horn.near,
      oval(5.3, 8.9, 0.75, 1.1, lit(face)),
      eye(5.3, 8.9),
      oval(2.6, 10, 0.5, 0.3, DARK),
    ],
  )
}

interface Horse extends Any {
  mane: Ramp
  muzzle?: Ramp
  /** Tips that curve inwards until they meet, as in Marwari and Kathiawari. */
  curvedEars?: boolean
  /** A pony's forelock and full mane. */
  shaggy?: boolean
}

export function horse(breed: Horse): Drawing {
  const { coat, mane } = breed
  const hanging: Curve = [
    [28.4, 14],
    [31.6, 15.5],
    [29.6, 21],
    [31, breed.shaggy ? 27 : 25],
  ]
  return drawing(
    breed,
    outlineOf('zebra', 'M24.499 12.43'),
    [
      fill(outlineOf('zebra', 'm17.499 21.43') + 'M14.5 21v9.2h-1l-1.6-5z', dim(coat)),
      tail(hanging, 1, breed.shaggy ? 0.9 : 0.5, own(mane)),
      fill(outlineOf('zebra', 'M12.179 4.61'), own(mane)),
    ],
    [
      breed.curvedEars
        ? fill('M5.4 4.2C4.6 2.4 5.2.6 6.8.2C6.5 1.6 6.8 3 6.7 4zM7.2 3.8C6.8 2.2 7 .8 8 .1C9.4 1.2 9.3 3 8.5 4.2z', dim(coat))
        : fill('M5.5 3.8L5.7.7L7.4 3.4zM7.3 3.6L8.4.9L9 4.2z', dim(coat)),
      breed.shaggy
        ? tail(
            [
              [7.6, 2.6],
              [5.6, 3.4],
              [5.2, 4.6],
              [4.6, 6.4],
            ],
            0.9,
            0.3,
            own(mane),
          )
        : '',
      eye(5, 6.5, 0.45),
    ],
    (breed.muzzle ? fill(outlineOf('zebra', 'M2.319 7.53'), own(breed.muzzle)) : '') + below(coats.hoof, 29),
  )
}

interface Hound extends Any {
  nose?: string
  /** Long hair at ears and tail. */
  feathered?: boolean
  smoothEar?: Ramp
}

/** Sighthounds: slim, deep chest, folded ear, sickle tail. */
export function hound(breed: Hound): Drawing {
  const { coat, nose = DARK } = breed
  const sickle: Curve = [
    [24.6, 12],
    [27.4, 14.6],
    [27.6, 19.6],
    [30.6, 17.2],
  ]
  return drawing(
    breed,
    HOUND_BODY,
    [
      fill(
        'M20.2 17.4L22.6 19.8L20.3 24.6L19.9 28.6L18.5 29.3V29.9H21.5L22.4 24.9L25 20.5ZM9.5 18.6L8.7 23.6L8.5 28.5L7.3 29.3V29.9H10.2L11.7 20.5Z',
        dim(coat),
      ),
      tail(sickle, breed.feathered ? 1.2 : 0.75, 0.3, dim(coat)),
    ],
    [
      fill('M8.3 4.9C9.9 4.4 11.5 5.7 11.8 7.7C11.9 9 11 9.6 10.2 9.1C9 8.3 8.2 6.5 8.3 4.9Z', dim(breed.smoothEar ?? coat)),
      breed.feathered ? fill('M9 7.5l2.8-.5.8 5-1.8-1.2-.6 1z', dim(coat)) : '',
      oval(1.9, 8.1, 0.7, 0.6, nose),
      eye(6.1, 6.8, 0.4),
    ],
  )
}

interface Dog extends Any {
  ear: 'pricked' | 'hanging'
  tail: 'curled' | 'straight'
  earCoat?: Ramp
}

export function dog(breed: Dog): Drawing {
  const { coat, earCoat = coat } = breed
  const curled: Curve = [
    [26, 13],
    [31, 10.5],
    [29.5, 5.6],
    [25.8, 8.6],
  ]
  const straight: Curve = [
    [26, 13],
    [28.6, 14.6],
    [30, 17.6],
    [30.6, 20.6],
  ]
  return drawing(
    breed,
    outlineOf('guide-dog', 'm28.44 22.389'),
    [
      fill(outlineOf('guide-dog', 'M23.08 20.849') + 'M10.5 20l4 .2 2 9.6h-2.9z', dim(coat)),
      breed.tail === 'curled' ? tail(curled, 0.9, 0.4, dim(coat)) : tail(straight, 0.8, 0.3, dim(coat)),
    ],
    [
      breed.ear === 'pricked'
        ? fill('M8.4 8L8.9 3.4L12.2 7.6ZM11 8L12.3 3.8L13.6 8.6Z', dim(earCoat))
        : fill(outlineOf('guide-dog', 'M9.286 7.48'), dim(earCoat)),
      fill(outlineOf('guide-dog', 'M3.38 12.349'), DARK),
      eye(7.6, 10.7),
    ],
  )
}

interface Bird extends Any {
  neck?: Ramp
  wing?: Ramp
  plume?: Ramp
  comb?: Ramp
  leg?: Ramp
  nakedNeck?: boolean
}
interface Rooster extends Bird {
  /** A fighting cock: long legs, a flat comb and hardly a wattle. */
  pea?: boolean
}

const BIRD_LEGS = (name: string, starts: string[], leg: Ramp): string =>
  fill(starts.map((start) => outlineOf(name, start)).join(''), own(leg))

export function rooster(breed: Rooster): Drawing {
  const { coat, neck = coat, wing = coat, plume = coats.tailGreen, comb = coats.comb, leg = coats.leg } = breed
  const red = own(comb)
  return drawing(
    breed,
    outlineOf('rooster', 'm29.713 14.01'),
    [
      BIRD_LEGS('rooster', ['M14.853 28.5', 'M18.853 28.5'], leg),
      breed.pea ? fill('M6.5 4.6q2.5-2.2 4.8 0v1.5h-4.8z', red) : fill(outlineOf('rooster', 'M13.073 4.01'), red),
    ],
    [
      fill(outlineOf('rooster', 'M22.474 16'), dim(wing)),
      fill(outlineOf('rooster', 'm3.223 9.48'), own(coats.beak)),
      breed.pea ? '' : fill(outlineOf('rooster', 'M5.043 8.03'), red),
      `<circle cx="7.3" cy="8" r="2.2" fill="${red}"/>`,
      eye(6.8, 7.5, 0.45),
    ],
    fill(outlineOf('rooster', 'm29.713 14.01', 1), own(plume)) +
      fill('M4 3h9l6 11-3 3-2.5-2-2.5 2.5-3-2.5-4 1.5z', breed.nakedNeck ? mix(red, coats.flesh[1], 0.3) : own(neck)),
  )
}

export function hen(breed: Bird): Drawing {
  const { coat, neck = coat, wing = coat, plume = coat, comb = coats.comb, leg = coats.leg } = breed
  const red = own(comb)
  return drawing(
    breed,
    HEN_BODY,
    [
      `<path d="M15.4 25L14.4 29M12.2 29.5h4.4M19.6 25L18.6 29M16.5 29.5h4.4" stroke="${own(leg)}" stroke-width="1" stroke-linecap="round"/>`,
      fill('M7.6 4.9C7 3.5 7.9 2.7 8.7 3.2C8.9 2.1 10.3 2.1 10.6 3.1C11.5 2.6 12.3 3.5 11.9 4.7L10 5.6Z', red),
    ],
    [
      fill(HEN_WING, dim(wing)),
      fill('M6.6 7.4C5.4 7.5 4 8.3 3.3 9.3C4.6 9.8 6 9.6 6.9 9.3Z', own(coats.beak)),
      fill('M6.5 9.2C7.9 9.3 8 11.3 7 12C6 11.9 5.8 10.3 6.5 9.2Z', red),
      oval(8.1, 7.8, 1.4, 1.3, red),
      eye(8, 7.6, 0.4),
    ],
    fill('M23 12l4-5 4 3v9z', dim(plume)) +
      (breed.nakedNeck
        ? fill('M4 8.5h11l2 5-3 2h-10z', mix(red, coats.flesh[1], 0.3))
        : fill('M4 2h10l3.5 11.4-4 2.2-2.5-1.4-2.6 1.6-4.4-2.2z', own(neck))),
  )
}

export function chick(breed: Any): Drawing {
  return drawing(
    breed,
    outlineOf('baby-chick', 'm29.03 12.688'),
    [BIRD_LEGS('baby-chick', ['M15.5 28.438', 'M20.55 28.438'], coats.leg)],
    [
      fill(outlineOf('baby-chick', 'M21.26 23.938'), dim(breed.coat)),
      fill(outlineOf('baby-chick', 'm5.05 8.298'), own(coats.beak)),
      eye(9.4, 10.2),
    ],
  )
}
