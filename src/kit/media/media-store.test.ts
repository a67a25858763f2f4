import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MediaStoreFull, openMediaStore, type MediaStore } from './media-store.server.ts'
import { DETAIL_WIDTH, PICTURE_FORMATS, PICTURE_WIDTHS, detailUrl, mediaUrl, parseMediaName } from './media-url.ts'
import type { PictureVariant } from './pictures.server.ts'

/** Nine files, each filled with a different letter. */
const drawing = (size = 1_000): { variants: PictureVariant[] } => ({
  variants: PICTURE_WIDTHS.flatMap((width, i) =>
    PICTURE_FORMATS.map((format, j) => ({ width, format, bytes: Buffer.alloc(size, String.fromCharCode(97 + i * 3 + j)) })),
  ),
})

async function keysOf(store: MediaStore): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.list()) keys.push(key)
  return keys
}

const tempsIn = async (dir: string) => (await readdir(dir)).filter((name) => name.startsWith('.'))

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sandhai-media-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Returns the file system's current time, because its clock can differ from the process's clock. */
async function fileTime(name: string): Promise<Date> {
  const file = path.join(dir, name)
  await writeFile(file, '')
  const { mtime } = await stat(file)
  await rm(file)
  return mtime
}

describe('the picture store', () => {
  test('returns each of the nine files under a random key', async () => {
    const store = await openMediaStore(dir)
    const picture = drawing()
    const before = await fileTime('before')
    const key = await store.save(picture)
    expect(key).toMatch(/^[a-z0-9]{20}$/)
    for (const { width, format, bytes } of picture.variants) {
      expect(await store.read(key, width, format)).toEqual(bytes)
    }
    expect(store.path(key, 320, 'jpeg')).toBe(path.join(dir, key.slice(0, 2), key, '320.jpg'))
    const times = [before, (await store.savedAt(key))!, await fileTime('after')]
    expect(times).toEqual(times.toSorted((a, b) => a.getTime() - b.getTime()))
    expect(await tempsIn(dir)).toEqual([])
    expect(await store.freeBytes()).toBeGreaterThan(0)
  })

  test('finds its pictures after a restart', async () => {
    const key = await (await openMediaStore(dir)).save(drawing())
    const reopened = await openMediaStore(dir)
    expect(await keysOf(reopened)).toEqual([key])
    expect(await reopened.read(key, 1280, 'avif')).toHaveLength(1_000)
  })

  test('lists every picture, without removed ones', async () => {
    const store = await openMediaStore(dir)
    const keys = await Promise.all(Array.from({ length: 30 }, () => store.save(drawing(10))))
    expect(new Set(keys).size).toBe(30)
    expect((await keysOf(store)).sort()).toEqual([...keys].sort())

    await Promise.all([store.remove(keys[0]!), store.remove(keys[0]!), store.remove(keys[1]!)])
    await store.remove(keys[0]!)
    expect((await keysOf(store)).sort()).toEqual(keys.slice(2).sort())
    expect(await store.read(keys[0]!, 320, 'webp')).toBeNull()
    expect(await store.savedAt(keys[0]!)).toBeNull()
    expect(await tempsIn(dir)).toEqual([])
  })

  test('never reads outside its folder', async () => {
    const store = await openMediaStore(dir)
    const key = await store.save(drawing())
    for (const strange of ['', '..', '../../../../etc/passwd', `${key}/../${key}`, key.toUpperCase(), `${key}\n`, `${key}\0`]) {
      expect(await store.read(strange, 320, 'jpeg')).toBeNull()
      expect(() => store.path(strange, 320, 'jpeg')).toThrow('Not a media key')
      await expect(store.remove(strange)).rejects.toThrow('Not a media key')
    }
    expect(await store.read('a'.repeat(20), 320, 'jpeg')).toBeNull()
  })

  test('deletes what a crash left over, but not what another process is writing', async () => {
    for (const name of ['.temp-old', '.temp-young']) await mkdir(path.join(dir, name))
    const anHourAgo = new Date(Date.now() - 3_600_000)
    await utimes(path.join(dir, '.temp-old'), anHourAgo, anHourAgo)
    const store = await openMediaStore(dir)
    expect(await tempsIn(dir)).toEqual(['.temp-young'])
    expect(await keysOf(store)).toEqual([])
  })

  test('leaves nothing behind when a write fails', async () => {
    const store = await openMediaStore(dir)
    const twice = drawing().variants.slice(0, 1)
    await expect(store.save({ variants: [...twice, ...twice] })).rejects.toThrow('EEXIST')
    expect(await tempsIn(dir)).toEqual([])
    expect(await keysOf(store)).toEqual([])
  })

  test('shows only complete pictures after kill -9 during saves', async () => {
    const script = `
      import { openMediaStore } from ${JSON.stringify(new URL('./media-store.server.ts', import.meta.url).href)}
      const store = await openMediaStore(${JSON.stringify(dir)})
      const variants = [320, 640, 1280].flatMap((width) =>
        ['avif', 'webp', 'jpeg'].map((format) => ({ width, format, bytes: Buffer.alloc(300_000, 'x') })))
      for (;;) console.log(await store.save({ variants }));`
    const acknowledged: string[] = []
    let interrupted = 0
    // Repeat until a kill has interrupted a save; other rounds prove nothing.
    for (let round = 0; round < 8 || interrupted === 0; round += 1) {
      const saver = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
      let output = ''
      saver.stdout.on('data', (text) => (output += text))
      await once(saver.stdout, 'data')
      await sleep(Math.random() * 60)
      saver.kill('SIGKILL')
      await once(saver, 'close')
      acknowledged.push(...output.split('\n').filter((line) => line.length === 20))
      interrupted = (await tempsIn(dir)).length
    }
    const store = await openMediaStore(dir)
    const keys = await keysOf(store)
    expect(acknowledged.filter((key) => !keys.includes(key))).toEqual([])
    for (const key of keys) {
      const files = await readdir(path.dirname(store.path(key, 320, 'jpeg')))
      expect(files).toHaveLength(9)
      for (const width of PICTURE_WIDTHS) {
        for (const format of PICTURE_FORMATS) expect(await store.read(key, width, format)).toHaveLength(300_000)
      }
    }
  })
})

