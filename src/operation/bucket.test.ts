import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase, type Database } from '#src/kit/db/database.server.ts'
import { EnvError, type Env } from '#src/kit/env.server.ts'
import { bucketPlace, placeOf } from '#src/kit/media/picture-place.server.ts'
import { openMarket } from '#src/market.server.ts'
import { claimPictures, reportPictures } from '#src/media-owner.server.ts'
import { startS3Server, type S3Server } from '#src/testing/s3-server.ts'
import { makeBackup } from './backup/backup.server.ts'
import { writeNewKey } from './backup/key-file.server.ts'
import { restoreBackup } from './backup/restore.server.ts'
import { examine } from './doctor.server.ts'
import { envOf, fillMarket } from './full-market.ts'
import { moveMedia } from './move-media.server.ts'
import { cleanUp, tempFolder } from './site-process.ts'

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
  test('move to a bucket and back, and rows find every one of them in both places', async () => {
    const { env, pictures, inBucket } = await filledMarket()
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 3, compared: 3, different: [] })
    expect(picturesIn()).toEqual(pictures)
    expect(await reportPictures(inBucket, { adopt: false })).toEqual({ owner: 'ours', named: 3, missing: [], unnamed: 0, quarantined: 0 })
    rmSync(join(env.dataDir, 'media'), { recursive: true })
    expect(await moveMedia(inBucket, 'folder')).toMatchObject({ copied: 3, compared: 3, different: [] })
    expect(await reportPictures(env, { adopt: false })).toEqual({ owner: 'ours', named: 3, missing: [], unnamed: 0, quarantined: 0 })
  })

  test('go on moving where a move broke off, and each is compared again', async () => {
    const { env, inBucket } = await filledMarket()
    const store = await placeOf({ ...env, bucket: null }).open()
    for (let n = 0; n < 100; n += 1) await store.save({ variants: [{ width: 320, format: 'jpeg', bytes: Buffer.from(`picture ${n}`) }] })
    // The first object says that a move was begun.
    server.lastObject = 11
    expect(await refusal(moveMedia(inBucket, 'bucket'))).toContain('The bucket of pictures cannot be used (503')
    const there = picturesIn().length
    expect(there).toBe(10)
    server.lastObject = null
    server.state = 'well'
    // Until then it is nobody's: a market that starts on it now would miss pictures.
    expect(await refusal(inside(env, (database) => claimPictures(database, bucketPlace(server.address))))).toContain(
      'no mark of this market',
    )
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 103 - there, compared: 103, different: [] })
    expect(await moveMedia(inBucket, 'bucket')).toMatchObject({ copied: 0, compared: 103, different: [] })
  })

  test('that are others at the target are named, not overwritten, and the target is not taken over', async () => {
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

  test('do not move into what is not this market’s', async () => {
    const { inBucket } = await filledMarket()
    server.objects.set('pictures/somebody', { bytes: Buffer.from('?'), at: new Date() })
    expect(await refusal(moveMedia(inBucket, 'bucket'))).toContain('PICTURES_BUCKET: the picture bucket')
    server.objects.set('.owner', { bytes: Buffer.from('another market\nx\n'), at: new Date() })
    expect(await refusal(moveMedia(inBucket, 'bucket'))).toContain("holds another market's pictures")
    expect(picturesIn()).toEqual(['somebody'])
  })

  test('in a bucket are in backups, which come back into an empty bucket only', async () => {
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

describe('a market whose pictures are in a bucket', () => {
  test('marks it at its first start, and refuses one of another market, a wrong key and a bucket that is not there', async () => {
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

  test('starts while the bucket is away, and deletes nothing from it until the next start', async () => {
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

  test('learns from the doctor whether the bucket answers', async () => {
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
