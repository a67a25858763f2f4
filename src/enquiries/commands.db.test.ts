import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { auditEvents, outbox } from '#src/kit/db/tables.ts'
import { checkListing } from '#src/listings/write/listing-input.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { findDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { onAnswer } from '#src/selling/listing/new-listing.server.ts'
import { sendDraft } from '#src/selling/listing/sell.server.ts'
import { draftPhotos, listingDrafts } from '#src/selling/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { closeEnquiry, judgeEnquiry, postEnquiry, renewEnquiry } from './commands.server.ts'
import { makeEnquiry, makeOffer } from './makers.server.ts'
import { answerWithNew, beginListing, listOffers, listOwnChoices, respondToEnquiry, takeOfferBack } from './offers.server.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { countOpen, getEnquiry, listOwnEnquiries, listWanted, noFilters } from './queries.server.ts'
import { OFFERS_PER_SELLER } from './rules.ts'
import type { EnquiryInput } from './schemas.ts'
import { enquiries, enquiryMatches, enquiryOffers, enquiryVerdicts } from './tables.ts'

let market: TestMarket
let poster: Viewer & { phone: string }
let seller: Viewer & { phone: string }
let stranger: Viewer
let admin: Viewer
let pickupAddressId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  poster = await makeUser(market.ctx, { locale: 'en' })
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan', locale: 'en' })
  stranger = await makeUser(market.ctx, { typeId: 3 })
  admin = await makeUser(market.ctx, { typeId: 9 })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})
beforeEach(async () => {
  await market.ctx.db.delete(enquiries)
  await market.ctx.db.delete(outbox)
  await market.ctx.db.delete(listingDrafts)
})

const input: EnquiryInput = {
  categoryTypeId: 1,
  categoryId: 1,
  breedId: 101,
  ageId: null,
  genderId: 0,
  colorId: null,
  description: 'A calm cow',
  requiredCount: 2,
  acceptablePrice: rupees(50_000),
  weightKg: 300.25,
  pincode: '638701',
  postedFor: 'Selvi',
  contact: '+919876543210',
}
const rowOf = async (id: number) => (await market.ctx.db.select().from(enquiries).where(eq(enquiries.id, id)))[0]!
const sent = async () => (await listMessages(market.ctx)).map(({ recipient, template, body }) => ({ recipient, template, body }))
const newListing = (changes: Parameters<typeof makeListing>[1] = {}) =>
  makeListing(market.ctx, { sellerId: seller.id, pickupAddressId, nameEn: 'Fine bull', ...changes })
const later = (viewer: Viewer, days: number): Ctx => market.as(viewer, { now: new Date(market.ctx.now.getTime() + days * DAY) })
const offersOf = (id: number) => market.ctx.db.select().from(enquiryOffers).where(eq(enquiryOffers.enquiryId, id))

describe('posting', () => {
  test('takes the place from the PIN code, and waits for an admin', async () => {
    const id = await postEnquiry(market.as(poster), input)
    expect(await rowOf(id)).toMatchObject({
      posterId: poster.id,
      district: 'Tiruppur',
      stateName: 'Tamil Nadu',
      isVerified: null,
      closedAt: null,
      genderId: 0,
      acceptablePrice: 500_000_000n,
      weightKg: 300.25,
    })
    expect(await countOpen(market.ctx)).toBe(0)
    expect(await refusalOf(postEnquiry(market.as(null), input))).toBe('AUTH_REQUIRED')
    expect(await refusalOf(postEnquiry(market.as(poster), { ...input, pincode: '999999' }))).toBe('VALIDATION')
    expect(await market.ctx.db.$count(enquiries)).toBe(1)
  })

  test('is idempotent by key; another text with the same key is refused', async () => {
    const id = await postEnquiry(market.as(poster), input, 'key-12345')
    expect(await postEnquiry(market.as(poster), input, 'key-12345')).toBe(id)
    expect(await refusalOf(postEnquiry(market.as(poster), { ...input, requiredCount: 3 }, 'key-12345'))).toBe('IDEMPOTENCY_MISMATCH')
    expect(await postEnquiry(market.as(stranger), input, 'key-12345')).not.toBe(id)
    expect(await market.ctx.db.$count(enquiries)).toBe(2)
  })
})

