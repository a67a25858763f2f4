import { type Problem } from '#src/kit/base/problem.ts'
import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { addresses } from '#src/addresses/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { listings } from '#src/listings/tables.ts'
import { exportPerson, forgetPerson } from '#src/selling/privacy/privacy.server.ts'
import { createListing } from '#src/selling/listing/sell.server.ts'
import { addPhotos } from '#src/selling/photos/photos.server.ts'
import { quickEdit } from '#src/selling/own/quick-edit.server.ts'
import { quickEditInput } from '#src/selling/own/quick-edit-schemas.ts'
import { relist, withdraw } from '#src/selling/own/sale.server.ts'
import { ownerCodes, ownerConsents, owners } from '../tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { cowFacts, picture } from '#tools/test-kit/test-sale.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'
import { answerAsOwner, askUnasked, changeFee, closeUnanswered, sendCode } from './consents.server.ts'
import { listOwnerListings } from './owner-listings.server.ts'
import { findOwner, findOwnerByCode, holdOwner, sweepOwners } from './owners.server.ts'
import { findListedForMe, takeOver } from './take-over.server.ts'
import { readOwner } from './owner-input.server.ts'
import type { Fee } from './terms.ts'

let market: TestMarket
let media: MediaStore
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})

let seed = 1
/** Numbers far apart, because neighbouring ones share limits. */
const freshPhone = () => `+916${String(100_000_000 + 7_000_003 * seed++)}`
const rupees = (amount: number): Fee => ({ rupees: BigInt(amount) * 10_000n })

async function agent(): Promise<{ ctx: Ctx; id: number; pickup: number }> {
  const viewer = await makeUser(market.ctx, { typeId: 4, name: 'Agent Arul' })
  return { ctx: market.as(viewer), id: viewer.id, pickup: await makeAddress(market.ctx, viewer.id) }
}

/** A cow with a photo that an agent has listed for an owner. */
async function asked({
  by,
  phone = freshPhone(),
  fee = rupees(2000),
}: { by?: Awaited<ReturnType<typeof agent>>; phone?: string; fee?: Fee } = {}) {
  const of = by ?? (await agent())
  const id = await createListing(of.ctx, {
    sellerId: of.id,
    pickupAddressId: of.pickup,
    facts: cowFacts(),
    owner: { name: 'Raman', phone, fee },
  })
  await addPhotos(of.ctx, media, id, [await picture(seed++)])
  const owner = (await findOwner(market.ctx, phone))!
  return { agent: of, id, phone, owner }
}

const rowOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!
const consentOf = async (id: number) => (await market.ctx.db.select().from(ownerConsents).where(eq(ownerConsents.listingId, id)))[0]!
const smsTo = async (phone: string) => (await listMessages(market.ctx, 1000)).filter(({ recipient }) => recipient === phone)
const codeFor = async (phone: string) => /owner\/([a-z0-9]{10})$/.exec((await smsTo(phone))[0]!.body)![1]!
const answer = async (id: number, owner: { id: number }, how: 'agree' | 'refuse' | 'pull', more: object = {}) =>
  answerAsOwner(market.ctx, owner as never, { listingId: id, round: (await consentOf(id)).round, answer: how, ...more })

async function pass(id: number): Promise<void> {
  const admin = market.as(await makeUser(market.ctx, { typeId: 9 }))
  await verifyListing(admin, id, { passed: true, comment: 'Photos and facts agree.' })
}

