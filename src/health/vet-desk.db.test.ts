import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '../accounts/tables.ts'
import type { Viewer } from '../kit/context.ts'
import { defaultSettings } from '../kit/settings.ts'
import { DAY, daysBefore, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { decodeCursor } from '#src/kit/http/pagination.ts'
import { auditEvents, limitCounts } from '#src/kit/db/tables.ts'
import { makeListing } from '../listings/makers.server.ts'
import { getProduct } from '../listings/queries.server.ts'
import { listings } from '../listings/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { makeVetCheck } from './makers.server.ts'
import { vetChecks, vetHolds } from './tables.ts'
import { checkForm } from './check-schema.server.ts'
import { giveBack, listHolds, takeAnimal } from './holds.server.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { DESK_CURSOR, deskList, findOwnPincode, listDesk, type DeskChoices } from './queries.server.ts'
import { deskOf } from './listing-desk.server.ts'
import { listOwnChecks } from './own-checks.server.ts'
import { recordVetCheck } from './record-check.server.ts'
import { faultOfDay, HOLD_HOURS } from './rules.ts'
import { action as checkAction } from './vet-check-page.tsx'

const { holds: MOST_HELD, checks: MOST_CHECKED } = defaultSettings.vetDay

let market: TestMarket
let vet: Viewer, other: Viewer, newVet: Viewer, admin: Viewer
let seller: Viewer & { phone: string }
let pickupAddressId: number

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const makeVet = (name: string) => makeUser(market.ctx, { typeId: 5, vetApproved: true, name, degree: 'BVSc' })
  vet = await makeVet('Meena')
  other = await makeVet('Ravi')
  newVet = await makeUser(market.ctx, { typeId: 5 })
  admin = await makeUser(market.ctx, { typeId: 9 })
  seller = await makeUser(market.ctx, { typeId: 2, locale: 'en' })
  pickupAddressId = await makeAddress(market.ctx, seller.id, { phone: '+919812345678' })
})
beforeEach(async () => {
  await market.ctx.db.delete(vetHolds)
  await market.ctx.db.update(listings).set({ state: 'withdrawn' })
})

const animal = (facts: Parameters<typeof makeListing>[1] = {}) =>
  makeListing(market.ctx, {
    sellerId: seller.id,
    pickupAddressId,
    createdAt: daysBefore(market.ctx.now, 20),
    touchedAt: market.ctx.now,
    ...facts,
  })
const today = () => indianDay(market.ctx.now)
const found = { approved: true, comments: 'Sound on all four legs.', checkedOn: '' }
const finding = (changes: object = {}) => ({ ...found, checkedOn: today(), ...changes })
const later = (hours: number) => new Date(market.ctx.now.getTime() + (hours * DAY) / 24)
const all: DeskChoices = { isComplete: false, district: null, near: null, after: null, top: 60 }
const idsOf = async (viewer: Viewer, choices: Partial<DeskChoices> = {}, changes: object = {}) =>
  (await listDesk(market.as(viewer, changes), { ...all, ...choices })).animals.map(({ product }) => product.id)
const eventsOn = (id: number) =>
  market.ctx.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.object, `listing:${id}`))
    .orderBy(auditEvents.id)

