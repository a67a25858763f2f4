/**
 * From the bytes somebody uploaded to the nine files we show, and a tenth with the detail. Nothing of the upload itself is ever
 * served: every picture is decoded and encoded again, so EXIF (with the farm's position), scripts hidden
 * in comments and files glued to the end are gone.
 */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { DETAIL_WIDTH, PICTURE_FORMATS, PICTURE_WIDTHS, type PictureFormat, type PictureWidth } from './media-url.ts'
import { turns } from '#src/kit/device/turns.ts'

/** What a phone of today takes in good quality, with room; more only makes farmers on slow lines wait. */
export const MAX_PICTURE_BYTES = 8 * 1024 * 1024
/** Above any phone's usual mode (50 MP), below what a small server can unpack: a 31 KB PNG can hold 256 MP. */
const MAX_PICTURE_PIXELS = 64_000_000
/**
 * Interlaced PNG and progressive JPEG cannot be shrunk while reading: the whole picture is held in memory,
 * up to 8 bytes a pixel. Two of 64 MP at once brought the process to 1.3 GB, two of this size to 0.5 GB (ordinary
 * ones: 0.35 GB). No phone makes larger ones.
 */
const MAX_PROGRESSIVE_PIXELS = 16_000_000
/** A shorter side than this is an icon, not a picture of an animal. */
export const MIN_PICTURE_SIDE = 64
/** A picture that takes longer than this is an attack or a defect. */
const TIMEOUT_SECONDS = 10
/** One per core, and never all four threads of Node's pool, which files and passwords need too. */
export const PICTURES_AT_ONCE = Math.min(availableParallelism(), 3)
const inTurn = turns({ atOnce: PICTURES_AT_ONCE })
/** Two pictures whose dhashes differ in no more bits than this are possibly the same one. Only ever a hint (listings/duplicates.server.ts). */
export const SAME_PICTURE_DISTANCE = 6

export type PictureVariant = { width: PictureWidth; format: PictureFormat; bytes: Buffer }

export type ProcessedPicture = {
  /** Of the largest of the nine, in pixels, upright. */
  width: number
  height: number
  /** Placeholder while the picture loads, base64. */
  thumbhash: string
  /** `#rrggbb` */
  averageColor: string
  /** 16 hex digits; of their 64 bits hardly one changes when the picture is recompressed. */
  dhash: string
  /** Of the bytes as uploaded, hex. */
  sha256: string
  /** All nine, smallest first; a picture smaller than a width keeps its size under that name. Then the detail, if there is more. */
  variants: PictureVariant[]
}

type PictureRefusal = 'too-large-bytes' | 'too-many-pixels' | 'not-a-picture' | 'broken' | 'too-small'

export class PictureRefused extends Error {
  readonly reason: PictureRefusal

  constructor(reason: PictureRefusal, options?: ErrorOptions) {
    super(`Picture refused: ${reason}`, options)
    this.name = 'PictureRefused'
    this.reason = reason
  }
}

let decodersAreRestricted = false

/**
 * Leaves the decoders of JPEG and PNG only, for the whole process: libvips would also open SVG, GIF,
 * TIFF, PDF and more, whatever the file is called, and each decoder is a way in. Happens by itself with
 * the first picture; call it at start to be sure that no other code decodes anything else before.
 */
export function restrictDecoders(): void {
  if (decodersAreRestricted) return
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })
  sharp.cache(false) // pictures come once; a cache would only hold memory
  decodersAreRestricted = true
}

/** Throws PictureRefused for anything that is not a whole JPEG or PNG of a reasonable size. */
export async function processPicture(bytes: Buffer): Promise<ProcessedPicture> {
  restrictDecoders()
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureRefused('too-large-bytes')
  if (!looksLikeJpegOrPng(bytes)) throw new PictureRefused('not-a-picture')
  return inTurn(async () => {
    await checkSize(bytes)
    const fine = await decode(bytes)
    const picture = await shrink(fine.open(), LARGEST)
    const small = await shrink(picture.open(), 100) // the largest that a thumbhash takes
    const rgba = await small.open().ensureAlpha().raw().toBuffer()
    return {
      width: picture.width,
      height: picture.height,
      thumbhash: Buffer.from(rgbaToThumbHash(small.width, small.height, rgba)).toString('base64'),
      averageColor: averageColorOf(rgba),
      dhash: await dhashOf(picture.open()),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      variants: [...(await variantsOf(picture)), ...(await detailOf(fine))],
    }
  })
}

