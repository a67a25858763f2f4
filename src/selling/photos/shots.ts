import { m } from '#src/paraglide/messages.js'

/** A view that a photo should show: its name, and a drawing, 48 × 48. */
const shots = {
  side: {
    name: m.sell_shot_side,
    picture: 'M6 21Q7 17 12 17H30L35 12 42 14 41 20 36 22V38H32V29H16V38H12V28Q7 27 6 21ZM6 21L4 31M35 12L34 8',
  },
  hornlessSide: {
    name: m.sell_shot_side,
    picture: 'M6 21Q7 17 12 17H30L35 10 42 14 41 19 36 22V38H32V29H16V38H12V28Q7 27 6 21ZM6 21L4 31',
  },
  birdSide: {
    name: m.sell_shot_side,
    picture: 'M8 20L12 17Q12 10 17 10T22 17Q26 24 34 20L40 12 42 24Q40 34 28 36H22Q12 34 12 24ZM23 36V42M28 36V42',
  },
  front: {
    name: m.sell_shot_front,
    picture: 'M17 22Q24 18 31 22L29 37Q24 45 19 37ZM17 25L11 27 17 29M31 25L37 27 31 29M18 21Q13 15 15 8M30 21Q35 15 33 8',
  },
  hornlessFront: { name: m.sell_shot_front, picture: 'M17 20Q24 15 31 20L29 37Q24 45 19 37ZM17 20L15 8 22 17M31 20L33 8 26 17' },
  rear: { name: m.sell_shot_rear, picture: 'M13 40V22Q13 10 24 10T35 22V40H29V30H19V40ZM24 11Q28 18 24 28' },
  teeth: { name: m.product_teeth, picture: 'M8 18Q24 8 40 18 40 34 24 38 8 34 8 18ZM12 24H36M18 18V30M24 17V31M30 18V30' },
  udder: { name: m.sell_shot_udder, picture: 'M10 12H38V20Q38 31 24 31T10 20ZM16 29V38M24 31V40M32 29V38' },
  testicles: { name: m.sell_shot_testicles, picture: 'M10 10H38M24 10V17M24 17Q14 18 14 28T24 39Q34 38 34 28T24 17M24 20V36' },
  hooves: { name: m.sell_shot_feet, picture: 'M18 6V24L11 38H37L30 24V6M24 26V38' },
  claws: { name: m.sell_shot_claws, picture: 'M24 6V26M24 26L11 38M24 26V41M24 26L37 38M24 26L32 20' },
  horns: { name: m.sell_shot_horns, picture: 'M18 42L15 26H33L30 42M17 26Q7 22 9 6 14 18 22 22M31 26Q41 22 39 6 34 18 26 22' },
  whorls: {
    name: m.sell_shot_whorls,
    picture: 'M24 24A3 3 0 0 1 30 24A6 6 0 0 1 18 24A9 9 0 0 1 36 24A12 12 0 0 1 12 24A15 15 0 0 1 42 24',
  },
  coat: {
    name: m.sell_shot_coat,
    picture: 'M8 16Q12 10 16 16T24 16 32 16 40 16M8 27Q12 21 16 27T24 27 32 27 40 27M8 38Q12 32 16 38T24 38 32 38 40 38',
  },
  comb: {
    name: m.sell_shot_comb,
    picture: 'M14 42Q11 26 18 20 26 16 30 22V25L39 29 30 32Q28 38 30 42M18 20Q13 13 18 10 21 14 24 8 26 13 32 11 31 18 28 20M25 25V26',
  },
  wing: { name: m.sell_shot_wing, picture: 'M7 18Q20 9 41 13 39 26 29 35L12 31Q6 24 7 18ZM17 30L26 20M23 32L33 19' },
  tag: { name: m.sell_shot_tag, picture: 'M6 14Q22 4 38 14 34 28 24 28T6 14ZM22 22H34V40H22ZM26 30H30M26 35H30' },
  card: { name: m.sell_shot_card, picture: 'M8 10H40V38H8ZM14 18H34M14 24H26M14 30H22M28 31L31 34 37 26' },
}
type Shot = keyof typeof shots
export const shotOf = (shot: Shot) => shots[shot]

const milked = (isMale: boolean): Shot => (isMale ? 'testicles' : 'udder')

/** The views that a buyer wants to see, by the animal's category. */
const bySpecies = new Map<number, (isMale: boolean) => Shot[]>([
  [1, (isMale) => ['side', 'front', 'rear', 'teeth', milked(isMale), 'hooves', 'horns', 'whorls', 'tag']],
  [2, (isMale) => ['side', 'front', 'teeth', milked(isMale), 'hooves', 'horns', 'tag']],
  [3, (isMale) => ['side', 'front', 'teeth', milked(isMale), 'hooves', 'coat', 'tag']],
  [4, () => ['birdSide', 'comb', 'wing', 'claws']],
  [5, () => ['hornlessSide', 'hornlessFront', 'teeth', 'claws', 'card']],
  [6, () => ['hornlessSide', 'hornlessFront', 'rear', 'teeth', 'hooves', 'whorls']],
])
const COW = 1

/** Before the species is chosen, of a cow; nothing for goods. */
export const shotsOf = (categoryId: number | null, isMale: boolean): Shot[] => bySpecies.get(categoryId ?? COW)?.(isMale) ?? []
