import { Hono } from 'hono'
import { addAddressCalls } from '#src/addresses/addresses-api.server.ts'
import { addAccountsCalls } from '#src/accounts/api.server.ts'
import { addIdentityCalls } from '#src/accounts/identity/identity-api.server.ts'
import { addAdminCalls } from '#src/admin/api.server.ts'
import { addSettlementCall } from '#src/admin/money/settlement-api.server.ts'
import { addNewsletterCalls } from '#src/content/newsletter/api.server.ts'
import { addOutcomeCall } from '#src/content/offline/outcome-api.server.ts'
import { addPersonDataCalls } from '#src/content/privacy/person-data-api.server.ts'
import { addCartCalls } from '#src/cart/api.server.ts'
import { call, limited, newApi, pack, refusals, sendParcel, type Api, type Parcel } from '#src/kit/http/api.server.ts'
import { csrfCookie, isCsrfToken, makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { isDecodable } from '#src/kit/base/paths.ts'
import { notFound, Problem, problems } from '#src/kit/base/problem.ts'
import { addProfileCalls } from '#src/accounts/profile/profile-api.server.ts'
import { addForumCalls } from '#src/forum/api.server.ts'
import { addHealthCalls, addVetHoldCalls } from '#src/health/api.server.ts'
import { addConfirmCalls } from '#src/orders/checkout/confirm-api.server.ts'
import { addOrderDetailCalls } from '#src/orders/checkout/order-detail-api.server.ts'
import { addOrderCalls } from '#src/orders/steps/api.server.ts'
import { addInvoiceCalls } from '#src/orders/papers/invoice-api.server.ts'
import { addEnquiryCalls } from '#src/enquiries/api.server.ts'
import { addPushCalls } from '#src/accounts/notifications/push-api.server.ts'
import { addSavedCalls } from '#src/alerts/saved-api.server.ts'
import { addListingsCalls } from '#src/listings/calls/api.server.ts'
import { addContactCalls } from '#src/listings/contacts/contacts-api.server.ts'
import { addDeskCalls } from '#src/verification/desk-api.server.ts'
import { addProofDeskCalls } from '#src/verification/proofs/proofs-api.server.ts'
import { addProofCalls } from '#src/selling/proofs/proofs-api.server.ts'
import { addSecondLookCalls } from '#src/verification/second-look-api.server.ts'
import { addReportCalls } from '#src/reports/reports-api.server.ts'
import { addReviewCalls, addReviewReadingCalls } from '#src/reviews/reviews-api.server.ts'
import { addEarningsCalls } from '#src/selling/earnings/earnings-api.server.ts'
import { addListingStepCalls } from '#src/selling/own/listing-step-api.server.ts'
import { addSellingCalls } from '#src/selling/listing/api.server.ts'
import { addPasteCall } from '#src/selling/paste/paste-api.server.ts'
import { addWaitingCalls } from '#src/selling/later/waiting-api.server.ts'
import { addClipCalls } from '#src/selling/clips/clips-api.server.ts'
import { addClipUploadCalls } from '#src/selling/clips/clip-uploads-api.server.ts'
import { addDraftCalls } from '#src/selling/form/drafts-api.server.ts'
import { addOwnListingsCalls } from '#src/selling/own/own-listings-api.server.ts'
import { addUpdateProductCalls } from '#src/selling/own/update-product-api.server.ts'
import bodyExamples from './api-examples.json' with { type: 'json' }
import { apiDocs } from './api-docs.server.ts'
import { addCspReports } from './csp-report.server.ts'
import { guardsOf } from './guards.server.ts'
import { localeOf, type AppContext, type AppEnv } from './request.server.ts'

/** Everything under /api: the calls, their document, its viewer, and 404 or 405 for anything else. */
export function createApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>()
  api.use(async (c, next) => {
    if (!isDecodable(new URL(c.req.url).pathname)) throw new Problem('MALFORMED')
    await next()
  })
  const calls = createCalls()
  const document = documentOf(calls)
  // The framework types a typed response more narrowly than Response, although it is one.
  calls.get('/openapi.json', limited('lookup'), (c) => sendParcel(c, document()) as unknown as Response)
  api.route('/v1', calls)
  api.route('/docs', apiDocs())

  for (const [path, methods] of methodsByPath(api)) {
    const allow = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].join(', ')
    api.all(path, (c) => {
      const response = problemResponse(c, new Problem('METHOD_NOT_ALLOWED'))
      response.headers.set('Allow', allow)
      return response
    })
  }
  api.all('*', (c) => problemResponse(c, notFound()))
  return api
}