describe('taking an animal', () => {
  test('shows the place to its vet and to nobody else', async () => {
    const id = await animal()
    expect((await getProduct(market.as(vet), id)).pickup).toBeNull()
    expect(await takeAnimal(market.as(vet), id)).toBe('taken')
    expect((await getProduct(market.as(vet), id)).pickup).toMatchObject({ address1: '1 Sample Farm', phone: '+919812345678' })
    const buyer = await makeUser(market.ctx)
    for (const viewer of [other, newVet, buyer, null]) expect((await getProduct(market.as(viewer), id)).pickup).toBeNull()
    // After two days the hold has ended.
    expect((await getProduct(market.as(vet, { now: later(HOLD_HOURS + 1) }), id)).pickup).toBeNull()
    const [event] = await eventsOn(id)
    expect(event).toMatchObject({ event: 'animal_taken', actorId: vet.id })
  })

  test('blocks other vets until it is given back or the two days are over', async () => {
    const id = await animal()
    await takeAnimal(market.as(vet), id)
    expect(await refusalOf(takeAnimal(market.as(other), id))).toBe('ANIMAL_HELD')
    expect(await refusalOf(giveBack(market.as(other), id))).toBe('NOT_HELD')
    expect(await refusalOf(takeAnimal(market.as(other, { now: later(HOLD_HOURS - 1) }), id))).toBe('ANIMAL_HELD')
    expect(await takeAnimal(market.as(other, { now: later(HOLD_HOURS) }), id)).toBe('taken')
    await giveBack(market.as(other), id)
    expect(await takeAnimal(market.as(vet), id)).toBe('taken')
  })

  test('again does not extend the two days', async () => {
    const id = await animal()
    await takeAnimal(market.as(vet), id)
    const [first] = await listHolds(market.ctx, vet.id)
    expect(await takeAnimal(market.as(vet, { now: later(10) }), id)).toBe('taken')
    expect((await listHolds(market.ctx, vet.id))[0]).toEqual(first)
  })

  test(`is limited to ${MOST_HELD} at once`, async () => {
    const ids: number[] = []
    for (let n = 0; n <= MOST_HELD; n++) ids.push(await animal())
    for (const id of ids.slice(0, MOST_HELD)) expect(await takeAnimal(market.as(vet), id)).toBe('taken')
    expect(await takeAnimal(market.as(vet), ids[MOST_HELD]!)).toBe('full')
    await giveBack(market.as(vet), ids[0]!)
    expect(await takeAnimal(market.as(vet), ids[MOST_HELD]!)).toBe('taken')
    expect(await listHolds(market.ctx, vet.id)).toHaveLength(MOST_HELD)
  })

  test('is for approved vets only', async () => {
    const id = await animal()
    expect(await refusalOf(takeAnimal(market.as(newVet), id))).toBe('VET_NOT_APPROVED')
    expect(await refusalOf(takeAnimal(market.as(null), id))).toBe('AUTH_REQUIRED')
    for (const viewer of [seller, admin, await makeUser(market.ctx)])
      expect(await refusalOf(takeAnimal(market.as(viewer), id))).toBe('ROLE_FORBIDDEN')
    expect(await market.ctx.db.$count(vetHolds)).toBe(0)
  })

  test('is refused after the vet has lost approval or was deactivated', async () => {
    const id = await animal()
    for (const [change, code] of [
      [{ vetApproved: false }, 'VET_NOT_APPROVED'],
      [{ isActive: false }, 'ROLE_FORBIDDEN'],
      [{ typeId: 1 }, 'ROLE_FORBIDDEN'],
    ] as const) {
      const former = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
      await market.ctx.db.update(users).set(change).where(eq(users.id, former.id))
      expect(await refusalOf(takeAnimal(market.as(former), id)), JSON.stringify(change)).toMatch(
        code === 'VET_NOT_APPROVED' ? code : /ROLE_FORBIDDEN|VET_NOT_APPROVED/,
      )
      expect(await refusalOf(recordVetCheck(market.as(former), id, finding()))).toMatch(/ROLE_FORBIDDEN|VET_NOT_APPROVED/)
    }
    expect(await market.ctx.db.$count(vetHolds)).toBe(0)
  })

  test('is refused for hidden, sold, closed, checked and own animals, and for goods', async () => {
    const deactivated = await makeUser(market.ctx, { typeId: 2, isActive: false })
    const rope = { categoryId: 11, breedId: null, ageId: null, genderId: null, colorId: null }
    const checked = await animal()
    await makeVetCheck(market.ctx, { listingId: checked, vetId: other.id, ...finding() })
    const cases: [number, string][] = [
      [await animal({ state: 'pending' }), 'NOT_FOUND'],
      [await animal({ state: 'failed' }), 'NOT_FOUND'],
      [await makeListing(market.ctx, { sellerId: deactivated.id }), 'NOT_FOUND'],
      [await animal(rope), 'NOT_FOUND'],
      [999_999, 'NOT_FOUND'],
      [await animal({ isSold: true }), 'LISTING_STEP'],
      [await animal({ touchedAt: daysBefore(market.ctx.now, 101) }), 'LISTING_STEP'],
      [checked, 'LISTING_STEP'],
      [await animal({ createdById: vet.id }), 'OWN_LISTING'],
    ]
    for (const [id, code] of cases) expect(await refusalOf(takeAnimal(market.as(vet), id)), `${id}`).toBe(code)
  })
})

