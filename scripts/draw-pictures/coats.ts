// Colours. A coat is a ramp of shadow, base colour and light. Each part of an animal takes a lightness from the ramp, so that one drawing serves
// every breed.

export type Ramp = readonly [shadow: string, own: string, light: string]

const parts = (colour: string): number[] => {
  const digits = colour.slice(1)
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return [0, 2, 4].map((start) => parseInt(six.slice(start, start + 2), 16))
}

export function mix(first: string, second: string, share: number): string {
  const other = parts(second)
  const mixed = parts(first).map((value, i) => Math.round(value + ((other[i] ?? value) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** HSL lightness, 0 to 1. */
export function lightness(colour: string): number {
  const values = parts(colour)
  return (Math.max(...values) + Math.min(...values)) / 510
}

export function fromRamp(ramp: Ramp, light: number): string {
  const t = Math.min(1, Math.max(0, light))
  return t < 0.5 ? mix(ramp[0], ramp[1], t * 2) : mix(ramp[1], ramp[2], t * 2 - 1)
}

export const coats = {
  white: ['#a89f97', '#ece7df', '#ffffff'],
  wool: ['#857b74', '#ddd3c6', '#fdfaf3'],
  chalk: ['#8f8c90', '#d8d6d6', '#fbfaf7'],
  silver: ['#6f747c', '#b9bec4', '#eceeee'],
  grey: ['#565a61', '#9da2a8', '#dcdfe0'],
  darkGrey: ['#23262b', '#565b62', '#9aa0a6'],
  iron: ['#191b1f', '#3c4046', '#7b8188'],
  black: ['#08080b', '#232328', '#5a5a62'],
  jet: ['#050507', '#17171b', '#46464f'],
  blueBlack: ['#07080e', '#1e222c', '#55607a'],
  red: ['#4c170c', '#9a3b1e', '#d37546'],
  deepRed: ['#3d0f08', '#82291a', '#bf5a3a'],
  redBrown: ['#45190d', '#8a4023', '#c67c4c'],
  chestnut: ['#4d1c0d', '#9c4a24', '#da8d55'],
  bay: ['#34160d', '#6f3820', '#ad7048'],
  brown: ['#33200f', '#6d4827', '#ab7f4f'],
  darkBrown: ['#1c110b', '#452c1b', '#7d5a3c'],
  tan: ['#7c5228', '#c58f50', '#eecb95'],
  lightBrown: ['#7a4b27', '#b9824f', '#e3b685'],
  fawn: ['#83542b', '#cf9a62', '#f3d5aa'],
  cream: ['#a98d64', '#e2cda6', '#fff6e2'],
  gold: ['#8a531a', '#d0913a', '#f5cd80'],
  dun: ['#6a563a', '#ac9066', '#dac7a1'],
  ash: ['#5d524b', '#978a80', '#cbc0b4'],
  flesh: ['#b0606a', '#e39a9a', '#f8c9c2'],
  hoof: ['#15110f', '#3a302b', '#6b5d53'],
  horn: ['#3b342e', '#8d8378', '#d8cfc0'],
  paleHorn: ['#8a6a43', '#d9c29a', '#fbf0d8'],
  comb: ['#8f0b1c', '#d7202e', '#ff6a63'],
  darkComb: ['#1e1015', '#4a2430', '#7c4456'],
  beak: ['#9a6a1e', '#dca745', '#f8d98c'],
  leg: ['#a56a1c', '#dda23e', '#f6cf7e'],
  darkLeg: ['#1c1a1e', '#3f3d43', '#6f6d75'],
  tailGreen: ['#0c1f1b', '#1f4a3e', '#5f8f7d'],
  chick: ['#c58418', '#f3c53d', '#fff0a0'],
} as const satisfies Record<string, Ramp>
