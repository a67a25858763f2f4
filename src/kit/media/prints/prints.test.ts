import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { changes, seeded } from '#tools/test-kit/picture-variants.ts'
import { often } from '#tools/test-kit/often.ts'
import { isCopy, mirrored } from './compare-prints.ts'
import { packPrint, printKeys, unpackPrint, type Print } from './print.ts'
import { printOf } from './take-print.server.ts'

/** Pictures of the sample market; test:deep takes all of them. Many show another animal of the same breed in front of the same wall. */
const PICTURES = often(24, Infinity)
/** Copies per kind of change. */
const VARIANTS = often(2, 20)

const folder = join(projectRoot, 'demo/pictures')
const names = readdirSync(folder).filter((name) => name.endsWith('.jpg'))
const taken = names.slice(0, Math.min(PICTURES, names.length))
const animalOf = (name: string) => name.replace(/-\d+\.jpg$/, '')
const prints = new Map<string, Print>()

/** Stores a picture and returns its print after a round trip through the stored bytes. */
async function storedPrint(picture: Buffer): Promise<Print> {
  const stored = await sharp(picture)
    .resize(640, 640, { fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 78, mozjpeg: true })
    .toBuffer()
  return unpackPrint(packPrint(await printOf(stored)))!
}

const read = (name: string) => readFileSync(join(folder, name))
const sharedKeys = (a: Print, b: Print) => {
  const keys = new Set(printKeys(a))
  return printKeys(b).filter((key) => keys.has(key)).length
}
/** The search of listings/prints/copies.server.ts: two shared index keys, then the comparison. */
const isFound = (original: Print, copy: Print) =>
  [copy, mirrored(copy)].some((print) => sharedKeys(original, print) >= 2) && isCopy(copy, original)

beforeAll(async () => {
  for (const name of taken) prints.set(name, await storedPrint(read(name)))
})

describe('a picture copied from elsewhere', () => {
  test('is recognized in at least 95 of 100 changed copies', async () => {
    const random = seeded(42)
    const missed: string[] = []
    const every = Math.max(1, Math.floor(taken.length / VARIANTS))
    const chosen = taken.filter((_, n) => n % every === 0).slice(0, VARIANTS)
    for (const [kind, change] of Object.entries(changes)) {
      for (const name of chosen) {
        const print = await storedPrint(await change(read(name), random))
        if (!isFound(prints.get(name)!, print)) missed.push(`${kind}: ${name}`)
      }
    }
    const tried = Object.keys(changes).length * chosen.length
    const share = (tried - missed.length) / tried
    process.stdout.write(`copies found: ${tried - missed.length} of ${tried}${missed.map((each) => `\n  missed, ${each}`).join('')}\n`)
    expect(tried).toBe(often(20, 200))
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
  })

  test('is confused with another animal in front of the same wall in at most 1 of 100 pairs', () => {
    const wrong: string[] = []
    let pairs = 0
    for (const [at, one] of taken.entries()) {
      for (const other of taken.slice(at + 1)) {
        if (animalOf(one) === animalOf(other)) continue
        pairs += 1
        if (isCopy(prints.get(one)!, prints.get(other)!)) wrong.push(`${one} and ${other}`)
      }
    }
    process.stdout.write(`pairs of different animals taken for copies: ${wrong.length} of ${pairs}\n`)
    expect(pairs).toBeGreaterThan(200)
    expect(wrong.slice(Math.floor(pairs / 100))).toEqual([])
  })

  test('keeps its print through the database, and an unreadable print gives null', () => {
    const print = prints.get(taken[0]!)!
    expect(unpackPrint(packPrint(print))).toEqual(print)
    expect(unpackPrint(Buffer.alloc(0))).toBeNull()
    expect(mirrored(mirrored(print)).small).toEqual(print.small)
  })

  test('without any spot matches nothing', async () => {
    const blank = await storedPrint(
      await sharp({ create: { width: 640, height: 480, channels: 3, background: '#88aacc' } })
        .jpeg()
        .toBuffer(),
    )
    expect(blank.marks).toEqual([])
    expect(isCopy(blank, blank)).toBe(false)
    expect(isCopy(blank, prints.get(taken[0]!)!)).toBe(false)
  })
})
