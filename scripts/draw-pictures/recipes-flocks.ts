// Goats and sheep, coloured as reference-data.md describes each breed.

import type { Animal } from './animals.ts'
import { coats, type Ramp } from './coats.ts'
import { area, below, goatBlanket, goatFaceStripes, goatHead, goatThroat, goatUnderline, patches, shade, type Marking } from './markings.ts'
import { farHorn, goatHorns, hangingEar, hangingTail, levelEar, nearHorn, neckBell, ramCurl, type HornStyle, type Part } from './parts.ts'
import { close, full, many, mother, two, type Recipe } from './recipes.ts'

interface Goat {
  readonly coat: Ramp
  readonly horns?: HornStyle
  readonly ears?: Part
  readonly beard?: Ramp | 'drop'
  readonly markings?: readonly Marking[]
  readonly front?: readonly Part[]
  readonly size?: number
}

function goat({ coat, horns, ears, beard = 'drop', markings, front = [], size }: Goat): Animal {
  return {
    kind: 'goat',
    coat,
    paints: { horn: 'drop', beard, ...(ears ? { ear: 'drop' } : {}) },
    markings,
    behind: horns ? [farHorn(horns)] : [],
    front: [...(horns ? [nearHorn(horns)] : []), ...(ears ? [ears] : []), ...front],
    top: horns ? Math.min(4, horns.curve[3][1] - 0.5) : 5.4,
    size,
  }
}

/** Southern sheep have hair, not wool. */
function hairSheep(coat: Ramp, markings: readonly Marking[] = [], options: { ears?: Part; ram?: boolean; earCoat?: Ramp } = {}): Animal {
  const ears = options.ears ?? levelEar
  const ear: Part = options.earCoat ? () => ears(options.earCoat ?? coat) : ears
  return {
    kind: 'hairSheep',
    coat,
    markings,
    behind: [hangingTail, ...(options.ram ? [farHorn(ramCurl)] : [])],
    front: [ear, ...(options.ram ? [nearHorn(ramCurl, coats.horn)] : [])],
    top: options.ram ? 3.8 : 5.4,
  }
}

const g = goatHorns
const longEar = hangingEar(9.3, 8.2, 7.6, 0.2, 0.95)
const midEar = hangingEar(9.3, 8.3, 4.8, 0.7, 0.9)
const shortEar = hangingEar(9.4, 8.4, 3.4, 1.4, 0.8)
const kidOf = (animal: Animal): Animal => ({
  ...animal,
  behind: [],
  front: [animal.kind === 'goat' ? hangingEar(9.4, 8.4, 3.6, 0.8, 0.8) : levelEar],
  paints: { ...animal.paints, horn: 'drop', beard: 'drop', ear: 'drop' },
  top: 5.4,
})

const kanni = goat({
  coat: coats.black,
  horns: g.back,
  ears: midEar,
  markings: [goatFaceStripes(coats.white), goatUnderline(coats.cream), goatThroat(coats.cream)],
})
const kodi = goat({
  coat: coats.white,
  horns: g.upright,
  ears: midEar,
  markings: [
    patches(coats.jet, 'kodi', 14, 0.95, { left: 8, top: 11, right: 28, bottom: 24 }),
    area(coats.jet, 'M8.6 12L12.4 7.5L14.5 12L11 17Z', 0.3),
  ],
})
const salemBlack = goat({ coat: coats.jet, horns: g.back, ears: shortEar, beard: coats.black, front: [neckBell(-0.4, -0.6, '#c0392b')] })
const pallai = goat({
  coat: coats.brown,
  horns: g.small,
  ears: shortEar,
  markings: [below(coats.jet, 22.5, 0.8), goatUnderline(coats.darkBrown)],
})
const tellicherry = goat({
  coat: coats.cream,
  horns: g.small,
  ears: midEar,
  markings: [goatHead(coats.fawn), shade(coats.fawn, 24, 14, 5, 4, 1.6)],
})
const attappady = goat({ coat: coats.blueBlack, horns: g.upright, ears: midEar, markings: [below(coats.darkBrown, 24, 1)] })
const jamunapari = goat({
  coat: coats.white,
  horns: g.small,
  ears: longEar,
  beard: coats.cream,
  markings: [goatHead(coats.tan), shade(coats.tan, 9, 15, 1.8, 3, 0.9)],
})
const beetal = goat({
  coat: coats.black,
  horns: g.twisted,
  ears: longEar,
  markings: [
    patches(coats.white, 'beetal', 13, 0.8, { left: 9, top: 11, right: 28, bottom: 23 }),
    patches(coats.white, 'bt2', 2, 0.5, { left: 10, top: 7, right: 11, bottom: 12 }),
  ],
})
const sirohi = goat({
  coat: coats.tan,
  horns: g.small,
  ears: midEar,
  beard: coats.tan,
  markings: [patches(coats.darkBrown, 'sirohi', 9, 1.5, { left: 9, top: 11, right: 28, bottom: 22 }, 0.4)],
})
const barbari = goat({
  coat: coats.white,
  horns: g.upright,
  markings: [patches(coats.gold, 'barbari', 22, 0.62, { left: 8, top: 7, right: 28, bottom: 25 })],
})
const boer = goat({
  coat: coats.white,
  horns: g.twisted,
  ears: hangingEar(9.3, 8.2, 6.2, 0.2, 1.05),
  beard: coats.redBrown,
  markings: [goatHead(coats.redBrown), area(coats.redBrown, 'M8 12L14 8L14.5 13L11.5 18L8 16Z', 0.5)],
})
const boerWithEars: Animal = { ...boer, front: [nearHorn(g.twisted), () => hangingEar(9.3, 8.2, 6.2, 0.2, 1.05)(coats.redBrown)] }
const jamunapariWithEars: Animal = { ...jamunapari, front: [nearHorn(g.small), () => longEar(coats.tan)] }

