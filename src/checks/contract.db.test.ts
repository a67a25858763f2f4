import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { markFor } from '#src/accounts/notifications/marks.server.ts'
import { phoneKey } from '#src/accounts/identity/otp-limits.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { limitCounts } from '#src/kit/db/tables.ts'
import type { OutboxWorker } from '#src/kit/messages/outbox.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import bodyExamples from '#src/server/api-examples.json' with { type: 'json' }
import { makeCartLine } from '#src/cart/makers.server.ts'
import { makeEnquiry, makeOffer } from '#src/enquiries/makers.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '#src/orders/tables.ts'
import { answered, type CallOptions, documentedCalls, shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'
import { codeSentTo, cookieIn, startTestOutbox } from '#tools/test-kit/test-auth-client.ts'
import { walkProofs } from '#tools/test-kit/walk-proofs.ts'
import { forgetSends, newPhone, PASSWORD, registerPerson } from '#tools/test-kit/test-people.ts'
import { clipForm, firstId, partHeaders, pictureForm, waitingCow, wireBody, type WireProduct } from '#tools/test-kit/test-sale.ts'

/**
 * Every operation of the served document succeeds once and is refused once. `app.call` validates each answer, its status and its body,
 * against that document, with a third-party validator.
 */
let app: TestApp, outbox: OutboxWorker
let buyer: Viewer, seller: Viewer, vet: Viewer, admin: Viewer, root: Viewer
let pickup: number
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 100 } })
beforeAll(async () => {
  outbox = startTestOutbox(app.ctx)
  buyer = await makeUser(app.ctx, { typeId: 1 })
  seller = await makeUser(app.ctx, { typeId: 2 })
  vet = await makeUser(app.ctx, { typeId: 5, vetApproved: true })
  admin = await makeUser(app.ctx, { typeId: 9 })
  root = await makeUser(app.ctx, { typeId: 9, superAdmin: true })
  pickup = await makeAddress(app.ctx, seller.id)
})
afterAll(async () => {
  await outbox?.stop()
})

const send =
  (method: string) =>
  (path: string, as: Viewer | null, json?: unknown, more: CallOptions = {}) =>
    app.call(`/api/v1${path}`, { method, as, csrf: method !== 'GET', ...(json !== undefined && { json }), ...more })
const [get, post, put, patch, remove, options] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(send) as ReturnType<typeof send>[]
type Send = ReturnType<typeof send>
const ok = async (response: Promise<Response>) => {
  const answer = await response
  expect(answer.ok, `${answer.url} ${answer.status} ${answer.ok ? '' : await answer.clone().text()}`).toBe(true)
  return answer
}
const example = (operation: string, changes: object = {}) => ({ ...(bodyExamples as Record<string, object>)[operation], ...changes })
const yes = async (call: Send | undefined, ...args: Parameters<Send>) => ok(call!(...args))
const made = (facts: object = {}) => makeListing(app.ctx, { sellerId: seller.id, pickupAddressId: pickup, stock: 5, ...facts })
/** An anonymous browser with one of our cookies. */
const browser = (name: string, value: string): CallOptions => {
  const token = makeCsrfToken(app.secret, undefined)
  return { csrf: false, headers: { cookie: `__Host-csrf=${token}; ${name}=${value}`, 'X-CSRFToken': token } }
}

