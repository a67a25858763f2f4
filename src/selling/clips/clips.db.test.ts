import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listedRef } from '#src/selling/unsent/photo-refs.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { makeClip, type ClipWanted } from '#tools/test-kit/make-clip.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import { listingClips, listings } from '#src/listings/tables.ts'
import { forgetPerson as forgetListings } from '#src/listings/privacy.server.ts'
import { editListing, getEditedListing } from '#src/selling/listing/edit-listing.server.ts'
import { addDraftPhotos, removeDraft } from '#src/selling/unsent/drafts.server.ts'
import { sendDraft } from '#src/selling/listing/sell.server.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { forgetPerson as forgetSelling } from '#src/selling/privacy/privacy.server.ts'
import { clipUploadParts, clipUploads } from '../tables.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { clipForm, cowFacts, picture } from '#tools/test-kit/test-sale.ts'
import { listClips, listWaitingClips, sweepWaitingClips } from '#src/selling/unsent/waiting-clips.server.ts'
import { addWaitingClip } from './add-clip.server.ts'
import { MAX_UPLOAD_BYTES, sweepClipUploads } from './clip-uploads.server.ts'

let app: TestApp
let seller: Viewer, other: Viewer, admin: Viewer
let pickup: number
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 100 } })
beforeAll(async () => {
  admin = await makeUser(app.ctx, { typeId: 9 })
})
beforeEach(async () => {
  seller = await makeUser(app.ctx, { typeId: 2 })
  other = await makeUser(app.ctx, { typeId: 2 })
  pickup = await makeAddress(app.ctx, seller.id)
})

const as = (viewer: Viewer): Ctx => ({ ...app.ctx, viewer })
const video = { kind: 'video' as const, still: null }
const stage = async (form: string, wanted: ClipWanted = {}, who = seller) =>
  addWaitingClip(as(who), app.media, form, { ...video, file: await makeClip(wanted) })
const stageVoice = async (form: string) =>
  addWaitingClip(as(seller), app.media, form, { kind: 'voice', still: null, file: await makeClip({ video: null, sound: 'aac' }) })
const made = (facts: object = {}) => makeListing(app.ctx, { sellerId: seller.id, pickupAddressId: pickup, ...facts })
const sale = () => ({ sellerId: seller.id, pickupAddressId: pickup, facts: cowFacts() })
const change = async (id: number, clips: { gone?: number[]; captions?: string[] }) => {
  const { version, photos } = await getEditedListing(as(seller), id)
  const whole = { gone: [], captions: [], ...clips }
  return editListing(as(seller), app.media, id, {
    version,
    pickupAddressId: pickup,
    facts: cowFacts({ breedId: 105 }),
    isTagGone: false,
    photos: photos.map((photo) => listedRef(photo.id)),
    clips: whole,
  })
}

const tus = { 'Tus-Resumable': '1.0.0' }
const begin = async (length: number, who = seller, headers: Record<string, string> = tus) =>
  app.call('/api/v1/clip-upload', { method: 'POST', as: who, csrf: true, headers: { ...headers, 'Upload-Length': String(length) } })
const part = (at: string, offset: number, body: Buffer, who = seller, type = 'application/offset+octet-stream') =>
  app.call(at, {
    method: 'PATCH',
    as: who,
    csrf: true,
    headers: { ...tus, 'Upload-Offset': String(offset), 'Content-Type': type },
    body: body as Buffer<ArrayBuffer>,
  })
const head = (at: string, who = seller) => app.call(at, { method: 'HEAD', as: who, headers: tus })
const idIn = (at: string) => at.split('=')[1]!

