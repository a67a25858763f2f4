/** Changes that people make to a picture copied from elsewhere. */
import sharp, { type Sharp } from 'sharp'
import '#src/kit/paper/fonts.server.ts'

/** A seeded random generator from 0 to 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
}

type Change = (picture: Buffer, random: () => number) => Promise<Buffer>

export const changes: Record<string, Change> = {
  'cropped by 5 to 30 % on each side': (picture, random) => cropped(picture, random, { least: 0.05, most: 0.3 }),
  'cropped by 30 % on one side': async (picture, random) => {
    const { width, height } = await sharp(picture).metadata()
    const [across, down] = random() < 0.5 ? [0.3, 0] : [0, 0.3]
    const [left, top] = random() < 0.5 ? [across, down] : [0, 0]
    return jpeg(sharp(picture).extract(box({ width, height }, { left, top, width: 1 - across, height: 1 - down })))
  },
  mirrored: (picture) => jpeg(sharp(picture).flop()),
  'compressed to JPEG of quality 30 to 80': (picture, random) => jpeg(sharp(picture), Math.round(between(random, 30, 80))),
  'made smaller': (picture, random) => jpeg(sharp(picture).resize(Math.round(between(random, 240, 900)))),
  'a screenshot of a chat': screenshot,
  'darker or brighter': (picture, random) => jpeg(sharp(picture).linear(between(random, 0.7, 1.35), between(random, -30, 30))),
  'turned by up to 6 degrees': (picture, random) => jpeg(sharp(picture).rotate(between(random, -6, 6), { background: '#888888' })),
  'with words over it': captioned,
  'mirrored, cropped, made smaller and compressed': async (picture, random) => {
    const part = await cropped(await jpeg(sharp(picture).flop()), random, { least: 0.05, most: 0.2 })
    return jpeg(sharp(part).resize(480), 45)
  },
}

const between = (random: () => number, least: number, most: number) => least + random() * (most - least)
const jpeg = (image: Sharp, quality = 80) => image.jpeg({ quality }).toBuffer()

function box(size: { width: number; height: number }, share: { left: number; top: number; width: number; height: number }) {
  return {
    left: Math.round(share.left * size.width),
    top: Math.round(share.top * size.height),
    width: Math.floor(share.width * size.width),
    height: Math.floor(share.height * size.height),
  }
}

async function cropped(picture: Buffer, random: () => number, { least, most }: { least: number; most: number }): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const [left, right, top, bottom] = [0, 0, 0, 0].map(() => between(random, least, most)) as [number, number, number, number]
  return jpeg(sharp(picture).extract(box({ width, height }, { left, top, width: 1 - left - right, height: 1 - top - bottom })))
}

async function screenshot(picture: Buffer, random: () => number): Promise<Buffer> {
  const [top, bottom, side] = [between(random, 120, 320), between(random, 200, 700), between(random, 0, 40)].map(Math.round) as [
    number,
    number,
    number,
  ]
  const { data, info } = await sharp(picture)
    .resize(720 - 2 * side)
    .toBuffer({ resolveWithObject: true })
  const bar = await band({ width: 720, height: top }, 'Maadu Sandhai')
  const screen = sharp({ create: { width: 720, height: top + info.height + bottom, channels: 3, background: '#ece5dd' } })
  const composed = screen.composite([
    { input: bar, left: 0, top: 0 },
    { input: data, left: side, top },
  ])
  return jpeg(composed, 75)
}

async function captioned(picture: Buffer, random: () => number): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const words = await band({ width, height: 110 }, '65000 · 98xxxxxxxx')
  return jpeg(sharp(picture).composite([{ input: words, left: 0, top: Math.round(between(random, 0, height - 110)) }]))
}

async function band(size: { width: number; height: number }, text: string): Promise<Buffer> {
  const words = await sharp({ text: { text: `<span foreground="white">${text}</span>`, rgba: true, width: size.width - 60, height: 70 } })
    .png()
    .toBuffer()
  return sharp({ create: { ...size, channels: 4, background: { r: 0, g: 40, b: 30, alpha: 0.7 } } })
    .composite([{ input: words, left: 30, top: 20 }])
    .png()
    .toBuffer()
}
