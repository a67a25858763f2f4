/** Into the header, which only the server draws (content/header-own.tsx): how many lines the cart has now. */
export function showCartCount(lines: number): void {
  const badge = document.getElementById('cart-count')
  if (!badge || !Number.isInteger(lines)) return
  badge.textContent = String(lines)
  badge.hidden = lines === 0
}