describe('every operation succeeds as documented', () => {
  test('lookups, lists and the site', async () => {
    const id = await made()
    for (const path of [
      '/csrf',
      '/user-type',
      '/user-title',
      '/address-type',
      '/deliverable-pincodes',
      '/pincode-place/pincode=638701',
      '/category-type',
      '/livestock-age',
      '/livestock-color',
      '/livestock-gender',
      '/product-detail-list/top=2&category=0&page=buy',
      '/product-top/top=4',
      `/product-cards/ids=${id}`,
      `/product/id=${id}`,
      `/sellerrating/seller=${seller.id}`,
    ])
      await yes(get, path, null)
    for (const path of [
      '/order-status',
      '/thread',
      '/product-requirement-enquiries',
      '/user-product-requirement-enquiries',
      '/auth/sessions',
    ])
      await yes(get, path, buyer)
    await yes(post, `/product-access-detail/id=${id}`, null)
    await yes(post, `/product-contact/id=${id}`, buyer, example('POST /product-contact/id={id}'))
    await yes(post, '/report', buyer, example('POST /report', { product: id }))
    await yes(post, '/newsletter', null, example('POST /newsletter'))
    const report = '{"csp-report":{"effective-directive":"img-src","blocked-uri":"inline"}}'
    await yes(post, '/csp-report', null, undefined, { headers: { 'Content-Type': 'application/csp-report' }, body: report })
  })

  test('registration, login, reset, account deletion', async () => {
    const phone = newPhone()
    const first = await yes(post, '/user', null, example('POST /user', { phone, password: PASSWORD }))
    const { id } = (await first.json()) as { id: number }
    const again = browser('__Host-reg', cookieIn(first, '__Host-reg'))
    const other = newPhone()
    await forgetSends(app.ctx)
    await yes(post, '/auth/otp/resend', null, { phone: other }, again)
    const code = await codeSentTo(app.ctx, other)
    const registered = await yes(put, `/userprofile/id=${id}`, null, { otp: code, verify_otp: true }, again)
    expect(cookieIn(registered, '__Host-sid')).toBeTruthy()
    await yes(post, '/login', null, { username: other, password: PASSWORD })
    const person = (await registerPerson(app.ctx, newPhone())).user
    const viewer = { ...buyer, id: person.id }
    await yes(post, '/validatesession', viewer)
    await yes(post, '/auth/password', viewer, { old_password: PASSWORD, new_password: `${PASSWORD} 2` })
    const resetting = newPhone()
    await registerPerson(app.ctx, resetting)
    await forgetSends(app.ctx)
    const asked = await yes(post, '/auth/reset', null, { phone: resetting })
    const reset = browser('__Host-rst', cookieIn(asked, '__Host-rst'))
    const newCode = await codeSentTo(app.ctx, resetting)
    await yes(patch, `/reset-password/userphone=${encodeURIComponent(resetting)}`, null, { otp: newCode, password: `${PASSWORD} 3` }, reset)
    const tried = newPhone()
    await registerPerson(app.ctx, tried)
    await forgetSends(app.ctx)
    await app.ctx.db
      .insert(limitCounts)
      .values({ key: `loginPhone:${phoneKey(app.ctx, tried)}`, points: 100, expire: new Date(Date.now() + 3_600_000) })
    const half = await yes(post, '/login', null, { username: tried, password: PASSWORD })
    const withCode = browser('__Host-rst', cookieIn(half, '__Host-rst'))
    await yes(put, '/login-code', null, { otp: await codeSentTo(app.ctx, tried) }, withCode)
    const coming = newPhone()
    const codeAsked = await yes(post, '/login-code', null, { phone: coming })
    const coder = browser('__Host-rst', cookieIn(codeAsked, '__Host-rst'))
    await yes(put, '/login-code', null, { phone: coming, otp: await codeSentTo(app.ctx, coming) }, coder)
    await yes(put, '/login-code', null, { username: 'Selvi', consent: true }, coder)
    const legacy = newPhone()
    await registerPerson(app.ctx, legacy)
    await forgetSends(app.ctx)
    await yes(patch, `/init-forgot-password/userphone=${encodeURIComponent(legacy)}`, null)
    const sessions = (await (await yes(get, '/auth/sessions', viewer)).json()) as { id: number; is_this: boolean }[]
    await forgetSends(app.ctx)
    await yes(post, '/me/export', viewer)
    await yes(remove, '/me', viewer, { password: `${PASSWORD} 2` })
    await yes(remove, `/auth/sessions/id=${sessions.find((each) => each.is_this)!.id}`, viewer)
    await yes(post, '/logout', null)
  })

  test('a device for notifications, a profile and an address book', async () => {
    await yes(get, '/push-key', null)
    await yes(post, '/push-devices', buyer, example('POST /push-devices'))
    const [device] = (await (await yes(get, '/push-devices', buyer)).json()) as { id: number }[]
    await yes(post, '/push-shown', null, { id: 999_999, mark: markFor(app.ctx.vault, 'shown', 999_999) })
    await yes(remove, `/push-device/id=${device!.id}`, buyer)
    await yes(post, '/push-stop', null, { id: device!.id, mark: markFor(app.ctx.vault, 'stop', device!.id) })
    await yes(get, `/userprofile/id=${buyer.id}`, buyer)
    await yes(post, `/userprofile/id=${buyer.id}`, buyer, example('POST /userprofile/id={userId}'))
    await yes(post, '/userprofileimage', buyer, undefined, await pictureForm('image'))
    const added = await yes(post, `/user-address/user=${buyer.id}`, buyer, example('POST /user-address/user={id}'))
    await yes(get, `/user-address/user=${buyer.id}`, buyer)
    await yes(get, `/user-delivery-address/id=${((await added.json()) as { id: number }).id}`, buyer)
  })

  test('a clip uploaded in parts', async () => {
    await yes(options, '/clip-upload', null)
    const begun = await yes(post, '/clip-upload', seller, undefined, { headers: partHeaders })
    const at = begun.headers.get('location')!.slice('/api/v1'.length)
    for (const call of [patch, get, remove]) await yes(call, at, seller, undefined, { headers: partHeaders })
  })

  test('a listing from draft to withdrawal', async () => {
    for (const path of ['/recommendprice', '/similarprices/breed=101&gender=1']) await yes(get, path, seller)
    await yes(post, '/listing-text', seller, example('POST /listing-text'))
    await yes(get, '/listing-draft', seller)
    await yes(put, '/listing-draft', seller, example('PUT /listing-draft'))
    const photo = await firstId(yes(post, '/listing-draft/photo', seller, undefined, await pictureForm('image')), 'photos')
    await yes(remove, `/listing-draft/photo/id=${photo}`, seller)
    await yes(remove, '/listing-draft', seller)
    const waiting = await firstId(yes(post, '/listing-draft/clip?form=form-key', seller, undefined, await clipForm()), 'clips')
    await yes(remove, `/listing-draft/clip/id=${waiting}`, seller)
    await yes(post, '/waiting-listing/photo?key=a-waiting-cow&at=0', seller, undefined, await pictureForm('image'))
    await yes(post, '/waiting-listing', seller, waitingCow({ key: 'a-waiting-cow', pickup }))
    const body = wireBody(seller.id, pickup, { variant: { lactation_no: 2, heart_girth_cm: 150, body_length_cm: 130 } })
    const { productVariantId: id } = (await (await yes(post, '/product', seller, body)).json()) as { productVariantId: number }
    await yes(post, '/productimages', seller, undefined, await pictureForm('images', { product: String(id) }))
    const second = await yes(post, '/productimages', seller, undefined, await pictureForm('images', { product: String(id) }))
    const { images } = (await second.json()) as { images: { id: number }[] }
    await yes(remove, `/productimage/id=${images[1]!.id}`, seller)
    await yes(post, '/listing-draft/copy', seller, { listing: id, over: true })
    const clips = yes(post, '/productclips', seller, undefined, await clipForm({ product: String(id) }))
    await yes(remove, `/productclip/id=${await firstId(clips, 'clips')}`, seller)
    const stateOf = async () => {
      const [shown] = (await (await yes(get, `/product/id=${id}`, seller)).json()) as [WireProduct]
      return shown
    }
    expect((await stateOf()).product_variant[0]).toMatchObject({ lactation_no: 2, heart_girth_cm: 150, body_length_cm: 130 })
    const verdict = (passed: boolean) =>
      yes(put, `/update-product/id=${id}&sold=false&quantity=0&issandhaisale=false`, admin, { is_verified: passed, comment: 'Looked at.' })
    expect((await stateOf()).state).toBe('pending')
    await verdict(false)
    expect(await stateOf()).toMatchObject({ state: 'failed', verification_comment: 'Looked at.' })
    // A failed listing that is sent in again waits, and is no longer marked as failed.
    const change = { product: { name: 'Calm cow', description: 'Better words', breed: 102 } }
    expect(await (await yes(put, `/product/id=${id}`, seller, change)).json()).toEqual({ rows: 1, verified_again: true })
    expect(await stateOf()).toMatchObject({ state: 'pending', name: 'Calm cow', breed: { id: 102 }, verification_comment: null })
    await verdict(true)
    expect((await stateOf()).state).toBe('passed')
    await yes(put, `/update-product/id=${id}&quantity=2&sold=false&issandhaisale=false`, seller, {
      originalprice: 80_000,
      offerprice: 0,
      weight: 320,
    })
    const step = (step: string, more: object = {}) => yes(post, `/listing-step/id=${id}`, seller, { step, ...more })
    await step('renew')
    await step('withdraw')
    expect((await stateOf()).state).toBe('withdrawn')
    await step('relist', { stock: 3 })
    expect((await stateOf()).state).toBe('passed')
    await yes(put, `/update-product/issandhaisale=true&id=${id}&quantity=0&sold=true`, seller)
    expect((await stateOf()).state).toBe('sold')
    for (const what of ['instock', 'sold', 'ordered'])
      await yes(get, `/sellerproducts/seller=${seller.id}&type=2&getitems=${what}&top=0`, seller)
  })

  test('a vet plans with holds, and checks animals with or without one', async () => {
    const [one, two, three] = [await made({ createdAt: app.ctx.now }), await made(), await made({ createdAt: app.ctx.now })]
    const found = { product: one, checked_on: indianDay(app.ctx.now), is_vet_approved: true, vet_comments: 'Sound.' }
    await yes(post, '/livestock-veterinary-check', vet, { ...found, product: three })
    await yes(post, `/vet-hold/id=${one}`, vet)
    await yes(post, `/vet-hold/id=${two}`, vet)
    await yes(remove, `/vet-hold/id=${two}`, vet)
    await yes(get, '/vet-productlist/checkcomplete=false&top=0', vet)
    await yes(post, '/livestock-veterinary-check', vet, { ...found, temperature_c: 38.6, body_condition: 3.5, teeth: 'good' })
    await yes(post, `/vet-check-photo/id=${one}`, vet, undefined, await pictureForm('image'))
  })

  test('a saved animal', async () => {
    const id = await made()
    await yes(put, `/saved-listing/id=${id}`, buyer)
    await yes(put, `/saved-listing/id=${id}`, buyer)
    expect(await (await yes(get, '/saved-listings', buyer)).json()).toEqual({ ids: [id] })
    await yes(remove, `/saved-listing/id=${id}`, buyer)
    expect(await (await yes(get, '/saved-listings', buyer)).json()).toEqual({ ids: [] })
  })

  test('milkings', async () => {
    const id = await made({ genderId: 0, milkLitresPerDay: 9 })
    await walkProofs((method, ...args) => ok(send(method)(...args)), { seller, admin }, id)
  })

  test('a second look at changed words', async () => {
    const id = await made({ name: 'Calm cow' })
    await yes(put, `/product/id=${id}`, seller, { product: { name: 'Best cow of all' } })
    const listed = await (await yes(get, '/admin/second-looks', admin)).json()
    expect(listed).toMatchObject({
      waiting: 1,
      second_looks: [{ product: id, version: 2, name: 'Best cow of all', name_before: 'Calm cow', seller: { id: seller.id } }],
    })
    await yes(put, `/admin/second-look/id=${id}`, admin, example('PUT /admin/second-look/id={id}'))
    expect(await (await yes(get, '/admin/second-looks', admin)).json()).toEqual({ waiting: 0, second_looks: [] })
    expect(await (await yes(get, `/product/id=${id}`, null)).json()).toMatchObject([{ name: 'Calm cow' }])
  })

  test('a waiting listing: postponed, questioned, answered, decided, and reopened', async () => {
    const id = await made({ state: 'pending' })
    await yes(post, `/admin/verification-skip/id=${id}`, admin)
    const { listings: later } = await (await yes(get, '/admin/verification-queue?view=skipped', admin)).json()
    expect(later).toMatchObject([{ product: id, put_off: true, open_with: null }])
    await yes(post, `/admin/listing-question/id=${id}`, admin, example('POST /admin/listing-question/id={id}'))
    await yes(put, `/listing-question/id=${id}`, seller, example('PUT /listing-question/id={id}'))
    expect(await (await yes(get, `/listing-question/id=${id}`, seller)).json()).toMatchObject([
      { question: 'How many calves has she had?', answer: 'Two, the last in June.' },
    ])
    await verifyListing(app.as(admin, { now: new Date() }), id, { passed: true, comment: 'Good' })
    await yes(post, `/admin/verification-undo/id=${id}`, admin)
    expect((await (await yes(get, '/admin/verification-queue?view=answered', admin)).json()).listings).toMatchObject([{ product: id }])
  })

  test('a cart, an order, its papers and its settlement', async () => {
    const listing = await made()
    await yes(post, `/buyercart/buyer=${buyer.id}`, buyer, { product: listing, items_count: 1 })
    const [line] = (await (await yes(get, `/buyercart/buyer=${buyer.id}`, buyer)).json()) as { id: number }[]
    await yes(put, `/order-detail/id=${line!.id}`, buyer, { items_count: 2 })
    const gone = await makeCartLine(app.ctx, { buyerId: buyer.id, listingId: await made() })
    await yes(remove, `/order-detail/id=${gone}`, buyer)
    await yes(get, `/userdiscount/buyer=${buyer.id}&code=`, buyer)
    const home = await makeAddress(app.ctx, buyer.id)
    await yes(put, `/confirm-order/buyer=${buyer.id}&address=${home}&code=`, buyer)
    for (const path of [`/order/buyer=${buyer.id}&type=1`, '/outcome?key=my-order']) await yes(get, path, buyer)
    await yes(put, `/order-detail-status/id=${line!.id}/2`, admin)
    const way = await makeOrder(app.ctx, { status: 5, buyer, seller, admin })
    const code = app.ctx.vault.open('handover', (await app.ctx.db.select().from(orders).where(eq(orders.id, way.id)))[0]!.handoverSealed)
    await app.ctx.db.update(orders).set({ bearerId: vet.id }).where(eq(orders.id, way.id))
    await yes(post, `/order-step/id=${way.id}`, vet, { status: 6, code })
    await yes(put, `/order-detail-status/id=${way.id}/6`, admin, { method: 'cash', amount: 85_000, note: 'The bearer brought it.' })
    await yes(get, `/saleinvoice/orderid=${way.id}`, buyer)
    const entry = { amount: 80_750, method: 'bank', reference: 'UTR 4711', day: indianDay(app.ctx.now) }
    await yes(post, `/settlement/orderid=${way.id}`, admin, entry)
    expect(await (await yes(get, `/saleinvoice/orderid=${way.id}`, seller)).json()).toMatchObject({
      commission: 4250,
      issettled: true,
      settlement: entry,
    })
    const ordered = await yes(get, `/sellerproducts/seller=${seller.id}&type=2&getitems=ordered&top=0`, seller)
    const lines = (await ordered.json()) as { id: number; sale_invoice: object | null }[]
    expect(lines.find(({ id }) => id === way.id)!.sale_invoice).toMatchObject({
      totalprice: 85_000,
      profitpercent: 5,
      commission: 4250,
      issettled: true,
    })
    expect(lines.find(({ id }) => id === line!.id)!.sale_invoice).toBeNull()
    const earned = await yes(get, `/earnings/seller=${seller.id}&month=${indianDay(app.ctx.now).slice(0, 7)}`, seller)
    expect(await earned.json()).toMatchObject({
      months: [{ sales: 1, total: 85_000, commission: 4250, due: 80_750, settled: 80_750, balance: 0 }],
      sales: [{ order_id: way.id, listed_for: null, collected: { method: 'cash', amount: 85_000 }, settlement: entry }],
    })
  })

  test('reviews, enquiries and the forum', async () => {
    await yes(post, '/sellerrating', buyer, { seller: seller.id, reviewrating: 5, reviewcomment: 'Good.' })
    const reviews = (await (await yes(get, `/sellerrating/seller=${seller.id}`, null)).json()) as { id: number; reviewrating: number }[]
    expect(reviews).toMatchObject([{ reviewrating: 5, reviewcomment: 'Good.', answer: null, bought_here: true, listed_for: null }])
    await yes(put, `/sellerrating-answer/id=${reviews[0]!.id}`, seller, { answer: 'Thank you.' })
    const enquiry = await makeEnquiry(app.ctx, { posterId: buyer.id })
    await yes(get, `/product-requirement-enquiry/id=${enquiry}`, buyer)
    await yes(post, '/product-requirement-enquiries', buyer, example('POST /product-requirement-enquiries'))
    const waiting = await makeEnquiry(app.ctx, { posterId: buyer.id, isVerified: null })
    await yes(put, `/product-requirement-enquiry/id=${waiting}`, admin, example('PUT /product-requirement-enquiry/id={id}'))
    const offer = await made()
    const kind = await makeEnquiry(app.ctx, {
      posterId: buyer.id,
      categoryTypeId: 1,
      categoryId: 1,
      breedId: null,
      ageId: null,
      genderId: null,
      colorId: null,
    })
    await yes(post, `/enquiry-response/id=${kind}`, seller, { product: offer })
    await makeOffer(app.ctx, enquiry, offer)
    await yes(get, `/enquiry-response/id=${enquiry}`, buyer)
    await yes(post, `/enquiry-step/id=${enquiry}`, buyer, { step: 'close' })
    const thread = await makeThread(app.ctx, { authorId: seller.id })
    const reply = await makeReply(app.ctx, { threadId: thread, authorId: buyer.id })
    await yes(post, '/thread', buyer, example('POST /thread'))
    await yes(get, `/thread/Replies/id=${thread}`, buyer)
    await yes(post, `/thread/Replies/id=${thread}`, vet, example('POST /thread/Replies/id={threadId}'))
    await yes(post, `/thread/like/id=${thread}`, buyer)
    await yes(remove, `/thread/like/id=${thread}`, buyer)
    await yes(post, '/flag', buyer, { thread, reason: 'advertising' })
    await yes(remove, `/thread/reply/id=${reply}`, buyer)
    await yes(remove, `/thread/id=${thread}`, seller)
  })

  test('the desks of admins', async () => {
    const asks = await makeUser(app.ctx, { typeId: 1 })
    await app.ctx.db.update(users).set({ requestedTypeId: 5, requestedTypeAt: app.ctx.now }).where(eq(users.id, asks.id))
    await yes(get, '/admin/users/show=requests', admin)
    await yes(put, `/admin/type-request/id=${asks.id}`, admin, { approve: true })
    const { user: chief } = await registerPerson(app.ctx, newPhone())
    await app.ctx.db.update(users).set({ typeId: 9 }).where(eq(users.id, chief.id))
    const known = { ...admin, id: chief.id }
    const password = PASSWORD
    await yes(put, `/admin/vet-approval/id=${asks.id}`, known, { registration: 'TNVC 4711', password })
    await yes(put, `/admin/badge/id=${seller.id}`, known, { is_verified: true, note: 'PAN and address checked.', password })
    await yes(put, `/admin/active/id=${asks.id}`, known, { is_active: false, password })
    const settings = (await (await yes(get, '/admin/settings', admin)).json()) as { contact: object }
    await yes(put, '/admin/settings/key=profitMarginPercent', admin, { value: 6, seen: 5 })
    await yes(put, '/admin/settings/key=firstOrderDiscount', root, { value: { percent: 2, rupees: 0, maxRupees: 400 } })
    await yes(put, '/admin/settings/key=contact', known, { value: { ...settings.contact, mail: 'help@sandhai.example' }, password })
    expect(await (await put!('/admin/settings/key=profitMarginPercent', admin, { value: 7, seen: 5 })).json()).toMatchObject({
      code: 'VERSION',
    })
  })
})

