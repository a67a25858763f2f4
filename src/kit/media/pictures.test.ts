import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { thumbHashToApproximateAspectRatio } from 'thumbhash'
import { beforeAll, describe, expect, test } from 'vitest'
import { withBlockedDecoders } from '#tools/test-kit/blocked-decoders.ts'
import {
  MAX_PICTURE_BYTES,
  MIN_PICTURE_SIDE,
  PictureRefused,
  SAME_PICTURE_DISTANCE,
  processPicture,
  type PictureVariant,
} from './pictures.server.ts'
import { loadSharp } from './sharp.server.ts'

const RED = [220, 40, 40] as const
const GREEN = [40, 200, 60] as const
const BLUE = [40, 60, 220] as const
const YELLOW = [230, 220, 40] as const

/** The number of differing bits of two dhashes, like PostgreSQL's bit_count (listings/write/duplicates.server.ts). */
const bitsApart = (one: string, other: string): number => (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2).replaceAll('0', '').length

/** A picture with a red, a green, a blue and a yellow corner, so that rotations can be told apart. */
function goat(width = 800, height = 600): Sharp {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const corner = y < height / 2 ? (x < width / 2 ? RED : GREEN) : x < width / 2 ? BLUE : YELLOW
      const shade = 0.93 + 0.07 * Math.sin(x / 23) * Math.cos(y / 17)
      corner.forEach((value, channel) => (data[(y * width + x) * 3 + channel] = value * shade))
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
}

const goatJpeg = (width?: number, height?: number) => goat(width, height).jpeg({ quality: 90 }).toBuffer()

const reasonOf = (bytes: Buffer) =>
  processPicture(bytes).then(
    () => 'accepted',
    (error) => (error instanceof PictureRefused ? error.reason : Promise.reject(error)),
  )

const metadataOf = ({ bytes }: PictureVariant) => withBlockedDecoders(() => sharp(bytes).metadata())

/** Sequential, because each call blocks the decoders again at its end. */
async function sizesOf(variants: PictureVariant[]): Promise<number[][]> {
  const sizes: number[][] = []
  for (const variant of variants) {
    const { width, height } = await metadataOf(variant)
    sizes.push([width, height])
  }
  return sizes
}

async function pixelOf(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const spot = { left, top, width: 1, height: 1 }
  return [...(await withBlockedDecoders(() => sharp(bytes).extract(spot).removeAlpha().toColourspace('srgb').raw().toBuffer()))]
}

const isNear = (actual: number[], wanted: readonly number[]) => wanted.every((value, i) => Math.abs(value - actual[i]!) < 45)

/** A handmade one-bit PNG, so huge pictures are tiny files. Its pixels may differ from the header or be missing. */
function handmadePng(width: number, height: number, claimedHeight = height, pixels?: Buffer): Buffer {
  const chunk = (type: string, body: Buffer) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
    const length = Buffer.alloc(4)
    const sum = Buffer.alloc(4)
    length.writeUInt32BE(body.length)
    sum.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(claimedHeight, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = pixels ?? deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)), { level: 6 })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

beforeAll(async () => void (await loadSharp()))

