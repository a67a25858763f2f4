import type { OverlayOptions, Sharp } from 'sharp'
import { loadSharp } from '#src/kit/media/sharp.server.ts'
import { hasFont } from '#src/kit/paper/fonts.server.ts'

/** The parts of pictures with text: text in both scripts, blocks, rounded shapes, photos. */
export const color = {
  leaf: '#1f5c3a',
  leafSoft: '#e3efe6',
  turmeric: '#f2b01e',
  brick: '#b5482a',
  husk: '#fbf6ea',
  ink: '#1e1b16',
  stone: '#6b6459',
  white: '#ffffff',
}
export type Color = keyof typeof color

export interface Rendered {
  data: Buffer
  width: number
  height: number
}

/** The line pitch for a letter size of 1. */
const LINE_PITCH = 1.362
/** The maximum height of one line for a letter size of 1; two lines have at least 1.86. */
const MAX_LINE_HEIGHT = 1.45
/** Longer than any two lines, to bound the search for the fitting length. */
const MAX_LETTERS = 80

interface Writing {
  /** The largest size that fits is used. */
  sizes: number[]
  color: Color
  width?: number
  lines?: number
}

/** Writes text in at most `lines` lines, broken between words. Text that does not fit in the smallest size ends in "…". */
export async function write(text: string, { sizes, color: ink, width, lines = 1 }: Writing): Promise<Rendered> {
  const letters = [...new Intl.Segmenter('ta', { granularity: 'grapheme' }).segment(drawable(text))].map(({ segment }) => segment)
  if (letters.length === 0) return { data: Buffer.alloc(4), width: 1, height: 1 }
  const fitsIn = (rendered: Rendered, size: number) =>
    rendered.width <= (width ?? Infinity) && rendered.height < ((lines - 1) * LINE_PITCH + MAX_LINE_HEIGHT) * size
  if (letters.length <= MAX_LETTERS) {
    for (const size of sizes) {
      const rendered = await render(markup(letters.join('')), size, ink, width && { width, wrap: 'word' })
      if (fitsIn(rendered, size)) return rendered
    }
  }
  const size = sizes.at(-1)!
  const cut = (count: number) =>
    render(`${markup(letters.slice(0, count).join('').trimEnd())}…`, size, ink, width && { width, wrap: 'word-char' })
  let fits = 1
  let tooMany = Math.min(letters.length, MAX_LETTERS)
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (fitsIn(await cut(middle), size)) fits = middle
    else tooMany = middle
  }
  return cut(fits)
}

/** Writes one line, smaller if it would be too wide. Accepts markup. */
export async function fit(text: string, size: number, width: number, ink: Color): Promise<Rendered> {
  const rendered = await render(text, size, ink)
  return rendered.width <= width ? rendered : render(text, Math.floor((size * width) / rendered.width), ink)
}

type Wrapping = { width: number; wrap: 'word' | 'word-char' } | 0 | undefined

async function render(text: string, size: number, ink: Color, wrapping?: Wrapping): Promise<Rendered> {
  const sharp = await loadSharp()
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="${color[ink]}">${text}</span>`,
      font: `Noto Sans Tamil Bold ${size}`,
      dpi: 72,
      rgba: true,
      ...wrapping,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Removes signs that no font has: they would be empty boxes. Joiners shape the letters of India; the rest of joined emoji has no glyphs. */
export const drawable = (text: string) =>
  [...text.normalize('NFC')]
    .map((sign) => (hasFont(sign) && !/\p{Cc}/u.test(sign) ? sign : ' '))
    .join('')
    .replace(/(?<![\u0900-\u0d7f])\p{Join_Control}+|\p{Join_Control}+(?![\u0900-\u0d7f])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Escapes Pango markup. */
export const markup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const place = ({ data, width, height }: Rendered, left: number, top: number): OverlayOptions => ({
  input: data,
  raw: { width, height, channels: 4 },
  left,
  top,
})

export async function laid(image: Sharp, left: number, top: number): Promise<OverlayOptions> {
  const { data, info } = await image.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width: info.width, height: info.height, channels: info.channels }, left, top }
}

export const block = (width: number, height: number, ground: Color, left: number, top: number): OverlayOptions => ({
  input: { create: { width, height, channels: 3, background: color[ground] } },
  left,
  top,
})

interface Shape {
  width: number
  height: number
  radius: number
  color: Color
  left: number
  top: number
  corners?: 'all' | 'left'
}

/** Drawn pixel by pixel, because the SVG decoder stays blocked (kit/media/sharp.server.ts). */
export function rounded({ width, height, radius, color: ground, left, top, corners = 'all' }: Shape): OverlayOptions {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(color[ground].slice(at, at + 2), 16)) as [number, number, number]
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const acrossRight = corners === 'all' ? x + 0.5 - (width - radius) : 0
      const dx = Math.max(radius - x - 0.5, acrossRight, 0)
      const dy = Math.max(radius - y - 0.5, y + 0.5 - (height - radius), 0)
      // Antialiasing at the edge.
      const cover = Math.min(1, Math.max(0, radius - Math.hypot(dx, dy) + 0.5))
      data.set([r, g, b, Math.round(255 * cover)], (y * width + x) * 4)
    }
  }
  return place({ data, width, height }, left, top)
}

/** 55 to 80 KB for most animals; some apps skip previews above 300 KB. */
const JPEG = { quality: 80, mozjpeg: true }
/** A rendering that takes longer is a bug. */
const TIMEOUT_SECONDS = 10

/** The layers as a JPEG on the colour of husk. */
export async function jpegOf(size: { width: number; height: number }, layers: OverlayOptions[][]): Promise<Buffer> {
  const sharp = await loadSharp()
  const picture = sharp({ create: { ...size, channels: 3, background: color.husk } }).composite(layers.flat())
  return picture.jpeg(JPEG).timeout({ seconds: TIMEOUT_SECONDS }).toBuffer()
}