describe('the hold of a former vet', () => {
  test("does not block another vet's finding", async () => {
    const id = await animal()
    const former = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    await takeAnimal(market.as(former), id)
    expect(await refusalOf(recordVetCheck(market.as(vet), id, finding()))).toBe('ANIMAL_HELD')
    await market.ctx.db.update(users).set({ vetApproved: false }).where(eq(users.id, former.id))
    await recordVetCheck(market.as(vet), id, finding())
  })

  test.each([{ vetApproved: false }, { isActive: false }, { typeId: 1 }])('does not block other vets: %j', async (change) => {
    const id = await animal()
    const former = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    await takeAnimal(market.as(former), id)
    expect([await idsOf(vet), await refusalOf(takeAnimal(market.as(vet), id))]).toEqual([[], 'ANIMAL_HELD'])
    await market.ctx.db.update(users).set(change).where(eq(users.id, former.id))
    expect(await listHolds(market.ctx, former.id)).toEqual([])
    expect([await idsOf(vet), await idsOf(vet, { isFreeOnly: true })]).toEqual([[id], [id]])
    expect(await takeAnimal(market.as(vet), id)).toBe('taken')
    expect(await refusalOf(takeAnimal(market.as(other), id))).toBe('ANIMAL_HELD')
    // Approved again, the former holder has no hold to give back.
    await market.ctx.db.update(users).set({ vetApproved: true, isActive: true, typeId: 5 }).where(eq(users.id, former.id))
    expect(await refusalOf(giveBack(market.as(former), id))).toBe('NOT_HELD')
    expect((await listHolds(market.ctx, vet.id)).map(({ listingId }) => listingId)).toEqual([id])
  })
})

describe("the desk's form", () => {
  const send = async (as: Viewer, id: number) => {
    await market.ctx.db.delete(limitCounts).where(eq(limitCounts.key, `writeMinute:${as.id}`))
    const act = sendForm(market.ctx, checkAction, { viewer: as, params: { listingId: String(id) }, fields: { act: 'take', from: 'desk' } })
    return act.catch((redirected: unknown) => (redirected instanceof Response ? redirected.headers.get('location') : String(redirected)))
  }

  test('reveals as many addresses a day to a vet as they may check, even if they give animals back', async () => {
    const keen = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    const kept: number[] = []
    for (let n = 0; n < MOST_HELD; n++) kept.push(await animal())
    for (const id of kept) expect(await send(keen, id)).toBe(`/en/vet-verify/${id}`)
    // An attempt that reveals no address costs nothing.
    const held = await animal()
    expect(await send(keen, held)).toBe('/en/vet-verify?full=1')
    await giveBack(market.as(keen), kept[0]!)
    await takeAnimal(market.as(other), held)
    expect(await send(keen, held)).toBe('ANIMAL_HELD')
    for (let n = MOST_HELD; n < MOST_CHECKED; n++) {
      const id = await animal()
      expect(await send(keen, id)).toBe(`/en/vet-verify/${id}`)
      await giveBack(market.as(keen), id)
    }
    const oneMore = await animal()
    expect(await send(keen, oneMore)).toBe('/en/vet-verify?full=day')
    expect((await getProduct(market.as(keen), oneMore)).pickup).toBeNull()
    expect(await send(vet, oneMore)).toBe(`/en/vet-verify/${oneMore}`)
  })
})

test('the day of a finding is between the listing or last description and today, in Indian days', () => {
  const now = new Date('2026-11-21T20:00:00Z')
  const listed = { createdAt: new Date('2026-11-01T04:00:00Z'), changedAt: new Date('2026-11-09T20:00:00Z') }
  const days = ['2026-10-31', '2026-11-01', '2026-11-09', '2026-11-10', '2026-11-22', '2026-11-23']
  expect(days.map((day) => faultOfDay(day, listed, now))).toEqual([
    'before-listing',
    'before-change',
    'before-change',
    null,
    null,
    'future',
  ])
})

