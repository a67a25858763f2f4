/**
 * The `clientLoader` of a route that starts React on demand (start-app.ts): what only the server draws comes with a document.
 * To remove: when such a page has nothing any more that only the server draws.
 */
export function loadDocument({ request: { url } }: { request: Request }): Promise<never> {
  // Going back, the address is there already.
  if (location.href === url) location.reload()
  else location.assign(url)
  return new Promise(() => {})
}