describe('resumable upload of a clip with tus 1.0', () => {
  test('a part may name a charset with its type, and no other type', async () => {
    const at = (await begin(10)).headers.get('location')!
    expect((await part(at, 0, Buffer.alloc(5), seller, 'Application/Offset+Octet-Stream; charset=UTF-8')).status).toBe(204)
    expect((await part(at, 5, Buffer.alloc(5), seller, 'text/plain; charset=UTF-8')).status).toBe(415)
  })

  test('resumes after a break: HEAD returns the offset, the next part starts there, and the upload becomes a clip of the form', async () => {
    const file = await makeClip()
    const begun = await begin(file.length)
    expect([begun.status, begun.headers.get('tus-resumable'), begun.headers.get('tus-version')]).toEqual([201, '1.0.0', '1.0.0'])
    const at = begun.headers.get('location')!
    const first = await part(at, 0, file.subarray(0, 5000))
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '5000'])
    const asked = await head(at)
    expect([
      asked.status,
      asked.headers.get('upload-offset'),
      asked.headers.get('upload-length'),
      asked.headers.get('cache-control'),
    ]).toEqual([200, '5000', String(file.length), 'no-store'])
    const finish = (form = new FormData()) => {
      form.set('kind', 'video')
      form.set('upload', idIn(at))
      return app.call('/api/v1/listing-draft/clip?form=a-form-key', { method: 'POST', as: seller, csrf: true, form })
    }
    expect((await finish()).status).toBe(422)
    expect((await part(at, 5000, file.subarray(5000))).status).toBe(204)
    const form = new FormData()
    form.set('still', new File([new Uint8Array(await picture(7))], 'still.jpg'))
    const { clips } = (await (await finish(form)).json()) as { clips: { url: string; still: string; seconds: number; type: string }[] }
    expect(clips).toEqual([expect.objectContaining({ kind: 'video', type: 'video/mp4', seconds: 4, width: 480, height: 360 })])
    // The response was lost: repeating the call adds no second clip, and the upload is gone.
    expect(((await (await finish()).json()) as { clips: unknown[] }).clips.length).toBe(1)
    expect((await head(at)).status).toBe(404)
    expect(await app.ctx.db.$count(clipUploadParts, eq(clipUploadParts.uploadId, idIn(at)))).toBe(0)
    for (const address of [clips[0]!.url, clips[0]!.still]) {
      expect((await app.call(address, { as: seller })).status).toBe(200)
      expect((await app.call(address, { as: other })).status).toBe(404)
      expect((await app.call(address)).status).toBe(404)
    }
  })

  test('rejects a part with a wrong offset, length or content type, and another protocol version', async () => {
    const at = (await begin(100)).headers.get('location')!
    expect((await part(at, 0, Buffer.alloc(60))).status).toBe(204)
    const wrong: [number, number, string][] = [
      [0, 10, 'offset+octet-stream'],
      [70, 10, 'offset+octet-stream'],
      [60, 41, 'offset+octet-stream'],
      [60, 10, 'octet-stream'],
    ]
    const statuses: number[] = []
    for (const [offset, length, type] of wrong)
      statuses.push((await part(at, offset, Buffer.alloc(length), seller, `application/${type}`)).status)
    expect(statuses).toEqual([409, 409, 413, 415])
    expect((await head(at)).headers.get('upload-offset')).toBe('60')
    const old = await begin(100, seller, { 'Tus-Resumable': '0.2.2' })
    expect([old.status, old.headers.get('tus-version')]).toEqual([412, '1.0.0'])
    expect((await begin(100, seller, {})).status).toBe(412)
    expect((await begin(4_000_000)).status).toBe(413)
    for (const length of ['-1', '0', 'many', ''])
      expect(
        (await app.call('/api/v1/clip-upload', { method: 'POST', as: seller, csrf: true, headers: { ...tus, 'Upload-Length': length } }))
          .status,
      ).toBe(422)
  })

  test('says what it can do before it is asked for a version', async () => {
    const asked = await app.call('/api/v1/clip-upload', { method: 'OPTIONS' })
    const named = ['tus-version', 'tus-resumable', 'tus-extension', 'tus-max-size', 'cache-control']
    expect([asked.status, ...named.map((name) => asked.headers.get(name))]).toEqual([
      204,
      '1.0.0',
      '1.0.0',
      'creation,termination',
      String(MAX_UPLOAD_BYTES),
      'no-store',
    ])
  })

  test('takes a part and a deletion as a POST that names its method, under the rules of that method', async () => {
    const at = (await begin(10)).headers.get('location')!
    const posted = (named: string, who: Viewer | null, { csrf = true, type = 'application/offset+octet-stream' } = {}) =>
      app.call(at, {
        method: 'POST',
        as: who,
        csrf,
        headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': type, 'X-HTTP-Method-Override': named },
        ...(named === 'PATCH' && { body: Buffer.alloc(10) }),
      })
    const statuses = async (named: string) => [
      (await posted(named, null)).status,
      (await posted(named, other)).status,
      (await posted(named, seller, { csrf: false })).status,
    ]
    expect(await statuses('PATCH')).toEqual([401, 404, 403])
    expect(await statuses('DELETE')).toEqual([401, 404, 403])
    expect((await posted('PATCH', seller, { type: 'text/plain' })).status).toBe(415)
    for (const named of ['GET', 'PUT', 'CONNECT', 'a method', '']) expect((await posted(named, seller)).status, named).toBe(405)
    expect((await head(at)).headers.get('upload-offset')).toBe('0')
    const taken = await posted('PATCH', seller)
    expect([taken.status, taken.headers.get('upload-offset')]).toEqual([204, '10'])
    expect((await posted('DELETE', seller)).status).toBe(204)
    expect((await head(at)).status).toBe(404)
  })

  test('belongs to its owner only, and can be terminated', async () => {
    const at = (await begin(100)).headers.get('location')!
    const strangers = [
      head(at, other),
      part(at, 0, Buffer.alloc(10), other),
      app.call(at, { method: 'DELETE', as: other, csrf: true, headers: tus }),
    ]
    expect((await Promise.all(strangers)).map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await app.call(at, { method: 'DELETE', as: seller, csrf: true, headers: tus })).status).toBe(204)
    expect((await head(at)).status).toBe(404)
  })

  test('is deleted after a day when unfinished; a person keeps at most the last six', async () => {
    for (let n = 0; n < 8; n++) await begin(100)
    expect(await app.ctx.db.$count(clipUploads, eq(clipUploads.ownerId, seller.id))).toBe(6)
    await app.ctx.db
      .update(clipUploads)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(clipUploads.ownerId, seller.id))
    await begin(100)
    await sweepClipUploads(app.ctx.db)
    expect(await app.ctx.db.$count(clipUploads, eq(clipUploads.ownerId, seller.id))).toBe(1)
  })
})

