// Six places and times of day. A scene has a background (blurred, as by a lens), the ground, and small plants in front of the animal's feet.

import { mix } from './coats.ts'
import { banana, bush, coconutPalm, granitePosts, haystack, palmyra, thatchedHut, tuft } from './plants.ts'
import { between, n1, randomFrom, type Random } from './random.ts'

export const WIDTH = 1280
export const HEIGHT = 960
export const HORIZON = 590

export type SceneName = 'dawn' | 'day' | 'red' | 'hills' | 'shed' | 'dusk'

export interface Scene {
  readonly far: string
  readonly ground: string
  readonly front: string
  /** A tint over the whole picture, and the side from which the light comes. */
  readonly light: string
  readonly shadow: string
  /** Small plants around the feet. */
  readonly feet: (x: number, y: number, random: Random) => string
}

interface Colours {
  readonly sky: readonly [string, string, string]
  readonly hill: string
  readonly field: string
  readonly ground: readonly [string, string]
  readonly grass: readonly string[]
  readonly light: string
  readonly shadow: string
}

const palette: Record<SceneName, Colours> = {
  dawn: {
    sky: ['#f7b783', '#ffdcae', '#fff3dc'],
    hill: '#b9a98e',
    field: '#b6bf72',
    ground: ['#a7b45c', '#6d8a3c'],
    grass: ['#6d8f3a', '#94b154', '#55772f'],
    light: '#ffb35c',
    shadow: '#3b3a16',
  },
  day: {
    sky: ['#5fb2e8', '#a9d9f5', '#e9f6fb'],
    hill: '#86b489',
    field: '#9cc75f',
    ground: ['#86b64c', '#548a35'],
    grass: ['#4f8a33', '#7fb64a', '#3c6f2a'],
    light: '#fff2c0',
    shadow: '#17300f',
  },
  red: {
    sky: ['#7fc0e6', '#c4e2ee', '#f6ecd9'],
    hill: '#b59c7a',
    field: '#b9925a',
    ground: ['#c9804c', '#9c5028'],
    grass: ['#8a8a3c', '#b3a556', '#6d6c2e'],
    light: '#ffe0a8',
    shadow: '#3d1608',
  },
  hills: {
    sky: ['#8ec9e6', '#cfe7ee', '#f3f7ee'],
    hill: '#6f9f95',
    field: '#7fb05c',
    ground: ['#7bab50', '#4c8038'],
    grass: ['#46803a', '#78ac4c', '#356a30'],
    light: '#eaf6e2',
    shadow: '#12290f',
  },
  shed: {
    sky: ['#8f6c48', '#a98358', '#c09a6a'],
    hill: '#7a5836',
    field: '#a98358',
    ground: ['#c7a468', '#96713d'],
    grass: ['#e0c27a', '#c9a252', '#f0dc9e'],
    light: '#ffdf9a',
    shadow: '#2b1707',
  },
  dusk: {
    sky: ['#b65a6a', '#f09a6a', '#ffd59a'],
    hill: '#8a6a72',
    field: '#9a8a52',
    ground: ['#9a914e', '#5f6632'],
    grass: ['#6e7434', '#8f8f48', '#4f5728'],
    light: '#ff9a52',
    shadow: '#2a1420',
  },
}

const blurred = (id: string, deviation: number): string =>
  `<filter id="${id}" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`

function ridge(y: number, height: number, random: Random, colour: string, step: number): string {
  const points = [`M-80 ${HORIZON + 40}L-80 ${n1(y)}`]
  for (let x = -80; x <= WIDTH + step; x += step) {
    const peak = y - between(random, 0.15, 1) * height
    points.push(
      `Q${n1(x + step * 0.25)} ${n1(peak)} ${n1(x + step * 0.5)} ${n1(peak + height * 0.12)}T${n1(x + step)} ${n1(y - random() * height * 0.3)}`,
    )
  }
  return `<path d="${points.join('')}L${WIDTH + 400} ${HORIZON + 40}Z" fill="${colour}"/>`
}

function cloud(x: number, y: number, scale: number, colour: string, opacity: number): string {
  return `<g fill="${colour}" opacity="${opacity}"><ellipse cx="${n1(x)}" cy="${n1(y)}" rx="${n1(130 * scale)}" ry="${n1(26 * scale)}"/><ellipse cx="${n1(x + 34 * scale)}" cy="${n1(y - 24 * scale)}" rx="${n1(66 * scale)}" ry="${n1(36 * scale)}"/><ellipse cx="${n1(x - 48 * scale)}" cy="${n1(y - 14 * scale)}" rx="${n1(52 * scale)}" ry="${n1(26 * scale)}"/></g>`
}

