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

const PROBE = '\u202aabc\u200bdefghi\u202c'
const isRaw = (schema: z.core.$ZodType) => {
  const read = z.safeParse(schema, PROBE)
  return read.success && typeof read.data === 'string' && /[\u200b\u202a\u202c]/.test(read.data)
}

/** The paths of all texts that a schema takes with their invisible signs. */
function rawTexts(schema: unknown, path: string): string[] {
  if (sentTexts.get(schema as z.ZodType)) return []
  const { def } = (schema as z.core.$ZodType)._zod as unknown as { def: Record<string, unknown> & { type: string } }
  const inner = (name: string, at = path) => rawTexts(def[name], at)
  if (def.type === 'string') return isRaw(schema as z.core.$ZodType) ? [path] : []
  if (def.type === 'pipe')
    return inner('in').length > 0 && ((def.in as z.core.$ZodType)._zod.def.type === 'transform' || isRaw(schema as z.core.$ZodType))
      ? [path]
      : []
  if (def.type === 'object') return Object.entries(def.shape as object).flatMap(([name, part]) => rawTexts(part, `${path}.${name}`))
  if (def.type === 'array') return inner('element', `${path}[]`)
  if (def.type === 'record') return inner('valueType', `${path}{}`)
  if (def.type === 'union') return [...new Set((def.options as unknown[]).flatMap((option) => rawTexts(option, path)))]
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
  return schemas.flatMap((schema) => rawTexts(schema, `${method.toUpperCase()} ${path} `))
})

describe('texts of calls', () => {
  test('each has a policy', () => {
    expect(callTexts).toEqual([])
  })

  test('control: a text without a policy is found, wherever it stands', () => {
    const raw = z.strictObject({
      a: z.string().max(40).optional(),
      b: z.array(z.union([z.number(), z.string()])),
      c: z.string().regex(/^\d$/),
    })
    expect(
      rawTexts(raw.extend({ d: oneLine(9, 'field_wrong'), e: z.string().transform(String), f: leftTo('nobody', z.string()) }), ''),
    ).toEqual(['.a', '.b[]', '.e'])
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
