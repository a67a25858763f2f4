import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { photoCopies } from '#src/listings/prints/tables.ts'
import { listingClips, listingPhotos, listings } from '#src/listings/tables.ts'
import { listOwnListings } from '#src/selling/own/own-listings.server.ts'
import type { PageArgs } from '#src/kit/http/page.server.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { verifications, freshVerdicts, secondLooks, verificationClaims, verificationSkips } from './tables.ts'
import { changesSince } from './listing-changes.server.ts'
import { makeSecondLook, makeVerification } from './makers.server.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { answerQuestion, askSeller, listQuestions } from './questions.server.ts'
import { LISTED, queueQuery, readQueueFilter } from './queue-filter.ts'
import { skipListing, sweepQueueMarks } from './queue-marks.server.ts'
import { seenMark } from './seen-mark.ts'
import { action as verificationAction } from './verification-page.tsx'
import { readVerification } from './verification-view.server.ts'
import { readQueue } from './queue.server.ts'
import { decideSecondLook } from './second-looks.server.ts'
import { getToVerify } from './to-verify.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { undoVerdict } from './undo-verdict.server.ts'
import { readToVerify } from './verification-facts.server.ts'
import { verifyListing } from './verify-listing.server.ts'

let market: TestMarket
let admin: Viewer
let other: Viewer
let seller: Viewer & { phone: string }
let pickupAddressId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Office' })
  other = await makeUser(market.ctx, { typeId: 9, name: 'Second' })
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan', locale: 'en' })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})
beforeEach(async () => {
  await market.ctx.db.execute(sql`update listings set state = 'withdrawn' where state = 'pending'`)
  await market.ctx.db.execute(sql`delete from verification_claims`)
})

const ago = (hours: number) => new Date(market.ctx.now.getTime() - hours * 3_600_000)
const later = (seconds: number) => new Date(market.ctx.now.getTime() + seconds * 1000)
/** A picture that resembles no other. */
const ownPhoto = () => ({ ...makePhoto(), sha256: randomBytes(32).toString('hex'), dhash: randomBytes(8).toString('hex') })
const waiting = (hours: number, facts: Parameters<typeof makeListing>[1] = {}) =>
  makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, state: 'pending', submittedAt: ago(hours), ...facts }, [ownPhoto()])
const rowOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!
const messages = () => market.ctx.db.select().from(outbox).where(eq(outbox.recipient, seller.phone)).orderBy(outbox.id)
const queue = async (query = '', { as = admin, id = null as number | null, claims = false, now = market.ctx.now } = {}) =>
  readQueue(market.as(as, { now }), id, { filter: readQueueFilter(new URLSearchParams(query)), claims })
const idsOf = async (query = '', more: Parameters<typeof queue>[1] = {}) => (await queue(query, more)).listings.map(({ id }) => id)
const passes = { passed: true, comment: 'Photos and facts agree.' }
const fails = { passed: false, comment: 'The photos are not clear.' }