function sky(name: SceneName, colours: Colours, random: Random): string {
  const [high, middle, low] = colours.sky
  const sunX = between(random, 180, 1100)
  const sun =
    name === 'dusk' || name === 'dawn'
      ? `<circle cx="${n1(sunX)}" cy="${name === 'dusk' ? 400 : 330}" r="240" fill="url(#glow)"/><circle cx="${n1(sunX)}" cy="${name === 'dusk' ? 400 : 330}" r="62" fill="#fff3c4"/>`
      : `<circle cx="${n1(sunX)}" cy="90" r="300" fill="url(#glow)"/>`
  const clouds = Array.from({ length: 4 }, () =>
    cloud(
      between(random, 0, WIDTH),
      between(random, 70, 320),
      between(random, 0.7, 1.5),
      name === 'dusk' ? '#ffd0a8' : '#ffffff',
      name === 'dusk' ? 0.4 : 0.72,
    ),
  )
  return (
    `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${high}"/><stop offset=".5" stop-color="${middle}"/><stop offset="1" stop-color="${low}"/></linearGradient>` +
    `<radialGradient id="glow"><stop stop-color="${mix(colours.light, '#ffffff', 0.5)}" stop-opacity=".85"/><stop offset="1" stop-color="${colours.light}" stop-opacity="0"/></radialGradient>` +
    `<rect x="-60" y="-60" width="${WIDTH + 120}" height="${HORIZON + 120}" fill="url(#sky)"/>${sun}${clouds.join('')}`
  )
}

function shedWall(random: Random): string {
  let planks = ''
  for (let i = -1; i < 13; i++) {
    const shade = mix('#a47a4c', '#7d5834', random() * 0.6)
    planks += `<rect x="${i * 110 - 20}" y="-60" width="108" height="700" fill="${shade}"/><path d="M${i * 110 + between(random, 5, 80)} 0V620" stroke="#5c3d20" stroke-width="2" opacity=".25"/>`
  }
  const opening = random() < 0.5 ? 130 : 830
  const outside =
    `<g transform="translate(${opening} 120)"><rect width="320" height="290" fill="#cdeaf5"/><rect y="150" width="320" height="140" fill="#9cc56a"/><circle cx="90" cy="150" r="46" fill="#6fa04e"/><circle cx="210" cy="156" r="60" fill="#5f9446"/>` +
    `<rect x="-16" y="-16" width="352" height="20" fill="#5c3d22"/><rect x="-16" y="286" width="352" height="22" fill="#5c3d22"/><rect x="-16" y="-16" width="18" height="320" fill="#6b4828"/><rect x="318" y="-16" width="18" height="320" fill="#6b4828"/><rect x="154" width="14" height="290" fill="#6b4828"/></g>`
  const rays = `<path d="M${opening + 20} 120H${opening + 300}L${opening + 560} 960H${opening - 60}Z" fill="#fff3c8" opacity=".17"/>`
  const beams =
    '<rect x="-60" y="36" width="1400" height="34" fill="#533619"/><rect x="-60" y="66" width="1400" height="8" fill="#000" opacity=".25"/>'
  const thatch = Array.from(
    { length: 60 },
    () =>
      `<path d="M${n1(random() * 1280)} -6l${n1(between(random, -14, 14))} ${n1(between(random, 30, 64))}" stroke="#d0a75e" stroke-width="4" opacity=".8"/>`,
  ).join('')
  const hay = `<path d="M-20 640C60 470 230 450 330 560C400 590 430 620 470 640Z" fill="#d6b05c" transform="translate(${opening < 500 ? 850 : -60} 0)"/>`
  return `${planks}${outside}<g>${hay}</g>${rays}${beams}${thatch}`
}

function farThings(name: SceneName, colours: Colours, random: Random): string {
  const base = HORIZON + 6
  const side = () => (random() < 0.5 ? between(random, 40, 330) : between(random, 950, 1240))
  const hazy = (share: number) => mix(colours.hill, colours.sky[2], share)
  switch (name) {
    case 'dawn':
      return (
        ridge(500, 120, random, hazy(0.5), 330) +
        ridge(560, 70, random, mix(colours.field, colours.sky[2], 0.35), 260) +
        thatchedHut(side(), base, 1.15, '#d9b58c') +
        haystack(side(), base + 6, 1) +
        coconutPalm(side(), base, 1.25, random, '#5d7a3c') +
        coconutPalm(side(), base, 1, random, '#5d7a3c')
      )
    case 'day':
      return (
        ridge(540, 60, random, hazy(0.35), 280) +
        bush(side(), base, 1.6, random, '#5c9440') +
        bush(side(), base, 1.3, random, '#5c9440') +
        coconutPalm(side(), base, 1.35, random) +
        coconutPalm(side(), base, 1.15, random) +
        coconutPalm(side(), base, 0.95, random) +
        banana(side(), base + 8, 1.2, random)
      )
    case 'red':
      return (
        ridge(540, 60, random, hazy(0.4), 360) +
        palmyra(side(), base, 1.25, random) +
        palmyra(side(), base, 1, random) +
        palmyra(side(), base, 0.8, random) +
        bush(side(), base, 1.1, random, '#7f8f45') +
        bush(side(), base, 0.9, random, '#7f8f45') +
        granitePosts(base - 10, '#b3a48f')
      )
    case 'hills':
      return (
        ridge(430, 230, random, hazy(0.62), 420) +
        ridge(500, 170, random, hazy(0.35), 330) +
        ridge(560, 90, random, mix(colours.field, colours.hill, 0.4), 260) +
        Array.from({ length: 16 }, (_, i) => bush(i * 84 + between(random, -20, 20), base + 4, 0.75, random, '#5a9147')).join('')
      )
    case 'dusk':
      return (
        ridge(520, 120, random, hazy(0.25), 380) +
        ridge(566, 60, random, mix(colours.hill, '#3b2a2e', 0.25), 300) +
        palmyra(side(), base, 1.15, random, '#54482f') +
        coconutPalm(side(), base, 1.2, random, '#4a4a30') +
        thatchedHut(side(), base, 1, '#b98a62')
      )
    case 'shed':
      return ''
  }
}

