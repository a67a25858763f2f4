/**
 * A rendered page on its way to the page cache: its bytes as a latin1 string, one character per byte. Code can so change it without decoding; such
 * code must search for ASCII and insert only ASCII.
 */
export type PageBytes = string

export const toBytes = (page: Buffer): PageBytes => page.toString('latin1')
export const fromBytes = (page: PageBytes): Buffer<ArrayBuffer> => Buffer.from(page, 'latin1')

let desk = Buffer.allocUnsafeSlow(256 * 1024)

/** Encodes text through one shared buffer, because allocating a buffer per page takes as long as writing it. */
export function textToBytes(page: string): PageBytes {
  const atMost = page.length * 3
  if (desk.length < atMost) desk = Buffer.allocUnsafeSlow(atMost)
  return desk.toString('latin1', 0, desk.write(page))
}

/**
 * React Router requires a Response and checks its body. A text body would become a stream that we read back, which costs a twentieth of rendering a
 * page.
 * To remove: when the router passes on the page handler's answer, or keeps a text body; then use `new Response(html)`.
 */
const pages = new WeakMap<Response, PageBytes>()

export function htmlResponse(html: PageBytes, init: { status: number; headers: Headers }): Response {
  const response = new Response(null, init)
  // The properties that the router's isResponse checks, without creating a body.
  Object.defineProperties(response, { body: { value: null }, statusText: { value: '' } })
  pages.set(response, html)
  return response
}

/** Null for answers that are no page: a redirect, or data for scripts. */
export const htmlOf = (response: Response): PageBytes | null => pages.get(response) ?? null
