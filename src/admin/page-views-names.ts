import { m } from '#src/paraglide/messages.js'

/** Readable names of the most visited pages; other pages are shown by their route pattern. */
const names: Record<string, () => string> = {
  '/': m.frame_home,
  '/buy/:typeId': m.views_page_lists,
  '/product/:productId': m.views_page_animal,
  '/seller/:sellerId': m.views_page_seller,
  '/sell': m.views_page_sell,
  '/seller-product': m.own_title,
  '/my-cart': m.frame_cart,
  '/confirm-order/:addressId': m.views_page_confirm,
  '/orders': m.desk_orders,
  '/my-addresses': m.views_page_addresses,
  '/login': m.views_page_login,
  '/register': m.views_page_register,
  '/forum': m.frame_forum,
  '/forum/thread/:threadid/replies': m.views_page_thread,
  '/view-requirements': m.views_page_wanted,
  '/support': m.views_page_support,
  '/saved': m.saved_title,
  '/compare': m.compare_title,
  '/me': m.me_title,
  '/earnings': m.earn_title,
  '/market-days': m.market_days_title,
  '/breeds': m.views_page_breeds,
  '/breeds/:breed': m.views_page_breed,
  '/newsletter': m.newsletter_title,
}

export const routeName = (route: string): string => names[route]?.() ?? route
