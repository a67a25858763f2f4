/**
 * A page's text on its way from where it is drawn to where it is kept. React Router wants a Response in between, and looks at its
 * body to know one; a body of text becomes a stream then, only to be read back: a twentieth of what drawing a page costs.
 */
const texts = new WeakMap<Response, string>()

export function htmlResponse(html: string, init: { status: number; headers: Headers }): Response {
  const response = new Response(null, init)
  // What the router asks by (its isResponse), answered without making the body.
  Object.defineProperties(response, { body: { value: null }, statusText: { value: '' } })
  texts.set(response, html)
  return response
}

/** Null for what is no page: a redirect, the data that scripts ask for. */
export const htmlOf = (response: Response): string | null => texts.get(response) ?? null
