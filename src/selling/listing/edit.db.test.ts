import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { listedRef } from '#src/selling/unsent/photo-refs.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { cowFacts, picture } from '#tools/test-kit/test-sale.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { addDraftPhotos, draftPhotosOf, findDraft, removeDraft } from '#src/selling/unsent/drafts.server.ts'
import { sendDraft } from './sell.server.ts'
import { editListing, findSavedChange, getEditedListing, type ListingChange } from './edit-listing.server.ts'

let market: TestMarket
let media: MediaStore
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})

let forms = 0
interface Listed {
  ctx: Ctx
  id: number
  pickup: number
  /** The values of the listing, with changes. */
  change(changes?: Partial<Omit<ListingChange, 'facts'>> & { facts?: Parameters<typeof cowFacts>[0] }): Promise<ListingChange>
}
/** A cow with two pictures, in this state. */
async function listed(state = 'passed'): Promise<Listed> {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  const ctx = market.as(viewer, { now: new Date(Date.now() - 86_400_000) })
  const pickup = await makeAddress(market.ctx, viewer.id)
  await addDraftPhotos(ctx, media, [await picture(++forms * 2), await picture(forms * 2 + 1)])
  const id = await sendDraft(ctx, `edit-${forms}`, {
    sellerId: viewer.id,
    pickupAddressId: pickup,
    facts: cowFacts({ tag: '123456789012' }),
  })
  await market.ctx.db.execute(sql`update listings set state = ${state}, verification_comment = 'Which breed?' where id = ${id}::bigint`)
  const now = market.as(viewer)
  return {
    ctx: now,
    id,
    pickup,
    change: async ({ facts, ...changes } = {}) => {
      const { version, photos } = await getEditedListing(now, id)
      return {
        version,
        pickupAddressId: pickup,
        facts: cowFacts(facts),
        isTagGone: false,
        photos: photos.map((photo) => listedRef(photo.id)),
        ...changes,
      }
    },
  }
}
const rowOf = async (id: number) =>
  (
    (await market.ctx.db.execute(
      sql`select state, version, name, stock, district, touched_at, changed_at, submitted_at, tag_mac is not null as tagged, search_keys::text as keys,
        (select array_agg(position::int order by position) from listing_photos where listing_id = l.id) as places from listings l where id = ${id}::bigint`,
    )) as unknown as { rows: Record<string, unknown>[] }
  ).rows[0]!