describe('clips of a new listing', () => {
  test('wait under the key of the form, two and a voice note at most, and move to the listing with their captions', async () => {
    await stage('form-one')
    await stage('form-one', { container: 'webm' })
    await stageVoice('form-one')
    await stage('form-two')
    await expect(stage('form-one')).rejects.toMatchObject({ code: 'VALIDATION', fields: [{ field: 'clip', message: 'field_clips_two' }] })
    await expect(stageVoice('form-one')).rejects.toMatchObject({ fields: [{ field: 'voice', message: 'field_voice_one' }] })
    await addDraftPhotos(as(seller), app.media, [await picture(1)])
    const id = await sendDraft(as(seller), 'form-one', sale(), undefined, ['She walks', ''])
    const { clips, state } = await getProduct(as(seller), id)
    expect([state, ...clips.map(({ kind, format, caption }) => `${kind} ${format} ${caption}`)]).toEqual([
      'pending',
      'video mp4 She walks',
      'video webm ',
      'voice mp4 ',
    ])
    // Clips of the next animal stay with their own form.
    expect((await listWaitingClips(as(seller), 'form-two')).length).toBe(1)
    expect(await sendDraft(as(seller), 'form-one', sale())).toBe(id)
  })

  test('are deleted when the form starts over and when it was never sent', async () => {
    const [clip] = await stage('form-six')
    await removeDraft(as(seller), app.media)
    expect(await listWaitingClips(as(seller), 'form-six')).toEqual([])
    expect(await app.media.filesOf(clip!.key)).toBeNull()
    await stage('form-six')
    await app.ctx.db
      .update(listingClips)
      .set({ createdAt: sql`now() - interval '61 days'` })
      .where(eq(listingClips.ownerId, seller.id))
    await sweepWaitingClips(app.ctx.db)
    expect(await listWaitingClips(as(seller), 'form-six')).toEqual([])
  })

  test('are visible to their sender only', async () => {
    const [clip] = await stage('form-six')
    const remove = (who: Viewer) => app.call(`/api/v1/listing-draft/clip/id=${clip!.id}`, { method: 'DELETE', as: who, csrf: true })
    expect((await remove(other)).status).toBe(404)
    await expect(stage('edit-1', {}, other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await remove(seller)).status).toBe(200)
  })

  test('leave no file in any store when one of them is refused', async () => {
    const keys = async () => {
      const all: string[] = []
      for await (const key of app.media.list()) all.push(key)
      return all.length
    }
    const before = await keys()
    await expect(stage('form-six', { seconds: 40 })).rejects.toMatchObject({ fields: [{ field: 'clip', message: 'field_clip_long' }] })
    const broken = addWaitingClip(as(seller), app.media, 'form-six', { ...video, file: await makeClip(), still: Buffer.from('no picture') })
    await expect(broken).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' })
    expect(await keys()).toBe(before)
  })
})

