import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maskPhone } from '#src/accounts/rules.ts'
import { makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '../accounts/tables.ts'
import { action as verificationAction } from '#src/verification/verification-page.tsx'
import type { Ctx, Viewer } from '../kit/context.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { verifications } from '#src/verification/tables.ts'
import { readQueue } from '#src/verification/queue.server.ts'
import { readQueueFilter } from '#src/verification/queue-filter.ts'
import { getToVerify } from '#src/verification/to-verify.server.ts'
import { undoVerdict } from '#src/verification/undo-verdict.server.ts'
import { readToVerify } from '#src/verification/verification-facts.server.ts'
import { verdict, verifyListing } from '#src/verification/verify-listing.server.ts'
import { findDuplicates } from '#src/listings/write/duplicates.server.ts'
import { makeListing, makePhoto } from './makers.server.ts'
import { getProduct } from './queries.server.ts'
import { listings } from './tables.ts'

let market: TestMarket
let admin: Viewer
let other: Viewer
let seller: Viewer & { phone: string }
let pickupAddressId: number

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Office' })
  other = await makeUser(market.ctx, { typeId: 9, name: 'Second' })
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan', locale: 'ta' })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})

const waiting = (facts: Parameters<typeof makeListing>[1] = {}, photos?: Parameters<typeof makeListing>[2]) =>
  makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, state: 'pending', ...facts }, photos)
/** The mark that the desk shows this admin. */
const seenBy = async (ctx: Ctx, id: number) => readToVerify(ctx, await getToVerify(ctx, id)).seen
const rowOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!
const asAdmin = () => market.as(admin)
/** The queue without filters and without claims. */
const findInQueue = async (ctx: Parameters<typeof readQueue>[0], id: number | null) => {
  const {
    count,
    id: found,
    place,
    previousId,
    nextId,
  } = await readQueue(ctx, id, { filter: readQueueFilter(new URLSearchParams()), claims: false })
  return { count, id: found, place, previousId, nextId }
}
const passes = { passed: true, comment: 'Photos and facts agree.' }
const fails = { passed: false, comment: 'The photos are not clear.' }

