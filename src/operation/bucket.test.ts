import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { EnvError, type Env } from '#src/kit/base/env.server.ts'
import { clipFile } from '#src/kit/media/media-url.ts'
import { bucketPlace, placeOf } from '#src/kit/media/picture-place.server.ts'
import { listingClips, listings } from '#src/listings/tables.ts'
import { openMarket } from '#src/market/market.server.ts'
import { claimPictures, reportPictures } from '#src/market/media-owner.server.ts'
import { startS3Server, type S3Server } from '#tools/test-kit/s3-server.ts'
import { makeBackup } from './backup/backup.server.ts'
import { writeNewKey } from './backup/key-file.server.ts'
import { restoreBackup } from './backup/restore.server.ts'
import { examine } from './doctor.server.ts'
import { envOf, fillMarket } from '#tools/test-kit/full-market.ts'
import { moveMedia } from './move-media.server.ts'
import { cleanUp, tempFolder } from '#tools/test-kit/site-process.ts'

let server: S3Server
beforeEach(async () => {
  server = await startS3Server()
})
afterEach(() => server.stop())
afterAll(cleanUp)

const inside = async <T>({ dataDir }: Env, use: (database: Database) => Promise<T>): Promise<T> => {
  const database = await openDatabase({ databaseUrl: null, dataDir })
  return use(database).finally(() => database.close())
}

/** A market on the embedded database with three pictures in its folder. */
async function filledMarket() {
  const env = envOf(tempFolder(inject('preparedDataDir')), null)
  const { pictures } = await inside(env, (database) => fillMarket(database, env.dataDir))
  return { env, pictures: pictures.toSorted(), inBucket: { ...env, bucket: server.address } }
}

const picturesIn = () =>
  [...server.objects.keys()]
    .filter((name) => name.startsWith('pictures/'))
    .map((name) => name.slice('pictures/'.length))
    .sort()

const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof EnvError ? error.lines.join() : (error as Error).message),
  )

describe('the pictures of a market', () => {
  test('move to a bucket and back, and rows find each of them in both places', async () => {
    const { env, pictures, inBucket } = await filledMarket()
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 3, compared: 3, different: [] })
    expect(picturesIn()).toEqual(pictures)
    expect(await reportPictures(inBucket, { adopt: false })).toEqual({ owner: 'ours', named: 3, missing: [], unnamed: 0, quarantined: 0 })
    rmSync(join(env.dataDir, 'media'), { recursive: true })
    expect(await moveMedia(inBucket, 'folder')).toMatchObject({ copied: 3, compared: 3, different: [] })
    expect(await reportPictures(env, { adopt: false })).toEqual({ owner: 'ours', named: 3, missing: [], unnamed: 0, quarantined: 0 })
  })

  test('continue moving after an interruption, and are all compared again', async () => {
    const { env, inBucket } = await filledMarket()
    const store = await placeOf({ ...env, bucket: null }).open()
    for (let n = 0; n < 100; n += 1) await store.save({ variants: [{ width: 320, format: 'jpeg', bytes: Buffer.from(`picture ${n}`) }] })
    // The first object is the mark of a move.
    server.lastObject = 11
    expect(await refusal(moveMedia(inBucket, 'bucket'))).toContain('The bucket of pictures cannot be used (503')
    const there = picturesIn().length
    expect(there).toBe(10)
    server.lastObject = null
    server.state = 'well'
    // Until the move is complete the bucket has no owner, because a market that started on it would miss pictures.
    expect(await refusal(inside(env, (database) => claimPictures(database, bucketPlace(server.address))))).toContain(
      'no mark of this market',
    )
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 103 - there, compared: 103, different: [] })
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 0, compared: 103, different: [] })
  })

  test('that differ at the target are reported, not overwritten, and the target is not taken over', async () => {
    const { env, pictures, inBucket } = await filledMarket()
    await moveMedia(inBucket, 'bucket')
    const altered = server.objects.get(`pictures/${pictures[1]}`)!
    altered.bytes = Buffer.from(altered.bytes)
    altered.bytes[altered.bytes.length - 1]! ^= 1
    server.objects.delete('.owner')
    server.objects.set('.moving', { bytes: Buffer.from(''), at: new Date() })
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 0, different: [pictures[1]] })
    expect(server.objects.get(`pictures/${pictures[1]}`)).toBe(altered)
    expect(await refusal(inside(env, (database) => claimPictures(database, bucketPlace(server.address))))).toContain(
      'no mark of this market',
    )
  })

  test('do not move into another market’s place', async () => {
    const { inBucket } = await filledMarket()
    server.objects.set('pictures/somebody', { bytes: Buffer.from('?'), at: new Date() })
    expect(await refusal(moveMedia(inBucket, 'bucket'))).toContain('PICTURES_BUCKET: the picture bucket')
    server.objects.set('.owner', { bytes: Buffer.from('another market\nx\n'), at: new Date() })
    expect(await refusal(moveMedia(inBucket, 'bucket'))).toContain("holds another market's pictures")
    expect(picturesIn()).toEqual(['somebody'])
  })

  test('in a bucket are in backups, which are restored only into an empty bucket', async () => {
    const { pictures, inBucket } = await filledMarket()
    await moveMedia(inBucket, 'bucket')
    const key = join(tempFolder(), 'backup.key')
    const to = tempFolder()
    const backupRecipients = [await writeNewKey(key)]
    expect(await makeBackup({ ...inBucket, backupRecipients }, { to })).toMatchObject({ copied: 3, missing: [] })
    const other = await startS3Server()
    try {
      const restored = envOf(tempFolder(), null, { bucket: other.address })
      other.objects.set('pictures/somebody', { bytes: Buffer.from('?'), at: new Date() })
      expect(await refusal(restoreBackup(restored, { from: to, key }))).toContain('is not empty')
      other.objects.clear()
      expect(await restoreBackup(restored, { from: to, key })).toMatchObject({ pictures: 3 })
      for (const each of pictures)
        expect(other.objects.get(`pictures/${each}`)!.bytes).toEqual(server.objects.get(`pictures/${each}`)!.bytes)
      expect(await reportPictures(restored, { adopt: false })).toMatchObject({ owner: 'ours', missing: [], unnamed: 0 })
    } finally {
      await other.stop()
    }
  })
})

