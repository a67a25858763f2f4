import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq, like, sql } from 'drizzle-orm'
import type { Viewer } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { listMessages, type OutboxWorker } from '#src/kit/messages/outbox.server.ts'
import { auditEvents, failureLadders, limitCounts, outbox, pageChanges } from '#src/kit/db/tables.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { findListingPart } from '#src/content/sitemap.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { getSeller } from '#src/reviews/seller.server.ts'
import { findShareFacts } from '#src/storefront/sharing/share-facts.server.ts'
import { openTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { TestBrowser } from '#tools/test-kit/test-browser.ts'
import { codeSentTo, startTestOutbox } from '#tools/test-kit/test-auth-client.ts'
import { makeUser } from '../makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { sweepAccounts } from '#src/accounts/privacy/retention.server.ts'
import { maskPhone } from '../rules.ts'
import { sessions, users } from '../tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { action as profileAction } from './profile-page.tsx'

const PASSWORD = 'a quiet evening'
let app: TestApp, worker: OutboxWorker
let passwordHash: string
let admin: Viewer, buyer: Viewer & { phone: string }

beforeAll(async () => {
  app = await openTestApp()
  worker = startTestOutbox(app.ctx)
  passwordHash = await hashPassword(testVault, PASSWORD)
  admin = await makeUser(app.ctx, { typeId: 9, name: 'Office', passwordHash })
  buyer = await person()
})
afterAll(async () => {
  await worker.stop()
  await app.close()
})

const person = (changes: Parameters<typeof makeUser>[1] = {}) => makeUser(app.ctx, { name: 'Kavitha', passwordHash, ...changes })
const row = async (id: number) => (await app.ctx.db.select().from(users).where(eq(users.id, id)))[0]!
const path = (id: number) => `/api/v1/userprofile/id=${id}`
const save = (as: Viewer, json: object, id = as.id) => app.call(path(id), { method: 'POST', as, csrf: true, json })
const refusal = async (response: Promise<Response>) => {
  const answer = await response
  const { code, fields } = (await answer.json()) as { code: string; fields?: { field: string; message: string }[] }
  return { status: answer.status, code, fields: fields?.map(({ field, message }) => `${field}: ${message}`) }
}
const eventsOf = async (id: number) =>
  (
    await app.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `user:${id}`))
  ).map(({ event }) => event)

