/**
 * An anonymous visitor's tap on "add to cart": a plain form leads to `/login?wanted=cart-12&count=2`, whose page stores the wish in a
 * cookie; after the login in this browser the cart fulfils it (decision 0044). The wish survives every kind of login (code, password,
 * registration, new password, second step). Another site cannot plant one (`isFromOurPage`).
 */
export interface Wish {
  listingId: number
  count: number
}

const MAX_COUNT = 10_000
const WANTED = /^cart-([1-9]\d{0,14})(?:x([1-9]\d{0,4}))?$/

/** Null for anything that is no wish. */
export function readWish(text: string | null | undefined, count?: string | null): Wish | null {
  const [, id, times = '1'] = WANTED.exec(text ?? '') ?? []
  if (id === undefined) return null
  const wanted = count && /^[1-9]\d{0,4}$/.test(count) ? count : times
  return { listingId: Number(id), count: Math.min(MAX_COUNT, Number(wanted)) }
}

export const wishText = ({ listingId, count }: Wish): string => (count === 1 ? `cart-${listingId}` : `cart-${listingId}x${count}`)

/** Whether the browser's headers say that a page of this site led here; links in messages or on other sites do not count. */
export function isFromOurPage(headers: Headers, host: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const referer = headers.get('referer')
  return referer !== null && URL.canParse(referer) && new URL(referer).host === host
}
