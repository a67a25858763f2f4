import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Visitor } from '#src/kit/context.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { sweepPictures } from '#src/kit/uploads/sweep-pictures.server.ts'
import { withPictures } from '#src/kit/uploads/take-picture.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { cowFacts, picture } from '#tools/test-kit/test-sale.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { editListing, getEditedListing } from '#src/selling/listing/edit-listing.server.ts'
import { exportPerson, forgetPerson } from '#src/selling/privacy/privacy.server.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { actOnSell } from '#src/selling/form/sell-action.server.ts'
import { sendDraft } from '#src/selling/listing/sell.server.ts'
import { listedRef } from './photo-refs.ts'
import { draftTyped, MAX_DRAFT_TEXT } from './draft-fields.ts'
import { addDraftPhotos, findDraft, removeDraft, removeDraftPhoto, saveDraft, sweepDrafts, takeDraft } from './drafts.server.ts'

let market: TestMarket
let media: MediaStore
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})

async function seller(): Promise<{ ctx: Ctx; id: number; pickup: number }> {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  return { ctx: market.as(viewer), id: viewer.id, pickup: await makeAddress(market.ctx, viewer.id) }
}
const keysInStore = async () => {
  const keys: string[] = []
  for await (const key of media.list()) keys.push(key)
  return keys
}

