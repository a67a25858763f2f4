import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/** The language of code and documents (CONTRIBUTING.md): the field's standard terms, and "they" for a person. */

const files = globSync(['{src,e2e,tools,scripts,docs}/**/*.{ts,tsx,css,md}', '*.md'], { cwd: projectRoot }).filter(
  (path) => !path.startsWith('src/paraglide/') && path !== 'src/checks/words.test.ts',
)
const texts = files.map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))

interface Line {
  at: string
  line: string
}
/** Comments and titles of tests; for documents all lines. */
const prose: Line[] = texts.flatMap(({ path, text }) =>
  text.split('\n').flatMap((line, index) => {
    const isProse = path.endsWith('.md') || /^\s*(\/?\*|\/\/)|\s\/\/ /.test(line) || /^\s*(test|describe)(\.\w+)*\(/.test(line)
    return isProse ? [{ at: `${path}:${index + 1}`, line }] : []
  }),
)
const saying = (pattern: RegExp, except = /^$/) =>
  prose.filter(({ at, line }) => pattern.test(line) && !except.test(at)).map(({ at, line }) => `${at} ${line.trim().slice(0, 100)}`)

describe('words', () => {
  test('a person is "they"', () => {
    // Record 0009 quotes how keepers speak of a bull.
    expect(saying(/\b(he|him|his|himself)\b/i, /0009-search-by-sound/)).toEqual([])
  })

  test('a person is "they" in texts for visitors, too', () => {
    // Animals have a sex; a line about one may name it.
    const shown = globSync(
      ['messages/en.json', 'content/en/*.mdx', 'src/demo/sample-{forum,enquiries}.ts', 'src/demo/sample-people.json'],
      { cwd: projectRoot },
    )
    const found = shown.flatMap((path) =>
      readFileSync(join(projectRoot, path), 'utf8')
        .split('\n')
        .filter((line) => /\b(he|him|his|himself)\b/i.test(line))
        .map((line) => `${path} ${line.trim()}`),
    )
    expect(shown.length).toBeGreaterThan(10)
    expect(found.filter((line) => !/\b(bull|buck|ram|dog|cock|calf|stud|stallion|billy|sire)\b/i.test(line))).toEqual([])
  })

  test('cached, rendered, offline, notified: standard terms instead of private words', () => {
    expect(saying(/\bdead line\b|\bdrawn anew\b|\bkept pages?\b|\b(is|are) told\b|\bsaid again\b/i)).toEqual([])
  })

  test('no comment begins with What, Who, Where, Why, Which or Of: it says what the code guarantees', () => {
    const headless = /(?:\/\*\*?\s*(?:\n\s*\* )?|\/\/ )(?:What|Who|Whoever|Whose|Where|Why|Which|Of)\b.{0,60}/g
    const code = texts.filter(({ path }) => !path.endsWith('.md'))
    expect(code.flatMap(({ path, text }) => [...text.matchAll(headless)].map(([found]) => `${path} ${found}`))).toEqual([])
  })

  test('names use cached, rendered, offline, notify and client', () => {
    const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
    const isRetired = (words: string[]) =>
      words.length > 1 && (words.some((word) => /^(kept|drawn|told|tell|door)$/.test(word)) || words.join(' ').includes('dead line'))
    /** Real things of these names: a house door, a column of the database, pictures that are drawn. */
    const real = /^(ensureAtDoor|isAtDoor|doorCode|codeAtTheDoor|toldAt|drawnOnPhone)$/
    const found = texts
      .filter(({ path }) => path.endsWith('.ts') || path.endsWith('.tsx'))
      .flatMap(({ path, text }) => [...text.matchAll(/(?<!\w)[A-Za-z]+(?!\w)/g)].map(([name]) => ({ path, name })))
      .filter(({ name }) => isRetired(wordsOf(name)) && !real.test(name))
    expect([...new Set(found.map(({ path, name }) => `${path} ${name}`))]).toEqual([])
  })

  test('file names do, too', () => {
    expect(files.filter((path) => /\b(kept|told|telling|door|dead-line)\b/.test(path.split('/').at(-1)!))).toEqual([])
  })

  test('a path names a file that exists, in decision records, too', () => {
    const paths = globSync('{src,e2e,tools,scripts,docs}/**/*.{ts,tsx}', { cwd: projectRoot })
    const named = prose.flatMap(({ at, line }) =>
      [...line.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.tsx?)`/g)].map(([, path = '']) => ({ at, path })),
    )
    const isThere = (path: string) => paths.some((each) => `/${each}`.endsWith(`/${path}`))
    expect(named.length).toBeGreaterThan(200)
    expect(named.filter(({ path }) => !isThere(path)).map(({ at, path }) => `${at} ${path}`)).toEqual([])
  })

  test('a path beside import.meta.dirname names a file that exists, which the compiler does not check', () => {
    const named = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/import\.meta\.dirname, '(?!build\/)([^']+)'/g)].map(([, to]) => join(projectRoot, dirname(path), to!)),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  test('comments and documents name files that exist, and nothing that a reader does not have', () => {
    // A decision record names files of its time.
    const current = prose.filter(({ at }) => !at.startsWith('docs/decisions/'))
    const names = new Set(
      globSync('**/*', { cwd: projectRoot, exclude: ['node_modules', 'build', '.git'] }).map((path) => path.split('/').at(-1)),
    )
    const named = current.flatMap(({ at, line }) =>
      [
        ...line.matchAll(
          /(?<![\w.*<>{}-])(?:[\w-]+\/)*([\w-]+(?:\.(?:server|test|db\.test|race\.test|spec|config|walk|client))?\.(?:tsx?|sql))\b/g,
        ),
      ].map(([, name]) => ({ at, name })),
    )
    /** Names in recipes and patterns. */
    const invented = /^(fodder-page|x-page|x-api\.server|x-view\.server|x(\.\w+)?\.test|x\.spec|x)\.tsx?$/
    expect(named.length).toBeGreaterThan(300)
    expect(named.filter(({ name }) => !names.has(name) && !invented.test(name!)).map(({ at, name }) => `${at} ${name}`)).toEqual([])
    expect(saying(/\bissues? \d+\b/i)).toEqual([])
  })
})
