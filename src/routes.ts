import { route, type RouteConfig } from '@react-router/dev/routes'

/**
 * Every page of the site. Tamil stands at these paths, English at /en + the same path. Paths match in any letter case and
 * with or without a slash at the end. The list travels with the first page, so it is written once for both languages.
 */
const page = (path: string, file: string, name: string) => route(`en?/${path}`, file, { id: name })

export default [
  route('en?', 'content/home-page.tsx', { id: 'home' }),
  page('refcode/:loginrefcode', 'content/home-page.tsx', 'referred'),
  page('buy/:typeId', 'listings/list-page.tsx', 'list'),
  page('product/:productId', 'listings/product-page.tsx', 'product'),
  page('product/related/:productId', 'listings/product-page.tsx', 'related-product'),
  page('my-addresses', 'listings/addresses-page.tsx', 'addresses'),
  page('my-addresses/:type/:orderId', 'listings/addresses-page.tsx', 'addresses-for'),
  page('my-cart', 'cart/cart-page.tsx', 'cart'),
  page('confirm-order/:addressId', 'orders/confirm-order-page.tsx', 'confirm-order'),
  page('newsletter', 'content/newsletter-page.tsx', 'newsletter'),
  page('newsletter/confirm', 'content/newsletter-link-page.tsx', 'newsletter-confirm'),
  page('newsletter/unsubscribe', 'content/newsletter-link-page.tsx', 'newsletter-unsubscribe'),
  page('userprofile/:userId', 'accounts/profile-page.tsx', 'profile'),
  page('userprofile/:userId/data', 'content/person-data.ts', 'person-data'),
  page('userprofile/:userId/delete', 'content/delete-account-page.tsx', 'delete-account'),
  page('seller/:sellerId', 'listings/seller-page.tsx', 'seller'),
  page('review/:sellerId', 'listings/review-form-page.tsx', 'review'),
  page('report/:kind/:id', 'listings/report-form-page.tsx', 'report'),
  page('sell', 'selling/sell-page.tsx', 'sell'),
  page('seller-product/:listingId/edit', 'selling/edit-page.tsx', 'edit-listing'),
  page('seller-product', 'selling/seller-product-page.tsx', 'seller-product'),
  page('vet-verify', 'health/vet-desk-page.tsx', 'vet-desk'),
  page('vet-verify/:listingId', 'health/vet-check-page.tsx', 'vet-check'),
  page('admin/verification', 'admin/verification-page.tsx', 'verification'),
  page('orders', 'orders/orders-page.tsx', 'orders'),
  page('orders.csv', 'orders/orders-csv.ts', 'orders-csv'),
  page('orders/:orderId/handover', 'orders/handover-page.tsx', 'handover'),
  page('orders/:orderId/invoice', 'orders/invoice-page.tsx', 'invoice'),
  page('orders/:orderId/invoice.pdf', 'orders/invoice-pdf.ts', 'invoice-pdf'),
  page('orders/:orderId/invoice.json', 'orders/invoice-json.ts', 'invoice-json'),
  page('verify/:code', 'invoices/verify-page.tsx', 'verify'),
  page('admin/users', 'admin/users-page.tsx', 'users'),
  page('admin/users/:userId', 'admin/user-page.tsx', 'user'),
  page('admin/settings', 'admin/settings-page.tsx', 'settings'),
  page('admin/reports', 'admin/reports-page.tsx', 'reports'),
  // A demo's messages (404 in a live site).
  page('dev/outbox', 'content/outbox-page.tsx', 'outbox'),
  page('dev/outbox.json', 'content/outbox-json.ts', 'outbox-json'),
  page('login', 'accounts/login-page.tsx', 'login'),
  page('login/second-step', 'accounts/second-step-page.tsx', 'second-step'),
  page('register', 'accounts/register-page.tsx', 'register'),
  page('reset-password', 'accounts/reset-page.tsx', 'reset-password'),
  page('logout', 'accounts/logout-page.tsx', 'logout'),
  // A 404, or a room that later work opens.
  route('*', 'content/elsewhere-page.tsx', { id: 'elsewhere' }),
] satisfies RouteConfig