describe('a profile', () => {
  test('shows its owner neither PAN nor flags', async () => {
    const seller = await person({ typeId: 2, panSealed: testVault.seal('pan', 'ABCDE1234F') })
    const profile = await app.read<Record<string, unknown>>(path(seller.id), { as: seller })
    expect(profile).toMatchObject({ id: seller.id, name: 'Kavitha', username: 'Kavitha', phone: seller.phone, usertype: 2 })
    expect(Object.keys(profile).filter((key) => key.startsWith('is_'))).toEqual(['is_verified'])
    expect(JSON.stringify({ ...profile, phone: '' })).not.toContain('1234') // A phone number can hold these digits.
  })

  test('of another person is NOT_FOUND, like an unknown one', async () => {
    const other = await person()
    const answers = await Promise.all(
      [other.id, 999_999].map(async (id) => {
        const response = await app.call(path(id), { as: buyer })
        const { requestId: _, ...body } = (await response.json()) as { requestId: string }
        return body
      }),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await app.refused(path(buyer.id))).toBe('401 AUTH_REQUIRED')
  })

  test('can be read by an admin with its flags, which is audited', async () => {
    const watched = await person()
    const staff = await person({ typeId: 9, isStaff: true })
    expect(await app.read(path(watched.id), { as: staff })).toMatchObject({ phone: watched.phone, is_active: true, is_superuser: false })
    expect(await eventsOf(watched.id)).toEqual(['sensitive_read'])
  })

  test('shows an admin without powers a masked phone number', async () => {
    const watched = await person()
    expect(await app.read(path(watched.id), { as: admin })).toMatchObject({ phone: maskPhone(watched.phone), is_active: true })
  })

  test('stores its owner’s changes, in either spelling', async () => {
    const response = await save(buyer, {
      username: ' கவிதா ',
      email: 'KAVI@Example.com',
      title: 2,
      language: 'en',
      phone: buyer.phone.slice(3),
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ name: 'கவிதா', email: 'kavi@example.com', title: 2, language: 'en', phone: buyer.phone })
    expect(await row(buyer.id)).toMatchObject({ name: 'கவிதா', email: 'kavi@example.com', titleId: 2, locale: 'en' })
    expect(await eventsOf(buyer.id)).toContain('user_updated')
  })

  test.each(['0x5', '5e0', ' 5', [5], true, 5.5])('does not accept %j as a user type', async (usertype) => {
    expect((await save(buyer, { usertype })).status).toBe(422)
  })

  test('reports missing fields in the specification’s words', async () => {
    expect(await refusal(save(buyer, { username: ' ', phone: '', usertype: 0 }))).toEqual({
      status: 422,
      code: 'VALIDATION',
      fields: expect.arrayContaining([
        'username: User name cannot be blank.',
        'phone: Phone number cannot be blank.',
        'usertype: Type cannot be blank.',
      ]) as string[],
    })
  })

  test('ignores the flags that the old client sends, whoever sends them, and refuses a type that it could only ignore', async () => {
    const flags = { is_admin: true, is_staff: true, is_superuser: true, is_active: false, is_verified: true }
    const before = await row(buyer.id)
    expect((await save(buyer, flags)).status).toBe(200)
    expect((await save(buyer, { usertype: 9, username: 'Renamed' })).status).toBe(422)
    expect(await row(buyer.id)).toEqual(before)
    const watched = await person()
    // An admin's change of any flag needs the password; without it nothing changes.
    for (const it of [flags, { usertype: 2 }]) expect((await save(admin, { ...it, username: 'Renamed' }, watched.id)).status).toBe(422)
    expect(await row(watched.id)).toMatchObject({ name: watched.name, isActive: true })
    expect((await save(admin, { ...flags, is_active: true }, watched.id)).status).toBe(200)
    expect(await row(watched.id)).toMatchObject({
      typeId: 1,
      isAdmin: false,
      isStaff: false,
      superAdmin: false,
      isActive: true,
      isVerified: false,
    })
    expect((await save(admin, flags)).status).toBe(200)
    expect(await row(admin.id)).toMatchObject({ superAdmin: false, isAdmin: false, isActive: true })
  })

  test('of an admin can be changed by its owner and by super admins, not by other admins', async () => {
    const other = await person({ typeId: 9, name: 'Other office' })
    expect(await refusal(save(admin, { username: 'Renamed' }, other.id))).toMatchObject({ status: 403, code: 'ROLE_FORBIDDEN' })
    expect((await row(other.id)).name).toBe('Other office')
    const boss = await person({ typeId: 9, superAdmin: true })
    expect((await save(boss, { username: 'Renamed', password: PASSWORD }, other.id)).status).toBe(200)
    expect((await save(other, { username: 'Own name' })).status).toBe(200)
    expect((await row(other.id)).name).toBe('Own name')
  })

  test('saved without changes writes nothing; a new e-mail keeps the cached pages valid', async () => {
    const one = await person({ typeId: 2, email: 'a@example.com' })
    const changes = () => app.ctx.db.$count(pageChanges)
    const before = await changes()
    expect((await save(one, { username: one.name, email: 'a@example.com', title: 1, usertype: 2, language: 'ta' })).status).toBe(200)
    expect(await eventsOf(one.id)).toEqual([])
    expect((await save(one, { username: one.name, email: 'b@example.com', usertype: 2 })).status).toBe(200)
    expect(await changes()).toBe(before)
    expect((await save(one, { username: 'Another' })).status).toBe(200)
    expect(await changes()).toBe(before + 1)
  })

  test('does not change at all when one field is refused', async () => {
    const one = await person()
    const before = await row(one.id)
    expect(await refusal(save(one, { username: 'New', phone: buyer.phone, password: PASSWORD }))).toMatchObject({ code: 'PHONE_TAKEN' })
    expect(await refusal(save(one, { username: 'New', phone: '+919812399999', password: PASSWORD, otp: '123456' }))).toMatchObject({
      code: 'OTP_EXPIRED',
    })
    expect(await row(one.id)).toEqual(before)
    expect(await refusal(save(admin, { username: 'New', is_active: false, password: 'wrong' }, one.id))).toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    expect(await row(one.id)).toEqual(before)
    // The new number is not stored either when another field is refused.
    const phone = '+919812388888'
    await save(one, { phone, password: PASSWORD })
    const otp = await codeSentTo(app.ctx, phone)
    expect(await refusal(save(one, { phone, password: PASSWORD, otp, usertype: 2 }))).toMatchObject({ code: 'VALIDATION' })
    expect(await row(one.id)).toEqual(before)
    expect((await save(one, { phone, password: PASSWORD, otp, username: 'New' })).status).toBe(200)
    expect(await row(one.id)).toMatchObject({ phone, name: 'New' })
  })

  test.each(['constructor', '__proto__', 'toString', ''])('page refuses the unknown act %j', async (act) => {
    expect(await sendForm(app.ctx, profileAction, { viewer: buyer, userId: buyer.id, fields: { act } })).toBe('MALFORMED')
  })

  test('cannot be changed by other people', async () => {
    const before = await row(buyer.id)
    const stranger = await person()
    expect(await refusal(save(stranger, { username: 'Thief' }, buyer.id))).toMatchObject({ status: 404 })
    expect(await row(buyer.id)).toEqual(before)
  })
})

