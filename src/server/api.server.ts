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
    description: 'The value of the csrf cookie (see GET csrf). The viewer on this site sends it by itself.',
  })
  calls.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-sid',
    description: 'Set by login. Browsers send it by themselves; where a call names it beside nothing, one may ask without.',
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
  call(api, {
    method: 'get',
    path: '/csrf',
    tags: ['Site'],
    summary: 'The CSRF token',
    description: [
      'Sets the readable cookie `__Host-csrf` unless a good one is there. Send its value as X-CSRFToken (or X-CSRF-Token)',
      'with every call that changes something. Logging in or out makes it worthless: fetch it again.',
    ].join(' '),
    responses: { 204: { description: 'The cookie is there.' }, ...refusals() },
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
const API_VERSION = '1.4.2'

export const apiDocument = (calls: Api) =>
  readable(
    calls.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Sandhai API',
        version: API_VERSION,
        description: [
          'The livestock market of Tamil Nadu, as its own website sees it.',
          'Names and texts come in Tamil or English: Accept-Language decides, else the `lang` cookie, else Tamil.',
          'Prices are rupees with at most 4 decimals. Ids are 1 to 15 plain digits.',
          'Parts of a path such as `id=7` may be percent-encoded; their keys stand once each, in any order.',
          'A write is done or given up within seven seconds of its arrival, pictures aside; GET outcome tells which, by its Idempotency-Key.',
          'Errors are application/problem+json; decide by `code`. 429 carries Retry-After. HEAD works where GET does.',
        ].join('\n\n'),
      },
      servers: [{ url: '/api/v1' }],
      tags,
    }),
  )

const tags = [
  { name: 'Accounts', description: 'Registering, logging in, the profile, addresses, places.' },
  { name: 'Admin', description: 'The desks of those who run the market.' },
  { name: 'Cart', description: 'What is to be ordered.' },
  { name: 'Enquiries', description: 'What people look for.' },
  { name: 'Forum', description: 'Discussions.' },
  { name: 'Lookups', description: 'What there is to choose from.' },
  { name: 'Market', description: 'Browsing, products, reviews, reports.' },
  { name: 'Orders', description: 'From placing to the papers.' },
  { name: 'Saved', description: 'The animals one keeps an eye on.' },
  { name: 'Selling', description: "One's own listings." },
  { name: 'Site', description: 'Tokens, newsletter, reports of browsers.' },
  { name: 'Vets', description: 'The desk of those who look at animals.' },
]

/** Descriptions of parameters whose call gives none. */
const parameterTexts: Record<string, string> = {
  id: 'The id, as the list of them gives it.',
  userId: "The user's id.",
  photoId: "The picture's id.",
  orderId: "The order's id: the number of its line in the cart.",
  statusId: 'An id of order-status.',
  threadId: "The discussion's id.",
  replyId: "The reply's id.",
  pincode: 'Six digits, the first not 0.',
  page: 'Where it is shown; it changes nothing.',
  top: 'How many; 0 means as many as there may be.',
  seller: "The seller's id.",
  sold: 'Whether it has been sold.',
  getitems: 'Which of them.',
  checkcomplete: 'Whether the check is done.',
  code: 'A referral code, or empty.',
  sort: 'In which order.',
  'idempotency-key': 'The same key is the same request, however often it comes.',
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