describe('a verdict', () => {
  test('publishes a pending listing and is stored', async () => {
    const id = await waiting({ stock: 3 })
    await verifyListing(asAdmin(), id, passes)
    expect(await rowOf(id)).toMatchObject({ state: 'passed', verificationComment: passes.comment, stock: 3, isSold: false, version: 1 })
    expect(await getProduct(market.as(null), id)).toMatchObject({ state: 'passed', stock: 3, verifications: [] })
    const history = await market.ctx.db.select().from(verifications).where(eq(verifications.listingId, id))
    expect(history).toMatchObject([{ adminId: admin.id, passed: true, comment: passes.comment }])
    const [event] = await market.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `listing:${id}`))
      .orderBy(auditEvents.id)
    expect(event).toMatchObject({ actorId: admin.id, event: 'listing_passed', details: { from: 'pending' } })
  })

  test('can take a listing down and publish it again; the last verdict counts and all are stored', async () => {
    const id = await waiting()
    await verifyListing(asAdmin(), id, passes)
    await verifyListing(market.as(other), id, fails)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', verificationComment: fails.comment })
    await expect(getProduct(market.as(null), id)).rejects.toThrow('NOT_FOUND')
    await verifyListing(asAdmin(), id, passes)
    expect((await getProduct(asAdmin(), id)).verifications.map(({ passed }) => passed)).toEqual([true, false, true])
  })

  test.each<['ta' | 'en', string, typeof passes, RegExp]>([
    ['ta', 'listing-passed', passes, /சந்தை: .*ஏற்கப்பட்டது.*Photos and facts agree\. .*\/product\/(\d+)$/],
    ['ta', 'listing-failed', fails, /சந்தை: .*திருத்தம் தேவை: The photos are not clear\. .*\/product\/(\d+)$/],
    ['en', 'listing-passed', passes, /Sandhai: .*is verified.*Photos and facts agree\. .*\/en\/product\/(\d+)$/],
    ['en', 'listing-failed', fails, /Sandhai: .*did not pass verification: The photos are not clear\. .*\/en\/product\/(\d+)$/],
  ])('notifies the seller once, in their language (%s, %s)', async (locale, template, input, text) => {
    const notified = await makeUser(market.ctx, { typeId: 2, locale })
    const id = await makeListing(market.ctx, { sellerId: notified.id, state: 'pending' })
    // The admin reads the other language.
    await verifyListing(market.as(admin, { locale: locale === 'ta' ? 'en' : 'ta' }), id, input)
    const sent = (await listMessages(market.ctx)).filter((message) => message.recipient === notified.phone)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ channel: 'sms', template, locale })
    expect(sent[0]!.body).toMatch(text)
    expect(text.exec(sent[0]!.body)![1]).toBe(String(id))
  })

  test('with a long comment sends its beginning by SMS and shows all of it on the page', async () => {
    const notified = await makeUser(market.ctx, { typeId: 2, locale: 'en' })
    const id = await makeListing(market.ctx, { sellerId: notified.id, state: 'pending' })
    const comment = `Line one\nLine two ${'word '.repeat(150)}`.trim()
    await verifyListing(asAdmin(), id, { passed: false, comment })
    const [sent] = (await listMessages(market.ctx)).filter((message) => message.recipient === notified.phone)
    expect(sent!.body.length).toBeLessThan(450)
    expect(sent!.body).not.toContain('\n')
    expect((await rowOf(id)).verificationComment).toBe(comment)
  })

  test('is for admins only, and a refused one changes nothing', async () => {
    const id = await waiting()
    const people = await Promise.all([1, 2, 3, 4, 5].map((typeId) => makeUser(market.ctx, { typeId, vetApproved: typeId === 5 })))
    for (const viewer of [null, seller, ...people]) {
      const code = viewer ? 'ROLE_FORBIDDEN' : 'AUTH_REQUIRED'
      expect(await refusalOf(verifyListing(market.as(viewer), id, passes)), `type ${viewer?.typeId}`).toBe(code)
      expect(await refusalOf(findInQueue(market.as(viewer), id))).toBe(code)
      expect(await refusalOf(getToVerify(market.as(viewer), id))).toBe(code)
    }
    expect((await rowOf(id)).state).toBe('pending')
    expect(await market.ctx.db.$count(verifications, eq(verifications.listingId, id))).toBe(0)
  })

  test('of an admin who has been demoted or deactivated is refused', async () => {
    const id = await waiting()
    for (const change of [{ typeId: 1 }, { isActive: false }]) {
      const former = await makeUser(market.ctx, { typeId: 9 })
      await market.ctx.db.update(users).set(change).where(eq(users.id, former.id))
      expect(await refusalOf(verifyListing(market.as(former), id, passes))).toBe('ROLE_FORBIDDEN')
    }
    expect((await rowOf(id)).state).toBe('pending')
  })

  test('needs four eyes: an admin may not decide about a listing that they sell or typed in', async () => {
    const typedIn = await waiting({ createdById: admin.id })
    const own = await makeListing(market.ctx, { sellerId: admin.id, state: 'pending' })
    for (const id of [typedIn, own]) expect(await refusalOf(verifyListing(asAdmin(), id, passes))).toBe('OWN_LISTING')
    await verifyListing(market.as(other), typedIn, passes)
    expect((await rowOf(typedIn)).state).toBe('passed')
    expect((await rowOf(own)).state).toBe('pending')
  })

  test('is refused when the listing does not wait for one', async () => {
    expect(await refusalOf(verifyListing(asAdmin(), 999_999, passes))).toBe('NOT_FOUND')
    for (const facts of [{ state: 'draft' }, { state: 'withdrawn' }, { state: 'passed' }, { isSold: true }, { stock: 0 }] as const)
      expect(await refusalOf(verifyListing(asAdmin(), await waiting(facts), passes)), JSON.stringify(facts)).toBe('LISTING_STEP')
  })

  test('is refused when the seller has changed the listing since the admin read it', async () => {
    const id = await waiting()
    const seen = await seenBy(asAdmin(), id)
    await market.ctx.db.update(listings).set({ description: 'Another animal', version: 2 }).where(eq(listings.id, id))
    expect(await refusalOf(verifyListing(asAdmin(), id, { ...passes, seen }))).toBe('VERSION')
    expect((await rowOf(id)).state).toBe('pending')
    await verifyListing(asAdmin(), id, { ...passes, seen: await seenBy(asAdmin(), id) })
  })

  test('is refused when another admin has decided since the admin read it, and says who, what and when', async () => {
    const id = await waiting()
    const seen = await seenBy(asAdmin(), id)
    await verifyListing(market.as(other, { now: new Date('2026-11-27T05:12:00Z') }), id, passes)
    for (const input of [fails, passes]) {
      const refusal = await verifyListing(asAdmin(), id, { ...input, seen }).catch((error: Problem) => error)
      expect(refusal).toMatchObject({ code: 'VERSION' })
      const said = (locale: 'ta' | 'en') => problemDetail(refusal as Problem, locale)
      expect(said('en')).toContain('“Pass” (Second, 27-November-2026, 10:42)')
      expect(said('ta')).toContain('“ஏற்கப்பட்டது” என முடிவு செய்யப்பட்டுவிட்டது (Second, 27-நவம்பர்-2026, 10:42)')
    }
    expect((await rowOf(id)).state).toBe('passed')
    await verifyListing(asAdmin(), id, { ...fails, seen: await seenBy(asAdmin(), id) })
    expect((await rowOf(id)).state).toBe('failed')
  })

  test('is refused when the verdict that the admin saw was undone', async () => {
    const id = await waiting()
    await verifyListing(market.as(other), id, passes)
    const seen = await seenBy(asAdmin(), id)
    await undoVerdict(market.as(other), id)
    const refusal = await verifyListing(asAdmin(), id, { ...fails, seen }).catch((error: Problem) => error)
    expect(refusal).toMatchObject({ code: 'VERSION', sentence: undefined })
  })

  test('can be neither changed nor deleted in the history', async () => {
    const id = await waiting()
    await verifyListing(asAdmin(), id, fails)
    // For some seconds it can be undone (verification/undo-verdict.server.ts).
    await market.ctx.db.execute(sql`update fresh_verdicts set created_at = now() - interval '2 minutes'`)
    const where = eq(verifications.listingId, id)
    await expect(market.ctx.db.update(verifications).set({ passed: true }).where(where)).rejects.toThrow()
    await expect(market.ctx.db.delete(verifications).where(where)).rejects.toThrow()
  })

  test.each([
    ['', 'field_verification_comment_blank'],
    ['  \n\t ', 'field_verification_comment_blank'],
    ['x'.repeat(1001), 'field_comment_long'],
    ['x'.repeat(6000), 'field_comment_long'],
  ])('needs a comment of 1 to 1,000 characters (case %#)', (comment, message) => {
    expect(verdict.safeParse({ passed: true, comment }).error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  test('keeps the lines of a comment, and counts code points', () => {
    expect(verdict.parse({ passed: true, comment: ' a\r\nb\tc ' }).comment).toBe('a\nb c')
    expect(verdict.safeParse({ passed: true, comment: '🐄'.repeat(1000) }).success).toBe(true)
    expect(verdict.safeParse({ comment: 'why' }).error?.issues[0]?.message).toBe('field_verification_passed_blank')
  })
})

describe('the verification queue', () => {
  beforeEach(async () => {
    await market.ctx.db.execute(sql`update listings set state = 'withdrawn' where state = 'pending'`)
  })
  const ago = (hours: number) => new Date(market.ctx.now.getTime() - hours * 3_600_000)

  test('goes from the longest waiting to the newest and back', async () => {
    const [b, a, c] = [
      await waiting({ submittedAt: ago(2) }),
      await waiting({ submittedAt: ago(5) }),
      await waiting({ submittedAt: ago(1) }),
    ]
    expect(await findInQueue(asAdmin(), null)).toEqual({ count: 3, id: a, place: 1, previousId: null, nextId: b })
    expect(await findInQueue(asAdmin(), b)).toEqual({ count: 3, id: b, place: 2, previousId: a, nextId: c })
    expect(await findInQueue(asAdmin(), c)).toMatchObject({ place: 3, previousId: b, nextId: null })
    await verifyListing(asAdmin(), b, passes)
    // It no longer waits, but the queue still finds its neighbours.
    expect(await findInQueue(asAdmin(), b)).toEqual({ count: 2, id: b, place: null, previousId: a, nextId: c })
  })

  test("leaves out the admin's own and typed-in listings, sold ones, and those of inactive sellers", async () => {
    const deactivated = await makeUser(market.ctx, { typeId: 2, isActive: false })
    await waiting({ createdById: admin.id })
    await makeListing(market.ctx, { sellerId: admin.id, state: 'pending' })
    await makeListing(market.ctx, { sellerId: deactivated.id, state: 'pending' })
    await waiting({ isSold: true })
    await waiting({ stock: 0 })
    expect(await findInQueue(asAdmin(), null)).toEqual({ count: 0, id: null, place: null, previousId: null, nextId: null })
    expect((await findInQueue(market.as(other), null)).count).toBe(1)
  })

  test('shows the seller’s number and other listings to an admin with powers, the street to each, and audits the read', async () => {
    const id = await waiting({ createdById: other.id })
    const masked = await getToVerify(asAdmin(), id)
    expect(masked.product.seller.phone).toBe(maskPhone(seller.phone))
    expect(masked.product.pickup).toMatchObject({ phone: expect.stringContaining('x'), address1: '1 Sample Farm' })
    const shown = await getToVerify(market.as({ ...admin, hasPowers: true }), id)
    expect(shown.product.seller.phone).toBe(seller.phone)
    expect(shown.product.pickup?.phone).not.toContain('x')
    expect(shown.typedBy).toEqual({ id: other.id, name: 'Second' })
    expect(shown.othersCount).toBeGreaterThan(shown.others.length)
    const auditedReads = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'sensitive_read'))
    expect(auditedReads.at(-1)).toMatchObject({
      actorId: admin.id,
      object: `user:${seller.id}`,
      details: { what: 'addresses', listing: id },
    })
  })
})

