import type { ContactWay } from './contacts.server.ts'

/**
 * Notifies the server that somebody contacts the seller. It must not hold up the call: nobody waits for it, and the browser sends it even
 * when the page is left. The token's cookie exists on every page that shows a number.
 */
export function countTap(listingId: number, way: ContactWay): void {
  const token = /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1] ?? ''
  fetch(`/api/v1/product-contact/id=${listingId}`, {
    method: 'POST',
    keepalive: true,
    headers: { 'X-CSRFToken': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ way }),
  }).catch(() => {
    // A tap that cannot be counted is no reason to trouble anybody.
  })
}
