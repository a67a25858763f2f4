import type { Locale } from '#src/kit/text/locale.ts'

/** `link`: the preview of a link in chat apps. `status`: phone-sized, for a WhatsApp status. */
export type ShareShape = 'link' | 'status'

export const shareFileName = ({ id, locale }: { id: number; locale: Locale }, shape: ShareShape, version: string) =>
  `${id}-${locale}${shape === 'status' ? '-status' : ''}-${version}.jpg`

/** A link to the current status picture: the server redirects any version to the current one. */
export const statusPath = (id: number, locale: Locale) => `/share/${shareFileName({ id, locale }, 'status', '0'.repeat(10))}`

/** A list or a breed; list 0 contains everything. */
export interface Board {
  what: 'list' | 'breed'
  id: number
  locale: Locale
}

/** Without a version: a list changes with every sale, and an hour-old picture is not wrong about any animal. */
export const boardPath = ({ what, id, locale }: Board) => `/share/${what}-${id}-${locale}.jpg`
