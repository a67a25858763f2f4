import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { readBrowse } from '#src/listings/browse/schemas.ts'
import { listings } from '#src/listings/tables.ts'
import { listedRef } from '#src/selling/unsent/photo-refs.ts'
import { editListing, getEditedListing } from '#src/selling/listing/edit-listing.server.ts'
import { listOwnListings } from '#src/selling/own/own-listings.server.ts'
import { shownListing } from '#src/selling/own/own-listings-view.server.ts'
import { markSold, relist, withdraw } from '#src/selling/own/sale.server.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { cowFacts } from '#tools/test-kit/test-sale.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { m } from '#src/paraglide/messages.js'
import { makeVerification, makeSecondLook } from './makers.server.ts'
import { verifications, secondLooks } from './tables.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { countWaiting, findSecondLook, listSecondLooks, LOOKS_PER_PAGE } from './second-look-list.server.ts'
import { action as secondLookAction } from './second-look-page.tsx'
import { decideSecondLook, type SecondLookDecision } from './second-looks.server.ts'
import { verifyListing } from './verify-listing.server.ts'

let market: TestMarket
let media: MediaStore
let admin: Viewer
let other: Viewer
let seller: Viewer & { phone: string }
let pickupAddressId: number
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Office' })
  other = await makeUser(market.ctx, { typeId: 9, name: 'Second' })
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan', locale: 'ta' })
  pickupAddressId = await makeAddress(market.ctx, seller.id)
})

type Facts = NonNullable<Parameters<typeof makeListing>[1]>
const passedWords = { name: 'காங்கேயம் பசு', description: 'நல்ல குணம்' }
/** A passed cow, and its values as its edit form sends them unchanged. */
const listed = (facts: Facts = {}) => {
  const { tag: _tag, vaccinations: _vaccinations, ...cow } = cowFacts(passedWords)
  return makeListing(market.ctx, { ...cow, sellerId: seller.id, pickupAddressId, ...facts })
}
const edit = async (id: number, facts: Parameters<typeof cowFacts>[0], as: Viewer = seller, now = new Date()) => {
  const ctx = market.as(as, { now })
  const { version, photos } = await getEditedListing(ctx, id)
  return editListing(ctx, media, id, {
    version,
    pickupAddressId,
    facts: cowFacts(facts),
    isTagGone: false,
    photos: photos.map((photo) => listedRef(photo.id)),
  })
}
const rowOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!
const lookOf = async (id: number) => (await market.ctx.db.select().from(secondLooks).where(eq(secondLooks.listingId, id)))[0]
const waits = (id: number, as = admin) => findSecondLook(market.as(as), id)
const versionOf = async (id: number) => (await rowOf(id)).version
const decide = async (id: number, decision: { act: 'pass' } | { act: 'revert' | 'fail'; comment: string }, as: Viewer = admin) =>
  decideSecondLook(market.as(as), id, { ...decision, version: await versionOf(id) })
const revert = { act: 'revert', comment: 'No milk record.' } as const
const changed = async (facts: Facts = {}) => {
  const id = await listed(facts)
  await makeSecondLook(market.ctx, id, { name: 'புதிய பசு' })
  return id
}

