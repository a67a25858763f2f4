import type { Locale } from '#src/kit/text/locale.ts'

/** `link`: what chat apps show of a link. `status`: as tall as a phone, to be put into one's WhatsApp status. */
export type ShareShape = 'link' | 'status'

export const shareFileName = ({ id, locale }: { id: number; locale: Locale }, shape: ShareShape, version: string) =>
  `${id}-${locale}${shape === 'status' ? '-status' : ''}-${version}.jpg`

/** For a link to the status picture of today: whichever version is asked for, the answer leads to the present one. */
export const statusPath = (id: number, locale: Locale) => `/share/${shareFileName({ id, locale }, 'status', '0'.repeat(10))}`