describe('an admin', () => {
  test('approves with a comment: the enquiry opens, its days begin, and the poster is notified in their language', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id, isVerified: null, createdAt: new Date(Date.now() - 100 * DAY) })
    await judgeEnquiry(market.as(admin), id, { passed: true, comment: 'Called them.' })
    expect(await rowOf(id)).toMatchObject({ isVerified: true, verifiedById: admin.id, verificationComment: 'Called them.' })
    expect(await countOpen(market.ctx)).toBe(1)
    const link = `https://sandhai.test/en/view-enquiry/${id}`
    expect(await sent()).toEqual([
      {
        recipient: poster.phone,
        template: 'enquiry-approved',
        body: `Sandhai: Your enquiry (Kangayam) is on the wanted board now. We tell you when a seller answers. ${link}`,
      },
    ])
    const [message] = await market.ctx.db.select().from(outbox)
    expect(message!.userId).toBe(poster.id)
  })

  test('may repeat or change a verdict; every verdict is stored', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id, isVerified: null })
    const said = { passed: true, comment: 'Called them.' }
    await judgeEnquiry(market.as(admin), id, said)
    await judgeEnquiry(market.as(admin), id, said)
    const other = await makeUser(market.ctx, { typeId: 9 })
    expect(await refusalOf(judgeEnquiry(market.as(other), id, said))).toBe('ENQUIRY_STEP')
    await judgeEnquiry(market.as(other), id, { passed: false, comment: 'A trader.' })
    expect(await rowOf(id)).toMatchObject({ isVerified: false, verifiedById: other.id })
    const verdicts = await market.ctx.db.select().from(enquiryVerdicts).where(eq(enquiryVerdicts.enquiryId, id))
    expect(verdicts.map(({ adminId, passed }) => [adminId, passed])).toEqual([
      [admin.id, true],
      [other.id, false],
    ])
    expect((await sent()).map(({ template }) => template)).toEqual(['enquiry-refused', 'enquiry-approved'])
    const events = await market.ctx.db.$count(
      auditEvents,
      and(eq(auditEvents.object, `enquiry:${id}`), eq(auditEvents.event, 'enquiry_approved')),
    )
    expect(events).toBe(1)
  })

  test('cannot judge their own or closed enquiries; nobody else can judge', async () => {
    const own = await makeEnquiry(market.ctx, { posterId: admin.id, isVerified: null })
    const closed = await makeEnquiry(market.ctx, { isVerified: null, closedAt: market.ctx.now })
    const waiting = await makeEnquiry(market.ctx, { posterId: poster.id, isVerified: null })
    const said = { passed: true, comment: 'x' }
    expect(await refusalOf(judgeEnquiry(market.as(admin), own, said))).toBe('OWN_ENQUIRY')
    expect(await refusalOf(judgeEnquiry(market.as(admin), closed, said))).toBe('ENQUIRY_STEP')
    expect(await refusalOf(judgeEnquiry(market.as(admin), 999_999, said))).toBe('NOT_FOUND')
    for (const person of [poster, seller, stranger])
      expect(await refusalOf(judgeEnquiry(market.as(person), waiting, said))).toBe('ROLE_FORBIDDEN')
    // A person who has lost the admin role since the request began.
    const former = await makeUser(market.ctx, { typeId: 1 })
    expect(await refusalOf(judgeEnquiry(market.as({ ...former, typeId: 9 }), waiting, said))).toBe('ROLE_FORBIDDEN')
    expect((await market.ctx.db.select().from(enquiries)).map(({ isVerified }) => isVerified)).toEqual([null, null, null])
    expect(await sent()).toEqual([])
  })
})

