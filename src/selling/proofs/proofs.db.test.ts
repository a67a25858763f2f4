import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { clipUrl } from '#src/kit/media/media-url.ts'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { DAY, indianDay } from '#src/kit/time-money/dates.ts'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { exportPerson, forgetPerson } from '#src/listings/privacy.server.ts'
import { milkings } from '#src/listings/proofs/tables.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { readBrowse } from '#src/listings/browse/schemas.ts'
import { listings } from '#src/listings/tables.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { decideProof, type ProofDecision, undoRefusal } from '#src/verification/proofs/decide-proof.server.ts'
import { findWaitingProof, listWaitingProofs, PROOFS_PER_PAGE } from '#src/verification/proofs/waiting-proofs.server.ts'
import { action as proofDeskAction } from '#src/verification/proofs/proofs-page.tsx'
import { addMilking, removeMilking } from './milkings.server.ts'
import { getOwnProofs } from './own-proofs.server.ts'

let app: TestApp
let seller: Viewer, other: Viewer, admin: Viewer, secondAdmin: Viewer
let cow: number
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 100 } })
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9 })
  secondAdmin = await makeUser(app.ctx, { typeId: 9 })
})
beforeEach(async () => {
  seller = await makeUser(app.ctx, { typeId: 2 })
  other = await makeUser(app.ctx, { typeId: 2 })
  cow = await makeCow()
})

const makeCow = (facts: object = {}) =>
  makeListing(app.ctx, { sellerId: seller.id, breedId: 118, genderId: 0, milkLitresPerDay: 12, name: 'ஜெர்சி பசு', ...facts })
const as = (viewer: Viewer | null, days = 0): Ctx => ({ ...app.ctx, viewer, now: new Date(app.ctx.now.getTime() + days * DAY) })
const day = (ago = 0) => indianDay(new Date(app.ctx.now.getTime() - ago * DAY))
const clip = async () => ({ file: await makeClip(), still: null })

interface Told {
  who?: Viewer
  of?: number
  ago?: number
  time?: 'morning' | 'evening'
  litres?: number
  hasClip?: boolean
}
const tell = async ({ who = seller, of = cow, ago = 0, time = 'morning', litres = 6.5, hasClip = true }: Told = {}) =>
  addMilking(as(who), app.media, of, { milkedOn: day(ago), time, litres, clip: hasClip ? await clip() : null })
const decide = async (act: ProofDecision['act'] = 'seen', who = admin) => {
  const mine = (await listWaitingProofs(as(who))).filter(({ listingId }) => listingId === cow)
  for (const { key, revision } of mine) await decideProof(as(who), key, { act, revision })
  return mine.length
}
const wrongField = async (act: Promise<unknown>) => {
  const problem: unknown = await act.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(problem instanceof Problem)) throw new Error('The call was not refused.', { cause: problem })
  return (problem.fields ?? []).map(({ field, message }) => `${field}: ${message}`)
}
const cardOf = async (days = 0) => {
  const { choices } = readBrowse(0, new URLSearchParams('category=1'), knownIds)
  const { cards } = await browseListings({ ...as(null, days), locale: 'en' }, choices, { near: null, pageSize: 100 })
  const milk = cards.find(({ id }) => id === cow)?.milk
  return milk && `${milk.litres} · ${milk.proof}`
}
const publicOf = (days = 0) => getProduct(as(null, days), cow)

