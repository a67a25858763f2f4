import type { DurableLimitName, LimitName } from '#src/kit/db/rate-limits.server.ts'
import type { Capability } from './accounts/policy.ts'
import { pageTable } from './page-table.ts'

/**
 * The rights and limits of each act: one line per call of /api/v1 and one per action of a page. The server does not start with a call or an
 * action that has no line. policy.postgres.test.ts and actions.postgres.test.ts check these tables against others that are written by hand.
 * guards.server.ts applies the same order to all: 405, 413 and 415, then CSRF on everything that is not GET, then login, then limits, then
 * the role, then the input. The command checks ownership and state.
 */
export interface Access {
  /** `anyone`: also anonymous; `member`: anybody logged in; otherwise a capability of the user type (accounts/policy.ts). Of a list, one suffices. */
  who: 'anyone' | 'member' | Capability | readonly Capability[]
  /** All of them apply. When empty, the call has a limit of its own and says so. */
  limits: readonly (LimitName | DurableLimitName)[]
  /** Count by address even for logged-in people, because mass abuse comes from one place under many names. */
  isByAddress?: true
  /** The same answer for every anonymous caller, made only of what cached pages show; cached with them (kit/http/shared-answers.server.ts). */
  isShared?: true
  /** Browsers send it without our token: either it changes nothing, or a secret mark in its body authorizes it. */
  withoutCsrf?: true
  /**
   * The number of pictures that one request has room for (bodies.server.ts); without it, text only. A form with one picture has room for
   * three, so that a picture that is too large is refused at its field and the other fields stay.
   */
  pictures?: 1 | 3
}

export interface ActionAccess extends Access {
  /**
   * For a page with several forms: one entry per value of the field `act` up to a colon ('' when it is missing), with the differences from
   * the page's line. Any other act is MALFORMED.
   */
  acts?: Record<string, Partial<FormAccess>>
  /** The field's name when it is not `act`. */
  actField?: 'step'
}

interface FormAccess extends Access {
  /** Taken in addition, once for each picture in the form. */
  perPicture: readonly DurableLimitName[]
}

const lookup: Access = { who: 'anyone', limits: ['lookup'] }
const read: Access = { who: 'anyone', limits: ['read'] }
const sharedRead: Access = { ...read, isShared: true }
const own: Access = { who: 'member', limits: ['ownRead'] }
const write: Access = { who: 'member', limits: ['writeMinute', 'writeDay'] }

/** From a device where nobody may be logged in: a secret mark in our message authorizes it (accounts/notifications/marks.server.ts). */
const byMark: Access = { who: 'anyone', limits: ['read'], withoutCsrf: true }

/** For the office: working through a queue of hundreds is no flood (decision 0050). */
const operate: Access = { who: 'operate', limits: ['deskMinute', 'deskDay'] }

