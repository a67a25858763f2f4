import { CLIP_FORMATS, CLIP_KINDS, type ClipFormat, type ClipKind } from './clips/clip-limits.ts'

/** The public names of stored pictures, `/media/<key>-<width>.<ext>`, and clips, `/media/<key>-video.mp4`. For browser and server. */

/** For a list on a cheap phone, for a phone's full width, and for the large view. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const
/** For zooming: WebP only, and only when the photo has more detail than the widths above. */
export const DETAIL_WIDTH = 2048
export type PictureWidth = (typeof PICTURE_WIDTHS)[number] | typeof DETAIL_WIDTH

/** Best first, as a <picture> element lists them. Every old phone and every link preview reads JPEG. */
export const PICTURE_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

export const PICTURE_EXTENSIONS = { avif: 'avif', webp: 'webp', jpeg: 'jpg' } as const satisfies Record<PictureFormat, string>

export type MediaName = { key: string; width: PictureWidth; format: PictureFormat }

/** `width` is the side of the square box that contains the picture; a small or upright picture is narrower. */
export function mediaUrl(key: string, width: PictureWidth, format: PictureFormat): string {
  return `/media/${key}-${width}.${PICTURE_EXTENSIONS[format]}`
}

type ClipName = { key: string; kind: ClipKind; format: ClipFormat }

/** A clip has one file. */
export const clipFile = ({ kind, format }: Omit<ClipName, 'key'>): string => `${kind}.${format}`
export const clipUrl = (name: ClipName): string => `/media/${name.key}-${clipFile(name)}`
export const clipType = ({ kind, format }: Omit<ClipName, 'key'>): string => `${kind === 'video' ? 'video' : 'audio'}/${format}`

/** Like `parseMediaName`, for clips. */
export function parseClipName(name: string): ClipName | null {
  const [, key, kindText, formatText] = /^([a-z0-9]{20})-([a-z]+)\.([a-z0-9]+)$/.exec(name) ?? []
  const kind = CLIP_KINDS.find((each) => each === kindText)
  const format = CLIP_FORMATS.find((each) => each === formatText)
  return key && kind && format ? { key, kind, format } : null
}

/** The finest version of a picture. Where no detail file exists, the server answers with the large view. */
export const detailUrl = (key: string): string => mediaUrl(key, DETAIL_WIDTH, 'webp')

/** Parses the last segment of a media address; null when the name is not one of ours. */
export function parseMediaName(name: string): MediaName | null {
  const [, key, width, extension] = /^([a-z0-9]{20})-(320|640|1280|2048)\.(avif|webp|jpg)$/.exec(name) ?? []
  const format = PICTURE_FORMATS.find((each) => PICTURE_EXTENSIONS[each] === extension)
  return key && format ? { key, width: Number(width) as PictureWidth, format } : null
}
