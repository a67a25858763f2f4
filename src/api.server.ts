import { createRoute } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { addAddressCalls } from './accounts/addresses-api.server.ts'
import { addAccountsCalls } from './accounts/api.server.ts'
import { addIdentityCalls } from './accounts/identity-api.server.ts'
import { apiDocs } from './api-docs.server.ts'
import { addContentCalls } from './content/api.server.ts'
import { addPersonDataCalls } from './content/person-data-api.server.ts'
import { addCartCalls } from './cart/api.server.ts'
import { addCspReports } from './csp-report.server.ts'
import { legacy, limited, newApi, pack, refusals, sendParcel, type Api, type Parcel } from './kit/api.server.ts'
import { serializeCookie } from './kit/cookies.server.ts'
import { isCsrfToken, makeCsrfToken } from './kit/csrf.server.ts'
import { fieldText } from './kit/field-text.server.ts'
import { problemText } from './kit/problem-text.ts'
import { isDecodable } from './kit/paths.ts'
import { notFound, Problem, problems } from './kit/problem.ts'
import { addProfileCalls } from './accounts/profile-api.server.ts'
import { addForumCalls } from './forum/api.server.ts'
import { addHealthCalls } from './health/api.server.ts'
import { addConfirmCalls } from './orders/confirm-api.server.ts'
import { addOrderDetailCalls } from './orders/order-detail-api.server.ts'
import { addOrderCalls } from './orders/api.server.ts'
import { addInvoiceCalls } from './orders/invoice-api.server.ts'
import { addEnquiryCalls } from './enquiries/api.server.ts'
import { addListingsCalls } from './listings/api.server.ts'
import { addContactCalls } from './listings/contacts-api.server.ts'
import { addReportCalls } from './listings/reports-api.server.ts'
import { addReviewCalls } from './listings/reviews-api.server.ts'
import { addSellingCalls } from './selling/api.server.ts'
import { addDraftCalls } from './selling/drafts-api.server.ts'
import { addOwnListingsCalls } from './selling/own-listings-api.server.ts'
import { addUpdateProductCalls } from './selling/update-product-api.server.ts'
import { guardsOf } from './guards.server.ts'
import { localeOf, type AppContext, type AppEnv } from './request.server.ts'

/** Everything under /api: the calls, their document, its viewer; and a plain answer for whatever is none of them. */
export function createApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>()
  api.use(async (c, next) => {
    if (!isDecodable(new URL(c.req.url).pathname)) throw new Problem('MALFORMED')
    await next()
  })
  const calls = createCalls()
  const document = documentOf(calls)
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
  const calls = newApi(guardsOf)
  calls.openAPIRegistry.registerComponent('securitySchemes', 'csrf', {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRFToken',
    description: 'The value of the csrf cookie (see GET csrf). The viewer on this site sends it by itself.',
  })
  addAccountsCalls(calls)
  addIdentityCalls(calls)
  addProfileCalls(calls)
  addAddressCalls(calls)
  addListingsCalls(calls)
  addContactCalls(calls)
  addReviewCalls(calls)
  addReportCalls(calls)
  addSellingCalls(calls)
  addDraftCalls(calls)
  addUpdateProductCalls(calls)
  addOwnListingsCalls(calls)
  addHealthCalls(calls)
  addCartCalls(calls)
  addOrderDetailCalls(calls)
  addConfirmCalls(calls)
  addOrderCalls(calls)
  addInvoiceCalls(calls)
  addForumCalls(calls)
  addEnquiryCalls(calls)
  addContentCalls(calls)
  addPersonDataCalls(calls)
  addCsrf(calls)
  addCspReports(calls)
  return calls
}

function addCsrf(api: Api): void {
  legacy(
    api,
    createRoute({
      method: 'get',
      path: '/csrf',
      tags: ['Site'],
      summary: 'The CSRF token',
      description: [
        'Sets the readable cookie `__Host-csrf` unless a good one is there. Send its value as X-CSRFToken (or X-CSRF-Token)',
        'with every call that changes something. Logging in or out makes it worthless: fetch it again.',
      ].join(' '),
      responses: { 204: { description: 'The cookie is there.' }, ...refusals() },
    }),
    (c) => {
      const { cookies, cookieNames, market } = c.var
      const sessionToken = cookies[cookieNames.session]
      if (!isCsrfToken(market.env.secret, sessionToken, cookies[cookieNames.csrf])) {
        c.header(
          'Set-Cookie',
          serializeCookie(cookieNames.csrf, makeCsrfToken(market.env.secret, sessionToken), { secure: cookieNames.secure }),
        )
      }
      return c.body(null, 204, { 'Cache-Control': 'no-store' })
    },
  )
}

/** Made at the first request: at start nobody waits for it. */
function documentOf(calls: Api): () => Parcel {
  let parcel: Parcel | undefined
  return () =>
    (parcel ??= pack(
      calls.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: 'Sandhai API',
          version: '1',
          description: [
            'The livestock market of Tamil Nadu, as its own website sees it.',
            'Names and texts come in Tamil or English: Accept-Language decides, else the `lang` cookie, else Tamil.',
            'Prices are rupees with at most 4 decimals. Ids are 1 to 15 plain digits.',
            'Parts of a path such as `id=7` may be percent-encoded; their keys stand in the order shown, once each.',
            'Errors are application/problem+json; decide by `code`. 429 carries Retry-After. HEAD works where GET does.',
          ].join('\n\n'),
        },
        servers: [{ url: '/api/v1' }],
      }),
    ))
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
      detail: problemText(problem.reason ?? problem.code, localeOf(c)),
      code: problem.code,
      ...(problem.fields && {
        fields: problem.fields.map(({ field, message }) => ({ field, message: fieldText(message, localeOf(c)) ?? message })),
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
