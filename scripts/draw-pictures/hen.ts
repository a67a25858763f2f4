// A hen. Fluent has only the rooster, so this is our own drawing: small comb, round body, short tail.

import { coats, fromRamp, mix, type Ramp } from './coats.ts'
import { newId } from './emoji.ts'
import { n2 } from './random.ts'

export const henPlace = {
  box: { left: 3.2, right: 29.8, top: 2.2, feet: 30 },
  hooves: [14.2, 18.4],
  head: { x: 11.6, y: 10.4, wide: 20 },
}

export const HEN_BODY =
  'M6.3 8C6.3 5.7 8 4.1 10 4.1C12 4.1 13.2 5.7 13.8 7.6C14.8 10.6 16.8 13.2 19.7 13.3C22 13.4 23.6 11.5 25.5 9.3C26.3 8.4 27.5 8.7 27.7 9.8' +
  'C28.7 9.9 29.2 10.9 28.8 11.8C29.7 12.3 29.8 13.5 29.1 14.2C29.5 15.2 29.1 16.1 28.3 16.5C27.9 21.6 23.6 26.2 17.4 26.2C11.2 26.2 6.4 21.7 6.2 15.7C6.1 13 6.7 10.6 6.3 8Z'
export const HEN_WING =
  'M10.8 16.7C13.4 14.7 19.8 14.7 23.8 17C24.8 17.6 24.6 18.8 23.6 19C24.2 19.8 23.6 20.9 22.4 20.9C22.7 21.9 21.7 22.7 20.5 22.5C16 23.7 11.6 21.7 10.8 16.7Z'

export interface HenPaints {
  readonly comb?: Ramp
  readonly leg?: Ramp
  readonly neck?: Ramp
  readonly wing?: Ramp
  /** Bare skin instead of neck feathers. */
  readonly nakedNeck?: boolean
}

/** Rows of small scallops for the feathers. */
function feathers(colour: string): string {
  let rows = ''
  for (let row = 0; row < 9; row++) {
    for (let i = 0; i < 13; i++) {
      const x = 5.4 + i * 1.9 + (row % 2) * 0.95
      const y = 9 + row * 1.85
      rows += `M${n2(x)} ${n2(y)}q.6 .85 1.3 0`
    }
  }
  return `<path d="${rows}" stroke="${colour}" stroke-width=".2" stroke-linecap="round" fill="none" opacity=".55"/>`
}

export function drawHen(coat: Ramp, paints: HenPaints = {}): string {
  const id = newId()
  const comb = paints.comb ?? coats.comb
  const leg = paints.leg ?? coats.leg
  const neck = paints.neck ?? coat
  const wing = paints.wing ?? coat
  const legs = [14.2, 18.4]
    .map(
      (x) =>
        `<path d="M${x + 1.3} 25L${x + 0.3} 29.2" stroke="${leg[1]}" stroke-width="1" /><path d="M${x - 2} 29.5L${x + 0.2} 28.8L${x + 2} 29.5M${x + 0.1} 28.9L${x - 0.3} 29.7" stroke="${leg[1]}" stroke-width=".9" stroke-linecap="round" stroke-linejoin="round" fill="none"/><path d="M${x + 1} 25.6L${x + 0.2} 28.9" stroke="${leg[2]}" stroke-width=".3"/>`,
    )
    .join('')
  const neckCover = paints.nakedNeck
    ? `<path d="M5 9.6H14.6L16 13.4H5Z" fill="${comb[1]}" opacity=".8"/><path d="M7 10.5h7M6.6 11.6h8M6.5 12.7h8.6" stroke="${comb[0]}" stroke-width=".18" opacity=".6"/>`
    : `<path d="M4 2H14L17.5 13.4L13.6 15.6L11 14.2L8.4 15.8L4 13.6Z" fill="url(#${id}n)" opacity=".96"/>`
  return (
    `<defs><linearGradient id="${id}f" x2="0" y2="1"><stop stop-color="${fromRamp(coat, 0.8)}"/><stop offset=".5" stop-color="${fromRamp(coat, 0.52)}"/><stop offset="1" stop-color="${fromRamp(coat, 0.12)}"/></linearGradient>` +
    `<linearGradient id="${id}n" x2="0" y2="1"><stop stop-color="${fromRamp(neck, 0.85)}"/><stop offset="1" stop-color="${fromRamp(neck, 0.5)}"/></linearGradient>` +
    `<linearGradient id="${id}w" x2="0" y2="1"><stop stop-color="${fromRamp(wing, 0.66)}"/><stop offset="1" stop-color="${fromRamp(wing, 0.2)}"/></linearGradient>` +
    `<clipPath id="${id}c"><path d="${HEN_BODY}"/></clipPath><filter id="${id}b" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation=".9"/></filter></defs>` +
    legs +
    `<path d="M7.6 4.9C7 3.5 7.9 2.7 8.7 3.2C8.9 2.1 10.3 2.1 10.6 3.1C11.5 2.6 12.3 3.5 11.9 4.7L10 5.6Z" fill="${comb[1]}"/><path d="M8.8 3.7C9 2.9 9.7 2.7 10.1 3.1" stroke="${comb[2]}" stroke-width=".3" stroke-linecap="round" fill="none"/>` +
    `<path d="${HEN_BODY}" fill="url(#${id}f)"/><g clip-path="url(#${id}c)">${feathers(mix(coat[0], coat[1], 0.25))}` +
    neckCover +
    `<g filter="url(#${id}b)"><ellipse cx="9" cy="14.5" rx="1.6" ry="4" fill="${coat[2]}" opacity=".38"/><path d="M25 10.5L28 16" stroke="${coat[0]}" stroke-width="1" opacity=".3"/><path d="M8 22C12 27 21 27.5 27 20" stroke="${coat[0]}" stroke-width="2.4" fill="none" opacity=".55"/></g>` +
    `<path d="M24 12.5C25 13.5 25.5 15 25.4 16.5M26 10.8C27 12.4 27.3 14.3 27 16.3" stroke="${coat[0]}" stroke-width=".22" fill="none" opacity=".6"/></g>` +
    `<path d="${HEN_WING}" fill="${coat[0]}" opacity=".35" transform="translate(.2 .5)"/><path d="${HEN_WING}" fill="url(#${id}w)"/><path d="M14 17.6C17 16.9 20.5 17.3 23.2 18.7M14.3 19.4C17 18.9 20.2 19.4 22.8 20.6M15.6 21C17.6 20.8 19.6 21.3 21 22" stroke="${wing[0]}" stroke-width=".26" stroke-linecap="round" fill="none" opacity=".65"/>` +
    `<path d="M6.6 7.4C5.4 7.5 4 8.3 3.3 9.3C4.6 9.8 6 9.6 6.9 9.3Z" fill="${coats.beak[1]}"/><path d="M3.7 9.1C4.7 8.5 5.7 8.3 6.6 8.3" stroke="${coats.beak[0]}" stroke-width=".16" fill="none"/>` +
    `<path d="M6.5 9.2C7.9 9.3 8 11.3 7 12C6 11.9 5.8 10.3 6.5 9.2Z" fill="${comb[1]}"/><ellipse cx="8.1" cy="7.9" rx="1.5" ry="1.4" fill="${comb[1]}" opacity=".92"/>` +
    `<circle cx="8" cy="7.5" r=".58" fill="#2b1d17"/><circle cx="7.850" cy="7.3" r=".18" fill="#fff" opacity=".9"/>`
  )
}