describe('a new name or description of a passed listing', () => {
  test('is public at once, and waits for a second look beside the passed words', async () => {
    const id = await listed({ nameEn: 'Kangayam cow', descriptionEn: 'Calm' })
    expect(await edit(id, { name: 'கறவை பசு', description: 'நாளைக்கு 12 லிட்டர்' })).toEqual({ isChecked: false })
    expect(await getProduct(market.as(null), id)).toMatchObject({ state: 'passed', name: 'கறவை பசு' })
    expect(await lookOf(id)).toMatchObject({ ...passedWords, nameEn: 'Kangayam cow', descriptionEn: 'Calm' })
    expect(await waits(id)).toMatchObject({
      listingId: id,
      version: 2,
      seller: { id: seller.id, name: 'Murugesan' },
      before: passedWords,
      now: { name: 'கறவை பசு', description: 'நாளைக்கு 12 லிட்டர்' },
    })
  })

  test('a second edit keeps the passed words on record, and the listing’s position in the queue', async () => {
    const first = new Date(Date.now() - 5 * DAY)
    const id = await listed({ createdAt: first, touchedAt: first })
    await edit(id, { ...passedWords, name: 'A' }, seller, first)
    await edit(id, { ...passedWords, name: 'B', description: 'C' })
    expect(await lookOf(id)).toMatchObject({ ...passedWords, createdAt: first })
    expect(await waits(id)).toMatchObject({ before: passedWords, now: { name: 'B', description: 'C' }, changedAt: first })
  })

  test('an edit back to the passed words ends the second look', async () => {
    const id = await listed()
    await edit(id, { ...passedWords, name: 'A' })
    await edit(id, { ...passedWords, name: 'A', description: 'B' })
    await edit(id, passedWords)
    expect(await lookOf(id)).toBeUndefined()
  })

  test('a changed price or an unchanged form needs none, and an unpassed listing is verified anyway', async () => {
    const id = await listed()
    await edit(id, { ...passedWords, originalPrice: 900_000_000n })
    expect(await lookOf(id)).toBeUndefined()
    for (const state of ['pending', 'failed'] as const) {
      const id = await listed({ state })
      await edit(id, { ...passedWords, name: 'A' })
      expect(await lookOf(id), state).toBeUndefined()
    }
  })

  test('together with a material change, or the name of a wild animal, needs verification, which ends the second look', async () => {
    for (const facts of [{ name: 'A', breedId: 102 }, { name: 'பேசும் கிளி' }]) {
      const id = await listed()
      expect(await edit(id, { ...passedWords, ...facts })).toEqual({ isChecked: true })
      expect(await lookOf(id)).toBeUndefined()
    }
    const id = await listed()
    await edit(id, { ...passedWords, name: 'A' })
    expect(await edit(id, { ...passedWords, name: 'A', breedId: 102 })).toEqual({ isChecked: true })
    expect(await waits(id)).toBeUndefined()
    await verifyListing(market.as(admin), id, { passed: true, comment: 'Good.' })
    expect(await lookOf(id)).toBeUndefined()
  })
})

