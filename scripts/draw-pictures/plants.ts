// Plants and objects of a Tamil Nadu village, in picture pixels (1280 x 960).

import { mix } from './coats.ts'
import { between, n1, type Random } from './random.ts'

export function coconutPalm(x: number, y: number, scale: number, random: Random, leaf = '#3f7d3a'): string {
  const lean = between(random, -40, 40) * scale
  const top = y - 330 * scale
  const trunk = `<path d="M${n1(x - 9 * scale)} ${n1(y)}Q${n1(x + lean * 0.1)} ${n1(y - 170 * scale)} ${n1(x + lean - 5 * scale)} ${n1(top)}H${n1(x + lean + 6 * scale)}Q${n1(x + lean * 0.3 + 9 * scale)} ${n1(y - 150 * scale)} ${n1(x + 12 * scale)} ${n1(y)}Z" fill="#7d6144"/>`
  let fronds = ''
  for (let i = 0; i < 11; i++) {
    const angle = Math.PI * (0.98 + (i / 10) * 1.04) + between(random, -0.1, 0.1)
    const reach = between(random, 120, 165) * scale
    const tipX = x + lean + Math.cos(angle) * reach
    const tipY = top + Math.sin(angle) * reach * 0.62 + 70 * scale
    const bendX = x + lean + Math.cos(angle) * reach * 0.6
    const bendY = top + Math.sin(angle) * reach * 0.95 - 12 * scale
    const colour = mix(leaf, i % 2 ? '#8fbf5a' : '#1f4a2c', 0.3)
    fronds += `<path d="M${n1(x + lean)} ${n1(top)}Q${n1(bendX)} ${n1(bendY)} ${n1(tipX)} ${n1(tipY)}Q${n1(bendX - 4 * scale)} ${n1(bendY + 34 * scale)} ${n1(x + lean)} ${n1(top + 6 * scale)}Z" fill="${colour}"/>`
  }
  const nuts = `<g fill="#a8873c"><circle cx="${n1(x + lean - 9 * scale)}" cy="${n1(top + 12 * scale)}" r="${n1(9 * scale)}"/><circle cx="${n1(x + lean + 8 * scale)}" cy="${n1(top + 14 * scale)}" r="${n1(9 * scale)}"/></g>`
  return trunk + fronds + nuts
}

/** The palmyra, the state tree: a straight dark trunk and a round head of fans. */
export function palmyra(x: number, y: number, scale: number, random: Random, leaf = '#4c7040'): string {
  const top = y - 350 * scale
  let fans = ''
  for (let i = 0; i < 15; i++) {
    const angle = (i / 15) * Math.PI * 2 + between(random, -0.15, 0.15)
    const reach = between(random, 48, 76) * scale
    const tips = Array.from({ length: 7 }, (_, k) => {
      const spread = angle + (k - 3) * 0.16
      const far = reach * (k % 2 ? 1 : 0.82)
      return `L${n1(x + Math.cos(spread) * far)} ${n1(top + Math.sin(spread) * far * 0.9)}`
    })
    fans += `<path d="M${n1(x)} ${n1(top)}${tips.join('')}Z" fill="${mix(leaf, i % 2 ? '#86a35a' : '#23402a', 0.35)}"/>`
  }
  return `<path d="M${n1(x - 11 * scale)} ${n1(y)}L${n1(x - 7 * scale)} ${n1(top)}H${n1(x + 7 * scale)}L${n1(x + 12 * scale)} ${n1(y)}Z" fill="#54453a"/>${fans}`
}

export function thatchedHut(x: number, y: number, scale: number, wall = '#d9b07c'): string {
  const s = (value: number) => n1(value * scale)
  return (
    `<g transform="translate(${n1(x)} ${n1(y)})"><path d="M${s(-105)} 0V${s(-92)}H${s(105)}V0Z" fill="${wall}"/><path d="M${s(20)} 0V${s(-92)}H${s(105)}V0Z" fill="#000" opacity=".1"/>` +
    `<rect x="${s(-26)}" y="${s(-70)}" width="${s(38)}" height="${s(70)}" fill="#5a3b26"/><rect x="${s(46)}" y="${s(-66)}" width="${s(30)}" height="${s(28)}" fill="#6b4a32"/>` +
    `<path d="M${s(-150)} ${s(-72)}Q${s(-60)} ${s(-190)} ${s(-20)} ${s(-205)}H${s(26)}Q${s(70)} ${s(-188)} ${s(150)} ${s(-72)}Q0 ${s(-100)} ${s(-150)} ${s(-72)}Z" fill="#a9814a"/>` +
    `<path d="M${s(-120)} ${s(-92)}L${s(-30)} ${s(-196)}M${s(-70)} ${s(-98)}L${s(-10)} ${s(-200)}M0 ${s(-100)}V${s(-200)}M${s(70)} ${s(-98)}L${s(16)} ${s(-200)}M${s(120)} ${s(-90)}L${s(34)} ${s(-196)}" stroke="#7d5c31" stroke-width="${s(4)}" opacity=".6"/></g>`
  )
}

