// Each breed as storefront/breeds/breed-facts.ts describes it, in its most common colour. A breed of any colour has a frequent one. Breeds that look
// alike in life (the mountain ponies) look alike here.

import { coats, type Ramp } from '../draw-pictures/coats.ts'
import { buffaloHorns, cattleHorns as h, goatHorns as g, ramCurl } from '../draw-pictures/parts.ts'
import { buffalo, chick, dairy, dog, goat, hairSheep, hen, horse, hound, rooster, woolSheep, zebu, type Drawing } from './bodies.ts'
import { area, below, patches, shade, spots, type Marking } from './pen.ts'

const bullShoulder = (ramp: Ramp): Marking => shade(ramp, [13, 11, 5.5, 8], [16.6, 5.2, 4, 4], [27.5, 15, 2.4, 6])
const star = area(coats.white, 'M6.1 6.4C6.9 5.9 8.6 5.6 9 6.3C8.8 7.2 7 8.4 5.6 8.7C5 8.5 5.3 7 6.1 6.4Z')
const darkFace = (ramp: Ramp): Marking => area(ramp, 'M0 3H9.4L8 14.5H0Z')
const paleBelly = (ramp: Ramp): Marking => area(ramp, 'M9 20C14 23.5 20 21 27 22V25H9Z')

const cattle: Record<number, Drawing> = {
  101: zebu({
    coat: coats.grey,
    horns: h.lyre,
    hump: 1.5,
    dewlap: 1.1,
    muzzle: coats.jet,
    bead: true,
    markings: [bullShoulder(coats.iron)],
  }),
  102: zebu({ coat: coats.darkGrey, horns: h.short, hump: 0.9, udder: true, size: 0.92, markings: [star, below(coats.white, 26.5)] }),
  103: zebu({ coat: coats.black, horns: h.forward, hump: 1.5, size: 0.92, markings: [paleBelly(coats.brown)] }),
  104: zebu({
    coat: coats.redBrown,
    horns: h.upright,
    hornRamp: coats.paleHorn,
    size: 0.92,
    markings: [patches(coats.white, 'bargur', 4, 1.9), star],
  }),
  105: zebu({ coat: coats.iron, horns: h.longBack, hump: 1.1, muzzle: coats.jet, markings: [darkFace(coats.darkGrey)] }),
  106: zebu({ coat: coats.brown, horns: h.short, hump: 0.8, dewlap: 0.8, size: 0.88, markings: [patches(coats.cream, 'malai', 4, 2.4)] }),
  107: zebu({ coat: coats.fawn, horns: h.upright, hump: 0.85, udder: true, muzzle: coats.brown, size: 0.9 }),
  108: zebu({
    coat: coats.silver,
    horns: h.longBack,
    hump: 1.3,
    dewlap: 0.7,
    markings: [bullShoulder(coats.grey), darkFace(coats.darkGrey)],
  }),
  109: zebu({
    coat: coats.grey,
    horns: h.longBack,
    hornRamp: coats.hoof,
    hump: 1.4,
    dewlap: 0.7,
    muzzle: coats.jet,
    markings: [area(coats.silver, 'M6 12H10L10 20H7Z')],
  }),
  110: zebu({
    coat: coats.white,
    horns: h.stump,
    hump: 1.7,
    dewlap: 1.6,
    muzzle: coats.iron,
    markings: [shade(coats.silver, [15, 7, 3.5, 3.4])],
  }),
  111: zebu({ coat: coats.cream, horns: h.short, hump: 0.9, udder: true, muzzle: coats.brown, size: 0.66 }),
  112: zebu({ coat: coats.red, horns: h.short, hump: 0.75, dewlap: 0.8, udder: true, muzzle: coats.darkBrown, size: 0.7 }),
  113: zebu({
    coat: coats.chestnut,
    horns: h.drooping,
    hump: 1.15,
    dewlap: 1.5,
    udder: true,
    ear: { length: 6.4, back: -0.6, width: 1 },
    markings: [spots(coats.white, 'gir', 22, 0.5)],
  }),
  114: zebu({
    coat: coats.silver,
    horns: h.wideLyre,
    hump: 1.3,
    muzzle: coats.iron,
    markings: [shade(coats.darkGrey, [14, 10, 4.5, 6], [27, 16, 2, 5])],
  }),
  115: zebu({ coat: ['#5c2a14', '#a85c31', '#dc9a68'], horns: h.stump, dewlap: 1.6, udder: true, muzzle: coats.tan }),
  116: zebu({ coat: coats.deepRed, horns: h.short, hump: 1.1, dewlap: 1.2, udder: true, size: 0.94 }),
  117: zebu({
    coat: coats.chalk,
    horns: h.lyre,
    dewlap: 1.2,
    udder: true,
    muzzle: coats.darkGrey,
    markings: [shade(coats.silver, [15, 10, 4, 4])],
  }),
  118: dairy({ coat: coats.fawn, face: coats.lightBrown, muzzle: coats.iron }),
  119: dairy({ coat: coats.white, face: coats.jet, muzzle: coats.flesh, patch: coats.jet }),
  120: buffalo({ coat: coats.jet, horns: buffaloHorns.coiled }),
  121: buffalo({
    coat: coats.dun,
    horns: buffaloHorns.crescent,
    size: 0.94,
    markings: [
      shade(coats.ash, [20, 13, 8, 6]),
      area(coats.cream, 'M7.6 15C9.6 16.4 12.6 15.4 14 12.6L14.6 13.600C13 16.8 10 17.8 7.8 16.6Z'),
    ],
  }),
  122: buffalo({ coat: coats.darkBrown, horns: buffaloHorns.swept, size: 0.86 }),
  123: buffalo({ coat: coats.iron, horns: buffaloHorns.swept, size: 0.94 }),
}