describe('the list of second looks', () => {
  test('has the longest waiting first, and its count beside that of the queue', async () => {
    const before = await countWaiting(market.as(admin))
    const later = await listed()
    const sooner = await listed()
    await edit(sooner, { ...passedWords, name: 'A' }, seller, new Date(Date.now() - DAY))
    await edit(later, { ...passedWords, name: 'A' })
    await listed({ state: 'pending' })
    const ids = (await listSecondLooks(market.as(admin))).map(({ listingId }) => listingId)
    expect(ids.filter((id) => id === sooner || id === later)).toEqual([sooner, later])
    expect(await countWaiting(market.as(admin))).toEqual({ queue: before.queue + 1, secondLooks: before.secondLooks + 2 })
  })

  test('has pages, and finds one of a later page by its number', async () => {
    const ctx = market.as(admin)
    while ((await countWaiting(ctx)).secondLooks <= LOOKS_PER_PAGE) await changed()
    const [first, second] = [await listSecondLooks(ctx), await listSecondLooks(ctx, 2)]
    const ids = [...first, ...second].map(({ listingId }) => listingId)
    expect([first.length, new Set(ids).size]).toEqual([LOOKS_PER_PAGE, (await countWaiting(ctx)).secondLooks])
    expect(await findSecondLook(ctx, ids.at(-1)!)).toEqual(second.at(-1))
    const own = await changed({ createdById: admin.id })
    for (const id of [own, await listed()]) expect(await findSecondLook(ctx, id)).toBeUndefined()
    expect(await findSecondLook(market.as(other), own)).toMatchObject({ listingId: own })
  })

  test('leaves out listings off the market, and shows them with the same words when they are back', async () => {
    const sold = await changed()
    await markSold(market.as(seller), sold, false)
    const withdrawn = await changed()
    // Passed by an admin, so that it returns without another verdict.
    await makeVerification(market.ctx, { listingId: withdrawn, adminId: admin.id, passed: true, comment: 'Good.' })
    await withdraw(market.as(seller), withdrawn)
    const closed = await changed()
    await market.ctx.db
      .update(listings)
      .set({ touchedAt: new Date(Date.now() - 101 * DAY) })
      .where(eq(listings.id, closed))
    const failed = await changed()
    await verifyListing(market.as(admin), failed, { passed: false, comment: 'Which breed?' })
    for (const id of [sold, withdrawn, closed]) {
      expect(await waits(id)).toBeUndefined()
      expect(await refusalOf(decide(id, revert))).toBe('LISTING_STEP')
      expect((await rowOf(id)).name).toBe('புதிய பசு')
    }
    expect(await lookOf(failed)).toBeUndefined()
    expect(await relist(market.as(seller), withdrawn)).toBe('passed')
    expect(await waits(withdrawn)).toMatchObject({ before: passedWords })
  })

  test('leaves out animals that the admin typed in or edited: another admin decides', async () => {
    const typedIn = await changed({ createdById: admin.id })
    const edited = await listed()
    await edit(edited, { ...passedWords, name: 'A' }, admin)
    for (const id of [typedIn, edited]) {
      expect(await waits(id)).toBeUndefined()
      expect(await refusalOf(decide(id, { act: 'pass' }))).toBe('OWN_LISTING')
      expect(await waits(id, other)).toBeDefined()
    }
    await decide(edited, { act: 'pass' }, other)
    expect(await lookOf(edited)).toBeUndefined()
  })
})

