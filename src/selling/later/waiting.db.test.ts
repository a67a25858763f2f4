import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { listings } from '#src/listings/tables.ts'
import { addDraftPhotos, findDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { readSale } from '#src/selling/listing/read-sale.server.ts'
import { sendDraft } from '#src/selling/listing/sell.server.ts'
import { listPhotos } from '#src/selling/photos/photos.server.ts'
import { exportPerson, forgetPerson } from '#src/selling/privacy/privacy.server.ts'
import { waitingPhotos } from '../tables.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { picture, waitingCow } from '#tools/test-kit/test-sale.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { addWaitingPhoto, sendWaiting, sweepWaitingPhotos } from './waiting.server.ts'

let market: TestMarket
let media: MediaStore
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})

/** Returns the error code and the invalid fields. */
const refusedFor = async (act: Promise<unknown>) => {
  const problem = await act.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(problem instanceof Problem)) throw problem ?? new Error('The call was not refused.')
  return [problem.code, ...(problem.fields ?? []).map(({ field }) => field)]
}

let keys = 0
async function seller(): Promise<{ ctx: Ctx; id: number; pickup: number; key: string }> {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  return { ctx: market.as(viewer), id: viewer.id, pickup: await makeAddress(market.ctx, viewer.id), key: `waiting-cow-${keys++}` }
}
const addPhoto = async ({ ctx, key }: { ctx: Ctx; key: string }, at: number, seed: number) =>
  addWaitingPhoto(ctx, media, { key, at, file: await picture(seed) })
const listingsOf = (id: number) => market.ctx.db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, id))
const waitingOf = (id: number) => market.ctx.db.$count(waitingPhotos, eq(waitingPhotos.ownerId, id))

describe('a listing made offline', () => {
  test('is created from its pictures and fields, and goes to verification', async () => {
    const me = await seller()
    await addPhoto(me, 0, 1)
    await addPhoto(me, 1, 2)
    const id = await sendWaiting(me.ctx, { ...waitingCow(me), photos: [{ at: 1 }, { at: 0 }] })
    const [listing] = await market.ctx.db.select().from(listings).where(eq(listings.id, id))
    expect(listing).toMatchObject({ sellerId: me.id, state: 'pending', name: 'Kangayam cow' })
    expect(await listPhotos(me.ctx, id)).toHaveLength(2)
    expect(await waitingOf(me.id)).toBe(0)
  })

  test('is created once when responses get lost, also when the form is submitted online afterwards', async () => {
    const me = await seller()
    await addPhoto(me, 0, 3)
    await addPhoto(me, 0, 3)
    expect(await waitingOf(me.id)).toBe(1)
    const id = await sendWaiting(me.ctx, waitingCow(me))
    // A picture that arrives after the listing.
    await addPhoto(me, 0, 3)
    expect([await sendWaiting(me.ctx, waitingCow(me)), await waitingOf(me.id)]).toEqual([id, 0])
    const { key, sale } = readSale(me.ctx, waitingCow(me).typed)
    expect(await sendDraft(me.ctx, key, sale)).toBe(id)
    expect(await listingsOf(me.id)).toHaveLength(1)
    expect(await refusedFor(sendWaiting(me.ctx, waitingCow(me, { name: 'Another cow' })))).toEqual(['IDEMPOTENCY_MISMATCH'])
  })

  test('uses pictures that reached the form’s draft before the connection broke, and leaves those of another animal', async () => {
    const me = await seller()
    const [first, second] = await addDraftPhotos(me.ctx, media, [await picture(4), await picture(5)])
    await saveDraft(me.ctx, { typed: { key: 'the-next-animal', name: 'Bull' }, version: 1 })
    await addPhoto(me, 0, 6)
    const id = await sendWaiting(me.ctx, { ...waitingCow(me), photos: [{ stored: first!.id }, { at: 0 }] })
    expect((await listPhotos(me.ctx, id)).map(({ key }) => key)[0]).toBe(first!.key)
    expect(await findDraft(me.ctx)).toMatchObject({ typed: { name: 'Bull' }, photos: [{ id: second!.id }] })
    expect(
      await refusedFor(sendWaiting(me.ctx, { ...waitingCow({ ...me, key: 'a-third-animal' }), photos: [{ stored: first!.id }] })),
    ).toEqual(['VALIDATION', 'image'])
  })

  test('deletes the draft it was typed into', async () => {
    const me = await seller()
    await saveDraft(me.ctx, { typed: waitingCow(me).typed, version: 1 })
    await addPhoto(me, 0, 7)
    await sendWaiting(me.ctx, waitingCow(me))
    expect(await findDraft(me.ctx)).toBeNull()
  })

  test('reports invalid fields and keeps its pictures for the next try', async () => {
    const me = await seller()
    await addPhoto(me, 0, 8)
    const refused = await refusedFor(sendWaiting(me.ctx, waitingCow(me, { offerPrice: '90000', pickup: '' })))
    expect(refused).toEqual(['VALIDATION', 'offerPrice', 'pickup'])
    expect(await waitingOf(me.id)).toBe(1)
    expect(await refusedFor(sendWaiting(me.ctx, { ...waitingCow(me), photos: [{ at: 0 }, { at: 1 }] }))).toEqual(['VALIDATION', 'waiting'])
    expect(await sendWaiting(me.ctx, waitingCow(me))).toBeGreaterThan(0)
  })

  test('cannot use another person’s pictures', async () => {
    const [me, other] = [await seller(), await seller()]
    await addPhoto({ ...other, key: me.key }, 0, 9)
    const [drafted] = await addDraftPhotos(other.ctx, media, [await picture(10)])
    expect(await refusedFor(sendWaiting(me.ctx, waitingCow(me)))).toEqual(['VALIDATION', 'waiting'])
    const stolen = { ...waitingCow(me), photos: [{ stored: drafted!.id }] }
    expect(await refusedFor(sendWaiting(me.ctx, stolen))).toEqual(['VALIDATION', 'image'])
    expect(await refusedFor(addPhoto({ ctx: market.as(await makeUser(market.ctx, { typeId: 1 })), key: me.key }, 0, 1))).toEqual([
      'ROLE_FORBIDDEN',
    ])
  })

  test('is part of the data export, and is deleted with the account or after sixty days', async () => {
    const me = await seller()
    await addPhoto(me, 0, 11)
    const [row] = await market.ctx.db.select().from(waitingPhotos).where(eq(waitingPhotos.ownerId, me.id))
    expect(await exportPerson(market.ctx, me.id)).toMatchObject({ waitingPhotos: [{ position: 0 }] })
    expect(await usedPictureKeys(market.ctx.db, [row!.mediaKey])).toEqual(new Set([row!.mediaKey]))
    expect(await forgetPerson(market.ctx, me.id)).toEqual([row!.mediaKey])
    await addPhoto(me, 0, 12)
    await sweepWaitingPhotos(market.ctx.db)
    expect(await waitingOf(me.id)).toBe(1)
    await market.ctx.db.execute(sql`update waiting_photos set created_at = now() - interval '61 days' where owner_id = ${me.id}::bigint`)
    await sweepWaitingPhotos(market.ctx.db)
    expect(await waitingOf(me.id)).toBe(0)
  })
})
