import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { type CallOptions, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeEnquiry, makeOffer } from './makers.server.ts'
import { enquiries, enquiryOffers } from './tables.ts'

let app: TestApp
let poster: Viewer
let seller: Viewer
let admin: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9 })
})
beforeEach(async () => {
  poster = await makeUser(app.ctx, { name: 'Selvi' })
  seller = await makeUser(app.ctx, { typeId: 2 })
  await app.ctx.db.delete(enquiries)
})

interface OnWire {
  [name: string]: unknown
  id: number
}
const ONE = '/api/v1/product-requirement-enquiry/id='
const ALL = '/api/v1/product-requirement-enquiries'
const OWN = '/api/v1/user-product-requirement-enquiries'
const body = {
  categorytype: 1,
  category: '1',
  breed: 101,
  age: null,
  gender: 0,
  color: '',
  description: 'A calm cow',
  requiredcount: 2,
  acceptableprice: '50000.5',
  weight: 300.25,
  requiredaroundpincode: 638701,
  postedfor: 'Kannan',
  contact: '919876543210',
}
const post = (as: Viewer | null, json: unknown, more: CallOptions = {}) => app.call(ALL, { method: 'POST', as, csrf: true, json, ...more })
const put = (as: Viewer, id: number, json: unknown) => app.call(ONE + id, { method: 'PUT', as, csrf: true, json })
async function said(response: Response): Promise<string> {
  const { code, fields } = (await response.json()) as { code?: string; fields?: { field: string }[] }
  return [response.status, code, ...(fields ?? []).map(({ field }) => field)].join(' ')
}

describe('posting an enquiry', () => {
  test('accepts the old form, and ignores values that the poster may not set', async () => {
    const sent = {
      ...body,
      posted_by: poster.id,
      isverified: true,
      verifiedby: poster.id,
      verificationcomment: 'Fine',
      status: 5,
      recieveduserresponse: 9,
      isclosed: true,
      createdon: '2001-01-01',
      uniqueidentifier: 'x',
      requiredaroundcity: 'Chennai',
      requirearoundstate: 'Kerala',
      posted_by_name: 'x',
    }
    const { rows, id } = (await (await post(poster, sent)).json()) as { rows: number; id: number }
    expect(rows).toBe(1)
    expect(await app.read<OnWire>(ONE + id, { as: poster })).toEqual({
      id,
      uniqueidentifier: `ENQ-${String(id).padStart(5, '0')}`,
      description: 'A calm cow',
      posted_by: poster.id,
      posted_by_name: 'Selvi',
      postedfor: 'Kannan',
      contact: '+919876543210',
      categorytype: 1,
      categorytype_name: 'Livestock',
      category: 1,
      category_name: 'Cattle',
      breed: 101,
      breed_name: 'Kangayam',
      age: null,
      age_name: null,
      gender: 0,
      gender_name: 'Female',
      color: null,
      color_name: null,
      requiredcount: 2,
      acceptableprice: 50000.5,
      weight: 300.25,
      requiredaroundpincode: '638701',
      requiredaroundcity: 'Tiruppur',
      requirearoundstate: 'Tamil Nadu',
      isverified: false,
      verifiedby: null,
      verificationcomment: null,
      status: 0,
      recieveduserresponse: 0,
      createdon: expect.stringMatching(/^20[2-9]\d-/) as string,
      isclosed: false,
    })
  })

  test.each([0, 10])('accepts a required count of %i', async (requiredcount) => {
    const { id } = (await (await post(poster, { ...body, requiredcount })).json()) as { id: number }
    expect(await app.read<OnWire>(ONE + id, { as: poster })).toMatchObject({ requiredcount })
  })

  test.each<[string, Record<string, unknown>]>([
    ['422 VALIDATION categorytype', { categorytype: 7 }],
    ['422 VALIDATION category', { category: null }],
    ['422 VALIDATION breed', { breed: 201 }],
    ['422 VALIDATION requiredcount', { requiredcount: 11 }],
    ['422 VALIDATION requiredcount', { requiredcount: -1 }],
    ['422 VALIDATION requiredcount', { requiredcount: 1.5 }],
    ['422 VALIDATION weight', { weight: 0.1 }],
    ['422 VALIDATION weight', { weight: -1 }],
    ['422 VALIDATION acceptableprice', { acceptableprice: 1e8 }],
    ['422 VALIDATION description', { description: ' ' }],
    ['422 VALIDATION requiredaroundpincode', { requiredaroundpincode: '999999' }],
    ['422 VALIDATION postedfor', { postedfor: '' }],
    ['422 VALIDATION contact', { contact: '+91' }],
    ['422 VALIDATION contact', { contact: '+12345678901' }],
    ['422 VALIDATION surprise', { surprise: 1 }],
  ])('answers %s for %j', async (expected, changes) => {
    expect(await said(await post(poster, { ...body, ...changes }))).toBe(expected)
    expect(await app.ctx.db.$count(enquiries)).toBe(0)
  })

  test('works only for the person themselves', async () => {
    expect(await said(await post(poster, { ...body, posted_by: seller.id }))).toBe('403 IDENTITY_MISMATCH')
    expect(await said(await post(null, body))).toBe('401 AUTH_REQUIRED')
    expect(await app.ctx.db.$count(enquiries)).toBe(0)
  })

  test('is idempotent by key, and limited to five a day; invalid ones do not count', async () => {
    const headers = { 'Idempotency-Key': 'once-for-all' }
    const ids: unknown[] = []
    for (let n = 0; n < 3; n++) ids.push(((await (await post(poster, body, { headers })).json()) as { id: number }).id)
    expect(new Set(ids).size).toBe(1)
    expect(await said(await post(poster, { ...body, weight: 1 }, { headers }))).toBe('409 IDEMPOTENCY_MISMATCH')
    for (let n = 0; n < 3; n++) await post(poster, { ...body, requiredaroundpincode: '999999' })
    for (let n = 0; n < 4; n++) expect((await post(poster, body)).status).toBe(200)
    expect(await said(await post(poster, body))).toBe('429 RATE_LIMITED')
    expect(await app.ctx.db.$count(enquiries)).toBe(5)
  })
})

