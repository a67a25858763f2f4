import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { openMediaStore, type FolderStore } from '#src/kit/media/media-store.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { sweepPictures } from '#src/kit/uploads/sweep-pictures.server.ts'
import { idempotency } from '#src/kit/db/tables.ts'
import { listingPhotos } from '#src/listings/tables.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { cowFacts, picture } from '#tools/test-kit/test-sale.ts'
import { temporaryFolder } from '#tools/test-kit/temporary-folder.ts'
import { addDraftPhotos, findDraft, saveDraft, sendingOwner } from '#src/selling/unsent/drafts.server.ts'
import { createListing, sendDraft } from '#src/selling/listing/sell.server.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { addPhotos } from './photos.server.ts'

const KILLS = often(2, 50)
const UPLOADS = 20
const SENDINGS = 20

let market: TestMarket
let media: FolderStore
const dir = temporaryFolder()
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})

async function seller(): Promise<{ ctx: Ctx; sale: { sellerId: number; pickupAddressId: number; facts: ReturnType<typeof cowFacts> } }> {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  const pickupAddressId = await makeAddress(market.ctx, viewer.id)
  return { ctx: market.as(viewer), sale: { sellerId: viewer.id, pickupAddressId, facts: cowFacts() } }
}
async function rows<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return ((await market.ctx.db.execute(query)) as unknown as { rows: Row[] }).rows
}
const listingsOf = async (sellerId: number) =>
  (await rows<{ n: number }>(sql`select count(*)::int as n from listings where seller_id = ${sellerId}::bigint`))[0]!.n
async function keysInStore(): Promise<string[]> {
  const keys: string[] = []
  for await (const key of media.list()) keys.push(key)
  return keys
}

describe('a form sent twice and more often at the same time', () => {
  test('makes one listing, and every submit is answered with it', async () => {
    const { ctx, sale } = await seller()
    await addDraftPhotos(ctx, media, [await picture(1)])
    const ids = await Promise.all(Array.from({ length: SENDINGS }, () => sendDraft(ctx, 'double-0001', sale)))
    expect(new Set(ids).size).toBe(1)
    expect(await listingsOf(sale.sellerId)).toBe(1)
  })

  test('would make many, if the code only checked first', async () => {
    const { ctx, sale } = await seller()
    const naive = async () => {
      const owner = sendingOwner(ctx)
      if ((await ctx.db.$count(idempotency, eq(idempotency.owner, owner))) > 0) return
      await inTransaction(ctx, (ctx) => createListing(ctx, sale))
      await ctx.db
        .insert(idempotency)
        .values({ owner, key: 'naive', requestHash: Buffer.alloc(32) })
        .onConflictDoNothing()
    }
    await Promise.all(Array.from({ length: SENDINGS }, naive))
    expect(await listingsOf(sale.sellerId)).toBeGreaterThan(1)
  })

  test('leaves no draft behind, whatever was saved meanwhile', async () => {
    const { ctx, sale } = await seller()
    await addDraftPhotos(ctx, media, [await picture(2)])
    const save = (version: number) => saveDraft(ctx, { typed: { key: 'double-0002', name: String(version) }, version })
    await Promise.all([...[1, 2, 3, 4].map(save), sendDraft(ctx, 'double-0002', sale), ...[5, 6, 7, 8].map(save)])
    expect(await findDraft(ctx)).toBeNull()
    expect(await listingsOf(sale.sellerId)).toBe(1)
  })
})

