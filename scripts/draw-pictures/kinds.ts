// Facts about each Fluent animal that we use: which shapes are horn, hoof, eye ..., the lightness of its coat in the original, and the position of
// feet and head (in the drawing's 32 x 32 units).

import type { EmojiDrawing } from './emoji.ts'

export interface Kind extends EmojiDrawing {
  readonly box: { readonly left: number; readonly right: number; readonly top: number; readonly feet: number }
  readonly hooves: readonly number[]
  /** The middle of the close-up and its width in units. */
  readonly head: { readonly x: number; readonly y: number; readonly wide: number }
  /** The position of the glint in the eye. */
  readonly glint: readonly [number, number]
}

const ox: Kind = {
  name: 'ox',
  roles: {
    horn: ['M8.049 4.805', 'M5.424 3.522', '10.495', 'm6.743 6.4'],
    eye: ['6.834', '7.08'],
    nostril: ['M4.18 11.215'],
    tuft: ['M29.585 26.743', 'M28.08 23.696'],
  },
  range: { coat: [0.2, 0.6], horn: [0.4, 0.9], tuft: [0.1, 0.6] },
  box: { left: 2, right: 30.1, top: 3, feet: 29.8 },
  hooves: [11.5, 16.4, 20.2, 27],
  head: { x: 11.2, y: 10.2, wide: 24 },
  glint: [7.4, 8.65],
}

const cow: Kind = {
  name: 'cow',
  roles: {
    eye: ['6.469', '6.625'],
    nostril: ['M3.725 10.46'],
    muzzle: ['M5.345 12.114'],
    face: ['M8.655 12.115', 'M9.531 8.375', 'M10.531 9.953'],
    ear: ['M11.925 4.104'],
    horn: ['m8.695 3.604'],
    udder: ['M25.565 24.134'],
    tuft: ['M29.625 26.134'],
    patch: ['M22.625 14.434', 'm25.205 11.384', 'm16.865 18.264', 'M8.056 21.133', 'M22.225 19.874'],
  },
  range: {
    coat: [0.42, 0.98],
    face: [0.28, 0.62],
    muzzle: [0.42, 0.72],
    patch: [0.3, 0.62],
    ear: [0.55, 0.9],
    tuft: [0.3, 0.5],
    udder: [0.5, 0.7],
    horn: [0.7, 0.95],
  },
  box: { left: 2, right: 29.8, top: 3, feet: 29.1 },
  hooves: [10.8, 15.2, 19, 25.8],
  head: { x: 10.4, y: 9.6, wide: 24 },
  glint: [6.95, 8.85],
}

const buffalo: Kind = {
  name: 'water-buffalo',
  roles: {
    horn: ['M14.14 1.775', 'M13.7 1.775', 'M9.098 6.099', 'M14.672 2.734', '14.643', 'm14.828 8'],
    eye: ['7.359', 'M7.111 8.326'],
    nostril: ['M3.9 10.685'],
    muzzle: ['M2.36 10.165'],
    tuft: ['M29.865 26.713', 'M29.945 23.405'],
  },
  range: { coat: [0.15, 0.6], horn: [0.35, 0.8], muzzle: [0.15, 0.4], tuft: [0.25, 0.65] },
  box: { left: 2.3, right: 30.4, top: 1.5, feet: 29.8 },
  hooves: [11.8, 16.7, 20.5, 27.2],
  head: { x: 11, y: 10, wide: 24 },
  glint: [7.7, 8.3],
}

const goat: Kind = {
  name: 'goat',
  roles: {
    horn: ['M16 4.55', 'M15.71 4.484'],
    beard: ['M5 13.75', 'M4.819 11.883'],
    hoof: ['m12.05 28.43', 'm19.33 26.75', 'M13 28.44', 'M30 28.44'],
    eye: ['M3 10.75', 'M6.5 9.75'],
    ear: ['M9.668 10.686'],
  },
  range: { coat: [0.34, 0.78], ear: [0.4, 0.85], horn: [0.45, 0.78], beard: [0.42, 0.62], hoof: [0.28, 0.56] },
  box: { left: 2, right: 30, top: 2.9, feet: 28.75 },
  hooves: [11.4, 10.4, 19.8, 28.5],
  head: { x: 10.6, y: 10.6, wide: 22 },
  glint: [6.3, 8.2],
}

const woolRoles = (face: readonly string[], legs: readonly string[], eyes: readonly string[]) => ({ eye: eyes, face: [...face, ...legs] })

const ewe: Kind = {
  name: 'ewe',
  roles: woolRoles(
    ['M7.92 7.76', 'M10.19 6.53', 'm6.297 7.64', '4.847'],
    ['M20.02 21.39', 'M11.96 29.66', 'M11 29.66', 'm24.438 24.328', 'M29.453 29.266', 'M12.388 29.266'],
    ['M3.08 10.62', '5.008'],
  ),
  range: { coat: [0.55, 0.95], face: [0.3, 0.76] },
  box: { left: 2.1, right: 30, top: 2, feet: 30 },
  hooves: [12.6, 14, 21.5, 28.4],
  head: { x: 10.4, y: 9.6, wide: 23 },
  glint: [5.35, 8.3],
}

