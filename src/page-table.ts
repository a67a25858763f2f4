import { can, type Capability } from './accounts/policy.ts'
import type { CopyKind } from './content/offline/names.ts'
import { copiedSlugs } from './content/prose/prose.ts'
import type { Viewer } from './kit/context.ts'
import { traitNames } from './listings/traits/traits.ts'

/** The rights of search engines on a page. */
type Engines =
  /** In the sitemap at this address. */
  | 'listed'
  /** In the sitemap by content: each live listing, its seller, each category, breed and text. */
  | 'by-content'
  /** Reachable but not in the sitemap: a second address of a page, or a file. */
  | 'unlisted'
  /** Closed by robots.txt: a form, a personal page, or a desk. */
  | 'closed'

export interface PageEntry {
  /** Below `/` and `/en/`. */
  path: string
  /** Below `src/`. */
  file: string
  id: string
  /**
   * The rights to open it. A member's page redirects anonymous visitors to the login; an invited one tells them what it is for and how to log in.
   * Members without the capability get a 403. The server checks it before the page's loader (guards.server.ts). Any page
   * may hide what is not the viewer's.
   */
  who: 'anyone' | 'invited' | 'member' | Capability
  engines: Engines
  /** How phones copy it; forms that need a connection, files and logins are never copied. */
  offline: CopyKind
  /** The frame of the page and all below it, without footer: a `desk` for admins, a `vet-desk` for vets, too, a `task` for anybody. */
  frame?: 'desk' | 'vet-desk' | 'task'
  /** The page to return to after a login, because a file is no place to return to. */
  afterLogin?: string
  /** Cached by these query parameters, because it is the same for every anonymous visitor. Else rendered for each. */
  cachedBy?: readonly string[] | undefined
  /** Set for a cached page that shows members the same below its head. */
  isAlike?: true
}

type Columns = [path: string, file: string, id: string, who: PageEntry['who'], engines: Engines, offline?: CopyKind, cachedBy?: string[]]
function page(...[path, file, id, who, engines, offline = 'never', cachedBy]: Columns): PageEntry {
  return { path, file, id, who, engines, offline, cachedBy }
}

const productQuery = ['pincode', 'tab']
const listQuery = ['category', 'breed', 'q', 'min', 'max', 'near', 'within', ...traitNames, 'sort', 'after']