describe('the verification queue', () => {
  test('continues beyond the listed part: part by part in the list, one by one after each verdict', async () => {
    const ids: number[] = []
    // More than two parts of the list.
    for (let n = 0; n < 2 * LISTED + 5; n++) ids.push(await waiting(1000 - n))
    const part = async (listFrom: number) =>
      (await readQueue(market.as(admin), ids[0]!, { filter: { categoryId: null, district: null, view: null }, claims: false, listFrom }))
        .listings
    const first = await part(1)
    expect(first.map(({ id }) => id)).toEqual(ids.slice(0, LISTED))
    const second = await part(first.at(-1)!.place + 1)
    const third = await part(second.at(-1)!.place + 1)
    expect([...second, ...third].map(({ id }) => id)).toEqual(ids.slice(LISTED))
    expect(third.map(({ place }) => place)).toEqual([121, 122, 123, 124, 125])
    const gone: number[] = []
    for (let id: number | null = ids[0]!; id !== null;) {
      gone.push(id)
      await market.ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, id))
      id = (await queue('', { id })).thenId
    }
    expect(gone).toEqual(ids)
  })

  test('filters by species, district and view, and each filter shows its count', async () => {
    const fresh = await makeUser(market.ctx, { typeId: 2 })
    const freshAddress = await makeAddress(market.ctx, fresh.id)
    await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId })
    const again = await waiting(9)
    await verifyListing(market.as(admin), again, fails)
    await market.ctx.db.update(listings).set({ state: 'pending' }).where(eq(listings.id, again))
    const goat = await waiting(8, { categoryId: 2, breedId: 201 })
    const newcomers = await waiting(7, { sellerId: fresh.id, pickupAddressId: freshAddress })
    const [a, b] = [await waiting(6), await waiting(5)]
    await market.ctx.db.execute(
      sql`update listing_photos set sha256 = (select sha256 from listing_photos where listing_id = ${a}) where listing_id = ${b}`,
    )
    await market.ctx.db.update(listings).set({ district: 'Erode' }).where(eq(listings.id, goat))

    expect(await idsOf()).toEqual([again, goat, newcomers, a, b])
    expect(await idsOf('view=again')).toEqual([again])
    expect(await idsOf('species=2')).toEqual([goat])
    expect(await idsOf('district=Erode')).toEqual([goat])
    expect(await idsOf('view=new-seller')).toEqual([newcomers])
    expect(await idsOf('view=duplicate')).toEqual([a, b])
    expect(await idsOf('view=duplicate&district=Erode')).toEqual([])
    const { counts, count } = await queue('view=duplicate')
    expect(count).toBe(2)
    expect(counts.views).toEqual({ all: 5, 'new-seller': 1, again: 1, duplicate: 2, answered: 0, skipped: 0, asked: 0 })
    // A copy found by its perceptual hash counts like an identical file.
    const [copied, copy] = await Promise.all(
      [goat, newcomers].map(async (id) => (await market.ctx.db.select().from(listingPhotos).where(eq(listingPhotos.listingId, id)))[0]!.id),
    )
    await market.ctx.db.insert(photoCopies).values({ photoId: copied!, copyId: copy! })
    expect(await idsOf('view=duplicate')).toEqual([goat, newcomers, a, b])
    expect(counts.categories).toEqual([
      { id: 1, count: 4 },
      { id: 2, count: 1 },
    ])
    expect(counts.districts.find(({ name }) => name === 'Erode')).toEqual({ name: 'Erode', count: 1 })
  })

  test('the chosen species and district stay among the filters after their last listing', async () => {
    const goat = await waiting(2, { categoryId: 2, breedId: 201 })
    await waiting(1)
    await market.ctx.db.update(listings).set({ district: 'Erode' }).where(eq(listings.id, goat))
    await verifyListing(market.as(admin), goat, fails)
    const { count, counts } = await queue('species=2&district=Erode')
    expect(count).toBe(0)
    expect(counts.categories).toEqual([
      { id: 1, count: 1 },
      { id: 2, count: 0 },
    ])
    expect(counts.districts.at(-1)).toEqual({ name: 'Erode', count: 0 })
    expect((await queue('species=999')).counts.categories).toEqual([{ id: 1, count: 1 }])
  })

  test('ignores an unknown filter, and a filter survives the address unchanged', () => {
    const read = readQueueFilter(new URLSearchParams('view=nothing&species=x&district='))
    expect(read).toEqual({ categoryId: null, district: null, view: null })
    expect(queueQuery(read)).toBe('')
    const filter = { categoryId: 2, district: 'The Nilgiris', view: 'again' } as const
    expect(readQueueFilter(new URLSearchParams(queueQuery(filter, { id: 7 })))).toEqual(filter)
  })

  test('skips listings that another admin has open, and names that admin', async () => {
    const [a, b, c] = [await waiting(3), await waiting(2), await waiting(1)]
    expect(await queue('', { as: other, claims: true })).toMatchObject({ id: a, claimedBy: null })
    expect(await queue()).toMatchObject({ id: b, previousId: a, nextId: c, claimedBy: null })
    expect(await queue('', { id: a })).toMatchObject({ id: a, claimedBy: 'Second', nextId: b })
    expect((await queue()).listings.map(({ claimedBy }) => claimedBy)).toEqual(['Second', null, null])
    // An admin has one listing open at a time.
    await queue('', { as: other, id: b, claims: true })
    expect(await queue()).toMatchObject({ id: a })
    expect(await queue('', { id: a })).toMatchObject({ nextId: b, thenId: c })
    // A claim ends after ten minutes without activity.
    expect(await queue('', { now: later(601) })).toMatchObject({ id: a, nextId: b })
    expect(await market.ctx.db.$count(verificationClaims)).toBe(1)
  })

  test('lists what an admin put off last for a day, for that admin only', async () => {
    const [a, b] = [await waiting(3), await waiting(2)]
    await skipListing(market.as(admin), a)
    await skipListing(market.as(admin), a)
    expect(await idsOf()).toEqual([b, a])
    expect(await queue()).toMatchObject({ id: b, nextId: a })
    expect(await idsOf('view=skipped')).toEqual([a])
    expect(await idsOf('', { as: other })).toEqual([a, b])
    expect(await idsOf('', { now: later(25 * 3600) })).toEqual([a, b])
    expect(await refusalOf(skipListing(market.as(admin), 999_999))).toBe('NOT_FOUND')
    expect(await refusalOf(skipListing(market.as(seller), a))).toBe('ROLE_FORBIDDEN')
  })

  test('the sweep deletes expired claims, skips and undo records', async () => {
    const id = await waiting(3)
    await queue('', { claims: true })
    await skipListing(market.as(admin), id)
    await sweepQueueMarks(market.ctx.db)
    expect(await market.ctx.db.$count(verificationSkips, eq(verificationSkips.listingId, id))).toBe(1)
    await market.ctx.db.execute(sql`update verification_claims set claimed_at = now() - interval '25 hours'`)
    await market.ctx.db.execute(sql`update verification_skips set skipped_at = now() - interval '49 hours'`)
    await market.ctx.db.execute(sql`update fresh_verdicts set created_at = now() - interval '61 minutes'`)
    await sweepQueueMarks(market.ctx.db)
    expect(await market.ctx.db.$count(verificationClaims)).toBe(0)
    expect(await market.ctx.db.$count(verificationSkips)).toBe(0)
    expect(await market.ctx.db.$count(freshVerdicts)).toBe(0)
  })
})

