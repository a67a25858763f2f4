// Feeds and tools: still lifes on a table by a window, from Fluent objects and our own drawings.

import { mix, type Ramp } from './coats.ts'
import { restartIds, drawEmoji, newId } from './emoji.ts'
import { between, n1, randomFrom } from './random.ts'
import { drawScene, HEIGHT, WIDTH } from './scenes.ts'

const TABLE = 610

function room(wall: Ramp, wood: Ramp, seed: string): string {
  const random = randomFrom(seed)
  const grain = Array.from({ length: 46 }, () => {
    const y = between(random, TABLE + 20, HEIGHT)
    const x = between(random, -60, WIDTH)
    return `<path d="M${n1(x)} ${n1(y)}q${n1(between(random, 80, 180))} ${n1(between(random, -7, 7))} ${n1(between(random, 200, 420))} 0" stroke="${random() < 0.5 ? wood[0] : wood[2]}" stroke-width="${n1(between(random, 1, 3.4))}" fill="none" opacity=".3"/>`
  }).join('')
  const planks = [700, 800].map((y) => `<path d="M-60 ${y}H1340" stroke="${wood[0]}" stroke-width="3" opacity=".55"/>`).join('')
  return (
    `<defs><linearGradient id="wall"><stop stop-color="${wall[2]}"/><stop offset="1" stop-color="${wall[1]}"/></linearGradient><linearGradient id="table" x2="0" y2="1"><stop stop-color="${mix(wood[1], wood[2], 0.4)}"/><stop offset="1" stop-color="${mix(wood[0], wood[1], 0.45)}"/></linearGradient>` +
    `<filter id="soft" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="16"/></filter><filter id="ground" x="-30%" y="-90%" width="160%" height="280%"><feGaussianBlur stdDeviation="13"/></filter></defs>` +
    `<rect x="-60" y="-60" width="1400" height="${TABLE + 70}" fill="url(#wall)"/><g filter="url(#soft)"><path d="M-60 60L520 -60H760L180 ${TABLE}H-60Z" fill="#fff6d8" opacity=".5"/><path d="M830 -60H960L420 ${TABLE}H300Z" fill="#fff6d8" opacity=".32"/><rect x="-60" y="${TABLE - 26}" width="1400" height="60" fill="${wall[0]}" opacity=".55"/></g>` +
    `<rect x="-60" y="${TABLE}" width="1400" height="420" fill="url(#table)"/>${grain}${planks}<rect x="-60" y="${TABLE}" width="1400" height="6" fill="${wood[2]}" opacity=".6"/>`
  )
}

/** A Fluent object; (x, y) is the middle of its base. */
function thing(name: string, x: number, y: number, size: number, turn = 0): string {
  const scale = size / 32
  return `<g transform="translate(${n1(x)} ${n1(y)}) rotate(${turn}) scale(${scale}) translate(-16 -30)">${drawEmoji({ name, roles: {}, range: {} }, {})}</g>`
}

/** Zooms in on the objects on the table. */
const nearer = (drawing: string, by = 1.2, x = 640): string =>
  `<g transform="translate(${n1(x - x * by)} ${n1(905 - 905 * by)}) scale(${by})">${drawing}</g>`

const shadowUnder = (x: number, y: number, rx: number, ry = rx * 0.16): string =>
  `<g filter="url(#ground)"><ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${n1(ry)}" fill="#1d0f04" opacity=".5"/></g>`

/** A gradient that lights round objects from three sides. */
function round(id: string, dark: string, own: string, light: string): string {
  return `<linearGradient id="${id}"><stop stop-color="${mix(own, dark, 0.55)}"/><stop offset=".22" stop-color="${light}"/><stop offset=".5" stop-color="${own}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`
}

