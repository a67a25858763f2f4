import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAddress, makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'
import { refusalOf } from '#src/testing/test-people.ts'
import { cowFacts, picture } from '#src/testing/test-sale.ts'
import { addDraftPhotos } from '#src/selling/form/drafts.server.ts'
import { editListing, getEditedListing, type ListingChange } from './edit-listing.server.ts'
import { sendDraft } from '#src/selling/form/sell.server.ts'

let market: TestMarket
let media: MediaStore
const dir = mkdtempSync(join(tmpdir(), 'sandhai-edit-'))
beforeAll(async () => {
  market = await openTestMarket()
  media = await openMediaStore(dir)
})
afterAll(async () => {
  await market?.close()
  rmSync(dir, { recursive: true, force: true })
})

let forms = 0
interface Listed {
  ctx: Ctx
  id: number
  pickup: number
  /** The same listing again, with changes. */
  change(changes?: Partial<Omit<ListingChange, 'facts'>> & { facts?: Parameters<typeof cowFacts>[0] }): Promise<ListingChange>
}
/** A cow with two pictures in this state. */
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
        keep: photos.map((photo) => photo.id),
        files: [],
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

describe('a change', () => {
  test('of price, stock and words leaves a passed listing where it is', async () => {
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
  ] as const)('of %s brings it back to those who verify', async (_, facts) => {
    const cow = await listed()
    const before = await rowOf(cow.id)
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ facts }))).toEqual({ isChecked: true })
    const after = await rowOf(cow.id)
    expect(after.state).toBe('pending')
    expect(String(after.changed_at) > String(before.changed_at)).toBe(true)
  })

  test('of photos: a new one is verified, one less or another order is not', async () => {
    const cow = await listed()
    const [one, two] = (await cow.change()).keep
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ keep: [two!, one!] }))).toEqual({ isChecked: false })
    expect((await getEditedListing(cow.ctx, cow.id)).photos.map(({ id }) => id)).toEqual([two, one])
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ keep: [one!] }))).toEqual({ isChecked: false })
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ files: [await picture(901)] }))).toEqual({ isChecked: true })
    expect(await rowOf(cow.id)).toMatchObject({ state: 'pending', places: [0, 1] })
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ keep: [] })))).toBe('VALIDATION')
    const files = [await picture(902), await picture(903)]
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ files })))).toBe('TOO_MANY_IMAGES')
  })

  test('by which a failed one is sent in again, whatever it was', async () => {
    const cow = await listed('failed')
    expect(await getEditedListing(cow.ctx, cow.id)).toMatchObject({ isOpen: true, comment: 'Which breed?' })
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ facts: { stock: 3 } }))).toEqual({ isChecked: true })
    expect((await rowOf(cow.id)).state).toBe('pending')
  })

  test('of a listing that somebody else has changed meanwhile is refused', async () => {
    const cow = await listed()
    const [mine, late] = [await cow.change({ facts: { stock: 5 } }), await cow.change({ facts: { stock: 9 } })]
    await editListing(cow.ctx, media, cow.id, mine)
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, late))).toBe('VERSION')
    expect((await rowOf(cow.id)).stock).toBe(5)
  })

  test('of a withdrawn or sold listing is refused: it is listed again', async () => {
    const cow = await listed('withdrawn')
    expect((await getEditedListing(cow.ctx, cow.id)).isOpen).toBe(false)
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change()))).toBe('LISTING_STEP')
    const sold = await listed()
    await market.ctx.db.execute(sql`update listings set is_sold = true where id = ${sold.id}::bigint`)
    expect(await refusalOf(editListing(sold.ctx, media, sold.id, await sold.change({ facts: { stock: 4 } })))).toBe('LISTING_STEP')
    expect((await rowOf(sold.id)).stock).toBe(1)
  })

  test('by a stranger finds nothing, and by an admin is one for the seller', async () => {
    const cow = await listed()
    const change = await cow.change({ facts: { stock: 7 } })
    const stranger = market.as(await makeUser(market.ctx, { typeId: 2 }))
    expect(await refusalOf(editListing(stranger, media, cow.id, change))).toBe('NOT_FOUND')
    expect(await refusalOf(getEditedListing(stranger, cow.id))).toBe('NOT_FOUND')
    expect(await rowOf(cow.id)).toMatchObject({ stock: 1, version: 1 })
    await editListing(market.as(await makeUser(market.ctx, { typeId: 9 })), media, cow.id, change)
    expect((await rowOf(cow.id)).stock).toBe(7)
  })

  test('of the address takes the place along, and only from the seller’s own book', async () => {
    const cow = await listed()
    const theirs = await makeAddress(market.ctx, (await makeUser(market.ctx, { typeId: 2 })).id)
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, await cow.change({ pickupAddressId: theirs })))).toBe('VALIDATION')
    const other = await makeAddress(market.ctx, cow.ctx.viewer!.id, { pincode: '641001' })
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ pickupAddressId: other }))).toEqual({ isChecked: false })
    expect((await rowOf(cow.id)).district).toBe('Coimbatore')
  })

  test('is one change, however often the phone sends it that heard no answer; another one to the old version is refused', async () => {
    const cow = await listed()
    const change = await cow.change({})
    const first = await editListing(cow.ctx, media, cow.id, change)
    const { version } = await rowOf(cow.id)
    expect(await editListing(cow.ctx, media, cow.id, change)).toEqual(first)
    expect((await rowOf(cow.id)).version).toBe(version)
    const other = { ...change, facts: { ...change.facts, stock: change.facts.stock + 1 } }
    expect(await refusalOf(editListing(cow.ctx, media, cow.id, other))).toBe('VERSION')
  })

  test('keeps the tag on record until it is removed', async () => {
    const cow = await listed()
    expect((await getEditedListing(cow.ctx, cow.id)).typed.tag).toBeUndefined()
    expect(await editListing(cow.ctx, media, cow.id, await cow.change({ isTagGone: true }))).toEqual({ isChecked: true })
    expect((await rowOf(cow.id)).tagged).toBe(false)
  })
})
