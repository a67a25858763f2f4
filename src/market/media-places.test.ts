import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readEnv } from '#src/kit/base/env.server.ts'
import type { BucketAddress } from '#src/kit/base/env.server.ts'
import { BucketAway, openBucket, signedHeaders } from '#src/kit/media/bucket.server.ts'
import { MediaStoreFull, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { PICTURE_FORMATS, PICTURE_WIDTHS } from '#src/kit/media/media-url.ts'
import { bucketPlace, folderPlace, type PicturePlace } from '#src/kit/media/picture-place.server.ts'
import { sweepPictures } from '#src/kit/uploads/sweep-pictures.server.ts'
import { startS3Server, type S3Server } from '#tools/test-kit/s3-server.ts'

/** Nine files of different lengths, each filled with its own letter. */
const drawing = (size = 1000) => ({
  variants: PICTURE_WIDTHS.flatMap((width, i) =>
    PICTURE_FORMATS.map((format, j) => ({
      width,
      format,
      bytes: Buffer.alloc(size * (i * 3 + j + 1), String.fromCharCode(97 + i * 3 + j)),
    })),
  ),
})

async function keysOf(store: MediaStore): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.list()) keys.push(key)
  return keys.sort()
}

async function hiddenIn(store: MediaStore): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.listQuarantined()) keys.push(key)
  return keys.sort()
}

const hash = (bytes: Uint8Array | null) => bytes && createHash('sha256').update(bytes).digest('hex')

