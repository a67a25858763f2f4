import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Below the folder that the run works in, as all paths of its tests are. Playwright empties only its own folder in it. */
const dir = join(process.cwd(), 'test-results')

export interface TestRun {
  file: string
  title: string
  /** `flaky`: it failed, and a later attempt passed. */
  state: 'passed' | 'failed' | 'flaky'
  /** The first failure in one line. */
  reason?: string
}

export type Part = 'tests' | 'journeys'

/** Deletes the results of earlier runs. */
export function deleteResults(): void {
  rmSync(dir, { recursive: true, force: true })
}

export function saveResults(part: Part, runs: TestRun[]): void {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, `${part}.json`), JSON.stringify(runs, null, 1))
}

/** Takes the results of a part that ended with this code. A failure that belongs to no test becomes an entry of its own. */
export function takeResults(part: Part, code: number): TestRun[] {
  const file = join(dir, `${part}.json`)
  const wholePart = (reason: string): TestRun => ({ file: part, title: 'the whole part', state: 'failed', reason })
  if (!existsSync(file)) return [wholePart(`exit code ${code}, and no results`)]
  const runs = JSON.parse(readFileSync(file, 'utf8')) as TestRun[]
  rmSync(file)
  if (code === 0 || hasFailed(runs)) return runs
  return [...runs, wholePart(`exit code ${code}, though no test failed`)]
}

const REASON_LENGTH = 200

/** The first line of an error that says something, without colours. */
export const reasonOf = (message: string | undefined): string =>
  (
    stripVTControlCharacters(message ?? '')
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ?? 'no reason given'
  ).slice(0, REASON_LENGTH)

/** At most so many failures are named, so that all of them stand in the last twenty lines. */
const NAMED = 17

/**
 * The end of a run's log: `flaky: N` with each such test, then each failed test with its reason, then `N passed, N failed`. A flaky test counts
 * as passed.
 */
export function summaryOf(runs: TestRun[]): string[] {
  const flaky = runs.filter(({ state }) => state === 'flaky')
  const failed = runs.filter(({ state }) => state === 'failed')
  return [
    `flaky: ${flaky.length}`,
    ...flaky.map((run) => `FLAKY ${lineOf(run)}`),
    ...failed.slice(0, NAMED).map((run) => `FAILED ${lineOf(run)}`),
    ...(failed.length > NAMED ? [`and ${failed.length - NAMED} more: test-results/failed.json`] : []),
    `${runs.length - failed.length} passed, ${failed.length} failed`,
  ]
}

export const hasFailed = (runs: TestRun[]): boolean => runs.some(({ state }) => state === 'failed')

/** Prints the summary; writes the flaky and the failed tests to `test-results/`. */
export function reportResults(runs: TestRun[]): void {
  mkdirSync(dir, { recursive: true })
  for (const state of ['flaky', 'failed'] as const) {
    const found = runs.filter((run) => run.state === state)
    writeFileSync(join(dir, `${state}.json`), `${JSON.stringify(found, null, 2)}\n`)
  }
  console.log(['', ...summaryOf(runs)].join('\n'))
}

const lineOf = ({ file, title, reason }: TestRun) => `${file} › ${title}: ${reason ?? ''}`

/** How often each test passed, those that failed most last, with the reasons of its failures. */
export function ratesOf(runs: TestRun[]): { test: string; passed: number; times: number; reasons: string[] }[] {
  const tests = Map.groupBy(runs, ({ file, title }) => `${file} › ${title}`)
  return [...tests]
    .map(([test, all]) => {
      const failed = all.filter(({ state }) => state === 'failed')
      return {
        test,
        passed: all.length - failed.length,
        times: all.length,
        reasons: [...new Set(failed.map(({ reason }) => reason ?? ''))],
      }
    })
    .toSorted((one, other) => one.passed - one.times - (other.passed - other.times))
    .toReversed()
}
