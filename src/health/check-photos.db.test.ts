import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { withPictures } from '#src/kit/uploads/take-picture.server.ts'

import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { forgetPerson } from './privacy.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { listings } from '#src/listings/tables.ts'
import { vetCheckPhotos } from './tables.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { picture } from '#tools/test-kit/test-sale.ts'
import { addCheckPhoto } from './check-photos.server.ts'
import { takeAnimal } from './holds.server.ts'
import { recordVetCheck } from './record-check.server.ts'

let app: TestApp
let seller: Viewer
let vet: Viewer
let other: Viewer
let buyer: Viewer
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  seller = await makeUser(app.ctx, { typeId: 2 })
  vet = await makeUser(app.ctx, { typeId: 5, vetApproved: true })
  other = await makeUser(app.ctx, { typeId: 5, vetApproved: true })
  buyer = await makeUser(app.ctx, { typeId: 3 })
})

const animal = async (owner = seller) => makeListing(app.ctx, { sellerId: owner.id, pickupAddressId: await makeAddress(app.ctx, owner.id) })

const found = () => ({ approved: true, comments: 'Sound.', checkedOn: indianDay(app.ctx.now) })

/** Like the vet's page: stores the pictures first. */
async function check(id: number, photos: Buffer[]): Promise<void> {
  const ctx = app.as(vet)
  await takeAnimal(ctx, id)
  await withPictures(ctx, app.media, photos, 'photos', (pictures) => recordVetCheck(ctx, id, found(), pictures))
}
const photosOf = async (id: number) => (await getProduct(app.as(null), id)).vetChecks.map(({ photos }) => photos.map(({ key }) => key))
const storedKeys = async () => {
  const keys: string[] = []
  for await (const key of app.media.list()) keys.push(key)
  return keys
}
async function statusOf(key: string, as: Viewer | null): Promise<number> {
  return (await app.call(`/media/${key}-320.jpg`, { as })).status
}

describe('the photos of a vet’s check', () => {
  test('appear with the finding on the page and in the API, in upload order', async () => {
    const id = await animal()
    await check(id, [await picture(1), await picture(2)])
    const [keys] = await photosOf(id)
    expect(keys).toHaveLength(2)
    const [product] = await app.read<{ veterinary_check: { images: { image: string }[] }[] }[]>(`/api/v1/product/id=${id}`)
    expect(product!.veterinary_check[0]!.images.map(({ image }) => image)).toEqual(keys!.map((key) => `/media/${key}-1280.jpg`))
  })

  test('are public while the animal is, then visible to the vet, the seller and admins only', async () => {
    const id = await animal()
    await check(id, [await picture(3)])
    const key = (await photosOf(id))[0]![0]!
    expect(await statusOf(key, null)).toBe(200)
    await app.ctx.db.update(listings).set({ state: 'withdrawn' }).where(eq(listings.id, id))
    const admin = await makeUser(app.ctx, { typeId: 9 })
    const viewers = [null, buyer, other, vet, seller, admin]
    expect(await Promise.all(viewers.map((viewer) => statusOf(key, viewer)))).toEqual([404, 404, 404, 200, 200, 200])
  })

  test('leave no file behind when the check is refused', async () => {
    const id = await animal()
    await takeAnimal(app.as(await makeUser(app.ctx, { typeId: 5, vetApproved: true })), id)
    const before = await storedKeys()
    const refused = withPictures(app.as(vet), app.media, [await picture(4)], 'photos', (pictures) =>
      recordVetCheck(app.as(vet), id, found(), pictures),
    )
    expect(await refusalOf(refused)).toBe('ANIMAL_HELD')
    expect(await storedKeys()).toEqual(before)
  })

  test("are kept by the sweeper, and deleted with the seller's account", async () => {
    const deactivated = await makeUser(app.ctx, { typeId: 2 })
    const id = await animal(deactivated)
    await check(id, [await picture(5)])
    const key = (await photosOf(id))[0]![0]!
    expect(await usedPictureKeys(app.ctx.db, [key])).toEqual(new Set([key]))
    expect(await inTransaction(app.ctx, (ctx) => forgetPerson(ctx, deactivated.id))).toContain(key)
    expect(await usedPictureKeys(app.ctx.db, [key])).toEqual(new Set())
  })
})

describe('a photo added by API', () => {
  const add = async (as: Viewer, id: number, image?: Buffer) => addCheckPhoto(app.as(as), app.media, id, image ?? (await picture(6)))

  test('joins the vet’s own last check, up to three photos', async () => {
    const id = await animal()
    await check(id, [await picture(7), await picture(8)])
    expect(await refusalOf(add(other, id))).toBe('NOT_FOUND')
    await add(vet, id)
    expect((await photosOf(id))[0]).toHaveLength(3)
    expect(await refusalOf(add(vet, id))).toBe('TOO_MANY_IMAGES')
  })

  test('concurrent uploads of six keep three and leave no other file', async () => {
    const id = await animal()
    await check(id, [])
    const before = (await storedKeys()).length
    const image = await picture(9)
    const ends = await Promise.all(Array.from({ length: 6 }, () => refusalOf(add(vet, id, image))))
    expect(ends.filter((end) => end === 'TOO_MANY_IMAGES')).toHaveLength(3)
    expect((await photosOf(id))[0]).toHaveLength(3)
    expect((await storedKeys()).length).toBe(before + 3)
  })

  test('must belong to the visit: a day later it is refused', async () => {
    const id = await animal()
    await check(id, [])
    const tomorrow = new Date(app.ctx.now.getTime() + 25 * 3_600_000)
    const late = addCheckPhoto(app.as(vet, { now: tomorrow }), app.media, id, await picture(10))
    expect(await refusalOf(late)).toBe('NOT_FOUND')
    expect(await app.ctx.db.$count(vetCheckPhotos)).toBeGreaterThan(0)
  })
})
