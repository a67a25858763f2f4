// Cattle and buffaloes, coloured as reference-data.md describes each breed.

import type { Animal } from './animals.ts'
import { coats, type Ramp } from './coats.ts'
import { bullShoulder, below, area, oxFace, oxMuzzle, oxStar, patches, shade, type Marking } from './markings.ts'
import {
  beads,
  buffaloHorns,
  cattleHorns,
  dewlap,
  farHorn,
  hangingEar,
  hump,
  nearHorn,
  neckBell,
  udder,
  type HornStyle,
  type Part,
} from './parts.ts'
import { close, full, mother, two, type Recipe } from './recipes.ts'

interface Zebu {
  readonly coat: Ramp
  readonly horns?: HornStyle
  readonly hornRamp?: Ramp
  readonly hump?: number
  readonly dewlap?: number
  readonly cow?: boolean
  readonly markings?: readonly Marking[]
  readonly front?: readonly Part[]
  readonly paints?: Animal['paints']
}

/** Indian cattle: the Fluent ox with a hump, a dewlap and the horns of its breed. */
function zebu(breed: Zebu): Animal {
  const horns = breed.horns
  const behind = [
    ...(horns ? [farHorn(horns, breed.hornRamp)] : []),
    hump(breed.hump ?? 1),
    dewlap(breed.dewlap ?? 1),
    ...(breed.cow ? [udder] : []),
  ]
  const top = Math.min(4.6, ...(horns ? [horns.curve[3][1] - 0.3] : []), 8.4 - 3.5 * (breed.hump ?? 1))
  return {
    kind: 'ox',
    coat: breed.coat,
    paints: { horn: 'drop', ...breed.paints },
    markings: breed.markings,
    behind,
    front: [...(horns ? [nearHorn(horns, breed.hornRamp)] : []), ...(breed.front ?? [])],
    top,
  }
}

const calf = (coat: Ramp, markings?: readonly Marking[]): Animal => ({ kind: 'ox', coat, paints: { horn: 'drop' }, markings, top: 4.6 })

function buffalo(coat: Ramp, horns: HornStyle, markings: readonly Marking[] = [], paints: Animal['paints'] = {}): Animal {
  return {
    kind: 'buffalo',
    coat,
    paints: { horn: 'drop', ...paints },
    behind: [farHorn(horns), udder],
    front: [nearHorn(horns)],
    markings,
    top: Math.min(2, horns.curve[3][1] - 0.4),
  }
}

const h = cattleHorns
const whiteUnder = (ramp: Ramp): Marking => area(ramp, 'M9 20C14 23.5 20 21 27 22V24H9Z', 0.7)

const kangayamBull = zebu({
  coat: coats.grey,
  horns: h.lyre,
  hump: 1.5,
  dewlap: 1.1,
  markings: [bullShoulder(coats.iron), oxMuzzle(coats.jet)],
  front: [beads],
})
const kangayamCow = zebu({
  coat: coats.chalk,
  horns: h.lyre,
  cow: true,
  markings: [oxMuzzle(coats.darkGrey), shade(coats.silver, 15, 9, 4.5, 4)],
  front: [neckBell()],
})
const umblachery = zebu({
  coat: coats.darkGrey,
  horns: h.short,
  cow: true,
  hump: 0.9,
  markings: [oxStar(coats.white), below(coats.white, 27.2)],
})
const pulikulam = zebu({
  coat: coats.black,
  horns: h.forward,
  hump: 1.5,
  markings: [whiteUnder(coats.brown), oxMuzzle(coats.jet)],
  front: [neckBell(0, 0, '#f2b01e')],
})
const bargur = zebu({
  coat: coats.redBrown,
  horns: h.upright,
  hornRamp: coats.paleHorn,
  cow: true,
  markings: [patches(coats.white, 'bargur', 11, 1.5), oxStar(coats.white)],
})
const alambadi = zebu({
  coat: coats.iron,
  horns: h.longBack,
  hump: 1.1,
  markings: [oxFace(coats.darkGrey), oxMuzzle(coats.jet)],
  front: [neckBell(0, 0, '#7a4a22')],
})
const malaiMadu = zebu({
  coat: coats.brown,
  horns: h.short,
  cow: true,
  hump: 0.8,
  dewlap: 0.8,
  markings: [patches(coats.cream, 'malai', 4, 2.6), whiteUnder(coats.cream)],
})
const countryCow = zebu({
  coat: coats.fawn,
  horns: h.upright,
  cow: true,
  hump: 0.85,
  markings: [oxMuzzle(coats.brown)],
  front: [neckBell(0, 0, '#1f5c3a')],
})
const hallikar = zebu({
  coat: coats.silver,
  horns: h.longBack,
  hump: 1.3,
  dewlap: 0.8,
  markings: [bullShoulder(coats.grey), oxFace(coats.darkGrey)],
})
const ongole = zebu({
  coat: coats.white,
  horns: h.stump,
  hump: 1.6,
  dewlap: 1.4,
  markings: [oxMuzzle(coats.iron), shade(coats.silver, 15, 7, 4, 3.6)],
})
const punganur = zebu({
  coat: coats.cream,
  horns: h.short,
  cow: true,
  hump: 0.9,
  markings: [oxMuzzle(coats.brown), patches(coats.fawn, 'pung', 3, 2.6, { left: 13, top: 10, right: 28, bottom: 20 }, 0.8)],
  front: [neckBell(0, 0, '#b5482a')],
})
const vechur = zebu({ coat: coats.red, horns: h.short, cow: true, hump: 0.75, dewlap: 0.8, markings: [oxMuzzle(coats.darkBrown)] })
const gir = zebu({
  coat: coats.chestnut,
  horns: h.drooping,
  cow: true,
  hump: 1.15,
  dewlap: 1.5,
  markings: [patches(coats.white, 'gir7', 22, 0.8)],
  front: [hangingEar(10.4, 8, 6.4, -0.6, 1)],
  paints: {},
})
const kankrej = zebu({
  coat: coats.silver,
  horns: h.wideLyre,
  hump: 1.3,
  dewlap: 1,
  cow: true,
  markings: [shade(coats.darkGrey, 14, 10, 4.5, 6), oxMuzzle(coats.iron)],
})
const sahiwal = zebu({
  coat: ['#5c2a14', '#a85c31', '#dc9a68'],
  horns: h.stump,
  cow: true,
  hump: 1,
  dewlap: 1.5,
  markings: [oxMuzzle(coats.tan)],
})
const redSindhi = zebu({ coat: coats.deepRed, horns: h.short, cow: true, hump: 1, dewlap: 1.2 })