describe('undoing a verdict', () => {
  test.each([passes, fails])('restores everything, and the seller gets no message: $passed', async (verdict) => {
    const id = await waiting(3, { verificationComment: 'Before', editorId: other.id })
    const before = await rowOf(id)
    const sent = (await messages()).length
    await verifyListing(market.as(admin), id, verdict)
    expect((await messages()).length).toBe(sent + 1)
    // No worker sends it while it can be undone.
    const [late] = await market.ctx.db
      .select({ late: sql<boolean>`due_at > now() + make_interval(secs => ${MESSAGE_DELAY_SECONDS - 5}::float8)` })
      .from(outbox)
      .where(eq(outbox.recipient, seller.phone))
      .orderBy(sql`id desc`)
      .limit(1)
    expect(late).toEqual({ late: true })
    await undoVerdict(market.as(admin, { now: later(9) }), id)
    expect(await rowOf(id)).toEqual(before)
    expect((await messages()).length).toBe(sent)
    expect(await market.ctx.db.$count(verifications, eq(verifications.listingId, id))).toBe(0)
    const [event] = await market.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `listing:${id}`))
      .orderBy(sql`id desc`)
      .limit(1)
    expect(event).toMatchObject({ event: 'verdict_undone', actorId: admin.id, details: { passed: verdict.passed } })
    // The same undo again succeeds without effect; another admin's is refused.
    expect(await undoVerdict(market.as(admin), id)).toBe(false)
    expect(await rowOf(id)).toEqual(before)
    expect(await refusalOf(undoVerdict(market.as(other), id))).toBe('LISTING_STEP')
  })

  test('restores the second look that the verdict ended', async () => {
    const id = await makeListing(market.ctx, { sellerId: seller.id, pickupAddressId })
    await makeSecondLook(market.ctx, id, { name: 'Other words' })
    const look = () => market.ctx.db.select().from(secondLooks).where(eq(secondLooks.listingId, id))
    const before = await look()
    const { version } = await rowOf(id)
    await decideSecondLook(market.as(admin), id, { act: 'fail', comment: 'No', version })
    expect(await look()).toEqual([])
    await undoVerdict(market.as(admin), id)
    expect(await look()).toEqual(before)
    expect(await rowOf(id)).toMatchObject({ state: 'passed', version })
  })

  test("works for the admin's own verdict, in time, on an unchanged listing, before the message is sent", async () => {
    const id = await waiting(3)
    await verifyListing(market.as(admin), id, passes)
    expect(await refusalOf(undoVerdict(market.as(seller), id))).toBe('ROLE_FORBIDDEN')
    const refused = undoVerdict(market.as(other), id).catch((error: unknown) => error)
    expect(await refused).toMatchObject({ code: 'LISTING_STEP' })
    expect(problemDetail((await refused) as Problem, 'en')).toMatch(/“Pass” \(.+, \d+-/)
    expect(await refusalOf(undoVerdict(market.as(admin, { now: later(MESSAGE_DELAY_SECONDS + 1) }), id))).toBe('LISTING_STEP')
    await market.ctx.db.update(listings).set({ stock: 0 }).where(eq(listings.id, id))
    expect(await refusalOf(undoVerdict(market.as(admin), id))).toBe('VERSION')
    await market.ctx.db.update(listings).set({ stock: 1, version: 2 }).where(eq(listings.id, id))
    expect(await refusalOf(undoVerdict(market.as(admin), id))).toBe('VERSION')
    await market.ctx.db.update(listings).set({ version: 1 }).where(eq(listings.id, id))
    await market.ctx.db.execute(sql`update outbox set attempts = 1 where recipient = ${seller.phone}`)
    expect(await refusalOf(undoVerdict(market.as(admin), id))).toBe('LISTING_STEP')
    expect(await rowOf(id)).toMatchObject({ state: 'passed' })
    // Another admin's later verdict can be undone only by that admin.
    await verifyListing(market.as(other), id, fails)
    expect(await refusalOf(undoVerdict(market.as(admin), id))).toBe('LISTING_STEP')
    await undoVerdict(market.as(other), id)
    expect(await rowOf(id)).toMatchObject({ state: 'passed' })
  })
})

