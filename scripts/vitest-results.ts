import { relative } from 'node:path'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { reasonOf, saveResults, type TestRun } from './test-results.ts'

/** Writes the result of each test for the end of the run's log (test-results.ts). */
export default class VitestResults implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    saveResults('tests', [
      ...modules.flatMap((module) => [...brokenHooks(module), ...[...module.children.allTests()].flatMap(runOf)]),
      ...unhandled.map((error) => failed('vitest', 'an error outside of the tests', error)),
    ])
  }
}

const runOf = (test: TestCase): TestRun[] => {
  const { state, errors } = test.result()
  if (state === 'skipped' || state === 'pending') return []
  const run = { file: fileOf(test.module), title: test.fullName }
  if (state === 'failed') return [{ ...run, state, reason: reasonOf(errors[0]?.message) }]
  return [test.diagnostic()?.flaky ? { ...run, state: 'flaky', reason: reasonOf(errors?.[0]?.message) } : { ...run, state: 'passed' }]
}

/** A file that cannot be loaded and a hook that throws belong to no test. */
const brokenHooks = (module: TestModule): TestRun[] =>
  [module, ...module.children.allSuites()].flatMap((group: TestModule | TestSuite) =>
    group.errors().map((error) => failed(fileOf(module), group.type === 'suite' ? group.fullName : 'the file', error)),
  )

const failed = (file: string, title: string, error: SerializedError): TestRun => ({
  file,
  title,
  state: 'failed',
  reason: reasonOf(error.message),
})

/** With its database, since a file may run on both. */
const fileOf = ({ moduleId, project }: TestModule) => `${relative(process.cwd(), moduleId)} (${project.name})`
