import { z } from '@hono/zod-openapi'
import { CLIP_KINDS } from '#src/kit/media/clips/clip-limits.ts'
import { clipType, clipUrl, mediaUrl } from '#src/kit/media/media-url.ts'
import type { Clip } from '#src/listings/product-rows.server.ts'

/** A clip or a voice note in the shape in which calls answer it. */
export const clipSchema = z.strictObject({
  id: z.int(),
  kind: z.enum(CLIP_KINDS),
  url: z.string().openapi({ description: 'Takes ranges. As private as the listing.' }),
  type: z.string().openapi({ description: 'video/mp4, video/webm, audio/mp4 or audio/webm.' }),
  bytes: z.int(),
  seconds: z.number(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  still: z.string().nullable(),
  caption: z.string(),
})

export type ShownClip = z.output<typeof clipSchema>

export const clipOnWire = (clip: Clip): ShownClip => ({
  id: clip.id,
  kind: clip.kind,
  url: clipUrl(clip),
  type: clipType(clip),
  bytes: clip.bytes,
  seconds: Math.round(clip.millis / 100) / 10,
  width: clip.width,
  height: clip.height,
  still: clip.stillKey && mediaUrl(clip.stillKey, 640, 'jpeg'),
  caption: clip.caption,
})
