import { beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { createApi } from '#src/server/api.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { policy } from '#src/policy.ts'
import { documentedCalls, ORIGIN, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let app: TestApp
let animal: number
let sellerId: number
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  const seller = await makeUser(app.ctx, { typeId: 2, isVerified: true })
  sellerId = seller.id
  animal = await makeListing(app.ctx, { sellerId, nameEn: 'Kangayam bull' })
})

const words = (text: string) => text.trim().split(/\s+/)
/** A valid value for each parameter of a documented path. */
const examples: Record<string, () => string> = {
  top: () => '4',
  category: () => '0',
  page: () => 'buy',
  id: () => String(animal),
  ids: () => String(animal),
  breed: () => '101',
  gender: () => '1',
  userId: () => '999999',
  addressId: () => '999999',
  photoId: () => '999999',
  clipId: () => '999999',
  milkingId: () => '999999',
  proofKey: () => 'a'.repeat(20),
  uploadId: () => 'a'.repeat(20),
  phone: () => '919000000001',
  pincode: () => '638701',
  buyer: () => '999999',
  address: () => '999999',
  code: () => '',
  quantity: () => '1',
  sold: () => 'false',
  sale: () => 'false',
  seller: () => String(sellerId),
  show: () => 'all',
  month: () => '2026-11',
  key: () => 'contact',
  type: () => '2',
  getitems: () => 'instock',
  orderId: () => '999999',
  statusId: () => '100',
  threadId: () => '999999',
  replyId: () => '999999',
  checkcomplete: () => 'false',
}
/** A valid body for each call that takes one. */
const bodies: Record<string, unknown> = { '/newsletter': { email: 'selvi@example.com', consent: true } }
const exampleOf = (path: string) => `/api/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => examples[name]!())}`
const lists = documentedCalls.filter((call) => call.method === 'get' && '304' in call.responses).map((call) => call.path)
const operationOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`
/** Public calls that succeed without preparation; policy.postgres.test.ts sends all others in every role. */
const isPlain = (call: { method: string; path: string }) =>
  policy[operationOf(call)]!.who === 'anyone' && (call.method === 'get' || /csp-report|newsletter|access-detail/.test(call.path))
const gets = documentedCalls.filter((call) => call.method === 'get' && isPlain(call)).map((call) => call.path)
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Calls of several methods may share an address. */
const shapeOf = (path: string) => path.replace(/\{\w+\}/g, '{}')
const methodsAt = (path: string) =>
  documentedCalls
    .filter((call) => shapeOf(call.path) === shapeOf(path))
    .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
const report = { method: 'POST', headers: { 'Content-Type': 'application/csp-report' }, body: '{"csp-report":{}}' }

describe('every call of the API', () => {
  test('is in the document, and the document has no other', () => {
    expect(documentedCalls.map((call) => `${call.method} ${call.path}`).sort()).toEqual([
      'delete /auth/sessions/id={id}',
      'delete /clip-upload/id={uploadId}',
      'delete /listing-draft',
      'delete /listing-draft/clip/id={clipId}',
      'delete /listing-draft/photo/id={photoId}',
      'delete /me',
      'delete /order-detail/id={id}',
      'delete /productclip/id={clipId}',
      'delete /productimage/id={photoId}',
      'delete /productmilking/id={milkingId}',
      'delete /push-device/id={id}',
      'delete /saved-listing/id={id}',
      'delete /thread/id={threadId}',
      'delete /thread/like/id={threadId}',
      'delete /thread/reply/id={replyId}',
      'delete /vet-hold/id={id}',
      'get /address-type',
      'get /admin/proofs',
      'get /admin/second-looks',
      'get /admin/settings',
      'get /admin/users/show={show}',
      'get /admin/verification-queue',
      'get /auth/sessions',
      'get /buyercart/buyer={id}',
      'get /category-type',
      'get /clip-upload/id={uploadId}',
      'get /csrf',
      'get /deliverable-pincodes',
      'get /earnings/seller={seller}&month={month}',
      'get /enquiry-response/id={id}',
      'get /listing-draft',
      'get /listing-question/id={id}',
      'get /livestock-age',
      'get /livestock-color',
      'get /livestock-gender',
      'get /order-status',
      'get /order/buyer={id}&type={type}',
      'get /outcome',
      'get /pincode-place/pincode={pincode}',
      'get /product-cards/ids={ids}',
      'get /product-detail-list/top={top}&category={category}&page={page}',
      'get /product-requirement-enquiries',
      'get /product-requirement-enquiry/id={id}',
      'get /product-top/top={top}',
      'get /product/id={id}',
      'get /productproofs/id={id}',
      'get /push-devices',
      'get /push-key',
      'get /recommendprice',
      'get /saleinvoice/orderid={orderId}',
      'get /saved-listings',
      'get /sellerproducts/seller={seller}&type={type}&getitems={getitems}&top={top}',
      'get /sellerrating/seller={seller}',
      'get /similarprices/breed={breed}&gender={gender}',
      'get /thread',
      'get /thread/Replies/id={threadId}',
      'get /user-address/user={id}',
      'get /user-delivery-address/id={addressId}',
      'get /user-product-requirement-enquiries',
      'get /user-title',
      'get /user-type',
      'get /userdiscount/buyer={buyer}&code={code}',
      'get /userprofile/id={userId}',
      'get /vet-productlist/checkcomplete={checkcomplete}&top={top}',
      'options /clip-upload',
      'patch /clip-upload/id={uploadId}',
      'patch /init-forgot-password/userphone=+{phone}',
      'patch /reset-password/userphone=+{phone}',
      'post /admin/listing-question/id={id}',
      'post /admin/verification-skip/id={id}',
      'post /admin/verification-undo/id={id}',
      'post /auth/otp/resend',
      'post /auth/password',
      'post /auth/reset',
      'post /buyercart/buyer={id}',
      'post /clip-upload',
      'post /csp-report',
      'post /enquiry-response/id={id}',
      'post /enquiry-step/id={id}',
      'post /flag',
      'post /listing-draft/clip',
      'post /listing-draft/copy',
      'post /listing-draft/photo',
      'post /listing-step/id={id}',
      'post /listing-text',
      'post /livestock-veterinary-check',
      'post /login',
      'post /login-code',
      'post /logout',
      'post /me/export',
      'post /newsletter',
      'post /order-step/id={orderId}',
      'post /product',
      'post /product-access-detail/id={id}',
      'post /product-contact/id={id}',
      'post /product-requirement-enquiries',
      'post /productclips',
      'post /productimages',
      'post /productmilkings',
      'post /push-devices',
      'post /push-shown',
      'post /push-stop',
      'post /report',
      'post /sellerrating',
      'post /settlement/orderid={orderId}',
      'post /thread',
      'post /thread/Replies/id={threadId}',
      'post /thread/like/id={threadId}',
      'post /user',
      'post /user-address/user={id}',
      'post /userprofile/id={userId}',
      'post /userprofileimage',
      'post /validatesession',
      'post /vet-check-photo/id={id}',
      'post /vet-hold/id={id}',
      'post /waiting-listing',
      'post /waiting-listing/photo',
      'put /admin/active/id={userId}',
      'put /admin/badge/id={userId}',
      'put /admin/proof/key={proofKey}',
      'put /admin/second-look/id={id}',
      'put /admin/settings/key={key}',
      'put /admin/type-request/id={userId}',
      'put /admin/vet-approval/id={userId}',
      'put /confirm-order/buyer={buyer}&address={address}&code={code}',
      'put /listing-draft',
      'put /listing-question/id={id}',
      'put /login-code',
      'put /order-detail-status/id={orderId}/{statusId}',
      'put /order-detail/id={id}',
      'put /product-requirement-enquiry/id={id}',
      'put /product/id={id}',
      'put /saved-listing/id={id}',
      'put /sellerrating-answer/id={id}',
      'put /update-product/id={id}&quantity={quantity}&sold={sold}&issandhaisale={sale}',
      'put /userprofile/id={userId}',
    ])
    const answered = new Set(
      createApi()
        .routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/'))
        .map(({ method, path }) => `${method} ${path}`),
    )
    expect(answered.delete('GET /v1/openapi.json')).toBe(true)
    expect(answered.size).toBe(documentedCalls.length)
  })

  test.each(documentedCalls.map((call) => [call.method, call.path]))('%s %s answers as documented', async (method, path) => {
    const options = path === '/csp-report' ? report : { method: method.toUpperCase(), csrf: true, json: bodies[path!] }
    const response = await app.call(exampleOf(path!), options)
    const call = { method: method!, path: path! }
    if (isPlain(call)) expect([200, 204]).toContain(response.status)
    else expect(response.status).toBeGreaterThanOrEqual(policy[operationOf(call)]!.who === 'anyone' ? 200 : 401)
    const { responses, description, summary } = documentedCalls.find((call) => call.method === method && call.path === path)!
    expect(responses).toHaveProperty(String(response.status))
    expect(description && summary).toBeTruthy()
  })

  test.each([...new Set(documentedCalls.map(({ path }) => path))])('%s accepts its own methods and no other', async (path) => {
    const known = methodsAt(path)
    for (const other of methods.filter((method) => !known.includes(method))) {
      const response = await app.call(exampleOf(path), { method: other, csrf: true })
      expect([other, response.status]).toEqual([other, 405])
      expect(response.headers.get('allow')!.split(', ').toSorted()).toEqual([...new Set(known)].toSorted())
    }
  })

  test.each(gets)('%s answers HEAD like GET without a body, and ignores a trailing slash', async (path) => {
    const [get, head, slash] = await Promise.all([
      app.call(exampleOf(path)),
      app.call(exampleOf(path), { method: 'HEAD' }),
      app.call(`${exampleOf(path)}/`),
    ])
    expect(head.status).toBe(get.status)
    expect(await head.text()).toBe('')
    for (const name of ['content-type', 'cache-control', 'etag']) expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect(await slash.text()).toBe(await get.text())
  })

  test.each(lists)('%s answers 304 to its ETag while nothing has changed', async (path) => {
    const first = await app.call(exampleOf(path))
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect(first.headers.get('vary')).toMatch(/^Accept-Language, Cookie/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.call(exampleOf(path), { headers: { 'If-None-Match': known } })
      expect(again.status).toBe(304)
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe('no-cache')
      expect(await again.text()).toBe('')
    }
    expect((await app.call(exampleOf(path), { headers: { 'If-None-Match': '"other"' } })).status).toBe(200)
  })

  test.each(lists.filter((path) => path !== '/deliverable-pincodes'))('%s has another ETag in Tamil', async (path) => {
    const [english, tamil] = await Promise.all([app.call(exampleOf(path)), app.call(exampleOf(path), { language: 'ta' })])
    expect(tamil.headers.get('etag')).not.toBe(english.headers.get('etag'))
  })

  test.each(documentedCalls.map((call) => call.path))('%s has a request id and no CORS headers', async (path) => {
    const response = await app.call(exampleOf(path), { headers: { Origin: 'https://evil.example' } })
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })

  test('an expired or made-up session counts as anonymous', async () => {
    const person = await makeUser(app.ctx, { typeId: 9 })
    const expired = await makeSession({ ...app.ctx, now: new Date(Date.now() - 31 * 86_400_000) }, person.id)
    const deactivated = await makeSession(app.ctx, (await makeUser(app.ctx, { typeId: 9, isActive: false })).id)
    for (const token of [expired, deactivated, 'x'.repeat(43), "' or 1=1", '\u0000', 'x'.repeat(5000)]) {
      const types = await app.read<{ id: number }[]>('/api/v1/user-type', {
        headers: { cookie: `__Host-sid=${encodeURIComponent(token)}` },
      })
      expect(types.map((type) => type.id)).toEqual([1, 2, 3, 4, 5])
    }
  })
})

describe('an address that is no call', () => {
  test.each(
    words(`
      /api  /api/  /api/v1  /api/v2/user-type  /api/v1/nothing  /api/v1/User-Type  /api/v1/user-type/1  /api/v1/user-type//  /api/v1/user-type=1
      /api/v1/goat  /api/v1/goat/  /api/v1/product/id=1/2  /api/v1/%00  /api/v1/..%2f..%2fpackage.json  /api/v1/product/..%5c..%5cx/y
      /api/v1/constructor  /api/docs/package.json  /api/docs/..%2fpackage.json  /api/docs/swagger-ui.js
    `),
  )('%s is a plain 404 with every method, never a page', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) expect(await app.refused(path, { method })).toBe('404 NOT_FOUND')
  })

  test.each([
    '/api/v1/%',
    '/api/v1/%E0%A4%A',
    '/api/v1/product/id=%E0%A4%A',
    '/api/v1/product/id=1%',
    '/api/v1/product/id=%zz',
    '/api/v1/product/id=%ff',
    '/api/v1/product-detail-list/top%3D0%2',
  ])('%s is refused as malformed', async (path) => expect(await app.refused(path)).toBe('400 MALFORMED'))

  test("a refusal has an English title and a detail in the reader's language, and repeats nothing of the request", async () => {
    const read = async (language: string) => (await app.call('/api/v1/product/id=<script>', { language })).json()
    expect(await read('en')).toMatchObject({
      type: 'about:blank',
      title: 'Some values are not valid',
      status: 422,
      detail: 'Some values are not valid.',
      code: 'VALIDATION',
      fields: [{ field: 'id' }],
    })
    expect(await read('ta')).toMatchObject({ title: 'Some values are not valid', detail: 'சில விவரங்கள் சரியாக இல்லை.' })
    expect(JSON.stringify(await read('en'))).not.toContain('script')
  })
})

describe('the CSRF cookie', () => {
  test('is set for a browser without one, readable by scripts, never cached', async () => {
    const response = await app.call('/api/v1/csrf')
    expect(response.status).toBe(204)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-csrf=[\w-]{22}\.[\w-]{43}; Path=\/; Secure; SameSite=Lax$/)
  })

  test('stays while it is valid, and is renewed when it is not, for example after a login', async () => {
    const cookie = (await app.call('/api/v1/csrf')).headers.get('set-cookie')!.split(';')[0]!
    const setCookie = async (headers: Record<string, string>) => (await app.call('/api/v1/csrf', { headers })).headers.get('set-cookie')
    expect(await setCookie({ cookie })).toBeNull()
    expect(await setCookie({ cookie: `${cookie}x` })).not.toBeNull()
    expect(await setCookie({ cookie: '__Host-csrf=a.b' })).not.toBeNull()
    expect(await setCookie({ cookie: `${cookie}; __Host-sid=${await makeSession(app.ctx, (await makeUser(app.ctx)).id)}` })).not.toBeNull()
  })
})

describe('reports of the content security policy', () => {
  const send = (body: string, type = 'application/csp-report', options: object = {}) =>
    app.call('/api/v1/csp-report', { method: 'POST', body, headers: { 'Content-Type': type }, ...options })
  const modern = (body: object) => JSON.stringify([{ type: 'csp-violation', age: 1, url: `${ORIGIN}/me?phone=1`, body }])

  test.each([
    [
      'application/csp-report',
      '{"csp-report":{"violated-directive":"script-src-elem \'self\'","blocked-uri":"https://evil.example:8443/a?phone=1"}}',
      'script-src-elem',
      'https://evil.example:8443',
    ],
    [
      'application/csp-report; charset=utf-8',
      '{"csp-report":{"effective-directive":"style-src","blocked-uri":"inline"}}',
      'style-src',
      'inline',
    ],
    ['application/reports+json', modern({ effectiveDirective: 'img-src', blockedURL: 'data' }), 'img-src', 'data'],
    [
      'application/reports+json',
      modern({ effectiveDirective: 'x\n{"level":60}', blockedURL: 'javascript:alert(1)' }),
      'unknown',
      'javascript:',
    ],
    ['application/csp-report', '{"csp-report":{}}', 'unknown', 'unknown'],
  ])('as %s are logged as one line with two fields: %s', async (type, body, directive, blocked) => {
    const before = app.logged.length
    const response = await send(body, type)
    expect(response.status).toBe(204)
    expect(app.logged.slice(before)).toEqual([
      {
        level: 40,
        requestId: response.headers.get('x-request-id'),
        directive,
        blocked,
        msg: 'content security policy report',
        time: expect.any(Number),
      },
    ])
  })

  test('are refused when invalid, and not logged', async () => {
    const before = app.logged.length
    const refusals: [string, string | undefined, number][] = [
      ['{', undefined, 400],
      ['', undefined, 400],
      ['[]', undefined, 422],
      ['null', undefined, 422],
      ['"x"', undefined, 422],
      ['{"csp-report":7}', undefined, 422],
      ['[{"body":[]}]', undefined, 422],
      ['{"csp-report":{"blocked-uri":{}}}', undefined, 422],
      ['['.repeat(8000), undefined, 400],
      ['{"csp-report":{}}', 'application/json', 415],
      ['{"csp-report":{}}', 'text/plain', 415],
      [' '.repeat(8193), undefined, 413],
      ['x'.repeat(70_000), undefined, 413],
    ]
    for (const [body, type, status] of refusals)
      expect([body.slice(0, 40), (await send(body, type)).status]).toEqual([body.slice(0, 40), status])
    expect((await app.call('/api/v1/csp-report', { method: 'POST' })).status).toBe(415)
    expect(app.logged.slice(before)).toEqual([])
  })

  test('are limited to sixty a minute per address, apart from the limit of views', async () => {
    const address = '192.0.2.77'
    for (let i = 0; i < 60; i++) expect((await send('{"csp-report":{}}', undefined, { address })).status).toBe(204)
    expect((await send('{"csp-report":{}}', undefined, { address })).status).toBe(429)
    expect((await app.call(`/api/v1/product-access-detail/id=${animal}`, { method: 'POST', csrf: true, address })).status).toBe(200)
  })
})

describe('the document and its viewer', () => {
  test('the document is OpenAPI 3.1 and describes paths, answers and problems of every call', async () => {
    const response = await app.call('/api/v1/openapi.json')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const document = (await response.json()) as {
      openapi: string
      servers: unknown
      paths: Record<string, Record<string, Operation>>
      components: { schemas: object }
    }
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/api/v1' }] })
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Problem', 'Product', 'ProductInList']))
    const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => ({ path, method, call })),
    )
    expect(calls).toHaveLength(documentedCalls.length)
    for (const { path, method, call } of calls) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      expect(
        (call.parameters ?? []).filter((parameter) => parameter.in === 'path' && parameter.required).map((parameter) => parameter.name),
      ).toEqual(named)
      expect(call).not.toHaveProperty('middleware')
      expect(Object.keys(call.responses)).toEqual(expect.arrayContaining(['429', '500', '503']))
      if (named.length > 0) expect(call.responses['422']?.content).toHaveProperty(['application/problem+json'])
      if ('200' in call.responses) expect(call.responses['200']!.content!['application/json']!.schema, `${method} ${path}`).toBeTruthy()
    }
    expect((await app.call('/api/v1/openapi.json', { headers: { 'If-None-Match': response.headers.get('etag')! } })).status).toBe(304)
  })

  test('the viewer loads only files that this site serves, and has no inline script or style', async () => {
    const response = await app.call('/api/docs')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const nonce = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy')!)![1]!
    const html = await response.text()
    expect(html).not.toMatch(/<style|style=|\son\w+=|https?:\/\//)
    expect(
      [...html.matchAll(/<script([^>]*)>([^<]*)/g)].every(
        ([, attributes, text]) => attributes!.includes(`nonce="${nonce}"`) && text === '',
      ),
    ).toBe(true)
    const files = [...html.matchAll(/(?:src|href)="(\/api\/[^"]+)"/g)].map((match) => match[1]!)
    expect(files).toHaveLength(5)
    for (const file of files) expect([file, (await app.call(file)).status]).toEqual([file, 200])
    expect((await app.call('/api/docs/')).status).toBe(200)
    expect((await app.call('/api/docs', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
  })
})

interface Operation {
  parameters?: { name: string; in: string; required: boolean }[]
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}