describe('a clip that waited on a phone', () => {
  /** Sends it as the phone's outbox does. Returns the upload's id, for a repetition. */
  const send = async (
    form: string,
    fields: Record<string, string> = {},
    { wanted = {}, who = seller }: { wanted?: ClipWanted; who?: Viewer } = {},
  ) => {
    const file = await makeClip(wanted)
    const at = (await begin(file.length, who)).headers.get('location')!
    await part(at, 0, file, who)
    return { upload: idIn(at), answer: await finish(form, { upload: idIn(at), ...fields }, who) }
  }
  const finish = (to: string, fields: Record<string, string>, who = seller) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ kind: 'video', ...fields })) form.set(name, value)
    return app.call(`/api/v1/listing-draft/clip?form=${to}`, { method: 'POST', as: who, csrf: true, form })
  }
  const codeOf = async (answer: Response) => {
    const { code, fields } = (await answer.json()) as { code: string; fields?: { message: string }[] }
    return [answer.status, code, ...(fields ?? []).map(({ message }) => message)]
  }

  test('becomes the listing’s, with its caption, when the listing was made before it; sent twice it is one', async () => {
    await addDraftPhotos(as(seller), app.media, [await picture(2)])
    const id = await sendDraft(as(seller), 'form-made-before', sale())
    await app.ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, id))
    const { upload, answer } = await send('form-made-before', { caption: 'She walks' })
    expect(await answer.json()).toEqual({ clips: [] })
    const again = await finish('form-made-before', { upload, caption: 'She walks' })
    expect(again.status).toBe(200)
    const { clips, state } = await getProduct(as(seller), id)
    // A clip that nobody has verified is not shown.
    expect([state, ...clips.map(({ caption }) => caption)]).toEqual(['pending', 'She walks'])
    expect(await listWaitingClips(as(seller), 'form-made-before')).toEqual([])
    // A key says nothing of another person's listing: theirs is another form.
    await send('form-made-before', {}, { who: other })
    expect((await listClips(app.ctx, id)).length).toBe(1)
  })

  test('waits for the form when the listing is not made yet, and shows in the draft', async () => {
    await send('form-to-come', { caption: 'She walks' })
    const draft = (await (await app.call('/api/v1/listing-draft', { as: seller })).json()) as { typed: object; clips: { id: number }[] }
    expect([draft.typed, draft.clips.length]).toEqual([{ key: 'form-to-come' }, 1])
    const { clips } = (await (await app.call('/api/v1/listing-draft?form=another-form', { as: seller })).json()) as { clips: object[] }
    expect(clips).toEqual([])
    await addDraftPhotos(as(seller), app.media, [await picture(3)])
    const id = await sendDraft(as(seller), 'form-to-come', sale(), undefined, ['Typed in the form'])
    expect((await listClips(app.ctx, id)).map(({ caption }) => caption)).toEqual(['Typed in the form'])
  })

  test('of an edit form waits while the listing has the version of the form, and becomes its own once the change was saved', async () => {
    const id = await made({ ...cowFacts({ breedId: 105 }) })
    const { version } = await getEditedListing(as(seller), id)
    await send(`edit-${id}`, { version: String(version) })
    expect([(await listClips(app.ctx, id)).length, (await listWaitingClips(as(seller), `edit-${id}`)).length]).toEqual([0, 1])
    await change(id, { captions: ['One'] })
    await send(`edit-${id}`, { version: String(version), caption: 'Two' })
    expect((await listClips(app.ctx, id)).map(({ caption }) => caption)).toEqual(['One', 'Two'])
    const third = await send(`edit-${id}`, { version: String(version) })
    expect((await codeOf(third.answer))[0]).toBe(422)
    const theirs = await send(`edit-${id}`, { version: String(version) }, { who: other })
    expect((await codeOf(theirs.answer)).slice(0, 2)).toEqual([404, 'NOT_FOUND'])
  })

  test('is refused with a reason: too long, a caption too long, a listing that is withdrawn', async () => {
    const id = await made({ state: 'withdrawn' })
    const long = await send('form-of-refusals', {}, { wanted: { seconds: 40 } })
    expect((await codeOf(long.answer)).slice(0, 2)).toEqual([422, 'VALIDATION'])
    expect((await codeOf(await finish('form-of-refusals', { upload: 'a'.repeat(20), caption: 'x'.repeat(121) })))[0]).toBe(422)
    expect((await codeOf(await finish('form-of-refusals', { upload: 'a'.repeat(20), version: 'new' })))[0]).toBe(422)
    const withdrawn = await send(`edit-${id}`, { version: '0' })
    expect((await codeOf(withdrawn.answer)).slice(0, 2)).toEqual([409, 'LISTING_STEP'])
    expect(await app.ctx.db.$count(listingClips, eq(listingClips.ownerId, seller.id))).toBe(0)
  })
})

