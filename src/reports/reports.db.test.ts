import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'
import { verifications } from '#src/verification/tables.ts'
import { codeOf } from '#tools/test-kit/code-of.ts'
import { findReported, leaveReported, listClosedReports, listReported, report, takeDown, undoTakeDown } from './reports.server.ts'
import { reports } from './tables.ts'

let app: TestApp
let seller: Viewer & { phone: string }
let buyer: Viewer
let admin: Viewer & { phone: string }
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  buyer = await makeUser(app.ctx)
  admin = await makeUser(app.ctx, { typeId: 9 })
})
beforeEach(async () => {
  seller = await makeUser(app.ctx, { typeId: 2, name: 'Murugesan' })
  await app.ctx.db.delete(reports)
})

const post = (as: Viewer | null, json: unknown) => app.call('/api/v1/report', { method: 'POST', as, csrf: true, json })
const codeFrom = (error: unknown) => {
  if (error instanceof Problem) return error.code
  throw error
}
const all = () => app.ctx.db.select().from(reports).orderBy(reports.id)
const stateOf = async (id: number) => (await app.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!.state

describe('POST report', () => {
  test('keeps one open report per person and subject; a second one changes the first', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    expect(await (await post(buyer, { product: id, reason: 'wrong' })).json()).toEqual({ rows: 1 })
    expect((await post(buyer, { product: id, reason: 'fraud', comment: 'Wants money first' })).status).toBe(200)
    expect((await post(buyer, { seller: seller.id, reason: 'fraud' })).status).toBe(200)
    expect(await all()).toMatchObject([
      { listingId: id, sellerId: seller.id, reporterId: buyer.id, reason: 'fraud', comment: 'Wants money first' },
      { listingId: null, sellerId: seller.id, reporterId: buyer.id, reason: 'fraud' },
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['422 VALIDATION product', { reason: 'wrong' }],
    ['422 VALIDATION product', { product: 1, seller: 1, reason: 'wrong' }],
    ['422 VALIDATION reason', { product: 1 }],
    ['422 VALIDATION reason', { product: 1, reason: 'boring' }],
    ['422 VALIDATION comment', { product: 1, reason: 'other' }],
    ['422 VALIDATION comment', { product: 1, reason: 'wrong', comment: 'x'.repeat(1001) }],
    ['422 VALIDATION product', { product: '1', reason: 'wrong' }],
    ['404 NOT_FOUND', { product: 999_999, reason: 'wrong' }],
    ['404 NOT_FOUND', { seller: 999_999, reason: 'wrong' }],
  ])('answers %s for %j', async (expected, body) => {
    const person = await makeUser(app.ctx)
    expect(await codeOf(await post(person, body))).toBe(expected)
    expect(await all()).toEqual([])
  })

  test("is refused for a hidden subject, and for the viewer's own", async () => {
    const pending = await makeListing(app.ctx, { sellerId: seller.id, state: 'pending' })
    expect(await codeOf(await post(buyer, { product: pending, reason: 'wrong' }))).toBe('404 NOT_FOUND')
    expect(await codeOf(await post(seller, { product: pending, reason: 'wrong' }))).toBe('409 OWN_LISTING')
    expect(await codeOf(await post(seller, { seller: seller.id, reason: 'fraud' }))).toBe('409 OWN_SELLER')
    expect(await codeOf(await post(null, { seller: seller.id, reason: 'fraud' }))).toBe('401 AUTH_REQUIRED')
    expect(await all()).toEqual([])
  })
})

describe('the queue of reports', () => {
  test('shows each subject once with all its reporters, the longest waiting first', async () => {
    const first = await makeListing(app.ctx, { sellerId: seller.id })
    const second = await makeListing(app.ctx, { sellerId: seller.id })
    const at = (minutes: number) => ({ now: new Date(Date.now() + minutes * 60_000) })
    const other = await makeUser(app.ctx)
    await report(app.as(buyer, at(0)), { listingId: second }, { reason: 'photos', comment: '' })
    await report(app.as(buyer, at(1)), { sellerId: seller.id }, { reason: 'fraud', comment: '' })
    await report(app.as(buyer, at(2)), { listingId: first }, { reason: 'wrong', comment: 'Not four years' })
    await report(app.as(other, at(3)), { listingId: second }, { reason: 'sold', comment: '' })
    const { subjects, waiting } = await listReported(app.as(admin))
    expect(waiting).toBe(3)
    expect(subjects.map(({ listing, people }) => [listing?.id ?? 'seller', people])).toEqual([
      [second, 2],
      ['seller', 1],
      [first, 1],
    ])
    expect(subjects[0]!.reports.map(({ reason, reporter }) => [reason, reporter.id])).toEqual([
      ['photos', buyer.id],
      ['sold', other.id],
    ])
  })

  test('shows the reported animal as buyers see it: its photos in their order, its price and its district', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id, originalPrice: rupees(45_000), offerPrice: rupees(41_500) })
    await post(buyer, { product: id, reason: 'wrong' })
    const asAdmin = { ...app.ctx, viewer: admin }
    const { listing } = (await findReported(asAdmin, { listingId: id }))!
    const photos = await app.ctx.db.select().from(listingPhotos).where(eq(listingPhotos.listingId, id)).orderBy(listingPhotos.position)
    expect(photos.length).toBeGreaterThan(0)
    expect(listing).toMatchObject({
      price: rupees(41_500),
      district: 'Tiruppur',
      photos: photos.map(({ mediaKey, width, height }) => ({ key: mediaKey, width, height })),
    })
  })

  test('is searched by animal, person, phone and words; a case that is found has all its reports', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id, name: 'செவலை பசு' })
    const kavitha = await makeUser(app.ctx, { name: 'Kavitha Rani' })
    await report(app.as(buyer), { listingId: id }, { reason: 'other', comment: 'Asks for 50% before' })
    await report(app.as(kavitha), { listingId: id }, { reason: 'wrong', comment: '' })
    const other = await makeUser(app.ctx, { typeId: 2, name: 'Perumal' })
    await report(app.as(buyer), { sellerId: other.id }, { reason: 'fraud', comment: 'Never answers' })
    const people = async (text: string) => (await listReported(app.as(admin), 1, text)).subjects.map((each) => each.people)
    const decided = async (text: string) => (await listClosedReports(app.as(admin), 1, text)).closed.map((each) => each.people)
    const cow = ['செவலை', '50% asks', 'rani kavitha', 'Murugesan', `COW-${String(id).padStart(5, '0')}`, `#${seller.id}`, kavitha.phone]
    const none = ['5%asks', 'kavitha never', `COW-${String(id + 1).padStart(5, '0')}`, admin.phone]
    for (const text of [...cow, seller.phone.slice(3)]) expect(await people(text), text).toEqual([2])
    for (const text of none) expect(await people(text), text).toEqual([])
    expect([await people('never'), (await listReported(app.as(admin), 1, 'answers')).waiting]).toEqual([[1], 1])
    expect((await people('')).length).toBe(2)
    await leaveReported(app.as(admin), { listingId: id }, { note: 'Called the seller.' })
    for (const text of [...cow, 'called', '']) expect(await decided(text), text).toEqual([2])
    for (const text of none) expect(await decided(text), text).toEqual([])
  })

  test('is for admins only, and so is closing', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    await report(app.as(buyer), { listingId: id }, { reason: 'wrong', comment: '' })
    for (const person of [buyer, seller]) {
      expect(await listReported(app.as(person)).catch(codeFrom)).toBe('ROLE_FORBIDDEN')
      expect(await leaveReported(app.as(person), { listingId: id }, { note: 'No' }).catch(codeFrom)).toBe('ROLE_FORBIDDEN')
      expect(await takeDown(app.as(person), id, { note: 'No' }).catch(codeFrom)).toBe('ROLE_FORBIDDEN')
    }
    expect(await listReported(app.as(null)).catch(codeFrom)).toBe('AUTH_REQUIRED')
    expect(await all()).toMatchObject([{ closedAt: null }])
    expect(await stateOf(id)).toBe('passed')
  })

  test('taking down fails the listing, closes all its reports, and tells the seller the reason but not the reporter', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    const kavitha = await makeUser(app.ctx, { name: 'Kavitha' })
    await report(app.as(kavitha), { listingId: id }, { reason: 'forbidden', comment: 'A wild bird' })
    await report(app.as(buyer), { listingId: id }, { reason: 'forbidden', comment: '' })
    await takeDown(app.as(admin), id, { note: 'Wild birds may not be sold.' })
    expect(await stateOf(id)).toBe('failed')
    expect(await all()).toMatchObject([
      { outcome: 'taken-down', closedById: admin.id, note: 'Wild birds may not be sold.' },
      { outcome: 'taken-down', closedById: admin.id },
    ])
    const [sms] = await app.ctx.db.select().from(outbox).where(eq(outbox.recipient, seller.phone))
    expect(sms!.body).toContain('Wild birds may not be sold.')
    expect(JSON.stringify(sms)).not.toMatch(/Kavitha|A wild bird/)
    expect((await listReported(app.as(admin))).subjects).toEqual([])
  })

  test('an undone take-down opens the reports again, and the seller hears of nothing', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    for (const reporter of [buyer, await makeUser(app.ctx)])
      await report(app.as(reporter), { listingId: id }, { reason: 'forbidden', comment: '' })
    await leaveReported(app.as(admin), { listingId: id }, { note: 'Left.' })
    await report(app.as(buyer), { listingId: id }, { reason: 'wrong', comment: 'A wild bird' })
    const before = await all()
    await takeDown(app.as(admin), id, { note: 'Wild birds may not be sold.' })
    for (const _twice of [1, 2]) await undoTakeDown(app.as(admin), id)
    expect([await all(), await stateOf(id)]).toEqual([before, 'passed'])
    expect(await app.ctx.db.$count(outbox, eq(outbox.recipient, seller.phone))).toBe(0)
  })

  test('an undo changes nothing when somebody else or a later decision came first, or when it is late', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    const undo = (as: Viewer, now = new Date()) => undoTakeDown(app.as(as, { now }), id).catch(codeFrom)
    expect(await undo(admin)).toBe('LISTING_STEP')
    await report(app.as(buyer), { listingId: id }, { reason: 'wrong', comment: '' })
    await takeDown(app.as(admin), id, { note: 'Another animal.' })
    expect(await undo(await makeUser(app.ctx, { typeId: 9 }))).toBe('LISTING_STEP')
    expect(await undo(buyer)).toBe('ROLE_FORBIDDEN')
    expect(await undo(admin, new Date(Date.now() + (MESSAGE_DELAY_SECONDS + 1) * 1000))).toBe('LISTING_STEP')
    // The same person has reported it again, while the page still showed it.
    const again = { reporterId: buyer.id, sellerId: seller.id, listingId: id, reason: 'fraud' as const }
    await app.ctx.db.insert(reports).values(again)
    expect(await undo(admin)).toBe('VERSION')
    await verifyListing(app.as(admin, { now: new Date() }), id, { passed: true, comment: 'It is right.' })
    expect(await undo(admin)).toBe('LISTING_STEP')
    expect(await all()).toMatchObject([{ outcome: 'taken-down' }, { outcome: null }])
    expect(await stateOf(id)).toBe('passed')
  })

  test('leaving it changes nothing else; a closed report cannot be closed again, and the subject can be reported again', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    await report(app.as(buyer), { listingId: id }, { reason: 'wrong', comment: '' })
    await leaveReported(app.as(admin), { listingId: id }, { note: 'The age is right.' })
    expect(await stateOf(id)).toBe('passed')
    expect(await leaveReported(app.as(admin), { listingId: id }, { note: 'Again' }).catch(codeFrom)).toBe('VERSION')
    expect(await takeDown(app.as(admin), id, { note: 'Again' }).catch(codeFrom)).toBe('VERSION')
    expect(await stateOf(id)).toBe('passed')
    await report(app.as(buyer), { listingId: id }, { reason: 'fraud', comment: '' })
    expect(await all()).toMatchObject([
      { outcome: 'left', reason: 'wrong' },
      { outcome: null, reason: 'fraud' },
    ])
  })

  test('a listing that can no longer be failed keeps its reports open: both change or neither', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    await report(app.as(buyer), { listingId: id }, { reason: 'wrong', comment: '' })
    await app.ctx.db.update(listings).set({ state: 'failed' }).where(eq(listings.id, id))
    expect(await takeDown(app.as(admin), id, { note: 'Failed already' }).catch(codeFrom)).toBe('LISTING_STEP')
    expect(await all()).toMatchObject([{ closedAt: null, outcome: null }])
    expect(await app.ctx.db.$count(verifications, eq(verifications.listingId, id))).toBe(0)
  })

  test('an admin cannot decide about a listing that they typed in themselves', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id, createdById: admin.id })
    await report(app.as(buyer), { listingId: id }, { reason: 'wrong', comment: '' })
    expect(await leaveReported(app.as(admin), { listingId: id }, { note: 'Fine' }).catch(codeFrom)).toBe('OWN_LISTING')
    expect(await takeDown(app.as(admin), id, { note: 'Fine' }).catch(codeFrom)).toBe('OWN_LISTING')
    expect(await all()).toMatchObject([{ closedAt: null }])
  })
})
