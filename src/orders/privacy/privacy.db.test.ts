import { eq, like, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { phoneKey } from '#src/accounts/identity/otp-limits.server.ts'
import { sweepAccounts } from '#src/accounts/privacy/retention.server.ts'
import { erasedPhones, users } from '#src/accounts/tables.ts'
import { FIRST_ORDER, REFERRAL } from '#src/cart/rules.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { limitCounts } from '#src/kit/db/tables.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { codeSentTo, shareTestOutbox } from '#tools/test-kit/test-auth-client.ts'
import { forgetSends, newPhone, PASSWORD as REGISTERED, registerPerson } from '#tools/test-kit/test-people.ts'
import { findDiscount } from '#src/orders/checkout/discounts.server.ts'
import { getDocument } from '#src/orders/papers/documents.server.ts'
import { bonusOf, makeOrder } from '#src/orders/steps/makers.server.ts'
import { orderPhotos, orders } from '../tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'

const PASSWORD = 'a quiet evening'
const traces = ['Thirumagal', '+919812300066', '77 Vanishing Street', 'behind the temple', 'she called me']
let app: TestApp
shareTestApp((opened) => (app = opened))
shareTestOutbox(() => app.ctx)

const rowOf = async (id: number) => (await app.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
const place = { name: traces[0]!, phone: traces[1]!, address1: traces[2]!, address2: traces[3]! }
const buyerWithPlace = async () => {
  const buyer = await makeUser(app.ctx, { typeId: 3, name: traces[0]! })
  return { buyer, addressId: await makeAddress(app.ctx, buyer.id, place) }
}
const forget = (viewer: Viewer) => inTransaction(app.as(viewer), (ctx) => forgetPerson(ctx, viewer.id))

describe('an account with open orders', () => {
  test('is not erased while the person buys or sells in one, and the page says so before it sends a code', async () => {
    const passwordHash = await hashPassword(testVault, PASSWORD)
    const buyer = await makeUser(app.ctx, { typeId: 1, passwordHash })
    const seller = await makeUser(app.ctx, { typeId: 2, passwordHash })
    const { id, admin } = await makeOrder(app.ctx, { buyer, seller })
    const erase = (as: Viewer, json: object) => app.refused('/api/v1/me', { method: 'DELETE', as, csrf: true, json })
    for (const person of [buyer, seller]) expect(await erase(person, { password: PASSWORD })).toBe('409 OPEN_ORDERS')
    await takeStep(app.as(admin), id, { to: 102 })
    const sent = await app.call('/api/v1/me', { method: 'DELETE', as: buyer, csrf: true, json: { password: PASSWORD } })
    expect(sent.status).toBe(200)
    // An order placed after the code was sent blocks the erasure, too.
    await makeOrder(app.ctx, { buyer, seller })
    expect(await erase(buyer, { password: PASSWORD, otp: await codeSentTo(app.ctx, buyer.phone) })).toBe('409 OPEN_ORDERS')
  })
})

describe('ended orders after an erasure', () => {
  test('of a buyer name nobody, and the receipt stays as the law requires', async () => {
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

  test("of a seller keep the animal's number and lose its place", async () => {
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

  test('are in the data export: with the destination for the buyer, without the buyer for the seller', async () => {
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

test('the picture of an ordered animal, or of a refusal, stays when the listing removes it', async () => {
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

describe('a phone number that registers again after its account was erased', () => {
  const discountOf = async (viewer: Viewer, code = '') => (await findDiscount(app.as(viewer), code)).offer?.typeId ?? null
  async function register(phone: string, referralCode = ''): Promise<Viewer> {
    await app.ctx.db.delete(limitCounts).where(like(limitCounts.key, 'otpBrowser%'))
    const { user } = await registerPerson(app.ctx, phone, { referralCode })
    return { ...user, vetApproved: false, superAdmin: false }
  }
  async function erase(viewer: Viewer, phone: string): Promise<void> {
    await forgetSends(app.ctx)
    const ask = (otp?: string) => app.call('/api/v1/me', { method: 'DELETE', as: viewer, csrf: true, json: { password: REGISTERED, otp } })
    await ask()
    expect((await ask(await codeSentTo(app.ctx, phone))).status).toBe(200)
    await forgetSends(app.ctx)
  }

  test('keeps used benefits as used for two years: first-order discount, referral discount, referral bonus', async () => {
    const phone = newPhone()
    const friend = await register(newPhone())
    const { referralCode: code } = (await app.ctx.db.select().from(users).where(eq(users.id, friend.id)))[0]!
    const first = await register(phone, code)
    expect(await discountOf(first)).toBe(FIRST_ORDER)
    await makeOrder(app.ctx, { status: 6, buyer: first })
    expect(await discountOf(first, code)).toBe(REFERRAL)
    await makeOrder(app.ctx, { status: 6, buyer: first, code })
    const bonus = await bonusOf(app.ctx, friend.id)
    await erase(first, phone)
    for (const _ of ['once', 'and again']) {
      const again = await register(phone, code)
      expect(await discountOf(again)).toBeNull()
      expect(await discountOf(again, code)).toBeNull()
      expect(await bonusOf(app.ctx, friend.id)).toBe(bonus)
      await erase(again, phone)
    }
    await app.ctx.db.update(erasedPhones).set({ erasedAt: sql`now() - interval '729 days'` as never })
    await sweepAccounts(app.ctx.db)
    const last = await register(phone)
    expect(await discountOf(last)).toBeNull()
    await app.ctx.db.update(erasedPhones).set({ erasedAt: sql`now() - interval '732 days'` as never })
    await sweepAccounts(app.ctx.db)
    expect(await discountOf(last)).toBe(FIRST_ORDER)
  })

  test('keeps the benefits it has not used', async () => {
    const phone = newPhone()
    const friend = await register(newPhone())
    const { referralCode: code } = (await app.ctx.db.select().from(users).where(eq(users.id, friend.id)))[0]!
    await erase(await register(phone), phone)
    const again = await register(phone, code)
    expect(await discountOf(again)).toBe(FIRST_ORDER)
    expect(await bonusOf(app.ctx, friend.id)).toBe(25)
  })

  test('keeps its count of code tries', async () => {
    const phone = newPhone()
    const user = await register(phone)
    await erase(user, phone)
    const used = async () =>
      (
        await app.ctx.db
          .select()
          .from(limitCounts)
          .where(eq(limitCounts.key, `otpPhoneDay:${phoneKey(app.ctx, phone)}`))
      ).map(({ points }) => points)
    const again = await register(phone)
    expect(await used()).toEqual([1])
    await app.ctx.db.delete(limitCounts).where(like(limitCounts.key, 'otpPhoneMinute%'))
    const ask = (otp?: string) => app.call('/api/v1/me', { method: 'DELETE', as: again, csrf: true, json: { password: REGISTERED, otp } })
    await ask()
    expect((await ask(await codeSentTo(app.ctx, phone))).status).toBe(200)
    expect(await used()).toEqual([2])
  })
})