describe('closing and renewing', () => {
  test('are for the poster; when an admin closes, the poster is notified', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    const other = await makeEnquiry(market.ctx, { posterId: poster.id })
    for (const act of [closeEnquiry, renewEnquiry]) {
      expect(await refusalOf(act(market.as(stranger), id))).toBe('ROLE_FORBIDDEN')
      expect(await refusalOf(act(market.as(null), id))).toBe('AUTH_REQUIRED')
      expect(await refusalOf(act(market.as(stranger), 999_999))).toBe('NOT_FOUND')
    }
    expect(await refusalOf(renewEnquiry(market.as(admin), id))).toBe('ROLE_FORBIDDEN')
    expect((await rowOf(id)).closedAt).toBeNull()
    await closeEnquiry(market.as(poster), id)
    await closeEnquiry(market.as(poster), id)
    expect(await rowOf(id)).toMatchObject({ closedById: poster.id })
    expect(await sent()).toEqual([])
    await closeEnquiry(market.as(admin), other)
    expect((await sent()).map(({ template }) => template)).toEqual(['enquiry-closed'])
    expect(await refusalOf(renewEnquiry(market.as(poster), id))).toBe('ENQUIRY_STEP')
  })

  test('renewing is refused for pending and refused enquiries, and a 404 for strangers', async () => {
    for (const isVerified of [null, false]) {
      const id = await makeEnquiry(market.ctx, { posterId: poster.id, isVerified })
      expect(await refusalOf(renewEnquiry(market.as(poster), id))).toBe('ENQUIRY_STEP')
      expect(await refusalOf(closeEnquiry(market.as(stranger), id))).toBe('NOT_FOUND')
      expect(await refusalOf(getEnquiry(market.as(stranger), id))).toBe('NOT_FOUND')
      expect(await getEnquiry(market.as(poster), id)).toMatchObject({ id })
      expect(await getEnquiry(market.as(admin), id)).toMatchObject({ id })
    }
  })

  test('an enquiry expires after ninety days, and renewing opens it again', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    expect(await countOpen(later(poster, 91))).toBe(0)
    await renewEnquiry(later(poster, 91), id)
    expect(await countOpen(later(poster, 91))).toBe(1)
  })
})