const europeanPaints = { horn: 'drop', muzzle: coats.iron, tuft: coats.jet, udder: coats.flesh } as const
const jersey: Animal = {
  kind: 'cow',
  coat: coats.fawn,
  paints: { ...europeanPaints, patch: 'drop', face: coats.lightBrown, ear: coats.lightBrown },
  front: [neckBell(-0.6, -0.2, '#2f6fb0')],
  top: 3.9,
}
const jerseyCalf: Animal = {
  kind: 'cow',
  coat: coats.fawn,
  paints: { ...europeanPaints, patch: 'drop', udder: 'drop', face: coats.lightBrown },
  top: 3.9,
}
const holstein: Animal = {
  kind: 'cow',
  coat: coats.white,
  paints: { ...europeanPaints, patch: coats.jet, face: coats.jet, ear: coats.jet, muzzle: coats.flesh },
  top: 3.9,
}
const murrah = buffalo(coats.jet, buffaloHorns.coiled)
const murrahCalf: Animal = { kind: 'buffalo', coat: coats.black, paints: { horn: 'drop' }, top: 4.6 }
const toda = buffalo(coats.dun, buffaloHorns.crescent, [
  shade(coats.ash, 20, 13, 8, 6, 2),
  area(coats.cream, 'M7.6 15C9.6 16.4 12.6 15.4 14 12.6L14.6 13.6C13 16.8 10 17.8 7.8 16.6Z', 0.2),
])
const bargurBuffalo = buffalo(coats.darkBrown, buffaloHorns.swept)

export const cattleRecipes: Record<string, Recipe> = {
  'kangayam-bull': { scene: 'red', views: [full(kangayamBull), close(kangayamBull), two(kangayamBull, kangayamCow)] },
  'kangayam-cow': { scene: 'dawn', facesRight: true, views: [full(kangayamCow), mother(kangayamCow, calf(coats.red)), close(kangayamCow)] },
  'umblachery-cow': { scene: 'day', views: [full(umblachery), close(umblachery)] },
  'pulikulam-bull': { scene: 'dusk', facesRight: true, views: [full(pulikulam), close(pulikulam)] },
  'bargur-cow': {
    scene: 'hills',
    views: [full(bargur), close(bargur), mother(bargur, calf(coats.redBrown, [patches(coats.white, 'bc', 6, 1.6)]))],
  },
  'alambadi-bullock': { scene: 'red', facesRight: true, views: [full(alambadi), close(alambadi)] },
  'malai-madu-heifer': { scene: 'hills', views: [full(malaiMadu), two(malaiMadu, { ...countryCow, coat: coats.grey })] },
  'country-cow': { scene: 'shed', facesRight: true, views: [full(countryCow), close(countryCow)] },
  'hallikar-bull': { scene: 'dawn', views: [full(hallikar), close(hallikar)] },
  'ongole-bull': { scene: 'day', facesRight: true, views: [full(ongole), close(ongole)] },
  'punganur-cow': { scene: 'shed', views: [full(punganur), mother(punganur, calf(coats.white, [oxMuzzle(coats.brown)]), 0.55)] },
  'vechur-cow': { scene: 'day', views: [full(vechur)] },
  'gir-cow': { scene: 'dawn', views: [full(gir), close(gir), mother(gir, calf(coats.chestnut, [patches(coats.white, 'gc', 9, 0.8)]))] },
  'kankrej-cow': { scene: 'dusk', views: [full(kankrej)] },
  'sahiwal-cow': { scene: 'day', facesRight: true, views: [full(sahiwal), close(sahiwal)] },
  'red-sindhi-cow': { scene: 'shed', views: [full(redSindhi), close(redSindhi)] },
  'jersey-cow': { scene: 'hills', facesRight: true, views: [full(jersey), mother(jersey, jerseyCalf)] },
  'hf-cow': { scene: 'shed', views: [full(holstein), close(holstein)] },
  'murrah-buffalo': { scene: 'day', views: [full(murrah), mother(murrah, murrahCalf)] },
  'toda-buffalo': { scene: 'hills', facesRight: true, views: [full(toda), close(toda)] },
  'bargur-buffalo': { scene: 'red', views: [full(bargurBuffalo)] },
}