describe('a check', () => {
  test('ends the hold, appears with its findings, and notifies the seller once in their language', async () => {
    const id = await animal({ genderId: 0 })
    await takeAnimal(market.as(vet), id)
    const looked = { temperatureC: 38.6, bodyCondition: 3.5, teeth: 'good', udder: 'watch', gait: 'good', skin: 'bad' } as const
    await recordVetCheck(market.as(vet), id, finding(looked))
    expect(await listHolds(market.ctx, vet.id)).toEqual([])
    const { vetChecks: shown, touchedAt, version } = await getProduct(market.as(null), id)
    expect(shown).toMatchObject([
      { approved: true, comments: found.comments, checkedOn: today(), vetName: 'Meena', vetDegree: 'BVSc', findings: looked },
    ])
    // A check is no edit by the seller.
    expect([touchedAt.getTime(), version]).toEqual([market.ctx.now.getTime(), 1])
    const sent = (await listMessages(market.ctx)).filter(
      ({ recipient, body }) => recipient === seller.phone && body.includes(`/product/${id}?`),
    )
    expect(sent).toMatchObject([{ channel: 'sms', template: 'vet-result', locale: 'en' }])
    expect(sent[0]!.body).toMatch(/^Sandhai: the vet has checked .*Result: Pass\. Sound on all four legs\. .*\/en\/product\/\d+\?tab=vet$/)
    const events = await eventsOn(id)
    expect(events.at(-1)).toMatchObject({ event: 'vet_check_recorded', actorId: vet.id, details: { approved: true } })
  })

  test('needs no hold and takes the animal for two days (decisions §8.5)', async () => {
    const id = await animal()
    await takeAnimal(market.as(other), id)
    expect(await refusalOf(recordVetCheck(market.as(vet), id, finding()))).toBe('ANIMAL_HELD')
    await giveBack(market.as(other), id)
    await recordVetCheck(market.as(vet), id, finding())
    // The vet may correct the finding at once; another vet adds one after two days.
    await recordVetCheck(market.as(vet), id, finding({ comments: 'Sound, a little thin.' }))
    const byOther = (hours: number) => refusalOf(recordVetCheck(market.as(other, { now: later(hours) }), id, finding()))
    expect([await byOther(0), await byOther(HOLD_HOURS - 1), await byOther(HOLD_HOURS)]).toEqual(['ANIMAL_HELD', 'ANIMAL_HELD', 'taken'])
    expect(await market.ctx.db.$count(vetChecks, eq(vetChecks.listingId, id))).toBe(3)
    expect(await market.ctx.db.$count(vetHolds)).toBe(0)
  })

  test('of an animal that the seller has described anew since is open to every vet', async () => {
    const id = await animal()
    await recordVetCheck(market.as(vet), id, finding())
    await market.ctx.db.update(listings).set({ revision: 2 }).where(eq(listings.id, id))
    expect(await refusalOf(recordVetCheck(market.as(other), id, finding()))).toBe('taken')
  })

  test(`is limited to ${MOST_CHECKED} in 24 hours, and the refusal names the seconds`, async () => {
    const keen = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    const id = await animal()
    const check = { listingId: id, vetId: keen.id, approved: true, comments: 'Sound.', checkedOn: today() }
    for (let n = 1; n < MOST_CHECKED; n++) await makeVetCheck(market.ctx, { ...check, createdAt: later(-23) })
    await recordVetCheck(market.as(keen), id, finding())
    await expect(recordVetCheck(market.as(keen), id, finding())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 3600 })
    expect(await refusalOf(recordVetCheck(market.as(keen, { now: later(1) }), id, finding()))).toBe('taken')
  })

  test('is only added: the last one counts, earlier ones stay', async () => {
    const id = await animal()
    await recordVetCheck(market.as(vet), id, finding())
    await recordVetCheck(market.as(other, { now: later(HOLD_HOURS) }), id, finding({ approved: false, comments: 'Lame.' }))
    const { vetChecks: shown } = await getProduct(market.as(null), id)
    expect(shown.map(({ approved, vetName }) => [approved, vetName])).toEqual([
      [false, 'Ravi'],
      [true, 'Meena'],
    ])
    await expect(market.ctx.db.update(vetChecks).set({ approved: true }).where(eq(vetChecks.listingId, id))).rejects.toThrow()
    await expect(market.ctx.db.delete(vetChecks).where(eq(vetChecks.listingId, id))).rejects.toThrow()
  })

  test('is dated between the listing day and today, in Indian days', async () => {
    const { now } = market.ctx
    const id = await animal({ createdAt: daysBefore(now, 10) })
    const on = (checkedOn: string) => refusalOf(recordVetCheck(market.as(vet), id, finding({ checkedOn })))
    expect(await on(indianDayIn(now, 1))).toBe('VALIDATION')
    expect(await on(indianDay(daysBefore(now, 11)))).toBe('VALIDATION')
    expect(await on(indianDay(daysBefore(now, 10)))).toBe('taken')
    expect(await on(today())).toBe('taken')
    // 1:30 at night in India is still the previous evening in UTC.
    const night = new Date(`${today()}T20:00:00Z`)
    const tomorrow = indianDay(night)
    expect(await refusalOf(recordVetCheck(market.as(vet, { now: night }), id, finding({ checkedOn: tomorrow })))).toBe('taken')
  })

  test('refuses an udder finding for a male', async () => {
    expect(await refusalOf(recordVetCheck(market.as(vet), await animal({ genderId: 1 }), finding({ udder: 'good' })))).toBe('VALIDATION')
    expect(await refusalOf(recordVetCheck(market.as(vet), await animal({ genderId: 0 }), finding({ udder: 'good' })))).toBe('taken')
  })

  test('is refused for an own animal and for hidden ones', async () => {
    expect(await refusalOf(recordVetCheck(market.as(vet), await animal({ createdById: vet.id }), finding()))).toBe('OWN_LISTING')
    expect(await refusalOf(recordVetCheck(market.as(vet), await animal({ state: 'pending' }), finding()))).toBe('NOT_FOUND')
    expect(await refusalOf(recordVetCheck(market.as(vet), await animal({ isSold: true }), finding()))).toBe('LISTING_STEP')
    const closed = await animal({ createdAt: daysBefore(market.ctx.now, 120), touchedAt: daysBefore(market.ctx.now, 101) })
    expect(await refusalOf(recordVetCheck(market.as(vet), closed, finding()))).toBe('LISTING_STEP')
    expect(await refusalOf(recordVetCheck(market.as(null), await animal(), finding()))).toBe('AUTH_REQUIRED')
    for (const viewer of [seller, admin])
      expect(await refusalOf(recordVetCheck(market.as(viewer), await animal(), finding()))).toBe('ROLE_FORBIDDEN')
    expect(await refusalOf(recordVetCheck(market.as(newVet), await animal(), finding()))).toBe('VET_NOT_APPROVED')
  })
})

