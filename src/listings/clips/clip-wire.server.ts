import { z } from '@hono/zod-openapi'
import { CLIP_KINDS } from '#src/kit/media/clips/clip-limits.ts'
import { clipType, clipUrl, mediaUrl } from '#src/kit/media/media-url.ts'
import { HIDDEN_NUMBERS } from '../public-texts.ts'
import type { Clip, MilkingClip } from '../product-rows.server.ts'

/** A clip or a voice note in API answers. */
export const clipSchema = z.strictObject({
  id: z.int(),
  kind: z.enum(CLIP_KINDS),
  url: z.string().openapi({ description: 'Accepts range requests. Has the access rights of the listing.' }),
  type: z.string().openapi({ description: 'video/mp4, video/webm, audio/mp4 or audio/webm.' }),
  bytes: z.int(),
  seconds: z.number(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  still: z.string().nullable(),
  caption: z.string().openapi({ description: HIDDEN_NUMBERS }),
})

/** The same for a clip that shows a milking (listings/proofs). */
export const milkingClipSchema = clipSchema.omit({ id: true, kind: true, caption: true })

export type ShownClip = z.output<typeof clipSchema>

export const clipOnWire = (clip: Clip): ShownClip => {
  const { id, kind, caption } = clip
  return { id, kind, ...fileOnWire(clip), caption }
}

const fileOnWire = (clip: Omit<Clip, 'id' | 'caption'>) => ({
  url: clipUrl(clip),
  type: clipType(clip),
  bytes: clip.bytes,
  seconds: Math.round(clip.millis / 100) / 10,
  width: clip.width,
  height: clip.height,
  still: clip.stillKey && mediaUrl(clip.stillKey, 640, 'jpeg'),
})

export const milkingClipOnWire = (clip: MilkingClip): ShownMilkingClip => fileOnWire({ ...clip, kind: 'video' })
export type ShownMilkingClip = z.output<typeof milkingClipSchema>