describe('a verdict on several listings', () => {
  const send = async (fields: [string, string][]) => {
    const answer = await sendForm(market.ctx, verificationAction as never, { viewer: admin, params: {}, fields }).catch(
      (redirected: unknown) => redirected,
    )
    expect(answer, String(answer)).toBeInstanceOf(Response)
    return new URL((answer as Response).headers.get('location')!, 'https://market.example')
  }
  const missedAt = async (url: URL) => (await readVerification(market.as(admin, { locale: 'en' }), { url } as PageArgs)).missed
  const mark = async (id: number) => seenMark({ version: (await rowOf(id)).version, lastVerdictId: null })

  test('names each listing that it left out: with who decided what, or that it changed; so does its undo', async () => {
    const [shown, also, taken, changed] = [await waiting(9), await waiting(8), await waiting(7), await waiting(6)]
    const marks = await Promise.all([also, taken, changed].map(async (id) => `${id}:${await mark(id)}`))
    const seen = await mark(shown)
    await verifyListing(market.as(other), taken, fails)
    await market.ctx.db
      .update(listings)
      .set({ version: sql`version + 1` })
      .where(eq(listings.id, changed))
    const verdict = { passed: 'yes', comment: 'Good.', listing: String(shown), seen }
    const missed = await missedAt(await send([...Object.entries(verdict), ...marks.map((each): [string, string] => ['also', each])]))
    expect(missed.map(({ id }) => id)).toEqual([taken, changed])
    expect(missed[0]).toMatchObject({ code: `COW-${String(taken).padStart(5, '0')}`, says: expect.stringMatching(/“Fail.*” \(Second, /) })
    expect(missed[1]!.says).not.toContain('Second')
    await market.ctx.db.update(listings).set({ state: 'failed' }).where(eq(listings.id, also))
    await market.ctx.db
      .insert(verifications)
      .values({ listingId: also, adminId: other.id, ...fails, revision: 1, createdAt: market.ctx.now })
    const undone = await missedAt(await send(Object.entries({ act: 'undo', listing: [shown, also].join(',') })))
    expect((await rowOf(shown)).state).toBe('pending')
    expect(undone).toMatchObject([{ id: also, says: expect.stringContaining('(Second, ') }])
  })
})

describe('a question to the seller', () => {
  const question = { question: 'Is she\nin milk?' }

  test('removes the listing from the queue until the answer arrives', async () => {
    const [id, next] = [await waiting(3), await waiting(2)]
    await askSeller(market.as(admin), id, question)
    expect(await idsOf()).toEqual([next])
    expect(await idsOf('', { as: other })).toEqual([next])
    expect(await idsOf('view=asked')).toEqual([id])
    const { body } = (await messages()).at(-1)!
    expect(body).toMatch(new RegExp(`question about your listing ".*": Is she in milk\\? .*/en/listing-question/${id}$`))
    const own = await listOwnListings(market.as(seller), {
      sellerId: seller.id,
      tab: 'instock',
      seller: '',
      state: null,
      categoryId: null,
      listingId: id,
      after: null,
    })
    expect(own.listings[0]!.question).toBe(question.question)

    await answerQuestion(market.as(seller), id, { answer: 'Yes, 8 litres' })
    expect(await idsOf()).toEqual([id, next])
    expect((await queue('view=answered')).listings).toMatchObject([{ id, isAnswered: true }])
    expect(await listQuestions(market.as(seller), id)).toMatchObject([{ ...question, answer: 'Yes, 8 litres' }])
    expect((await getToVerify(market.as(admin), id)).questions).toMatchObject([{ ...question, answer: 'Yes, 8 litres' }])
    expect(await refusalOf(answerQuestion(market.as(seller), id, { answer: 'Again' }))).toBe('LISTING_STEP')
  })

  test('without an answer, the listing returns after three days', async () => {
    const id = await waiting(3)
    await askSeller(market.as(admin, { now: ago(71) }), id, question)
    expect(await idsOf()).toEqual([])
    await askSeller(market.as(admin, { now: ago(73) }), id, question)
    expect(await idsOf()).toEqual([id])
  })

  test('can be asked by admins about waiting listings, and answered by the seller only', async () => {
    const id = await waiting(3)
    const own = await makeListing(market.ctx, { sellerId: admin.id, state: 'pending' })
    expect(await refusalOf(askSeller(market.as(seller), id, question))).toBe('ROLE_FORBIDDEN')
    expect(await refusalOf(askSeller(market.as(admin), own, question))).toBe('OWN_LISTING')
    expect(await refusalOf(askSeller(market.as(admin), 999_999, question))).toBe('NOT_FOUND')
    await askSeller(market.as(admin), id, question)
    const stranger = await makeUser(market.ctx, { typeId: 2 })
    expect(await refusalOf(answerQuestion(market.as(stranger), id, { answer: 'Yes' }))).toBe('NOT_FOUND')
    expect(await refusalOf(answerQuestion(market.as(admin), id, { answer: 'Yes' }))).toBe('NOT_FOUND')
    expect(await refusalOf(answerQuestion(market.as(null), id, { answer: 'Yes' }))).toBe('AUTH_REQUIRED')
    expect(await refusalOf(listQuestions(market.as(stranger), id))).toBe('NOT_FOUND')
    expect(await refusalOf(listQuestions(market.as(null), id))).toBe('NOT_FOUND')
    await verifyListing(market.as(admin), id, passes)
    expect(await refusalOf(askSeller(market.as(admin), id, question))).toBe('LISTING_STEP')
  })
})

describe("the desk's view of a listing", () => {
  test('shows exactly what the seller has changed since the last verdict', async () => {
    const id = await waiting(3, { name: 'Old cow', description: 'Gives much milk', weightKg: 300 })
    await verifyListing(market.as(admin), id, fails)
    await market.ctx.db
      .update(listings)
      .set({ state: 'pending', name: 'Young cow', weightKg: 310, originalPrice: 700_000_000n })
      .where(eq(listings.id, id))
    await market.ctx.db.insert(listingPhotos).values({ ...ownPhoto(), listingId: id, position: 1 })
    const { changes, photos } = readToVerify(market.as(admin, { locale: 'en' }), await getToVerify(market.as(admin), id))
    expect(changes).toMatchObject({ passed: false, description: null, newPhotos: 1 })
    expect(changes!.facts.map(({ label, before, now }) => [label, before === now, now])).toEqual([
      ['Price', false, '₹70,000'],
      ['Weight', false, '310 Kgs'],
    ])
    expect(changes!.name!.map(({ kind, text }) => [kind, text.trim()])).toEqual([
      ['removed', 'Old'],
      ['added', 'Young'],
      ['same', 'cow'],
    ])
    expect(photos.map(({ isNew }) => isNew)).toEqual([false, true])
  })

  test('marks a clip that is new since the last verdict, or has another caption', async () => {
    const id = await waiting(3)
    const clip = (position: number) => ({
      listingId: id,
      ownerId: admin.id,
      kind: 'video' as const,
      position,
      mediaKey: randomBytes(10).toString('hex'),
      format: 'webm' as const,
      bytes: 900,
      millis: 4000,
      caption: 'Walks',
    })
    const newClips = async () => readToVerify(market.as(admin), await getToVerify(market.as(admin), id)).changes!.newClips
    const sendAgain = () => market.ctx.db.update(listings).set({ state: 'pending' }).where(eq(listings.id, id))
    await market.ctx.db.insert(listingClips).values(clip(0))
    await verifyListing(market.as(admin), id, fails)
    await sendAgain()
    expect(await newClips()).toBe(0)
    await market.ctx.db.update(listingClips).set({ caption: 'Gives 12 litres' }).where(eq(listingClips.listingId, id))
    await market.ctx.db.insert(listingClips).values(clip(1))
    expect(await newClips()).toBe(2)
    await verifyListing(market.as(admin), id, fails)
    await sendAgain()
    expect(await newClips()).toBe(0)
  })

  test('a dog of the youngest age band asks the admin to look at its age (A §7 has no field for it)', async () => {
    const isPuppy = async (facts: object) => {
      const id = await makeListing(market.ctx, { state: 'pending', ...facts })
      return readToVerify(market.as(admin), await getToVerify(market.as(admin), id)).isPuppy
    }
    expect([await isPuppy({ categoryId: 5, breedId: 501, ageId: 1 }), await isPuppy({ categoryId: 5, breedId: 501, ageId: 2 })]).toEqual([
      true,
      false,
    ])
    expect(await isPuppy({ ageId: 1 })).toBe(false)
  })

  test('marks no changes before the first verdict, and all since it, also where the sample market gave it', async () => {
    const id = await waiting(3)
    const changes = async () => {
      const { product, lastLook } = await getToVerify(market.as(admin), id)
      return changesSince(market.as(admin), product, lastLook)
    }
    expect(await changes()).toBeNull()
    await makeVerification(market.ctx, { listingId: id, adminId: admin.id, passed: true, comment: 'Photos and facts agree.' })
    expect(await changes()).toMatchObject({ facts: [], name: null, newPhotos: [] })
    await market.ctx.db.update(listings).set({ originalPrice: 700_000_000n }).where(eq(listings.id, id))
    expect((await changes())!.facts).toMatchObject([{ now: '₹70,000' }])
  })

  test('shows the most likely duplicate beside it, or the requested one', async () => {
    const tag = { tagMac: randomBytes(32), tagSealed: randomBytes(32) }
    const first = await waiting(9, { ...tag, weightKg: 200 })
    const second = await waiting(8, { ...tag, weightKg: 250 })
    const id = await waiting(7, { ...tag, weightKg: 250 })
    expect((await getToVerify(market.as(admin), id)).beside?.id).toBe(second)
    expect((await getToVerify(market.as(admin), id, 999_999)).beside?.id).toBe(second)
    const shown = readToVerify(market.as(admin, { locale: 'en' }), await getToVerify(market.as(admin), id, first))
    expect(shown.beside).toMatchObject({ id: first })
    expect(shown.beside!.facts.filter(({ differs }) => differs).map(({ label }) => label)).toEqual(['Weight'])
  })
})

test("a seller's data export contains questions and seen snapshots of their listings, and an erasure deletes them", async () => {
  const keeper = await makeUser(market.ctx, { typeId: 2 })
  const id = await makeListing(market.ctx, { sellerId: keeper.id, state: 'pending' })
  await askSeller(market.as(admin), id, { question: 'Whose cow is it?' })
  await verifyListing(market.as(admin), id, passes)
  const own = await exportPerson(market.ctx, keeper.id)
  expect(own).toMatchObject({
    questions: [{ listingId: id, question: 'Whose cow is it?' }],
    seenAtVerdicts: [{ listingId: id, seen: { stock: 1 } }],
  })
  await forgetPerson(market.ctx, keeper.id)
  expect(await exportPerson(market.ctx, keeper.id)).toMatchObject({ questions: [], seenAtVerdicts: [] })
  expect(await market.ctx.db.$count(freshVerdicts, eq(freshVerdicts.listingId, id))).toBe(0)
})