const longEar = { length: 7.6, back: 0.2, width: 0.95 }
const midEar = { length: 4.8, back: 0.7 }
const shortEar = { length: 3.4, back: 1.4, width: 0.8 }

const goatHead = (ramp: Ramp): Marking => area(ramp, 'M0 4H14L11.2 12.6C9.8 14 7 14.5 5.6 13.6L0 13Z')
const faceStripes = (ramp: Ramp): Marking =>
  area(
    ramp,
    'M2.4 9.7C4.8 9.3 6.6 7.6 8.4 6.3L9.4 7C8 8.3 5.4 10.3 2.8 10.8ZM3.6 11.4C5.6 11.6 7.4 11.1 8.6 10.1L8.8 10.9C7.6 12 5.6 12.4 3.8 12.1Z',
  )
const underline = (ramp: Ramp): Marking => area(ramp, 'M6.5 19.4C12 22.3 19 20.3 26 21.2L31 25V31H8Z')
const throat = (ramp: Ramp): Marking => area(ramp, 'M5 12.2C6.4 13 8 13 9.2 12.4L11 20.5H8.2Z')

const goats: Record<number, Drawing> = {
  201: goat({
    coat: coats.black,
    horns: g.back,
    ear: midEar,
    markings: [faceStripes(coats.white), underline(coats.cream), throat(coats.cream)],
  }),
  202: goat({ coat: coats.white, horns: g.upright, ear: { ...midEar, coat: coats.jet }, markings: [patches(coats.jet, 'kodi', 8, 1)] }),
  203: goat({ coat: coats.jet, horns: g.back, ear: shortEar, beard: coats.black }),
  204: goat({ coat: coats.brown, horns: g.small, ear: shortEar, size: 0.78, markings: [underline(coats.darkBrown)] }),
  205: goat({
    coat: coats.gold,
    horns: g.upright,
    ear: shortEar,
    size: 0.86,
    markings: [area(coats.darkBrown, 'M14 10H31V13H14ZM5 13L10 12L9 14Z')],
  }),
  206: goat({ coat: coats.cream, horns: g.small, ear: midEar, markings: [goatHead(coats.fawn), shade(coats.fawn, [24, 14, 5, 4])] }),
  207: goat({ coat: coats.blueBlack, horns: g.upright, ear: midEar, size: 0.94, markings: [below(coats.darkBrown, 23.5)] }),
  208: goat({
    coat: coats.white,
    horns: g.small,
    ear: { ...longEar, coat: coats.tan },
    beard: coats.cream,
    markings: [goatHead(coats.tan)],
  }),
  209: goat({ coat: coats.black, horns: g.twisted, ear: longEar, markings: [spots(coats.white, 'beetal', 14, 0.6)] }),
  210: goat({ coat: coats.tan, horns: g.small, ear: midEar, beard: coats.tan, markings: [patches(coats.darkBrown, 'sirohi', 6, 1.5)] }),
  211: goat({ coat: coats.white, horns: g.upright, size: 0.82, markings: [spots(coats.gold, 'barbari', 24, 0.6)] }),
  212: goat({ coat: coats.iron, ear: midEar, size: 0.94, markings: [spots(coats.white, 'usman', 3, 0.5)] }),
  213: goat({ coat: coats.jet, horns: g.small, beard: coats.black, size: 0.7 }),
  214: goat({
    coat: coats.white,
    horns: g.twisted,
    ear: { length: 6.2, back: 0.2, width: 1.05, coat: coats.redBrown },
    markings: [goatHead(coats.redBrown), area(coats.redBrown, 'M8 12L14 8L14.5 13L11.5 18L8 16Z')],
  }),
}

