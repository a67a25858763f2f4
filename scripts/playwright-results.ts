import { relative } from 'node:path'
import type { FullConfig, Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter'
import { reasonOf, saveResults, type TestRun } from './test-results.ts'

/** Writes the result of each journey for the end of the run's log (test-results.ts). */
export default class PlaywrightResults implements Reporter {
  #suite: Suite | undefined
  readonly #errors: TestError[] = []

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite
  }

  /** For example a site that does not start. */
  onError(error: TestError): void {
    this.#errors.push(error)
  }

  onEnd(): void {
    saveResults('journeys', [
      ...(this.#suite?.allTests() ?? []).flatMap(runOf),
      ...this.#errors.map(({ message }): TestRun => ({
        file: 'e2e',
        title: 'outside of the journeys',
        state: 'failed',
        reason: reasonOf(message),
      })),
    ])
  }
}

const runOf = (test: TestCase): TestRun[] => {
  const [, project, , ...titles] = test.titlePath()
  const run = { file: `${relative(process.cwd(), test.location.file)} (${project})`, title: titles.join(' > ') }
  const reason = () => reasonOf(test.results.find(({ status }) => status !== test.expectedStatus)?.error?.message)
  switch (test.outcome()) {
    case 'skipped':
      return []
    case 'expected':
      return [{ ...run, state: 'passed' }]
    case 'flaky':
      return [{ ...run, state: 'flaky', reason: reason() }]
    case 'unexpected':
      return [{ ...run, state: 'failed', reason: test.results.length === 0 ? 'did not run' : reason() }]
  }
}