test('the form is open at once to every approved vet, except while another vet holds or has just checked the animal', async () => {
  const id = await animal()
  const deskFor = async (viewer: Viewer, hours = 0) => {
    const ctx = market.as(viewer, { now: later(hours) })
    const { isApproved, isForSale, mineUntil, othersUntil } = deskOf(ctx, await getProduct(ctx, id))
    return { isApproved, isForSale, isMine: mineUntil !== null, isOthers: othersUntil !== null }
  }
  const open = { isApproved: true, isForSale: true, isMine: false, isOthers: false }
  expect(await deskFor(vet)).toEqual(open)
  expect(await deskFor(newVet)).toEqual({ ...open, isApproved: false })
  await takeAnimal(market.as(vet), id)
  expect([await deskFor(vet), await deskFor(other)]).toEqual([
    { ...open, isMine: true },
    { ...open, isOthers: true },
  ])
  await recordVetCheck(market.as(vet), id, finding())
  expect([await deskFor(vet), await deskFor(other), await deskFor(other, HOLD_HOURS)]).toEqual([open, { ...open, isOthers: true }, open])
})

describe('the check form', () => {
  const form = { approved: 'yes', checkedOn: '2026-11-01', comments: 'Good.' }
  const faults = (changes: object) =>
    checkForm.safeParse({ ...form, ...changes }).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

  test('requires approval, day and comments, in the specification’s order', () => {
    expect(faults({ approved: '', checkedOn: '', comments: ' ' })).toEqual([
      'approved: field_check_approved_blank',
      'checkedOn: field_check_date_blank',
      'comments: field_check_comments_blank',
    ])
  })

  test.each([
    [{ checkedOn: '2026-02-30' }, ['checkedOn: field_check_date_wrong']],
    [{ checkedOn: '1/11/2026' }, ['checkedOn: field_check_date_wrong']],
    [{ comments: 'x'.repeat(1001) }, ['comments: field_comment_long']],
    [{ temperatureC: '29.9' }, ['temperatureC: field_check_temperature']],
    [{ temperatureC: '45.1' }, ['temperatureC: field_check_temperature']],
    [{ temperatureC: '38.55' }, ['temperatureC: field_check_temperature']],
    [{ temperatureC: '1e1' }, ['temperatureC: field_check_temperature']],
    [{ bodyCondition: '3.2' }, ['bodyCondition: field_wrong']],
    [{ bodyCondition: '0.5' }, ['bodyCondition: field_wrong']],
    [{ teeth: 'fine' }, ['teeth: field_wrong']],
  ])('refuses %j', (changes, expected) => {
    expect(faults(changes)).toEqual(expected)
  })

  test('accepts commas, Tamil digits and empty findings', () => {
    expect(checkForm.parse({ ...form, temperatureC: '38,5', bodyCondition: '2.5', udder: 'bad' })).toMatchObject({
      temperatureC: 38.5,
      bodyCondition: 2.5,
      udder: 'bad',
    })
    expect(checkForm.parse({ ...form, temperatureC: '௩௯' }).temperatureC).toBe(39)
    expect(checkForm.parse({ ...form, temperatureC: '', bodyCondition: '', teeth: '' })).toMatchObject({
      temperatureC: null,
      bodyCondition: null,
      teeth: null,
      gait: null,
    })
  })
})

