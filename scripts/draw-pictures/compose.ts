// Puts animals into a scene, adds the light and the "Sample" label, and writes the JPEG.

import { drawAnimal, placeOf, type Animal } from './animals.ts'
import { restartIds, sharp } from './emoji.ts'
import { sampleLabel } from './label.ts'
import { between, n1, n2, randomFrom } from './random.ts'
import { drawScene, HEIGHT, WIDTH, type SceneName } from './scenes.ts'

/** The position of an animal: the middle of its body, its feet, and pixels per drawing unit. */
export interface Standing {
  readonly animal: Animal
  readonly x: number
  readonly feet: number
  readonly scale: number
  readonly facesRight?: boolean
  /** 0 to 1: the amount of haze. */
  readonly haze?: number
}

const FEET = 872
const TOP_MARGIN = 62

/** The scale at which an animal fills the picture as far as its height allows. */
export function largest(animal: Animal, share = 0.68, feet = FEET): number {
  const { box } = placeOf(animal)
  return Math.min((WIDTH * share) / (box.right - box.left), (feet - TOP_MARGIN) / (box.feet - box.top))
}

export const whole = (animal: Animal, facesRight: boolean, shift = 0): Standing[] => [
  { animal, x: WIDTH / 2 + shift, feet: FEET, scale: largest(animal), facesRight },
]

export function closeUp(animal: Animal, facesRight: boolean): Standing[] {
  const { box, head } = placeOf(animal)
  const scale = WIDTH / head.wide
  const middle = (box.left + box.right) / 2
  const offset = (middle - head.x) * scale
  return [
    {
      animal,
      x: WIDTH / 2 + (facesRight ? -offset : offset) - (facesRight ? -30 : 30),
      feet: HEIGHT * 0.5 + (box.feet - head.y) * scale,
      scale,
      facesRight,
    },
  ]
}

export function withYoung(animal: Animal, young: Animal, facesRight: boolean, youngFacesRight: boolean, size = 0.52): Standing[] {
  const scale = largest(animal, 0.62) * 0.94
  const side = facesRight ? -1 : 1
  return [
    { animal, x: WIDTH / 2 - side * 120, feet: FEET - 34, scale, facesRight },
    { animal: young, x: WIDTH / 2 + side * 330, feet: FEET + 14, scale: scale * size, facesRight: youngFacesRight },
  ]
}

export function pair(near: Animal, far: Animal, facesRight: boolean): Standing[] {
  const scale = largest(near, 0.56) * 0.92
  const side = facesRight ? -1 : 1
  return [
    { animal: far, x: WIDTH / 2 + side * 270, feet: FEET - 82, scale: scale * 0.82 * (far.size ?? 1), facesRight: !facesRight, haze: 0.14 },
    { animal: near, x: WIDTH / 2 - side * 190, feet: FEET, scale, facesRight },
  ]
}

/** A flock or herd: three to six, the nearest in the middle. */
export function flock(animals: readonly Animal[], facesRight: boolean, seed: string, share = 0.42): Standing[] {
  const random = randomFrom(seed)
  const first = animals[0]
  if (!first) throw new Error('A flock needs animals')
  const scale = largest(first, share)
  const spots = [
    { x: 640, feet: 872, size: 1 },
    { x: 300, feet: 804, size: 0.84 },
    { x: 985, feet: 812, size: 0.86 },
    { x: 500, feet: 726, size: 0.64 },
    { x: 830, feet: 716, size: 0.62 },
    { x: 160, feet: 700, size: 0.56 },
  ]
  return spots
    .slice(0, animals.length)
    .map((spot, i) => {
      const animal = animals[i] ?? first
      return {
        animal,
        x: (facesRight ? spot.x : WIDTH - spot.x) + between(random, -20, 20),
        feet: spot.feet,
        scale: scale * spot.size * (animal.size ?? 1),
        facesRight: i % 3 === 1 ? !facesRight : facesRight,
        haze: (872 - spot.feet) / 900,
      }
    })
    .sort((a, b) => a.feet - b.feet)
}