describe('a listing for an owner', () => {
  test('is a hidden draft until the owner agrees with the code of their SMS; then it goes to verification', async () => {
    const { id, phone, agent: by } = await asked()
    expect(await rowOf(id)).toMatchObject({ state: 'draft', ownerName: 'Raman', ownerAgreed: false, sellerId: by.id })
    expect(await refusalOf(getProduct(market.ctx, id))).toBe('NOT_FOUND')
    const sms = (await smsTo(phone))[0]!
    expect(sms.template).toBe('owner-asked')
    expect(sms.body).toContain('Agent Arul')
    const owner = (await findOwnerByCode(market.ctx, await codeFor(phone)))!
    const [shown] = await listOwnerListings(market.ctx, media, owner)
    // 85,000 less 5 % commission less 2,000.
    expect(shown).toMatchObject({ id, isAsked: true, price: '₹85,000', commission: '₹4,250', feeAmount: '₹2,000', inHand: '₹78,750' })
    expect(shown!.photo).toMatch(/^data:image\/webp;base64,/)
    await answer(id, owner, 'agree')
    expect(await rowOf(id)).toMatchObject({ state: 'pending', ownerAgreed: true })
    await pass(id)
    expect(await getProduct(market.ctx, id)).toMatchObject({ ownerName: 'Raman', seller: { name: 'Agent Arul' } })
  })

  test('cannot be published without the owner by photos, an edit, a relisting or a verdict', async () => {
    const { id, agent: by } = await asked()
    await addPhotos(by.ctx, media, id, [await picture(seed++)])
    expect((await rowOf(id)).state).toBe('draft')
    await quickEdit(by.ctx, id, { stock: 1, weightKg: 320, originalPrice: 850_000_000n, offerPrice: null } as never)
    expect((await rowOf(id)).state).toBe('draft')
    await withdraw(by.ctx, id)
    expect(await relist(by.ctx, id)).toBe('draft')
    await market.ctx.db.update(listings).set({ state: 'failed' }).where(eq(listings.id, id))
    await pass(id)
    expect(await rowOf(id)).toMatchObject({ state: 'draft', ownerAgreed: false })
  })

  test('is kept off the market by a database constraint, too', async () => {
    const { id } = await asked()
    await expect(market.ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, id))).rejects.toThrow()
  })

  test('needs a new consent when the price changes, and is back at once when an admin has passed it', async () => {
    const { id, owner, agent: by } = await asked()
    await answer(id, owner, 'agree')
    await pass(id)
    const before = await consentOf(id)
    await quickEdit(by.ctx, id, { stock: 1, weightKg: 320, originalPrice: 800_000_000n, offerPrice: null } as never)
    expect(await rowOf(id)).toMatchObject({ state: 'draft', ownerAgreed: false })
    expect(await refusalOf(answerAsOwner(market.ctx, owner, { listingId: id, round: before.round, answer: 'agree' }))).toBe('VERSION')
    await answer(id, owner, 'agree')
    expect(await rowOf(id)).toMatchObject({ state: 'passed', ownerAgreed: true })
  })

  test('keeps the consent when stock changes or the fee falls; a higher fee, or another kind of fee, needs a new one', async () => {
    const { id, owner, agent: by } = await asked()
    await answer(id, owner, 'agree')
    await pass(id)
    await quickEdit(by.ctx, id, { stock: 3, weightKg: 320, originalPrice: 850_000_000n, offerPrice: null } as never)
    await changeFee(by.ctx, id, rupees(1000))
    expect(await rowOf(id)).toMatchObject({ state: 'passed', ownerAgreed: true })
    await changeFee(by.ctx, id, rupees(1001))
    expect((await rowOf(id)).state).toBe('draft')
    await answer(id, owner, 'agree')
    await changeFee(by.ctx, id, { percent: 1 })
    expect((await rowOf(id)).state).toBe('draft')
  })

  test('refuses a fee, and a price, that leave the owner nothing after our commission of 5 %', async () => {
    const by = await agent()
    const fieldsOf = (change: Promise<unknown>) =>
      change.then(
        () => [],
        ({ fields }: Problem) => fields!.map(({ field }) => field),
      )
    expect(await fieldsOf(asked({ by, fee: rupees(80_750) }))).toEqual(['ownerFee'])
    const { id } = await asked({ by })
    const edit = (originalPrice: number, offerPrice?: number, stock = 1) =>
      quickEdit(by.ctx, id, quickEditInput.parse({ stock, weightKg: 320, originalPrice, offerPrice }))
    expect(await fieldsOf(changeFee(by.ctx, id, rupees(80_750)))).toEqual(['ownerFee'])
    expect(await fieldsOf(edit(2000))).toEqual(['originalPrice'])
    await changeFee(by.ctx, id, rupees(80_749))
    await edit(90_000, 85_001)
    expect(await fieldsOf(edit(90_000, 84_990))).toEqual(['offerPrice'])
    expect(await rowOf(id)).toMatchObject({ originalPrice: 900_000_000n, offerPrice: 850_010_000n })
    // A listing from before this rule, or from before a higher commission, can still change its stock.
    await market.ctx.db.update(ownerConsents).set({ fee: 850_010_000n }).where(eq(ownerConsents.listingId, id))
    await edit(90_000, 85_001, 2)
    expect(await rowOf(id)).toMatchObject({ stock: 2 })
  })

  test('can be pulled at any time with the same code, and the agent gets the reason; it returns only with a new consent', async () => {
    const { id, phone, owner, agent: by } = await asked()
    await answer(id, owner, 'agree')
    await pass(id)
    const again = (await findOwnerByCode(market.ctx, await codeFor(phone)))!
    await answer(id, again, 'pull', { reason: 'sold' })
    expect(await rowOf(id)).toMatchObject({ state: 'withdrawn', ownerAgreed: false })
    expect(await refusalOf(getProduct(market.ctx, id))).toBe('NOT_FOUND')
    const told = await market.ctx.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.userId, by.id), eq(outbox.template, 'owner-pulled')))
    expect(told[0]!.body).toContain('விற்பனைக்கு இல்லை')
    expect(await relist(by.ctx, id)).toBe('draft')
    expect((await consentOf(id)).state).toBe('asked')
  })

  test('is closed by a refusal; an owner who refuses an agent for good is not asked by them again, but by others', async () => {
    const { id, phone, owner, agent: by } = await asked()
    await answer(id, owner, 'refuse', { reason: 'unknown', isForGood: true })
    expect((await rowOf(id)).state).toBe('withdrawn')
    const count = (await smsTo(phone)).length
    expect(await refusalOf(asked({ by, phone }))).toBe('VALIDATION')
    expect(await refusalOf(relist(by.ctx, id))).toBe('LISTING_STEP')
    expect(await smsTo(phone)).toHaveLength(count)
    await asked({ phone })
    expect(await smsTo(phone)).toHaveLength(count + 1)
  })

  test('accepts an answer from its owner only, and only to the current question', async () => {
    const mine = await asked()
    const other = await asked()
    expect(await refusalOf(answer(mine.id, other.owner, 'agree'))).toBe('NOT_FOUND')
    expect(await refusalOf(answer(mine.id, mine.owner, 'pull'))).toBe('LISTING_STEP')
    await answer(mine.id, mine.owner, 'refuse')
    expect(await refusalOf(answer(mine.id, mine.owner, 'agree'))).toBe('LISTING_STEP')
    expect(await findOwnerByCode(market.ctx, 'abcdefghjk')).toBeNull()
  })

  test('is closed after two weeks without an answer, and the agent gets an SMS', async () => {
    const { id, agent: by } = await asked()
    expect(await closeUnanswered(market.ctx)).toBe(0)
    await market.ctx.db
      .update(ownerConsents)
      .set({ askedAt: sql`now() - interval '15 days'` as never })
      .where(eq(ownerConsents.listingId, id))
    expect(await closeUnanswered(market.ctx)).toBe(1)
    expect((await rowOf(id)).state).toBe('withdrawn')
    expect(await market.ctx.db.$count(outbox, and(eq(outbox.userId, by.id), eq(outbox.template, 'owner-silent')))).toBe(1)
  })
})