function sack(x: number, y: number, wide: number, tall: number, cloth: Ramp, print: string, filling = ''): string {
  const id = newId()
  const w = wide / 2
  const top = -tall
  // It sags: narrow at the neck, widest near the ground, with corners that stick out at the bottom.
  const body =
    `M${n1(-w * 0.78)} ${top}C${n1(-w * 0.72)} ${n1(top * 0.78)} ${n1(-w * 1.02)} ${n1(top * 0.6)} ${n1(-w * 1.1)} ${n1(top * 0.34)}C${n1(-w * 1.16)} ${n1(top * 0.16)} ${n1(-w * 1.1)} -26 ${n1(-w * 1.2)} -4` +
    `C${n1(-w * 0.7)} 10 ${n1(-w * 0.3)} -2 0 4S${n1(w * 0.8)} 8 ${n1(w * 1.18)} -8C${n1(w * 1.08)} -40 ${n1(w * 1.18)} ${n1(top * 0.2)} ${n1(w * 1.08)} ${n1(top * 0.4)}C${n1(w)} ${n1(top * 0.62)} ${n1(w * 0.74)} ${n1(top * 0.8)} ${n1(w * 0.8)} ${top}Z`
  const folds = `<g filter="url(#${id}f)" fill="none" stroke="${cloth[0]}" stroke-width="12" opacity=".5"><path d="M${n1(-w * 0.6)} ${n1(top * 0.88)}C${n1(-w * 0.62)} ${n1(top * 0.7)} ${n1(-w * 0.86)} ${n1(top * 0.56)} ${n1(-w * 0.92)} ${n1(top * 0.36)}M${n1(w * 0.5)} ${n1(top * 0.88)}C${n1(w * 0.5)} ${n1(top * 0.74)} ${n1(w * 0.8)} ${n1(top * 0.6)} ${n1(w * 0.86)} ${n1(top * 0.3)}M${n1(w * 0.1)} ${n1(top * 0.86)}C${n1(w * 0.02)} ${n1(top * 0.78)} ${n1(w * 0.2)} ${n1(top * 0.7)} ${n1(w * 0.14)} ${n1(top * 0.6)}M${n1(-w * 0.9)} -30C${n1(-w * 0.5)} -60 ${n1(-w * 0.3)} -20 0 -34S${n1(w * 0.6)} -20 ${n1(w * 0.9)} -50"/></g>`
  let weave = ''
  for (let i = 0; i < 60; i++) weave += `M${n1(-w - 30 + i * ((wide + 60) / 60))} ${top}v${tall + 10}`
  for (let i = 0; i < 44; i++) weave += `M${-w - 30} ${n1(top + i * (tall / 44))}h${wide + 60}`
  return (
    `${shadowUnder(x, y, w * 1.14)}<g transform="translate(${x} ${y})"><defs>${round(id, cloth[0], cloth[1], cloth[2])}<clipPath id="${id}c"><path d="${body}"/></clipPath><filter id="${id}f" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="7"/></filter></defs>` +
    `<ellipse cx="0" cy="${top}" rx="${n1(w * 0.82)}" ry="${n1(w * 0.2)}" fill="${mix(cloth[0], '#000000', 0.35)}"/>${filling}` +
    `<path d="${body}" fill="url(#${id})"/><g clip-path="url(#${id}c)"><path d="${weave}" stroke="${cloth[0]}" stroke-width="1.4" opacity=".3"/>${folds}${print}</g>` +
    `<path d="M${n1(-w * 0.86)} ${top - 10}C${n1(-w * 0.4)} ${n1(top + w * 0.26)} ${n1(w * 0.4)} ${n1(top + w * 0.26)} ${n1(w * 0.86)} ${top - 10}C${n1(w * 0.92)} ${top + 26} ${n1(w * 0.5)} ${n1(top + w * 0.4)} 0 ${n1(top + w * 0.36)}C${n1(-w * 0.5)} ${n1(top + w * 0.4)} ${n1(-w * 0.92)} ${top + 26} ${n1(-w * 0.86)} ${top - 10}Z" fill="${cloth[2]}"/></g>`
  )
}

const jute: Ramp = ['#6f4f2a', '#b98d56', '#e2c08d']

function heap(x: number, y: number, rx: number, tall: number, colours: readonly string[], seed: string, grain = 7): string {
  const random = randomFrom(seed)
  let grains = ''
  for (let i = 0; i < 420; i++) {
    const across = between(random, -1, 1)
    const up = random() * Math.sqrt(Math.max(0, 1 - across * across))
    grains += `<ellipse cx="${n1(x + across * rx)}" cy="${n1(y - up * tall + between(random, 0, 6))}" rx="${n1(grain * between(random, 0.7, 1.2))}" ry="${n1(grain * 0.62)}" fill="${colours[i % colours.length]}" transform="rotate(${n1(between(random, -50, 50))} ${n1(x + across * rx)} ${n1(y - up * tall)})"/>`
  }
  return `<path d="M${x - rx} ${y}C${x - rx * 0.7} ${y - tall * 0.7} ${x - rx * 0.3} ${y - tall} ${x} ${y - tall}S${x + rx * 0.7} ${y - tall * 0.7} ${x + rx} ${y}Z" fill="${colours[0]}"/>${grains}`
}

