import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/** docs/contract.md: one row for each demand of the two specifications, and the tests that hold it. */

const HEAD = '| # | demand | where | held by | state |'
const STATE = /^(?:held|changed: (?:decisions §\d+(?:\.\d+)?|`(docs\/decisions\/[^`]+)`), \S.*|open: \S.*)$/
const HOLDER = /`([^`]+)` "([^"]+)"/g

interface Source {
  path: string
  text: string
}
type Read = (path: string) => string | null

/** The cells of a row of a table; `\|` stands for the character itself. */
const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** The first arguments of the tests of a file: of `test('…', …)`, `test.each(…)('…', …)`, and of wrappers such as `journey('…', …)`. */
function titlesOf(text: string): string[] {
  const named = /(?:\b(?:test|it|journey|measures)(?:\.\w+)*|(\)))\(\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)\s*,/g
  return [...text.matchAll(named)].flatMap(({ index, 1: isApplied, 2: literal }) => {
    const maker =
      isApplied &&
      text
        .slice(0, index)
        .match(/\b(describe|test|it|journey|measures)\.(?:each|for|runIf|skipIf)\b/g)
        ?.at(-1)
    if (isApplied && (!maker || maker.startsWith('describe'))) return []
    return [literal!.slice(1, -1).replace(/\\(.)/g, '$1')]
  })
}

/** [letter, section, number]: A2.10 comes after A2.9. */
const orderOf = (number: string) => [number.charCodeAt(0), ...number.slice(1).split('.').map(Number)]
const isAfter = (number: string, earlier: string) => {
  const [one, other] = [orderOf(number), orderOf(earlier)]
  const at = one.findIndex((part, index) => part !== other[index])
  return at >= 0 && one[at]! > other[at]!
}

function rowFaults([number = '', demand, where = '', holders = '', state = '']: string[], read: Read): string[] {
  const faults: string[] = []
  if (!/^[AB]\d+\.\d+$/.test(number)) faults.push('a number of another form')
  if (!demand) faults.push('no demand')
  const places = [...where.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)
  if (places.length === 0) faults.push('no place')
  for (const path of places) if (read(path) === null) faults.push(`${path} does not exist`)
  const [isState, record] = STATE.exec(state) ?? []
  if (isState === undefined) faults.push(`the state "${state}"`)
  if (record !== undefined && read(record) === null) faults.push(`${record} does not exist`)
  const named = [...holders.matchAll(HOLDER)]
  if (named.map(([whole]) => whole).join('; ') !== holders) faults.push(`"held by" of another form: ${holders}`)
  if (named.length === 0 && !state.startsWith('open:')) faults.push('no test')
  for (const [, path = '', title = ''] of named) {
    const text = read(path)
    if (text === null) faults.push(`${path} does not exist`)
    else if (!titlesOf(text).some((each) => each.includes(title))) faults.push(`${path} has no test "${title}"`)
  }
  return faults
}

/** Everything that is wrong with the tables of a page, each with its row. */
function faultsOf({ path, text }: Source, read: Read): string[] {
  const seen = new Set<string>()
  let last = ''
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  return lines.flatMap((line, index) => {
    if (line === HEAD || /^[|\s:-]+$/.test(line)) return []
    const cells = cellsOf(line)
    const [number = ''] = cells
    const faults = cells.length === 5 ? rowFaults(cells, read) : [`${cells.length} columns`]
    if (index === 0) faults.push('a table with another head')
    if (seen.has(number)) faults.push('a number that is there already')
    else if (last !== '' && !isAfter(number, last)) faults.push(`a number that is not after ${last}`)
    seen.add(number)
    last = number
    return faults.map((fault) => `${path} ${number}: ${fault}`)
  })
}

const PAGE = 'docs/contract.md'
const contract = { path: PAGE, text: readFileSync(join(projectRoot, PAGE), 'utf8') }
const texts = new Map<string, string | null>()
/** The text of a file of the repository, read once; null when there is no such file. */
function readOnce(path: string): string | null {
  const at = join(projectRoot, path)
  if (!texts.has(path)) texts.set(path, statSync(at, { throwIfNoEntry: false })?.isFile() ? readFileSync(at, 'utf8') : null)
  return texts.get(path)!
}

test('every row of the contract has a known state, places that exist and tests of these titles', () => {
  for (const specification of ['A', 'B'])
    expect(contract.text.split('\n').filter((line) => line.startsWith(`| ${specification}`)).length).toBeGreaterThan(300)
  expect(faultsOf(contract, readOnce)).toEqual([])
})

