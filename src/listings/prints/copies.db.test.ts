import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMediaStore, type FolderStore } from '#src/kit/media/media-store.server.ts'
import { processPicture } from '#src/kit/media/pictures.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { findDuplicates } from '#src/listings/write/duplicates.server.ts'
import { makeListing, makePhoto } from '../makers.server.ts'
import { ALWAYS_BY_INDEX, photosWith } from './copies.server.ts'
import { photoPrints } from './tables.ts'
import { sweepPrints, takePrints } from './prints.server.ts'

let market: TestMarket
let media: FolderStore
let folder: string
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prints-'))
  media = await openMediaStore(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const sample = (name: string) => readFileSync(join(projectRoot, `demo/pictures/${name}.jpg`))

/** Makes a listing of a new seller with this picture. */
async function listingWith(picture: Buffer): Promise<number> {
  const { variants, ...facts } = await processPicture(picture)
  return makeListing(market.ctx, {}, [{ ...facts, mediaKey: await media.save({ variants }) }])
}

const duplicatesOf = async (id: number) => (await findDuplicates(market.ctx, id)).map((each) => [each.id, each.why])

test('a cropped, mirrored and recompressed copy at another seller is found; another bull in front of the same fields is not', async () => {
  const bull = sample('kangayam-bull-1')
  const original = await listingWith(bull)
  const other = await listingWith(sample('ongole-bull-1'))
  const part = { left: 150, top: 90, width: 900, height: 700 }
  const stolen = await listingWith(await sharp(bull).extract(part).flop().resize(600).jpeg({ quality: 45 }).toBuffer())
  expect(await duplicatesOf(stolen)).toEqual([])
  while ((await takePrints(market.database.db, media)) > 0);
  expect(await duplicatesOf(stolen)).toEqual([[original, ['similar-picture']]])
  expect(await duplicatesOf(original)).toEqual([[stolen, ['similar-picture']]])
  expect(await duplicatesOf(other)).toEqual([])
})

test('a desk reads stored comparisons in one statement', async () => {
  const id = await listingWith(sample('gir-cow-1'))
  while ((await takePrints(market.database.db, media)) > 0);
  market.statements()
  await findDuplicates(market.ctx, id)
  expect(market.statements()).toHaveLength(1)
})

test('a print whose comparison was interrupted is compared in the next round', async () => {
  const picture = sample('jersey-cow-1')
  const first = await listingWith(picture)
  const second = await listingWith(await sharp(picture).flop().jpeg({ quality: 60 }).toBuffer())
  while ((await takePrints(market.database.db, media)) > 0);
  await market.owner.execute(sql`delete from photo_copies`)
  expect(await duplicatesOf(second)).toEqual([])
  while ((await takePrints(market.database.db, media)) > 0);
  expect(await duplicatesOf(second)).toEqual([[first, ['similar-picture']]])
})

test('a photo without a file gets an empty print, is examined once, and matches nothing', async () => {
  const id = await makeListing(market.ctx, {}, [{ ...makePhoto(), dhash: 'f0e1d2c3b4a59687', sha256: '9'.repeat(64) }])
  expect(await takePrints(market.database.db, media)).toBe(1)
  expect(await takePrints(market.database.db, media)).toBe(0)
  expect(await duplicatesOf(id)).toEqual([])
})

test('the print of a deleted photo is swept, and later photos still get theirs', async () => {
  const id = await listingWith(sample('hf-cow-1'))
  await listingWith(sample('gir-cow-1'))
  await takePrints(market.database.db, media)
  const count = () => market.database.db.$count(photoPrints)
  const before = await count()
  await market.owner.transaction(async (tx) => {
    await tx.execute(sql`delete from listings where id = ${id}`)
  })
  await sweepPrints(market.database.db)
  expect(await count()).toBe(before - 1)
  await listingWith(sample('gir-cow-2'))
  expect(await takePrints(market.database.db, media)).toBe(1)
})

test('the look-up of a picture uses an index, however many prints there are', async () => {
  await market.owner.execute(sql`
    insert into photo_prints (photo_id, print, keys)
    select 1000000 + n, '', array(select (random() * 67108863)::int from generate_series(1, 60) where n > 0) from generate_series(1, 5000) n`)
  await market.owner.execute(sql`analyze photo_prints`)
  const keys = Array.from({ length: 64 }, (_, n) => n * 1_000_000)
  const rows = await market.owner.transaction(async (tx) => {
    await tx.execute(ALWAYS_BY_INDEX)
    return tx.execute(sql`explain (format json) ${photosWith(keys)}`)
  })
  const plan = JSON.stringify((rows as { rows: unknown }).rows)
  expect(plan).toContain('"Index Name":"photo_prints_keys"')
  expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"photo_prints"/)
})
