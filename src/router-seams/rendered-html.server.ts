/**
 * A rendered page on its way to the page cache: its bytes, each as one letter (latin1). So it is changed without
 * being decoded; code that changes it searches for ASCII and inserts nothing else.
 */
export type PageBytes = string

export const toBytes = (page: Buffer): PageBytes => page.toString('latin1')
export const fromBytes = (page: PageBytes): Buffer<ArrayBuffer> => Buffer.from(page, 'latin1')

let desk = Buffer.allocUnsafeSlow(256 * 1024)

/** The same from text, through one shared buffer: allocating one for each page takes as long as writing it. */
export function textToBytes(page: string): PageBytes {
  const atMost = page.length * 3
  if (desk.length < atMost) desk = Buffer.allocUnsafeSlow(atMost)
  return desk.toString('latin1', 0, desk.write(page))
}

/**
 * React Router demands a Response in between and checks its body; a body of text becomes a stream then, only to be read
 * back: a twentieth of the cost of rendering a page.
 * To remove: when the router passes on what the page handler answers, or a body of text stays text; then `new Response(html)` does.
 */
const pages = new WeakMap<Response, PageBytes>()

export function htmlResponse(html: PageBytes, init: { status: number; headers: Headers }): Response {
  const response = new Response(null, init)
  // The properties that the router's isResponse checks, without creating the body.
  Object.defineProperties(response, { body: { value: null }, statusText: { value: '' } })
  pages.set(response, html)
  return response
}

/** Null for what is no page: a redirect, the data that scripts ask for. */
export const htmlOf = (response: Response): PageBytes | null => pages.get(response) ?? null