let server: S3Server
let folder: string
beforeEach(async () => {
  server = await startS3Server()
  folder = await mkdtemp(join(tmpdir(), 'sandhai-places-'))
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A real store that the rehearsal starts (tools/rehearse/); each test has its own bucket there. */
const real = readEnv({
  PICTURES_BUCKET: process.env.REHEARSAL_BUCKET,
  PICTURES_KEY_ID: process.env.REHEARSAL_KEY_ID,
  PICTURES_SECRET: process.env.REHEARSAL_SECRET,
}).bucket
let realBucket: BucketAddress
beforeEach(async () => {
  if (!real) return
  realBucket = { ...real, url: `${real.url}-${randomBytes(5).toString('hex')}` }
  const url = new URL(realBucket.url)
  const headers = await signedHeaders(realBucket, { method: 'PUT', url, headers: {}, bytes: new Uint8Array() })
  expect((await fetch(url, { method: 'PUT', headers })).status).toBe(200)
})

const places: [string, () => PicturePlace][] = [
  ['a folder', () => folderPlace(folder)],
  ['a bucket', () => bucketPlace(server.address)],
  ...(real ? [['a bucket of a real store', () => bucketPlace(realBucket)] as [string, () => PicturePlace]] : []),
]

describe.each(places)('pictures in %s', (_, placeNow) => {
  test('are read as saved, each file on its own, also by a process that never saw them', async () => {
    const picture = drawing(9000)
    const key = await (await placeNow().open()).save(picture)
    for (const { width, format, bytes } of picture.variants) {
      const store = await placeNow().open()
      expect(hash(await store.read(key, width, format)), `${width} ${format} first`).toBe(hash(bytes))
      expect(hash(await store.read(key, width, format)), `${width} ${format} again`).toBe(hash(bytes))
      expect(await store.read(key, 2048, 'webp')).toBeNull()
    }
  })

  test('have the time of saving, and none when they are missing', async () => {
    const store = await placeNow().open()
    const key = await store.save(drawing())
    expect((await store.savedAt(key))!.getTime()).toBeGreaterThan(Date.now() - 3_600_000)
    expect(await store.savedAt('a'.repeat(20))).toBeNull()
    expect(await store.read('a'.repeat(20), 320, 'webp')).toBeNull()
    expect(await store.filesOf('a'.repeat(20))).toBeNull()
  })

  test('are all listed, however many pages the list has, without removed ones', async () => {
    server.listedAtOnce = 7
    const store = await placeNow().open()
    const keys = (await Promise.all(Array.from({ length: 30 }, () => store.save(drawing(1))))).sort()
    expect(await keysOf(store)).toEqual(keys)
    await Promise.all([store.remove(keys[0]!), store.remove(keys[0]!), store.remove(keys[1]!)])
    expect(await keysOf(store)).toEqual(keys.slice(2))
    expect(await store.read(keys[0]!, 320, 'webp')).toBeNull()
  })

  test('are hidden, restored, and finally deleted', async () => {
    const store = await placeNow().open()
    const [one, two] = [await store.save(drawing()), await store.save(drawing())]
    for (const key of [one, two, two]) await store.quarantine(key)
    expect([await keysOf(store), await hiddenIn(store)]).toEqual([[], [one, two].sort()])
    expect(await store.read(one, 320, 'jpeg')).toBeNull()
    for (const key of [one, one, 'a'.repeat(20)]) await store.putBack(key)
    await store.purge(two)
    await store.putBack(two)
    expect([await keysOf(store), await hiddenIn(store)]).toEqual([[one], []])
    expect(await store.read(one, 320, 'jpeg')).toHaveLength(3000)
  })

  test('are only hidden by a copy of the market, which may not delete', async () => {
    const key = await (await placeNow().open()).save(drawing())
    await (await placeNow().open({ keepsRemoved: true })).remove(key)
    expect(await hiddenIn(await placeNow().open())).toEqual([key])
  })

  test('are backed up and restored whole; an existing one stays', async () => {
    const store = await placeNow().open()
    const key = await store.save(drawing())
    const files = (await store.filesOf(key))!
    expect(files.map(({ name }) => name).sort()).toEqual(
      ['1280.avif', '1280.jpg', '1280.webp', '320.avif', '320.jpg', '320.webp', '640.avif', '640.jpg', '640.webp'].sort(),
    )
    await store.restore(key, [{ name: '320.jpg', bytes: Buffer.from('another') }])
    expect(await store.read(key, 320, 'jpeg')).toHaveLength(3000)
    await store.remove(key)
    await store.restore(key, files)
    expect(await store.read(key, 1280, 'jpeg')).toHaveLength(9000)
  })

  test('that no row names are marked, hidden, and finally deleted by the sweep', async () => {
    const store = await placeNow().open()
    const [used, unused] = [await store.save(drawing()), await store.save(drawing())]
    const usedKeys = async () => new Set([used])
    const later = (hours: number) => Date.now() + hours * 3_600_000
    const { announced } = await sweepPictures(store, usedKeys, { announced: new Set(), now: later(2) })
    expect(announced).toEqual(new Set([unused]))
    expect(await sweepPictures(store, usedKeys, { announced, now: later(3) })).toMatchObject({ quarantined: 1 })
    expect(await sweepPictures(store, usedKeys, { announced: new Set(), now: later(31 * 24) })).toMatchObject({ purged: 1 })
    expect([await keysOf(store), await hiddenIn(store)]).toEqual([[used], []])
  })

  test('have notes, of which the first writer wins', async () => {
    const place = placeNow()
    await place.prepare()
    expect([await place.isEmpty(), await place.readNote('.owner')]).toEqual([true, null])
    await Promise.all(['one', 'two', 'three'].map((text) => placeNow().writeFirstNote('.owner', text)))
    const first = await place.readNote('.owner')
    await place.writeFirstNote('.owner', 'later')
    expect([await place.isEmpty(), await place.readNote('.owner')]).toEqual([false, first])
    await place.writeNote('.owner', 'adopted')
    expect(await place.readNote('.owner')).toBe('adopted')
    await place.removeNote('.owner')
    expect(await place.readNote('.owner')).toBeNull()
    expect(await keysOf(await place.open())).toEqual([])
  })

  test('are never looked up under a foreign name', async () => {
    const store = await placeNow().open()
    const key = await store.save(drawing())
    for (const strange of ['', '..', '../.owner', `${key}/../${key}`, key.toUpperCase(), `${key}\n`]) {
      expect(await store.read(strange, 320, 'jpeg')).toBeNull()
      await expect(store.remove(strange)).rejects.toThrow('Not a media key')
    }
  })
})

describe('a bucket', () => {
  const open = () => bucketPlace(server.address).open()

  test('gets only requests signed with its key, and an error names no secret', async () => {
    const wrong = { keyId: 'AKOTHER', secret: 'wrong', region: 'mars-1', url: server.address.url.replace('pictures-of', 'others-of') }
    const reasons: string[] = []
    for (const [name, value] of Object.entries(wrong)) {
      const error = await openBucket({ ...server.address, [name]: value })
        .probe()
        .catch((refused: unknown) => refused as BucketAway)
      expect(error).toBeInstanceOf(BucketAway)
      expect((error as BucketAway).isRefusal).toBe(true)
      reasons.push((error as BucketAway).message.replace(/^[^(]*/, ''))
    }
    expect(reasons).toEqual([
      '(403 InvalidAccessKeyId).',
      '(403 SignatureDoesNotMatch).',
      '(400 AuthorizationHeaderMalformed).',
      '(404 NoSuchBucket).',
    ])
  })

  test('that is full reports so, keeps its content, and stores nothing partial', async () => {
    const store = await open()
    const key = await store.save(drawing())
    server.state = 'full'
    await expect(store.save(drawing())).rejects.toThrow(MediaStoreFull)
    expect(await keysOf(store)).toEqual([key])
    expect(await store.read(key, 320, 'jpeg')).toHaveLength(3000)
  })

  test('that closes a connection without an answer gets one retry', async () => {
    const store = await open()
    server.state = 'breaks'
    const key = await store.save(drawing())
    server.state = 'breaks'
    expect(await store.read(key, 320, 'jpeg')).toHaveLength(3000)
  })

  test('that does not answer differs from one without the picture, and recovers without a restart', async () => {
    const store = await open()
    const key = await store.save(drawing())
    for (const state of ['away', 'silent'] as const) {
      server.state = state
      await expect(store.read(key, 320, 'jpeg'), state).rejects.toThrow(BucketAway)
      await expect(openBucket(server.address).probe(), state).rejects.toThrow(BucketAway)
    }
    server.state = 'well'
    expect(await store.read(key, 320, 'jpeg')).toHaveLength(3000)
  })

  test('without conditional writes still gets its owner', async () => {
    server.knowsConditions = false
    const place = bucketPlace(server.address)
    await place.writeFirstNote('.owner', 'ours')
    expect(await place.readNote('.owner')).toBe('ours')
  })

  test('gets one request for a picture of a list, and one for each file later', async () => {
    const key = await (await open()).save(drawing())
    const store = await open()
    server.asked.length = 0
    await store.read(key, 320, 'webp')
    await store.read(key, 640, 'webp')
    await store.read(key, 2048, 'webp')
    expect(server.asked).toEqual([`GET pictures/${key}`, `GET pictures/${key}`])
  })

  test('refuses a damaged picture instead of showing it', async () => {
    const store = await open()
    const key = await store.save(drawing())
    server.objects.set(`pictures/${key}`, { bytes: Buffer.from('not ours'), at: new Date() })
    await expect((await open()).read(key, 320, 'jpeg')).rejects.toThrow('damaged')
    await expect((await open()).filesOf(key)).rejects.toThrow('damaged')
  })
})
