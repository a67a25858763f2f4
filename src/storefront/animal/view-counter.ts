import { post } from '#src/kit/http/post-json.ts'

const MONTH_SECONDS = 30 * 86_400

/** The product view counter of A §3: a plain cookie, raised by one per product page. Returns the new count. */
export function clickViews(): number {
  const views = Number(/(?:^|; )views=(\d{1,4})/.exec(document.cookie)?.[1] ?? 0) + 1
  document.cookie = `views=${views}; path=/; max-age=${MONTH_SECONDS}; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
  return views
}

/** Reports a product view to the server. Silently drops a view that fails. */
export async function countView(productId: number): Promise<void> {
  try {
    const response = await post(`/api/v1/product-access-detail/id=${productId}`)
    await response.text()
  } catch {
    // Offline, or the person left the page: the next view counts.
  }
}
