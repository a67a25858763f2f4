// One animal of a breed, ready for a scene.

import { coats, fromRamp, lightness, type Ramp } from './coats.ts'
import { drawEmoji, newId, type Paint } from './emoji.ts'
import { drawHen, henPlace, type HenPaints } from './hen.ts'
import { drawHound, houndPlace } from './hound.ts'
import { kinds, type Kind } from './kinds.ts'
import type { Marking } from './markings.ts'
import type { Part } from './parts.ts'

export interface Animal {
  readonly kind: keyof typeof kinds | 'hairSheep' | 'hound' | 'hen'
  readonly coat: Ramp
  /** Colours of the breed for other roles: horn, hoof, mane, wing ... A role not named here follows the coat. */
  readonly paints?: Readonly<Record<string, Paint>>
  readonly markings?: readonly Marking[]
  /** Drawn before the body (far horn, hump, dewlap) and after it (near horn, ears, bell). */
  readonly behind?: readonly Part[]
  readonly front?: readonly Part[]
  readonly hen?: HenPaints
  readonly nose?: string
  /** The highest point, where horns stand above the head. */
  readonly top?: number
  /** Its relative size among its kind in the same picture. */
  readonly size?: number
}

type Place = Pick<Kind, 'box' | 'hooves' | 'head'>

/** The hound and the hen have drawn eyes; the emoji eyes need a glint to be visible in a black coat. */
function glintOf(animal: Animal): string {
  if (animal.kind === 'hound' || animal.kind === 'hen') return ''
  const [x, y] = kinds[animal.kind === 'hairSheep' ? 'goat' : animal.kind].glint
  const drowns = animal.kind !== 'horse' && animal.kind !== 'rooster' && lightness(animal.coat[1]) < 0.3
  const rim = drowns
    ? `<ellipse cx="${x + 0.12}" cy="${y + 0.55}" rx=".66" ry="1.12" fill="none" stroke="#c79a63" stroke-width=".16" opacity=".7"/>`
    : ''
  return `${rim}<circle cx="${x}" cy="${y}" r=".2" fill="#fff" opacity=".9"/>`
}

export function placeOf(animal: Animal): Place {
  const place: Place =
    animal.kind === 'hound' ? houndPlace : animal.kind === 'hen' ? henPlace : kinds[animal.kind === 'hairSheep' ? 'goat' : animal.kind]
  const top = animal.top ?? (animal.kind === 'hairSheep' ? 5.6 : place.box.top)
  return { ...place, box: { ...place.box, top } }
}

/** Roles with the coat's colour by default. */
const FOLLOWS_COAT = ['coat', 'ear', 'patch', 'face', 'belly', 'wing', 'hackle']
const OTHERWISE: Readonly<Record<string, Paint>> = {
  horn: coats.horn,
  hoof: coats.hoof,
  beard: coats.horn,
  udder: coats.flesh,
  leg: coats.leg,
  comb: coats.comb,
  beak: coats.beak,
  tail: coats.tailGreen,
  mane: coats.jet,
  tuft: coats.jet,
  muzzle: coats.iron,
  harness: 'drop',
  stripe: 'drop',
}

function bodyIn(animal: Animal, coat: Ramp): string {
  if (animal.kind === 'hound') return drawHound(coat, { nose: animal.nose })
  if (animal.kind === 'hen') return drawHen(coat, animal.hen)
  const followers = Object.fromEntries(FOLLOWS_COAT.map((role) => [role, coat]))
  const lighter: Ramp = [fromRamp(coat, 0.3), fromRamp(coat, 0.65), coat[2]]
  const paints = { ...OTHERWISE, ...followers, belly: lighter, ...animal.paints }
  if (animal.kind !== 'hairSheep') return drawEmoji(kinds[animal.kind], paints)
  // A hair sheep has the goat's build without horns and beard. Its tail hangs, so the upright one is masked.
  const id = newId()
  const goat = drawEmoji(kinds.goat, { ...paints, horn: 'drop', beard: 'drop', ear: 'drop' })
  return `<mask id="${id}" maskUnits="userSpaceOnUse" x="-4" y="-8" width="44" height="44"><rect x="-4" y="-8" width="44" height="44" fill="#fff"/><path d="M24 4H34V16H28.1C28.1 13.4 26.8 11.7 24 11.7Z" fill="#000"/></mask><g mask="url(#${id})">${goat}</g>`
}

export function drawAnimal(animal: Animal): string {
  const whole = (coat: Ramp): string => [...(animal.behind ?? []).map((part) => part(coat)), bodyIn(animal, coat)].join('')
  const marked = (animal.markings ?? []).map(({ ramp, shape, blur = 0 }) => {
    const id = newId()
    const soft =
      blur > 0 ? `<filter id="${id}f" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${blur}"/></filter>` : ''
    return (
      `${soft}<mask id="${id}" maskUnits="userSpaceOnUse" x="-4" y="-8" width="44" height="44"><g fill="#fff"${soft ? ` filter="url(#${id}f)"` : ''}>${shape}</g></mask>` +
      `<g mask="url(#${id})">${whole(ramp)}</g>`
    )
  })
  return whole(animal.coat) + marked.join('') + glintOf(animal) + (animal.front ?? []).map((part) => part(animal.coat)).join('')
}