describe('control: a wrong row is found', () => {
  const cow = [
    `test('a cow is listed', () => {})`,
    `test.each<[string]>([['x']])('a %s is sold', () => {})`,
    `describe('a herd', () => {})`,
    `describe.each([1])('herd %i', () => {})`,
    `for (const n of [1]) test(\`cow \${n} is fed (of all)\`, { tag: 'x' }, async () => {})`,
    `test(\n  'a calf is born',\n  async () => {},\n)`,
    `// the title 'a cow is lost' is no test`,
  ].join('\n')
  const read: Read = (path) => ({ 'src/cow.ts': '', 'src/cow.test.ts': cow })[path] ?? null
  const held = '`src/cow.test.ts` "a cow is listed"'
  const row = (changes: Partial<Record<'number' | 'demand' | 'where' | 'held' | 'state', string>> = {}) => {
    const cells = { number: 'A1.1', demand: 'A cow.', where: '`src/cow.ts`', held, state: 'held', ...changes }
    return `| ${Object.values(cells).join(' | ')} |`
  }
  const faults = (...rows: string[]) => faultsOf({ path: PAGE, text: [HEAD, '| --- | --- | --- | --- | --- |', ...rows].join('\n') }, read)

  test('and a right one is not', () => {
    const title = (title: string) => row({ held: `\`src/cow.test.ts\` "${title}"` })
    for (const right of [
      row(),
      title('a %s is sold'),
      title('is fed (of all)'),
      title('a calf is born'),
      row({ held: `${held}; \`src/cow.test.ts\` "is sold"` }),
      row({ demand: 'A cow \\| a bull.' }),
      row({ state: 'changed: decisions §8.2, a bull' }),
      row({ held: '', state: 'open: nothing tests it' }),
    ])
      expect(faults(right)).toEqual([])
    expect(faults(row({ number: 'A1.9' }), row({ number: 'A1.10' }), row({ number: 'A2.1' }), row({ number: 'B1.1' }))).toEqual([])
  })

  test.each<[string, string[]]>([
    ['the state "done"', [row({ state: 'done' })]],
    ['the state "changed: something"', [row({ state: 'changed: something' })]],
    ['the state "changed: decisions §8.2"', [row({ state: 'changed: decisions §8.2' })]],
    ['docs/decisions/0001-cows.md does not exist', [row({ state: 'changed: `docs/decisions/0001-cows.md`, a bull' })]],
    ['the state "open:"', [row({ state: 'open:' })]],
    ['a number of another form', [row({ number: 'C1.1' })]],
    ['a number that is there already', [row(), row()]],
    ['a number that is not after A1.10', [row({ number: 'A1.10' }), row({ number: 'A1.9' })]],
    ['a number that is not after A2.1', [row({ number: 'A2.1' }), row({ number: 'A1.1' })]],
    ['no demand', [row({ demand: '' })]],
    ['no place', [row({ where: 'src/cow.ts' })]],
    ['src/bull.ts does not exist', [row({ where: '`src/cow.ts`, `src/bull.ts`' })]],
    ['src/bull.test.ts does not exist', [row({ held: '`src/bull.test.ts` "a cow is listed"' })]],
    ['src/cow.test.ts has no test "a cow is lost"', [row({ held: '`src/cow.test.ts` "a cow is lost"' })]],
    ['src/cow.test.ts has no test "a herd"', [row({ held: '`src/cow.test.ts` "a herd"' })]],
    ['src/cow.test.ts has no test "herd %i"', [row({ held: '`src/cow.test.ts` "herd %i"' })]],
    ['"held by" of another form: a cow is listed', [row({ held: 'a cow is listed', state: 'open: nothing' })]],
    ['no test', [row({ held: '' })]],
    ['no test', [row({ held: '', state: 'changed: decisions §8.2, a bull' })]],
    ['6 columns', [row({ demand: 'A cow | a bull.' })]],
  ])('%s', (fault, rows) => {
    expect(faults(...rows).map((each) => each.replace(/^docs\/contract\.md [^:]*: /, ''))).toContain(fault)
  })

  test('also in a table with another head', () => {
    expect(faultsOf({ path: PAGE, text: `| no | demand |\n${row()}` }, read)).toContainEqual(
      expect.stringContaining('a table with another head'),
    )
  })
})