describe("the vets' desk", () => {
  test('lists an animal on one of its two tabs, depending on a valid finding', async () => {
    const id = await animal()
    expect([await idsOf(vet), await idsOf(vet, { isComplete: true })]).toEqual([[id], []])
    await recordVetCheck(market.as(vet), id, finding())
    expect([await idsOf(vet), await idsOf(vet, { isComplete: true })]).toEqual([[], [id]])
    expect([await idsOf(vet, {}, { now: later(30 * 24) }), await idsOf(vet, { isComplete: true }, { now: later(30 * 24) })]).toEqual([
      [],
      [id],
    ])
    expect([await idsOf(vet, {}, { now: later(31 * 24) }), await idsOf(vet, { isComplete: true }, { now: later(31 * 24) })]).toEqual([
      [id],
      [],
    ])
  })

  test('lists it again after the seller describes another animal', async () => {
    const id = await animal()
    await recordVetCheck(market.as(vet), id, finding())
    await market.ctx.db.update(listings).set({ changedAt: market.ctx.now, revision: 2 }).where(eq(listings.id, id))
    expect([await idsOf(vet), await idsOf(vet, { isComplete: true })]).toEqual([[id], []])
  })

  test('excludes own animals, those held by other vets, hidden ones and goods', async () => {
    const free = await animal()
    const taken = await animal()
    await animal({ createdById: vet.id })
    await animal({ state: 'pending' })
    await animal({ stock: 0 })
    await animal({ touchedAt: daysBefore(market.ctx.now, 101) })
    await animal({ categoryId: 11, breedId: null, ageId: null, genderId: null, colorId: null })
    const dog = await animal({ categoryId: 5, breedId: 501 })
    await takeAnimal(market.as(other), taken)
    expect(await idsOf(vet)).toEqual([free, dog])
    expect(await idsOf(other)).toEqual([free, taken, expect.any(Number), dog])
    expect((await idsOf(admin)).length).toBe(4)
    for (const viewer of [seller, await makeUser(market.ctx)])
      expect(await refusalOf(listDesk(market.as(viewer), all))).toBe('ROLE_FORBIDDEN')
    expect(await refusalOf(listDesk(market.as(newVet), all))).toBe('VET_NOT_APPROVED')
  })

  test('filters by district, sorts by distance, and pages', async () => {
    const kangayam = await animal({ pincode: '638701' })
    const pollachi = await animal({ pincode: '642001' })
    const madurai = await animal({ pincode: '625001' })
    expect(await idsOf(vet, { district: 'Coimbatore' })).toEqual([pollachi])
    const near = { lat: 10.66, lon: 77.0 }
    expect(await idsOf(vet, { near })).toEqual([pollachi, kangayam, madurai])
    const first = await listDesk(market.as(vet), { ...all, near, top: 2 })
    expect([first.found, first.foundMore, first.animals.map(({ kilometres }) => kilometres! < 100)]).toEqual([3, false, [true, true]])
    const after = decodeCursor(first.next, deskList({ ...all, near }), DESK_CURSOR)
    expect(after).not.toBeNull()
    expect(await idsOf(vet, { near, after, top: 2 })).toEqual([madurai])
    expect(decodeCursor(first.next, deskList(all), DESK_CURSOR)).toBeNull()
    const longest = await listDesk(market.as(vet), { ...all, top: 2 })
    expect(await idsOf(vet, { after: decodeCursor(longest.next, deskList(all), DESK_CURSOR), top: 2 })).toEqual([madurai])
  })

  test('lists the last checked first, and pages', async () => {
    const [a, b, c] = [await animal(), await animal(), await animal()]
    for (const id of [b, c, a]) await recordVetCheck(market.as(vet), id, finding())
    const first = await listDesk(market.as(admin), { ...all, isComplete: true, top: 2 })
    expect(first.animals.map(({ product }) => product.id)).toEqual([a, c])
    const after = decodeCursor(first.next, deskList({ ...all, isComplete: true }), DESK_CURSOR)
    expect(await idsOf(admin, { isComplete: true, top: 2, after })).toEqual([b])
  })

  test('starts from the vet’s own address', async () => {
    const local = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    expect(await findOwnPincode(market.as(local))).toBeNull()
    await makeAddress(market.ctx, local.id, { pincode: '642001' })
    expect(await findOwnPincode(market.as(local))).toBe('642001')
  })
})

