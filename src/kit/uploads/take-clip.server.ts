import type { Ctx } from '../context.ts'
import { BucketAway } from '#src/kit/media/bucket.server.ts'
import { MediaStoreFull, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { clipFile } from '#src/kit/media/media-url.ts'
import { noRoom } from './take-picture.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { checkClip } from '#src/kit/media/clips/check-clip.server.ts'
import type { ClipFormat, ClipKind } from '#src/kit/media/clips/clip-limits.ts'
import { ClipRefused, type ClipRefusal } from '#src/kit/media/clips/clip-refused.ts'

/** A stored clip. Insert its row soon, or the sweeper removes the file. */
export interface StoredClip {
  mediaKey: string
  kind: ClipKind
  format: ClipFormat
  bytes: number
  millis: number
  width: number | null
  height: number | null
}

const texts: Record<ClipKind, Record<ClipRefusal, string>> = {
  video: {
    'not-a-clip': 'field_clip_kind',
    broken: 'field_clip_broken',
    'too-large-bytes': 'field_clip_large',
    'too-long': 'field_clip_long',
    'no-video': 'field_clip_no_video',
    'no-sound': 'field_clip_broken',
    'other-codec': 'field_clip_codec',
    'other-sound': 'field_clip_sound',
    'odd-size': 'field_clip_size',
    'too-many-tracks': 'field_clip_tracks',
  },
  voice: {
    'not-a-clip': 'field_voice_kind',
    broken: 'field_voice_broken',
    'too-large-bytes': 'field_voice_large',
    'too-long': 'field_voice_long',
    'no-video': 'field_voice_kind',
    'no-sound': 'field_voice_kind',
    'other-codec': 'field_voice_kind',
    'other-sound': 'field_voice_kind',
    'odd-size': 'field_voice_kind',
    'too-many-tracks': 'field_voice_kind',
  },
}

/**
 * Checks, rewrites and stores a clip. Throws UNSUPPORTED_TYPE, TOO_LARGE or VALIDATION for `field`, or UNAVAILABLE when the store is full or
 * unreachable.
 */
export async function takeClip(ctx: Ctx, media: MediaStore, sent: { kind: ClipKind; bytes: Buffer; field: string }): Promise<StoredClip> {
  const { kind, field } = sent
  try {
    const { bytes, ...facts } = await checkClip(sent.bytes, kind)
    const mediaKey = await media.saveFiles([{ name: clipFile({ kind, format: facts.format }), bytes }])
    return { mediaKey, kind, ...facts, bytes: bytes.byteLength }
  } catch (error) {
    if (error instanceof MediaStoreFull || error instanceof BucketAway) throw noRoom(ctx, error)
    if (!(error instanceof ClipRefused)) throw error
    ctx.log.info({ event: 'upload_validation', reason: error.reason }, 'clip refused')
    const code = { 'not-a-clip': 'UNSUPPORTED_TYPE', 'too-large-bytes': 'TOO_LARGE' } as const
    throw new Problem(code[error.reason as keyof typeof code] ?? 'VALIDATION', { fields: [{ field, message: texts[kind][error.reason] }] })
  }
}