describe('a user type', () => {
  test('that sells needs a pickup address', async () => {
    const one = await person()
    expect(await refusal(save(one, { usertype: 2 }))).toMatchObject({
      status: 422,
      fields: ['usertype: To sell, first add the address where your animals are fetched.'],
    })
    await makeAddress(app.ctx, one.id)
    expect((await save(one, { usertype: 3 })).status).toBe(200)
    expect(await row(one.id)).toMatchObject({ typeId: 3, requestedTypeId: null })
    expect(await eventsOf(one.id)).toContain('privilege_permissions_changed')
  })

  test('that changes gives the session a new token and ends the old one', async () => {
    const one = await person()
    await makeAddress(app.ctx, one.id)
    const tokens = async () =>
      (await app.ctx.db.select().from(sessions).where(eq(sessions.userId, one.id))).map(({ tokenHash }) => tokenHash)
    await app.read(path(one.id), { as: one })
    const [before] = await tokens()
    const response = await save(one, { usertype: 2 })
    const token = /__Host-sid=([\w-]{43})/.exec(response.headers.getSetCookie().join())![1]!
    expect(response.headers.getSetCookie().join()).toContain('__Host-csrf=')
    expect(await tokens()).toEqual([createHash('sha256').update(token).digest()])
    expect((await tokens())[0]).not.toEqual(before)
    expect(await app.refused(path(one.id), { as: one })).toBe('401 AUTH_REQUIRED')
  })

  test('of agents and vets becomes a request, which the person can withdraw', async () => {
    const one = await person()
    expect(await (await save(one, { usertype: 5 })).json()).toMatchObject({ usertype: 1, pending_usertype: 5 })
    expect(await row(one.id)).toMatchObject({ typeId: 1, requestedTypeId: 5, vetApproved: false })
    expect(await (await save(one, { username: 'Still waiting' })).json()).toMatchObject({ pending_usertype: 5 })
    expect(await (await save(one, { usertype: 1 })).json()).toMatchObject({ pending_usertype: null })
  })
})