describe('a clip of a listing', () => {
  const clip = { kind: 'video', format: 'webm' } as const
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 31) % 251))
  const clipIn = async (env: Env, key: string) => (await placeOf(env).open()).readFile(key, clipFile(clip))

  test('moves to a bucket and back, and is restored from a backup, byte for byte', async () => {
    const env = envOf(tempFolder(inject('preparedDataDir')), null)
    const inBucket = { ...env, bucket: server.address }
    const key = await (await placeOf(env).open()).saveFiles([{ name: clipFile(clip), bytes }])
    const row = await inside(env, async (database) => {
      const { listingId } = await fillMarket(database, env.dataDir)
      const [listing] = await database.db.select({ sellerId: listings.sellerId }).from(listings).where(eq(listings.id, listingId))
      const facts = { listingId, ownerId: listing!.sellerId, mediaKey: key, caption: 'Walks', bytes: bytes.length, millis: 4000 }
      await database.db.insert(listingClips).values({ ...facts, ...clip, position: 0 })
      return facts
    })
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 4, different: [] })
    rmSync(join(env.dataDir, 'media'), { recursive: true })
    expect(await clipIn(inBucket, key)).toEqual(bytes)
    const keyFile = join(tempFolder(), 'backup.key')
    const to = tempFolder()
    expect(await makeBackup({ ...inBucket, backupRecipients: [await writeNewKey(keyFile)] }, { to })).toMatchObject({
      copied: 4,
      missing: [],
    })
    await moveMedia(inBucket, 'folder')
    expect(await clipIn(env, key)).toEqual(bytes)
    const restored = envOf(tempFolder(), null)
    expect(await restoreBackup(restored, { from: to, key: keyFile })).toMatchObject({ pictures: 4 })
    expect(await clipIn(restored, key)).toEqual(bytes)
    await inside(restored, async ({ db }) => {
      expect(await db.select().from(listingClips)).toMatchObject([row])
    })
    expect(await reportPictures(restored, { adopt: false })).toMatchObject({ missing: [], unnamed: 0 })
  })
})

describe('a market whose pictures are in a bucket', () => {
  test('marks it at the first start, and refuses another market’s bucket, a wrong key and a missing bucket', async () => {
    const { inBucket } = await filledMarket()
    await moveMedia(inBucket, 'bucket')
    const start = async (changes: Partial<Env> = {}) => (await openMarket({ ...inBucket, ...changes }, { isRehearsal: true })).close()
    await start()
    expect(await refusal(start({ bucket: { ...server.address, secret: 'another' } }))).toBe(
      'PICTURES_BUCKET: The bucket of pictures cannot be used (403 SignatureDoesNotMatch).',
    )
    expect(await refusal(start({ bucket: { ...server.address, url: `${server.address.url}-2` } }))).toContain('404 NoSuchBucket')
    server.objects.set('.owner', { bytes: Buffer.from('another market\nx\n'), at: new Date() })
    expect(await refusal(start())).toContain("holds another market's pictures")
  })

  test('starts while the bucket is unreachable, and deletes nothing from it until the next start', async () => {
    const { pictures, inBucket } = await filledMarket()
    await moveMedia(inBucket, 'bucket')
    server.state = 'away'
    const market = await openMarket(inBucket, { isRehearsal: true })
    try {
      server.state = 'well'
      await market.media.remove(pictures[0]!)
      expect([picturesIn(), server.objects.has(`quarantine/${pictures[0]}`)]).toEqual([pictures.slice(1), true])
    } finally {
      await market.close()
    }
  })

  test('gets a report from the doctor whether the bucket answers', async () => {
    const { env } = await filledMarket()
    const variables = {
      DATA_DIR: env.dataDir,
      PEPPER: env.pepper,
      PICTURES_BUCKET: server.address.url,
      PICTURES_REGION: server.address.region,
      PICTURES_KEY_ID: server.address.keyId,
      PICTURES_SECRET: server.address.secret,
    }
    const saidOf = async (changes = {}) => (await examine({ ...variables, ...changes })).find(({ what }) => what === 'pictures')
    expect(await saidOf()).toMatchObject({ level: 'hint' })
    server.objects.set('.owner', { bytes: Buffer.from('this market\nx\n'), at: new Date() })
    expect(await saidOf()).toMatchObject({ level: 'well' })
    expect(await saidOf({ PICTURES_SECRET: 'another' })).toMatchObject({
      level: 'problem',
      says: expect.stringContaining('SignatureDoesNotMatch'),
    })
  })
})