const sheep: Record<number, Drawing> = {
  301: hairSheep({ coat: coats.lightBrown, ear: shortEar, markings: [underline(coats.cream)] }),
  302: hairSheep({ coat: coats.red, ear: midEar, curl: ramCurl }),
  303: hairSheep({ coat: coats.wool, ear: midEar }),
  304: hairSheep({ coat: coats.brown, curl: ramCurl, markings: [underline(coats.jet), faceStripes(coats.jet), below(coats.jet, 22)] }),
  305: hairSheep({
    coat: coats.white,
    ear: { ...midEar, coat: coats.redBrown },
    markings: [patches(coats.redBrown, 'vembur', 9, 1.2), area(coats.redBrown, 'M6.2 6.5C8 5.5 11 6 12 8L10 11L7.5 10Z')],
  }),
  306: woolSheep({ coat: coats.wool, face: coats.jet, legs: coats.wool, size: 0.9 }),
  307: woolSheep({ coat: coats.black, face: coats.jet, size: 0.88 }),
  308: woolSheep({ coat: coats.white, face: coats.cream }),
  309: hairSheep({ coat: coats.tan, size: 0.9, markings: [goatHead(coats.lightBrown)] }),
  310: hairSheep({ coat: coats.jet, curl: ramCurl, size: 0.94 }),
  311: hairSheep({ coat: coats.white, ear: longEar, markings: [area(coats.jet, 'M2 8L6 10.500L4.5 12L1 12Z')] }),
  312: hairSheep({
    coat: coats.wool,
    ear: { ...midEar, coat: coats.lightBrown },
    size: 0.88,
    markings: [area(coats.lightBrown, 'M0 4H8L8.5 13H0Z')],
  }),
  313: hairSheep({
    coat: coats.white,
    ear: { ...shortEar, coat: coats.jet },
    markings: [area(coats.jet, 'M0 4H13.500L13 13L9 16L6 14L0 13Z')],
  }),
}

const chickens: Record<number, Drawing> = {
  401: hen({ coat: coats.brown, neck: coats.gold, plume: coats.darkBrown, size: 0.76 }),
  402: rooster({ coat: coats.darkGrey, neck: coats.silver, wing: coats.redBrown, plume: coats.jet }),
  403: rooster({ coat: coats.deepRed, neck: coats.chestnut, wing: coats.red, plume: coats.jet, pea: true }),
  404: rooster({
    coat: coats.jet,
    neck: coats.blueBlack,
    wing: coats.black,
    plume: coats.blueBlack,
    comb: coats.darkComb,
    leg: coats.darkLeg,
    size: 0.9,
  }),
  405: hen({ coat: coats.blueBlack, neck: coats.blueBlack, wing: ['#101a2e', '#22304a', '#6b85b8'], leg: coats.darkLeg, size: 0.86 }),
  406: hen({ coat: coats.fawn, neck: coats.brown, plume: coats.black, size: 0.8 }),
  407: hen({ coat: coats.redBrown, plume: coats.darkBrown, nakedNeck: true, size: 0.84 }),
  408: hen({ coat: coats.lightBrown, neck: coats.cream, plume: coats.brown, size: 0.92 }),
  409: hen({ coat: coats.white, neck: coats.fawn, wing: coats.fawn, plume: coats.fawn }),
  410: rooster({ coat: coats.redBrown, neck: coats.gold, wing: coats.darkBrown, plume: coats.darkBrown }),
  411: hen({ coat: coats.white, neck: coats.white, wing: coats.silver, plume: coats.darkGrey, size: 0.9 }),
  412: rooster({ coat: coats.white, neck: coats.white, wing: coats.chalk, plume: coats.white, size: 0.92 }),
  413: hen({ coat: coats.deepRed, plume: coats.jet }),
  414: hen({ coat: coats.white, comb: ['#b0606a', '#e08a86', '#f8c9c2'] }),
  415: chick({ coat: coats.chick, size: 0.6 }),
}