describe('answering', () => {
  test('with a public animal notifies the poster at once; a repeat changes nothing', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    const listing = await newListing()
    await respondToEnquiry(market.as(seller), id, listing)
    await respondToEnquiry(market.as(seller), id, listing)
    expect(await sent()).toEqual([
      {
        recipient: poster.phone,
        template: 'enquiry-offer',
        body: `Sandhai: A seller has answered your enquiry (Kangayam): Fine bull. https://sandhai.test/en/view-enquiry/${id}`,
      },
    ])
    expect(await offersOf(id)).toHaveLength(1)
    expect((await getEnquiry(market.as(poster), id)).offers).toBe(1)
    // The enquiry is closed meanwhile; a repeated answer still succeeds.
    await closeEnquiry(market.as(poster), id)
    await respondToEnquiry(market.as(seller), id, listing)
  })

  test('hides a phone number in the name of the animal', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    await respondToEnquiry(market.as(seller), id, await newListing({ nameEn: 'Bull 98765 43210' }))
    expect((await sent())[0]!.body).toContain(': Bull xxxxx. ')
  })

  test('with an unverified animal notifies nobody yet', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    await respondToEnquiry(market.as(seller), id, await newListing({ state: 'pending' }))
    expect(await sent()).toEqual([])
    const { shown, waiting } = await listOffers(market.as(poster), id)
    expect([shown.length, waiting]).toEqual([0, 1])
  })

  test('is for sellers, with their own animal of the right kind, for sale, while the enquiry is open', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    const anyLivestock = await makeEnquiry(market.ctx, { posterId: poster.id, categoryTypeId: 4, categoryId: null, breedId: null })
    const listing = await newListing()
    const goat = await newListing({ categoryId: 2, breedId: 201 })
    const feed = await newListing({ categoryId: 21, breedId: null, ageId: null, genderId: null, colorId: null })
    const gone = [
      await newListing({ isSold: true }),
      await newListing({ state: 'withdrawn' }),
      await newListing({ state: 'failed' }),
      await newListing({ touchedAt: new Date(Date.now() - 101 * DAY) }),
    ]
    expect(await refusalOf(respondToEnquiry(market.as(null), id, listing))).toBe('AUTH_REQUIRED')
    expect(await refusalOf(respondToEnquiry(market.as(await makeUser(market.ctx)), id, listing))).toBe('ROLE_FORBIDDEN')
    expect(await refusalOf(respondToEnquiry(market.as(stranger), id, listing))).toBe('NOT_FOUND')
    expect(await refusalOf(respondToEnquiry(market.as(seller), 999_999, listing))).toBe('NOT_FOUND')
    for (const wrong of [goat, feed, ...gone]) expect(await refusalOf(respondToEnquiry(market.as(seller), id, wrong))).toBe('VALIDATION')
    expect(await refusalOf(respondToEnquiry(market.as(seller), anyLivestock, listing))).toBe('VALIDATION')
    expect(await refusalOf(respondToEnquiry(market.as(seller), anyLivestock, feed))).toBe('taken')
    const own = await makeEnquiry(market.ctx, { posterId: seller.id })
    expect(await refusalOf(respondToEnquiry(market.as(seller), own, listing))).toBe('OWN_ENQUIRY')
    expect(await refusalOf(respondToEnquiry(later(seller, 91), id, listing))).toBe('ENQUIRY_STEP')
    const waiting = await makeEnquiry(market.ctx, { posterId: poster.id, isVerified: null })
    expect(await refusalOf(respondToEnquiry(market.as(seller), waiting, listing))).toBe('NOT_FOUND')
    await closeEnquiry(market.as(poster), id)
    expect(await refusalOf(respondToEnquiry(market.as(seller), id, listing))).toBe('ENQUIRY_STEP')
    expect(await offersOf(id)).toEqual([])
  })

  test('can be withdrawn by the seller, even after closing, a limited number of times a day', async () => {
    const limits = new RateLimits(1)
    const back = (viewer: Viewer | null, id: number, listing: number) => refusalOf(takeOfferBack(market.as(viewer), limits, id, listing))
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    const [kept, regretted] = [await newListing(), await newListing()]
    await respondToEnquiry(market.as(seller), id, kept)
    await respondToEnquiry(market.as(seller), id, regretted)
    for (const other of [stranger, poster, admin]) expect(await back(other, id, regretted)).toBe('NOT_FOUND')
    expect(await back(null, id, regretted)).toBe('AUTH_REQUIRED')
    expect(await back(seller, 999_999, regretted)).toBe('NOT_FOUND')
    expect(await offersOf(id)).toHaveLength(2)
    // A second tap changes nothing.
    for (let n = 0; n < 2; n++) expect(await back(seller, id, regretted)).toBe('taken')
    expect((await offersOf(id)).map(({ listingId }) => listingId)).toEqual([kept])
    const { shown, count } = await listOffers(market.as(poster), id)
    expect([shown.map(({ card }) => card.id), count]).toEqual([[kept], 1])
    const choices = await listOwnChoices(market.as(seller), await getEnquiry(market.as(seller), id))
    expect(choices.filter(({ isOffered }) => isOffered).map((choice) => choice.id)).toEqual([kept])
    const trail = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'enquiry_offer_taken_back'))
    expect(trail.filter(({ object }) => object === `enquiry:${id}`)).toHaveLength(1)
    await closeEnquiry(market.as(poster), id)
    expect(await back(seller, id, kept)).toBe('taken')
    expect(await offersOf(id)).toEqual([])
    // Each round of withdrawing and answering would cost an SMS to the poster.
    expect(await back(seller, id, kept)).toBe('taken')
    expect(await back(seller, id, kept)).toBe('RATE_LIMITED')
  })

  test('is limited to five animals per seller', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    for (let n = 0; n < 5; n++) await respondToEnquiry(market.as(seller), id, await newListing())
    expect(await refusalOf(respondToEnquiry(market.as(seller), id, await newListing()))).toBe('VALIDATION')
  })

  test('offers are for the poster and admins, the requested breed first, then the nearest', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    const far = await newListing({ pincode: '600001' })
    const otherBreed = await newListing({ breedId: 102 })
    const near = await newListing({ milkLitresPerDay: 4, genderId: 0 })
    const lockedOut = await makeUser(market.ctx, { typeId: 2, isActive: false })
    // The first of these becomes visible once it is verified.
    const hidden = [
      await newListing({ state: 'pending' }),
      await newListing({ state: 'pending', isSold: true }),
      await newListing({ state: 'pending', stock: 0 }),
      await newListing({ state: 'pending', sellerId: lockedOut.id }),
      await newListing({ state: 'failed' }),
      await newListing({ state: 'withdrawn' }),
      await newListing({ isSold: true }),
    ]
    for (const listing of [far, otherBreed, near, ...hidden]) await makeOffer(market.ctx, id, listing)
    for (const reader of [poster, admin]) {
      const offers = await listOffers(market.as(reader), id)
      expect(offers.shown.map(({ card }) => card.id)).toEqual([near, far, otherBreed])
      expect([offers.count, offers.waiting]).toEqual([3, 1])
      expect(offers.shown[0]).toMatchObject({ milkLitresPerDay: 4, color: 'Grey', seller: { phone: seller.phone, name: 'Murugesan' } })
    }
    for (const reader of [seller, stranger]) expect(await refusalOf(listOffers(market.as(reader), id))).toBe('NOT_FOUND')
    expect(
      (await listOwnChoices(market.as(seller), await getEnquiry(market.as(seller), id))).find((each) => each.id === near),
    ).toMatchObject({
      isOffered: true,
      isPending: false,
    })
  })
})

