/**
 * The `clientLoader` of a route that starts React on demand (start-app.ts): its server-only parts arrive only with a document.
 * To remove: when such a page has no server-only parts.
 */
export function loadDocument({ request: { url } }: { request: Request }): Promise<never> {
  // After going back, the URL is already the current one.
  if (location.href === url) location.reload()
  else location.assign(url)
  return new Promise(() => {})
}
