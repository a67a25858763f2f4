import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { makeListing } from '../makers.server.ts'
import { getProduct, revealContact } from '../queries.server.ts'
import { contactTaps } from '../tables.ts'

let app: TestApp
let seller: Viewer
let buyer: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  seller = await makeUser(app.ctx, { typeId: 2 })
  buyer = await makeUser(app.ctx)
})

const tap = (as: Viewer | null, id: number, json?: unknown) =>
  app.call(`/api/v1/product-contact/id=${id}`, { method: 'POST', as, csrf: true, ...(json !== undefined && { json }) })
const tapsOf = (id: number) => app.ctx.db.select().from(contactTaps).where(eq(contactTaps.listingId, id))
const askedBy = async (id: number) => (await getProduct(app.as(seller), id)).askedBy

describe('a tap on Call or WhatsApp', () => {
  test('counts people, not taps, and only the seller and admins see the count', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    const people = [buyer, await makeUser(app.ctx), await makeUser(app.ctx, { typeId: 3 })]
    for (const person of people) {
      expect(await revealContact(app.as(person), id)).toBe(true)
      for (const json of [undefined, { way: 'whatsapp' }, { way: 'call' }, {}])
        expect([(await tap(person, id, json)).status, person.id]).toEqual([200, person.id])
    }
    expect(await tapsOf(id)).toHaveLength(6)
    expect(await askedBy(id)).toBe(3)
    expect((await getProduct(app.as(buyer), id)).askedBy).toBeNull()
    expect((await getProduct(app.as(null), id)).askedBy).toBeNull()
  })

  test('is refused for a listing that is sold, closed or withdrawn, and not counted', async () => {
    const facts = [{ isSold: true }, { stock: 0 }, { touchedAt: daysBefore(app.ctx.now, 101) }, { state: 'withdrawn' }] as const
    for (const fact of facts) {
      const id = await makeListing(app.ctx, { sellerId: seller.id, ...fact })
      await revealContact(app.as(buyer), id)
      const refusal = { path: `/api/v1/product-contact/id=${id}`, send: { method: 'POST', csrf: true } }
      // Buyers do not know of a withdrawn listing.
      const expected = 'state' in fact ? '404 NOT_FOUND' : '409 LISTING_STEP'
      expect([fact, await app.refused(refusal.path, { ...refusal.send, as: buyer })]).toEqual([fact, expected])
      expect(await app.refused(refusal.path, { ...refusal.send, as: seller })).toBe('409 LISTING_STEP')
      expect(await tapsOf(id)).toEqual([])
    }
  })

  test('does not count the seller, admins, or viewers who did not see the number', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    const admin = await makeUser(app.ctx, { typeId: 9 })
    for (const person of [seller, admin]) await revealContact(app.as(person), id)
    for (const [person, listing] of [
      [seller, id],
      [admin, id],
      [await makeUser(app.ctx), id],
    ] as const) {
      expect((await tap(person, listing)).status).toBe(200)
      expect(await tapsOf(listing)).toEqual([])
    }
  })

  test('needs a login, a visible listing, and a known way', async () => {
    const id = await makeListing(app.ctx, { sellerId: seller.id })
    const pending = await makeListing(app.ctx, { sellerId: seller.id, state: 'pending' })
    expect((await tap(null, id)).status).toBe(401)
    expect((await tap(buyer, pending)).status).toBe(404)
    expect((await tap(buyer, 999_999)).status).toBe(404)
    expect((await tap(buyer, id, { way: 'sms' })).status).toBe(422)
    expect((await tap(buyer, id, { way: 'call', much: true })).status).toBe(422)
    const text = await app.call(`/api/v1/product-contact/id=${id}`, { method: 'POST', as: buyer, csrf: true, body: 'way=call' })
    expect(text.status).toBe(415)
    expect(await tapsOf(id)).toEqual([])
  })
})