describe('a new listing as the answer', () => {
  const media = { remove: async () => {} } as never

  test('is prefilled from the enquiry, and linked when it is created', async () => {
    onAnswer(answerWithNew)
    const id = await makeEnquiry(market.ctx, { posterId: poster.id, genderId: 0, ageId: 7, weightKg: 300.25 })
    await beginListing(market.as(seller), media, id, { isAnew: false })
    const draft = await findDraft(market.as(seller))
    expect(draft!.typed).toEqual({
      key: expect.any(String) as string,
      stock: '1',
      enquiryId: String(id),
      categoryId: '1',
      breedId: '101',
      genderId: '0',
      ageId: '7',
      weightKg: '300.25',
    })
    // Continues the draft instead of starting a new one.
    await saveDraft(market.as(seller), { typed: { ...draft!.typed, name: 'Fine cow' }, version: null })
    await beginListing(market.as(seller), media, id, { isAnew: false })
    expect((await findDraft(market.as(seller)))!.typed.name).toBe('Fine cow')
    const typed = { ...draft!.typed, name: 'Fine cow', description: 'Calm', colorId: '6', stock: '1', originalPrice: '50000' }
    const { facts } = checkListing(typed, { today: '2026-11-21' })
    const [stored] = await market.ctx.db.select().from(listingDrafts)
    await market.ctx.db.insert(draftPhotos).values({ ...makePhoto(), draftId: stored!.id, position: 0 })
    const sale = { sellerId: seller.id, pickupAddressId, facts: facts! }
    const listing = await sendDraft(market.as(seller), draft!.typed.key!, sale, draft!.typed.enquiryId)
    expect((await offersOf(id)).map(({ listingId }) => listingId)).toEqual([listing])
    expect(await sent()).toEqual([])
  })

  test('is created even when it can no longer be linked', async () => {
    const closed = await makeEnquiry(market.ctx, { posterId: poster.id, closedAt: market.ctx.now })
    const own = await makeEnquiry(market.ctx, { posterId: seller.id })
    const goats = await makeEnquiry(market.ctx, { posterId: poster.id, categoryId: 2, breedId: 201 })
    const listing = await newListing()
    const ofGone = await makeEnquiry(market.ctx, { posterId: (await makeUser(market.ctx, { isActive: false })).id })
    for (const id of [closed, own, goats, ofGone, 999_999]) await answerWithNew(market.as(seller), id, listing)
    expect(await market.ctx.db.$count(enquiryOffers)).toBe(0)
  })

  test('counts towards the five animals per seller', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    for (let n = 0; n < OFFERS_PER_SELLER; n++) await answerWithNew(market.as(seller), id, await newListing())
    expect(await offersOf(id)).toHaveLength(OFFERS_PER_SELLER)
    await answerWithNew(market.as(seller), id, await newListing())
    expect(await offersOf(id)).toHaveLength(OFFERS_PER_SELLER)
    await answerWithNew(market.as(stranger), id, await newListing({ sellerId: stranger.id }))
    expect(await offersOf(id)).toHaveLength(OFFERS_PER_SELLER + 1)
  })

  test('replaces what was filled in for another enquiry, until the seller changes it', async () => {
    const [first, second] = [await makeEnquiry(market.ctx, { posterId: poster.id }), await makeEnquiry(market.ctx, { posterId: poster.id })]
    for (const id of [first, second]) await beginListing(market.as(seller), media, id, { isAnew: false })
    await saveDraft(market.as(seller), { typed: { enquiryId: `${second}`, name: 'Cow' }, version: null })
    expect(await refusalOf(beginListing(market.as(seller), media, first, { isAnew: false }))).toBe('VERSION')
  })

  test('replaces another draft only on request', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: poster.id })
    await saveDraft(market.as(seller), { typed: { key: 'key-1', name: 'Half a goat' }, version: 7 })
    expect(await refusalOf(beginListing(market.as(seller), media, id, { isAnew: false }))).toBe('VERSION')
    expect((await findDraft(market.as(seller)))!.typed.name).toBe('Half a goat')
    await beginListing(market.as(seller), media, id, { isAnew: true })
    expect(await findDraft(market.as(seller))).toMatchObject({ typed: { enquiryId: String(id) }, version: 8 })
  })

  test('is for sellers only, for open enquiries of others', async () => {
    const id = await makeEnquiry(market.ctx, { posterId: stranger.id })
    expect(await refusalOf(beginListing(market.as(poster), media, id, { isAnew: true }))).toBe('ROLE_FORBIDDEN')
    expect(await refusalOf(beginListing(market.as(stranger), media, id, { isAnew: true }))).toBe('OWN_ENQUIRY')
    expect(await refusalOf(beginListing(later(seller, 91), media, id, { isAnew: true }))).toBe('ENQUIRY_STEP')
    expect(await market.ctx.db.$count(listingDrafts)).toBe(0)
  })
})