/** Every page of the site: router, page cache, robots.txt, sitemap, frame and service worker follow it. The first match for an address wins. */
export const pageTable: readonly PageEntry[] = [
  { ...page('', 'storefront/home/home-page.tsx', 'home', 'anyone', 'listed', 'market', []), isAlike: true },
  page('refcode/:loginrefcode', 'storefront/home/home-page.tsx', 'referred', 'anyone', 'unlisted'),
  { ...page('buy/:typeId', 'storefront/list/list-page.tsx', 'list', 'anyone', 'by-content', 'market', listQuery), isAlike: true },
  page('product/:productId', 'storefront/animal/product-page.tsx', 'product', 'anyone', 'by-content', 'market', productQuery),
  page('product/related/:productId', 'storefront/animal/product-page.tsx', 'related-product', 'anyone', 'unlisted', 'never', productQuery),
  { ...page('compare', 'storefront/compare/compare-page.tsx', 'compare', 'anyone', 'unlisted', 'own', ['ids']), isAlike: true },
  page('my-addresses', 'addresses/addresses-page.tsx', 'addresses', 'member', 'closed', 'own'),
  page('my-addresses/:type/:orderId', 'addresses/addresses-page.tsx', 'addresses-for', 'member', 'closed'),
  page('my-cart', 'cart/cart-page.tsx', 'cart', 'invited', 'closed', 'own'),
  page('confirm-order/:addressId', 'orders/checkout/confirm-order-page.tsx', 'confirm-order', 'buy', 'closed'),
  page('newsletter', 'content/newsletter/newsletter-page.tsx', 'newsletter', 'anyone', 'closed'),
  page('newsletter/confirm', 'content/newsletter/newsletter-link-page.tsx', 'newsletter-confirm', 'anyone', 'closed'),
  page('newsletter/unsubscribe', 'content/newsletter/newsletter-link-page.tsx', 'newsletter-unsubscribe', 'anyone', 'closed'),
  page('userprofile/:userId', 'accounts/profile/profile-page.tsx', 'profile', 'member', 'closed'),
  page('userprofile/:userId/data', 'content/privacy/person-data.ts', 'person-data', 'anyone', 'closed'),
  page('userprofile/:userId/delete', 'content/privacy/delete-account-page.tsx', 'delete-account', 'member', 'closed'),
  page('seller/:sellerId', 'storefront/animal/seller-page.tsx', 'seller', 'anyone', 'by-content', 'market', []),
  page('review/:sellerId', 'reviews/review-form-page.tsx', 'review', 'member', 'closed'),
  page('report/:kind/:id', 'reports/report-form-page.tsx', 'report', 'member', 'closed'),
  page('sell', 'selling/form/sell-page.tsx', 'sell', 'anyone', 'listed', 'own'),
  page('sell/import', 'selling/import/import-page.tsx', 'sell-import', 'member', 'closed'),
  page('sell/import.csv', 'selling/import/import-template.ts', 'import-template', 'anyone', 'unlisted'),
  page('seller-product/:listingId/edit', 'selling/form/edit-page.tsx', 'edit-listing', 'sell', 'closed', 'own'),
  page('seller-product/:listingId/proofs', 'selling/proofs/proofs-page.tsx', 'proofs', 'sell', 'closed', 'own'),
  page('owner', 'selling/owners/owner-page.tsx', 'owner', 'anyone', 'closed'),
  page('owner/:code', 'selling/owners/owner-page.tsx', 'owner-code', 'anyone', 'closed'),
  page('listing-question/:listingId', 'verification/listing-question-page.tsx', 'listing-question', 'member', 'closed'),
  page('seller-product', 'selling/own/seller-product-page.tsx', 'seller-product', 'invited', 'closed', 'own'),
  {
    ...page('seller-product.csv', 'selling/own/own-listings-csv.ts', 'own-listings-csv', 'member', 'closed'),
    afterLogin: '/seller-product/',
  },
  { ...page('poster.pdf', 'storefront/sharing/poster-pdf.ts', 'poster', 'member', 'closed'), afterLogin: '/seller-product/' },
  page('earnings', 'selling/earnings/earnings-page.tsx', 'earnings', 'member', 'closed', 'own'),
  { ...page('earnings.csv', 'selling/earnings/earnings-csv.ts', 'earnings-csv', 'member', 'closed'), afterLogin: '/earnings' },
  { ...page('earnings.pdf', 'selling/earnings/earnings-pdf.ts', 'earnings-pdf', 'member', 'closed'), afterLogin: '/earnings' },
  { ...page('vet-verify', 'health/vet-desk-page.tsx', 'vet-desk', 'member', 'closed', 'own'), frame: 'vet-desk' },
  page('vet-verify/:listingId', 'health/vet-check-page.tsx', 'vet-check', 'member', 'closed', 'own'),
  { ...page('admin', 'admin/office-page.tsx', 'office', 'operate', 'closed'), frame: 'desk' },
  page('admin/find', 'admin/find.ts', 'find', 'operate', 'closed'),
  page('admin/audit', 'admin/trail-page.tsx', 'trail', 'operate', 'closed'),
  page('admin/verification', 'verification/verification-page.tsx', 'verification', 'operate', 'closed'),
  page('admin/second-looks', 'verification/second-look-page.tsx', 'second-looks', 'operate', 'closed'),
  page('admin/proofs', 'verification/proofs/proofs-page.tsx', 'proof-desk', 'operate', 'closed'),
  page('admin/bearers', 'orders/bearers/bearers-page.tsx', 'bearers', 'operate', 'closed'),
  page('admin/run-sheet', 'orders/run-sheet/run-sheet-page.tsx', 'run-sheet', 'operate', 'closed'),
  { ...page('bring/:token', 'orders/run-sheet/bring-page.tsx', 'bring', 'anyone', 'closed', 'link'), frame: 'task' },
  { ...page('orders', 'orders/list/orders-page.tsx', 'orders', 'invited', 'closed', 'own'), frame: 'desk' },
  { ...page('orders.csv', 'orders/list/orders-csv.ts', 'orders-csv', 'member', 'closed'), afterLogin: '/orders' },
  page('orders/:orderId/handover', 'orders/handover/handover-page.tsx', 'handover', 'member', 'closed', 'own'),
  page('orders/:orderId/first-days', 'orders/first-days/first-days-page.tsx', 'first-days', 'member', 'closed', 'own'),
  page('orders/:orderId/invoice', 'orders/papers/invoice-page.tsx', 'invoice', 'member', 'closed', 'own'),
  page('orders/:orderId/invoice.pdf', 'orders/papers/invoice-pdf.ts', 'invoice-pdf', 'member', 'closed'),
  page('orders/:orderId/invoice.json', 'orders/papers/invoice-json.ts', 'invoice-json', 'member', 'closed'),
  page('verify/:code', 'invoices/verify-page.tsx', 'verify', 'anyone', 'closed'),
  page('offline', 'content/offline/offline-page.tsx', 'offline', 'anyone', 'closed', 'never', []),
  page('me', 'content/privacy/me-page.tsx', 'me', 'invited', 'closed', 'own'),
  page('saved', 'alerts/saved-page.tsx', 'saved', 'anyone', 'closed', 'own'),
  page('forum', 'forum/forum-page.tsx', 'forum', 'invited', 'closed', 'own'),
  page('forum/thread/:threadid/replies', 'forum/thread-page.tsx', 'thread', 'invited', 'closed', 'own'),
  page('forum/report/:kind/:id', 'forum/flag-page.tsx', 'flag', 'member', 'closed'),
  page('admin/forum', 'admin/forum-page.tsx', 'forum-desk', 'operate', 'closed'),
  page('add-enquiry', 'enquiries/add-enquiry-page.tsx', 'add-enquiry', 'anyone', 'closed', 'own'),
  page('view-enquiry/:enquiryId', 'enquiries/view-enquiry-page.tsx', 'view-enquiry', 'invited', 'closed', 'own'),
  page('admin/enquiries', 'enquiries/desk-page.tsx', 'enquiry-desk', 'operate', 'closed'),
  page('view-requirements', 'enquiries/wanted-page.tsx', 'wanted', 'anyone', 'listed', 'own'),
  page('my-enquiries', 'enquiries/my-enquiries-page.tsx', 'my-enquiries', 'invited', 'closed', 'own'),
  page('admin/users', 'admin/users-page.tsx', 'users', 'operate', 'closed'),
  page('admin/users/bulk', 'admin/bulk/bulk-users-page.tsx', 'bulk-users', 'operate', 'closed'),
  page('admin/users/:userId', 'admin/user-page.tsx', 'user', 'operate', 'closed'),
  page('admin/settings', 'admin/settings-page.tsx', 'settings', 'operate', 'closed'),
  page('admin/reports', 'reports/reports-page.tsx', 'reports', 'operate', 'closed'),
  page('admin/reviews', 'reviews/reviews-desk-page.tsx', 'reviews-desk', 'operate', 'closed'),
  // A demo's messages (404 in a live site).
  page('dev/outbox', 'content/outbox-page.tsx', 'outbox', 'anyone', 'closed'),
  page('dev/outbox.json', 'content/outbox-json.ts', 'outbox-json', 'anyone', 'closed'),
  page('login', 'accounts/sign-in/login-page.tsx', 'login', 'anyone', 'closed'),
  page('login/code', 'accounts/sign-in/login-code-page.tsx', 'login-code', 'anyone', 'closed'),
  page('login/second-step', 'accounts/sign-in/second-step-page.tsx', 'second-step', 'anyone', 'closed'),
  page('register', 'accounts/sign-in/register-page.tsx', 'register', 'anyone', 'closed'),
  page('reset-password', 'accounts/sign-in/reset-page.tsx', 'reset-password', 'anyone', 'closed'),
  page('consent', 'accounts/sign-in/consent-page.tsx', 'consent', 'member', 'closed'),
  page('logout', 'accounts/sign-in/logout-page.tsx', 'logout', 'anyone', 'closed'),
  { ...page('breeds', 'content/prose/breeds/breeds-page.tsx', 'breeds', 'anyone', 'listed', 'market', []), isAlike: true },
  { ...page('breeds/:breed', 'content/prose/breeds/breed-page.tsx', 'breed', 'anyone', 'by-content', 'market', []), isAlike: true },
  { ...page('market-days', 'storefront/showcase/market-days-page.tsx', 'market-days', 'anyone', 'listed', 'market', []), isAlike: true },
  page('support', 'content/support/support-page.tsx', 'support', 'anyone', 'listed', 'own'),
  page('admin/tickets', 'content/support/tickets-page.tsx', 'tickets', 'operate', 'closed'),
  page('terms.pdf', 'content/prose/terms-pdf.ts', 'terms-pdf', 'anyone', 'unlisted'),
  page('terms/page/:number', 'content/prose/terms-sheet.ts', 'terms-sheet', 'anyone', 'unlisted'),
  page('admin/money', 'admin/money/money-page.tsx', 'money', 'operate', 'closed'),
  page('admin/money/cash', 'admin/money/cash-page.tsx', 'cash', 'operate', 'closed'),
  page('admin/money/month', 'admin/money/month-page.tsx', 'month', 'operate', 'closed'),
  page('admin/money/month.csv', 'admin/money/month-csv.ts', 'month-csv', 'operate', 'closed'),
  page('admin/money/month.pdf', 'admin/money/month-pdf.ts', 'month-pdf', 'operate', 'closed'),
  page('admin/money/payouts', 'admin/money/payouts-page.tsx', 'payouts', 'operate', 'closed'),
  page('admin/money/payouts/:payoutId', 'admin/money/payout-page.tsx', 'payout', 'operate', 'closed'),
  page('admin/money/payout.csv', 'admin/money/payout-csv.ts', 'payout-csv', 'operate', 'closed'),
  page('admin/money/:sellerId', 'admin/money/seller-money-page.tsx', 'seller-money', 'operate', 'closed'),
  page('admin/messages', 'admin/messages-page.tsx', 'messages', 'operate', 'closed'),
  page('admin/places', 'admin/places/places-page.tsx', 'places', 'operate', 'closed'),
  page('admin/answers', 'admin/answers/answers-page.tsx', 'ready-answers', 'operate', 'closed'),
  page('admin/front', 'admin/showcase/showcase-page.tsx', 'showcase', 'operate', 'closed'),
  page('admin/newsletter', 'content/newsletter/desk-page.tsx', 'newsletter-desk', 'operate', 'closed'),
  page('admin/page-views', 'admin/page-views-page.tsx', 'page-views', 'operate', 'closed'),
  { ...page(':page', 'content/prose/prose-page.tsx', 'prose', 'anyone', 'by-content', 'own', ['page']), isAlike: true },
]

