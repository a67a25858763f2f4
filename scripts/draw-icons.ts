import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Draws the small pictures in public/: species for buttons, the site's icons, the default picture of link previews. Run it by hand after a change:
 * `npm ci --prefix scripts/source-data && node scripts/draw-icons.ts`. Fluent Emoji is MIT (Microsoft); the notice is in
 * scripts/draw-pictures/README.md.
 */
const root = join(import.meta.dirname, '..')
const require = createRequire(join(root, 'scripts/source-data/package.json'))
const sharp = require('sharp') as typeof import('sharp').default
const { icons } = require('@iconify-json/fluent-emoji/icons.json') as { icons: Record<string, { body: string }> }

const svg = (body: string, size: number, viewBox = '0 0 32 32') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size}" height="${size}" viewBox="${viewBox}">${body}</svg>`,
  )
const body = (name: string) => icons[name]!.body

const species = {
  all: 'paw-prints',
  cow: 'cow',
  goat: 'goat',
  sheep: 'ewe',
  chicken: 'rooster',
  dog: 'dog',
  horse: 'horse',
  more: 'sheaf-of-rice',
  none: 'magnifying-glass-tilted-left',
}
mkdirSync(join(root, 'public/species'), { recursive: true })
for (const [name, icon] of Object.entries(species)) {
  // Light, because eight of them load before the first photo of a list.
  await sharp(svg(body(icon), 160))
    .webp({ quality: 60, alphaQuality: 70, effort: 6 })
    .toFile(join(root, `public/species/${name}.webp`))
}

/** A cow's head in the market's green: legible at 16 pixels, unlike a whole animal. */
const mark = `<rect width="64" height="64" rx="14" fill="#1f5c3a"/>
<path d="M14 20c-5-1-8-5-7-10 3 4 8 5 12 6zM50 20c5-1 8-5 7-10-3 4-8 5-12 6z" fill="#fdf1d3"/>
<path d="M8 27c5-3 10-3 13 0l-2 7c-6 1-10-2-11-7zM56 27c-5-3-10-3-13 0l2 7c6 1 10-2 11-7z" fill="#f2b01e"/>
<path d="M18 20c4-6 24-6 28 0 3 9-1 18-2 25 0 8-6 12-12 12s-12-4-12-12c-1-7-5-16-2-25z" fill="#fbf6ea"/>
<ellipse cx="32" cy="48" rx="11" ry="8" fill="#f3c9a8"/><circle cx="28" cy="48" r="2" fill="#1e1b16"/><circle cx="36" cy="48" r="2" fill="#1e1b16"/>
<circle cx="24.500" cy="31" r="2.800" fill="#1e1b16"/><circle cx="39.500" cy="31" r="2.800" fill="#1e1b16"/><circle cx="32" cy="23" r="2.600" fill="#b5482a"/>`
const favicon = svg(mark, 64, '0 0 64 64')
writeFileSync(join(root, 'public/favicon.svg'), favicon.toString().replace(/\s+/g, ' '))
const png = (size: number) =>
  sharp(svg(mark, size, '0 0 64 64'))
    .png({ compressionLevel: 9 })
    .toBuffer()
for (const size of [180, 192, 512]) writeFileSync(join(root, `public/icon-${size}.png`), await png(size))
/** For an installed app, whose icon a phone clips to a circle or a drop: green to the edge, the head in the safe area. */
const maskable = `<rect width="64" height="64" fill="#1f5c3a"/><g transform="translate(9.6 9.6) scale(0.7)">${mark}</g>`
for (const size of [192, 512]) {
  const image = await sharp(svg(maskable, size, '0 0 64 64'))
    .png({ compressionLevel: 9 })
    .toBuffer()
  writeFileSync(join(root, `public/icon-maskable-${size}.png`), image)
}
writeFileSync(join(root, 'public/favicon.ico'), icoOf(await png(32)))

const share = `<defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#fdf1d3"/><stop offset="1" stop-color="#fbf6ea"/></linearGradient></defs>
<rect width="1200" height="630" fill="url(#sky)"/><path d="M0 470q300-60 620-20t580-30v210H0z" fill="#8fb35d"/><path d="M0 530q400-50 700-20t500-30v150H0z" fill="#6e9a45"/>`
const animals = [
  ['cow', 300, 60, 250],
  ['goat', 210, 370, 345],
  ['rooster', 150, 600, 410],
  ['horse', 300, 760, 230],
  ['dog', 140, 1030, 420],
] as const
await sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">${share}</svg>`))
  .composite([
    ...(await Promise.all(
      animals.map(async ([icon, size, left, top]) => ({
        input: await sharp(svg(body(icon), size))
          .png()
          .toBuffer(),
        left,
        top,
      })),
    )),
    {
      input: await sharp(svg(mark, 150, '0 0 64 64'))
        .png()
        .toBuffer(),
      left: 525,
      top: 60,
    },
  ])
  .jpeg({ quality: 82, mozjpeg: true })
  .toFile(join(root, 'public/share.jpg'))

/** An .ico file may contain a PNG. */
function icoOf(image: Buffer): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header[6] = 32
  header[7] = 32
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(image.length, 14)
  header.writeUInt32LE(22, 18)
  return Buffer.concat([header, image])
}
