import type { OverlayOptions } from 'sharp'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees, percentOff } from '#src/kit/time-money/money.ts'
import { loadSharp } from '#src/kit/media/sharp.server.ts'
import { SHARE_PICTURE } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { block, fit, jpegOf, laid, markup, place, rounded, write, type Rendered } from './drawing.server.ts'
import type { ShareFacts } from './share-facts.server.ts'
import { shareWords } from './share-words.server.ts'

/**
 * The preview picture of a product link: the photo at the left, name and place at the right, and the price on a tag across the photo. Chat apps show
 * it about 300 px wide or crop it to the central square (285 to 915). So the price is inside that square, and all text is legible at a quarter of the
 * size.
 */
const { width: WIDTH, height: HEIGHT } = SHARE_PICTURE
const PHOTO_WIDTH = 740
/** The tag begins inside the central square and ends at the photo's edge. */
const TAG = { left: 296, bottom: 40, padding: 22 }
const MARGIN = 28
const PANEL_LEFT = PHOTO_WIDTH + MARGIN
const PANEL_TEXT = WIDTH - MARGIN - PANEL_LEFT
const HEAD_HEIGHT = 84

/** Draws a 1200 x 630 JPEG. `photo`: the listing's first photo as JPEG, if there is one. */
export async function drawSharePicture(facts: ShareFacts, photo: Uint8Array | null): Promise<Buffer> {
  const isGone = facts.availability !== 'available'
  const layers = await Promise.all([
    photo ? drawPhoto(photo, isGone) : drawNoPhoto(facts),
    drawTag(facts),
    drawPanel(facts),
    facts.isSample ? drawSampleMark(facts.locale) : [],
  ])
  return jpegOf({ width: WIDTH, height: HEIGHT }, layers)
}

async function drawPhoto(photo: Uint8Array, isGone: boolean): Promise<OverlayOptions[]> {
  const sharp = await loadSharp()
  const image = sharp(photo, { failOn: 'error' }).resize(PHOTO_WIDTH, HEIGHT, { fit: 'cover' })
  // Desaturate animals that are no longer for sale.
  return [await laid(isGone ? image.modulate({ saturation: 0.2 }) : image, 0, 0)]
}

async function drawNoPhoto({ category, locale }: ShareFacts): Promise<OverlayOptions[]> {
  const title = await write(category, { sizes: [72, 56], color: 'leaf', width: PHOTO_WIDTH - 80, lines: 2 })
  const note = await write(m.card_no_photo({}, { locale }), { sizes: [40], color: 'stone' })
  const at = (text: Rendered, top: number) => place(text, Math.round((PHOTO_WIDTH - text.width) / 2), top)
  return [block(PHOTO_WIDTH, HEIGHT, 'leafSoft', 0, 0), at(title, 150), at(note, 150 + title.height + 36)]
}

/** The price. With an offer, also the struck-through price and the discount; for a sold animal, "sold" first. */
async function drawTag(facts: ShareFacts): Promise<OverlayOptions[]> {
  const { locale, availability } = facts
  const percent = percentOff(facts.originalPrice, facts.offerPrice)
  const price = formatRupees(percent === null ? facts.originalPrice : facts.offerPrice!)
  const width = PHOTO_WIDTH - TAG.left - 2 * TAG.padding
  const isGone = availability !== 'available'
  const ink = isGone ? 'white' : 'ink'
  const offer =
    percent === null ? '' : `<s>${markup(formatRupees(facts.originalPrice))}</s>  ${markup(m.card_off({ percent }, { locale }))}`
  const goneText = availability === 'sold' ? m.product_sold({}, { locale }) : m.product_closed({}, { locale })
  const lines = isGone
    ? [await fit(markup(goneText), 64, width, ink), await fit(markup(price), 44, width, ink)]
    : [await fit(markup(price), 88, width, ink), ...(offer ? [await fit(offer, 38, width, ink)] : [])]
  const gap = 20
  const height = lines.reduce((sum, line) => sum + line.height, 0) + gap * (lines.length - 1) + 2 * TAG.padding
  const top = HEIGHT - TAG.bottom - height
  const widest = Math.max(...lines.map((line) => line.width))
  const left = PHOTO_WIDTH - widest - 2 * TAG.padding
  let y = top + TAG.padding
  return [
    rounded({ width: PHOTO_WIDTH - left, height, radius: 18, color: isGone ? 'brick' : 'turmeric', left, top, corners: 'left' }),
    ...lines.map((line) => {
      const layer = place(line, left + TAG.padding, y)
      y += line.height + gap
      return layer
    }),
  ]
}

/** The market, the animal, its place, and its trust signs. */
async function drawPanel(facts: ShareFacts): Promise<OverlayOptions[]> {
  const { locale } = facts
  const { sort, title, where, badges: proofs } = shareWords(facts)
  const [site, name, kind, town, ...badges] = await Promise.all([
    write(m.site_name({}, { locale }), { sizes: [46], color: 'white' }),
    write(title, { sizes: [50, 44, 38], color: 'ink', width: PANEL_TEXT, lines: 3 }),
    // Most sellers name the breed in the title.
    title.includes(sort) ? null : write(sort, { sizes: [34, 30, 26], color: 'stone', width: PANEL_TEXT }),
    write(where, { sizes: [36, 32, 28], color: 'leaf', width: PANEL_TEXT, lines: 2 }),
    ...proofs.map((text) => write(text, { sizes: [28, 24], color: 'white', width: PANEL_TEXT - 44, lines: 2 })),
  ])
  const layers = [
    block(WIDTH - PHOTO_WIDTH, HEAD_HEIGHT, 'leaf', PHOTO_WIDTH, 0),
    place(site, PANEL_LEFT, Math.round((HEAD_HEIGHT - site.height) / 2)),
  ]
  let foot = HEIGHT - 24
  for (const badge of badges.toReversed()) {
    const height = Math.max(50, badge.height + 20)
    foot -= height
    layers.push(rounded({ width: badge.width + 44, height, radius: 25, color: 'leaf', left: PANEL_LEFT, top: foot }))
    layers.push(place(badge, PANEL_LEFT + 22, foot + Math.round((height - badge.height) / 2)))
    foot -= 10
  }
  const gap = 18
  const room = foot - (HEAD_HEIGHT + 26)
  // Omit the breed when a long name and place leave no room.
  const isRoomy = name.height + town.height + (kind?.height ?? 0) + 2 * gap <= room
  let top = HEAD_HEIGHT + 26
  for (const text of isRoomy ? [name, kind, town] : [name, town]) {
    if (!text) continue
    layers.push(place(text, PANEL_LEFT, top))
    top += text.height + gap
  }
  return layers
}

async function drawSampleMark(locale: Locale): Promise<OverlayOptions[]> {
  const text = await write(m.card_sample({}, { locale }), { sizes: [34], color: 'ink' })
  const width = text.width + 44
  const left = PHOTO_WIDTH - 20 - width
  return [
    rounded({ width, height: 58, radius: 29, color: 'husk', left, top: 20 }),
    place(text, left + 22, 20 + Math.round((58 - text.height) / 2)),
  ]
}