describe('every operation refuses as documented', () => {
  // Public reads that cannot be refused otherwise refuse only another method.
  const harmless =
    /^(GET \/(csrf|push-key|user-type|user-title|address-type|deliverable-pincodes|category-type|livestock-\w+)|POST \/csp-report|OPTIONS \/clip-upload) /

  test('anonymous callers, wrong content types, and unknown ids', async () => {
    for (const { method, path } of documentedCalls) {
      const filled = path
        .replace(/userphone=\+\{phone\}/, 'userphone=+1')
        .replace('{ids}', 'none')
        .replace(/\{\w+\}/g, '999999')
      await app.call(`/api/v1${filled}`, {
        method: method.toUpperCase(),
        as: null,
        ...(method !== 'get' && { body: '[', headers: { 'Content-Type': 'text/plain' } }),
      })
      await app.call(`/api/v1${filled}`, {
        method: method.toUpperCase(),
        as: root,
        csrf: method !== 'get',
        ...(method !== 'get' && { json: { surprise: 1 } }),
      })
    }
    const all = documentedCalls.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    const never = (said: 'yes' | 'no') => all.filter((each) => !answered.has(`${each} ${said}`))
    expect(never('yes'), 'never succeeded').toEqual([])
    expect(
      never('no').filter((each) => !harmless.test(`${each} `)),
      'never refused',
    ).toEqual([])
  })
})

