import { inflateSync } from 'node:zlib'

/**
 * The text that a person copies from a PDF: ActualText replaces the glyphs inside it, and the font's ToUnicode table maps all others. Supports only
 * the part of the format that our typesetter writes, and throws on anything else.
 */
export function pdfText(file: Buffer): string {
  const objects = objectsOf(file)
  const texts = pagesOf(objects).map((page) => {
    const contents = objects.get(Number(/\/Contents (\d+) 0 R/.exec(page)?.[1])) ?? ''
    return /\bBT\b[\s\S]*\bET\b/.test(contents) ? textOf(contents, fontsOf(page, objects)) : ''
  })
  if (texts.every((text) => text === '')) throw new Error('The PDF has no text.')
  return texts.join('\n')
}

export const pdfPages = (file: Buffer): number => pagesOf(objectsOf(file)).length

const pagesOf = (objects: Map<number, string>) =>
  [...objects.values()].filter((text) => /\/Type\s*\/Page\b/.test(text) && text.includes('/Contents'))

/** Font names are per page: the first font of one page may be the second of another. */
function fontsOf(page: string, objects: Map<number, string>): Map<string, Map<number, string>> {
  const fonts = new Map<string, Map<number, string>>()
  const [, names = ''] = /\/Font\s*<<([^>]*)>>/.exec(page) ?? []
  for (const [, name, id] of names.matchAll(/\/(\w+) (\d+) 0 R/g)) {
    const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(id)) ?? '')?.[1]
    if (!table) throw new Error(`Font ${name} has no ToUnicode table.`)
    fonts.set(name!, unicodeTable(objects.get(Number(table)) ?? ''))
  }
  return fonts
}

/** How many glyphs are the empty box that stands for a sign without a font: glyph 0 of every font. */
export function pdfUnknownGlyphs(file: Buffer): number {
  const objects = objectsOf(file)
  const texts = pagesOf(objects).map((page) => objects.get(Number(/\/Contents (\d+) 0 R/.exec(page)?.[1])) ?? '')
  const glyphs = texts.flatMap((text) => [...text.matchAll(STRINGS)].flatMap(([token]) => glyphsIn(token)))
  if (glyphs.length === 0) throw new Error('The PDF has no text.')
  return glyphs.filter((glyph) => glyph === 0).length
}

export const pdfStreams = (file: Buffer): string[] => [...objectsOf(file).values()]

const STRINGS = /\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)/g

function textOf(page: string, fonts: Map<string, Map<number, string>>): string {
  let text = ''
  let font: Map<number, string> | undefined
  const spans: boolean[] = []
  const tokens =
    /\/ActualText <FEFF([0-9A-F]*)>|\bBDC\b|\bBMC\b|\bEMC\b|\/(\w+) [\d.]+ Tf|\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)/g
  let actual: string | undefined
  for (const [token, hex, name] of page.matchAll(tokens)) {
    if (hex !== undefined) actual = hex
    else if (token === 'BDC' || token === 'BMC') {
      if (actual !== undefined) text += Buffer.from(actual, 'hex').swap16().toString('utf16le')
      spans.push(actual !== undefined)
      actual = undefined
    } else if (token === 'EMC') text += spans.pop() ? '' : ' '
    else if (name) font = fonts.get(name)
    else if (!spans.includes(true)) for (const glyph of glyphsIn(token)) text += font?.get(glyph) ?? '\uFFFD'
  }
  return text.replace(/ +/g, ' ')
}

/** Two bytes per glyph. */
function glyphsIn(token: string): number[] {
  const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
  const bytes = token
    .slice(1, -1)
    .replace(/\\(\d{3}|[\s\S])/g, (_, code: string) =>
      /\d{3}/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
    )
  return Array.from({ length: bytes.length / 2 }, (_, at) => bytes.charCodeAt(2 * at) * 256 + bytes.charCodeAt(2 * at + 1))
}

function unicodeTable(cmap: string): Map<number, string> {
  const table = new Map<number, string>()
  for (const [, lines = ''] of cmap.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', text = ''] of lines.matchAll(/<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g))
      table.set(Number.parseInt(glyph, 16), Buffer.from(text, 'hex').swap16().toString('utf16le'))
  return table
}

function objectsOf(file: Buffer): Map<number, string> {
  const all = file.toString('latin1')
  const objects = new Map<number, string>()
  for (const found of all.matchAll(/(\d+) 0 obj([\s\S]*?)endobj/g)) {
    const [, id, body = ''] = found
    const stream = /stream\r?\n/.exec(body)
    if (!stream || !body.includes('/FlateDecode')) {
      objects.set(Number(id), body)
      continue
    }
    const packed = Buffer.from(body.slice(stream.index + stream[0].length, body.lastIndexOf('endstream')), 'latin1')
    const text = inflateSync(packed).toString('latin1')
    if (!/\/Type\s*\/ObjStm/.test(body)) {
      objects.set(Number(id), text)
      continue
    }
    const first = Number(/\/First (\d+)/.exec(body)![1])
    const numbers = text.slice(0, first).trim().split(/\s+/).map(Number)
    for (let at = 0; at < numbers.length; at += 2)
      objects.set(numbers[at]!, text.slice(first + numbers[at + 1]!, first + (numbers[at + 3] ?? text.length)))
  }
  return objects
}