describe('the Verified Seller badge', () => {
  test.each([
    ['another name', { username: 'Somebody else' }, false],
    ['another PAN', { sellerpannumber: 'ABCDE9999F' }, false],
    ['the same PAN again', { sellerpannumber: 'abcde1234f' }, true],
    ['another e-mail', { email: 'a@example.com' }, true],
  ])('after %s', async (_, change, stays) => {
    const seller = await person({ typeId: 2, isVerified: true, panSealed: testVault.seal('pan', 'ABCDE1234F') })
    expect((await save(seller, change)).status).toBe(200)
    expect((await row(seller.id)).isVerified).toBe(stays)
  })

  test.each([
    [1, false],
    [3, true],
  ])('after becoming type %i: %s', async (usertype, stays) => {
    const seller = await person({ typeId: 2, isVerified: true })
    await makeAddress(app.ctx, seller.id)
    expect((await save(seller, { usertype })).status).toBe(200)
    expect(await row(seller.id)).toMatchObject({ typeId: usertype, isVerified: stays })
    expect((await eventsOf(seller.id)).includes('seller_badge_ended')).toBe(!stays)
  })

  test('a PAN is sealed, and stored for sellers only', async () => {
    const seller = await person({ typeId: 2 })
    await save(seller, { sellerpannumber: 'ABCDE 1234 f' })
    const { panSealed } = await row(seller.id)
    expect(testVault.open('pan', panSealed!)).toBe('ABCDE1234F')
    expect(panSealed!.toString('latin1')).not.toContain('1234')
    const one = await person()
    await save(one, { sellerpannumber: 'ABCDE1234F' })
    expect((await row(one.id)).panSealed).toBeNull()
    expect(await refusal(save(seller, { sellerpannumber: '12345' }))).toMatchObject({
      fields: ['sellerpannumber: Please provide a valid PAN card Number.'],
    })
  })
})

describe('an approved vet', () => {
  test('needs a new approval after a change of name', async () => {
    const vet = await person({ typeId: 5, vetApproved: true, vetRegistration: 'TNVC 1' })
    expect((await save(vet, { username: vet.name, userdegree: 'MVSc' })).status).toBe(200)
    expect((await row(vet.id)).vetApproved).toBe(true)
    expect((await save(vet, { username: 'Another Doctor' })).status).toBe(200)
    expect((await row(vet.id)).vetApproved).toBe(false)
    expect(await eventsOf(vet.id)).toContain('vet_approval_changed')
  })
})

describe('a new phone number', () => {
  const newPhone = () => `+919${String(Date.now()).slice(-5)}${String(Math.floor(Math.random() * 1e4)).padStart(4, '0')}`

  test('needs the password and the code sent to the new number', async () => {
    const one = await person({ typeId: 2, isVerified: true })
    const phone = newPhone()
    expect(await refusal(save(one, { phone }))).toMatchObject({ status: 422, fields: ['password: Password cannot be blank'] })
    expect(await refusal(save(one, { phone, password: 'wrong' }))).toMatchObject({ status: 403, code: 'PASSWORD_WRONG' })
    expect(await (await save(one, { phone, password: PASSWORD })).json()).toMatchObject({ phone: one.phone, otp_sent: { otp: '' } })
    const code = await codeSentTo(app.ctx, phone)
    expect(await refusal(save(one, { phone, password: PASSWORD, otp: code === '111111' ? '222222' : '111111' }))).toMatchObject({
      code: 'OTP_WRONG',
    })
    expect(await refusal(save(one, { phone: newPhone(), password: PASSWORD, otp: code }))).toMatchObject({ code: 'OTP_EXPIRED' })
    expect((await row(one.id)).phone).toBe(one.phone)
    const response = await save(one, { phone, password: PASSWORD, otp: code })
    expect(await response.json()).toMatchObject({ phone })
    expect(response.headers.getSetCookie().join()).toContain('__Host-sid=')
    expect(await row(one.id)).toMatchObject({ phone, isVerified: false })
    const told = (await listMessages(app.ctx)).filter(({ recipient }) => recipient === one.phone)
    expect(told.map(({ template }) => template)).toEqual(['phone-changed'])
    expect(await eventsOf(one.id)).toEqual(expect.arrayContaining(['user_phone_changed', 'seller_badge_ended']))
  })

  test('is no longer linked to the old number a day later', async () => {
    const one = await person()
    const phone = newPhone()
    const { db } = app.ctx
    await new TestBrowser(app).call('POST', '/login', { username: one.phone, password: 'not this one' })
    await save(one, { phone, password: PASSWORD })
    expect((await save(one, { phone, password: PASSWORD, otp: await codeSentTo(app.ctx, phone) })).status).toBe(200)
    // The counter's key is a keyed hash, so it contains no number.
    expect(await db.$count(failureLadders, like(failureLadders.key, 'login:%'))).toBeGreaterThan(0)
    for (const counts of [failureLadders, limitCounts])
      expect(await db.$count(counts, sql`${counts.key} like ${`%${one.phone.slice(1)}%`}`)).toBe(0)
    const told = () => db.$count(outbox, eq(outbox.recipient, one.phone))
    const sentHoursAgo = async (hours: number) => {
      await db
        .update(outbox)
        .set({ sentAt: sql`now() - make_interval(hours => ${hours})`, failedAt: null })
        .where(eq(outbox.recipient, one.phone))
      await sweepAccounts(db)
    }
    await sentHoursAgo(23)
    expect(await told()).toBe(1)
    await sentHoursAgo(25)
    expect(await told()).toBe(0)
  })

  test('that belongs to another person is refused', async () => {
    const one = await person()
    expect(await refusal(save(one, { phone: buyer.phone, password: PASSWORD }))).toMatchObject({ status: 409, code: 'PHONE_TAKEN' })
  })

  test('cannot be set with a code that another session requested', async () => {
    const one = await person()
    const phone = newPhone()
    await save(one, { phone, password: PASSWORD })
    const thief = await person()
    const code = await codeSentTo(app.ctx, phone)
    expect(await refusal(save(thief, { phone, password: PASSWORD, otp: code }))).toMatchObject({ code: 'OTP_EXPIRED' })
  })

  test('cannot be set by an admin', async () => {
    expect(await refusal(save(admin, { phone: newPhone(), password: PASSWORD }, buyer.id))).toMatchObject({ status: 422 })
  })
})

