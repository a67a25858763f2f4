import { statSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { EnvError } from '#src/kit/base/env.server.ts'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { sweepPictures } from '#src/kit/uploads/sweep-pictures.server.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { folderPlace } from '#src/kit/media/picture-place.server.ts'
import { openTestMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { adoptPictures, claimPictures } from './media-owner.server.ts'

let market: TestMarket
let folder: string
beforeEach(async () => {
  market = await openTestMarket()
  folder = await mkdtemp(join(tmpdir(), 'sandhai-media-'))
})
afterEach(async () => {
  await market?.close()
  await rm(folder, { recursive: true, force: true })
})

const HOUR = 3_600_000
const DAY = 24 * HOUR
const later = (ms: number) => Date.now() + ms
const picture = { variants: [{ width: 320 as const, format: 'jpeg' as const, bytes: Buffer.from('jpeg') }] }
const usedKeys = (keys: string[]) => usedPictureKeys(market.ctx.db, keys)

async function saveListed(media: MediaStore): Promise<string> {
  const mediaKey = await media.save(picture)
  await makeListing(market.ctx, {}, [{ ...makePhoto(), mediaKey }])
  return mediaKey
}

describe('pictures that no row names', () => {
  test('are marked after an hour, quarantined at the next sweep, and deleted after thirty days there', async () => {
    const media = await openMediaStore(folder)
    const [ofListing, ofPerson, ofNobody] = [await media.save(picture), await media.save(picture), await media.save(picture)]
    const id = await makeListing(market.ctx, {}, [{ ...makePhoto(), mediaKey: ofListing }])
    await market.ctx.db.execute(
      sql`update users set picture_key = ${ofPerson} where id = (select seller_id from listings where id = ${id})`,
    )
    const nothing = { announced: new Set(), quarantined: 0, putBack: 0, purged: 0 }
    // Its row may still be on its way.
    expect(await sweepPictures(media, usedKeys, { announced: new Set() })).toEqual(nothing)
    const first = await sweepPictures(media, usedKeys, { announced: new Set(), now: later(2 * HOUR) })
    expect(first).toEqual({ ...nothing, announced: new Set([ofNobody]) })
    expect(await media.savedAt(ofNobody)).not.toBeNull()
    expect(await sweepPictures(media, usedKeys, { ...first, now: later(3 * HOUR) })).toEqual({ ...nothing, quarantined: 1 })
    expect(await media.savedAt(ofNobody)).toBeNull()
    expect(await media.read(ofNobody, 320, 'jpeg')).toBeNull()
    expect(await sweepPictures(media, usedKeys, { announced: new Set(), now: later(29 * DAY) })).toEqual(nothing)
    await media.putBack(ofNobody)
    expect(await media.read(ofNobody, 320, 'jpeg')).toEqual(Buffer.from('jpeg'))
    await media.quarantine(ofNobody)
    expect(await sweepPictures(media, usedKeys, { announced: new Set(), now: later(31 * DAY) })).toEqual({ ...nothing, purged: 1 })
    await media.putBack(ofNobody)
    expect(await media.savedAt(ofNobody)).toBeNull()
    expect(await media.savedAt(ofListing)).not.toBeNull()
    expect(await media.savedAt(ofPerson)).not.toBeNull()
  })

  test('stay when a row names them before the next sweep, and return from the quarantine when one does later', async () => {
    const media = await openMediaStore(folder)
    const key = await media.save(picture)
    const first = await sweepPictures(media, usedKeys, { announced: new Set(), now: later(2 * HOUR) })
    const id = await makeListing(market.ctx, {}, [{ ...makePhoto(), mediaKey: key }])
    expect(await sweepPictures(media, usedKeys, { ...first, now: later(3 * HOUR) })).toMatchObject({ quarantined: 0 })
    await market.ctx.db.execute(sql`update listing_photos set media_key = 'elsewhere' where listing_id = ${id}`)
    await sweepPictures(media, usedKeys, { ...first, now: later(4 * HOUR) })
    expect(await media.savedAt(key)).toBeNull()
    await market.ctx.db.execute(sql`update listing_photos set media_key = ${key} where listing_id = ${id}`)
    expect(await sweepPictures(media, usedKeys, { announced: new Set(), now: later(5 * HOUR) })).toMatchObject({ putBack: 1 })
    expect(await media.read(key, 320, 'jpeg')).toEqual(Buffer.from('jpeg'))
  })
})

describe('a picture folder', () => {
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      (error: unknown) => (error instanceof EnvError ? error.lines.join() : error),
    )

  const markLength = (of: string) => statSync(join(of, '.owner'), { throwIfNoEntry: false })?.size ?? -1

  test('belongs to the first database that used it, at every start', async () => {
    expect(await claimPictures(market.database, folderPlace(folder))).toBe('ours')
    await saveListed(await openMediaStore(folder))
    expect(await claimPictures(market.database, folderPlace(folder))).toBe('ours')
  })

  test('has a whole mark or none at any moment, and belongs to all processes that start on it together', async () => {
    const seen = new Set<number>()
    for (let round = 0; round < 20; round += 1) {
      const fresh = join(folder, String(round))
      let claiming = true
      const claims = Promise.all(Array.from({ length: 4 }, () => claimPictures(market.database, folderPlace(fresh)))).finally(
        () => (claiming = false),
      )
      while (claiming) {
        seen.add(markLength(fresh))
        await new Promise(setImmediate)
      }
      expect(new Set(await claims)).toEqual(new Set(['ours']))
      expect(await readdir(fresh)).toEqual(['.owner'])
    }
    expect(seen).toEqual(new Set([-1, markLength(join(folder, '0'))]))
  })

  test('of another market refuses the start, even when it is empty', async () => {
    const other = await openTestMarket()
    try {
      await claimPictures(other.database, folderPlace(folder))
      expect(await refusal(claimPictures(market.database, folderPlace(folder)))).toContain("holds another market's pictures")
    } finally {
      await other.close()
    }
  })

  test('that is empty while rows name pictures refuses the start, until an operator confirms that it is the right one', async () => {
    await claimPictures(market.database, folderPlace(folder))
    await saveListed(await openMediaStore(folder))
    const empty = join(folder, 'not-mounted')
    expect(await refusal(claimPictures(market.database, folderPlace(empty)))).toContain(
      `the picture folder ${empty} has no mark of this market`,
    )
    await adoptPictures(market.database, folderPlace(empty))
    expect(await claimPictures(market.database, folderPlace(empty))).toBe('ours')
  })

  test('with the mark of an older release is taken over', async () => {
    await claimPictures(market.database, folderPlace(folder))
    const [row] = await market.database.db
      .execute(sql`select hash from loaded_data where name = 'media-owner'`)
      .then((answer) => (answer as unknown as { rows: { hash: string }[] }).rows)
    await writeFile(join(folder, '.owner'), row!.hash)
    expect(await claimPictures(market.database, folderPlace(folder))).toBe('ours')
    expect(await claimPictures(market.database, folderPlace(folder))).toBe('ours')
  })
})

describe.runIf(process.env.TEST_DATABASE === 'postgres')('an older copy of the database, started beside the current folder', () => {
  const open = (name: string) => openDatabase({ databaseUrl: new URL(`/${name}`, inject('postgresUrl')).href, dataDir: '' })

  test('deletes no picture that is newer than the copy, and reports that it is a copy', async () => {
    await claimPictures(market.database, folderPlace(folder))
    const media = await openMediaStore(folder)
    const old = await saveListed(media)
    const { rows } = (await market.ctx.db.execute(sql`select current_database() as name`)) as unknown as { rows: { name: string }[] }
    const name = rows[0]!.name
    // PostgreSQL copies a database only while nobody is connected to it.
    await market.close()
    market.close = async () => {}
    const operator = await open('postgres')
    await operator.db.execute(`create database ${name}_copy template ${name}`)
    await operator.close()
    const [original, copy] = [await open(name), await open(`${name}_copy`)]
    try {
      market.ctx.db = original.db
      const [young, dropped] = [await saveListed(media), await saveListed(media)]
      expect(await claimPictures(copy, folderPlace(folder))).toBe('copy')
      // A picture removed on the copy by hand waits in the quarantine.
      const mediaOfCopy = await openMediaStore(folder, { keepsRemoved: true })
      await mediaOfCopy.remove(dropped)
      expect(await media.read(dropped, 320, 'jpeg')).toBeNull()
      await media.putBack(dropped)
      for (const key of [old, young, dropped]) expect(await media.read(key, 320, 'jpeg')).toEqual(Buffer.from('jpeg'))
      // Control: a sweep on the copy would delete them.
      const { announced } = await sweepPictures(media, (keys) => usedPictureKeys(copy.db, keys), {
        announced: new Set(),
        now: later(2 * HOUR),
      })
      expect(announced).toEqual(new Set([young, dropped]))
      // The original stays the owner.
      expect(await claimPictures(original, folderPlace(folder))).toBe('ours')
      await adoptPictures(copy, folderPlace(folder))
      expect(await claimPictures(copy, folderPlace(folder))).toBe('ours')
      expect(await claimPictures(original, folderPlace(folder))).toBe('copy')
    } finally {
      await original.close()
      await copy.close()
    }
  })
})