function cake(x: number, y: number, radius: number): string {
  const thick = radius * 0.34
  const flat = radius * 0.36
  const id = newId()
  const random = randomFrom(`cake ${x} ${y}`)
  const specks = Array.from({ length: 60 }, () => {
    const angle = random() * Math.PI * 2
    const reach = Math.sqrt(random()) * 0.92
    return `<ellipse cx="${n1(x + Math.cos(angle) * radius * reach)}" cy="${n1(y - thick + Math.sin(angle) * flat * reach)}" rx="${n1(between(random, 2, 7))}" ry="${n1(between(random, 1.4, 3.4))}" fill="${random() < 0.5 ? '#7a4f26' : '#dcb483'}" opacity=".6"/>`
  }).join('')
  return (
    `<defs>${round(id, '#5f3a1a', '#a3703e', '#cf9d67')}</defs><path d="M${x - radius} ${y - thick}V${y}A${radius} ${flat} 0 0 0 ${x + radius} ${y}V${y - thick}Z" fill="url(#${id})"/>` +
    `<ellipse cx="${x}" cy="${y - thick}" rx="${radius}" ry="${flat}" fill="#b98650"/><ellipse cx="${x - radius * 0.15}" cy="${y - thick - flat * 0.1}" rx="${radius * 0.7}" ry="${flat * 0.66}" fill="#c9985f" opacity=".7"/>${specks}`
  )
}

function rope(path: string, width: number, colour: string): string {
  return (
    `<path d="${path}" stroke="#2a1206" stroke-opacity=".35" stroke-width="${width}" fill="none" transform="translate(4 9)"/><path d="${path}" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" fill="none"/>` +
    `<path d="${path}" stroke="#fff" stroke-opacity=".38" stroke-width="${width * 0.86}" stroke-dasharray="${width * 0.32} ${width * 0.52}" fill="none"/><path d="${path}" stroke="#000" stroke-opacity=".16" stroke-width="${width * 0.3}" fill="none" transform="translate(0 ${width * 0.28})"/>`
  )
}

function bellAndRope(): string {
  const coil = [0, 1, 2, 3]
    .map((i) =>
      rope(
        `M480 ${800 - i * 34}C480 ${750 - i * 34} 900 ${750 - i * 34} 900 ${800 - i * 34}C900 ${862 - i * 34} 480 ${862 - i * 34} 480 ${800 - i * 34}`,
        36,
        i % 2 ? '#c0503a' : '#d8b27a',
      ),
    )
    .join('')
  return (
    room(['#8d6b49', '#d3b48b', '#f3e2c2'], ['#5a3418', '#94602f', '#c8935a'], 'bell') +
    nearer(
      shadowUnder(690, 856, 300, 50) +
        coil +
        rope('M900 700C1010 640 1090 760 1010 850', 30, '#d8b27a') +
        shadowUnder(400, 850, 190) +
        thing('bell', 400, 850, 560, -6) +
        shadowUnder(1030, 868, 110) +
        thing('bell', 1030, 870, 300, 8),
      1.2,
      700,
    )
  )
}

function milkCan(): string {
  const steel = ['#5b636b', '#aab3ba', '#f4f7f9'] as const
  const can =
    `${shadowUnder(470, 860, 250)}<defs>${round('steel', steel[0], steel[1], steel[2])}</defs><path d="M300 500V820C300 870 640 870 640 820V500C640 440 560 420 560 360H380C380 420 300 440 300 500Z" fill="url(#steel)"/>` +
    `<path d="M300 560C300 600 640 600 640 560M300 780C300 822 640 822 640 780" stroke="${steel[0]}" stroke-width="7" fill="none" opacity=".55"/><path d="M366 300H574V372C574 390 366 390 366 372Z" fill="url(#steel)"/><ellipse cx="470" cy="300" rx="104" ry="26" fill="#dde3e7"/><path d="M440 284C440 250 500 250 500 284" stroke="${steel[0]}" stroke-width="15" fill="none" stroke-linecap="round"/>` +
    `<path d="M306 500C236 500 226 620 300 622M634 500C704 500 714 620 640 622" stroke="${steel[0]}" stroke-width="20" fill="none" stroke-linecap="round"/><path d="M306 497C240 500 232 612 300 617" stroke="#e8edf0" stroke-width="6" fill="none"/>`
  const pail = `${shadowUnder(850, 868, 180)}<path d="M700 640L740 862C742 886 958 886 960 862L1000 640Z" fill="url(#steel)"/><ellipse cx="850" cy="640" rx="150" ry="38" fill="#8f989f"/><ellipse cx="850" cy="650" rx="134" ry="29" fill="#fffdf6"/><path d="M700 640C720 470 980 470 1000 640" stroke="${steel[0]}" stroke-width="10" fill="none"/>`
  return (
    room(['#5f8590', '#a9cbd0', '#e6f4f2'], ['#6b4a2c', '#a87a4a', '#d8b07c'], 'milk') +
    nearer(can + pail + shadowUnder(1080, 868, 90) + thing('glass-of-milk', 1080, 880, 230), 1.15, 690)
  )
}

