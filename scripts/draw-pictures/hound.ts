// The slim sighthounds of the south (Rajapalayam, Chippiparai, Kanni). No emoji is slim, so this is our own drawing.

import { coats, fromRamp, mix, type Ramp } from './coats.ts'
import { newId } from './emoji.ts'
import { tapered } from './parts.ts'

export const houndPlace = {
  box: { left: 1.4, right: 31, top: 3.6, feet: 29.9 },
  hooves: [9.2, 11.4, 20.6, 24],
  head: { x: 9.6, y: 10.6, wide: 19 },
}

export const HOUND_BODY =
  'M1.6 8.3C2 7.6 4 6.6 5.4 5.6C6.2 4.6 7.4 4 8.6 4.3C9.9 4.6 10.5 5.6 10.9 6.9C11.4 8.5 12.2 9.7 13.8 10.1' +
  'C16.2 10.6 18.6 9.5 21 9.7C23.3 9.9 25 11.2 25.4 13.2C25.7 14.9 25.2 16.1 25.7 17.7C26.1 18.8 27 19.7 27 20.9' +
  'C27.1 21.7 26.4 22.5 26.2 23.4L25.9 28.7C25.9 29.5 25.5 29.9 24.9 29.9H23C22.5 29.9 22.3 29.3 22.8 29L23.9 28.3L24.2 22.6' +
  'C23.4 21.4 22.1 20.4 21.2 19C20.6 18 20.1 17.2 19.3 17.1C17.4 17.5 15.3 19.3 13.5 20.3L13.1 28.4C13.1 29.3 12.7 29.9 12 29.9' +
  'H10.2C9.6 29.9 9.5 29.3 9.9 29L11 28.3L10.6 20.4C9 19.6 7.9 17.6 7.9 15.4C7.9 13.4 8.3 11.4 7.3 10.1C6.3 10.5 4.6 10.2 3.2 9.9' +
  'C2.2 9.7 1.2 9.2 1.6 8.3Z'

export interface HoundPaints {
  readonly nose?: string
}

export function drawHound(coat: Ramp, paints: HoundPaints = {}): string {
  const id = newId()
  const nose = paints.nose ?? '#2a2023'
  const far = fromRamp(coat, 0.2)
  const tail = tapered(
    [
      [24.6, 12],
      [27.4, 14.6],
      [27.6, 19.6],
      [30.6, 17.2],
    ],
    0.72,
    0.28,
  )
  return (
    `<defs><linearGradient id="${id}f" x2="0" y2="1"><stop stop-color="${fromRamp(coat, 0.74)}"/><stop offset=".4" stop-color="${fromRamp(coat, 0.56)}"/><stop offset=".72" stop-color="${fromRamp(coat, 0.34)}"/><stop offset="1" stop-color="${fromRamp(coat, 0.46)}"/></linearGradient>` +
    `<clipPath id="${id}c"><path d="${HOUND_BODY}"/></clipPath><filter id="${id}b" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation=".7"/></filter></defs>` +
    `<path d="M20.2 17.4L22.6 19.8L20.3 24.6L19.9 28.6L18.7 29.1C18.3 29.4 18.5 29.9 19 29.9H21C21.5 29.9 21.7 29.5 21.8 28.9L22.4 24.9L25 20.5Z" fill="${far}"/>` +
    `<path d="M9.5 18.6L8.7 23.6L8.5 28.5L7.5 29.1C7.1 29.4 7.3 29.9 7.8 29.9H9.6C10.2 29.9 10.4 29.5 10.5 28.9L11.7 20.5Z" fill="${far}"/>` +
    `<path d="${tail}" fill="${fromRamp(coat, 0.46)}" stroke="${fromRamp(coat, 0.46)}" stroke-width=".3" stroke-linejoin="round"/>` +
    `<path d="${HOUND_BODY}" fill="url(#${id}f)"/>` +
    `<g clip-path="url(#${id}c)" filter="url(#${id}b)"><ellipse cx="22.6" cy="13.4" rx="2.8" ry="3.4" fill="${coat[2]}" opacity=".5"/><path d="M11.8 8L14.5 11.6L20 10.9" stroke="${coat[2]}" stroke-width="1" fill="none" opacity=".6"/><ellipse cx="10.6" cy="15" rx="1.7" ry="3.6" fill="${coat[2]}" opacity=".34"/>` +
    `<path d="M8 17.5C9.5 20.5 14 20.5 19.5 16.6" stroke="${coat[0]}" stroke-width="1.5" fill="none" opacity=".5"/><path d="M20.5 12.5C19.7 15 20.3 17 22 18.6" stroke="${coat[0]}" stroke-width=".7" fill="none" opacity=".32"/><path d="M7 10.2C8.6 10 10 9 10.8 7.4" stroke="${coat[0]}" stroke-width=".7" fill="none" opacity=".4"/></g>` +
    `<path d="M8.3 4.9C9.9 4.4 11.5 5.7 11.8 7.7C11.9 9 11 9.6 10.2 9.1C9 8.3 8.2 6.5 8.3 4.9Z" fill="${fromRamp(coat, 0.3)}"/><path d="M8.7 5.2C9.8 5 10.9 6.1 11.1 7.6" stroke="${fromRamp(coat, 0.62)}" stroke-width=".35" stroke-linecap="round" fill="none"/>` +
    `<path d="M1.4 8.2C1.5 7.5 2.3 7.2 2.9 7.4C3 8.1 2.6 8.7 2 8.8C1.6 8.8 1.3 8.6 1.4 8.2Z" fill="${nose}"/><path d="M2.6 9.3C3.7 9.5 4.7 9.5 5.5 9.2" stroke="${mix(coat[0], '#000000', 0.3)}" stroke-width=".16" fill="none" opacity=".7"/>` +
    `<ellipse cx="6.150" cy="6.9" rx=".52" ry=".66" fill="#2b1d17"/><circle cx="6" cy="6.650" r=".17" fill="#fff" opacity=".85"/>`
  )
}

export const pinkNose = coats.flesh[0]