describe('an edit', () => {
  test('of price, stock and words keeps a passed listing on the market', async () => {
    const cow = await listed()
    const before = await rowOf(cow.id)
    expect(
      await editListing(
        cow.ctx,
        media,
        cow.id,
        await cow.change({ facts: { originalPrice: 900_000_000n, stock: 2, name: 'Umblachery', weightKg: 350 } }),
      ),
    ).toEqual({ isChecked: false })
    const after = await rowOf(cow.id)
    expect(after).toMatchObject({
      state: 'passed',
      version: 2,
      stock: 2,
      changed_at: before.changed_at,
      submitted_at: before.submitted_at,
      tagged: true,
    })
    expect(String(after.touched_at) > String(before.touched_at)).toBe(true)
    expect(after.keys).not.toBe(before.keys)
  })

  test.each([
    ['breed', { breedId: 102 }],
    ['sex', { genderId: 1 }],
    ['age', { ageId: 8 }],
    ['weight by more than a tenth', { weightKg: 353 }],
    ['tag', { tag: '999999999999' }],
    ['the name to that of a wild animal', { name: 'பேசும் கிளி' }],
    ['the description to that of a wild animal', { description: 'A tame monkey' }],
  ] as const)('of %s sends it back to verification', async (_, facts) => {
    const cow = await listed()
    const before = await rowOf(cow.id)
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ facts }))).toEqual({ isChecked: true })
    const after = await rowOf(cow.id)
    expect(after.state).toBe('pending')
    expect(String(after.changed_at) > String(before.changed_at)).toBe(true)
  })

  test('of photos: a new one needs verification; removing or reordering does not', async () => {
    const cow = await listed()
    const [one, two] = (await cow.change()).photos
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ photos: [two!, one!] }))).toEqual({ isChecked: false })
    expect((await getEditedListing(cow.ctx, cow.id)).photos.map(({ id }) => listedRef(id))).toEqual([two, one])
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ photos: [one!] }))).toEqual({ isChecked: false })
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ photos: [] })))).toBe('VALIDATION')
  })

  test("of photos: those of the change's draft come where the change names them; those it does not name go with the draft", async () => {
    const cow = await listed()
    const [one, two] = (await cow.change()).photos
    const drafted = await addDraftPhotos(cow.ctx, media, [await picture(901), await picture(902)], cow.id)
    const [front, unnamed] = drafted.map(({ id }) => String(id))
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ photos: [one!, two!, front!, unnamed!] })))).toBe(
      'TOO_MANY_IMAGES',
    )
    const change = await cow.change({ photos: [front!, two!] })
    expect(await editListing(cow.ctx, media, cow.id, change)).toEqual({ isChecked: true })
    expect(await rowOf(cow.id)).toMatchObject({ state: 'pending', places: [0, 1] })
    const { photos } = await getEditedListing(cow.ctx, cow.id)
    expect(photos[0]!.key).toBe(drafted[0]!.key)
    expect(listedRef(photos[1]!.id)).toBe(two)
    expect(await findDraft(cow.ctx, cow.id)).toBeNull()
    // An answer that was lost: the same change again makes the same listing, though its draft is gone.
    expect(await editListing(cow.ctx, media, cow.id, change)).toEqual({ isChecked: true })
    expect(await media.read(drafted[1]!.key, 320, 'jpeg')).toBeNull()
  })

  test("of photos: a draft photo that was discarded elsewhere, or is another person's, is refused", async () => {
    const [cow, other] = [await listed(), await listed()]
    const [mine] = await addDraftPhotos(cow.ctx, media, [await picture(903)], cow.id)
    const [theirs] = await addDraftPhotos(other.ctx, media, [await picture(904)], other.id)
    expect(await refusalOf(addDraftPhotos(other.ctx, media, [await picture(905)], cow.id))).toBe('NOT_FOUND')
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ photos: [String(theirs!.id)] })))).toBe('VERSION')
    await removeDraft(cow.ctx, media, cow.id)
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ photos: [String(mine!.id)] })))).toBe('VERSION')
    expect((await getEditedListing(cow.ctx, cow.id)).photos).toHaveLength(2)
  })

  test('of any field resubmits a failed listing', async () => {
    const cow = await listed('failed')
    expect(await getEditedListing(cow.ctx, cow.id)).toMatchObject({ isOpen: true, comment: 'Which breed?' })
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ facts: { stock: 3 } }))).toEqual({ isChecked: true })
    expect((await rowOf(cow.id)).state).toBe('pending')
  })

  test('is refused when another edit was saved meanwhile', async () => {
    const cow = await listed()
    const [mine, late] = [await cow.change({ facts: { stock: 5 } }), await cow.change({ facts: { stock: 9 } })]
    await editListing(cow.ctx, media, cow.id, mine)
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, late))).toBe('VERSION')
    expect((await rowOf(cow.id)).stock).toBe(5)
  })

  test('of a withdrawn or sold listing is refused: it must be relisted', async () => {
    const cow = await listed('withdrawn')
    expect((await getEditedListing(cow.ctx, cow.id)).isOpen).toBe(false)
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change()))).toBe('LISTING_STEP')
    const sold = await listed()
    await market.ctx.db.execute(sql`update listings set is_sold = true where id = ${sold.id}::bigint`)
    expect(await refusalOf(editListing(sold.ctx, media, sold.id, await sold.change({ facts: { stock: 4 } })))).toBe('LISTING_STEP')
    expect((await rowOf(sold.id)).stock).toBe(1)
  })

  test('by a stranger is NOT_FOUND, and by an admin is made for the seller', async () => {
    const cow = await listed()
    const change = await cow.change({ facts: { stock: 7 } })
    const stranger = market.as(await makeUser(market.ctx, { typeId: 2 }))
    expect(await refusalOf(editListing(stranger, media, cow.id, change))).toBe('NOT_FOUND')
    expect(await refusalOf(getEditedListing(stranger, cow.id))).toBe('NOT_FOUND')
    expect(await rowOf(cow.id)).toMatchObject({ stock: 1, version: 1 })
    await editListing(market.as(await makeUser(market.ctx, { typeId: 9 })), media, cow.id, change)
    expect((await rowOf(cow.id)).stock).toBe(7)
  })

  test('of the address changes the place, and accepts only addresses of the seller', async () => {
    const cow = await listed()
    const theirs = await makeAddress(market.ctx, (await makeUser(market.ctx, { typeId: 2 })).id)
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ pickupAddressId: theirs })))).toBe('VALIDATION')
    const other = await makeAddress(market.ctx, cow.ctx.viewer!.id, { pincode: '641001' })
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ pickupAddressId: other }))).toEqual({ isChecked: false })
    expect((await rowOf(cow.id)).district).toBe('Coimbatore')
  })

  test('is saved once when the phone repeats it after a lost response; another edit of the old version is refused', async () => {
    const cow = await listed()
    const change = await cow.change({})
    const first = await editListing(cow.ctx, media, cow.id, change)
    const { version } = await rowOf(cow.id)
    expect(await editListing(cow.ctx, media, cow.id, change)).toEqual(first)
    expect((await rowOf(cow.id)).version).toBe(version)
    const other = { ...change, facts: { ...change.facts, stock: change.facts.stock + 1 } }
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, other))).toBe('VERSION')
  })

  test('with a photo in the form is saved once with it, wherever the first attempt ended', async () => {
    const cow = await listed()
    const name = 'a'.repeat(64)
    const sent = [await picture(900 + forms)]
    await addDraftPhotos(cow.ctx, media, sent, cow.id)
    const ids = await draftPhotosOf(cow.ctx, sent, cow.id)
    expect(ids).toHaveLength(1)
    // The first attempt ended here. The second finds the photo in the draft.
    await addDraftPhotos(cow.ctx, media, sent, cow.id)
    expect(await draftPhotosOf(cow.ctx, sent, cow.id)).toEqual(ids)
    expect(await findSavedChange(cow.ctx, cow.id, name)).toBeNull()
    const change = await cow.change({ name, facts: { stock: 4 } })
    const whole = { ...change, photos: [...change.photos, ...ids.map(String)] }
    const first = await editListing(cow.ctx, media, cow.id, whole)
    expect(first).toEqual({ isChecked: true })
    expect((await rowOf(cow.id)).places).toEqual([0, 1, 2])
    // Its answer was lost. The change is known by its name, to this person only, and no photo is taken a second time.
    expect(await findSavedChange(cow.ctx, cow.id, name)).toMatchObject(first)
    expect(await findSavedChange(market.as(await makeUser(market.ctx, { typeId: 2 })), cow.id, name)).toBeNull()
    expect(await editListing(cow.ctx, media, cow.id, whole)).toEqual(first)
    expect(await findDraft(cow.ctx, cow.id)).toBeNull()
  })

  test('keeps the ear tag until it is removed', async () => {
    const cow = await listed()
    expect((await getEditedListing(cow.ctx, cow.id)).typed.tag).toBeUndefined()
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ isTagGone: true }))).toEqual({ isChecked: true })
    expect((await rowOf(cow.id)).tagged).toBe(false)
  })
})