/** Every call of /api/v1, domain by domain. Read this first. */
export function createCalls(): Api {
  const calls = newApi(guardsOf, bodyExamples)
  calls.openAPIRegistry.registerComponent('securitySchemes', 'csrf', {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRFToken',
    description: 'The value of the cookie `__Host-csrf` (see GET csrf). The API viewer on this site sends it automatically.',
  })
  calls.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-sid',
    description: 'Set by login and sent by browsers automatically. It is optional for calls that list it as one of two alternatives.',
  })
  addAccountsCalls(calls)
  addIdentityCalls(calls)
  addProfileCalls(calls)
  addAddressCalls(calls)
  addListingsCalls(calls)
  addContactCalls(calls)
  addReviewCalls(calls)
  addReviewReadingCalls(calls)
  addSecondLookCalls(calls)
  addProofDeskCalls(calls)
  addDeskCalls(calls)
  addReportCalls(calls)
  addSavedCalls(calls)
  addPushCalls(calls)
  addSellingCalls(calls)
  addDraftCalls(calls)
  addClipCalls(calls)
  addProofCalls(calls)
  addClipUploadCalls(calls)
  addWaitingCalls(calls)
  addPasteCall(calls)
  addUpdateProductCalls(calls)
  addOwnListingsCalls(calls)
  addEarningsCalls(calls)
  addListingStepCalls(calls)
  addHealthCalls(calls)
  addVetHoldCalls(calls)
  addCartCalls(calls)
  addOrderDetailCalls(calls)
  addConfirmCalls(calls)
  addOrderCalls(calls)
  addInvoiceCalls(calls)
  addForumCalls(calls)
  addEnquiryCalls(calls)
  addAdminCalls(calls)
  addSettlementCall(calls)
  addNewsletterCalls(calls)
  addPersonDataCalls(calls)
  addOutcomeCall(calls)
  addCsrf(calls)
  addCspReports(calls)
  return calls
}

function addCsrf(api: Api): void {
  call(api, 'GET /csrf', {
    tags: ['Site'],
    summary: 'Retrieve a CSRF token',
    description: [
      'Sets the cookie `__Host-csrf`, which scripts can read, unless the request has a valid one. Send its value in the header X-CSRFToken',
      '(or X-CSRF-Token) of every call that changes data. Login and logout invalidate the token; retrieve a new one afterwards.',
    ].join(' '),
    responses: { 204: { description: 'The cookie is set.' }, ...refusals() },
    run: (c) => {
      const { cookies, cookieNames, market } = c.var
      const sessionToken = cookies[cookieNames.session]
      if (!isCsrfToken(market.env.secret, sessionToken, cookies[cookieNames.csrf])) {
        c.header('Set-Cookie', csrfCookie(cookieNames, makeCsrfToken(market.env.secret, sessionToken), sessionToken))
      }
      return c.body(null, 204, { 'Cache-Control': 'no-store' })
    },
  })
}

/** Built at the first request, so that it does not slow the start. */
function documentOf(calls: Api): () => Parcel {
  let parcel: Parcel | undefined
  return () => (parcel ??= pack(apiDocument(calls)))
}

/**
 * The version of the calls under /api/v1. An addition raises the second number; a breaking change raises the first and gets a path of its
 * own (docs/decisions/0089). src/checks/api-changes.test.ts checks both against the document of the last release.
 */
const API_VERSION = '1.4.3'

export const apiDocument = (calls: Api) =>
  readable(
    calls.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Sandhai API',
        version: API_VERSION,
        description: [
          'The API of the livestock market of Tamil Nadu, which its own website uses.',
          'Names and texts are in Tamil or English, by Accept-Language, else by the cookie `lang`, else in Tamil.',
          'Prices are in rupees with at most 4 decimals. Ids have 1 to 15 digits.',
          'Parts of a path such as `id=7` may be percent-encoded. Each key is required once, in any order.',
          'A write, except of pictures, ends within seven seconds of its arrival. GET outcome returns its outcome by its Idempotency-Key.',
          'Errors are application/problem+json; use `code` to tell them apart. 429 carries Retry-After. Every GET call also accepts HEAD.',
        ].join('\n\n'),
      },
      servers: [{ url: '/api/v1' }],
      tags,
    }),
  )

