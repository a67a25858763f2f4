import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf, type Animal } from './draw-pictures/animals.ts'
import { finish, stand, type Standing } from './draw-pictures/compose.ts'
import { drawEmoji, restartIds, sharp } from './draw-pictures/emoji.ts'
import { n1, randomFrom } from './draw-pictures/random.ts'
import { cattleRecipes } from './draw-pictures/recipes-cattle.ts'
import { flockRecipes } from './draw-pictures/recipes-flocks.ts'
import { yardRecipes } from './draw-pictures/recipes-yard.ts'
import { drawScene, HEIGHT, WIDTH, type SceneName } from './draw-pictures/scenes.ts'
import { house, pickup, pickupSide, phone } from './draw-home-things.ts'

/**
 * Draws the pictures of the home page in public/home/: the animals and places of the sample pictures, with a vet, a phone, a house and a pickup. Run
 * it by hand after a change: `npm ci --prefix scripts/source-data && node scripts/draw-home.ts`. Fluent Emoji is MIT (Microsoft); the notice is in
 * scripts/draw-pictures/README.md.
 */
const folder = join(import.meta.dirname, '../public/home')
const recipes = { ...cattleRecipes, ...flockRecipes, ...yardRecipes }

/** Blurred shapes fade at the edge of the canvas, so the canvas is larger than the picture (as in compose.ts). */
const MARGIN = 44
/** The visible strip of the scene: 16 to 9, from the sky to the ground in front. */
const WIDE = { top: 190, height: 720 }
/** For a phone of 360 points at two pixels each or a desktop, and for screens with more pixels. */
const SIZES = [720, 960]

function animalOf(key: string): Animal {
  const view = recipes[key]?.views[0]
  if (!view) throw new Error(`No recipe for ${key}`)
  if ('animal' in view) return view.animal
  return 'near' in view ? view.near : view.animals[0]!
}

/** `tall` is the animal's height in pixels, so that a hen and a bull have the right proportions. */
function standing(key: string, x: number, feet: number, tall: number, facesRight = false, haze = 0): Standing {
  const animal = animalOf(key)
  const { box } = placeOf(animal)
  return { animal, x, feet, scale: tall / (box.feet - box.top), facesRight, haze }
}

interface Layer {
  feet: number
  draw: () => string
}

let stood = 0
const animal = (...place: Parameters<typeof standing>): Layer => ({
  feet: place[2],
  draw: () => stand(standing(...place), `h${stood++}`, shadow),
})
let shadow = '#17300f'

const emoji = (name: string, x: number, y: number, size: number) =>
  `<g transform="translate(${n1(x)} ${n1(y)}) scale(${n1(size / 32)})">${drawEmoji({ name, roles: {}, range: {} }, {})}</g>`

/** Draws distant objects first. */
function picture(scene: SceneName, seed: string, layers: Layer[], front = ''): string {
  restartIds()
  stood = 0
  const place = drawScene(scene, seed)
  shadow = place.shadow
  const stands = layers.toSorted((a, b) => a.feet - b.feet).map(({ draw }) => draw())
  const content = place.far + place.ground + stands.join('') + front + finish(place.light, randomFrom(seed)() < 0.5)
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${WIDTH + 2 * MARGIN}" height="${HEIGHT + 2 * MARGIN}" viewBox="${-MARGIN} ${-MARGIN} ${WIDTH + 2 * MARGIN} ${HEIGHT + 2 * MARGIN}">${content}</svg>`
}

const badge = (x: number, y: number, r: number) =>
  `<g transform="translate(${x} ${y})"><circle r="${r}" fill="#fffdf8"/><circle r="${r * 0.86}" fill="#1f5c3a"/><path d="M${-r * 0.4} ${r * 0.02}L${-r * 0.1} ${r * 0.34}L${r * 0.44} ${-r * 0.3}" fill="none" stroke="#f2b01e" stroke-width="${n1(r * 0.2)}" stroke-linecap="round" stroke-linejoin="round"/></g>`

const pictures: Record<string, () => string> = {
  /** A vet beside a Kangayam cow that has passed. */
  trust: () =>
    picture(
      'day',
      'home trust',
      [animal('kangayam-cow', 520, 868, 560), animal('siruvidai-hens', 150, 880, 150, true)],
      emoji('woman-health-worker-medium-dark', 790, 440, 500) + badge(300, 330, 78),
    ),
  /** A goat and its picture on the seller's phone. */
  sell: () => picture('red', 'home sell', [animal('kanni-adu', 400, 860, 500, true)], phone(880, 500, drawnOnPhone())),
  /** The pickup arrives at the house with a bull calf. */
  door: () =>
    picture('dawn', 'home door', [
      { feet: 760, draw: () => house(1040, 762) },
      { feet: 800, draw: () => pickup(400, 850) },
      animal('jersey-cow', 290, 722, 330, true),
      { feet: 850, draw: () => pickupSide(400, 850) },
      animal('kombai-dog', 850, 885, 140),
      animal('rhode-island-red', 1170, 885, 130),
    ]),
  /** Market day: all species side by side. */
  market: () =>
    picture('dawn', 'home market', [
      animal('kangayam-bull', 450, 800, 460),
      animal('murrah-buffalo', 860, 770, 400, true, 0.06),
      animal('jamunapari-buck', 1085, 850, 330),
      animal('madras-red-ram', 185, 850, 290, true),
      animal('aseel-cock', 700, 880, 190, true),
      animal('country-dog', 930, 890, 190),
      animal('vembur-ewe', 640, 730, 220, false, 0.12),
    ]),
  /** The herd goes home at dusk. */
  goal: () =>
    picture('dusk', 'home goal', [
      animal('kangayam-cow', 330, 820, 400),
      animal('hallikar-bull', 720, 800, 420),
      animal('kanni-adu', 985, 850, 230),
      animal('mecheri-ewe', 1145, 860, 210),
      animal('umblachery-cow', 1060, 720, 250, false, 0.1),
      animal('siruvidai-hens', 120, 870, 120, true),
    ]),
}

function drawnOnPhone(): string {
  const place = drawScene('red', 'home sell phone')
  return `${place.far}${place.ground}${stand(standing('kanni-adu', 640, 840, 640, true), 'phone', shadow)}`
}

mkdirSync(folder, { recursive: true })
const wanted = process.argv.slice(2)
for (const [name, draw] of Object.entries(pictures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const drawn = await sharp(Buffer.from(draw()))
    .extract({ left: MARGIN, top: MARGIN + WIDE.top, width: WIDTH, height: WIDE.height })
    .flatten({ background: '#fff' })
    .png()
    .toBuffer()
  for (const width of SIZES) {
    const sized = sharp(drawn).resize(width)
    const avif = await sized
      .clone()
      .avif({ quality: 46, effort: 9 })
      .toFile(join(folder, `${name}-${width}.avif`))
    const webp = await sized
      .clone()
      .webp({ quality: 62, effort: 6 })
      .toFile(join(folder, `${name}-${width}.webp`))
    console.log(`${name} ${width}: ${avif.size} bytes as AVIF, ${webp.size} as WebP`)
  }
}