describe('a picture of a goat', () => {
  test('becomes nine files at three widths, smallest first, with a placeholder and fingerprints', async () => {
    const bytes = await goatJpeg(1280, 960)
    const picture = await processPicture(bytes)
    expect(picture.variants.map(({ width, format }) => `${width}.${format}`)).toEqual(
      ['320', '640', '1280'].flatMap((width) => ['avif', 'webp', 'jpeg'].map((format) => `${width}.${format}`)),
    )
    for (const variant of picture.variants) {
      const { format, compression, width, height } = await metadataOf(variant)
      expect(compression === 'av1' ? 'avif' : format).toBe(variant.format)
      expect([width, height]).toEqual([variant.width, (variant.width * 3) / 4])
    }
    expect([picture.width, picture.height]).toEqual([1280, 960])
    expect(picture.averageColor).toMatch(/^#[0-9a-f]{6}$/)
    expect(picture.dhash).toMatch(/^[0-9a-f]{16}$/)
    expect(picture.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(picture.thumbhash).toMatch(/^[A-Za-z0-9+/]{20,36}={0,2}$/)
    expect(thumbHashToApproximateAspectRatio(Buffer.from(picture.thumbhash, 'base64'))).toBeCloseTo(4 / 3, 0)
  })

  test('reveals no location: none of the nine files has GPS, EXIF, XMP or a colour profile', async () => {
    const bytes = await goat()
      .withExif({
        IFD0: { Copyright: 'FARMER-NAME', Model: 'SECRET-PHONE' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '11/1 1/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '77/1 37/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf>SECRET-XMP</rdf></x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const before = await sharp(bytes).metadata()
    expect([before.exif, before.xmp, before.icc].map(Boolean)).toEqual([true, true, true])
    expect(bytes.toString('latin1')).toContain('FARMER-NAME')

    const { variants } = await processPicture(bytes)
    for (const variant of variants) {
      const { exif, xmp, icc, iptc, orientation, comments } = await metadataOf(variant)
      expect({ exif, xmp, icc, iptc, orientation, comments }).toEqual({})
      expect(variant.bytes.toString('latin1')).not.toMatch(/Exif\0|FARMER-NAME|SECRET|xmpmeta|ICC_PROFILE|ns\.adobe\.com/)
    }
  })

  /** How a phone stores an upright picture with EXIF orientation 1 to 8. */
  const asStored: Record<number, (upright: Sharp) => Promise<Sharp>> = {
    1: async (upright) => upright,
    2: async (upright) => upright.flop(),
    3: async (upright) => upright.rotate(180),
    4: async (upright) => upright.flip(),
    5: async (upright) => sharp(await upright.rotate(90).png().toBuffer()).flop(),
    6: async (upright) => upright.rotate(270),
    7: async (upright) => sharp(await upright.rotate(90).png().toBuffer()).flip(),
    8: async (upright) => upright.rotate(90),
  }
  test.each(Object.entries(asStored))('is shown upright (orientation %s)', async (orientation, turn) => {
    const turned = await turn(goat(400, 200))
    const bytes = await turned
      .withMetadata({ orientation: Number(orientation) })
      .jpeg({ quality: 95 })
      .toBuffer()
    const picture = await processPicture(bytes)
    expect([picture.width, picture.height]).toEqual([400, 200])
    for (const { bytes: out } of picture.variants.filter(({ width }) => width === 1280)) {
      expect(isNear(await pixelOf(out, 20, 20), RED), 'top left').toBe(true)
      expect(isNear(await pixelOf(out, 380, 20), GREEN), 'top right').toBe(true)
      expect(isNear(await pixelOf(out, 20, 180), BLUE), 'bottom left').toBe(true)
      expect(isNear(await pixelOf(out, 380, 180), YELLOW), 'bottom right').toBe(true)
    }
  })

  test('with more detail than the nine files gets a tenth for zooming', async () => {
    const large = await processPicture(await goatJpeg(3200, 2400))
    const [detail, ...others] = large.variants.slice(9)
    expect([detail!.width, detail!.format, others]).toEqual([2048, 'webp', []])
    expect(await sizesOf([detail!])).toEqual([[2048, 1536]])
    // Pages reserve space for the largest of the nine.
    expect([large.width, large.height]).toEqual([1280, 960])
    const { variants } = await processPicture(await goatJpeg(1600, 1200))
    expect(await sizesOf(variants.slice(9))).toEqual([[1600, 1200]])
  })

  test('taken upright is fitted by its height', async () => {
    const { width, height, variants } = await processPicture(await goatJpeg(900, 1600))
    expect([width, height]).toEqual([720, 1280])
    expect(await sizesOf(variants.filter(({ format }) => format === 'jpeg'))).toEqual([
      [180, 320],
      [360, 640],
      [720, 1280],
    ])
  })

  test('that is small is not enlarged but has all nine names', async () => {
    const { width, height, variants } = await processPicture(await goatJpeg(500, 300))
    expect([width, height]).toEqual([500, 300])
    expect((await sizesOf(variants)).map(([width]) => width)).toEqual([320, 320, 320, 500, 500, 500, 500, 500, 500])
    expect(variants[8]!.bytes).toBe(variants[5]!.bytes)
  })

  test('is accepted in every legitimate kind of JPEG and PNG', async () => {
    const kinds: Record<string, Buffer> = {
      progressive: await goat().jpeg({ progressive: true }).toBuffer(),
      'black and white': await goat().greyscale().jpeg().toBuffer(),
      CMYK: await goat().toColourspace('cmyk').jpeg().toBuffer(),
      'PNG of 16 bits': await goat().toColourspace('rgb16').png().toBuffer(),
      'PNG with palette': await goat().png({ palette: true }).toBuffer(),
      'interlaced PNG': await goat().png({ progressive: true }).toBuffer(),
      'grey PNG with alpha': await goat().greyscale().ensureAlpha(0.5).png().toBuffer(),
      'one bit PNG': handmadePng(300, 300),
      'very wide': await goat(6000, 70).jpeg().toBuffer(),
    }
    for (const [kind, bytes] of Object.entries(kinds)) {
      const { variants } = await processPicture(bytes)
      expect(variants, kind).toHaveLength(kind === 'very wide' ? 10 : 9)
      for (const variant of variants) expect((await metadataOf(variant)).space, kind).toBe('srgb')
    }
  })

  test('with transparency gets a white background', async () => {
    const { averageColor, variants } = await processPicture(
      await sharp({ create: { width: 100, height: 100, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
        .png()
        .toBuffer(),
    )
    expect(averageColor).toBe('#ffffff')
    for (const { bytes } of variants) expect(isNear(await pixelOf(bytes, 50, 50), [255, 255, 255])).toBe(true)
  })

  test('keeps its fingerprint after recompression; a mirrored one has another', async () => {
    const original = await processPicture(await goatJpeg())
    const again = await processPicture(await goat().resize(700).jpeg({ quality: 35 }).toBuffer())
    const other = await processPicture(await goat().flop().jpeg().toBuffer())
    expect(bitsApart(original.dhash, again.dhash)).toBeLessThanOrEqual(SAME_PICTURE_DISTANCE)
    expect(bitsApart(original.dhash, other.dhash)).toBeGreaterThan(SAME_PICTURE_DISTANCE)
    expect(original.sha256).not.toBe(again.sha256)
  })
})

describe('refused pictures', () => {
  test('a decompression bomb is refused before decoding', async () => {
    for (const side of [16_000, 20_000]) {
      const bomb = handmadePng(side, side)
      expect(bomb.length).toBeLessThan(100_000)
      expect(await reasonOf(bomb)).toBe('too-many-pixels')
    }
    // A decoder would find these files broken, so this result proves that the header alone decides.
    const noPixels = Buffer.from('these are no pixels')
    expect(await reasonOf(handmadePng(20_000, 20_000, 20_000, noPixels))).toBe('too-many-pixels')
    expect(await reasonOf(handmadePng(16, 20_000, 20_000, noPixels))).toBe('too-small')
    // Control: one of a reasonable size is decoded and found broken.
    expect(await reasonOf(handmadePng(300, 300, 300, noPixels))).toBe('broken')
  })

  test('a progressive picture has a lower pixel limit, because it must be decoded as a whole', async () => {
    const huge = sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: '#884422' } })
    expect(await reasonOf(await huge.clone().jpeg({ progressive: true }).toBuffer())).toBe('too-many-pixels')
    expect(await reasonOf(await huge.clone().jpeg().toBuffer())).toBe('accepted')
  })

  test('other formats are refused under any name, by our check and by the decoder itself', async () => {
    const others: Record<string, Buffer> = {
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400"/></svg>'),
      html: Buffer.from('<!doctype html><script>alert(1)</script>'),
      webp: await goat().webp().toBuffer(),
      gif: await goat().gif().toBuffer(),
      tiff: await goat().tiff().toBuffer(),
      avif: await goat().avif({ effort: 0 }).toBuffer(),
      pdf: Buffer.from('%PDF-1.7\n'),
      nothing: Buffer.alloc(0),
      zeros: Buffer.alloc(5_000),
    }
    for (const [kind, bytes] of Object.entries(others)) {
      expect(await reasonOf(bytes), kind).toBe('not-a-picture')
      await expect((async () => sharp(bytes).metadata())(), kind).rejects.toThrow()
    }
    expect(await reasonOf(Buffer.concat([Buffer.from('ffd8ff', 'hex'), others.svg!]))).toBe('broken')
  })

  test('a truncated picture is refused, wherever it was cut', async () => {
    for (const whole of [await goatJpeg(), await goat().png().toBuffer()]) {
      for (let part = 1; part < 64; part += 3) {
        const reason = await reasonOf(whole.subarray(0, Math.floor((whole.length * part) / 64)))
        expect(['broken', 'not-a-picture'], `${part}/64`).toContain(reason)
      }
    }
  })

  test('a picture with a damaged or wrong header is refused, or comes out with an empty strip', async () => {
    const png = await goat().png().toBuffer()
    png[23] = png[23]! ^ 1 // height, now wrong for its checksum
    expect(await reasonOf(png)).toBe('broken')
    expect(await reasonOf(handmadePng(300, 300, 3_000))).toBe('broken') // fewer rows than promised

    const jpeg = await goatJpeg()
    jpeg.writeUInt16BE(1_600, jpeg.indexOf(Buffer.from('ffc0', 'hex')) + 5)
    const { width, height, averageColor } = await processPicture(jpeg) // JPEG allows this, and some phones do it
    expect([width, height]).toEqual([640, 1280])
    expect(averageColor).not.toBe('#000000')
  })

  test('a script or an archive hidden in a picture is removed', async () => {
    const jpeg = await goatJpeg()
    const payload = Buffer.from(`<?php system($_GET["c"]); ?><script>alert(1)</script>`)
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, payload.length + 2]), payload])
    const polyglot = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), payload, Buffer.from('PK-ARCHIVE')])
    const { variants } = await processPicture(polyglot)
    for (const { bytes } of variants) expect(bytes.toString('latin1')).not.toMatch(/<\?php|<script|system\(|PK-ARCHIVE/)
  })

  test('8 MB is allowed, one byte more is not', async () => {
    const full = Buffer.concat([await goatJpeg(), Buffer.alloc(MAX_PICTURE_BYTES)]).subarray(0, MAX_PICTURE_BYTES)
    expect(await reasonOf(full)).toBe('accepted')
    expect(await reasonOf(Buffer.concat([full, Buffer.alloc(1)]))).toBe('too-large-bytes')
  })

  test('an icon is refused', async () => {
    expect(await reasonOf(await goatJpeg(MIN_PICTURE_SIDE - 1, 400))).toBe('too-small')
    expect(await reasonOf(await goatJpeg(MIN_PICTURE_SIDE, MIN_PICTURE_SIDE))).toBe('accepted')
  })
})