describe('the SMS to an owner', () => {
  test('are limited to three a day from all agents; the page of the first one shows everything', async () => {
    const phone = freshPhone()
    const first = await asked({ phone })
    for (let n = 0; n < 4; n++) await asked({ phone })
    expect(await smsTo(phone)).toHaveLength(3)
    const owner = (await findOwnerByCode(market.ctx, await codeFor(phone)))!
    expect((await listOwnerListings(market.ctx, media, owner)).map(({ id }) => id)).toContain(first.id)
    expect(await listOwnerListings(market.ctx, media, owner)).toHaveLength(5)
  })

  test('above the fifteen of one agent a day go out the next day, and the two weeks begin then', async () => {
    const by = await agent()
    const phones = Array.from({ length: 17 }, freshPhone)
    const all: Awaited<ReturnType<typeof asked>>[] = []
    for (const phone of phones) all.push(await asked({ by, phone }))
    const counts = async () => (await Promise.all(phones.map(smsTo))).map((messages) => messages.length)
    const asOnFirstDay = [...Array<number>(15).fill(1), 0, 0]
    expect(await counts()).toEqual(asOnFirstDay)
    expect(await askUnasked(market.ctx)).toBe(0)
    const yesterday = (column: string) => sql`${sql.identifier(column)} - interval '25 hours'` as never
    await market.ctx.db.update(ownerCodes).set({ createdAt: yesterday('created_at') })
    await market.ctx.db.update(ownerConsents).set({ askedAt: yesterday('asked_at') })
    expect([await askUnasked(market.ctx), await askUnasked(market.ctx)]).toEqual([2, 0])
    expect(await counts()).toEqual(Array(17).fill(1))
    const days = async (n: number) => (Date.now() - (await consentOf(all[n]!.id)).askedAt.getTime()) / 86_400_000
    expect([Math.round(await days(0)), Math.round(await days(16))]).toEqual([1, 0])
  })

  test('of an agent who has used up theirs do not hold up the owners of another agent', async () => {
    const [full, other] = [await agent(), await agent()]
    const first = await asked({ by: full })
    const fee = { fee: 20_000_000n, feePercent: null }
    const price = (await rowOf(first.id)).price
    // More than one round looks at wait for the full agent, before the one of the other agent.
    for (let n = 0; n < 51; n++) {
      const owner = await holdOwner(market.ctx, freshPhone())
      const listingId = await makeListing(market.ctx, { sellerId: full.id, state: 'draft', ownerName: 'Raman', ownerAgreed: false })
      const askedAt = new Date(market.ctx.now.getTime() - 3_600_000)
      await market.ctx.db
        .insert(ownerConsents)
        .values({ listingId, ownerId: owner.id, agentId: full.id, ...fee, price, state: 'asked', askedAt })
    }
    await market.ctx.db.insert(ownerCodes).values(
      Array.from({ length: 15 }, (_, n) => ({
        codeHash: Buffer.from(`full-${full.id}-${n}`),
        ownerId: first.owner.id,
        agentId: full.id,
      })),
    )
    const { phone, owner } = await asked({ by: other })
    await market.ctx.db.delete(ownerCodes).where(eq(ownerCodes.ownerId, owner.id))
    expect(await askUnasked(market.ctx)).toBe(1)
    expect(await smsTo(phone)).toHaveLength(2)
    await market.ctx.db.delete(ownerConsents).where(eq(ownerConsents.agentId, full.id))
  })

  test('are limited to two a day by number, and none goes out when nothing is listed for it', async () => {
    const { phone } = await asked()
    for (let n = 0; n < 4; n++) await sendCode(market.ctx, phone)
    expect((await smsTo(phone)).filter(({ template }) => template === 'owner-link')).toHaveLength(2)
    const stranger = freshPhone()
    await sendCode(market.ctx, stranger)
    expect(await smsTo(stranger)).toEqual([])
    expect(await findOwner(market.ctx, stranger)).toBeNull()
  })

  test("are sealed: neither number nor code is readable in the owners' tables", async () => {
    const { phone } = await asked()
    const code = await codeFor(phone)
    const stored = JSON.stringify([await market.ctx.db.select().from(owners), await market.ctx.db.select().from(ownerCodes)])
    for (const secret of [phone, code]) expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
    const [sms] = await market.ctx.db.select().from(outbox).where(eq(outbox.recipient, phone))
    expect(sms!.body).toBe('')
  })
})

