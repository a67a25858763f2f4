import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCalls } from '#src/server/api.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { leftTo, oneLine, sentTexts } from '#src/kit/text/text.ts'

/**
 * Text of people enters through a policy: `singleLine`, `multiLine`, a reader of kit/text, or a pattern that admits no invisible sign. `leftTo`
 * names the reader of a text that its schema takes as it was sent. The first
 * walk tries every text of every call; the second reads the schemas of forms, which no list has.
 */

/**
 * Signs that nobody sees: controls, directions, fillers, tags, selectors, and halves of a pair. Joiners count between
 * Latin letters.
 */
const HIDDEN = (
  '00 01 07 08 0e 1b 1f 7f 80 90 9f ad 34f 61c 115f 1160 17b4 17b5 180b 180e 200b 200c 200d 200e 200f ' +
  '202a 202b 202c 202d 202e 2060 2061 2062 2063 2064 2066 2067 2068 2069 206a 206f 3164 ' +
  'fe00 fe0e fe0f feff ffa0 fff9 fffb 1d173 e0001 e0041 e0100 d83d dc04'
)
  .split(' ')
  .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
/** The zeros of nine scripts of India, of Urdu, and of the mathematical alphabet. */
const ZEROS = [0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0x6f0, 0x1d7ce]
const inScript = (zero: number, text: string) => text.replace(/\d/g, (sign) => String.fromCodePoint(zero + Number(sign)))
/** Most fields accept one of these. */
const SAMPLES = [
  'abcdefghi',
  '482913',
  '9876543210',
  '85000',
  '636001',
  '4829',
  'selvi@example.in',
  'ABCPE1234F',
  '2026-11-30',
  'https://example.in/',
]

const read = (schema: z.core.$ZodType, text: string): unknown => {
  const answer = z.safeParse(schema, text)
  return answer.success ? answer.data : undefined
}
const halves = (text: string) => [text.slice(0, 3), text.slice(3)] as const
const sampleOf = (schema: z.core.$ZodType) => SAMPLES.find((text) => read(schema, text) !== undefined)

/** The signs that a text keeps, although nobody sees them. */
function survivingSigns(schema: z.core.$ZodType): string[] {
  const sample = sampleOf(schema) ?? 'abcdefghi'
  return HIDDEN.filter((sign) => {
    const kept = read(schema, halves(sample).join(sign))
    return typeof kept === 'string' && kept.includes(sign)
  })
}

/** How a text is read, found by trying it. */
function policyOf(schema: z.core.$ZodType): string {
  const reader = sentTexts.get(schema as z.ZodType)?.reader
  if (reader) return `left to ${reader}`
  const sample = sampleOf(schema)
  if (sample === undefined) return 'exact'
  const [start, end] = halves(sample)
  const broken = read(schema, `${start}\n${end}`)
  if (broken === undefined) return read(schema, `\u202a${sample}\u202c`) === read(schema, sample) ? 'one word' : 'exact'
  if (typeof broken !== 'string') return 'figures'
  return broken.includes('\n') ? 'several lines' : broken === `${start} ${end}` ? 'one line' : 'figures'
}

interface Text {
  path: string
  schema: z.core.$ZodType
}

/** Every text in a schema, with its path. */
function textsIn(schema: unknown, path: string): Text[] {
  const own = { path, schema: schema as z.core.$ZodType }
  if (sentTexts.get(schema as z.ZodType)) return [own]
  const { def } = own.schema._zod as unknown as { def: Record<string, unknown> & { type: string } }
  const inner = (name: string, at = path) => textsIn(def[name], at)
  if (def.type === 'string') return [own]
  if (def.type === 'pipe') {
    const parts = [...inner('in'), ...inner('out')]
    return parts.some((part) => part.path !== path) ? parts : parts.length > 0 ? [own] : []
  }
  if (def.type === 'object') return Object.entries(def.shape as object).flatMap(([name, part]) => textsIn(part, `${path}.${name}`))
  if (def.type === 'array') return inner('element', `${path}[]`)
  if (def.type === 'record') return inner('valueType', `${path}{}`)
  if (def.type === 'union') return (def.options as unknown[]).flatMap((option) => textsIn(option, path))
  return 'innerType' in def ? inner('innerType') : []
}

