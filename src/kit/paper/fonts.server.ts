import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#src/kit/base/log.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/**
 * The fonts of papers and pictures come with the product, so that both look the same on every host. Tamil is first and
 * sets Latin, too. Noto Sans has fractions and letters with the marks of a transliteration. Urdu and Kashmiri are set
 * in Naskh, because Nastaliq needs twice the height of a line. Arrows and ticks come from Noto Sans Math, which has no
 * bold.
 */
const sans = 'Tamil,Bengali,Devanagari,Gujarati,Gurmukhi,Kannada,Malayalam,Oriya,Telugu,Ol Chiki,Meetei Mayek'.split(',')
const weights = ['400Regular', '700Bold']

const signs = 'Noto Sans Math'
export const fontNames = [...sans.map((script) => `Noto Sans ${script}`), 'Noto Sans', 'Noto Naskh Arabic', signs]
const filesOf = (weight: string) =>
  fontNames.map((name) => {
    const weightOfFont = name === signs ? weights[0]! : weight
    const folder = `node_modules/@expo-google-fonts/${name.toLowerCase().replaceAll(' ', '-')}/${weightOfFont}`
    return join(projectRoot, folder, `${name.replaceAll(' ', '')}_${weightOfFont}.ttf`)
  })
export const fontFiles = [...new Set(weights.flatMap(filesOf))]

/**
 * Text in pictures uses fontconfig, which reads this file instead of the host's and so finds no other fonts. It is set
 * as this module is loaded, before the picture library has threads: a process that changes its environment while
 * another thread reads it ends with a segmentation fault.
 */
process.env.FONTCONFIG_FILE = join(projectRoot, 'src/kit/paper/fonts.conf')

let covered: Set<number> | undefined

/** True for a sign that one of our fonts has. */
export function hasFont(sign: string): boolean {
  covered ??= new Set(filesOf(weights[0]!).flatMap((file) => codePointsOf(readFileSync(file))))
  return covered.has(sign.codePointAt(0)!)
}

/** Signs that nothing draws: joiners, directions, line ends. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]/u
/** Bounds the memory: somebody may send every sign of Unicode. */
const MAX_NAMED = 1000
const named = new Set<string>()

/** Names each sign that no font has in the log, once per process. A paper shows an empty box for it, a picture a blank. */
export function logMissingFonts(log: Log, text: string): void {
  for (const sign of new Set(text)) {
    if (named.size >= MAX_NAMED || named.has(sign) || INVISIBLE.test(sign) || hasFont(sign)) continue
    named.add(sign)
    log.warn({ sign, codePoint: `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}` }, 'no font has this sign')
  }
}

/** The code points with a glyph: OpenType's table `cmap` in format 4, which every font of the Basic Multilingual Plane has. */
function codePointsOf(font: Buffer): number[] {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, n) => 12 + 16 * n)
  const cmap = font.readUInt32BE(tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap')! + 8)
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, n) => cmap + font.readUInt32BE(cmap + 8 + 8 * n))
  const table = subtables.find((at) => font.readUInt16BE(at) === 4)!
  const bytes = font.readUInt16BE(table + 6)
  const [ends, starts, deltas, offsets] = [14, 16 + bytes, 16 + 2 * bytes, 16 + 3 * bytes].map((at) => table + at) as [
    number,
    number,
    number,
    number,
  ]
  const found: number[] = []
  for (let at = 0; at < bytes; at += 2) {
    const [start, end] = [font.readUInt16BE(starts + at), font.readUInt16BE(ends + at)]
    const [delta, offset] = [font.readUInt16BE(deltas + at), font.readUInt16BE(offsets + at)]
    for (let code = start; code <= end && code < 0xffff; code += 1) {
      const glyph = offset === 0 ? code + delta : font.readUInt16BE(offsets + at + offset + 2 * (code - start))
      if ((glyph & 0xffff) !== 0) found.push(code)
    }
  }
  return found
}