export const policy: Record<string, Access> = {
  'GET /csrf': lookup,
  'POST /csp-report': { who: 'anyone', limits: [], withoutCsrf: true },
  'POST /newsletter': { who: 'anyone', limits: ['ownRead'] },

  // Accounts. One-time codes and passwords have further limits (accounts/identity/otp.server.ts, login.server.ts).
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
  'POST /userprofileimage': { who: 'member', limits: ['uploadMinute', 'uploadDay'], pictures: 1 },
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

  // Animals.
  'GET /category-type': lookup,
  'GET /livestock-age': lookup,
  'GET /livestock-color': lookup,
  'GET /livestock-gender': lookup,
  'GET /product-detail-list/top={top}&category={category}&page={page}': sharedRead,
  'GET /product-top/top={top}': sharedRead,
  'GET /product-cards/ids={ids}': sharedRead,
  'GET /product/id={id}': sharedRead,
  'POST /product-access-detail/id={id}': { who: 'anyone', limits: ['view'], isByAddress: true },
  'POST /product-contact/id={id}': { who: 'member', limits: ['view'] },
  'POST /sellerrating': { who: 'member', limits: ['writeMinute', 'reviewDay'] },
  'GET /sellerrating/seller={seller}': read,
  'PUT /sellerrating-answer/id={id}': write,
  'POST /report': { who: 'member', limits: ['writeMinute', 'reportDay'] },

  // Selling. Commands check ownership.
  'GET /recommendprice': { who: 'sell', limits: ['ownRead'] },
  'GET /similarprices/breed={breed}&gender={gender}': { who: 'sell', limits: ['ownRead'] },
  'POST /product': { who: 'sell', limits: ['writeMinute', 'writeDay', 'listMinute', 'listDay'] },
  'POST /productimages': { who: 'sell', limits: ['uploadMinute', 'uploadDay'], pictures: 3 },
  'DELETE /productimage/id={photoId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'PUT /update-product/id={id}&quantity={quantity}&sold={sold}&issandhaisale={sale}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'GET /sellerproducts/seller={seller}&type={type}&getitems={getitems}&top={top}': { who: 'sell', limits: ['ownRead'] },
  // A person who no longer sells still has what they sold.
  'GET /earnings/seller={seller}&month={month}': own,
  'PUT /product/id={id}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /listing-step/id={id}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /listing-text': { who: 'sell', limits: ['autosave'] },
  'GET /listing-draft': { who: 'sell', limits: ['ownRead'] },
  'PUT /listing-draft': { who: 'sell', limits: ['autosave'] },
  'DELETE /listing-draft': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /listing-draft/copy': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /listing-draft/photo': { who: 'sell', limits: ['uploadMinute', 'uploadDay'], pictures: 1 },
  'POST /listing-draft/clip': { who: 'sell', limits: ['uploadMinute', 'uploadDay'], pictures: 1 },
  'DELETE /listing-draft/clip/id={clipId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /productclips': { who: 'sell', limits: ['uploadMinute', 'uploadDay'], pictures: 1 },
  'DELETE /productclip/id={clipId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'GET /productproofs/id={id}': { who: 'sell', limits: ['ownRead'] },
  'POST /productmilkings': { who: 'sell', limits: ['uploadMinute', 'uploadDay'], pictures: 1 },
  'DELETE /productmilking/id={milkingId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'OPTIONS /clip-upload': { ...lookup, withoutCsrf: true },
  'POST /clip-upload': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'GET /clip-upload/id={uploadId}': { who: 'sell', limits: ['clipPart'] },
  'PATCH /clip-upload/id={uploadId}': { who: 'sell', limits: ['clipPart'], pictures: 1 },
  'DELETE /clip-upload/id={uploadId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },
  'POST /waiting-listing': { who: 'sell', limits: ['writeMinute', 'writeDay', 'listMinute', 'listDay'] },
  'POST /waiting-listing/photo': { who: 'sell', limits: ['uploadMinute', 'uploadDay'], pictures: 1 },
  'DELETE /listing-draft/photo/id={photoId}': { who: 'sell', limits: ['writeMinute', 'writeDay'] },

  // Cart and orders. Commands check ownership.
  'POST /buyercart/buyer={id}': { who: 'buy', limits: ['writeMinute', 'writeDay'] },
  'GET /buyercart/buyer={id}': own,
  'PUT /order-detail/id={id}': write,
  'DELETE /order-detail/id={id}': write,
  'GET /userdiscount/buyer={buyer}&code={code}': { who: 'member', limits: ['discountMinute'] },
  'GET /outcome': own,
  'PUT /confirm-order/buyer={buyer}&address={address}&code={code}': { who: 'buy', limits: ['orderMinute', 'orderDay'] },

  'GET /order/buyer={id}&type={type}': own,
  'GET /order-status': { who: 'member', limits: ['lookup'] },
  'PUT /order-detail-status/id={orderId}/{statusId}': write,
  'POST /order-step/id={orderId}': write,

  // Forum. The limits on posts and likes count stored ones (forum/rules.ts).
  'GET /thread': own,
  'POST /thread': write,
  'DELETE /thread/id={threadId}': write,
  'GET /thread/Replies/id={threadId}': own,
  'POST /thread/Replies/id={threadId}': write,
  'DELETE /thread/reply/id={replyId}': write,
  'POST /thread/like/id={threadId}': write,
  'DELETE /thread/like/id={threadId}': write,
  'POST /flag': { who: 'member', limits: ['writeMinute', 'reportDay'] },

  // Vets and papers.
  'POST /livestock-veterinary-check': { who: 'vet', limits: ['writeMinute', 'writeDay'] },
  'POST /vet-check-photo/id={id}': { who: 'vet', limits: ['uploadMinute', 'uploadDay'], pictures: 1 },
  'POST /vet-hold/id={id}': { who: 'vet', limits: ['writeMinute', 'writeDay'] },
  'DELETE /vet-hold/id={id}': { who: 'vet', limits: ['writeMinute', 'writeDay'] },
  'GET /vet-productlist/checkcomplete={checkcomplete}&top={top}': { who: ['vet', 'operate'], limits: ['ownRead'] },
  'GET /saleinvoice/orderid={orderId}': own,

  'GET /saved-listings': own,
  'PUT /saved-listing/id={id}': write,
  'DELETE /saved-listing/id={id}': write,

  // The desks of admins.
  'GET /admin/users/show={show}': { who: 'operate', limits: ['ownRead'] },
  'PUT /admin/vet-approval/id={userId}': operate,
  'PUT /admin/type-request/id={userId}': operate,
  'PUT /admin/badge/id={userId}': operate,
  'PUT /admin/active/id={userId}': operate,
  'GET /admin/second-looks': { who: 'operate', limits: ['ownRead'] },
  'PUT /admin/second-look/id={id}': operate,
  'GET /admin/proofs': { who: 'operate', limits: ['ownRead'] },
  'PUT /admin/proof/key={proofKey}': operate,
  'GET /admin/verification-queue': { who: 'operate', limits: ['ownRead'] },
  'POST /admin/verification-skip/id={id}': operate,
  'POST /admin/verification-undo/id={id}': operate,
  'POST /admin/listing-question/id={id}': operate,
  'GET /admin/settings': { who: 'operate', limits: ['ownRead'] },
  'PUT /admin/settings/key={key}': operate,
  'POST /settlement/orderid={orderId}': operate,

  // Enquiries. Commands check visibility and ownership. Five a day: only a valid enquiry counts (sending.server.ts).
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
const upload: Access = { who: 'sell', limits: ['uploadMinute', 'uploadDay'] }

/** Acts of the sell form and the edit form without scripts: those of photos and clips, and the choice of the species. */
const formActs = ['main', 'unphoto', 'rephoto', 'unclip', 'species'] as const

/** Acts with the same access as the page's line. */
const asPage = (...names: string[]): Record<string, Partial<Access>> => Object.fromEntries(names.map((name) => [name, {}]))

/** By the id that a page gives to `pageAction`: its id in page-table.ts, or that of the first page of its file. */
export const actions: Record<string, ActionAccess> = {
  // Accounts.
  login: {
    who: 'anyone',
    limits: ['login'],
    actField: 'step',
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
  consent: write,
  profile: {
    ...write,
    pictures: 1,
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
  review: { who: 'member', limits: ['writeMinute', 'reviewDay'] },
  report: { who: 'member', limits: ['writeMinute', 'reportDay'] },
  saved: { ...write, acts: asPage('save-listing', 'remove-listing', 'save-search', 'remove-search', 'switch') },

  // Selling. The form and its pictures count once its text is stored (selling/form/sell-action.server.ts).
  sell: {
    who: 'sell',
    limits: ['autosave'],
    pictures: 3,
    acts: {
      ...asPage('', 'save', 'preview', 'submit', ...formActs, 'other-seller', 'paste'),
      anew: sell,
      // For an admin who lists on behalf of a seller.
      'find-seller': sell,
      lookup: { limits: ['lookup'] },
      add: sell,
    },
  },
  // Each row counts once the table is read (selling/import/import-action.server.ts). A table is smaller than a picture.
  'sell-import': { ...sell, pictures: 1, acts: asPage('preview', 'import') },
  'edit-listing': { ...sell, pictures: 3, acts: asPage('', 'discard', ...formActs) },
  proofs: { ...sell, pictures: 3, acts: { ...asPage('unmilk'), milking: upload } },
  'seller-product': {
    ...sell,
    // A person who no longer sells still has orders.
    acts: {
      ...asPage('update', 'withdraw', 'relist', 'renew', 'sold', 'copy', 'ask-owner', 'take-over'),
      'order-yes': write,
      'order-no': write,
    },
  },

  // The code in the address authorizes; an owner needs no account.
  owner: { who: 'anyone', limits: ['otpCheck'], acts: { ...asPage('open', 'agree', 'refuse', 'pull'), send: { limits: ['register'] } } },

  // Cart and orders. Applying a code counts when the page shows its value (orders/checkout/confirm-order-page.tsx).
  cart: { ...write, acts: { ...asPage('count', 'remove'), add: { who: 'buy' } } },
  'confirm-order': { who: 'buy', limits: ['orderMinute', 'orderDay'], acts: { ...asPage('', 'place'), apply: { limits: [] } } },
  orders: {
    ...operate,
    acts: {
      ...asPage('step', 'end', 'undo-end', 'payment', 'plan'),
      ...asPage('bulk-confirm', 'bulk-ready', 'bulk-way', 'bulk-plan'),
      cancel: write,
    },
  },
  handover: { ...write, pictures: 3, acts: { ...asPage('tag', 'accept', 'close'), refuse: { perPicture: ['uploadMinute', 'uploadDay'] } } },
  'orders-csv': operate,
  'month-csv': operate,
  'month-pdf': operate,
  earnings: { ...write, acts: asPage('payee', 'payee-remove') },
  'earnings-csv': operate,
  'earnings-pdf': operate,
  'run-sheet': { ...operate, acts: asPage('send', 'revoke') },
  // The link's address authorizes; a bearer needs no account.
  bring: {
    who: 'anyone',
    limits: ['otpCheck'],
    pictures: 3,
    // Older pages and handovers that wait on a phone name no act.
    acts: { ...asPage('', 'fetch', 'close'), refuse: { perPicture: ['uploadMinute', 'uploadDay'] } },
  },
  bearers: {
    ...operate,
    pictures: 3,
    acts: {
      ...asPage('forget'),
      add: { perPicture: ['uploadMinute', 'uploadDay'] },
      change: { perPicture: ['uploadMinute', 'uploadDay'] },
    },
  },

  // Vets. The limit of animals per day counts when one is taken (health/taking.server.ts).
  'vet-desk': { who: 'vet', limits: ['writeMinute', 'writeDay'] },
  'vet-check': { who: 'vet', limits: ['writeMinute', 'writeDay'], pictures: 3, acts: asPage('take', 'give', 'check') },

  // Enquiries. Five a day: only a valid enquiry counts (enquiries/sending.server.ts).
  'add-enquiry': { ...write, acts: { ...asPage('', 'post'), lookup: { limits: ['lookup'] } } },
  'view-enquiry': {
    ...write,
    acts: {
      ...asPage('close', 'renew', 'take-back'),
      approve: operate,
      refuse: operate,
      undo: operate,
      respond: sell,
      begin: sell,
      'begin-anew': sell,
    },
  },

  // Forum.
  forum: { ...write, acts: asPage('thread', 'like', 'unlike') },
  thread: { ...write, acts: asPage('reply', 'like', 'unlike', 'delete-thread', 'delete-reply') },
  flag: { who: 'member', limits: ['writeMinute', 'reportDay'] },

  // Tickets and subscriptions count once they are valid (content/newsletter/newsletter-page.tsx, content/support/support-page.tsx).
  newsletter: { who: 'anyone', limits: ['ownRead'] },
  'newsletter-confirm': { who: 'anyone', limits: [] },
  support: { who: 'anyone', limits: [] },

  // The desks of admins.
  verification: { ...operate, acts: asPage('', 'skip', 'undo', 'ask') },
  'second-looks': { ...operate, acts: asPage('pass', 'revert', 'fail', 'undo') },
  'proof-desk': { ...operate, acts: asPage('seen', 'refuse', 'undo') },
  user: {
    ...operate,
    acts: asPage('approve', 'refuse', 'vet', 'vet-withdraw', 'badge', 'badge-withdraw', 'active', 'deactivate', 'undo', 'powers'),
  },
  'bulk-users': operate,
  settings: { ...operate, acts: asPage('', 'back') },
  cash: operate,
  money: operate,
  // The bank's answer is smaller than a picture.
  payout: { ...operate, pictures: 1, acts: asPage('record', 'fail', 'references') },
  'payout-csv': operate,
  'seller-money': { ...operate, acts: asPage('settle', 'back') },
  trail: operate,
  reports: { ...operate, acts: asPage('leave', 'take-down', 'undo') },
  'enquiry-desk': { ...operate, acts: asPage('approve', 'refuse', 'undo') },
  'forum-desk': { ...operate, acts: asPage('leave', 'hide', 'undo') },
  'reviews-desk': { ...operate, acts: asPage('hide', 'show', 'undo') },
  tickets: operate,
  'ready-answers': operate,
  messages: { ...operate, acts: asPage('retry', 'retry-all') },
  places: { ...operate, acts: asPage('open', 'stop') },
  showcase: { ...operate, acts: asPage('add', 'change', 'remove') },
  'newsletter-desk': { ...operate, acts: asPage('write', 'change', 'test', 'send') },
}

/** Whether a call needs a login, by the raw method and address. False for unknown calls. */
export function needsLogin(method: string, path: string): boolean {
  const call = calls.find((each) => each.method === method && each.path.test(path))
  return call !== undefined && call.who !== 'anyone'
}

/** The number of pictures that a request has room for, by its raw method and address; `path` of a page is without what the router adds. */
export function picturesAt(method: string, path: string): 0 | 1 | 3 {
  const call = calls.find((each) => each.method === method && each.path.test(path))
  if (call) return call.pictures ?? 0
  return method === 'POST' ? (forms.find((form) => form.path.test(path))?.pictures ?? 0) : 0
}

const calls = Object.entries(policy).map(([operation, { who, pictures }]) => {
  const [method = '', template = ''] = operation.split(' ')
  const plain = template.split('/').map((part) => (/[={]/.test(part) ? '[^/]+' : part))
  return { method, path: new RegExp(`^/api/v1${plain.join('/')}/?$`, 'i'), who, pictures }
})

/** Pages whose file has an action. The first match for an address wins. */
const forms = pageTable.map(({ path, file }) => {
  const action = actions[pageTable.find((page) => page.file === file && page.id in actions)?.id ?? '']
  return { path: new RegExp(`^(/en)?/${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'), pictures: action?.pictures }
})
