import type { Capability } from './accounts/policy.ts'
import type { DurableLimitName, LimitName } from '#src/kit/http/rate-limits.server.ts'

/**
 * Who may do what, and how often: one line per call of /api/v1 and one per action of a page. A call or an action without a line does not
 * start the server, and the tests of who may do what are made from these tables (policy.postgres.test.ts, actions.postgres.test.ts),
 * against second ones written by hand.
 *
 * What else holds for all of them (guards.server.ts): 405, 413 and 415, then CSRF on everything that is not GET, then login, then limits,
 * then the role, then the input; whose object it is, and its state, are the command's business.
 */
export interface Access {
  /** `anyone` also logged out; `person` whoever is logged in; else what the user type lets one do (accounts/policy.ts); of a list, one is enough. */
  who: 'anyone' | 'person' | Capability | readonly Capability[]
  /** All of them hold. None: the call counts in its own way, and says so. */
  limits: readonly (LimitName | DurableLimitName)[]
  /** Counted by address also for people who are logged in: what is made up by the hundred comes from one place under many names. */
  isByAddress?: true
  /** Answers everybody alike who is not logged in, with what cached pages show and nothing else: kept with them (kit/http/shared-answers.server.ts). */
  isShared?: true
  /** Browsers send it by themselves, without our token: it changes nothing, or a mark in its body is the right to. */
  withoutCsrf?: true
}

/** Of a page's action. */
export interface ActionAccess extends Access {
  /**
   * Of a page with several forms: each by what its field `act` says before a colon ('' where it says nothing), with what differs from the
   * page's own line. Any other act is MALFORMED.
   */
  acts?: Record<string, Partial<FormAccess>>
  /** The field's name where it is not `act`. */
  actField?: 'step'
}

interface FormAccess extends Access {
  /** Taken besides, once for each picture that comes with the form. */
  perPicture: readonly DurableLimitName[]
}

const lookup: Access = { who: 'anyone', limits: ['lookup'] }
const read: Access = { who: 'anyone', limits: ['read'] }
const sharedRead: Access = { ...read, isShared: true }
const own: Access = { who: 'person', limits: ['ownRead'] }
const write: Access = { who: 'person', limits: ['writeMinute', 'writeDay'] }

/** From a device where nobody may be logged in: a mark that only our message to it holds is the right to (accounts/push/marks.server.ts). */
const byMark: Access = { who: 'anyone', limits: ['read'], withoutCsrf: true }

/** The office: who works through a queue of hundreds is no flood (decision 0050). */
const operate: Access = { who: 'operate', limits: ['deskMinute', 'deskDay'] }

