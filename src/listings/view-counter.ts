const MONTH_SECONDS = 30 * 86_400

/** The product click counter of A §3: a plain cookie, raised by one for each product page. Answers the new count. */
export function clickViews(): number {
  const views = Number(/(?:^|; )views=(\d{1,4})/.exec(document.cookie)?.[1] ?? 0) + 1
  document.cookie = `views=${views}; path=/; max-age=${MONTH_SECONDS}; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
  return views
}

const readCsrf = () => /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1]

/** Tells the server that this product was looked at. A view that cannot be counted is no reason to trouble anybody. */
export async function countView(productId: number): Promise<void> {
  try {
    const answer = await sendView(productId)
    // A token from before a login or logout is worth nothing now: fetch the new one, once.
    if (answer === 403) {
      await fetch('/api/v1/csrf')
      await sendView(productId)
    }
  } catch {
    // Offline, or the page was left: the next look counts.
  }
}

async function sendView(productId: number): Promise<number> {
  if (!readCsrf()) await fetch('/api/v1/csrf')
  const response = await fetch(`/api/v1/product-access-detail/id=${productId}`, {
    method: 'POST',
    headers: { 'X-CSRFToken': readCsrf() ?? '' },
  })
  await response.text()
  return response.status
}
