import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { forgetPerson as forgetOrders } from '#src/orders/privacy/privacy.server.ts'
import { orders } from '#src/orders/tables.ts'
import { waitingPhotos } from '#src/selling/tables.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

let app: TestApp
let seller: Viewer
let stranger: Viewer
let admin: Viewer
let id: number
let key: string
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  seller = await makeUser(app.ctx, { typeId: 2 })
  stranger = await makeUser(app.ctx, { typeId: 3 })
  admin = await makeUser(app.ctx, { typeId: 9 })
  key = await savePicture()
  id = await makeListing(app.ctx, { sellerId: seller.id, pickupAddressId: await makeAddress(app.ctx, seller.id) }, [
    { ...makePhoto(), mediaKey: key },
  ])
})

const savePicture = () => app.media.save({ variants: [{ width: 320, format: 'jpeg', bytes: Buffer.from('jpeg') }] })
const setState = (state: 'draft' | 'pending' | 'passed' | 'failed' | 'withdrawn') =>
  app.ctx.db.update(listings).set({ state }).where(eq(listings.id, id))

async function answer(as: Viewer | null, of = key) {
  const response = await app.call(`/media/${of}-320.jpg`, { as })
  return [response.status, response.headers.get('cache-control')]
}
const missing = [404, 'no-store']

describe('the photo of an animal', () => {
  test('is public on the market, and no cache keeps it for more than a day', async () => {
    for (const viewer of [null, stranger, seller, admin]) expect(await answer(viewer)).toEqual([200, 'public, max-age=86400'])
    const etag = (await app.call(`/media/${key}-320.jpg`)).headers.get('etag')!
    expect((await app.call(`/media/${key}-320.jpg`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('has the same protection in its finest rendition; without one the large rendition answers', async () => {
    const variants = [1280, 2048].map((width) => ({ width: width as 1280 | 2048, format: 'webp' as const, bytes: Buffer.from(`${width}`) }))
    const look = async (of: string, as: Viewer | null) => {
      const response = await app.call(`/media/${of}-2048.webp`, { as })
      return response.status === 200 ? response.text() : response.status
    }
    const fine = await app.media.save({ variants })
    const coarse = await app.media.save({ variants: variants.slice(0, 1) })
    const photos = [fine, coarse].map((mediaKey) => ({ ...makePhoto(), mediaKey }))
    const hidden = await makeListing(app.ctx, { sellerId: seller.id, state: 'failed' }, photos)
    expect([await look(fine, seller), await look(coarse, seller)]).toEqual(['2048', '1280'])
    for (const viewer of [null, stranger]) expect([await look(fine, viewer), await look(coarse, viewer)]).toEqual([404, 404])
    await app.ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, hidden))
    expect([await look(fine, null), await look(coarse, null)]).toEqual(['2048', '1280'])
  })

  test.each(['draft', 'pending', 'failed', 'withdrawn'] as const)(
    'of a listing that is %s is for its owner and admins only, and no cache keeps it',
    async (state) => {
      await setState('passed')
      expect((await answer(null))[0]).toBe(200)
      await setState(state)
      // From the next request on, although it was public a moment ago.
      for (const viewer of [null, stranger]) expect(await answer(viewer)).toEqual(missing)
      for (const viewer of [seller, admin]) expect(await answer(viewer)).toEqual([200, 'no-store'])
      const response = await app.call(`/media/${key}-320.jpg`, { headers: { 'if-none-match': `"${key}-320"` } })
      expect(response.status).toBe(404)
      await setState('passed')
      expect((await answer(null))[0]).toBe(200)
    },
  )

  test('disappears when the seller is deactivated, and returns with them', async () => {
    await app.ctx.db.update(users).set({ isActive: false }).where(eq(users.id, seller.id))
    expect(await answer(null)).toEqual(missing)
    await app.ctx.db.update(users).set({ isActive: true }).where(eq(users.id, seller.id))
    expect((await answer(null))[0]).toBe(200)
  })

  test('that arrived before its listing is for its sender only', async () => {
    const waiting = await savePicture()
    await app.ctx.db
      .insert(waitingPhotos)
      .values({ ...makePhoto(), mediaKey: waiting, ownerId: seller.id, key: 'made-without-a-line', position: 0 })
    for (const viewer of [seller, admin]) expect(await answer(viewer, waiting)).toEqual([200, 'no-store'])
    for (const viewer of [null, stranger]) expect(await answer(viewer, waiting)).toEqual(missing)
  })

  test('that no row names is for admins only', async () => {
    const orphan = await savePicture()
    for (const viewer of [null, stranger, seller]) expect(await answer(viewer, orphan)).toEqual(missing)
  })
})

describe('an animal that was sold and taken off the market', () => {
  test('is visible to the parties of its order, and to nobody after the erasure of its seller', async () => {
    const buyer = await makeUser(app.ctx)
    await makeOrder(app.ctx, {
      buyer,
      seller,
      admin,
      addressId: await makeAddress(app.ctx, buyer.id),
      listingId: id,
      count: 1,
      status: 6,
    })
    await setState('withdrawn')
    for (const viewer of [buyer, seller]) expect(await answer(viewer)).toEqual([200, 'no-store'])
    for (const viewer of [null, stranger]) expect(await answer(viewer)).toEqual(missing)
    expect(await forgetOrders(app.ctx, seller.id)).toEqual([key])
    const [order] = await app.ctx.db.select({ animal: orders.animal }).from(orders).where(eq(orders.listingId, id))
    expect(order!.animal.photoKey).toBeNull()
    expect(await answer(buyer)).toEqual(missing)
  })
})