const tags = [
  { name: 'Accounts', description: 'Registration, login, profile, addresses and places.' },
  { name: 'Admin', description: 'The desks of the staff.' },
  { name: 'Cart', description: 'The cart of a buyer.' },
  { name: 'Enquiries', description: 'Requests of buyers for animals.' },
  { name: 'Forum', description: 'Discussions and replies.' },
  { name: 'Lookups', description: 'Lists of values for other calls.' },
  { name: 'Market', description: 'Listings, contacts, reviews and reports.' },
  { name: 'Orders', description: 'Orders, from confirmation to invoice.' },
  { name: 'Saved', description: 'The listings that a person has saved.' },
  { name: 'Selling', description: 'The listings and earnings of a seller.' },
  { name: 'Site', description: 'CSRF token, newsletter, outcome of writes and browser reports.' },
  { name: 'Vets', description: 'The desk of the vets.' },
]

/** Descriptions of parameters whose call gives none. */
const parameterTexts: Record<string, string> = {
  id: 'The id, as returned by the call that lists them.',
  userId: "The user's id.",
  photoId: "The picture's id.",
  orderId: "The order's id, which is also the id of its cart line.",
  statusId: 'An id of order-status.',
  threadId: "The discussion's id.",
  replyId: "The reply's id.",
  pincode: 'Six digits, the first not 0.',
  page: '`buy`: newest first. `home`: most viewed first.',
  top: 'The number of items. 0 means the maximum.',
  seller: "The seller's id.",
  sold: 'Whether the animal was sold.',
  getitems: 'The items to return.',
  checkcomplete: 'Whether the check is complete.',
  code: 'A referral code, or empty.',
  sort: 'The order of the items.',
  'idempotency-key': 'A repeated request with the same key is carried out once.',
}

interface Documented {
  requestBody?: { content: Record<string, { schema: unknown }> }
  parameters?: { name: string; description?: string }[]
}

function eachOperation(document: unknown): Documented[] {
  const { paths = {} } = document as { paths?: Record<string, Record<string, Documented>> }
  return Object.values(paths).flatMap((operations) => Object.values(operations))
}

function describeParameters(document: unknown): void {
  for (const { parameters = [] } of eachOperation(document))
    for (const parameter of parameters) parameter.description ??= parameterTexts[parameter.name]!
}

/** Old clients send many keys that have no effect. The API accepts but does not document them, so this removes them from the document. */
function readable<T>(document: T): T {
  describeParameters(document)
  for (const { requestBody } of eachOperation(document))
    for (const { schema } of Object.values(requestBody?.content ?? {})) dropIgnored(schema)
  return document
}

function dropIgnored(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const { properties } = schema as { properties?: Record<string, { description?: string }> }
  for (const [name, property] of Object.entries(properties ?? {})) if (property.description?.startsWith('Ignored')) delete properties![name]
  Object.values(schema).forEach(dropIgnored)
}

function methodsByPath(api: Hono<AppEnv>): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>()
  for (const { method, path } of api.routes) {
    if (method !== 'ALL') paths.set(path, (paths.get(path) ?? new Set()).add(method))
  }
  return paths
}

/** RFC 9457. The title is always English, the detail is the reader's language. */
export function problemResponse(c: AppContext, problem: Problem): Response {
  return c.body(
    JSON.stringify({
      type: 'about:blank',
      title: problems[problem.code].title,
      status: problem.status,
      detail: problemDetail(problem, localeOf(c)),
      code: problem.code,
      ...(problem.fields && {
        fields: problem.fields.map(({ field, message }) => {
          const text = fieldText(message, localeOf(c))
          return text === null ? { field, message: fieldText('field_wrong', localeOf(c))!, hint: message } : { field, message: text }
        }),
      }),
      ...(problem.lines && { lines: problem.lines }),
      requestId: c.var.requestId,
    }),
    problem.status as 400,
    {
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(problem.retryAfterSeconds && { 'Retry-After': String(problem.retryAfterSeconds) }),
    },
  )
}
