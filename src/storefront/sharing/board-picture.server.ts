import type { OverlayOptions } from 'sharp'
import { SHARE_PICTURE } from '#src/kit/http/seo.ts'
import { loadSharp } from '#src/kit/media/sharp.server.ts'
import { m } from '#src/paraglide/messages.js'
import type { BoardFacts } from './board-facts.server.ts'
import { block, fit, jpegOf, laid, markup, place, rounded, write, type Color, type Rendered } from './drawing.server.ts'

const { width: WIDTH, height: HEIGHT } = SHARE_PICTURE
const PHOTOS_HEIGHT = 340
/** Chat apps may show only the square in the middle, so the prices are inside it. */
const SQUARE = 600
const WORDS = 900
const GAP = 8

/** Draws a 1200 x 630 JPEG of a list or a breed: up to three photos, and below them the title, prices and places. */
export async function drawBoardPicture(facts: BoardFacts, photos: Uint8Array[]): Promise<Buffer> {
  const layers = await Promise.all([drawPhotos(photos), drawWords(facts), drawSite(facts)])
  return jpegOf({ width: WIDTH, height: HEIGHT }, layers)
}

async function drawPhotos(photos: Uint8Array[]): Promise<OverlayOptions[]> {
  if (photos.length === 0) return [block(WIDTH, PHOTOS_HEIGHT, 'leafSoft', 0, 0)]
  const sharp = await loadSharp()
  const width = Math.floor((WIDTH - GAP * (photos.length - 1)) / photos.length)
  return Promise.all(
    photos.map((photo, n) => laid(sharp(photo, { failOn: 'error' }).resize(width, PHOTOS_HEIGHT, { fit: 'cover' }), n * (width + GAP), 0)),
  )
}

/** The price is on a tag across the photos' lower edge. Each line below it uses the largest size that fits. */
async function drawWords({ title, prices, count, places }: BoardFacts): Promise<OverlayOptions[]> {
  const line = (text: string, sizes: number[], ink: Color) => write(text, { sizes, color: ink, width: WORDS })
  const [price, ...lines] = await Promise.all([
    prices === null ? null : fit(markup(prices), 64, SQUARE - 80, 'ink'),
    line(title, [60, 50, 42, 36], 'ink'),
    line(count, [38, 32], 'leaf'),
    line(places, [38, 32], 'leaf'),
  ])
  const centred = (text: Rendered, top: number) => place(text, Math.round((WIDTH - text.width) / 2), top)
  const layers: OverlayOptions[] = []
  let top = PHOTOS_HEIGHT + 24
  if (price) {
    const tag = { width: price.width + 56, height: price.height + 40 }
    const tagTop = PHOTOS_HEIGHT - Math.round(tag.height / 2)
    layers.push(rounded({ ...tag, radius: 18, color: 'turmeric', left: Math.round((WIDTH - tag.width) / 2), top: tagTop }))
    layers.push(centred(price, tagTop + 20))
    top = tagTop + tag.height + 20
  }
  for (const each of lines) {
    layers.push(centred(each, top))
    top += Math.max(each.height, 44) + 16
  }
  return layers
}

async function drawSite({ locale, isSample }: BoardFacts): Promise<OverlayOptions[]> {
  const words = isSample ? `${m.site_name({}, { locale })} · ${m.card_sample({}, { locale })}` : m.site_name({}, { locale })
  const site = await write(words, { sizes: [34], color: 'white' })
  const width = site.width + 48
  return [
    rounded({ width, height: 58, radius: 29, color: 'leaf', left: 24, top: 24 }),
    place(site, 48, 24 + Math.round((58 - site.height) / 2)),
  ]
}
