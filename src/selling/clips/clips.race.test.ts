import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { newKey, openMediaStore, type FolderStore } from '#src/kit/media/media-store.server.ts'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listingClips } from '#src/listings/tables.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { addListingClip, addWaitingClip } from './add-clip.server.ts'
import { appendPart, createUpload } from './clip-uploads.server.ts'

const AT_ONCE = 6

let market: TestMarket
let media: FolderStore
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})

async function sellerWithUpload(kind: 'video' | 'voice' = 'video') {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  const ctx: Ctx = market.as(viewer)
  const data = await makeClip(kind === 'voice' ? { video: null, sound: 'aac' } : {})
  const upload = await createUpload(ctx, data.length)
  await appendPart(ctx, upload, { offset: 0, data })
  return { ctx, viewer, upload, sent: { kind, still: null, file: { upload } } }
}

async function unusedFiles(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of media.list()) keys.push(key)
  const used = await usedPictureKeys(market.ctx.db, keys)
  return keys.filter((key) => !used.has(key))
}

const clipsOf = (upload: string) => market.ctx.db.$count(listingClips, eq(listingClips.uploadId, upload))

describe(`${AT_ONCE} concurrent requests with one upload`, () => {
  test.each(['video', 'voice'] as const)('add one %s to a form, are all answered, and leave no files', async (kind) => {
    const { ctx, upload, sent } = await sellerWithUpload(kind)
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => addWaitingClip(ctx, media, `race-${kind}-0001`, sent)))
    expect(answers.map((clips) => clips.length)).toEqual(Array<number>(AT_ONCE).fill(1))
    expect(await clipsOf(upload)).toBe(1)
    expect(await unusedFiles()).toEqual([])
  })

  test('add one clip in all to a form and two listings', async () => {
    const { ctx, viewer, upload, sent } = await sellerWithUpload()
    const pickupAddressId = await makeAddress(market.ctx, viewer.id)
    const made = () => makeListing(market.ctx, { sellerId: viewer.id, pickupAddressId })
    const listings = [await made(), await made()]
    const answers = await Promise.all([
      ...listings.flatMap((id) => [1, 2].map(() => refusalOf(addListingClip(ctx, media, id, { ...sent, caption: '' })))),
      ...[1, 2].map(() => refusalOf(addWaitingClip(ctx, media, 'race-all-0001', sent))),
    ])
    expect(answers).toEqual(Array<string>(AT_ONCE).fill('taken'))
    expect(await clipsOf(upload)).toBe(1)
    expect(await unusedFiles()).toEqual([])
  })

  test('control: fail as bugs when the code checks first and writes afterwards', async () => {
    const { viewer, upload } = await sellerWithUpload()
    const bothHaveChecked = meetingOf(2)
    const naive = async (position: number) => {
      const count = await clipsOf(upload)
      await bothHaveChecked()
      if (count > 0) return 'taken'
      const facts = { ownerId: viewer.id, form: 'race-naive', kind: 'video' as const, format: 'mp4' as const, bytes: 1, millis: 1 }
      await market.ctx.db.insert(listingClips).values({ ...facts, position, uploadId: upload, mediaKey: newKey() })
      return 'added'
    }
    const answers = await Promise.all([0, 1].map((position) => naive(position).catch((error: unknown) => sqlState(error))))
    expect(answers.toSorted()).toEqual(['23505', 'added'])
  })
})