describe('the owner that an agent names', () => {
  const typed = { ownerName: 'Raman', ownerPhone: '98765 43210', ownerFee: '2,000', ownerFeeUnit: 'rupees' }
  test('is accepted in the usual spellings', async () => {
    const { ctx } = await agent()
    expect(readOwner(ctx, typed)).toEqual({
      terms: { name: 'Raman', phone: '+919876543210', fee: rupees(2000) },
      problems: [],
    })
    expect(readOwner(ctx, { ...typed, ownerFee: '௫', ownerFeeUnit: 'percent' }).terms?.fee).toEqual({ percent: 5 })
  })

  test.each([
    [{ ownerName: '' }, 'ownerName'],
    [{ ownerPhone: '12345' }, 'ownerPhone'],
    [{ ownerPhone: '+12025550123' }, 'ownerPhone'],
    [{ ownerFee: '' }, 'ownerFee'],
    [{ ownerFee: '51', ownerFeeUnit: 'percent' }, 'ownerFee'],
    [{ ownerFee: '2.5', ownerFeeUnit: 'percent' }, 'ownerFee'],
  ])('%j is refused at its field', async (wrong, field) => {
    const { ctx } = await agent()
    expect(readOwner(ctx, { ...typed, ...wrong })).toMatchObject({ terms: null, problems: [{ field }] })
  })

  test('can be named by agents and admins only, and never is the agent', async () => {
    const seller = market.as(await makeUser(market.ctx, { typeId: 2 }))
    expect(readOwner(seller, typed).problems).toEqual([{ field: 'whose', message: 'field_owner_agents' }])
    const by = await agent()
    const [person] = await market.ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, by.id))
    expect(await refusalOf(asked({ by, phone: person!.phone }))).toBe('VALIDATION')
  })
})

