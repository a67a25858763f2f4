// Chickens, dogs and horses, coloured as reference-data.md describes each breed.

import type { Animal } from './animals.ts'
import { coats, type Ramp } from './coats.ts'
import type { HenPaints } from './hen.ts'
import { area, below, dogMask, horseBlaze, houndTanPoints, patches, shade } from './markings.ts'
import { pinkNose } from './hound.ts'
import { brood, close, full, many, mother, two, type Recipe } from './recipes.ts'

const hen = (coat: Ramp, paints: HenPaints = {}, markings: Animal['markings'] = []): Animal => ({
  kind: 'hen',
  coat,
  hen: paints,
  markings,
})
const cock = (coat: Ramp, paints: Animal['paints'] = {}): Animal => ({ kind: 'rooster', coat, paints, size: 1.12 })
const chick = (coat: Ramp): Animal => ({ kind: 'chick', coat })
const hound = (coat: Ramp, more: Partial<Animal> = {}): Animal => ({ kind: 'hound', coat, ...more })
const dog = (coat: Ramp, markings: Animal['markings'] = [], paints: Animal['paints'] = {}): Animal => ({
  kind: 'dog',
  coat,
  markings,
  paints,
})
const horse = (coat: Ramp, mane: Ramp, markings: Animal['markings'] = [], muzzle: Ramp = coats.iron): Animal => ({
  kind: 'horse',
  coat,
  paints: { mane, muzzle },
  markings,
})

const blackBird = { comb: coats.darkComb, leg: coats.darkLeg }
const siruvidai = hen(coats.brown, { neck: coats.gold })
const siruvidaiBlack = hen(coats.blueBlack, { neck: coats.darkBrown })
const siruvidaiCock = cock(coats.darkBrown, { hackle: coats.gold, wing: coats.redBrown })
const peruvidai = cock(coats.darkGrey, { hackle: coats.silver, wing: coats.grey, tail: coats.iron })
const aseel = cock(coats.deepRed, { hackle: coats.chestnut, wing: coats.red, tail: coats.jet })
const aseelHen = hen(coats.chestnut, { neck: coats.tan })
const kadaknathCock = cock(coats.jet, {
  hackle: coats.blueBlack,
  wing: coats.black,
  tail: coats.tailGreen,
  comb: coats.darkComb,
  leg: coats.darkLeg,
  beak: coats.iron,
})
const kadaknathHen = hen(coats.jet, blackBird)
const nakedNeck = hen(coats.redBrown, { nakedNeck: true })
const nandanam = hen(coats.lightBrown, { neck: coats.cream })
const giriraja = hen(coats.white, { neck: coats.fawn, wing: coats.fawn }, [])
const leghorn = hen(coats.white, {})
const rhodeIsland = hen(coats.deepRed, {})
const rhodeIslandCock = cock(coats.deepRed, { hackle: coats.red, wing: coats.deepRed, tail: coats.jet })
const chicks = [
  chick(coats.chick),
  chick(coats.darkBrown),
  chick(coats.cream),
  chick(coats.gold),
  chick(coats.chick),
  chick(coats.darkBrown),
]

const rajapalayam = hound(coats.white, { nose: pinkNose })
const chippiparai = hound(coats.fawn)
const silver = hound(coats.silver)
const kanni = hound(coats.black, { markings: [houndTanPoints(coats.tan)] })
const kombai = dog(coats.redBrown, [dogMask(coats.jet)], { ear: coats.darkBrown })
const mandai = dog(coats.darkBrown, [area(coats.white, 'M2 14.5C6 16 8 20 12 22L10 31H6V20Z', 0.4), below(coats.white, 26.5, 0.4)])
const countryPup = dog(coats.tan, [dogMask(coats.darkBrown), below(coats.cream, 27, 0.5)], { ear: coats.brown })

const marwari = horse(coats.bay, coats.jet, [below(coats.jet, 26, 0.9), horseBlaze(coats.white)])
const foal = horse(coats.bay, coats.darkBrown, [horseBlaze(coats.white)])
const kathiawari = horse(coats.chestnut, coats.cream, [
  patches(coats.white, 'kathiawari', 8, 2.3, { left: 9, top: 12, right: 28, bottom: 23 }),
  below(coats.white, 27, 0.3),
  horseBlaze(coats.white),
])
const white = horse(coats.white, coats.chalk, [], coats.flesh)
const thoroughbred = horse(coats.chestnut, coats.chestnut, [horseBlaze(coats.white), shade(coats.gold, 22, 14, 6, 4, 2)], coats.darkBrown)

export const yardRecipes: Record<string, Recipe> = {
  'siruvidai-hens': { scene: 'dawn', views: [many(siruvidai, siruvidaiBlack, siruvidai, siruvidaiCock, siruvidaiBlack), full(siruvidai)] },
  'peruvidai-cock': { scene: 'hills', facesRight: true, views: [full(peruvidai), close(peruvidai)] },
  'aseel-cock': { scene: 'red', views: [full(aseel), close(aseel), two(aseel, aseelHen)] },
  kadaknath: { scene: 'shed', views: [two(kadaknathCock, kadaknathHen), full(kadaknathHen)] },
  'naked-neck-hens': { scene: 'day', facesRight: true, views: [full(nakedNeck)] },
  'nandanam-hens': { scene: 'shed', views: [full(nandanam), many(nandanam, nandanam, nandanam, nandanam)] },
  'giriraja-hens': { scene: 'hills', views: [full(giriraja)] },
  'white-leghorn': { scene: 'day', facesRight: true, views: [many(leghorn, leghorn, leghorn, leghorn)] },
  'rhode-island-red': {
    scene: 'dusk',
    views: [full(rhodeIsland), many(rhodeIsland, rhodeIsland, rhodeIslandCock, rhodeIsland, rhodeIsland)],
  },
  'country-chicks': { scene: 'shed', facesRight: true, views: [brood(...chicks), mother(siruvidai, chick(coats.chick), 0.4)] },

  'rajapalayam-dog': { scene: 'dawn', views: [full(rajapalayam), close(rajapalayam), two(rajapalayam, rajapalayam)] },
  'chippiparai-dog': { scene: 'red', facesRight: true, views: [full(chippiparai), two(chippiparai, silver)] },
  'kanni-dog': { scene: 'dusk', views: [full(kanni), close(kanni)] },
  'kombai-dog': { scene: 'hills', facesRight: true, views: [two({ ...kombai }, kombai), full(kombai)] },
  'mandai-dog': { scene: 'red', views: [full(mandai)] },
  'country-dog': { scene: 'day', facesRight: true, views: [full(countryPup)] },

  'marwari-mare': { scene: 'dusk', views: [full(marwari), close(marwari), mother(marwari, foal, 0.6)] },
  'kathiawari-horse': { scene: 'dawn', facesRight: true, views: [full(kathiawari), close(kathiawari)] },
  'country-horse': { scene: 'shed', views: [full(white)] },
  thoroughbred: { scene: 'day', views: [full(thoroughbred), close(thoroughbred)] },
}