const fodder = (x: number, y: number, count: number, length: number, seed: string): string => {
  const random = randomFrom(seed)
  return Array.from(
    { length: count },
    () =>
      `<path d="M${n1(x + between(random, -30, 30))} ${n1(y + between(random, -34, 30))}q${n1(-length * 0.5)} ${n1(between(random, -60, 10))} ${n1(-length * between(random, 0.8, 1.1))} ${n1(between(random, -60, 40))}" stroke="${['#5f9a3a', '#86bb4d', '#417a2c'][Math.floor(random() * 3)]}" stroke-width="${n1(between(random, 7, 13))}" stroke-linecap="round" fill="none"/>`,
  ).join('')
}

function wheel(x: number, y: number, radius: number): string {
  const spokes = Array.from({ length: 6 }, (_, i) => {
    const angle = (i / 6) * Math.PI * 2 + 0.3
    return `<path d="M${x} ${y}Q${n1(x + Math.cos(angle + 0.35) * radius * 0.6)} ${n1(y + Math.sin(angle + 0.35) * radius * 0.6)} ${n1(x + Math.cos(angle) * radius)} ${n1(y + Math.sin(angle) * radius)}" stroke="#1f5c3a" stroke-width="${n1(radius * 0.09)}" fill="none"/>`
  }).join('')
  return (
    `<circle cx="${x + 9}" cy="${y + 12}" r="${radius}" stroke="#000" stroke-opacity=".28" stroke-width="${n1(radius * 0.13)}" fill="none"/>${spokes}<circle cx="${x}" cy="${y}" r="${radius}" stroke="#1f5c3a" stroke-width="${n1(radius * 0.13)}" fill="none"/>` +
    `<path d="M${n1(x - radius * 0.94)} ${n1(y - radius * 0.34)}A${radius} ${radius} 0 0 1 ${n1(x + radius * 0.5)} ${n1(y - radius * 0.87)}" stroke="#7fbf94" stroke-width="${n1(radius * 0.04)}" fill="none" opacity=".8"/><circle cx="${x}" cy="${y}" r="${n1(radius * 0.17)}" fill="#2a2d31"/><circle cx="${n1(x - radius * 0.04)}" cy="${n1(y - radius * 0.05)}" r="${n1(radius * 0.07)}" fill="#9aa2a8"/>` +
    `<path d="M${n1(x + radius * 0.1)} ${n1(y - radius * 0.06)}C${n1(x + radius * 0.5)} ${n1(y - radius * 0.46)} ${n1(x + radius * 0.86)} ${n1(y - radius * 0.3)} ${n1(x + radius * 0.96)} ${n1(y + radius * 0.1)}C${n1(x + radius * 0.7)} ${n1(y - radius * 0.1)} ${n1(x + radius * 0.4)} ${n1(y - radius * 0.1)} ${n1(x + radius * 0.1)} ${n1(y + radius * 0.1)}Z" fill="#dfe5e8" stroke="#7d868c" stroke-width="3"/>` +
    `<g transform="rotate(180 ${x} ${y})"><path d="M${n1(x + radius * 0.1)} ${n1(y - radius * 0.06)}C${n1(x + radius * 0.5)} ${n1(y - radius * 0.46)} ${n1(x + radius * 0.86)} ${n1(y - radius * 0.3)} ${n1(x + radius * 0.96)} ${n1(y + radius * 0.1)}C${n1(x + radius * 0.7)} ${n1(y - radius * 0.1)} ${n1(x + radius * 0.4)} ${n1(y - radius * 0.1)} ${n1(x + radius * 0.1)} ${n1(y + radius * 0.1)}Z" fill="#c4ccd1" stroke="#7d868c" stroke-width="3"/></g>`
  )
}

