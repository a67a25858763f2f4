/**
 * A page on its way from where it is drawn to where it is kept: its bytes, each as a letter of its own (latin1). So it is changed without
 * being decoded; whoever changes it looks for ASCII, and puts in nothing else.
 */
export type PageBytes = string

export const toBytes = (page: Buffer): PageBytes => page.toString('latin1')
export const fromBytes = (page: PageBytes): Buffer<ArrayBuffer> => Buffer.from(page, 'latin1')

let desk = Buffer.allocUnsafeSlow(256 * 1024)

/** The same from text, by way of one place that all pages pass through: finding memory for each takes as long as writing it. */
export function textToBytes(page: string): PageBytes {
  const atMost = page.length * 3
  if (desk.length < atMost) desk = Buffer.allocUnsafeSlow(atMost)
  return desk.toString('latin1', 0, desk.write(page))
}

/**
 * React Router wants a Response in between, and looks at its body to know one; a body of text becomes a stream then, only to be read
 * back: a twentieth of what drawing a page costs.
 */
const pages = new WeakMap<Response, PageBytes>()

export function htmlResponse(html: PageBytes, init: { status: number; headers: Headers }): Response {
  const response = new Response(null, init)
  // What the router asks by (its isResponse), answered without making the body.
  Object.defineProperties(response, { body: { value: null }, statusText: { value: '' } })
  pages.set(response, html)
  return response
}

/** Null for what is no page: a redirect, the data that scripts ask for. */
export const htmlOf = (response: Response): PageBytes | null => pages.get(response) ?? null
