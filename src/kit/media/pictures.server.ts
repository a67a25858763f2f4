/**
 * Turns an uploaded picture into the nine files that we serve, plus a tenth with more detail. The site never serves the upload itself: decoding and
 * re-encoding removes EXIF (with the farm's position), scripts hidden in comments, and appended files.
 */
import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { DETAIL_WIDTH, PICTURE_FORMATS, PICTURE_WIDTHS, type PictureFormat, type PictureWidth } from './media-url.ts'
import { loadSharp } from './sharp.server.ts'

/** Larger than good photos of current phones. A higher limit only lengthens uploads on slow connections. */
export const MAX_PICTURE_BYTES = 8 * 1024 * 1024
/** Above the usual mode of phones (50 MP), below what a small server can decode: a 31 KB PNG can hold 256 MP. */
const MAX_PICTURE_PIXELS = 64_000_000
/**
 * Interlaced PNG and progressive JPEG cannot be shrunk while reading, so the decoder holds the whole picture at up to 8 bytes per pixel. A picture of
 * this size takes a process to 255 MB (decode-apart.server.ts). No phone makes larger ones.
 */
const MAX_PROGRESSIVE_PIXELS = 16_000_000
/** A picture with a shorter side is an icon, not a photo of an animal. */
export const MIN_PICTURE_SIDE = 64
/** A picture that takes longer is an attack or damaged. */
const TIMEOUT_SECONDS = 10
/**
 * Pictures whose dhashes differ in at most this many bits may be the same. This is only a hint until their prints are compared
 * (listings/write/duplicates.server.ts).
 */
export const SAME_PICTURE_DISTANCE = 6

export type PictureVariant = { width: PictureWidth; format: PictureFormat; bytes: Buffer }

export type ProcessedPicture = {
  /** The size of the largest of the nine files in pixels, upright. */
  width: number
  height: number
  /** A base64 placeholder, shown while the picture loads. */
  thumbhash: string
  /** `#rrggbb` */
  averageColor: string
  /** 16 hex digits. A recompression changes hardly any of the 64 bits. */
  dhash: string
  /** The hash of the uploaded bytes, hex. */
  sha256: string
  /** All nine, smallest first; a picture narrower than a width keeps its own size under that name. Then the detail file, if it shows more. */
  variants: PictureVariant[]
}

export type PictureRefusal = 'too-large-bytes' | 'too-many-pixels' | 'not-a-picture' | 'broken' | 'too-small'

export class PictureRefused extends Error {
  readonly reason: PictureRefusal

  constructor(reason: PictureRefusal, options?: ErrorOptions) {
    super(`Picture refused: ${reason}`, options)
    this.name = 'PictureRefused'
    this.reason = reason
  }
}

/**
 * Throws PictureRefused for anything but a complete JPEG or PNG of a reasonable size. Call it in the site's own process only for our own drawings;
 * uploads go through `processApart` (decode-apart.server.ts).
 */
export async function processPicture(bytes: Buffer): Promise<ProcessedPicture> {
  ensurePicture(bytes)
  await checkSize(bytes)
  const fine = await decode(bytes)
  const picture = await shrink(fine.open(), LARGEST)
  const small = await shrink(picture.open(), 100) // the maximum size for a thumbhash
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
}

/** Checks size and first bytes before any decoding. */
export function ensurePicture(bytes: Buffer): void {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureRefused('too-large-bytes')
  if (!looksLikeJpegOrPng(bytes)) throw new PictureRefused('not-a-picture')
}

/** Checks the first bytes, never the file name or the browser's content type. */
function looksLikeJpegOrPng(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 8).toString('hex')
  return start.startsWith('ffd8ff') || start === '89504e470d0a1a0a'
}

/** Reads only the header, so a decompression bomb is refused in a millisecond. */
async function checkSize(bytes: Buffer) {
  const sharp = await loadSharp()
  const header = sharp(bytes, { failOn: 'error', limitInputPixels: false }).metadata()
  const { width, height, isProgressive } = await header.catch(refuseAsBroken)
  const limit = isProgressive ? MAX_PROGRESSIVE_PIXELS : MAX_PICTURE_PIXELS
  if (width * height > limit) throw new PictureRefused('too-many-pixels')
  if (Math.min(width, height) < MIN_PICTURE_SIDE) throw new PictureRefused('too-small')
}

type Pixels = { width: number; height: number; open(): Sharp }

const LARGEST = Math.max(...PICTURE_WIDTHS)

/** Returns the picture upright, in sRGB, at most detail size, without transparency. Decodes once for all variants. */
async function decode(bytes: Buffer): Promise<Pixels> {
  const sharp = await loadSharp()
  const upright = sharp(bytes, { failOn: 'error', limitInputPixels: MAX_PICTURE_PIXELS })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
  return shrink(upright, DETAIL_WIDTH).catch(refuseAsBroken)
}

/** Fits the picture into a square without enlarging it. */
async function shrink(image: Sharp, side: number): Promise<Pixels> {
  const sharp = await loadSharp()
  const resized = image.resize(side, side, { fit: 'inside', withoutEnlargement: true })
  const { data, info } = await resized.raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { width, height, open: () => sharp(data, { raw: { width, height, channels } }).timeout({ seconds: TIMEOUT_SECONDS }) }
}

/**
 * Measured on 1280 x 960, all three widths: AVIF effort 2 takes 380 ms, effort 1 170 ms for 3 % more bytes at equal quality (effort 4, sharp's
 * default, 6 s); WebP effort 4 takes 115 ms, effort 2 55 ms for 5 % more.
 */
const encode: Record<PictureFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 55, effort: 1 }),
  webp: (image) => image.webp({ quality: 75, effort: 2 }),
  jpeg: (image) => image.jpeg({ quality: 78, mozjpeg: true }),
}

/** Sequential: in parallel, one picture would finish sooner but occupy every thread of the pool. */
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

/** Empty when the largest of the nine files already shows all detail. */
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

/** Difference hash: for each cell of an 8 x 8 grid, whether it is brighter than its right neighbour. */
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
