import type { ContactWay } from './contacts.server.ts'

/**
 * Reports a contact with the seller to the server without delaying the call: nobody waits for it, and the browser sends it even after leaving the
 * page. The CSRF cookie exists on every page that shows a number.
 */
export function countTap(listingId: number, way: ContactWay): void {
  const token = /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1] ?? ''
  fetch(`/api/v1/product-contact/id=${listingId}`, {
    method: 'POST',
    keepalive: true,
    headers: { 'X-CSRFToken': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ way }),
  }).catch(() => {
    // Ignore a tap that cannot be counted.
  })
}