describe('a vet’s own checks', () => {
  test('are visible to that vet only, newest first, each with the last day of its validity', async () => {
    const own = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    const [old, changed, valid] = [await animal(), await animal({ revision: 2 }), await animal()]
    const check = { vetId: own.id, approved: true, comments: 'Sound.', revision: 1 }
    await makeVetCheck(market.ctx, { ...check, listingId: old, checkedOn: indianDay(daysBefore(market.ctx.now, 60)) })
    await makeVetCheck(market.ctx, { ...check, listingId: changed, checkedOn: today() })
    await makeVetCheck(market.ctx, { ...check, listingId: valid, checkedOn: '2026-01-01', vetId: other.id })
    await makeVetCheck(market.ctx, { ...check, listingId: valid, checkedOn: today() })
    const checks = await listOwnChecks(market.as(own), 1)
    expect(checks.count).toBe(3)
    expect(checks.rows.map(({ listingId, validUntil }) => [listingId, validUntil !== null])).toEqual([
      [valid, true],
      [changed, false],
      [old, false],
    ])
    expect((await listOwnChecks(market.as(own), 2)).rows).toEqual([])
    for (const viewer of [seller, admin]) expect(await refusalOf(listOwnChecks(market.as(viewer), 1))).toBe('ROLE_FORBIDDEN')
  })
})

test('a vet’s holds are part of their export and end with the erasure of their account', async () => {
  const id = await animal()
  await takeAnimal(market.as(vet), id)
  expect(await exportPerson(market.ctx, vet.id)).toMatchObject({ vetHolds: [{ listingId: id }] })
  expect(await forgetPerson(market.ctx, vet.id)).toEqual([])
  expect(await takeAnimal(market.as(other), id)).toBe('taken')
})