const mask = (ramp: Ramp): Marking => shade(ramp, [4, 13, 2.6, 2.2])
const tanPoints = (ramp: Ramp): Marking =>
  area(ramp, 'M0 8.2C2.6 8.3 4.6 8.4 6.4 9.3L7.4 12H0ZM7 13.5C9 14.5 10 17 10 20L12 31H6ZM17 24H28V31H17ZM8 24.5H14V31H8Z')

const dogs: Record<number, Drawing> = {
  501: hound({ coat: coats.white, nose: '#e39a9a', smoothEar: coats.cream }),
  502: hound({ coat: coats.fawn, size: 0.9 }),
  503: hound({ coat: coats.black, size: 0.92, markings: [tanPoints(coats.tan)] }),
  504: dog({ coat: coats.redBrown, ear: 'pricked', tail: 'curled', earCoat: coats.darkBrown, markings: [mask(coats.jet)] }),
  505: dog({
    coat: coats.darkBrown,
    ear: 'hanging',
    tail: 'curled',
    markings: [area(coats.white, 'M2 14.5C6 16 8 20 12 22L10 31H6V20Z'), below(coats.white, 26.5)],
  }),
  507: dog({
    coat: coats.tan,
    ear: 'pricked',
    tail: 'curled',
    size: 0.88,
    markings: [below(coats.cream, 26.5), area(coats.cream, 'M4 15L9 15L9 20H6Z')],
  }),
  508: dog({ coat: coats.fawn, ear: 'pricked', tail: 'straight', earCoat: coats.brown, size: 0.84 }),
  509: hound({ coat: coats.cream, smoothEar: coats.fawn }),
  510: hound({
    coat: coats.black,
    feathered: false,
    smoothEar: coats.iron,
    markings: [area(coats.white, 'M8 14C10 15 10.5 19 10 21L8 19Z'), below(coats.white, 28)],
  }),
  511: hound({ coat: coats.grey, size: 1, markings: [shade(coats.darkGrey, [20, 11, 6, 2.5])] }),
}

const blaze = area(coats.white, 'M5.4 3.6L6.7 4.2L3.2 8.6L1.9 8.2Z')

const horses: Record<number, Drawing> = {
  601: horse({ coat: coats.bay, mane: coats.jet, muzzle: coats.iron, curvedEars: true, markings: [below(coats.jet, 26), blaze] }),
  602: horse({ coat: coats.chestnut, mane: coats.cream, curvedEars: true, size: 0.94, markings: [blaze, below(coats.white, 27)] }),
  603: horse({ coat: coats.grey, mane: coats.darkGrey, muzzle: coats.iron, size: 0.96, markings: [below(coats.darkGrey, 26)] }),
  604: horse({ coat: coats.redBrown, mane: coats.darkBrown, muzzle: coats.darkBrown, shaggy: true, size: 0.76 }),
  605: horse({ coat: coats.darkGrey, mane: coats.jet, muzzle: coats.jet, shaggy: true, size: 0.72 }),
  606: horse({ coat: coats.ash, mane: coats.chalk, muzzle: coats.iron, shaggy: true, size: 0.8 }),
  607: horse({
    coat: coats.silver,
    mane: coats.grey,
    muzzle: coats.iron,
    shaggy: true,
    size: 0.8,
    markings: [spots(coats.chalk, 'bhutia', 10, 0.7)],
  }),
  608: horse({ coat: coats.chestnut, mane: coats.deepRed, muzzle: coats.darkBrown, markings: [blaze] }),
  609: horse({ coat: coats.white, mane: coats.chalk, muzzle: coats.flesh, size: 0.86 }),
}

/** By breed id. Breeds without a drawing are in `undrawn` of listings/animal-pictures.ts. */
export const breedDrawings: Record<number, Drawing> = { ...cattle, ...goats, ...sheep, ...chickens, ...dogs, ...horses }
