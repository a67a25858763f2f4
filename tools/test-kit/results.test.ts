import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ratesOf, summaryOf, type TestRun } from '../../scripts/test-results.ts'

const root = join(import.meta.dirname, '../..')
let dir: string
beforeAll(() => {
  mkdirSync(join(root, 'test-results'), { recursive: true })
  // Below the project, so that the files find its packages.
  dir = mkdtempSync(join(root, 'test-results/reporters-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

/** Runs a program whose tests fail on purpose, with an exit code that nobody reads. */
const runIn = (program: string, args: string[]) =>
  spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: dir, env: { ...process.env, NO_COLOR: '1' }, encoding: 'utf8' })

const resultsOf = (part: string) => JSON.parse(readFileSync(join(dir, `test-results/${part}.json`), 'utf8')) as TestRun[]

const sorted = (runs: TestRun[]) => runs.toSorted((one, other) => one.title.localeCompare(other.title))

test('vitest: passed, flaky and failed tests, broken hooks and files are reported with their reason', () => {
  writeFileSync(
    join(dir, 'some.test.ts'),
    `import { beforeAll, describe, test } from 'vitest'
    let attempts = 0
    test('a passes', () => {})
    test('b fails once', () => { if (attempts++ === 0) throw new Error('too early') })
    test('c fails', () => { throw new Error('never right\\nat line 2') })
    test('d is skipped', ({ skip }) => skip())
    describe('e', () => { beforeAll(() => { throw new Error('no database') }); test('f', () => {}) })`,
  )
  writeFileSync(join(dir, 'broken.test.ts'), `throw new Error('cannot load')`)
  writeFileSync(join(dir, 'vitest.config.ts'), `export default { test: { retry: 2, name: 'fixture' } }`)
  runIn('vitest', ['run', '--root', dir, '--reporter', join(root, 'scripts/vitest-results.ts')])
  const file = 'some.test.ts (fixture)'
  expect(sorted(resultsOf('tests'))).toEqual([
    { file, title: 'a passes', state: 'passed' },
    { file, title: 'b fails once', state: 'flaky', reason: 'too early' },
    { file, title: 'c fails', state: 'failed', reason: 'never right' },
    { file, title: 'e', state: 'failed', reason: 'no database' },
    { file: 'broken.test.ts (fixture)', title: 'the file', state: 'failed', reason: 'cannot load' },
  ])
})

test('playwright: passed, flaky and failed journeys, and a site that does not start, are reported with their reason', () => {
  writeFileSync(
    join(dir, 'some.spec.ts'),
    `import { test } from '@playwright/test'
    test('a passes', () => {})
    test('b fails once', () => { if (test.info().retry === 0) throw new Error('too early') })
    test('c fails', () => { throw new Error('never right') })
    test('d is skipped', () => test.info().skip())`,
  )
  // Playwright empties its output folder, which is the project's by default.
  const configured = (more: string) =>
    writeFileSync(
      join(dir, 'playwright.config.ts'),
      `export default { testMatch: '*.spec.ts', respectGitIgnore: false, outputDir: './out', retries: 2, projects: [{ name: 'fixture' }], ${more} }`,
    )
  const args = ['test', '--reporter', join(root, 'scripts/playwright-results.ts')]
  configured('')
  runIn('playwright', args)
  const file = 'some.spec.ts (fixture)'
  expect(sorted(resultsOf('journeys'))).toEqual([
    { file, title: 'a passes', state: 'passed' },
    { file, title: 'b fails once', state: 'flaky', reason: 'Error: too early' },
    { file, title: 'c fails', state: 'failed', reason: 'Error: never right' },
  ])
  configured(`webServer: { command: 'exit 1', url: 'http://localhost:9/' }`)
  runIn('playwright', args)
  expect(resultsOf('journeys')).toEqual([
    { file: 'e2e', title: 'outside of the journeys', state: 'failed', reason: expect.stringContaining('webServer') },
  ])
})

describe('the end of the log', () => {
  const run = (title: string, state: TestRun['state'], reason?: string): TestRun => ({
    file: 'x.test.ts',
    title,
    state,
    ...(reason && { reason }),
  })

  test('names flaky tests, then failed ones, then the counts', () => {
    expect(summaryOf([run('a', 'passed'), run('b', 'failed', 'two is not one'), run('c', 'flaky', 'too early')])).toEqual([
      'flaky: 1',
      'FLAKY x.test.ts › c: too early',
      'FAILED x.test.ts › b: two is not one',
      '2 passed, 1 failed',
    ])
  })

  test('names every failed test in its last twenty lines, or says where the others stand', () => {
    const lines = summaryOf(Array.from({ length: 60 }, (_, n) => run(String(n), 'failed', 'x')))
    expect(lines.slice(-20)).toEqual(lines.slice(-20).filter((line) => !line.startsWith('FLAKY')))
    expect(lines.slice(-2)).toEqual(['and 43 more: test-results/failed.json', '0 passed, 60 failed'])
  })

  test('counts how often each test passed, the worst last', () => {
    expect(ratesOf([run('a', 'failed', 'x'), run('b', 'passed'), run('a', 'passed'), run('b', 'passed')])).toEqual([
      { test: 'x.test.ts › b', passed: 2, times: 2, reasons: [] },
      { test: 'x.test.ts › a', passed: 1, times: 2, reasons: ['x'] },
    ])
  })
})

test('a part that ends without results counts as failed, and its code ends the run', () => {
  const script = `import { takeResults, hasFailed } from '${join(root, 'scripts/test-results.ts')}'
    console.log(JSON.stringify([takeResults('tests', 134), hasFailed(takeResults('tests', 134))]))`
  const empty = mkdtempSync(join(dir, 'empty-'))
  expect(JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: empty, encoding: 'utf8' }))).toEqual([
    [{ file: 'tests', title: 'the whole part', state: 'failed', reason: 'exit code 134, and no results' }],
    true,
  ])
})
