import { parseAccept } from 'hono/utils/accept'

const seen = new Map<string, 'br' | 'gzip' | null>()
const MOST_SEEN = 500

/**
 * Returns the best of our two encodings that this Accept-Encoding allows; null: send plain. Caches results, because browsers send few different
 * headers.
 */
export function acceptedEncoding(header: string | undefined): 'br' | 'gzip' | null {
  if (!header) return null
  const known = seen.get(header)
  if (known !== undefined) return known
  const accepted = parseAccept(header)
  const weight = (name: string) => (accepted.find(({ type }) => type === name) ?? accepted.find(({ type }) => type === '*'))?.q ?? 0
  const best = weight('br') > 0 && weight('br') >= weight('gzip') ? 'br' : weight('gzip') > 0 ? 'gzip' : null
  if (seen.size >= MOST_SEEN) seen.clear()
  seen.set(header, best)
  return best
}

/** Returns the first and last byte of a Range request; null when we do not serve this range, and the whole file is sent. */
export function rangeIn(header: string | undefined, length: number): [from: number, to: number] | 'outside' | null {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1)
  if (first !== '' && last !== '' && Number(last) < from) return null
  return from <= to ? [from, to] : 'outside'
}

/** Whether an If-None-Match names this ETag. Compares weakly (RFC 9110), because compression on the way turns a strong ETag into a weak one. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const weak = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || weak(tag) === weak(etag)) ?? false
}