test('errors are in the reader’s language and in the market’s words, never in a library’s', async () => {
  const told = async (path: string, json: object, as: Viewer | null = null, language = 'ta') => {
    const { fields } = (await (await post!(path, as, json, { language })).json()) as { fields: { field: string; message: string }[] }
    return Object.fromEntries(fields.map(({ field, message }) => [field, message]))
  }
  expect(await told('/login', {}, null, 'en')).toEqual({ username: 'Phone number cannot be blank', password: 'Password cannot be blank' })
  expect(await told('/user', {}, null, 'en')).toEqual({
    phone: 'Phone number cannot be blank',
    password: 'Password cannot be blank',
    username: 'Name cannot be blank',
    usertype: 'Type is required',
  })
  expect(await told('/login', { username: '+919000000001', password: 'x', pass: 'x' }, null, 'en')).toEqual({
    pass: 'This field is not known here.',
  })
  const bodies: [string, Viewer | null][] = [
    ['/login', null],
    ['/user', null],
    ['/login-code', null],
    ['/auth/reset', null],
    ['/newsletter', null],
    ['/product', seller],
    ['/sellerrating', buyer],
    ['/report', buyer],
    [`/buyercart/buyer=${buyer.id}`, buyer],
    [`/user-address/user=${buyer.id}`, buyer],
    ['/thread', buyer],
    ['/flag', buyer],
    ['/livestock-veterinary-check', vet],
    ['/product-requirement-enquiries', buyer],
    ['/auth/password', buyer],
  ]
  for (const [path, as] of bodies)
    for (const json of [{}, { surprise: 1 }, { username: 7, phone: [], product: 'x', seller: {}, content: 7 }])
      for (const [field, message] of Object.entries(await told(path, json, as)))
        expect(`${path} ${field}: ${message}`).toMatch(/\p{Script=Tamil}/u)
})

