import { index, prefix, route, type RouteConfig, type RouteConfigEntry } from '@react-router/dev/routes'

/**
 * Every page of the site. Tamil stands at these paths, English at /en + the same path: the list is written once and laid
 * out twice. Paths match in any letter case and with or without a slash at the end.
 */
const pages = (language: 'ta' | 'en'): RouteConfigEntry[] => {
  const page = (path: string, file: string, name: string) => route(path, file, { id: `${language}-${name}` })
  return [
    index('content/home-page.tsx', { id: `${language}-home` }),
    page('buy/:typeId', 'listings/list-page.tsx', 'list'),
    page('product/:productId', 'listings/product-page.tsx', 'product'),
    page('product/related/:productId', 'listings/product-page.tsx', 'related-product'),
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
    page('*', 'content/missing-page.tsx', 'missing'),
  ]
}

export default [...prefix('en', pages('en')), ...pages('ta')] satisfies RouteConfig