const mecheri = hairSheep(coats.lightBrown, [goatUnderline(coats.cream)], { ears: shortEar })
const madrasRed = hairSheep(coats.red, [], { ears: midEar, ram: true })
const ramnad = hairSheep(coats.wool, [patches(coats.tan, 'ramnad', 1, 1, { left: 10, top: 13, right: 12, bottom: 15 }, 0.5)], {
  ears: midEar,
})
const kilakarsal = hairSheep(coats.brown, [goatUnderline(coats.jet), goatFaceStripes(coats.jet), below(coats.jet, 22)], { ram: true })
const vembur = hairSheep(
  coats.white,
  [
    patches(coats.redBrown, 'vembur', 10, 1.25, { left: 8, top: 10, right: 28, bottom: 24 }),
    area(coats.redBrown, 'M6.2 6.5C8 5.5 11 6 12 8L10 11L7.5 10Z', 0.2),
  ],
  { ears: midEar, earCoat: coats.redBrown },
)
const chevaadu = hairSheep(coats.tan, [goatHead(coats.lightBrown)], {})
const katchaikatty = hairSheep(coats.jet, [], { ram: true })
const trichyBlack: Animal = { kind: 'ewe', coat: coats.black, paints: { face: coats.jet } }
const coimbatore: Animal = { kind: 'ewe', coat: coats.wool, paints: { face: coats.jet } }
const coimbatoreBrown: Animal = { kind: 'ewe', coat: coats.wool, paints: { face: coats.darkBrown } }
const nilagiri: Animal = { kind: 'ewe', coat: coats.wool, paints: { face: coats.cream } }
const nilagiriRam: Animal = { kind: 'ram', coat: coats.wool, paints: { face: coats.cream, horn: coats.paleHorn } }
const ochre: Animal = goat({ coat: coats.gold, ears: shortEar })
const pied: Animal = goat({ coat: coats.white, ears: shortEar, markings: [goatBlanket(coats.darkBrown), goatHead(coats.darkBrown)] })
const dark: Animal = goat({ coat: coats.black, ears: shortEar })

export const flockRecipes: Record<string, Recipe> = {
  'kanni-adu': { scene: 'red', views: [full(kanni), close(kanni), mother(kanni, kidOf(kanni))] },
  'kodi-adu': {
    scene: 'dusk',
    facesRight: true,
    views: [
      full(kodi),
      many(
        kodi,
        goat({
          coat: coats.white,
          horns: g.upright,
          ears: midEar,
          markings: [patches(coats.redBrown, 'kodi2', 12, 0.95, { left: 8, top: 11, right: 28, bottom: 24 })],
        }),
        kodi,
      ),
    ],
  },
  'salem-black': { scene: 'hills', views: [full(salemBlack), close(salemBlack)] },
  'pallai-adu': { scene: 'day', views: [full(pallai)] },
  'country-kids': { scene: 'shed', views: [many(kidOf(ochre), kidOf(pied), kidOf(dark), kidOf(kanni)), full(kidOf(pied))] },
  'tellicherry-doe': {
    scene: 'day',
    facesRight: true,
    views: [full(tellicherry), two(tellicherry, { ...tellicherry, coat: coats.black, markings: [] })],
  },
  'attappady-black': { scene: 'hills', views: [full(attappady)] },
  'jamunapari-buck': { scene: 'dawn', views: [full(jamunapariWithEars), close(jamunapariWithEars)] },
  'beetal-doe': { scene: 'day', facesRight: true, views: [full(beetal), close(beetal)] },
  'sirohi-buck': { scene: 'red', views: [full(sirohi)] },
  'barbari-goat': { scene: 'shed', facesRight: true, views: [full(barbari), mother(barbari, kidOf(barbari))] },
  'boer-cross': { scene: 'dawn', views: [full(boerWithEars), close(boerWithEars)] },

  'mecheri-ewe': {
    scene: 'red',
    views: [full(mecheri), mother(mecheri, kidOf(mecheri)), many(mecheri, mecheri, kidOf(mecheri), mecheri, mecheri)],
  },
  'madras-red-ram': { scene: 'day', facesRight: true, views: [full(madrasRed), close(madrasRed)] },
  'ramnad-white': { scene: 'red', views: [full(ramnad), many(ramnad, ramnad, ramnad)] },
  'kilakarsal-ram': { scene: 'dusk', views: [full(kilakarsal), close(kilakarsal)] },
  'vembur-ewe': { scene: 'dawn', facesRight: true, views: [full(vembur), close(vembur)] },
  'coimbatore-kurumbai': {
    scene: 'hills',
    views: [full(coimbatore), many(coimbatore, coimbatoreBrown, coimbatore, coimbatore, coimbatoreBrown, coimbatore)],
  },
  'trichy-black': { scene: 'red', facesRight: true, views: [full(trichyBlack)] },
  'nilagiri-sheep': { scene: 'hills', facesRight: true, views: [full(nilagiri), two(nilagiri, nilagiriRam)] },
  'chevaadu-ewe': { scene: 'day', views: [full(chevaadu)] },
  'katchaikatty-ram': { scene: 'shed', views: [full(katchaikatty), close(katchaikatty)] },
}
