import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { recordVetCheck } from '#src/health/record-check.server.ts'
import { takeAnimal } from '#src/health/holds.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { listings } from '#src/listings/tables.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { picture } from '#tools/test-kit/test-sale.ts'
import { addPhotos } from '#src/selling/photos/photos.server.ts'
import { quickEdit } from '#src/selling/own/quick-edit.server.ts'
import { relist, withdraw } from '#src/selling/own/sale.server.ts'

/** A badge vouches for an animal, so none may exist for an animal that nobody has checked. */
let market: TestMarket
let media: MediaStore
let folder: string
const people = {} as Record<'seller' | 'admin' | 'otherAdmin' | 'vet' | 'buyer', Viewer>
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandhai-trust-'))
  media = await openMediaStore(folder)
  people.seller = await makeUser(market.ctx, { typeId: 2 })
  people.admin = await makeUser(market.ctx, { typeId: 9 })
  people.otherAdmin = await makeUser(market.ctx, { typeId: 9 })
  people.vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  people.buyer = await makeUser(market.ctx)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const as = (who: keyof typeof people, changes: Partial<Ctx> = {}) => market.as(people[who], { now: new Date(), ...changes })
const stateOf = async (id: number) => (await market.ctx.db.select().from(listings).where(eq(listings.id, id)))[0]!.state
const pass = (id: number, who: 'admin' | 'otherAdmin' = 'admin') => verifyListing(as(who), id, { passed: true, comment: 'Good.' })
const make = async (facts: ListingFacts = {}) =>
  makeListing(market.ctx, { sellerId: people.seller.id, state: 'pending', weightKg: 300, ...facts })
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date())
const hasValidCheck = async (id: number) => {
  const { vetChecks, revision } = await getProduct(as('buyer'), id)
  return vetChecks[0]?.revision === revision
}

describe("a verdict and a vet's finding", () => {
  test('do not cover pictures whose upload was running when they were given', async () => {
    const id = await make()
    // The upload began before both and ended after them.
    const began = new Date(Date.now() - 2000)
    await pass(id)
    await recordVetCheck(as('vet'), id, { approved: true, comments: 'Good.', checkedOn: today() })
    expect(await hasValidCheck(id)).toBe(true)
    await addPhotos(as('seller', { now: began }), media, id, [await picture(1)])
    expect(await stateOf(id)).toBe('pending')
    await withdraw(as('seller'), id)
    expect(await relist(as('seller'), id)).toBe('pending')
    await pass(id)
    expect(await hasValidCheck(id)).toBe(false)
  })

  test('become invalid when several small edits add up to another weight', async () => {
    const id = await make()
    await pass(id)
    const price = { stock: 1, originalPrice: 500_000_000n, offerPrice: null }
    expect(await quickEdit(as('seller'), id, { ...price, weightKg: 328 })).toBe('passed')
    expect(await quickEdit(as('seller'), id, { ...price, weightKg: 330 })).toBe('passed')
    expect(await quickEdit(as('seller'), id, { ...price, weightKg: 335 })).toBe('pending')
    // The new verdict resets the reference weight.
    await pass(id)
    expect(await quickEdit(as('seller'), id, { ...price, weightKg: 360 })).toBe('passed')
  })

  test('are valid again when an unchanged listing is relisted', async () => {
    const id = await make()
    await pass(id)
    await withdraw(as('seller'), id)
    expect(await relist(as('seller'), id)).toBe('passed')
  })
})

describe('four eyes', () => {
  test("an admin who has edited a listing cannot give a verdict on it; after another admin's verdict the first may again", async () => {
    const id = await make()
    await quickEdit(as('admin'), id, { stock: 1, weightKg: 500, originalPrice: 10_000n, offerPrice: null })
    expect(await refusalOf(pass(id))).toBe('OWN_LISTING')
    await quickEdit(as('seller'), id, { stock: 2, weightKg: 500, originalPrice: 10_000n, offerPrice: null })
    expect(await refusalOf(pass(id))).toBe('OWN_LISTING')
    await pass(id, 'otherAdmin')
    await verifyListing(as('admin'), id, { passed: false, comment: 'Reported.' })
    expect(await stateOf(id)).toBe('failed')
  })

  test('a reported listing is taken down, also when its seller has just withdrawn it', async () => {
    const id = await make()
    await pass(id)
    await withdraw(as('seller'), id)
    await verifyListing(as('admin'), id, { passed: false, comment: 'Not this animal.' })
    expect(await stateOf(id)).toBe('failed')
    expect(await refusalOf(relist(as('seller'), id))).toBe('LISTING_STEP')
  })
})

describe('private data', () => {
  test("an admin's message to the seller is not on the public page", async () => {
    const id = await make()
    await verifyListing(as('admin'), id, { passed: true, comment: 'Called; in debt.' })
    for (const who of ['buyer', 'vet'] as const) expect((await getProduct(as(who), id)).verificationComment).toBeNull()
    expect((await getProduct(market.as(null), id)).verificationComment).toBeNull()
    for (const who of ['seller', 'admin'] as const) expect((await getProduct(as(who), id)).verificationComment).toContain('debt')
  })

  test('the vet who has taken the animal sees the pickup place, until it is sold or they are no longer a vet', async () => {
    const id = await make({ pickupAddressId: await makeAddress(market.ctx, people.seller.id) })
    await pass(id)
    await takeAnimal(as('vet'), id)
    expect((await getProduct(as('vet'), id)).pickup).not.toBeNull()
    await market.ctx.db.update(listings).set({ isSold: true }).where(eq(listings.id, id))
    expect((await getProduct(as('vet'), id)).pickup).toBeNull()
    await market.ctx.db.update(listings).set({ isSold: false }).where(eq(listings.id, id))
    await market.ctx.db.update(users).set({ vetApproved: false }).where(eq(users.id, people.vet.id))
    const { pickup, hold } = await getProduct(as('admin'), id)
    expect([pickup === null, hold]).toEqual([false, null])
    await market.ctx.db.update(users).set({ vetApproved: true }).where(eq(users.id, people.vet.id))
  })
})