describe('a picture', () => {
  const jpeg = () =>
    sharp({ create: { width: 400, height: 300, channels: 3, background: '#a05020' } })
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '11/1 0/1 0/1' } })
      .jpeg()
      .toBuffer()
  const send = (as: Viewer, parts: [string, Blob | string][]) => {
    const form = new FormData()
    for (const [name, value] of parts) form.append(name, value)
    const request = new Request('http://x', { method: 'POST', body: form })
    return request.bytes().then((body) =>
      app.call('/api/v1/userprofileimage', {
        method: 'POST',
        as,
        csrf: true,
        headers: { 'Content-Type': request.headers.get('content-type')! },
        body: body as never,
      }),
    )
  }
  const file = async () => new Blob([new Uint8Array(await jpeg())], { type: 'image/jpeg' })

  test('is re-encoded, served, and replaces the old one', async () => {
    const one = await person({ typeId: 2 })
    const first = await send(one, [
      ['user', String(one.id)],
      ['image', await file()],
    ])
    expect(first.status).toBe(200)
    const { image } = (await first.json()) as { image: string }
    const shown = await app.call(image)
    expect(shown.status).toBe(200)
    expect((await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).exif).toBeUndefined()
    expect((await send(one, [['image', await file()]])).status).toBe(200)
    expect((await app.call(image)).status).toBe(404)
    expect((await row(one.id)).pictureKey).not.toBeNull()
  })

  test('is refused when it is invalid, too large or missing, and for another person’s profile', async () => {
    const before = await row(buyer.id)
    const html = new Blob(['<svg onload=alert(1)>'], { type: 'image/jpeg' })
    expect(await refusal(send(buyer, [['image', html]]))).toMatchObject({
      status: 415,
      fields: ['image: Only JPEG and PNG pictures can be taken.'],
    })
    expect(await refusal(send(buyer, [['image', new Blob([new Uint8Array(8 * 1024 * 1024 + 1)])]]))).toMatchObject({ status: 413 })
    expect(await refusal(send(buyer, [['image', new Blob([new Uint8Array(9 * 1024 * 1024)])]]))).toMatchObject({ status: 413 })
    expect(await refusal(send(buyer, []))).toMatchObject({ status: 422 })
    expect(
      await refusal(
        send(buyer, [
          ['image', await file()],
          ['image', await file()],
        ]),
      ),
    ).toMatchObject({ status: 422 })
    expect(
      await refusal(
        send(buyer, [
          ['user', String(admin.id)],
          ['image', await file()],
        ]),
      ),
    ).toMatchObject({ status: 403, code: 'IDENTITY_MISMATCH' })
    expect(await refusal(app.call('/api/v1/userprofileimage', { method: 'POST', as: buyer, csrf: true, body: '{}' }))).toMatchObject({
      status: 415,
    })
    expect(await row(buyer.id)).toEqual(before)
  })
})