describe('milkings', () => {
  test("are shown as the seller's statement until an admin has seen their clips; then list and page count the clips seen", async () => {
    expect(await cardOf()).toBe('12 l milk · seller says')
    await tell({ hasClip: false })
    await tell({ ago: 1, time: 'evening', litres: 5 })
    await tell({ ago: 1, litres: 6 })
    expect(await cardOf()).toBe('12 l milk · seller says')
    expect((await publicOf()).milkings).toEqual([
      { id: expect.any(Number) as number, on: day(), time: 'morning', litres: 6.5, clip: null },
      { id: expect.any(Number) as number, on: day(1), time: 'evening', litres: 5, clip: null },
      { id: expect.any(Number) as number, on: day(1), time: 'morning', litres: 6, clip: null },
    ])
    expect(await decide()).toBe(2)
    expect(await cardOf()).toBe('12 l milk · 2 milkings shown')
    expect((await publicOf()).milkings.map(({ clip }) => clip?.format ?? null)).toEqual([null, 'mp4', 'mp4'])
    expect((await publicOf()).state).toBe('passed')
  })

  test('are hidden after thirty days', async () => {
    await tell({ ago: 2 })
    await tell({ ago: 1 })
    await decide()
    expect(await cardOf(28)).toBe('12 l milk · 2 milkings shown')
    expect(await cardOf(29)).toBe('12 l milk · 1 milking shown')
    expect((await publicOf(29)).milkings).toHaveLength(1)
    expect(await cardOf(30)).toBe('12 l milk · seller says')
    expect((await getOwnProofs(as(seller, 30), cow)).milkings.map(({ state }) => state)).toEqual(['old', 'old'])
  })

  test('are limited to three, each of one morning or evening of the last thirty days', async () => {
    expect(await wrongField(tell({ ago: -1 }))).toEqual(['milkedOn: field_milking_day'])
    expect(await wrongField(tell({ ago: 31 }))).toEqual(['milkedOn: field_milking_day'])
    await tell({ ago: 30, hasClip: false })
    await tell({ hasClip: false })
    expect(await wrongField(tell())).toEqual(['milkedOn: field_milking_twice'])
    const third = await tell({ time: 'evening', hasClip: false })
    expect(await wrongField(tell({ ago: 3 }))).toEqual(['milkedOn: field_milkings_three'])
    await removeMilking(as(seller), app.media, third)
    await tell({ ago: 3, hasClip: false })
  })

  test.each([
    ['a bull', { genderId: 1, milkLitresPerDay: null }],
    ['a cow that gives none', { milkLitresPerDay: 0 }],
    ['a cow of which nobody said', { milkLitresPerDay: null }],
    ['a hen', { categoryId: 4, breedId: null, milkLitresPerDay: null }],
  ])('are refused for %s', async (_, facts) => {
    expect(await wrongField(tell({ of: await makeCow(facts) }))).toEqual(['milkedOn: field_milking_dry'])
  })

  test('can be added by the seller, or an admin for them, while the animal is for sale', async () => {
    expect(await refusalOf(tell({ who: other }))).toBe('NOT_FOUND')
    expect(await refusalOf(tell({ who: await makeUser(app.ctx, { typeId: 1 }) }))).toBe('NOT_FOUND')
    for (const state of ['withdrawn'] as const) expect(await refusalOf(tell({ of: await makeCow({ state }) }))).toBe('LISTING_STEP')
    expect(await refusalOf(tell({ of: await makeCow({ isSold: true }) }))).toBe('LISTING_STEP')
    const id = await tell({ who: admin })
    expect(await refusalOf(removeMilking(as(other), app.media, id))).toBe('NOT_FOUND')
    expect(await refusalOf(getOwnProofs(as(other), cow))).toBe('NOT_FOUND')
  })

  test('with an invalid clip are refused, and no file stays', async () => {
    const milking = { milkedOn: day(), time: 'morning' as const, litres: 5 }
    const broken = addMilking(as(seller), app.media, cow, { ...milking, clip: { file: Buffer.from('no clip at all'), still: null } })
    expect(await wrongField(broken)).toEqual(['clip: field_clip_kind'])
    expect((await getOwnProofs(as(seller), cow)).milkings).toEqual([])
  })

  test('lose their clip when they are removed', async () => {
    const id = await tell()
    const [row] = await app.ctx.db.select().from(milkings).where(eq(milkings.id, id))
    const key = row!.mediaKey!
    expect(await usedPictureKeys(app.ctx.db, [key])).toEqual(new Set([key]))
    await decide()
    await removeMilking(as(seller), app.media, id)
    expect(await usedPictureKeys(app.ctx.db, [key])).toEqual(new Set())
    expect((await app.call(clipUrl({ key, kind: 'video', format: 'mp4' }), { as: seller })).status).toBe(404)
    expect(await cardOf()).toBe('12 l milk · seller says')
  })
})