describe('an admin', () => {
  test('passes the new words: they stay, and the next change is compared with them', async () => {
    const id = await changed()
    const before = await rowOf(id)
    await decide(id, { act: 'pass' })
    expect(await rowOf(id)).toEqual(before)
    expect(await waits(id)).toBeUndefined()
    await edit(id, { ...passedWords, name: 'மூன்றாம் பெயர்' })
    expect((await waits(id))!.before.name).toBe('புதிய பசு')
  })

  test('reverts them: the earlier words are public and searchable in both languages, and the hundred days continue', async () => {
    const touchedAt = new Date(Date.now() - 20 * DAY)
    const id = await listed({ name: 'Kuruvai bull', nameEn: 'Rare Kuruvai bull', touchedAt })
    await makeSecondLook(market.ctx, id, { name: 'Zebra-striped bull' })
    const isFoundBy = async (q: string) => {
      const { choices } = readBrowse(0, new URLSearchParams({ q }), knownIds)
      return (await browseListings(market.as(null), choices, { near: null, pageSize: 24 })).cards.some((card) => card.id === id)
    }
    expect([await isFoundBy('Kuruvai'), await isFoundBy('striped')]).toEqual([false, true])
    await decide(id, revert)
    expect(await rowOf(id)).toMatchObject({ name: 'Kuruvai bull', nameEn: 'Rare Kuruvai bull', state: 'passed', version: 3, touchedAt })
    expect([await isFoundBy('Kuruvai'), await isFoundBy('striped')]).toEqual([true, false])
    expect(await lookOf(id)).toBeUndefined()
    expect(await market.ctx.db.$count(verifications, eq(verifications.listingId, id))).toBe(0)
  })

  test.each<['ta' | 'en', RegExp]>([
    ['ta', /சந்தை: .*காங்கேயம் பசு.*மீண்டும் வைத்தோம்: No milk record\. .*\/product\/(\d+)$/],
    ['en', /Sandhai: .*put back.*காங்கேயம் பசு.*: No milk record\. .*\/en\/product\/(\d+)$/],
  ])('the seller is told of a revert and its reason in their language (%s)', async (locale, text) => {
    const notified = await makeUser(market.ctx, { typeId: 2, locale })
    const id = await changed({ sellerId: notified.id, pickupAddressId: undefined! })
    await decide(id, revert)
    const sent = (await listMessages(market.ctx)).filter((message) => message.recipient === notified.phone)
    expect(sent).toMatchObject([{ channel: 'sms', template: 'listing-reverted', locale }])
    expect(text.exec(sent[0]!.body)?.[1]).toBe(String(id))
  })

  test('fails the listing as on the verification desk', async () => {
    const id = await changed()
    await decide(id, { act: 'fail', comment: 'Not a cow.' })
    expect(await rowOf(id)).toMatchObject({ state: 'failed', verificationComment: 'Not a cow.', name: 'புதிய பசு' })
    expect(await lookOf(id)).toBeUndefined()
    const sent = (await listMessages(market.ctx)).filter(({ body }) => body.includes('Not a cow.'))
    expect(sent).toMatchObject([{ template: 'listing-failed', recipient: seller.phone }])
  })

  test.each<[SecondLookDecision['act'], string[]]>([
    ['pass', ['second_look_decided']],
    ['revert', ['second_look_decided']],
    ['fail', ['second_look_decided', 'listing_failed']],
  ])('leaves %s in the audit trail, without the words', async (act, events) => {
    const id = await changed()
    await decide(id, act === 'pass' ? { act } : { act, comment: 'Why.' })
    const rows = await market.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `listing:${id}`))
      .orderBy(auditEvents.id)
    expect(rows.map(({ event }) => event)).toEqual(events)
    expect(rows[0]).toMatchObject({ actorId: admin.id, details: { act } })
  })

  test('can decide once, and only about the version they have seen', async () => {
    const id = await changed()
    const version = await versionOf(id)
    await edit(id, { ...passedWords, name: 'Unseen' })
    expect(await refusalOf(decideSecondLook(market.as(admin), id, { ...revert, version }))).toBe('VERSION')
    expect((await rowOf(id)).name).toBe('Unseen')
    await decide(id, { act: 'pass' })
    expect(await refusalOf(decide(id, revert, other))).toBe('VERSION')
    expect(await refusalOf(decide(await listed(), { act: 'pass' }))).toBe('NOT_FOUND')
    expect(await refusalOf(decideSecondLook(market.as(admin), 999_999, { act: 'pass', version: 1 }))).toBe('NOT_FOUND')
    expect((await rowOf(id)).name).toBe('Unseen')
  })

  test.each([
    ['pass', /“Keep the new text” \(Office, /],
    ['revert', /“Put back the earlier text” \(Office, /],
    ['fail', /“Fail” \(Office, /],
  ] as const)('reads who decided first: %s', async (act, named) => {
    const id = await changed()
    const version = await versionOf(id)
    await decide(id, act === 'pass' ? { act } : { act, comment: 'Why.' })
    const late = decideSecondLook(market.as(other), id, { act: 'pass', version }).catch((error: unknown) => error)
    expect(problemDetail((await late) as Problem, 'en')).toMatch(named)
  })

  test('is the only role that can read the list and decide', async () => {
    const id = await changed()
    const people = await Promise.all([1, 2, 3, 4, 5].map((typeId) => makeUser(market.ctx, { typeId, vetApproved: typeId === 5 })))
    for (const viewer of [null, seller, ...people]) {
      const code = viewer ? 'ROLE_FORBIDDEN' : 'AUTH_REQUIRED'
      const ctx = market.as(viewer)
      expect(await refusalOf(listSecondLooks(ctx))).toBe(code)
      expect(await refusalOf(countWaiting(ctx))).toBe(code)
      expect(await refusalOf(decideSecondLook(ctx, id, { ...revert, version: 2 }))).toBe(code)
    }
    expect(await lookOf(id)).toBeDefined()
  })
})

describe('the form of the list', () => {
  const send = (fields: Record<string, string>) =>
    sendForm(market.ctx, secondLookAction, { viewer: admin, params: {}, fields }).catch((redirected: unknown) =>
      redirected instanceof Response ? redirected.headers.get('Location') : String(redirected),
    )

  test('must send the version that the admin saw, and a reason when the seller reads one; else nothing is decided', async () => {
    const id = await changed()
    const listing = String(id)
    for (const version of ['', 'x', '1']) expect(await send({ act: 'pass', listing, version })).toBe('VERSION')
    for (const act of ['revert', 'fail']) expect(await send({ act, listing, version: '2', comment: ' ' })).toBe('VALIDATION')
    expect(await send({ act: 'pass', listing: 'x', version: '2' })).toBe('NOT_FOUND')
    expect(await send({ act: 'else', listing, version: '2' })).toBe('MALFORMED')
    expect(await waits(id)).toBeDefined()
    expect(await send({ act: 'revert', listing, version: '2', comment: 'Why.' })).toMatch(/\/admin\/second-looks\?done=revert&of=/)
    expect((await rowOf(id)).name).toBe(passedWords.name)
  })

  test('fails a listing for a reason in the seller’s language; the undo restores the second look', async () => {
    const id = await changed()
    const [listing, before] = [String(id), await rowOf(id)]
    const look = await lookOf(id)
    const fields = { act: 'fail', listing, version: '2', reason: 'twice', comment: 'L7.' }
    expect(await send(fields)).toMatch(new RegExp(`done=fail&of=${id}$`))
    const comment = `${m.verify_phrase_twice({}, { locale: 'ta' })} L7.`
    expect(await rowOf(id)).toMatchObject({ state: 'failed', verificationComment: comment })
    for (const _twice of [1, 2]) expect(await send({ act: 'undo', listing })).toMatch(/done=undo$/)
    expect([await rowOf(id), await lookOf(id)]).toEqual([before, look])
  })

  test('undoes no later verdict of the same admin, and none of another', async () => {
    const id = await changed()
    await send({ act: 'fail', listing: String(id), version: '2', reason: 'twice' })
    await verifyListing(market.as(admin), id, { passed: true, comment: 'It is right.' })
    expect(await send({ act: 'undo', listing: String(id) })).toBe('LISTING_STEP')
    await verifyListing(market.as(other), id, { passed: false, comment: 'It is wrong.' })
    expect(await send({ act: 'undo', listing: String(id) })).toBe('LISTING_STEP')
    expect((await rowOf(id)).state).toBe('failed')
  })
})

describe('the seller', () => {
  test('sees in their list that the new words wait for an admin, while they do', async () => {
    const isLookedAt = async (listingId: number) => {
      const ctx = market.as(seller)
      const filters = { sellerId: seller.id, tab: 'instock', seller: '', state: null, categoryId: null, listingId, after: null } as const
      return shownListing(ctx, (await listOwnListings(ctx, filters)).listings[0]!).isLookedAt
    }
    const decided = await changed()
    const withdrawn = await changed()
    expect([await isLookedAt(decided), await isLookedAt(withdrawn)]).toEqual([true, true])
    await decide(decided, { act: 'pass' })
    await withdraw(market.as(seller), withdrawn)
    expect([await isLookedAt(decided), await isLookedAt(withdrawn)]).toEqual([false, false])
  })
})

describe('the earlier words belong to the seller', () => {
  test("are in the seller's data export, and are erased with the account", async () => {
    const person = await makeUser(market.ctx, { typeId: 2 })
    const id = await changed({ sellerId: person.id, pickupAddressId: undefined! })
    const others = await changed()
    const ctx = market.as(person)
    expect(await exportPerson(ctx, person.id)).toMatchObject({ wordsBeforeSecondLook: [{ listingId: id, ...passedWords }] })
    expect(await forgetPerson(ctx, person.id)).toEqual([])
    expect(await lookOf(id)).toBeUndefined()
    expect(await lookOf(others)).toBeDefined()
  })
})