describe('an owner who registers with their number', () => {
  test('takes over the listings that agents made for it, with place and consent; orders stay, and each agent gets one SMS', async () => {
    const { id, phone, owner, agent: by } = await asked()
    const second = await asked({ by, phone })
    const gone = await asked({ phone })
    await answer(id, owner, 'agree')
    await pass(id)
    await answer(gone.id, owner, 'refuse')
    const person = await makeUser(market.ctx, { typeId: 2, name: 'Raman', phone })
    const ctx = market.as(person)
    expect(await findListedForMe(ctx)).toEqual({ count: 2, agents: ['Agent Arul'] })
    expect(await takeOver(ctx)).toBe(2)
    expect(await rowOf(id)).toMatchObject({ sellerId: person.id, createdById: by.id, state: 'passed', ownerName: null, ownerAgreed: null })
    expect(await rowOf(second.id)).toMatchObject({ sellerId: person.id, state: 'pending' })
    expect((await rowOf(gone.id)).sellerId).toBe(gone.agent.id)
    const book = await market.ctx.db.select().from(addresses).where(eq(addresses.userId, person.id))
    expect(book).toMatchObject([{ name: 'Raman', phone, pincode: '638701' }])
    expect((await rowOf(id)).pickupAddressId).toBe(book[0]!.id)
    expect(await getProduct(market.ctx, id)).toMatchObject({ ownerName: null, seller: { name: 'Raman' } })
    expect(await market.ctx.db.$count(outbox, and(eq(outbox.userId, by.id), eq(outbox.template, 'owner-took-over')))).toBe(1)
    expect(await takeOver(ctx)).toBe(0)
    expect(await refusalOf(withdraw(by.ctx, id))).toBe('NOT_FOUND')
  })

  test('sees no listings for other numbers, and a buyer cannot take over', async () => {
    const { phone } = await asked()
    expect(await findListedForMe(market.as(await makeUser(market.ctx, { typeId: 2 })))).toBeNull()
    expect(await refusalOf(takeOver(market.as(await makeUser(market.ctx, { typeId: 1, phone }))))).toBe('ROLE_FORBIDDEN')
  })
})

describe('stored data of owners', () => {
  test('is in the export of the agent, and of the person with that number', async () => {
    const { id, phone, agent: by } = await asked()
    expect(await exportPerson(market.ctx, by.id)).toMatchObject({ listedFor: [{ listingId: id, ownerName: 'Raman', state: 'asked' }] })
    const person = await makeUser(market.ctx, { phone })
    expect(await exportPerson(market.ctx, person.id)).toMatchObject({ listedForMe: [{ listingId: id }] })
  })

  test('is erased with the person: listings for their number are withdrawn and lose the name', async () => {
    const { id, phone, owner } = await asked()
    await answer(id, owner, 'agree')
    await pass(id)
    const person = await makeUser(market.ctx, { phone })
    await market.ctx.db.transaction((db) => forgetPerson({ ...market.ctx, db: db as never }, person.id))
    expect(await rowOf(id)).toMatchObject({ state: 'withdrawn', ownerName: null, ownerAgreed: null })
    expect(await findOwner(market.ctx, phone)).toBeNull()
  })

  test('is swept when no longer needed; a refusal for good stays', async () => {
    const gone = await asked()
    const refuses = await asked()
    await answer(gone.id, gone.owner, 'refuse')
    await answer(refuses.id, refuses.owner, 'refuse', { isForGood: true })
    const longAgo = sql`now() - interval '181 days'` as never
    await market.ctx.db.update(ownerConsents).set({ answeredAt: longAgo })
    await market.ctx.db.update(owners).set({ createdAt: longAgo })
    await sweepOwners(market.ctx.db)
    expect(await findOwner(market.ctx, gone.phone)).toBeNull()
    expect(await findOwner(market.ctx, refuses.phone)).not.toBeNull()
  })
})