describe('the picture store on a full disk', () => {
  test('throws, leaves nothing behind, keeps its pictures, and works again when there is room', async ({ skip }) => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir], { stdio: 'ignore' })
    } catch {
      skip('needs the right to mount a small disk')
    }
    try {
      const store = await openMediaStore(dir)
      const first = await store.save(drawing(50_000))
      const free = await store.freeBytes()
      await expect(store.save(drawing(80_000))).rejects.toThrow(MediaStoreFull)
      expect(await tempsIn(dir)).toEqual([])
      expect(await store.freeBytes()).toBe(free)
      expect(await keysOf(store)).toEqual([first])
      expect(await store.read(first, 640, 'jpeg')).toHaveLength(50_000)
      await store.remove(first)
      expect(await keysOf(store)).toHaveLength(0)
      await store.save(drawing(80_000))
    } finally {
      execFileSync('umount', [dir])
    }
  })
})

describe('the address of a picture', () => {
  const key = 'k3j5h6g7f8d9s0a1q2w3'

  test('maps back to the picture', () => {
    expect(mediaUrl(key, 640, 'jpeg')).toBe(`/media/${key}-640.jpg`)
    expect(parseMediaName(detailUrl(key).slice('/media/'.length))).toEqual({ key, width: DETAIL_WIDTH, format: 'webp' })
    for (const width of PICTURE_WIDTHS) {
      for (const format of PICTURE_FORMATS) {
        expect(parseMediaName(mediaUrl(key, width, format).slice('/media/'.length))).toEqual({ key, width, format })
      }
    }
  })

  test('is rejected when we did not make it', () => {
    const strange = [
      '',
      key,
      `${key}-320`,
      `${key}-320.jpeg`,
      `${key}-320.svg`,
      `${key}-321.jpg`,
      `${key}-0320.jpg`,
      `${key}-320.jpg.php`,
      `${key}-320.jpg\n`,
      ` ${key}-320.jpg`,
      `../${key}-320.jpg`,
      `${key}-320.JPG`,
      `${key.toUpperCase()}-320.jpg`,
      `${key.slice(1)}-320.jpg`,
      `${key}a-320.jpg`,
      `..%2f${key}-320.jpg`,
      `${key}-320.jpg?x`,
      `constructor-320.jpg`,
    ]
    for (const name of strange) expect(parseMediaName(name), JSON.stringify(name)).toBeNull()
  })
})
