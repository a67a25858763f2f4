import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Drawing } from './draw-breeds/bodies.ts'
import { breedDrawings } from './draw-breeds/breeds.ts'

/**
 * Draws public/breeds/<id>.svg for each breed from the parameters in draw-breeds/breeds.ts. Run it by hand after a change: `npm ci --prefix
 * scripts/source-data && node scripts/draw-breeds.ts`. The outlines come from Fluent Emoji (MIT; the notice is in scripts/draw-pictures/README.md).
 */
const folder = join(import.meta.dirname, '../public/breeds')

const GROUND_Y = 29.8

/** Each drawing has its own ground and sky, so that a white cow and a black buffalo are visible on pages of any colour. */
function svgOf({ body, coat, behind, markings, front, size }: Drawing): string {
  const blurred = markings.includes('url(#f)') ? '<filter id="f"><feGaussianBlur stdDeviation="1.2"/></filter>' : ''
  const shrunk = size === 1 ? '' : ` transform="translate(${tidy(16 * (1 - size))} ${tidy(GROUND_Y * (1 - size))}) scale(${size})"`
  return tidyText(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -4.5 36 36"><defs><path id="b" d="${body}"/><clipPath id="c"><use href="#b"/></clipPath>` +
      `<linearGradient id="s" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".35"/><stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".35"/></linearGradient>${blurred}` +
      `<clipPath id="t"><rect x="-2" y="-4.5" width="36" height="36" rx="6"/></clipPath></defs>` +
      `<g clip-path="url(#t)"><path d="M-2-5h36v37h-36z" fill="#c9dfdc"/><path d="M-2 25q18-3 36 0v7h-36z" fill="#cdb07c"/><ellipse cx="16" cy="29.7" rx="${tidy(13 * size)}" ry="1.2" opacity=".25"/></g>` +
      `<g${shrunk}>${behind}<use href="#b" fill="${coat[1]}"/><g clip-path="url(#c)">${markings}</g><use href="#b" fill="url(#s)"/>${front}</g></svg>\n`,
  )
}

const tidy = (value: number): number => Math.round(value * 100) / 100
/** Rounds to two decimal places. A rounded integer keeps its distance from a following ".5". */
const tidyText = (svg: string): string =>
  svg.replace(/\d*\.\d+(?=(\.?))/g, (figure, next: string) => {
    const tidied = String(tidy(Number(figure))).replace(/^0\./, '.')
    return next && !tidied.includes('.') ? `${tidied} ` : tidied
  })

mkdirSync(folder, { recursive: true })
for (const file of readdirSync(folder)) rmSync(join(folder, file))
for (const [id, drawing] of Object.entries(breedDrawings)) writeFileSync(join(folder, `${id}.svg`), svgOf(drawing))
console.log(`${Object.keys(breedDrawings).length} breeds drawn`)