describe(`${UPLOADS} uploads to one listing at once`, () => {
  test('store exactly three pictures; the others are refused, and leave no files', async () => {
    const { ctx, sale } = await seller()
    const id = await createListing(ctx, sale)
    const files = await Promise.all(Array.from({ length: UPLOADS }, (_, n) => picture(100 + n)))
    const answers = await Promise.all(files.map((file) => refusalOf(addPhotos(ctx, media, id, [file]))))
    expect(answers.toSorted()).toEqual([...Array<string>(UPLOADS - 3).fill('TOO_MANY_IMAGES'), 'taken', 'taken', 'taken'].toSorted())
    const stored = await rows<{ position: number; media_key: string }>(
      sql`select position, media_key from listing_photos where listing_id = ${id}::bigint order by 1`,
    )
    expect(stored.map(({ position }) => Number(position))).toEqual([0, 1, 2])
    const used = await usedPictureKeys(ctx.db, await keysInStore())
    expect((await keysInStore()).filter((key) => !used.has(key))).toEqual([])
  })

  test('would fail as bugs, if they were only counted first', async () => {
    const { ctx, sale } = await seller()
    const id = await createListing(ctx, sale)
    const naive = async (n: number) => {
      const position = await ctx.db.$count(listingPhotos, eq(listingPhotos.listingId, id))
      if (position >= 3) return 'TOO_MANY_IMAGES'
      await ctx.db.insert(listingPhotos).values({
        listingId: id,
        position,
        mediaKey: `naive-${id}-${n}`,
        width: 1,
        height: 1,
        thumbhash: '',
        averageColor: '#000000',
        dhash: '0',
        sha256: '0',
      })
      return 'taken'
    }
    const answers = await Promise.all(Array.from({ length: UPLOADS }, (_, n) => naive(n).catch(() => 'a bug')))
    expect(answers).toContain('a bug')
  })
})

test(`a process killed in the middle of uploads ${KILLS} times leaves no row without its files, and no file without a row after a sweep`, async () => {
  const { ctx } = market
  const sellerIds: number[] = []
  const PER_ROUND = 40
  const [database] = await rows<{ name: string }>(sql`select current_database() as name`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${database!.name}`
  let isInterrupted = false
  for (let round = 0; round < KILLS; round++) {
    // Another seller each time: the storage of one seller is limited.
    const { ctx: own, sale } = await seller()
    sellerIds.push(sale.sellerId)
    const ids: number[] = []
    for (let n = 0; n < PER_ROUND; n++) ids.push(await createListing(own, sale))
    const script = join(projectRoot, 'tools/test-kit/upload-forever.ts')
    const uploader = spawn(process.execPath, [script, url.href, dir, String(sale.sellerId), String(ids[0]), String(ids.at(-1))], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    uploader.stderr.on('data', (text) => (said += String(text)))
    // One listing has its photos by the second line, however slow the machine is; the kill comes in the middle of a later one.
    const lines = createInterface({ input: uploader.stdout })
    for (let line = 0; line < 2; line++) await Promise.race([once(lines, 'line'), once(uploader, 'close')])
    await sleep(Math.random() * 900)
    uploader.kill('SIGKILL')
    if (uploader.exitCode === null) await once(uploader, 'close')
    expect(said).toBe('')
    const used = await usedPictureKeys(ctx.db, await keysInStore())
    isInterrupted ||= (await keysInStore()).some((key) => !used.has(key))
  }
  const stored = await rows<{ media_key: string; photos: number; state: string }>(sql`
      select p.media_key, l.state, (select count(*)::int from listing_photos o where o.listing_id = l.id) as photos
      from listing_photos p join listings l on l.id = p.listing_id where l.seller_id in ${sellerIds}`)
  expect(stored.length).toBeGreaterThan(0)
  for (const { media_key, photos, state } of stored) {
    expect([photos, state]).toEqual([3, 'pending'])
    expect(await readdir(dirname(media.path(media_key, 320, 'jpeg')))).toHaveLength(9)
  }
  const wrong = await rows(
    sql`select 1 from listings l where state = 'pending' and not exists (select 1 from listing_photos p where p.listing_id = l.id)`,
  )
  expect(wrong).toEqual([])
  // Otherwise the kills came too late to prove anything.
  if (KILLS > 5) expect(isInterrupted).toBe(true)
  const used = (keys: string[]) => usedPictureKeys(ctx.db, keys)
  const now = Date.now() + 3_700_000
  await sweepPictures(media, used, { ...(await sweepPictures(media, used, { announced: new Set(), now })), now })
  const left = await keysInStore()
  expect(left.filter((key) => !stored.some(({ media_key }) => media_key === key)).filter((key) => !key.startsWith('.')).length).toBe(
    (await used(left)).size - stored.length,
  )
  expect((await used(left)).size).toBe(left.length)
})