export function stand(standing: Standing, id: string, shadow: string): string {
  const { animal, x, feet, scale } = standing
  const { box, hooves } = placeOf(animal)
  const middle = (box.left + box.right) / 2
  const wide = (box.right - box.left) * scale
  const turn = standing.facesRight ? -1 : 1
  const hoofShadows = hooves.map(
    (hoof) =>
      `<ellipse cx="${n1(x + (hoof - middle) * turn * scale)}" cy="${n1(feet - scale * 0.1)}" rx="${n1(scale * 1.9)}" ry="${n1(scale * 0.42)}" fill="${shadow}" opacity=".5"/>`,
  )
  const haze = standing.haze
    ? `<feComponentTransfer><feFuncR type="linear" slope="${n2(1 - standing.haze)}" intercept="${n2(standing.haze * 0.86)}"/><feFuncG type="linear" slope="${n2(1 - standing.haze)}" intercept="${n2(standing.haze * 0.84)}"/><feFuncB type="linear" slope="${n2(1 - standing.haze)}" intercept="${n2(standing.haze * 0.78)}"/></feComponentTransfer>`
    : ''
  const hazeFilter = haze
    ? `<filter id="${id}h" x="-5%" y="-5%" width="110%" height="110%" color-interpolation-filters="sRGB">${haze}</filter>`
    : ''
  return (
    `<defs>${hazeFilter}<filter id="${id}s" x="-30%" y="-120%" width="160%" height="340%"><feGaussianBlur stdDeviation="${n1(scale * 0.7)}"/></filter><filter id="${id}t" x="-60%" y="-150%" width="220%" height="400%"><feGaussianBlur stdDeviation="${n1(scale * 0.22)}"/></filter></defs>` +
    `<g filter="url(#${id}s)"><ellipse cx="${n1(x + wide * 0.03)}" cy="${n1(feet - scale * 0.2)}" rx="${n1(wide * 0.46)}" ry="${n1(scale * 1.5)}" fill="${shadow}" opacity=".42"/></g>` +
    `<g filter="url(#${id}t)">${hoofShadows.join('')}</g>` +
    `<g${haze ? ` filter="url(#${id}h)"` : ''}><g transform="translate(${n1(x)} ${n1(feet)}) scale(${n2(turn * scale)} ${n2(scale)}) translate(${n2(-middle)} ${n2(-box.feet)})">${drawAnimal(animal)}</g></g>`
  )
}

export const finish = (light: string, fromRight: boolean): string =>
  `<linearGradient id="sunlight" x1="${fromRight ? 1 : 0}" x2="${fromRight ? 0 : 1}" y2=".8"><stop stop-color="${light}" stop-opacity=".26"/><stop offset=".55" stop-color="${light}" stop-opacity="0"/></linearGradient>` +
  `<radialGradient id="vignette" r=".78"><stop offset=".58" stop-opacity="0"/><stop offset="1" stop-opacity=".26"/></radialGradient>` +
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sunlight)"/><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#vignette)"/>`

export function animalPicture(sceneName: SceneName, seed: string, standings: readonly Standing[], close = false): string {
  restartIds()
  const scene = drawScene(sceneName, seed, close)
  const random = randomFrom(`${seed} feet`)
  const animals = standings.map((standing, i) => {
    const { box, hooves } = placeOf(standing.animal)
    const middle = (box.left + box.right) / 2
    const turn = standing.facesRight ? -1 : 1
    const growth = close
      ? ''
      : hooves.map((hoof) => scene.feet(standing.x + (hoof - middle) * turn * standing.scale, standing.feet, random)).join('')
    return stand(standing, `s${i}`, scene.shadow) + growth
  })
  return svg(scene.far + scene.ground + animals.join('') + scene.front + finish(scene.light, random() < 0.5) + sampleLabel)
}

export const stillLife = (drawing: string, light: string): string => svg(drawing + finish(light, false) + sampleLabel)

/** Blurred shapes fade at the edge of the canvas, so the canvas is larger than the picture and its edge is cropped. */
const MARGIN = 44

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${WIDTH + 2 * MARGIN}" height="${HEIGHT + 2 * MARGIN}" viewBox="${-MARGIN} ${-MARGIN} ${WIDTH + 2 * MARGIN} ${HEIGHT + 2 * MARGIN}">${content}</svg>`

export const jpeg = (picture: string): Promise<Buffer> =>
  sharp(Buffer.from(picture))
    .extract({ left: MARGIN, top: MARGIN, width: WIDTH, height: HEIGHT })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer()
