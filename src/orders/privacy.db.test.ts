import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAddress, makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import type { OutboxWorker } from '#src/kit/outbox.server.ts'
import { testVault } from '#src/kit/testing/test-ctx.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { usedPictureKeys } from '#src/selling/used-pictures.server.ts'
import { openTestApp, type TestApp } from '#src/testing/test-app.ts'
import { codeSentTo, startTestOutbox } from '#src/testing/test-door.ts'
import { getDocument } from './documents.server.ts'
import { makeOrder } from './makers.server.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { orderPhotos, orders } from './tables.ts'
import { takeStep } from './take-step.server.ts'

const PASSWORD = 'a quiet evening'
const traces = ['Thirumagal', '+919812300066', '77 Vanishing Street', 'behind the temple', 'she called me']
let app: TestApp
let worker: OutboxWorker
beforeAll(async () => {
  app = await openTestApp()
  worker = startTestOutbox(app.ctx)
})
afterAll(async () => {
  await worker?.stop()
  await app?.close()
})

const rowOf = async (id: number) => (await app.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
const place = { name: traces[0]!, phone: traces[1]!, address1: traces[2]!, address2: traces[3]! }
const buyerWithPlace = async () => {
  const buyer = await makeUser(app.ctx, { typeId: 3, name: traces[0]! })
  return { buyer, addressId: await makeAddress(app.ctx, buyer.id, place) }
}
const forget = (viewer: Viewer) => inTransaction(app.as(viewer), (ctx) => forgetPerson(ctx, viewer.id))

describe('an account with open orders', () => {
  test('is not erased while something is bought by this person or of him, and he is told before a code is sent', async () => {
    const passwordHash = await hashPassword(testVault, PASSWORD)
    const buyer = await makeUser(app.ctx, { typeId: 1, passwordHash })
    const seller = await makeUser(app.ctx, { typeId: 2, passwordHash })
    const { id, admin } = await makeOrder(app.ctx, { buyer, seller })
    const erase = (as: Viewer, json: object) => app.refused('/api/v1/me', { method: 'DELETE', as, csrf: true, json })
    for (const person of [buyer, seller]) expect(await erase(person, { password: PASSWORD })).toBe('409 OPEN_ORDERS')
    await takeStep(app.as(admin), id, { to: 102 })
    const sent = await app.call('/api/v1/me', { method: 'DELETE', as: buyer, csrf: true, json: { password: PASSWORD } })
    expect(sent.status).toBe(200)
    // Ordered while the code was on its way.
    await makeOrder(app.ctx, { buyer, seller })
    expect(await erase(buyer, { password: PASSWORD, otp: await codeSentTo(app.ctx, buyer.phone) })).toBe('409 OPEN_ORDERS')
  })
})

describe('ended orders', () => {
  test('of an erased buyer say nobody, and the receipt stands as the law wants it', async () => {
    const { buyer, addressId } = await buyerWithPlace()
    const made = await makeOrder(app.ctx, { status: 6, buyer, addressId })
    const cancelled = await makeOrder(app.ctx, { buyer, addressId })
    await takeStep(app.as(buyer), cancelled.id, { to: 100, reason: traces[4]! })
    await app.ctx.db.insert(orderPhotos).values({ orderId: cancelled.id, position: 0, ...photo('refused') })
    expect(await forget(buyer)).toEqual(['refused'])
    for (const { id } of [made, cancelled]) {
      const text = JSON.stringify(await rowOf(id), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
      for (const trace of traces) expect(text).not.toContain(trace)
      expect((await rowOf(id)).delivery).toMatchObject({ name: '', pincode: '638701', district: expect.stringMatching(/./) })
    }
    expect((await getDocument(app.as(made.admin), made.id, 'receipt')).snapshot.buyer).toMatchObject({ name: traces[0] })
  })

  test('of an erased seller keep what was sold, by its number, and not where it stood', async () => {
    const seller = await makeUser(app.ctx, { typeId: 2 })
    const pickupAddressId = await makeAddress(app.ctx, seller.id, place)
    const listing = { pickupAddressId, name: `Cow of ${traces[0]}`, description: `Call ${traces[1]}` }
    const { id } = await makeOrder(app.ctx, { status: 6, seller, listing })
    await forget(seller)
    const row = await rowOf(id)
    const text = JSON.stringify([row.animal, row.pickup])
    for (const trace of traces) expect(text).not.toContain(trace)
    expect(row.animal).toMatchObject({ name: row.animal.code, code: expect.stringMatching(/^COW-\d+$/), breedId: 101 })
    expect(row.delivery.name).toBe('Farm')
  })

  test('stand in one’s own data: what one ordered with its place, what one sold without the buyer', async () => {
    const { buyer, addressId } = await buyerWithPlace()
    const { seller } = await makeOrder(app.ctx, { status: 6, buyer, addressId })
    const own = JSON.stringify(await exportPerson(app.as(buyer), buyer.id))
    for (const trace of traces.slice(0, 4)) expect(own).toContain(trace)
    const sold = (await exportPerson(app.as(seller), seller.id)) as { ordersPlaced: unknown[]; ordersReceived: unknown[] }
    expect([sold.ordersPlaced.length, sold.ordersReceived.length]).toEqual([0, 1])
    for (const trace of traces) expect(JSON.stringify(sold)).not.toContain(trace)
    expect(JSON.stringify([own, sold])).not.toMatch(/sealed|handover/i)
  })
})

test('the picture of an ordered animal stays when the listing loses it, and so does one of a refusal', async () => {
  const { ctx } = app
  const seller = await makeUser(ctx, { typeId: 2 })
  const [ordered, other] = [makePhoto(), makePhoto()]
  const listingId = await makeListing(ctx, { sellerId: seller.id, stock: 2 }, [ordered, other])
  const { id } = await makeOrder(ctx, { status: 101, seller, listingId })
  await ctx.db.insert(orderPhotos).values({ orderId: id, position: 0, ...photo('at-the-door') })
  await ctx.db.execute(sql`update listings set state = 'draft' where id = ${listingId}::bigint`)
  await ctx.db.execute(sql`delete from listing_photos where listing_id = ${listingId}::bigint`)
  const keys = [ordered.mediaKey, other.mediaKey, 'at-the-door', 'nobody']
  expect([...(await usedPictureKeys(ctx.db, keys))].toSorted()).toEqual([ordered.mediaKey, 'at-the-door'].toSorted())
})

const photo = (mediaKey: string) => ({ ...makePhoto(), mediaKey })
