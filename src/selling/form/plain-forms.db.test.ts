import { inArray } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { limitCounts } from '#src/kit/db/tables.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { actions } from '#src/policy.ts'
import { getEditedListing } from '#src/selling/listing/edit-listing.server.ts'
import { findDraft } from '#src/selling/unsent/drafts.server.ts'
import { listedRef } from '#src/selling/unsent/photo-refs.ts'
import { editFormOf, listWaitingClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { shareBuiltSite, postForm, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { picture } from '#tools/test-kit/test-sale.ts'

/** The sell form and the edit form without scripts, where photos and clips travel with the answers. */
let market: TestMarket
let site: BuiltSite
shareBuiltSite((opened) => ({ market, site } = opened))

type Files = Partial<Record<'image' | 'clip' | 'voice', Buffer>>

/** Sends the form with these answers and files. */
async function post(viewer: Viewer, path: string, typed: Record<string, string>, files: Files = {}) {
  const form = new FormData()
  for (const [name, text] of Object.entries(typed)) form.set(name, text)
  for (const [name, file] of Object.entries(files)) form.set(name, new File([new Uint8Array(file)], name))
  return postForm(site, path, form, { '__Host-sid': await makeSession(market.ctx, viewer.id) })
}

/** A seller's listing, and its edit form as it stands there. */
async function edited() {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  const id = await makeListing(market.ctx, { sellerId: viewer.id, pickupAddressId: await makeAddress(market.ctx, viewer.id) })
  const { typed, photos } = await getEditedListing(market.as(viewer), id)
  const path = `/en/seller-product/${id}/edit`
  const send = (changes: Record<string, string>, files?: Files) => post(viewer, path, { ...typed, ...changes }, files)
  const waiting = async () => (await listWaitingClips(market.as(viewer), editFormOf(id))).map(({ kind }) => kind)
  return { viewer, id, path, photo: listedRef(photos[0]!.id), send, waiting }
}

const allFiles = async (): Promise<Files> => ({
  image: await picture(1),
  clip: await makeClip(),
  voice: await makeClip({ video: null, sound: 'aac' }),
})

describe('every file counts as an upload', () => {
  const uploadsOf = async ({ id }: Viewer) => {
    const keys = [`uploadDay:${id}`, `uploadMinute:${id}`]
    const rows = await market.ctx.db.select().from(limitCounts).where(inArray(limitCounts.key, keys))
    return Object.fromEntries(rows.map(({ key, points }) => [key.split(':')[0], points]))
  }
  const counted = { uploadDay: 3, uploadMinute: 2 }

  test('in the sell form', async () => {
    const viewer = await makeUser(market.ctx, { typeId: 2 })
    const { to } = await post(viewer, '/en/sell', { act: 'save', key: 'form-0001' }, await allFiles())
    expect(to).toBe('/en/sell')
    expect(await uploadsOf(viewer)).toEqual(counted)
  })

  test('in the edit form', async () => {
    const { viewer, send } = await edited()
    const { to } = await send({}, await allFiles())
    expect(to).toBe('/en/seller-product/?done=pending')
    expect(await uploadsOf(viewer)).toEqual(counted)
  })
})

describe('a photo button of the edit form', () => {
  test.each(['main', 'unphoto', 'rephoto'])('%s stores the clips that were chosen, too', async (act) => {
    const { path, photo, send, waiting } = await edited()
    const { to } = await send({ act: `${act}:${photo}` }, await allFiles())
    expect(to).toBe(`${path}#photos`)
    expect(await waiting()).toEqual(['video', 'voice'])
  })

  test('names a clip that is refused', async () => {
    const { photo, send, waiting } = await edited()
    const { status, html } = await send({ act: `unphoto:${photo}` }, { clip: Buffer.from('no video at all') })
    expect(status).toBe(422)
    expect(html).toContain('id="listing-clip-error"')
    expect(await waiting()).toEqual([])
  })
})

describe('a clip of the form', () => {
  const name = 'Bull with a film'
  const clipOf = async (viewer: Viewer, id: number) => (await listWaitingClips(market.as(viewer), editFormOf(id)))[0]!.id

  test('is removed from the edit form by its button, and the text stays', async () => {
    const { viewer, id, path, photo, send, waiting } = await edited()
    await send({ act: `main:${photo}` }, { clip: await makeClip() })
    const { to } = await send({ act: `unclip:${await clipOf(viewer, id)}`, name }, { voice: (await allFiles()).voice! })
    expect(to).toBe(`${path}#clips`)
    expect(await waiting()).toEqual(['voice'])
    expect((await findDraft(market.as(viewer), id))!.typed).toMatchObject({ name })
  })

  test("stays when it is another person's", async () => {
    const [mine, theirs] = [await edited(), await edited()]
    await theirs.send({ act: `main:${theirs.photo}` }, { clip: await makeClip() })
    const { status } = await mine.send({ act: `unclip:${await clipOf(theirs.viewer, theirs.id)}`, name })
    expect(status).toBe(404)
    expect(await theirs.waiting()).toEqual(['video'])
  })
})

test('another species is chosen in the edit form by its button', async () => {
  const { viewer, id, path, send } = await edited()
  const { to } = await send({ act: 'species', categoryId: '2' })
  expect(to).toBe(`${path}#about`)
  expect((await findDraft(market.as(viewer), id))!.typed).toMatchObject({ categoryId: '2' })
})

test('a pasted message fills the form, and the page says that it names several animals, or a wish to buy', async () => {
  const { viewer } = await edited()
  const session = await makeSession(market.ctx, viewer.id)
  const paste = async (pasted: string) => (await post(viewer, '/en/sell', { act: 'paste', pasted })).to
  expect(await paste('Jersey cow 3 years 45000')).toBe('/en/sell#about')
  expect(await paste('Jersey cow 3 years 45000\nMurrah buffalo 4 years 60000')).toBe('/en/sell?several')
  expect((await site.open('/en/sell?several', { session })).html).toContain('Only the first was filled in')
  expect(await paste('Wanted: jersey cow below 50000')).toBe('/en/sell?wanted')
  expect((await site.open('/en/sell?wanted', { session })).html).toContain('href="/en/add-enquiry"')
})

test('a button of the edit form on an older page is refused, and the page keeps the typed text', async () => {
  const { viewer, id, photo, send } = await edited()
  expect((await send({ name: 'Changed on another phone' }, { image: await picture(1) })).status).toBe(302)
  for (const act of [`main:${photo}`, 'species']) {
    const { status, html } = await send({ act, name: 'Typed on this one' })
    expect(status).toBe(409)
    expect(html).toContain('value="Typed on this one"')
  }
  expect(await findDraft(market.as(viewer), id)).toBeNull()
})

test.each(['main:x', 'unclip:0', 'rephoto:'])('%s, an act without a valid id, changes nothing', async (act) => {
  const { viewer, id, send } = await edited()
  expect((await send({ act, name: 'Another name' })).status).toBe(400)
  expect((await getEditedListing(market.as(viewer), id)).typed.name).not.toBe('Another name')
  expect((await post(viewer, '/en/sell', { act, key: 'form-0003' })).status).toBe(400)
  expect(await findDraft(market.as(viewer))).toBeNull()
})

describe('every button sends an act of the policy', () => {
  /** The acts of the form's buttons, with the names only: `unclip:12` is `unclip`. */
  const actsOn = async (viewer: Viewer, path: string) => {
    const { html } = await site.open(path, { session: await makeSession(market.ctx, viewer.id) })
    const buttons = [...html.matchAll(/<button\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes(' name="act"'))
    return new Set(buttons.map((tag) => / value="(\w+(?:-\w+)*)/.exec(tag)![1]!))
  }
  const expectKnown = (acts: Set<string>, id: string) => {
    expect([...acts]).toEqual(expect.arrayContaining(['main', 'unphoto', 'unclip']))
    expect([...acts].filter((act) => !(act in actions[id]!.acts!))).toEqual([])
  }

  test('in the sell form', async () => {
    const viewer = await makeUser(market.ctx, { typeId: 2 })
    await makeAddress(market.ctx, viewer.id)
    const typed = { act: 'save', key: 'form-0002', categoryId: '1' }
    await post(viewer, '/en/sell', typed, { image: await picture(2), clip: await makeClip() })
    await post(viewer, '/en/sell', typed, { image: await picture(3) })
    expectKnown(await actsOn(viewer, '/en/sell'), 'sell')
  })

  test('in the edit form', async () => {
    const { viewer, path, photo, send } = await edited()
    await send({ act: `main:${photo}` }, await allFiles())
    expectKnown(await actsOn(viewer, path), 'edit-listing')
  })
})