interface Request {
  params?: unknown
  query?: unknown
  headers?: unknown
  body?: { content: Record<string, { schema: unknown }> }
}
const callTexts = createCalls().openAPIRegistry.definitions.flatMap((each) => {
  if (each.type !== 'route') return []
  const { method, path, request = {} } = each.route
  const { params, query, body } = request as Request
  const schemas = [params, query, body?.content['application/json']?.schema].filter((schema) => schema !== undefined)
  return schemas.flatMap((schema) => textsIn(schema, `${method.toUpperCase()} ${path} `))
})
const isLeft = ({ schema }: Text) => sentTexts.has(schema as z.ZodType)
const isRaw = (text: Text) => !isLeft(text) && survivingSigns(text.schema).length > 0
const raw = (texts: Text[]) => texts.filter(isRaw).map(({ path }) => path)

describe('texts of calls', () => {
  test('none keeps one of the signs that nobody sees', () => {
    expect(HIDDEN.length).toBeGreaterThanOrEqual(55)
    expect(callTexts.length).toBeGreaterThan(200)
    expect(raw(callTexts)).toEqual([])
  })

  test('each figure is read in the digits of every script as in 0-9', () => {
    const figures = callTexts.filter((text) => !isLeft(text) && policyOf(text.schema) === 'figures')
    const wrong = figures.filter(({ schema }) => {
      const sample = sampleOf(schema)!
      return ZEROS.some((zero) => read(schema, inScript(zero, sample)) !== read(schema, sample))
    })
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('the table of their policies is up to date', async () => {
    const rows = callTexts.map(({ path, schema }) => `${path.replace(' .', ' ')},${policyOf(schema)}`)
    await expect([...new Set(rows)].join('\n')).toMatchFileSnapshot('./text-policies.expected.csv')
  })

  test('control: a text without a policy is found, wherever it stands', () => {
    const bare = z.strictObject({
      a: z.string().max(40).optional(),
      b: z.array(z.union([z.number(), z.string()])),
      c: z.string().regex(/^\d$/),
      d: oneLine(9, 'field_wrong'),
      e: z.string().transform(String),
      f: leftTo('nobody', z.string()),
      g: z.preprocess((text) => text, z.string()),
      h: z.object({ i: z.string() }).transform((one) => one),
    })
    expect(raw(textsIn(bare, ''))).toEqual(['.a', '.b[]', '.e', '.g', '.h.i'])
  })
})

const all = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot }).filter((path) => !/paraglide|\.test\.ts/.test(path))
/** We write the sample market, the operator the environment, the backup its manifest, and browsers their reports, of which only known words reach the log. */
const files = all.filter(
  (path) => !/src\/(kit\/text|demo|operation\/backup)\/|kit\/time-money\/amounts|kit\/base\/env\.server|csp-report\.server/.test(path),
)
const source = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
/** `z.string(…)` with what stands before it, its argument, and the calls behind it. */
const chains = (text: string) =>
  [
    ...text.matchAll(
      /(\w*\(?\s*(?:'\w+',\s*)?)\bz\s*\.string\(([^()\n]*)\)((?:\s*\.\w+\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\))*)/g,
    ),
  ].map(([, before = '', argument = '', chain = '']) => ({ before, argument, chain }))