export const policy: Record<string, Access> = {
  'GET /csrf': lookup,
  'POST /csp-report': { who: 'anyone', limits: [], withoutCsrf: true },
  'POST /newsletter': { who: 'anyone', limits: ['ownRead'] },

  // Accounts. One-time codes and passwords have limits of their own besides (accounts/sign-in/otp.server.ts, login.server.ts).
  'GET /user-type': lookup,
  'GET /user-title': lookup,
  'POST /login': { who: 'anyone', limits: ['login'] },
  'POST /login-code': { who: 'anyone', limits: ['register'] },
  'PUT /login-code': { who: 'anyone', limits: ['otpCheck'] },
  'POST /user': { who: 'anyone', limits: ['register'] },
  'PUT /userprofile/id={userId}': { who: 'anyone', limits: ['otpCheck'] },
  'PATCH /init-forgot-password/userphone=+{phone}': { who: 'anyone', limits: ['register'] },
  'PATCH /reset-password/userphone=+{phone}': { who: 'anyone', limits: ['otpCheck'] },
  'POST /auth/reset': { who: 'anyone', limits: ['register'] },
  'POST /auth/otp/resend': { who: 'anyone', limits: ['register'] },
  'POST /auth/password': write,
  'GET /auth/sessions': own,
  'DELETE /auth/sessions/id={id}': write,
  'POST /validatesession': own,
  'POST /logout': { who: 'anyone', limits: ['ownRead'] },
  'GET /userprofile/id={userId}': own,
  'POST /userprofile/id={userId}': write,
  'POST /userprofileimage': { who: 'person', limits: ['uploadMinute', 'uploadDay'] },
  'POST /me/export': write,
  'DELETE /me': write,

  'GET /push-key': lookup,
  'GET /push-devices': own,
  'POST /push-devices': write,
  'DELETE /push-device/id={id}': write,
  'POST /push-shown': byMark,
  'POST /push-stop': byMark,

  'GET /address-type': lookup,
  'GET /user-address/user={id}': own,
  'POST /user-address/user={id}': write,
  'GET /user-delivery-address/id={addressId}': own,
  'GET /deliverable-pincodes': lookup,
  'GET /pincode-place/pincode={pincode}': lookup,

  // Listings.
  'GET /category-type': lookup,
  'GET /livestock-age': lookup,
  'GET /livestock-color': lookup,
  'GET /livestock-gender': lookup,
  'GET /product-detail-list/top={top}&category={category}&page={page}': sharedRead,
  'GET /product-top/top={top}': sharedRead,
  'GET /product-cards/ids={ids}': sharedRead,
  'GET /product/id={id}': sharedRead,
  'POST /product-access-detail/id={id}': { who: 'anyone', limits: ['view'], isByAddress: true },
  'POST /product-contact/id={id}': { who: 'person', limits: ['view'] },
  'POST /sellerrating': { who: 'person', limits: ['writeMinute', 'reviewDay'] },
  'GET /sellerrating/seller={seller}': read,
  'PUT /sellerrating-answer/id={id}': write,
  'POST /report': { who: 'person', limits: ['writeMinute', 'reportDay'] },

  // Selling. What is one's own is the command's business.
  'GET /recommendprice': { who: 'sell', limits: ['ownRead'] },
  'GET /similarprices/breed={breed}&gender={gender}': { who: 'sell', limits: ['ownRead'] },
  'POST /product': { who: 'sell', limits: ['writeMinute', 'writeDay', 'listMinute', 'listDay'] },
  'POST /productimages': { who: 'sell', limits: ['uploadMinute', 'uploadDay'] },
  'DELETE /productimage/id={photoId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'PUT /update-product/id={id}&quantity={quantity}&sold={sold}&issandhaisale={sale}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'GET /sellerproducts/seller={seller}&type={type}&getitems={getitems}&top={top}': { who: 'sell', limits: ['ownRead'] },
  // Whoever sells no more still has what they sold.
  'GET /earnings/seller={seller}&month={month}': own,
  'PUT /product/id={id}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /listing-step/id={id}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /listing-text': { who: 'sell', limits: ['autosave'] },
  'GET /listing-draft': { who: 'sell', limits: ['ownRead'] },
  'PUT /listing-draft': { who: 'sell', limits: ['autosave'] },
  'DELETE /listing-draft': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /listing-draft/photo': { who: 'sell', limits: ['uploadMinute', 'uploadDay'] },
  'POST /listing-draft/clip': { who: 'sell', limits: ['uploadMinute', 'uploadDay'] },
  'DELETE /listing-draft/clip/id={clipId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /productclips': { who: 'sell', limits: ['uploadMinute', 'uploadDay'] },
  'DELETE /productclip/id={clipId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /clip-upload': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'GET /clip-upload/id={uploadId}': { who: 'sell', limits: ['clipPart'] },
  'PATCH /clip-upload/id={uploadId}': { who: 'sell', limits: ['clipPart'] },
  'DELETE /clip-upload/id={uploadId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /waiting-listing': { who: 'sell', limits: ['writeMinute', 'writeDay', 'listMinute', 'listDay'] },
  'POST /waiting-listing/photo': { who: 'sell', limits: ['uploadMinute', 'uploadDay'] },
  'DELETE /listing-draft/photo/id={photoId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },

  // Cart and orders. What is one's own is the command's business.
  'POST /buyercart/buyer={id}': { who: 'buy', limits: ['writeMinute', 'writeDay'] },
  'GET /buyercart/buyer={id}': own,
  'PUT /order-detail/id={id}': write,
  'DELETE /order-detail/id={id}': write,
  'GET /userdiscount/buyer={buyer}&code={code}': { who: 'person', limits: ['discountMinute'] },
  'PUT /confirm-order/buyer={buyer}&address={address}&code={code}': { who: 'buy', limits: ['orderMinute', 'orderDay'] },

  'GET /order/buyer={id}&type={type}': own,
  'GET /order-status': { who: 'person', limits: ['lookup'] },
  'PUT /order-detail-status/id={orderId}/{statusId}': write,
  'POST /order-step/id={orderId}': write,

  // Forum. How much one may write, and like, is counted by what one has written (forum/rules.ts).
  'GET /thread': own,
  'POST /thread': write,
  'DELETE /thread/id={threadId}': write,
  'GET /thread/Replies/id={threadId}': own,
  'POST /thread/Replies/id={threadId}': write,
  'DELETE /thread/reply/id={replyId}': write,
  'POST /thread/like/id={threadId}': write,
  'DELETE /thread/like/id={threadId}': write,
  'POST /flag': { who: 'person', limits: ['writeMinute', 'reportDay'] },

  // Vets and papers.
  'POST /livestock-veterinary-check': { who: 'vet', limits: ['writeMinute', 'writeDay'] },
  'POST /vet-check-photo/id={id}': { who: 'vet', limits: ['uploadMinute', 'uploadDay'] },
  'POST /vet-hold/id={id}': { who: 'vet', limits: ['writeMinute', 'holdDay'] },
  'DELETE /vet-hold/id={id}': { who: 'vet', limits: ['writeMinute', 'writeDay'] },
  'GET /vet-productlist/checkcomplete={checkcomplete}&top={top}': { who: ['vet', 'operate'], limits: ['ownRead'] },
  'GET /saleinvoice/orderid={orderId}': own,

  'GET /saved-listings': own,
  'PUT /saved-listing/id={id}': write,
  'DELETE /saved-listing/id={id}': write,

  // The desks of those who run the market.
  'GET /admin/users/show={show}': { who: 'operate', limits: ['ownRead'] },
  'PUT /admin/vet-approval/id={userId}': operate,
  'PUT /admin/type-request/id={userId}': operate,
  'PUT /admin/badge/id={userId}': operate,
  'PUT /admin/active/id={userId}': operate,
  'GET /admin/second-looks': { who: 'operate', limits: ['ownRead'] },
  'PUT /admin/second-look/id={id}': operate,
  'GET /admin/verification-queue': { who: 'operate', limits: ['ownRead'] },
  'POST /admin/verification-skip/id={id}': operate,
  'POST /admin/verification-undo/id={id}': operate,
  'POST /admin/listing-question/id={id}': operate,
  'GET /admin/settings': { who: 'operate', limits: ['ownRead'] },
  'PUT /admin/settings/key={key}': operate,
  'POST /settlement/orderid={orderId}': operate,

  // Enquiries. Who may see one, and whose it is, are the command's business. Five a day: only what could be posted counts (sending.server.ts).
  'GET /product-requirement-enquiry/id={id}': own,
  'PUT /product-requirement-enquiry/id={id}': operate,
  'POST /product-requirement-enquiries': write,
  'GET /product-requirement-enquiries': own,
  'GET /user-product-requirement-enquiries': own,
  'GET /listing-question/id={id}': own,
  'PUT /listing-question/id={id}': write,
  'POST /enquiry-response/id={id}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'GET /enquiry-response/id={id}': own,
  'POST /enquiry-step/id={id}': write,
}