describe('the board', () => {
  test('shows verified enquiries and one’s own; to admins all, pending ones first', async () => {
    const verified = await makeEnquiry(market.ctx, { posterId: poster.id })
    const waiting = await makeEnquiry(market.ctx, { posterId: poster.id, isVerified: null, createdAt: new Date(Date.now() - DAY) })
    const refused = await makeEnquiry(market.ctx, { posterId: stranger.id, isVerified: false })
    const closed = await makeEnquiry(market.ctx, { closedAt: new Date(Date.now() - DAY), createdAt: new Date(Date.now() - 2 * DAY) })
    const longClosed = await makeEnquiry(market.ctx, {
      closedAt: new Date(Date.now() - 31 * DAY),
      createdAt: new Date(Date.now() - 40 * DAY),
    })
    const expired = await makeEnquiry(market.ctx, { createdAt: new Date(Date.now() - 91 * DAY) })
    const ids = async (viewer: Viewer, filters = {}) =>
      (await listWanted(market.as(viewer), { ...noFilters, ...filters })).enquiries.map(({ id }) => id)
    expect(await ids(seller)).toEqual([verified, closed, expired])
    expect(await ids(poster)).toEqual([verified, waiting, closed, expired])
    expect(await ids(stranger)).toEqual([refused, verified, closed, expired])
    expect(await ids(admin)).toEqual([waiting, refused, verified, closed, longClosed, expired])
    expect(await ids(admin, { state: 'pending' })).toEqual([waiting])
    expect(await ids(admin, { state: 'refused' })).toEqual([refused])
    expect(await ids(admin, { state: 'open' })).toEqual([verified])
    expect(await ids(admin, { state: 'over' })).toEqual([closed, longClosed, expired])
    expect((await listOwnEnquiries(market.as(poster), null)).enquiries.map(({ id }) => id)).toEqual([verified, waiting])
    expect(await refusalOf(listWanted(market.as(null), noFilters))).toBe('AUTH_REQUIRED')
  })

  test('is filtered by kind, district and distance, and paged without a gap', async () => {
    const feed = await makeEnquiry(market.ctx, { categoryTypeId: 4, categoryId: null, breedId: null })
    const chennai = await makeEnquiry(market.ctx, { pincode: '600001' })
    const goat = await makeEnquiry(market.ctx, { categoryId: 2, breedId: null })
    const all = await listWanted(market.as(seller), noFilters)
    const ids = async (filters: object) => (await listWanted(market.as(seller), { ...noFilters, ...filters })).enquiries.map(({ id }) => id)
    expect(await ids({ categoryTypeId: 1 })).toEqual([goat, chennai])
    expect(await ids({ categoryId: 2 })).toEqual([goat])
    expect(await ids({ categoryTypeId: 4 })).toEqual([feed])
    expect(await ids({ district: 'Chennai' })).toEqual([chennai])
    const point = all.enquiries.find(({ id }) => id === goat)!.point!
    const near = await listWanted(market.as(seller), { ...noFilters, near: { point, withinKm: 50 } })
    expect(near.enquiries.map(({ id, kilometres }) => [id, kilometres])).toEqual([
      [goat, 0],
      [feed, 0],
    ])
    const paged: number[] = []
    for (let after = null as (typeof all)['next']; ;) {
      const page = await listWanted(market.as(seller), { ...noFilters, after }, 1)
      paged.push(...page.enquiries.map(({ id }) => id))
      expect(page.count).toBe(3)
      if (!page.next) break
      after = page.next
    }
    expect(paged).toEqual([goat, chennai, feed])
  })

  test('hides the enquiries of a deactivated person', async () => {
    const gone = await makeUser(market.ctx, { isActive: false })
    const id = await makeEnquiry(market.ctx, { posterId: gone.id })
    expect((await listWanted(market.as(seller), noFilters)).enquiries).toEqual([])
    expect(await countOpen(market.ctx)).toBe(0)
    expect(await refusalOf(getEnquiry(market.as(seller), id))).toBe('NOT_FOUND')
    expect(await getEnquiry(market.as(admin), id)).toMatchObject({ id })
  })

  test('allows no answer and no step on an enquiry of a deactivated person; an admin closes it', async () => {
    const gone = await makeUser(market.ctx, { isActive: false })
    const id = await makeEnquiry(market.ctx, { posterId: gone.id })
    expect(await refusalOf(respondToEnquiry(market.as(seller), id, await newListing()))).toBe('NOT_FOUND')
    for (const person of [seller, gone])
      for (const act of [closeEnquiry, renewEnquiry]) expect(await refusalOf(act(market.as(person), id))).toBe('NOT_FOUND')
    expect(await offersOf(id)).toEqual([])
    await judgeEnquiry(market.as(admin), id, { passed: false, comment: 'Locked out.' })
    await closeEnquiry(market.as(admin), id)
    expect((await rowOf(id)).closedAt).not.toBeNull()
  })
})