type Chain = ReturnType<typeof chains>[number]
/** A text of a form names its error or its length. */
const isTyped = ({ argument, chain }: Chain) => argument !== '' || /^\s*\.(max|min)\(/.test(chain)
const hasPolicy = ({ before, chain }: Chain) => before.startsWith('leftTo(') || /\.(overwrite|transform|regex|refine|pipe)\(/.test(chain)

/** The top-level declarations of a source. */
const declarations = (text: string) => text.split(/^(?=(?:export )?(?:default )?(?:async )?(?:const|function|class)\b)/m)
const nameOf = (declaration: string) => /^(?:export )?const (\w+)/.exec(declaration)?.[1]
/** A schema that is written in place: `parseInput(z.object({ … }), { … })`. */
const writtenInPlace = /\bparseInput\(\s*(z\.(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)/g

/** The files that a source imports names from. */
const imported = (path: string, text: string) =>
  new Map(
    [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '(#src|\.)(\/[^']*)'/gm)].flatMap(([, names = '', root, rest = '']) =>
      names.split(',').map((name) => [name.trim(), root === '.' ? join(dirname(path), rest) : `src${rest}`] as const),
    ),
  )

/** The declarations of all schemas that check input: those given to a check, and those that they are made of. */
function inputSchemas(sources: Record<string, string>): Set<string> {
  const open = Object.entries(sources).flatMap(([path, text]) =>
    [
      ...[...text.matchAll(/\bparseInput\(\s*(\w+)|\b(\w+)\.safeParse\(/g)].map(([, first, second]) => first ?? second),
      ...[...text.matchAll(writtenInPlace)].flatMap(([, schema = '']) => schema.match(/\w+/g) ?? []),
    ].map((name) => ({ path, name })),
  )
  const found = new Set<string>()
  for (const { path, name } of open) {
    const text = sources[path] ?? ''
    const declaration = declarations(text).find((each) => nameOf(each) === name && /\bz\s*\./.test(each))
    const from = imported(path, text).get(name!)
    if (declaration === undefined && from !== undefined && from !== path) open.push({ path: from, name })
    if (declaration === undefined || found.has(declaration)) continue
    found.add(declaration)
    open.push(...(declaration.match(/\w+/g) ?? []).map((part) => ({ path, name: part })))
  }
  return found
}

/** The texts of forms in a source. Code of the server also describes rows and answers: there a bare text counts in a schema that checks input. */
const typedTexts = (text: string, isOfServer: boolean, inputs: Set<string>) =>
  declarations(text).flatMap((declaration) => [
    ...chains(declaration).filter((chain) => isTyped(chain) || !isOfServer || inputs.has(declaration)),
    ...[...declaration.matchAll(writtenInPlace)].flatMap(([, schema = '']) => chains(schema).filter((chain) => !isTyped(chain))),
  ])

describe('texts of forms', () => {
  test('each has a policy', () => {
    const inputs = inputSchemas(Object.fromEntries(all.map((path) => [path, source(path)])))
    expect(inputs.size).toBeGreaterThan(60)
    const typed = files.flatMap((path) => typedTexts(source(path), path.includes('.server.'), inputs).map((chain) => ({ path, ...chain })))
    expect(typed.length).toBeGreaterThan(40)
    const without = typed.filter((each) => !hasPolicy(each))
    expect(without.map(({ path, argument, chain }) => `${path} z.string(${argument})${chain.replace(/\s+/g, ' ')}`)).toEqual([])
  })

  const found = (text: string, isOfServer = false) =>
    typedTexts(text, isOfServer, inputSchemas({ 'src/a.ts': text })).filter((each) => !hasPolicy(each)).length

  test('control: one without a policy is found', () => {
    expect(
      ["z.string().max(40, 'field_wrong').default('')", "z\n  .string('field_wrong')\n  .max(9)", "z.string('field_wrong')"].map((text) =>
        found(text, true),
      ),
    ).toEqual([1, 1, 1])
    expect(
      ['z.string().nullable()', 'z.string().max(9).overwrite(singleLine)', "leftTo('readPhone', z.string().max(9))"].map((text) =>
        found(text, true),
      ),
    ).toEqual([0, 0, 0])
  })

  test('control: a bare one is found where it checks input', () => {
    const word = 'const word = z.string().optional()\n'
    const input = 'const wish = z.object({ word })\n'
    expect(found(word)).toBe(1)
    expect(found(word + input, true)).toBe(0)
    expect(found(`${word}${input}const act = (form) => parseInput(wish, form)`, true)).toBe(1)
    expect(found(`${word}${input}const act = (form) => wish.safeParse(form)`, true)).toBe(1)
    expect(found('const act = (form) => parseInput(z.object({ word: z.string() }), form)', true)).toBe(1)
    expect(found(`${word}const act = (form) => parseInput(z.object({ word }), form)`, true)).toBe(1)
  })
})

test('each reader of a text as sent exists', () => {
  const code = all.map(source).join('\n')
  const readers = new Set([...code.matchAll(/leftTo\(\s*'(\w+)'/g)].map(([, reader]) => reader!))
  expect([...readers].filter((reader) => reader !== 'nobody' && !new RegExp(`(?:function|const) ${reader}\\b`).test(code))).toEqual([])
})
