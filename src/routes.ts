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
  page('newsletter', 'content/newsletter-page.tsx', 'newsletter'),
  page('newsletter/confirm', 'content/newsletter-link-page.tsx', 'newsletter-confirm'),
  page('newsletter/unsubscribe', 'content/newsletter-link-page.tsx', 'newsletter-unsubscribe'),
  // A demo's messages (404 in a live site).
  page('dev/outbox', 'content/outbox-page.tsx', 'outbox'),
  page('dev/outbox.json', 'content/outbox-json.ts', 'outbox-json'),
  // Rooms that later work opens; until then they say so.
  ...[
    'login',
    'register',
    'reset-password',
    'sell',
    'seller-product',
    'vet-verify',
    'userprofile/:userId',
    'my-cart',
    'confirm-order/:addressId',
    'orders',
    'my-addresses',
    'my-addresses/:type/:orderId',
    'add-enquiry',
    'view-enquiry/:enquiryid',
    'view-requirements',
    'my-enquiries',
    'forum',
    'forum/thread/:threadid/replies',
    'support',
    'aboutus',
    'how-it-works',
    'careers',
    'terms',
    'privacy-policy',
    'other-services',
    'services',
    'coming-soon',
  ].map((path) => page(path, 'content/soon-page.tsx', `soon-${path}`)),
  route('*', 'content/missing-page.tsx', { id: 'missing' }),
] satisfies RouteConfig
