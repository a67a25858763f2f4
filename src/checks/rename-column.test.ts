import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/**
 * A renamed column reveals every place that reads it: `tsc` fails for places that use the table object, and a database test fails for
 * places that write the column's name into SQL. This checks three columns of three domains, in a copy of the tree: `npm run test:deep`.
 */
const columns: Column[] = [
  {
    property: 'offerPrice',
    column: 'offer_price',
    tables: 'src/listings/tables.ts',
    object: 'listings',
    testsOf: {
      'src/listings/browse/browse.server.ts': 'src/listings/browse/browse.db.test.ts',
      'src/listings/product-rows.server.ts': 'src/listings/queries.db.test.ts',
      'src/listings/queries.server.ts': 'src/selling/listing/trust.db.test.ts',
    },
    // The API has a key of the same name; it is no column.
    otherMeaning: ['src/listings/calls/wire.server.ts', 'src/orders/steps/wire.server.ts'],
  },
  {
    property: 'heldUntil',
    column: 'held_until',
    tables: 'src/listings/tables.ts',
    object: 'vetHolds',
    testsOf: {
      'src/health/holds.server.ts': 'src/health/vet-desk.db.test.ts',
      'src/listings/queries.server.ts': 'src/health/vet-desk.db.test.ts',
    },
    otherMeaning: [],
  },
  {
    property: 'likesCount',
    column: 'likes_count',
    tables: 'src/forum/tables.ts',
    object: 'threads',
    testsOf: { 'src/forum/queries.server.ts': 'src/forum/queries.db.test.ts' },
    otherMeaning: [],
  },
]

interface Column {
  property: string
  column: string
  tables: string
  /** The table's name in the code. */
  object: string
  /** The database test that covers the SQL of each file. */
  testsOf: Record<string, string>
  otherMeaning: string[]
}

describe.runIf(process.env.DEEP === '1')('renaming a column, in a copy of the tree', () => {
  let copy = ''

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'rename-column-'))
    for (const name of readdirSync(projectRoot).filter((name) => !['node_modules', '.git', 'build', 'data'].includes(name)))
      cpSync(join(projectRoot, name), join(copy, name), { recursive: true })
    symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'))
    // Control: the unchanged copy has no type errors.
    expect(runIn('tsc', ['--noEmit'])).toMatchObject({ status: 0 })
  })

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  const read = (path: string) => readFileSync(join(copy, path), 'utf8')

  /** Runs with changed files, then restores the files. */
  function withChanged<T>(changes: Record<string, string>, then: () => T): T {
    const before = Object.fromEntries(Object.keys(changes).map((path) => [path, read(path)]))
    const write = (texts: Record<string, string>) => Object.entries(texts).forEach(([path, text]) => writeFileSync(join(copy, path), text))
    write(changes)
    try {
      return then()
    } finally {
      write(before)
    }
  }

  function runIn(program: string, args: string[]) {
    const { DEEP: _, TEST_DATABASE: __, VITEST: ___, ...env } = process.env
    const bin = join(projectRoot, 'node_modules/.bin', program)
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: copy, encoding: 'utf8', env })
    return { status, text: stdout + stderr }
  }

  const passes = (testFile: string) => runIn('vitest', ['run', '--project', 'embedded', testFile])

  const codeFiles = () =>
    readdirSync(join(copy, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => relative(copy, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith('src/paraglide/'))

  test.each(columns)('$column: tsc names every file that reads it through its table', ({ property, tables, object }) => {
    const reading = codeFiles().filter((path) => path !== tables && new RegExp(`\\b${object}\\.${property}\\b`).test(read(path)))
    const renamed = read(tables).replaceAll(new RegExp(`\\b${property}\\b`, 'g'), `${property}Renamed`)
    const { status, text } = withChanged({ [tables]: renamed }, () => runIn('tsc', ['--noEmit']))
    expect(status).not.toBe(0)
    for (const path of reading) expect(text).toContain(path)
  })

  test.each(columns)('$column: a database test fails for each line of SQL that names it', ({ column, testsOf, otherMeaning }) => {
    const named = new RegExp(`\\b${column}\\b`)
    const files = codeFiles().filter((path) => path.endsWith('.server.ts') && !otherMeaning.includes(path) && named.test(read(path)))
    // A new file that names the column needs a line in the table above.
    expect(files.toSorted()).toEqual(Object.keys(testsOf).toSorted())
    for (const testFile of new Set(Object.values(testsOf))) expect(passes(testFile), testFile).toMatchObject({ status: 0 })

    const unnoticed: string[] = []
    for (const path of files) {
      const lines = read(path).split('\n')
      for (const [n, line] of lines.entries()) {
        if (!named.test(line)) continue
        const changed = lines.with(n, line.replace(named, `${column}_renamed`)).join('\n')
        const isNoticed = withChanged(
          { [path]: changed },
          () => passes(testsOf[path]!).status !== 0 || runIn('tsc', ['--noEmit']).status !== 0,
        )
        if (!isNoticed) unnoticed.push(`${path}:${n + 1}`)
      }
    }
    expect(unnoticed).toEqual([])
  })
})