describe('a draft', () => {
  test('is found again as it was typed, by its owner and nobody else', async () => {
    const [mine, other] = [await seller(), await seller()]
    expect(await findDraft(mine.ctx)).toBeNull()
    expect(await saveDraft(mine.ctx, { typed: { name: 'பசு', stock: '௨' }, version: 1 })).toEqual({
      version: 1,
      isSaved: true,
      isSent: false,
    })
    expect(await findDraft(mine.ctx)).toMatchObject({ typed: { name: 'பசு', stock: '௨' }, version: 1, photos: [] })
    expect(await findDraft(other.ctx)).toBeNull()
  })

  test('an older save that comes late changes nothing', async () => {
    const { ctx } = await seller()
    await saveDraft(ctx, { typed: { name: 'third' }, version: 3 })
    for (const version of [1, 2, 3])
      expect(await saveDraft(ctx, { typed: { name: 'late' }, version })).toEqual({ version: 3, isSaved: false, isSent: false })
    expect((await findDraft(ctx))?.typed).toEqual({ name: 'third' })
    expect(await saveDraft(ctx, { typed: { name: 'fourth' }, version: 4 })).toMatchObject({ isSaved: true })
    // A form without scripts knows no version: what it sends is what its person sees.
    expect(await saveDraft(ctx, { typed: { name: 'fifth' }, version: null })).toMatchObject({ version: 5, isSaved: true })
  })

  test('takes no version far above its own, after which every honest save would be too old', async () => {
    const { ctx } = await seller()
    expect(await refusalOf(saveDraft(ctx, { typed: { name: 'leap' }, version: 2_000_000_000 }))).toBe('VALIDATION')
    await saveDraft(ctx, { typed: { name: 'first' }, version: 1000 })
    expect(await refusalOf(saveDraft(ctx, { typed: { name: 'leap' }, version: 2001 }))).toBe('VALIDATION')
    expect(await saveDraft(ctx, { typed: { name: 'next' }, version: 2000 })).toMatchObject({ isSaved: true })
  })

  test('keeps the pictures of a row that may stand, when the connection broke while it was being written', async () => {
    const { ctx } = await seller()
    const before = new Set(await keysInStore())
    const files = [await picture(61)]
    const lost = withPictures(ctx, media, files, 'image', async () => {
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' })
    })
    await expect(lost).rejects.toThrow('Connection terminated')
    expect((await keysInStore()).filter((key) => !before.has(key))).toHaveLength(1)
    const refused = withPictures(ctx, media, files, 'image', async () => {
      throw new Problem('TOO_MANY_IMAGES')
    })
    expect(await refusalOf(refused)).toBe('TOO_MANY_IMAGES')
    expect((await keysInStore()).filter((key) => !before.has(key))).toHaveLength(1)
  })

  test('keeps known fields only, cut to what the database takes', () => {
    const typed = draftTyped(
      Object.entries({ name: 'a\0b', is_verified: 'true', csrf: 'x', state: 'passed', description: 'x'.repeat(9000), stock: '' }),
    )
    expect(typed).toEqual({ name: 'ab', description: 'x'.repeat(MAX_DRAFT_TEXT) })
    expect(draftTyped([['name', `${'x'.repeat(MAX_DRAFT_TEXT - 1)}🐄`]]).name!.isWellFormed()).toBe(true)
  })

  test('shows the digits of an ear tag to its owner, and keeps them sealed', async () => {
    const { ctx } = await seller()
    await saveDraft(ctx, { typed: { tag: '123456789012', name: 'Cow' }, version: 1 })
    expect((await findDraft(ctx))?.typed).toEqual({ tag: '123456789012', name: 'Cow' })
    const stored = await ctx.db.execute(sql`select typed::text from listing_drafts where owner_id = ${ctx.viewer!.id}::bigint`)
    expect(JSON.stringify(stored)).not.toContain('123456789012')
  })

  test('takes three pictures, all of a sending or none, and the same one only once', async () => {
    const { ctx } = await seller()
    const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map((seed) => picture(seed)))
    expect(await addDraftPhotos(ctx, media, [one!, two!])).toHaveLength(2)
    expect(await addDraftPhotos(ctx, media, [two!])).toHaveLength(2)
    const before = (await keysInStore()).length
    expect(await refusalOf(addDraftPhotos(ctx, media, [three!, four!]))).toBe('TOO_MANY_IMAGES')
    expect(await refusalOf(addDraftPhotos(ctx, media, [three!, Buffer.from('no picture')]))).toBe('UNSUPPORTED_TYPE')
    expect((await keysInStore()).length).toBe(before)
    expect(await addDraftPhotos(ctx, media, [three!])).toHaveLength(3)
  })

  test('gives its pictures to the listing with the main one first', async () => {
    const { ctx } = await seller()
    const photos = await addDraftPhotos(ctx, media, [await picture(31), await picture(32), await picture(33)])
    await saveDraft(ctx, { typed: { mainPhoto: String(photos[1]!.id) }, version: 1 })
    const keys = (await takeDraft(ctx)).map(({ mediaKey }) => mediaKey)
    expect(keys).toEqual([1, 0, 2].map((place) => photos[place]!.key))
  })

  test("gives a picture back, its file too; another's is not there", async () => {
    const [mine, other] = [await seller(), await seller()]
    const photos = await addDraftPhotos(mine.ctx, media, [await picture(11), await picture(12), await picture(13)])
    expect(await refusalOf(removeDraftPhoto(other.ctx, media, photos[0]!.id))).toBe('NOT_FOUND')
    await removeDraftPhoto(mine.ctx, media, photos[0]!.id)
    expect((await findDraft(mine.ctx))?.photos.map(({ id }) => id)).toEqual(photos.slice(1).map(({ id }) => id))
    expect(await keysInStore()).not.toContain(photos[0]!.key)
    expect(await addDraftPhotos(mine.ctx, media, [await picture(14)])).toHaveLength(3)
  })

  test('restarted leaves nothing behind', async () => {
    const { ctx } = await seller()
    await saveDraft(ctx, { typed: { name: 'old' }, version: 1 })
    const [photo] = await addDraftPhotos(ctx, media, [await picture(21)])
    await removeDraft(ctx, media)
    expect(await findDraft(ctx)).toBeNull()
    expect(await keysInStore()).not.toContain(photo!.key)
  })

  test('is not written again by a save that comes after its listing was made', async () => {
    const { ctx, id, pickup } = await seller()
    await saveDraft(ctx, { typed: { key: 'form-0001', name: 'Cow' }, version: 1 })
    await addDraftPhotos(ctx, media, [await picture(31)])
    await sendDraft(ctx, 'form-0001', { sellerId: id, pickupAddressId: pickup, facts: cowFacts() })
    expect(await findDraft(ctx)).toBeNull()
    expect(await saveDraft(ctx, { typed: { key: 'form-0001', name: 'Cow' }, version: 2 })).toEqual({
      version: 0,
      isSaved: false,
      isSent: true,
    })
    expect(await findDraft(ctx)).toBeNull()
    expect(await saveDraft(ctx, { typed: { key: 'form-0002', name: 'Goat' }, version: 1 })).toMatchObject({ isSaved: true })
  })

  describe('whose form was sent before', () => {
    const typed = (id: number, changes: Record<string, string> = {}): Record<string, string> => ({
      key: `form-of-${id}`,
      categoryId: '1',
      breedId: '101',
      ageId: '7',
      genderId: '0',
      colorId: '6',
      name: 'Cow',
      description: 'Calm',
      stock: '1',
      weightKg: '300',
      originalPrice: '50000',
      isAllowed: '1',
      ...changes,
    })
    /** The address that a submit of the form leads to. */
    async function sent(ctx: Ctx, act: string, fields: Record<string, string>): Promise<string | null> {
      const form = new FormData()
      for (const [name, text] of Object.entries({ ...fields, act })) form.set(name, text)
      const site = { limits: new RateLimits(1), media, env: null as never, contact: defaultSettings.contact, noteAway: () => {} }
      const visitor = { address: '203.0.113.9' } as Visitor
      const answer = await actOnSell(ctx, { form, site, visitor }).catch((error: unknown) => error)
      return answer instanceof Response ? answer.headers.get('Location') : String(answer)
    }

    test('is the same animal when it says the same, and another one when it does not', async () => {
      const { ctx, id, pickup } = await seller()
      await addDraftPhotos(ctx, media, [await picture(32)])
      const first = await sent(ctx, 'submit', typed(id, { pickup: String(pickup) }))
      expect(first).toMatch(/\?sent=\d+$/)
      expect(await sent(ctx, 'submit', typed(id, { pickup: String(pickup) }))).toBe(first)
      expect(await findDraft(ctx)).toBeNull()
      const second = typed(id, { pickup: String(pickup), name: 'Goat of the same form' })
      expect(await sent(ctx, 'submit', second)).toMatch(/\/sell\?another$/)
      const kept = (await findDraft(ctx))!.typed
      expect(kept).toEqual({ ...second, key: kept.key })
      expect(kept.key).not.toBe(second.key)
      // Submitted again it is made, once it has a picture of its own.
      await addDraftPhotos(ctx, media, [await picture(33)])
      const made = await sent(ctx, 'submit', kept)
      expect([/\?sent=\d+$/.test(made!), made === first]).toEqual([true, false])
    })

    test('keeps what is typed into it without scripts after that', async () => {
      const { ctx, id, pickup } = await seller()
      await addDraftPhotos(ctx, media, [await picture(34)])
      await sent(ctx, 'submit', typed(id, { pickup: String(pickup) }))
      expect(await sent(ctx, 'species', typed(id, { name: 'Goat' }))).toMatch(/\/sell\?another$/)
      expect((await findDraft(ctx))?.typed.name).toBe('Goat')
    })
  })

  test('that was not opened for sixty days is deleted, and its pictures with the next sweep', async () => {
    const { ctx, id } = await seller()
    const [photo] = await addDraftPhotos(ctx, media, [await picture(41)])
    const age = (days: number) =>
      ctx.db.execute(sql`update listing_drafts set saved_at = now() - make_interval(days => ${days}) where owner_id = ${id}::bigint`)
    await age(59)
    await sweepDrafts(ctx.db)
    expect(await findDraft(ctx)).not.toBeNull()
    await age(61)
    await sweepDrafts(ctx.db)
    expect(await findDraft(ctx)).toBeNull()
    const used = (keys: string[]) => usedPictureKeys(ctx.db, keys)
    await sweepPictures(media, used, { announced: new Set() })
    expect(await keysInStore()).toContain(photo!.key)
    await sweepAfterAnHour(used)
    expect(await keysInStore()).not.toContain(photo!.key)
  })

  describe('of a change to a listing', () => {
    async function listed() {
      const { ctx, id, pickup } = await seller()
      await addDraftPhotos(ctx, media, [await picture(71)])
      const facts = cowFacts()
      const listingId = await sendDraft(ctx, `change-${id}`, { sellerId: id, pickupAddressId: pickup, facts })
      const { version, photos } = await getEditedListing(ctx, listingId)
      const change = { version, pickupAddressId: pickup, facts, isTagGone: false, photos: photos.map((photo) => listedRef(photo.id)) }
      const typed = { name: 'மாடு', version: String(version) }
      return { ctx, id, listingId, change, typed }
    }

    test('is stored beside the sell form, for each listing, and goes alone', async () => {
      const { ctx, listingId, typed } = await listed()
      await saveDraft(ctx, { typed: { name: 'new animal' }, version: 4 })
      expect(await saveDraft(ctx, { typed, version: 1, listingId })).toEqual({ version: 1, isSaved: true, isSent: false })
      expect(await saveDraft(ctx, { typed, version: 1, listingId })).toMatchObject({ version: 1, isSaved: false })
      expect(await findDraft(ctx, listingId)).toMatchObject({ typed, version: 1 })
      expect(await findDraft(ctx)).toMatchObject({ typed: { name: 'new animal' }, version: 4 })
      await removeDraft(ctx, media, listingId)
      expect(await findDraft(ctx, listingId)).toBeNull()
      expect(await findDraft(ctx)).toMatchObject({ version: 4 })
    })

    test('goes when the change is saved, and no late save brings it back', async () => {
      const { ctx, listingId, change, typed } = await listed()
      await saveDraft(ctx, { typed, version: 1, listingId })
      await editListing(ctx, media, listingId, change)
      expect(await findDraft(ctx, listingId)).toBeNull()
      expect(await saveDraft(ctx, { typed, version: 2, listingId })).toMatchObject({ isSaved: false, isSent: true })
      expect(await findDraft(ctx, listingId)).toBeNull()
    })

    test("stays when an admin changes the listing, and goes on only from the listing's new version", async () => {
      const { ctx, listingId, change, typed } = await listed()
      await saveDraft(ctx, { typed, version: 1, listingId })
      const admin = market.as(await makeUser(market.ctx, { typeId: 9 }))
      await editListing(admin, media, listingId, { ...change, facts: cowFacts({ stock: 3 }) })
      expect(await findDraft(ctx, listingId)).toMatchObject({ typed, version: 1 })
      expect(await saveDraft(ctx, { typed, version: 2, listingId })).toMatchObject({ version: 1, isSaved: false, isSent: true })
      const { version } = await getEditedListing(ctx, listingId)
      expect(await saveDraft(ctx, { typed: { ...typed, version: String(version) }, version: 2, listingId })).toMatchObject({
        isSaved: true,
      })
    })

    test("is of one's own listings only", async () => {
      const { listingId, typed } = await listed()
      expect(await refusalOf(saveDraft((await seller()).ctx, { typed, version: 1, listingId }))).toBe('NOT_FOUND')
    })

    test('is in what a person may take away, and goes with them, also where an admin typed it', async () => {
      const { ctx, id, listingId, typed } = await listed()
      const admin = market.as(await makeUser(market.ctx, { typeId: 9 }))
      for (const each of [ctx, admin]) await saveDraft(each, { typed, version: 1, listingId })
      expect(await exportPerson(ctx, id)).toMatchObject({ listingDraft: null, listingChanges: [{ listingId, typed }] })
      await forgetPerson(ctx, id)
      for (const each of [ctx, admin]) expect(await findDraft(each, listingId)).toBeNull()
    })
  })

  test('is in what a person may take away, and goes with them', async () => {
    const { ctx, id } = await seller()
    await saveDraft(ctx, { typed: { name: 'மாடு' }, version: 1 })
    const [photo] = await addDraftPhotos(ctx, media, [await picture(51)])
    expect(await exportPerson(ctx, id)).toMatchObject({ listingDraft: { typed: { name: 'மாடு' } } })
    expect(await forgetPerson(ctx, id)).toEqual([photo!.key])
    expect(await findDraft(ctx)).toBeNull()
  })
})