/** Fixed addresses of the sitemap. */
export const listedPaths = pageTable.filter(({ engines }) => engines === 'listed').map(({ path }) => `/${path}`)

/** Address prefixes that robots.txt closes: one for each first segment, with a slash when the segment alone is no page. */
export const closedPaths = [...Map.groupBy(pageTable, ({ path }) => path.split('/')[0]!.replace(/\..*/, ''))]
  .filter(([, entries]) => entries.every(({ engines }) => engines === 'closed'))
  .map(([first, entries]) => (entries.some(({ path }) => path === first) ? `/${first}` : `/${first}/`))

/** The service worker copies these pages: sources of regular expressions, with the kind. Ids are digits. */
export const copiedPages = pageTable
  .filter(({ offline }) => offline !== 'never')
  .map(({ path, offline }) => {
    const segments = path === ':page' ? `(${copiedSlugs.join('|')})` : path.replace(/:\w+id\b/gi, '\\d+')
    return [`^/${segments.replace(/:\w+/g, '[\\da-z-]+')}$`, offline] as const
  })

/** The frames that a viewer sees besides the market's, by the first segment of the address. */
export function framesFor(viewer: Viewer | null): Record<string, 'desk' | 'task'> {
  const desk = can(viewer, 'operate') && 'desk'
  const frames = { task: 'task', desk, 'vet-desk': can(viewer, 'be-vet') ? 'desk' : desk } as const
  return Object.fromEntries(
    pageTable.flatMap(({ path, frame }) => (frame && frames[frame] ? [[path.split('/')[0] ?? '', frames[frame]]] : [])),
  )
}
