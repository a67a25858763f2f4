/**
 * A page's bytes on their way from where it is drawn to where it is kept. React Router wants a Response in between, and looks at its
 * body to know one; a body of text becomes a stream then, only to be read back: a twentieth of what drawing a page costs.
 */
const pages = new WeakMap<Response, Buffer>()

export function htmlResponse(html: Buffer, init: { status: number; headers: Headers }): Response {
  const response = new Response(null, init)
  // What the router asks by (its isResponse), answered without making the body.
  Object.defineProperties(response, { body: { value: null }, statusText: { value: '' } })
  pages.set(response, html)
  return response
}

/** Null for what is no page: a redirect, the data that scripts ask for. */
export const htmlOf = (response: Response): Buffer | null => pages.get(response) ?? null

/**
 * Changes a page without decoding it: `edit` gets each byte as a letter of its own. So it may look for ASCII only, and put in nothing
 * else; Tamil goes through it untouched, as three odd letters each.
 */
export function editBytes(page: Buffer, edit: (bytes: string) => string): Buffer {
  return Buffer.from(edit(page.toString('latin1')), 'latin1')
}
