import type { OverlayOptions } from 'sharp'
import { loadSharp } from '#src/kit/media/sharp.server.ts'
import { formatRupees, percentOff } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { block, fit, jpegOf, laid, markup, place, rounded, write, type Rendered } from './drawing.server.ts'
import type { ShareFacts } from './share-facts.server.ts'
import { shareWords } from './share-words.server.ts'

/** As tall as a phone. Chat apps cover the upper 130 and the lower 200 pixels with their bars, so no text is there. */
const WIDTH = 1080
const HEIGHT = 1920
const HEAD = { height: 240, text: 150 }
const PHOTO_HEIGHT = 880
const PHOTO_TOP = HEAD.height
const MARGIN = 60
const TEXT_WIDTH = WIDTH - 2 * MARGIN
const FOOT = HEIGHT - 210
const BADGE_HEIGHT = 68

/** Draws a 1080 x 1920 JPEG for a WhatsApp status. `photo`: the listing's first photo as JPEG, if there is one. */
export async function drawStatusPicture(facts: ShareFacts, photo: Uint8Array | null): Promise<Buffer> {
  const layers = await Promise.all([drawHead(facts), drawPhoto(facts, photo), drawPrice(facts), drawWords(facts)])
  return jpegOf({ width: WIDTH, height: HEIGHT }, layers)
}

const centred = (text: Rendered, top: number) => place(text, Math.round((WIDTH - text.width) / 2), top)

async function drawHead({ locale }: ShareFacts): Promise<OverlayOptions[]> {
  const site = await write(m.site_name({}, { locale }), { sizes: [60], color: 'white' })
  return [block(WIDTH, HEAD.height, 'leaf', 0, 0), centred(site, HEAD.text)]
}

async function drawPhoto({ category, availability, isSample, locale }: ShareFacts, photo: Uint8Array | null): Promise<OverlayOptions[]> {
  const layers = [block(WIDTH, PHOTO_HEIGHT, 'leafSoft', 0, PHOTO_TOP)]
  if (photo) {
    const sharp = await loadSharp()
    const image = sharp(photo, { failOn: 'error' }).resize(WIDTH, PHOTO_HEIGHT, { fit: 'cover' })
    // Desaturate animals that are no longer for sale.
    layers.push(await laid(availability === 'available' ? image : image.modulate({ saturation: 0.2 }), 0, PHOTO_TOP))
  } else {
    const title = await write(category, { sizes: [90, 70], color: 'leaf', width: TEXT_WIDTH, lines: 2 })
    layers.push(centred(title, PHOTO_TOP + Math.round((PHOTO_HEIGHT - title.height) / 2)))
  }
  if (isSample) {
    const mark = await write(m.card_sample({}, { locale }), { sizes: [44], color: 'ink' })
    const width = mark.width + 56
    layers.push(
      rounded({ width, height: 76, radius: 38, color: 'husk', left: MARGIN, top: PHOTO_TOP + 30 }),
      place(mark, MARGIN + 28, PHOTO_TOP + 30 + Math.round((76 - mark.height) / 2)),
    )
  }
  return layers
}

/** On a tag across the lower edge of the photo. For a sold or closed animal, the tag says that first. */
async function drawPrice(facts: ShareFacts): Promise<OverlayOptions[]> {
  const { locale, availability } = facts
  const percent = percentOff(facts.originalPrice, facts.offerPrice)
  const price = formatRupees(percent === null ? facts.originalPrice : facts.offerPrice!)
  const isGone = availability !== 'available'
  const ink = isGone ? 'white' : 'ink'
  const goneText = availability === 'sold' ? m.product_sold({}, { locale }) : m.product_closed({}, { locale })
  const offer =
    percent === null ? null : `<s>${markup(formatRupees(facts.originalPrice))}</s>  ${markup(m.card_off({ percent }, { locale }))}`
  const lines = [
    await fit(markup(isGone ? goneText : price), isGone ? 84 : 120, TEXT_WIDTH - 100, ink),
    ...(isGone ? [await fit(markup(price), 60, TEXT_WIDTH - 100, ink)] : offer ? [await fit(offer, 50, TEXT_WIDTH - 100, ink)] : []),
  ]
  const [padding, gap] = [36, 22]
  const width = Math.max(...lines.map((line) => line.width)) + MARGIN + padding
  const height = lines.reduce((sum, line) => sum + line.height, 0) + gap * (lines.length - 1) + 2 * padding
  let y = PHOTO_TOP + PHOTO_HEIGHT + 50 - height
  const layers = [rounded({ width: width + 30, height, radius: 30, color: isGone ? 'brick' : 'turmeric', left: -30, top: y })]
  y += padding
  for (const line of lines) {
    layers.push(place(line, MARGIN, y))
    y += line.height + gap
  }
  return layers
}

/** The animal, its place, its trust signs, and its URL. */
async function drawWords(facts: ShareFacts): Promise<OverlayOptions[]> {
  const { sort, title, where, badges } = shareWords(facts)
  const address = await fit(markup(facts.address), 44, TEXT_WIDTH, 'stone')
  const texts = [
    await write(title, { sizes: [76, 64, 54], color: 'ink', width: TEXT_WIDTH, lines: 2 }),
    await write(title.includes(sort) ? where : `${sort} · ${where}`, { sizes: [52, 46, 40], color: 'leaf', width: TEXT_WIDTH, lines: 2 }),
  ]
  const layers = [place(address, MARGIN, FOOT - address.height)]
  let top = PHOTO_TOP + PHOTO_HEIGHT + 90
  for (const text of texts) {
    layers.push(place(text, MARGIN, top))
    top += text.height + 26
  }
  let left = MARGIN
  for (const badge of badges) {
    const text = await write(badge, { sizes: [40, 34], color: 'white', width: TEXT_WIDTH - 60 })
    const width = text.width + 60
    if (left > MARGIN && left + width > WIDTH - MARGIN) {
      left = MARGIN
      top += BADGE_HEIGHT + 16
    }
    // A long name and place leave room for fewer badges.
    if (top + BADGE_HEIGHT > FOOT - address.height - 20) break
    layers.push(rounded({ width, height: BADGE_HEIGHT, radius: 34, color: 'leaf', left, top }))
    layers.push(place(text, left + 30, top + Math.round((BADGE_HEIGHT - text.height) / 2)))
    left += width + 16
  }
  return layers
}
