import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from './kit/project-root.server.ts'

/** How code and documents speak (CONTRIBUTING.md): the field's standard terms, and "they" for a person. */

const files = globSync(['{src,e2e,bench,scripts,docs}/**/*.{ts,tsx,md}', '*.md'], { cwd: projectRoot }).filter(
  (path) => !path.startsWith('src/paraglide/') && path !== 'src/words.test.ts',
)
const texts = files.map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))

interface Line {
  at: string
  line: string
}
/** Comments and the titles of tests; of documents all lines. */
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

  test('cached, rendered, offline, notified: no private words for what the field has a word for', () => {
    expect(saying(/\bdead line\b|\bdrawn anew\b|\bkept pages?\b|\b(is|are) told\b|\bsaid again\b/i)).toEqual([])
  })

  test('names say cached, rendered, offline, notify and client', () => {
    const wordsOf = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
    const isRetired = (words: string[]) =>
      words.length > 1 && (words.some((word) => /^(kept|drawn|told|tell|door)$/.test(word)) || words.join(' ').includes('dead line'))
    /** The buyer's own door, a column of the database, pictures that are drawn. */
    const real = /^(ensureAtDoor|isAtDoor|doorCode|codeAtTheDoor|toldAt|drawnOnPhone)$/
    const found = texts
      .filter(({ path }) => path.endsWith('.ts') || path.endsWith('.tsx'))
      .flatMap(({ path, text }) => [...text.matchAll(/(?<!\w)[A-Za-z]+(?!\w)/g)].map(([name]) => ({ path, name })))
      .filter(({ name }) => isRetired(wordsOf(name)) && !real.test(name))
    expect([...new Set(found.map(({ path, name }) => `${path} ${name}`))]).toEqual([])
  })

  test('file names, too', () => {
    expect(files.filter((path) => /\b(kept|told|telling|door|dead-line)\b/.test(path.split('/').at(-1)!))).toEqual([])
  })
})