const ram: Kind = {
  name: 'ram',
  roles: {
    horn: ['M13.423 5', 'M13.844 5.797'],
    ...woolRoles(
      ['M9.243 5.23', 'M11.707 6.094', 'M6.154 9.813'],
      ['M11.593 29.66', 'M10.703 29.66', 'M19.723 21.39', 'm24.016 24.297', 'M29.11 25.156', 'M13.188 29.453'],
      ['M2.725 10.62', 'M6.295 9.656'],
    ),
  },
  range: { coat: [0.55, 0.95], face: [0.3, 0.76], horn: [0.4, 0.85] },
  box: { left: 2.1, right: 30, top: 2, feet: 30 },
  hooves: [12.6, 14, 21.5, 28.4],
  head: { x: 10.4, y: 9.6, wide: 23 },
  glint: [6.15, 8.1],
}

const rooster: Kind = {
  name: 'rooster',
  roles: {
    leg: ['M14.853 28.5', 'M18.853 28.5', 'm18.235 25.524'],
    comb: ['M13.073 4.01', '12.319', 'm10.566 4.154', 'm6.047 3.284', 'M5.043 8.03', 'M7.283 10.25', 'M8.664 9.475', 'M4.175 11.576'],
    beak: ['m3.223 9.48', 'm5.153 7.447'],
    eye: ['M6.543 8.026'],
    hackle: ['m14.003 12', 'M14.468 15.129'],
    tail: ['iZd7hld', 'ih60Wve', 'irPTand', 'iCRv24N', 'infDfgz', 'M24.147 6.445', 'm26.594', 'm27.065', 'm26.692'],
    wing: ['M22.474 16', 'M23.977 16.66'],
  },
  range: {
    coat: [0.24, 0.5],
    leg: [0.4, 0.7],
    comb: [0.42, 0.75],
    beak: [0.5, 0.7],
    hackle: [0.5, 0.9],
    tail: [0.2, 0.62],
    wing: [0.38, 0.72],
  },
  box: { left: 3.2, right: 30, top: 2, feet: 30 },
  hooves: [14.2, 18],
  head: { x: 12.4, y: 10.2, wide: 25 },
  glint: [6.4, 7.3],
}

const chick: Kind = {
  name: 'baby-chick',
  roles: {},
  range: { coat: [0.3, 0.85] },
  box: { left: 2, right: 30, top: 2.5, feet: 30 },
  hooves: [14, 19],
  head: { x: 11.6, y: 10.5, wide: 22 },
  glint: [8.3, 10.2],
}

const dog: Kind = {
  name: 'guide-dog',
  roles: {
    harness: ['M14.13 12.349', 'm6.9 16.569', 'm7.693 16.172', 'M13.66 10.869', 'm22.352 6.36', 'M17.849 6.617'],
    eye: ['7.119'],
    nose: ['M3.38 12.349'],
    belly: ['m12.46 20.459'],
    ear: ['M9.286 7.48', 'm12.757 7.914'],
  },
  range: { coat: [0.4, 0.86], ear: [0.5, 0.88], belly: [0.6, 0.95] },
  box: { left: 2, right: 30, top: 6.7, feet: 29.6 },
  hooves: [9, 15.5, 19.5, 28],
  head: { x: 10.4, y: 13, wide: 21 },
  glint: [7.45, 10.4],
}

/** The zebra without its stripes is the only standing horse of Fluent. */
const horse: Kind = {
  name: 'zebra',
  roles: {
    stripe: [
      'M12.499 27.46',
      'M12.499 24.43',
      'M9.249',
      'm6.499 11.34',
      'M12.499 11.93',
      'm20.019 12.43',
      'm26.529 12.86',
      'M29.499 19.19',
      'M29.499 22.23',
      'm26.199 26.79',
      'M27.079 28.46',
      'M9.699 18.69',
      'M14.516',
      'M14.499 24.43',
      'm21.829 28.76',
      'M21.179 24.43',
    ],
    mane: ['M12.179 4.61', 'M7.529 3.447', 'M8.719 3.267', 'M25.125 8.214', 'M24.943 5.228'],
    muzzle: ['M2.319 7.53'],
    eye: ['4.871', '5'],
  },
  range: { coat: [0.36, 0.92], mane: [0.25, 0.6], muzzle: [0.25, 0.4] },
  box: { left: 1.1, right: 29.6, top: 1.6, feet: 30.3 },
  hooves: [11.5, 13.4, 19.2, 24.4],
  head: { x: 10, y: 8.4, wide: 21 },
  glint: [4.85, 6.75],
}

export const kinds = { ox, cow, buffalo, goat, ewe, ram, rooster, chick, dog, horse } as const