describe("the queue's form", () => {
  const send = (id: number, fields: Record<string, string>) =>
    sendForm(market.ctx, verificationAction, {
      viewer: admin,
      params: {},
      fields: { listing: String(id), passed: 'yes', comment: 'Photos checked.', ...fields },
    }).catch((redirected: unknown) => (redirected instanceof Response ? 'passed' : String(redirected)))

  test('must send the state that the admin saw; otherwise it decides nothing', async () => {
    const id = await waiting()
    expect(await send(id, {})).toBe('VERSION')
    for (const seen of ['', 'x', '1', '2.0', '1.999']) expect(await send(id, { seen })).toBe('VERSION')
    expect((await getProduct(asAdmin(), id)).state).toBe('pending')
    expect(await send(id, { seen: '1.0' })).toBe('passed')
    expect((await getProduct(asAdmin(), id)).state).toBe('passed')
    expect(await send(id, { seen: '1.0', passed: 'no' })).toBe('VERSION')
  })

  test('leaves out a ticked listing that was decided since it was listed', async () => {
    const [id, ticked] = [await waiting(), await waiting()]
    await verifyListing(market.as(other), ticked, passes)
    expect(await send(id, { seen: '1.0', passed: 'no', also: `${ticked}:1.0` })).toBe('passed')
    expect((await getProduct(asAdmin(), id)).state).toBe('failed')
    expect((await getProduct(asAdmin(), ticked)).state).toBe('passed')
  })
})