describe('clips of a published listing', () => {
  test('are public, also for range requests, and private when the listing is taken down', async () => {
    const id = await made()
    await addTo(id, 'video')
    await app.ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, id))
    const [clip] = await listClips(app.ctx, id)
    const at = `/media/${clip!.key}-video.mp4`
    const whole = await app.call(at)
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect([
      whole.status,
      whole.headers.get('content-type'),
      whole.headers.get('accept-ranges'),
      whole.headers.get('x-content-type-options'),
    ]).toEqual([200, 'video/mp4', 'bytes', 'nosniff'])
    const piece = async (range: string) => {
      const answer = await app.call(at, { headers: { range } })
      return [answer.status, answer.headers.get('content-range'), Buffer.from(await answer.arrayBuffer())]
    }
    const { length } = bytes
    expect(await piece('bytes=0-1')).toEqual([206, `bytes 0-1/${length}`, bytes.subarray(0, 2)])
    expect(await piece(`bytes=${length - 3}-`)).toEqual([206, `bytes ${length - 3}-${length - 1}/${length}`, bytes.subarray(-3)])
    expect(await piece('bytes=-3')).toEqual([206, `bytes ${length - 3}-${length - 1}/${length}`, bytes.subarray(-3)])
    expect((await piece(`bytes=${length}-`))[0]).toBe(416)
    for (const odd of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2']) expect((await piece(odd))[0], odd).toBe(200)
    for (const wrong of ['-video.webm', '-voice.mp4', '-clip.mp4', '-320.jpg'])
      expect((await app.call(`/media/${clip!.key}${wrong}`)).status, wrong).toBe(404)
    await app.ctx.db.update(listings).set({ state: 'failed' }).where(eq(listings.id, id))
    const statuses = [null, other, seller, admin].map(async (who) => (await app.call(at, { as: who })).status)
    expect(await Promise.all(statuses)).toEqual([404, 404, 200, 200])
  })

  const addTo = async (id: number, kind: string, who = seller, fields: Record<string, string> = {}) => {
    const { form } = await clipForm({ kind, product: String(id), ...fields })
    return app.call('/api/v1/productclips', { method: 'POST', as: who, csrf: true, form })
  }

  test('are hidden until verified; the seller or an admin may add them, nobody else', async () => {
    const id = await made()
    expect((await addTo(id, 'video', other)).status).toBe(404)
    const added = await addTo(id, 'video', seller, { caption: 'Milking' })
    expect(((await added.json()) as { clips: object[] }).clips).toEqual([expect.objectContaining({ caption: 'Milking' })])
    expect((await getProduct(as(seller), id)).state).toBe('pending')
    expect((await addTo(id, 'voice', admin)).status).toBe(200)
    const [shown] = (await (await app.call(`/api/v1/product/id=${id}`, { as: seller })).json()) as [
      { product_variant: [{ product_clips: { id: number; kind: string }[] }] },
    ]
    const { product_clips: clips } = shown.product_variant[0]
    expect(clips.map(({ kind }) => kind)).toEqual(['video', 'voice'])
    const remove = (who: Viewer) => app.call(`/api/v1/productclip/id=${clips[0]!.id}`, { method: 'DELETE', as: who, csrf: true })
    expect([(await remove(other)).status, (await remove(seller)).status, (await remove(seller)).status]).toEqual([404, 200, 404])
    expect((await listClips(app.ctx, id)).length).toBe(1)
  })

  test('in the edit form: new clips and new captions need verification, removals do not, and the positions close up', async () => {
    const id = await made({ ...cowFacts({ breedId: 105 }) })
    const form = `edit-${id}`
    await stage(form)
    await stage(form, { container: 'webm' })
    expect(await change(id, { captions: ['One', 'Two'] })).toEqual({ isChecked: true })
    await app.ctx.db.update(listings).set({ state: 'passed' }).where(eq(listings.id, id))
    const [first, second] = await listClips(app.ctx, id)
    expect([first!.caption, second!.caption]).toEqual(['One', 'Two'])
    expect(await change(id, { gone: [first!.id], captions: ['One', 'Two'] })).toEqual({ isChecked: false })
    expect(await listClips(app.ctx, id)).toEqual([{ ...second!, caption: 'Two' }])
    expect(await app.media.filesOf(first!.key)).toBeNull()
    expect(await change(id, { captions: ['Two, from the side'] })).toEqual({ isChecked: true })
    await stage(form)
    await stage(form)
    await expect(change(id, { captions: ['Two, from the side'] })).rejects.toMatchObject({ fields: [{ message: 'field_clips_two' }] })
    await stageVoice(form)
    await change(id, { gone: [second!.id] })
    await stageVoice(form)
    await change(id, {})
    expect((await listClips(app.ctx, id)).map(({ kind }) => kind)).toEqual(['video', 'video', 'voice'])
  })

  test('are deleted with the account, and count as used until then', async () => {
    const id = await made()
    await addTo(id, 'video')
    const [waiting] = await stage('form-six')
    const [own] = await listClips(app.ctx, id)
    expect([...(await usedPictureKeys(app.ctx.db, [own!.key, waiting!.key]))].sort()).toEqual([own!.key, waiting!.key].sort())
    const forget = async (ctx: Ctx) => [...(await forgetListings(ctx, seller.id)), ...(await forgetSelling(ctx, seller.id))]
    const gone = await inTransaction(as(seller), forget)
    expect(gone).toEqual(expect.arrayContaining([own!.key, waiting!.key]))
    expect(await app.ctx.db.$count(listingClips, eq(listingClips.ownerId, seller.id))).toBe(0)
  })
})