function groundOf(name: SceneName, colours: Colours, random: Random): string {
  let marks = ''
  for (let i = 0; i < 130; i++) {
    const depth = random() ** 1.3
    const x = random() * WIDTH
    const y = HORIZON + 14 + depth * (HEIGHT - HORIZON)
    const scale = 0.35 + depth * 1.15
    if (name === 'shed') {
      marks += `<path d="M${n1(x)} ${n1(y)}l${n1(between(random, -44, 44) * scale)} ${n1(between(random, -7, 7) * scale)}" stroke="${colours.grass[i % 3]}" stroke-width="${n1(3.2 * scale)}" stroke-linecap="round" opacity=".75"/>`
    } else if (name === 'red' && i % 4) {
      marks += `<ellipse cx="${n1(x)}" cy="${n1(y)}" rx="${n1(between(random, 3, 12) * scale)}" ry="${n1(between(random, 1.5, 4) * scale)}" fill="${i % 2 ? '#7a3a1b' : '#e0a574'}" opacity=".4"/>`
    } else {
      marks += tuft(x, y, scale, random, colours.grass)
    }
  }
  const bands = Array.from(
    { length: 6 },
    (_, i) =>
      `<ellipse cx="${n1(random() * WIDTH)}" cy="${n1(HORIZON + 60 + i * 56)}" rx="${n1(between(random, 200, 460))}" ry="${n1(between(random, 10, 26))}" fill="${i % 2 ? '#000' : '#fff'}" opacity=".06"/>`,
  ).join('')
  const edge = name === 'shed' ? `<rect y="${HORIZON - 6}" width="${WIDTH}" height="40" fill="#000" opacity=".18"/>` : ''
  return (
    `<linearGradient id="ground" x2="0" y2="1"><stop stop-color="${colours.ground[0]}"/><stop offset="1" stop-color="${colours.ground[1]}"/></linearGradient>` +
    `<path d="M-60 ${HORIZON}Q${WIDTH / 2} ${HORIZON - 16} ${WIDTH + 60} ${HORIZON}V${HEIGHT + 60}H-60Z" fill="url(#ground)"/>${edge}${bands}${marks}`
  )
}

/** `close` zooms in: the background grows and becomes softer. */
export function drawScene(name: SceneName, seed: string, close = false): Scene {
  const random = randomFrom(seed)
  const colours = palette[name]
  const backdrop = name === 'shed' ? shedWall(random) : sky(name, colours, random) + `<g>${farThings(name, colours, random)}</g>`
  const camera = close ? 'transform="translate(-320 -150) scale(1.5)"' : ''
  const soft = close ? 13 : 2.6
  let front = ''
  for (let i = 0; i < 9; i++) {
    const x = i < 5 ? between(random, -30, 260) : between(random, 1020, 1310)
    front += tuft(x, between(random, 945, 985), between(random, 2.2, 3.6), random, colours.grass)
  }
  return {
    far: `<defs>${blurred('farBlur', soft)}${blurred('groundBlur', close ? 9 : 0.6)}</defs><g filter="url(#farBlur)"><g ${camera}>${backdrop}</g></g>`,
    ground: close
      ? `<g filter="url(#groundBlur)"><g ${camera}>${groundOf(name, colours, random)}</g></g>`
      : groundOf(name, colours, random),
    front: close ? '' : `<defs>${blurred('frontBlur', 3)}</defs><g filter="url(#frontBlur)" opacity=".92">${front}</g>`,
    light: colours.light,
    shadow: colours.shadow,
    feet: (x, y, around) =>
      name === 'red'
        ? `<ellipse cx="${n1(x)}" cy="${n1(y + 3)}" rx="${n1(between(around, 14, 26))}" ry="4" fill="#7a3a1b" opacity=".35"/>`
        : tuft(x + between(around, -16, 16), y + between(around, 3, 9), between(around, 0.55, 0.85), around, colours.grass),
  }
}