describe('a duplicate animal', () => {
  const photo = (dhash: string, sha256: string) => ({ ...makePhoto(), dhash, sha256: sha256.padEnd(64, '0') })

  test('is found by the same file, by a similar picture, and by its ear tag', async () => {
    const thief = await makeUser(market.ctx, { typeId: 2, name: 'Govindan' })
    const tag = { tagSealed: Buffer.from('s'), tagMac: Buffer.from('mac-1') }
    const facts = { sellerId: seller.id, pickupAddressId }
    const id = await waiting({ ...tag }, [photo('f0f0a5a5c3c30f0f', 'a1'), photo('123456789abcdef0', 'a2')])
    const sameFile = await makeListing(market.ctx, { sellerId: thief.id }, [photo('0f0f5a5a3c3cf0f0', 'a2')])
    const similar = await makeListing(market.ctx, { ...facts, state: 'withdrawn' }, [
      photo('0f0f5a5a3c3cf0f0', 'b1'),
      photo('f0f0a5a5c3c30f00', 'b2'),
    ])
    const sameTag = await makeListing(market.ctx, { sellerId: thief.id, ...tag }, [photo('ffffffff00000000', 'c1')])
    await makeListing(market.ctx, { sellerId: thief.id, ...tag, isSold: true }, [photo('ffffffff00000000', 'd1')])
    await makeListing(market.ctx, { sellerId: thief.id }, [photo('f0f0a5a5c3c3f0f0', 'e1')])
    await makeListing(market.ctx, { sellerId: thief.id, state: 'draft' }, [photo('f0f0a5a5c3c30f0f', 'a1')])
    const found = await findDuplicates(asAdmin(), id)
    expect(found.map((each) => [each.id, each.why, each.isSameSeller])).toEqual([
      [sameTag, ['same-tag'], false],
      [sameFile, ['same-file'], false],
      [similar, ['similar-picture'], true],
    ])
    expect(found[1]).toMatchObject({ state: 'passed', seller: { id: thief.id, name: 'Govindan' } })
  })

  test('six of 64 hash bits may differ, seven may not', async () => {
    const id = await waiting({}, [photo('00000000ffffffff', 'x1')])
    const near = await waiting({}, [photo('0000003fffffffff', 'x2')])
    const far = await waiting({}, [photo('0000007fffffffff', 'x3')])
    const ids = (await findDuplicates(asAdmin(), id)).map((each) => each.id)
    expect(ids).toContain(near)
    expect(ids).not.toContain(far)
  })
})