const sell: Access = { who: 'sell', limits: ['writeMinute', 'writeDay'] }

/** Acts that are as the page's own line says. */
const asPage = (...names: string[]): Record<string, Partial<Access>> => Object.fromEntries(names.map((name) => [name, {}]))

/** By the id that a page gives to `pageAction`: its id in page-table.ts, or that of the first page of its file. */
export const actions: Record<string, ActionAccess> = {
  // Accounts.
  login: {
    who: 'anyone',
    limits: ['login'],
    actField: 'step',
    // Enter in the password's field sends `send`, too.
    acts: {
      ...asPage('', 'password'),
      send: { limits: ['login', 'register'] },
      code: { limits: ['otpCheck'] },
      name: { limits: ['otpCheck'] },
      drop: { limits: [] },
    },
  },
  'login-code': { who: 'anyone', limits: ['otpCheck'] },
  'second-step': { who: 'anyone', limits: ['login'], acts: { ...asPage('', 'step', 'sms'), send: { limits: ['register'] } } },
  register: {
    who: 'anyone',
    limits: ['register'],
    actField: 'step',
    acts: { ...asPage('start', 'resend', 'change'), verify: { limits: ['otpCheck'] }, drop: { limits: [] } },
  },
  'reset-password': {
    who: 'anyone',
    limits: ['register'],
    actField: 'step',
    acts: { ...asPage('start'), save: { limits: ['otpCheck'] }, other: { limits: [] } },
  },
  logout: { who: 'anyone', limits: ['ownRead'] },
  profile: {
    ...write,
    acts: {
      ...asPage('save', 'phone-code', 'picture-remove', 'password', 'end-session', 'end-others'),
      picture: { limits: ['uploadMinute', 'uploadDay'] },
    },
  },
  'person-data': write,
  'delete-account': write,
  addresses: { ...write, acts: { ...asPage('', 'add', 'change', 'remove'), lookup: { limits: ['lookup'] } } },

  // Animals and their sellers.
  seller: write,
  'listing-question': write,
  review: { who: 'person', limits: ['writeMinute', 'reviewDay'] },
  report: { who: 'person', limits: ['writeMinute', 'reportDay'] },
  saved: { ...write, acts: asPage('save-listing', 'remove-listing', 'save-search', 'remove-search', 'switch') },

  // Selling. Sending the form, and its pictures, count once its words are stored (selling/form/sell-action.server.ts).
  sell: {
    who: 'sell',
    limits: ['autosave'],
    acts: {
      ...asPage('', 'save', 'species', 'preview', 'submit', 'unphoto', 'unclip', 'other-seller', 'paste'),
      anew: sell,
      // An admin's, for the seller they list for.
      'find-seller': sell,
      lookup: { limits: ['lookup'] },
      add: sell,
    },
  },
  'edit-listing': { ...sell, acts: { ...asPage('discard'), '': { perPicture: ['uploadDay'] } } },
  'seller-product': {
    ...sell,
    // Whoever sells no more still has orders.
    acts: { ...asPage('update', 'withdraw', 'relist', 'renew', 'sold'), 'order-yes': write, 'order-no': write },
  },

  // Cart and orders. A code to apply counts where the page says what it is worth (orders/checkout/confirm-order-page.tsx).
  cart: { ...write, acts: { ...asPage('count', 'remove'), add: { who: 'buy' } } },
  'confirm-order': { who: 'buy', limits: ['orderMinute', 'orderDay'], acts: { ...asPage('', 'place'), apply: { limits: [] } } },
  orders: { ...operate, acts: { ...asPage('step', 'payment', 'settle', 'plan', 'bulk-ready', 'bulk-way', 'bulk-plan'), cancel: write } },
  handover: { ...write, acts: { ...asPage('tag', 'accept', 'close'), refuse: { perPicture: ['uploadMinute', 'uploadDay'] } } },
  'orders-csv': operate,
  'run-sheet': { ...operate, acts: asPage('send', 'revoke') },
  // The link in the address is the key; a bearer needs no account.
  bring: { who: 'anyone', limits: ['otpCheck'] },
  bearers: {
    ...operate,
    acts: {
      ...asPage('forget'),
      add: { perPicture: ['uploadMinute', 'uploadDay'] },
      change: { perPicture: ['uploadMinute', 'uploadDay'] },
    },
  },

  // Vets. How many animals they take in a day counts where one is taken (health/vet-check-page.tsx).
  'vet-check': { who: 'vet', limits: ['writeMinute', 'writeDay'], acts: asPage('take', 'give', 'check') },

  // Enquiries. Five a day: only what could be posted counts (enquiries/sending.server.ts).
  'add-enquiry': { ...write, acts: { ...asPage('', 'post'), lookup: { limits: ['lookup'] } } },
  'view-enquiry': {
    ...write,
    acts: {
      ...asPage('close', 'renew', 'take-back'),
      approve: operate,
      refuse: operate,
      respond: sell,
      begin: sell,
      'begin-anew': sell,
    },
  },

  // Forum.
  forum: { ...write, acts: asPage('thread', 'like', 'unlike') },
  thread: { ...write, acts: asPage('reply', 'like', 'unlike', 'delete-thread', 'delete-reply') },
  flag: { who: 'person', limits: ['writeMinute', 'reportDay'] },

  // Letters count once they are complete (content/newsletter/newsletter-page.tsx, content/support/support-page.tsx).
  newsletter: { who: 'anyone', limits: ['ownRead'] },
  'newsletter-confirm': { who: 'anyone', limits: [] },
  support: { who: 'anyone', limits: [] },

  // The desks of those who run the market.
  verification: { ...operate, acts: asPage('', 'skip', 'undo', 'ask') },
  'second-looks': { ...operate, acts: asPage('pass', 'revert', 'fail') },
  user: { ...operate, acts: asPage('approve', 'refuse', 'vet', 'vet-withdraw', 'badge', 'badge-withdraw', 'active', 'powers') },
  settings: { ...operate, acts: asPage('', 'back') },
  cash: operate,
  'seller-money': { ...operate, acts: asPage('settle', 'back') },
  trail: operate,
  reports: { ...operate, acts: asPage('leave', 'take-down') },
  'enquiry-desk': { ...operate, acts: asPage('approve', 'refuse') },
  'forum-desk': { ...operate, acts: asPage('leave', 'hide') },
  tickets: operate,
  messages: { ...operate, acts: asPage('retry', 'retry-all') },
  places: { ...operate, acts: asPage('open', 'stop') },
  showcase: { ...operate, acts: asPage('add', 'change', 'remove') },
  'newsletter-desk': { ...operate, acts: asPage('write', 'change', 'test', 'send') },
}

/** Whether a call is for those who are logged in only, by its method and address as they come. What is none of ours is not. */
export function needsLogin(method: string, path: string): boolean {
  const call = calls.find((each) => each.method === method && each.path.test(path))
  return call !== undefined && call.who !== 'anyone'
}

const calls = Object.entries(policy).map(([operation, { who }]) => {
  const [method = '', template = ''] = operation.split(' ')
  const plain = template.split('/').map((part) => (/[={]/.test(part) ? '[^/]+' : part))
  return { method, path: new RegExp(`^/api/v1${plain.join('/')}/?$`, 'i'), who }
})