describe('reading', () => {
  test('shows the number and comment to the poster and to admins, whose access is recorded', async () => {
    const id = await makeEnquiry(app.ctx, { posterId: poster.id, postedFor: 'Kannan' })
    expect(await app.read<OnWire>(ONE + id, { as: seller })).toMatchObject({
      contact: null,
      postedfor: '',
      posted_by_name: 'Selvi',
      verificationcomment: null,
      isverified: true,
    })
    expect(await app.ctx.db.$count(auditEvents, eq(auditEvents.object, `enquiry:${id}`))).toBe(0)
    expect(await app.read<OnWire>(ONE + id, { as: admin })).toMatchObject({
      contact: '+91 98xxxxx210',
      postedfor: 'Kannan',
      verificationcomment: 'Called.',
    })
    const events = await app.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `enquiry:${id}`))
      .orderBy(auditEvents.id)
    expect(events.map(({ event, actorId }) => [event, actorId])).toEqual([['sensitive_read', admin.id]])
    const [listed] = await app.read<OnWire[]>(ALL, { as: seller })
    expect(listed).toMatchObject({ id, contact: null, postedfor: '' })
    const [seen] = await app.read<OnWire[]>(ALL, { as: admin })
    expect(seen).toMatchObject({ id, contact: '+91 98xxxxx210', postedfor: 'Kannan' })
    const staff = await makeUser(app.ctx, { typeId: 9, isStaff: true })
    expect(await app.read<OnWire>(ONE + id, { as: staff })).toMatchObject({ contact: '+919876543210' })
    expect(await app.read<OnWire[]>(OWN, { as: poster })).toMatchObject([{ id, postedfor: 'Kannan' }])
  })

  test('shows a pending enquiry to its poster and admins only; to others it is a 404', async () => {
    const id = await makeEnquiry(app.ctx, { posterId: poster.id, isVerified: null })
    expect(await app.refused(ONE + id, { as: seller })).toBe('404 NOT_FOUND')
    expect(await app.refused(`${ONE}999999`, { as: seller })).toBe('404 NOT_FOUND')
    expect(await app.refused(`${ONE}0`, { as: seller })).toBe('422 VALIDATION')
    expect(await app.refused(ONE + id)).toBe('401 AUTH_REQUIRED')
    expect(await app.read<OnWire[]>(ALL, { as: seller })).toEqual([])
    expect(await app.read<OnWire[]>(ALL, { as: admin })).toMatchObject([{ id }])
    expect(await app.read<OnWire[]>(OWN, { as: poster })).toMatchObject([{ id, isverified: false }])
    expect(await app.read<OnWire[]>(OWN, { as: seller })).toEqual([])
  })

  test('reports closed and expired by status, names in the reader’s language, and refuses a foreign cursor', async () => {
    const closed = await makeEnquiry(app.ctx, { closedAt: app.ctx.now })
    const expired = await makeEnquiry(app.ctx, { createdAt: new Date(Date.now() - 91 * 86_400_000) })
    expect(await app.read<OnWire>(ONE + closed, { as: seller, language: 'ta' })).toMatchObject({
      status: 1,
      isclosed: true,
      breed_name: 'காங்கேயம்',
      requiredaroundcity: 'திருப்பூர்',
    })
    expect(await app.read<OnWire>(ONE + expired, { as: seller })).toMatchObject({ status: 2, isclosed: false })
    expect(await app.refused(`${ALL}?cursor=x`, { as: seller })).toBe('422 VALIDATION')
    expect(await app.refused(`${OWN}?page=2`, { as: seller })).toBe('422 VALIDATION')
  })
})