test('a person’s enquiries and answers are in their export, and are erased with them', async () => {
  const person = await makeUser(market.ctx, { typeId: 3 })
  const own = await makeEnquiry(market.ctx, { posterId: person.id, description: 'Only mine' })
  const other = await makeEnquiry(market.ctx, { posterId: poster.id })
  const listing = await makeListing(market.ctx, { sellerId: person.id })
  await makeOffer(market.ctx, other, listing)
  await makeOffer(market.ctx, own, await newListing())
  await market.ctx.db.insert(enquiryMatches).values({ enquiryId: other, sellerId: person.id, toldAt: market.ctx.now })
  expect(await exportPerson(market.as(person), person.id)).toMatchObject({
    enquiries: [{ id: own, description: 'Only mine', acceptablePrice: '80000' }],
    enquiriesAnswered: [{ enquiryId: other, listingId: listing }],
    enquiriesNotifiedOf: [{ enquiryId: other }],
  })
  await forgetPerson(market.as(person), person.id)
  expect(await exportPerson(market.as(person), person.id)).toEqual({ enquiries: [], enquiriesAnswered: [], enquiriesNotifiedOf: [] })
  expect(await rowOf(other)).toBeDefined()
  expect(await market.ctx.db.$count(enquiryOffers)).toBe(0)
  const { rows } = (await market.ctx.db.execute(sql`select 1 from enquiries where description = 'Only mine'`)) as unknown as {
    rows: unknown[]
  }
  expect(rows).toEqual([])
  expect(await market.ctx.db.$count(listings, eq(listings.id, listing))).toBe(1)
})