function chaffCutter(near: boolean): string {
  const machine =
    `<path d="M520 470L470 868M800 470L850 868M490 740H835M660 470V868" stroke="#24352b" stroke-width="24" stroke-linecap="round"/><path d="M520 470L470 868" stroke="#4f7a60" stroke-width="7" transform="translate(-6 0)"/>` +
    `<path d="M150 400L560 440V530L190 520Z" fill="#2f7a50"/><path d="M150 400L560 440L600 420L200 372Z" fill="#4fa374"/>${fodder(560, 430, 34, 420, 'hopper')}<path d="M150 400L190 520L560 530V486L176 470Z" fill="#2a6d47"/>` +
    `<path d="M540 400H820C840 400 846 416 846 430V560H540Z" fill="#c23b2b"/><path d="M540 400H820C834 400 842 408 845 420H540Z" fill="#e8735f"/><rect x="566" y="452" width="120" height="74" rx="8" fill="#f6e7c4"/><path d="M586 474h80M586 492h80M586 508h50" stroke="#7d5c31" stroke-width="6"/>`
  const chopped = heap(1040, 880, 170, 120, ['#5f9a3a', '#86bb4d', '#a8cf6a', '#417a2c'], 'chopped', 9)
  const all = `${shadowUnder(660, 872, 330, 44)}${machine}${wheel(880, 480, 250)}<path d="M1080 330l66 -30" stroke="#2a2d31" stroke-width="16"/><rect x="1130" y="268" width="34" height="86" rx="17" fill="#94602f"/>${shadowUnder(1040, 884, 180)}${chopped}`
  const camera = near ? '<g transform="translate(-700 -330) scale(1.62)">' : '<g>'
  return room(['#7d8f6c', '#bccba2', '#eef3d8'], ['#5c4a3a', '#8f7a63', '#bda78c'], 'chaff') + camera + all + '</g>'
}

function groundnutCake(near: boolean): string {
  const wall = room(['#8a6a3c', '#d8ba82', '#f6e8c6'], ['#4f2f17', '#8a5a2e', '#bf8c55'], 'cake')
  const nuts = (places: readonly (readonly [number, number, number, number])[]) =>
    places.map(([x, y, size, turn]) => `${shadowUnder(x, y - 8, size * 0.42, 12)}${thing('peanuts', x, y, size, turn)}`).join('')
  if (near)
    return `${wall}${shadowUnder(600, 800, 380, 60)}${cake(600, 800, 350)}${cake(640, 690, 330)}${cake(580, 580, 310)}${nuts([
      [1010, 890, 190, 10],
      [1120, 840, 150, 60],
      [190, 850, 170, -20],
    ])}`
  const filling = `<g transform="translate(0 -430)">${cake(-70, 20, 110)}${cake(80, 16, 100)}${cake(0, -30, 110)}</g>`
  const stamp = `<circle cy="-190" r="84" fill="none" stroke="#1f5c3a" stroke-width="9" opacity=".75"/><g opacity=".85" transform="translate(0 -128) scale(4.2) translate(-16 -30)">${drawEmoji({ name: 'peanuts', roles: {}, range: { coat: [0.2, 0.9] } }, { coat: ['#123b25', '#1f5c3a', '#3d7d58'] })}</g>`
  return (
    wall +
    nearer(
      `${sack(430, 868, 400, 440, jute, stamp, filling)}${shadowUnder(880, 850, 230, 40)}${cake(880, 850, 200)}${cake(900, 784, 190)}${nuts(
        [
          [690, 900, 130, -10],
          [1080, 890, 140, 30],
          [1010, 908, 110, 80],
        ],
      )}`,
      1.15,
      690,
    )
  )
}

