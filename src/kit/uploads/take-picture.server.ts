import type { Ctx } from '../context.ts'
import { BucketAway } from '#src/kit/media/bucket.server.ts'
import { MediaStoreFull, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { processApart } from '#src/kit/media/decode-apart.server.ts'
import { MAX_PICTURE_BYTES, PictureRefused, type ProcessedPicture } from '#src/kit/media/pictures.server.ts'
import { Problem } from '#src/kit/base/problem.ts'

/** Seconds. A retry helps only after an operator has made room. */
const FULL_RETRY_SECONDS = 60
const AWAY_RETRY_SECONDS = 5

/** A stored picture. Insert its row soon, or the sweeper removes the files. */
export type StoredPicture = Omit<ProcessedPicture, 'variants'> & { mediaKey: string }

const texts = {
  'too-large-bytes': 'field_picture_large',
  'too-many-pixels': 'field_picture_pixels',
  'not-a-picture': 'field_picture_kind',
  broken: 'field_picture_broken',
  'too-small': 'field_picture_small',
} as const

/**
 * Re-encodes and stores a picture. Throws UNSUPPORTED_TYPE or VALIDATION for `field`, TOO_LARGE, or UNAVAILABLE when the store is full or
 * unreachable.
 */
export async function takePicture(ctx: Ctx, media: MediaStore, bytes: Buffer, field: string): Promise<StoredPicture> {
  if (bytes.length > MAX_PICTURE_BYTES) throw new Problem('TOO_LARGE', { fields: [{ field, message: texts['too-large-bytes'] }] })
  try {
    const { variants, ...facts } = await processApart(bytes)
    return { mediaKey: await media.save({ variants }), ...facts }
  } catch (error) {
    if (error instanceof PictureRefused) {
      ctx.log.info({ event: 'upload_validation', reason: error.reason }, 'picture refused')
      const code = error.reason === 'not-a-picture' ? 'UNSUPPORTED_TYPE' : 'VALIDATION'
      throw new Problem(code, { fields: [{ field, message: texts[error.reason] }] })
    }
    if (!(error instanceof BucketAway) && !(error instanceof MediaStoreFull)) throw error
    throw noRoom(ctx, error)
  }
}

/** Returns UNAVAILABLE and logs the reason. */
export function noRoom(ctx: Pick<Ctx, 'log'>, error: MediaStoreFull | BucketAway): Problem {
  const isAway = error instanceof BucketAway
  ctx.log.error({ err: error }, isAway ? 'the picture bucket is unreachable' : 'no room for pictures')
  return new Problem('UNAVAILABLE', { retryAfterSeconds: isAway ? AWAY_RETRY_SECONDS : FULL_RETRY_SECONDS })
}

/**
 * Stores several pictures, all or none. When one is refused or `use` throws a Problem, deletes all files. When `use` fails in another way, its rows
 * may exist anyway (the connection may have broken during the commit), so the files stay for the sweeper, which checks the rows.
 */
export async function withPictures<T>(
  ctx: Ctx,
  media: MediaStore,
  files: Buffer[],
  field: string,
  use: (pictures: StoredPicture[]) => Promise<T>,
): Promise<T> {
  const pictures: StoredPicture[] = []
  let isWriting = false
  try {
    for (const bytes of files) pictures.push(await takePicture(ctx, media, bytes, field))
    isWriting = true
    return await use(pictures)
  } catch (error) {
    const keys = pictures.map(({ mediaKey }) => mediaKey)
    if (!isWriting || error instanceof Problem) await dropPictures(ctx, media, keys)
    throw error
  }
}

/** Call this after the commit. The sweeper removes a file that cannot be removed now. */
export async function dropPictures(ctx: Pick<Ctx, 'log'>, media: MediaStore, keys: string[]): Promise<void> {
  for (const key of keys)
    await media.remove(key).catch((error: unknown) => ctx.log.error({ err: error, key }, 'a picture could not be removed'))
}