export function haystack(x: number, y: number, scale: number): string {
  const s = (value: number) => n1(value * scale)
  return (
    `<g transform="translate(${n1(x)} ${n1(y)})"><path d="M${s(-85)} 0C${s(-98)} ${s(-60)} ${s(-70)} ${s(-120)} ${s(-4)} ${s(-165)}C${s(70)} ${s(-120)} ${s(98)} ${s(-60)} ${s(86)} 0Z" fill="#d8b25a"/>` +
    `<path d="M${s(10)} ${s(-155)}C${s(72)} ${s(-115)} ${s(98)} ${s(-60)} ${s(86)} 0H${s(20)}Z" fill="#9c7430" opacity=".35"/><path d="M${s(-60)} ${s(-20)}L${s(-40)} ${s(-90)}M${s(-30)} ${s(-15)}L${s(-14)} ${s(-110)}M${s(4)} ${s(-20)}V${s(-130)}M${s(40)} ${s(-15)}L${s(24)} ${s(-100)}" stroke="#f1d88c" stroke-width="${s(4)}" opacity=".55"/><path d="M${s(-4)} ${s(-160)}V${s(-190)}" stroke="#6b4a2c" stroke-width="${s(7)}"/></g>`
  )
}

export function banana(x: number, y: number, scale: number, random: Random): string {
  let leaves = ''
  for (let i = 0; i < 7; i++) {
    const angle = Math.PI * (1.08 + (i / 6) * 0.84)
    const reach = between(random, 110, 165) * scale
    const tipX = x + Math.cos(angle) * reach
    const tipY = y - 120 * scale + Math.sin(angle) * reach * 0.95 + 26 * scale
    const bendX = x + Math.cos(angle) * reach * 0.35
    const bendY = y - 150 * scale + Math.sin(angle) * reach * 0.9
    leaves += `<path d="M${n1(x)} ${n1(y - 110 * scale)}Q${n1(bendX)} ${n1(bendY)} ${n1(tipX)} ${n1(tipY)}Q${n1(bendX + 34 * scale)} ${n1(bendY + 30 * scale)} ${n1(x)} ${n1(y - 96 * scale)}Z" fill="${i % 2 ? '#6fae45' : '#4e9140'}"/>`
  }
  return `<path d="M${n1(x - 10 * scale)} ${n1(y)}L${n1(x - 6 * scale)} ${n1(y - 120 * scale)}H${n1(x + 6 * scale)}L${n1(x + 11 * scale)} ${n1(y)}Z" fill="#8c9c56"/>${leaves}`
}

export function bush(x: number, y: number, scale: number, random: Random, colour: string): string {
  let leaves = ''
  for (let i = 0; i < 9; i++) {
    const dx = between(random, -58, 58) * scale
    const dy = -between(random, 8, 62) * scale * (1 - Math.abs(dx) / (110 * scale))
    leaves += `<circle cx="${n1(x + dx)}" cy="${n1(y + dy)}" r="${n1(between(random, 20, 36) * scale)}" fill="${mix(colour, i % 3 ? '#22421f' : '#b9d37c', 0.18)}"/>`
  }
  return leaves
}

export function granitePosts(y: number, colour = '#a79d8f'): string {
  let posts = ''
  for (let x = -20; x < 1300; x += 142)
    posts += `<path d="M${x} ${y + 66}L${x + 3} ${y - 62}L${x + 12} ${y - 70}L${x + 21} ${y - 62}L${x + 24} ${y + 66}Z" fill="${colour}"/><path d="M${x + 14} ${y - 68}L${x + 21} ${y - 62}L${x + 24} ${y + 66}H${x + 15}Z" fill="#000" opacity=".14"/>`
  return `${posts}<path d="M-10 ${y - 34}Q320 ${y - 22} 640 ${y - 34}T1290 ${y - 34}M-10 ${y + 10}Q320 ${y + 20} 640 ${y + 10}T1290 ${y + 10}" stroke="#7a7166" stroke-width="3" fill="none" opacity=".8"/>`
}

/** A tuft of grass whose blades fan out from one root. */
export function tuft(x: number, y: number, scale: number, random: Random, colours: readonly string[]): string {
  let blades = ''
  const count = 5 + Math.floor(random() * 3)
  for (let i = 0; i < count; i++) {
    const lean = (i - (count - 1) / 2) * 7 + between(random, -4, 4)
    const tall = between(random, 16, 34) * scale
    const half = 2.2 * scale
    const colour = colours[i % colours.length] ?? '#6a9a3a'
    blades += `<path d="M${n1(x - half)} ${n1(y)}Q${n1(x + lean * 0.2 * scale)} ${n1(y - tall * 0.6)} ${n1(x + lean * scale)} ${n1(y - tall)}Q${n1(x + lean * 0.35 * scale + half)} ${n1(y - tall * 0.5)} ${n1(x + half)} ${n1(y)}Z" fill="${colour}"/>`
  }
  return blades
}
