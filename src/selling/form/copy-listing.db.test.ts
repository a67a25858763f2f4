import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { AGENT_TYPE } from '#src/accounts/rules.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { listings } from '#src/listings/tables.ts'
import { withdraw } from '#src/selling/own/sale.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { cowFacts, picture } from '#tools/test-kit/test-sale.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { copyListing } from '#src/selling/own/copy-listing.server.ts'
import { addDraftPhotos, findDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { readSale } from '#src/selling/listing/read-sale.server.ts'
import { createListing, sendDraft } from '#src/selling/listing/sell.server.ts'

let market: TestMarket
let media: MediaStore
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})

const tagged = cowFacts({
  tag: '123456789012',
  offerPrice: 800_000_000n,
  milkLitresPerDay: 8.5,
  vaccinations: [{ vaccineId: 1, dose: 2, vaccinatedOn: '2026-05-04' }],
})

async function sellerWithCow(): Promise<{ ctx: Ctx; sellerId: number; id: number; pickup: number }> {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  const ctx = market.as(viewer)
  const pickup = await makeAddress(market.ctx, viewer.id)
  return { ctx, sellerId: viewer.id, pickup, id: await createListing(ctx, { sellerId: viewer.id, pickupAddressId: pickup, facts: tagged }) }
}

describe('a copy of a listing', () => {
  test('fills the sell form with every fact but the photos and the ear tag, and asks again what only this animal can answer', async () => {
    const { ctx, id, pickup } = await sellerWithCow()
    expect(await copyListing(ctx, media, id, { isOver: false })).toBe(true)
    const draft = await findDraft(ctx)
    expect(draft?.photos).toEqual([])
    expect(draft?.typed).toMatchObject({
      name: tagged.name,
      breedId: '101',
      originalPrice: '85000',
      offerPrice: '80000',
      milkLitresPerDay: '8.5',
      vaccinated1: '2026-05-04',
      pickup: String(pickup),
    })
    for (const name of ['tag', 'version', 'isAllowed', 'isOldEnough']) expect(draft?.typed).not.toHaveProperty(name)
  })

  test('of an animal listed for its owner is for the same owner, whose number and fee the agent types again', async () => {
    const viewer = await makeUser(market.ctx, { typeId: AGENT_TYPE })
    const ctx = market.as(viewer)
    const owner = { name: 'Raman', phone: '+919812345678', fee: { rupees: 10_000_000n } }
    const pickupAddressId = await makeAddress(market.ctx, viewer.id)
    const id = await createListing(ctx, { sellerId: viewer.id, pickupAddressId, facts: tagged, owner })
    await copyListing(ctx, media, id, { isOver: false })
    const { typed } = (await findDraft(ctx))!
    expect(typed).toMatchObject({ whose: 'other', ownerName: 'Raman' })
    expect(() => readSale(ctx, { ...typed, isAllowed: '1' })).toThrowError(expect.objectContaining({ code: 'VALIDATION' }))
    const { sale } = readSale(ctx, { ...typed, isAllowed: '1', ownerPhone: '9812345678', ownerFee: '1000' })
    expect(sale.owner).toMatchObject({ name: 'Raman', phone: '+919812345678' })
  })

  test('is taken by the form as it stands once it has a photo and the promise', async () => {
    const { ctx, id } = await sellerWithCow()
    await copyListing(ctx, media, id, { isOver: false })
    await addDraftPhotos(ctx, media, [await picture(11)])
    const { typed } = (await findDraft(ctx))!
    const { key, sale } = readSale(ctx, { ...typed, isAllowed: '1' })
    const second = await sendDraft(ctx, key, sale)
    const [row] = await ctx.db.select().from(listings).where(eq(listings.id, second))
    expect(row).toMatchObject({ state: 'pending', breedId: 101, originalPrice: tagged.originalPrice, tagMac: null })
    expect(second).not.toBe(id)
  })

  test('is made of a withdrawn listing, too', async () => {
    const { ctx, id } = await sellerWithCow()
    await withdraw(ctx, id)
    expect(await copyListing(ctx, media, id, { isOver: false })).toBe(true)
  })

  test('takes the place of an unfinished animal only when the seller says so', async () => {
    const { ctx, id } = await sellerWithCow()
    await saveDraft(ctx, { typed: { name: 'Half a goat' }, version: null })
    expect(await copyListing(ctx, media, id, { isOver: false })).toBe(false)
    expect((await findDraft(ctx))?.typed.name).toBe('Half a goat')
    expect(await copyListing(ctx, media, id, { isOver: true })).toBe(true)
    expect((await findDraft(ctx))?.typed.name).toBe(tagged.name)
  })

  test("of somebody else's listing is not made; an admin's is for the same seller", async () => {
    const { id, sellerId } = await sellerWithCow()
    const stranger = market.as(await makeUser(market.ctx, { typeId: 2 }))
    expect(await refusalOf(copyListing(stranger, media, id, { isOver: false }))).toBe('NOT_FOUND')
    const admin = market.as(await makeUser(market.ctx, { typeId: 9 }))
    expect(await copyListing(admin, media, id, { isOver: false })).toBe(true)
    expect((await findDraft(admin))?.typed.sellerId).toBe(String(sellerId))
  })
})