describe('a deactivated seller', () => {
  test('has no animals in lists, searches and on their own pages; an admin still sees them', async () => {
    const seller = await person({ typeId: 2 })
    const id = await makeListing(app.ctx, { sellerId: seller.id, stock: 3 })
    const listed = async (as: Viewer | null = null) =>
      (await app.read<{ id: number }[]>('/api/v1/product-detail-list/top=0&category=0&page=buy', { as })).some(
        (product) => product.id === id,
      )
    expect(await listed()).toBe(true)
    await app.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, seller.id))
    expect(await listed()).toBe(false)
    expect(await app.refused(`/api/v1/product/id=${id}`)).toBe('404 NOT_FOUND')
    expect(await app.refused(`/api/v1/product/id=${id}`, { as: buyer })).toBe('404 NOT_FOUND')
    expect(await app.refused(`/api/v1/product-access-detail/id=${id}`, { method: 'POST', csrf: true })).toBe('404 NOT_FOUND')
    expect((await app.call(`/api/v1/product/id=${id}`, { as: admin })).status).toBe(200)
    const top = await app.read<{ id: number }[]>('/api/v1/product-top/top=4')
    expect(top.map((product) => product.id)).not.toContain(id)
  })

  test.each([1, 5])('a seller who became type %i has no animals on sale until they are a seller again', async (typeId) => {
    const seller = await person({ typeId: 2 })
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    const answer = async () => (await app.call(`/api/v1/product/id=${id}`)).status
    const listed = async () =>
      (await app.read<{ id: number }[]>('/api/v1/product-detail-list/top=0&category=0&page=buy')).some((product) => product.id === id)
    const become = (to: number) => app.ctx.db.update(users).set({ typeId: to }).where(eq(users.id, seller.id))
    await become(typeId)
    expect([await answer(), await listed()]).toEqual([404, false])
    await become(4)
    expect([await answer(), await listed()]).toEqual([200, true])
  })

  test('appears in no share picture and no sitemap, and has no public page', async () => {
    const seller = await person({ typeId: 2 })
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    const isInSitemap = async () => ((await findListingPart(app.ctx, Math.floor(id / 5000))) ?? '').includes(`/product/${id}<`)
    expect([(await findShareFacts(app.ctx, id))?.id, await isInSitemap(), (await getSeller(app.ctx, seller.id)).cards.length]).toEqual([
      id,
      true,
      1,
    ])
    await app.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, seller.id))
    expect([await findShareFacts(app.ctx, id), await isInSitemap()]).toEqual([null, false])
    await expect(getSeller(app.ctx, seller.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the public page of a seller', () => {
  test('shows place, reviews and animals, without phone number, street or other people’s family names', async () => {
    const seller = await person({ typeId: 3, name: 'Palaniappan', isVerified: true })
    const pickupAddressId = await makeAddress(app.ctx, seller.id, { address1: '9 Secret Lane', phone: '+919811100000' })
    const live = await makeListing(app.ctx, { sellerId: seller.id, pickupAddressId })
    await makeListing(app.ctx, { sellerId: seller.id, pickupAddressId, state: 'pending' })
    await makeListing(app.ctx, { sellerId: seller.id, pickupAddressId, stock: 0 })
    const reviewer = await person({ name: 'Meena Rajagopal' })
    const gone = await person({ name: '' })
    await makeReview(app.ctx, { sellerId: seller.id, reviewerId: reviewer.id, stars: 5, comment: 'Good' })
    await makeReview(app.ctx, { sellerId: seller.id, reviewerId: gone.id, stars: null, comment: 'No stars' })
    const page = await getSeller(app.ctx, seller.id)
    expect(page).toMatchObject({ name: 'Palaniappan', isVerified: true, town: 'Tiruppur', stars: 5, ratings: 1 })
    expect(page.reviews.map(({ author }) => author).toSorted()).toEqual(['Meena', null])
    expect(page.cards.map((card) => card.id)).toEqual([live])
    const text = JSON.stringify(page, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    for (const secret of [seller.phone, '9811100000', 'Secret Lane', 'Rajagopal']) expect(text).not.toContain(secret)
  })

  test.each([1, 5, 9])('does not exist for type %i', async (typeId) => {
    const one = await person({ typeId })
    await expect(getSeller(app.ctx, one.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