test('an unknown title erases nothing, and a blank active flag is reported', async () => {
  const save = async (json: object) => {
    const { fields = [], title } = (await (await post!(`/userprofile/id=${buyer.id}`, buyer, json)).json()) as {
      fields?: { field: string; message: string }[]
      title?: number | null
    }
    return fields.map(({ field, message }) => `${field}: ${message}`).join() || title
  }
  expect(await save({ title: 2 })).toBe(2)
  for (const title of [99, '99', -1, 'x', 1.5]) expect(await save({ title })).toBe('title: Choose a title from the list.')
  expect(await save({})).toBe(2)
  expect(await save({ title: '' })).toBeNull()
  expect(await save({ is_active: '' })).toBe('is_active: User active status cannot be blank.')
})

test('a verdict that names another admin is refused', async () => {
  const body = example('POST /product-requirement-enquiries', { verifiedby: admin.id })
  expect(await (await post!('/product-requirement-enquiries', buyer, body)).json()).toMatchObject({
    status: 403,
    code: 'IDENTITY_MISMATCH',
  })
  const waiting = await makeEnquiry(app.ctx, { posterId: buyer.id, isVerified: null })
  const judged = { isverified: true, verificationcomment: 'Called.', verifiedby: root.id }
  expect(await (await put!(`/product-requirement-enquiry/id=${waiting}`, admin, judged)).json()).toMatchObject({
    code: 'IDENTITY_MISMATCH',
  })
})

test('a call that needs a login asks for it before it reports a large body', async () => {
  const body = 'x'.repeat(70_000)
  const headers = { 'Content-Type': 'application/json' }
  expect(await app.refused('/api/v1/product', { method: 'POST', csrf: true, headers, body })).toBe('401 AUTH_REQUIRED')
  expect(await app.refused('/api/v1/product', { method: 'POST', as: seller, csrf: true, headers, body })).toBe('413 TOO_LARGE')
  expect(await app.refused('/api/v1/login', { method: 'POST', csrf: true, headers, body })).toBe('413 TOO_LARGE')
})

test('a review of the seller is returned with the answer to it', async () => {
  const other = await makeUser(app.ctx, { typeId: 2 })
  await makeReview(app.ctx, { sellerId: other.id, reviewerId: buyer.id, stars: 4, comment: 'Kind.' })
  expect(await app.read(`/api/v1/sellerrating/seller=${other.id}`)).toMatchObject([
    { reviewrating: 4, reviewcomment: 'Kind.', answer: null },
  ])
})