describe("the admins' desk for proofs", () => {
  test('refuses a clip that does not show it: it stays hidden, and its seller gets the reason', async () => {
    await tell()
    await decide('refuse')
    expect(await cardOf()).toBe('12 l milk · seller says')
    const own = await getOwnProofs(as(seller), cow)
    expect(own.milkings.map(({ state }) => state)).toEqual(['refused'])
    const key = own.milkings[0]!.clip!.key
    expect((await app.call(clipUrl({ key, kind: 'video', format: 'mp4' }), { as: other })).status).toBe(404)
    expect(await decide()).toBe(0)
    expect(await refusalOf(decideProof(as(admin), key, { act: 'seen', revision: 1 }))).toBe('VERSION')
  })

  test('undoes a refusal: the clip waits again; not late, not that of another admin, and not after a removal', async () => {
    const id = await tell()
    await decide('refuse')
    const { key } = (await getOwnProofs(as(seller), cow)).milkings[0]!.clip!
    await expect(undoRefusal(as(secondAdmin), key)).rejects.toMatchObject({ code: 'VERSION' })
    const late = { ...as(admin), now: new Date(Date.now() + (MESSAGE_DELAY_SECONDS + 1) * 1000) }
    await expect(undoRefusal(late, key)).rejects.toMatchObject({ code: 'VERSION' })
    const send = (fields: Record<string, string>) =>
      sendForm(app.ctx, proofDeskAction as never, { viewer: admin, params: {}, fields: { key, ...fields } }).catch((redirected: unknown) =>
        (redirected as Response).headers.get('Location'),
      )
    for (const _twice of [1, 2]) expect(await send({ act: 'undo' })).toMatch(new RegExp(`done=undo&of=${key}$`))
    expect((await getOwnProofs(as(seller), cow)).milkings.map(({ state }) => state)).toEqual(['waiting'])
    expect(await send({ act: 'refuse', revision: '1' })).toMatch(new RegExp(`done=refuse&of=${key}$`))
    await removeMilking(as(seller), app.media, id)
    expect(await send({ act: 'undo' })).toBe('NOT_FOUND')
  })

  test('wait on pages, the longest waiting first, and one of a later page is found by its key', async () => {
    const key = 'abcdefghijklmnopqr'
    const clipFacts = { format: 'mp4' as const, bytes: 9, millis: 900, width: 320, height: 240 }
    for (let n = 0; n <= PROOFS_PER_PAGE; n += 1) {
      const facts = { listingId: await makeCow(), addedById: seller.id, milkedOn: day(), time: 'morning' as const, litres: 6.5 }
      await app.ctx.db.insert(milkings).values({ ...facts, ...clipFacts, mediaKey: `${key}${10 + n}`, createdAt: as(null, -1).now })
    }
    const pages = [await listWaitingProofs(as(admin)), await listWaitingProofs(as(admin), 2)]
    const [first, second] = pages.map((proofs) => proofs.map((proof) => proof.key).filter((each) => each.startsWith(key)))
    expect([first!.length, second!.length, pages[0]![0]!.waiting >= 21]).toEqual([PROOFS_PER_PAGE, 1, true])
    expect(await findWaitingProof(as(admin), second![0]!)).toMatchObject({ key: `${key}30`, waiting: 1 })
    expect(await findWaitingProof(as(admin), 'unknown')).toBeUndefined()
    await app.ctx.db.delete(milkings).where(eq(milkings.addedById, seller.id))
  })

  test('four eyes: an admin who sent it for the seller, or sells the animal, cannot decide', async () => {
    await tell({ who: admin })
    const [waiting] = (await listWaitingProofs(as(secondAdmin))).filter(({ listingId }) => listingId === cow)
    expect(await decide('seen', admin)).toBe(0)
    const decision = { act: 'seen' as const, revision: waiting!.revision }
    expect(await refusalOf(decideProof(as(admin), waiting!.key, decision))).toBe('OWN_LISTING')
    for (const who of [seller, other]) expect(await refusalOf(decideProof(as(who), waiting!.key, decision))).toBe('ROLE_FORBIDDEN')
    await decideProof(as(secondAdmin), waiting!.key, decision)
    expect(await cardOf()).toBe('12 l milk · 1 milking shown')
  })

  test('queues it again when the description has changed, and refuses a decision about the earlier one', async () => {
    await tell()
    await decide()
    await app.ctx.db.update(listings).set({ revision: 2 }).where(eq(listings.id, cow))
    expect(await cardOf()).toBe('12 l milk · seller says')
    const [waiting] = (await listWaitingProofs(as(admin))).filter(({ listingId }) => listingId === cow)
    expect(await refusalOf(decideProof(as(admin), waiting!.key, { act: 'seen', revision: 1 }))).toBe('VERSION')
    expect(await decide()).toBe(1)
    expect(await cardOf()).toBe('12 l milk · 1 milking shown')
  })
})

test('an erasure deletes milkings, and the data export contains them before', async () => {
  await tell()
  await tell({ ago: 1, hasClip: false })
  const { milkings: own } = await getOwnProofs(as(seller), cow)
  expect(await exportPerson(app.ctx, seller.id)).toMatchObject({
    milkings: [
      { listingId: cow, milkedOn: day(), time: 'morning', litres: 6.5 },
      { listingId: cow, milkedOn: day(1), clipBytes: null },
    ],
  })
  const files = await inTransaction(as(seller), (ctx) => forgetPerson(ctx, seller.id))
  expect(files).toEqual(expect.arrayContaining([own[0]!.clip!.key]))
  expect(await app.ctx.db.$count(milkings, eq(milkings.listingId, cow))).toBe(0)
})
