import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMediaStore } from './kit/media-store.server.ts'
import { sweepPictures } from './kit/sweep-pictures.server.ts'
import { makeListing, makePhoto } from './listings/makers.server.ts'
import { ownsMedia } from './media-owner.server.ts'
import { usedPictureKeys } from './selling/used-pictures.server.ts'
import { openTestMarket, type TestMarket } from './testing/test-market.ts'

let market: TestMarket
let folder: string
beforeAll(async () => {
  market = await openTestMarket()
  folder = await mkdtemp(join(tmpdir(), 'sandhai-media-'))
})
afterAll(async () => {
  await market?.close()
  await rm(folder, { recursive: true, force: true })
})

const inTwoHours = () => Date.now() + 2 * 3_600_000

test('pictures without a row go after an hour, all others stay', async () => {
  const { db } = market.ctx
  const media = await openMediaStore(folder)
  const picture = { variants: [{ width: 320 as const, format: 'jpeg' as const, bytes: Buffer.from('jpeg') }] }
  const [ofListing, ofPerson, ofNobody] = [await media.save(picture), await media.save(picture), await media.save(picture)]
  const id = await makeListing(market.ctx, {}, [{ ...makePhoto(), mediaKey: ofListing }])
  await db.execute(sql`update users set picture_key = ${ofPerson} where id = (select seller_id from listings where id = ${id})`)
  const used = (keys: string[]) => usedPictureKeys(db, keys)
  // Its row may still be on its way.
  expect(await sweepPictures(media, used)).toBe(0)
  expect(await sweepPictures(media, used, inTwoHours())).toBe(1)
  expect(await media.savedAt(ofNobody)).toBeNull()
  expect(await media.savedAt(ofListing)).not.toBeNull()
  expect(await media.savedAt(ofPerson)).not.toBeNull()
})

test('a folder belongs to the first database that used it, and to no other that is tried with it', async () => {
  const other = await openTestMarket()
  try {
    expect(await ownsMedia(market.ctx.db, folder)).toBe(true)
    expect(await ownsMedia(other.ctx.db, folder)).toBe(false)
    expect(await ownsMedia(market.ctx.db, folder)).toBe(true)
  } finally {
    await other.close()
  }
})
