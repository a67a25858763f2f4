/** Updates the cart's line count in the header, which only the server renders (content/site-frame/header-own.tsx). */
export function showCartCount(lines: number): void {
  const badge = document.getElementById('cart-count')
  if (!badge || !Number.isInteger(lines)) return
  badge.textContent = String(lines)
  badge.hidden = lines === 0
}