/** By its first bytes, never by its name or by what the browser says. */
function looksLikeJpegOrPng(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 8).toString('hex')
  return start.startsWith('ffd8ff') || start === '89504e470d0a1a0a'
}

/** Reads the header only, so that a bomb is refused in a millisecond. */
async function checkSize(bytes: Buffer) {
  const header = sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata()
  const { width, height, isProgressive } = await header.catch(refuseAsBroken)
  const limit = isProgressive ? MAX_PROGRESSIVE_PIXELS : MAX_PICTURE_PIXELS
  if (width * height > limit) throw new PictureRefused('too-many-pixels')
  if (Math.min(width, height) < MIN_PICTURE_SIDE) throw new PictureRefused('too-small')
}

type Pixels = { width: number; height: number; open(): Sharp }

const LARGEST = Math.max(...PICTURE_WIDTHS)

/** Upright, in sRGB, no larger than the detail, without transparency; decoded once for all variants. */
async function decode(bytes: Buffer): Promise<Pixels> {
  const upright = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PICTURE_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
  return shrink(upright, DETAIL_WIDTH).catch(refuseAsBroken)
}

/** Fits it inside a square by its long side; never enlarges. */
async function shrink(image: Sharp, side: number): Promise<Pixels> {
  const resized = image.resize(side, side, { fit: 'inside', withoutEnlargement: true })
  const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { width, height, open: () => sharp(data, { raw: { width, height, channels } }).timeout({ seconds: TIMEOUT_SECONDS }) }
}

/**
 * Measured on 1280 x 960, all three widths: AVIF effort 2 takes 380 ms, effort 1 170 ms for 3 % more bytes at
 * equal looks (effort 4, sharp's own, 6 s); WebP effort 4 takes 115 ms, effort 2 55 ms for 5 % more.
 */
const encode: Record<PictureFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 55, effort: 1 }),
  webp: (image) => image.webp({ quality: 75, effort: 2 }),
  jpeg: (image) => image.jpeg({ quality: 78, mozjpeg: true }),
}

/** One after another: side by side a single picture would be ready sooner, but take every thread of the pool. */
async function variantsOf(picture: Pixels): Promise<PictureVariant[]> {
  const longSide = Math.max(picture.width, picture.height)
  const variants: PictureVariant[] = []
  for (const width of PICTURE_WIDTHS) {
    const sameSize = variants.filter((each) => each.width >= longSide)
    const resized = longSide > width ? await shrink(picture.open(), width) : picture
    for (const format of PICTURE_FORMATS) {
      const done = sameSize.find((each) => each.format === format)?.bytes
      variants.push({ width, format, bytes: done ?? (await encode[format](resized.open()).toBuffer()) })
    }
  }
  return variants
}

/** None of a picture that the largest of the nine shows whole. */
async function detailOf(fine: Pixels): Promise<PictureVariant[]> {
  if (Math.max(fine.width, fine.height) <= LARGEST) return []
  return [{ width: DETAIL_WIDTH, format: 'webp', bytes: await encode.webp(fine.open()).toBuffer() }]
}

function averageColorOf(rgba: Buffer): string {
  const sums = [0, 0, 0]
  for (let i = 0; i < rgba.length; i += 4) for (const c of [0, 1, 2] as const) sums[c]! += rgba[i + c]!
  return `#${sums
    .map((sum) =>
      Math.round(sum / (rgba.length / 4))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** Difference hash: in an 8 x 8 grid, is each spot brighter than its right neighbour? */
async function dhashOf(image: Sharp): Promise<string> {
  const grey = await image.resize(9, 8, { fit: 'fill' }).toColourspace('b-w').raw().toBuffer()
  let bits = ''
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const at = row * 9 + column
      bits += grey[at]! > grey[at + 1]! ? '1' : '0'
    }
  }
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0')
}

function refuseAsBroken(cause: unknown): never {
  throw new PictureRefused('broken', { cause })
}