function bale(x: number, y: number, wide: number, tall: number): string {
  const random = randomFrom(`bale ${x} ${y}`)
  const deep = 70
  const id = newId()
  const straws = Array.from({ length: 230 }, () => {
    const sx = x + random() * wide
    const sy = y - random() * tall
    return `<path d="M${n1(sx)} ${n1(sy)}l${n1(between(random, 18, 74))} ${n1(between(random, -7, 7))}" stroke="${['#f3dc93', '#c79a3c', '#e6c365', '#a97d2b'][Math.floor(random() * 4)]}" stroke-width="${n1(between(random, 2, 4.5))}" opacity=".8"/>`
  }).join('')
  const ends = Array.from(
    { length: 60 },
    () =>
      `<circle cx="${n1(x + wide + random() * deep)}" cy="${n1(y - random() * tall - 20)}" r="${n1(between(random, 2, 4.5))}" fill="${random() < 0.5 ? '#e6c365' : '#7d5a1c'}" opacity=".8"/>`,
  ).join('')
  return (
    `<defs><clipPath id="${id}"><rect x="${x - 8}" y="${y - tall}" width="${wide + 8}" height="${tall}" rx="14"/></clipPath></defs><path d="M${x} ${y - tall + 6}L${x + deep} ${y - tall - 44}H${x + wide + deep}L${x + wide} ${y - tall + 6}Z" fill="#f0d487"/><path d="M${x + wide} ${y - tall}L${x + wide + deep} ${y - tall - 44}V${y - 44}L${x + wide} ${y}Z" fill="#a97d2b"/>` +
    `<rect x="${x}" y="${y - tall}" width="${wide}" height="${tall}" rx="14" fill="#d6ab4a"/><g clip-path="url(#${id})">${straws}</g><g opacity=".8">${ends}</g>` +
    [0.3, 0.7]
      .map(
        (share) =>
          `<path d="M${x + wide * share} ${y}V${y - tall}L${x + wide * share + deep} ${y - tall - 44}" stroke="#8c3f22" stroke-width="7" fill="none"/>`,
      )
      .join('')
  )
}

function paddyStraw(): string {
  const scene = drawScene('dawn', 'straw')
  return (
    `${scene.far}${scene.ground}<defs><filter id="ground" x="-30%" y="-90%" width="160%" height="280%"><feGaussianBlur stdDeviation="15"/></filter></defs>` +
    `${shadowUnder(660, 850, 500, 44)}${bale(180, 850, 400, 240)}${bale(640, 850, 400, 240)}${bale(390, 618, 400, 240)}<g>${shadowUnder(1130, 876, 110)}${thing('sheaf-of-rice', 1120, 900, 380, 8)}</g>${scene.front}`
  )
}

function poultryFeed(): string {
  const print = `<rect x="-136" y="-330" width="272" height="210" rx="20" fill="#fff8e4"/><g transform="translate(0 -136) scale(5.4) translate(-16 -30)">${drawEmoji({ name: 'rooster', roles: {}, range: {} }, {})}</g><rect x="-240" y="-90" width="480" height="34" fill="#b5482a"/>`
  const bowl =
    '<path d="M690 760C690 880 1010 880 1010 760Z" fill="#b5482a"/><path d="M690 760C690 880 760 850 780 846C730 820 712 790 712 760Z" fill="#e08a5e"/><ellipse cx="850" cy="760" rx="160" ry="34" fill="#7d2d17"/>'
  return (
    room(['#9a7a3a', '#e3c987', '#fbf0cd'], ['#5f3c1c', '#a06c38', '#d29f66'], 'poultry') +
    nearer(
      sack(
        420,
        868,
        380,
        500,
        ['#8d8676', '#d9d2bf', '#fbf7ea'],
        print,
        '<g transform="translate(0 -486)">' + heap(0, 20, 150, 60, ['#d9a53a', '#f0cd6e', '#b57a2a', '#8c4a22'], 'in sack') + '</g>',
      ) +
        shadowUnder(850, 850, 200) +
        bowl +
        heap(850, 770, 150, 90, ['#d9a53a', '#f0cd6e', '#b57a2a', '#8c4a22', '#f6e3a6'], 'bowl') +
        shadowUnder(1040, 880, 110) +
        thing('ear-of-corn', 1025, 900, 250, 10),
      1.13,
      680,
    )
  )
}

const drawings: Record<string, { light: string; views: readonly (() => string)[] }> = {
  'bell-and-rope': { light: '#ffe2a8', views: [bellAndRope] },
  'milk-can': { light: '#e6f6ff', views: [milkCan] },
  'chaff-cutter': { light: '#fff2c0', views: [() => chaffCutter(false), () => chaffCutter(true)] },
  'groundnut-cake': { light: '#ffe2a8', views: [() => groundnutCake(false), () => groundnutCake(true)] },
  'paddy-straw': { light: '#ffb35c', views: [paddyStraw] },
  'poultry-feed': { light: '#fff0c0', views: [poultryFeed] },
}

export const goodsViews = (key: string): number => drawings[key]?.views.length ?? 0
export const isGoods = (key: string): boolean => key in drawings

export function drawGoods(key: string, index: number): { drawing: string; light: string } {
  const entry = drawings[key]
  const view = entry?.views[index]
  if (!entry || !view) throw new Error(`No still life for picture ${index + 1} of ${key}`)
  restartIds()
  return { drawing: view(), light: entry.light }
}