describe('an admin’s verdict', () => {
  test('is a comment and yes or no; the rest of the body is ignored', async () => {
    const id = await makeEnquiry(app.ctx, { posterId: poster.id, isVerified: null })
    const verdict = {
      ...body,
      id: 5,
      description: 'Changed',
      contact: { odd: true },
      isverified: 1,
      verificationcomment: ' Called. ',
      verifiedby: admin.id,
    }
    expect(await (await put(admin, id, verdict)).json()).toEqual({ rows: 1 })
    expect(await app.read<OnWire>(ONE + id, { as: poster })).toMatchObject({
      isverified: true,
      verifiedby: admin.id,
      verificationcomment: 'Called.',
      description: 'உழவுக்கு ஒரு காளை வேண்டும்',
    })
    expect((await put(admin, id, { isverified: false, verificationcomment: 'After all not.' })).status).toBe(200)
    expect(await app.read<OnWire>(ONE + id, { as: poster })).toMatchObject({ isverified: false })
  })

  test('needs a comment and an admin, who acts in their own name and not on their own enquiry', async () => {
    const id = await makeEnquiry(app.ctx, { posterId: poster.id, isVerified: null })
    const own = await makeEnquiry(app.ctx, { posterId: admin.id, isVerified: null })
    const yes = { isverified: true, verificationcomment: 'Called.' }
    expect(await said(await put(admin, id, { isverified: true }))).toBe('422 VALIDATION verificationcomment')
    expect(await said(await put(admin, id, { ...yes, verificationcomment: ' ' }))).toBe('422 VALIDATION verificationcomment')
    expect(await said(await put(admin, id, { verificationcomment: 'x' }))).toBe('422 VALIDATION isverified')
    expect(await said(await put(admin, id, { ...yes, verifiedby: poster.id }))).toBe('403 IDENTITY_MISMATCH')
    expect(await said(await put(admin, own, yes))).toBe('409 OWN_ENQUIRY')
    for (const person of [poster, seller]) expect(await said(await put(person, id, yes))).toBe('403 ROLE_FORBIDDEN')
    expect((await app.ctx.db.select().from(enquiries)).map(({ isVerified }) => isVerified)).toEqual([null, null])
  })
})

describe('answers and steps', () => {
  const respond = (as: Viewer, id: number, product: number) =>
    app.call(`/api/v1/enquiry-response/id=${id}`, { method: 'POST', as, csrf: true, json: { product } })
  const step = (as: Viewer, id: number, json: unknown) =>
    app.call(`/api/v1/enquiry-step/id=${id}`, { method: 'POST', as, csrf: true, json })

  test('answers are counted, and the poster reads them', async () => {
    const id = await makeEnquiry(app.ctx, { posterId: poster.id })
    const product = await makeListing(app.ctx, { sellerId: seller.id })
    const goat = await makeListing(app.ctx, { sellerId: seller.id, categoryId: 2, breedId: 201 })
    expect(await (await respond(seller, id, product)).json()).toEqual({ rows: 1 })
    expect(await said(await respond(seller, id, goat))).toBe('422 VALIDATION product')
    expect(await app.read<OnWire>(ONE + id, { as: poster })).toMatchObject({ recieveduserresponse: 1 })
    expect(await app.read(`/api/v1/enquiry-response/id=${id}`, { as: poster })).toEqual([{ product }])
    expect(await app.refused(`/api/v1/enquiry-response/id=${id}`, { as: seller })).toBe('404 NOT_FOUND')
    await makeOffer(app.ctx, id, goat)
    expect(await app.ctx.db.$count(enquiryOffers)).toBe(2)
  })

  test('close and renew change the status', async () => {
    const id = await makeEnquiry(app.ctx, { posterId: poster.id })
    expect((await step(poster, id, { step: 'renew' })).status).toBe(200)
    expect(await said(await step(seller, id, { step: 'close' }))).toBe('403 ROLE_FORBIDDEN')
    expect(await said(await step(poster, id, { step: 'open' }))).toBe('422 VALIDATION step')
    expect((await step(poster, id, { step: 'close' })).status).toBe(200)
    expect(await said(await step(poster, id, { step: 'renew' }))).toBe('409 ENQUIRY_STEP')
    const product = await makeListing(app.ctx, { sellerId: seller.id })
    expect(await said(await respond(seller, id, product))).toBe('409 ENQUIRY_STEP')
  })
})