/** The second sweep deletes what the first one marks. */
async function sweepAfterAnHour(used: (keys: string[]) => Promise<Set<string>>): Promise<void> {
  const now = Date.now() + 3_700_000
  await sweepPictures(media, used, { ...(await sweepPictures(media, used, { announced: new Set(), now })), now })
}

test('the sweeper leaves what a person, a listing or a draft has, and what is new', async () => {
  const { ctx, id, pickup } = await seller()
  await addDraftPhotos(ctx, media, [await picture(61)])
  const listing = await sendDraft(ctx, 'form-0061', { sellerId: id, pickupAddressId: pickup, facts: cowFacts() })
  const [draft] = await addDraftPhotos(ctx, media, [await picture(62)])
  const [portrait, orphan] = await addDraftPhotos((await seller()).ctx, media, [await picture(63), await picture(64)])
  await ctx.db.execute(sql`update users set picture_key = ${portrait!.key} where id = ${id}::bigint`)
  await ctx.db.execute(sql`delete from draft_photos where media_key in (${portrait!.key}, ${orphan!.key})`)
  const used = (keys: string[]) => usedPictureKeys(ctx.db, keys)
  expect((await sweepPictures(media, used, { announced: new Set() })).announced.size).toBe(0)
  await sweepAfterAnHour(used)
  const { rows } = (await ctx.db.execute(sql`select media_key from listing_photos where listing_id = ${listing}::bigint`)) as unknown as {
    rows: { media_key: string }[]
  }
  const left = await keysInStore()
  expect(left).toEqual(expect.arrayContaining([rows[0]!.media_key, draft!.key, portrait!.key]))
  expect(left).not.toContain(orphan!.key)
})
