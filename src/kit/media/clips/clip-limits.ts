/** Limits of a listing's clips and voice note, for browser and server. */

export const CLIP_KINDS = ['video', 'voice'] as const
export type ClipKind = (typeof CLIP_KINDS)[number]
export const isClipKind = (text: unknown): text is ClipKind => CLIP_KINDS.includes(text as ClipKind)

/** MP4 holds H.264 and AAC; WebM holds VP8 or VP9 and Opus. */
export const CLIP_FORMATS = ['mp4', 'webm'] as const
export type ClipFormat = (typeof CLIP_FORMATS)[number]

export const clipLimits: Record<ClipKind, { seconds: number; bytes: number; perListing: number }> = {
  video: { seconds: 30, bytes: 3 * 1024 * 1024, perListing: 2 },
  voice: { seconds: 60, bytes: 1024 * 1024, perListing: 1 },
}
/** A recorder that stops on time still writes its last frame. */
export const SECONDS_OVER = 1

/** Characters of a clip's caption. */
export const MAX_CAPTION = 120
