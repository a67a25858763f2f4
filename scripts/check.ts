import { reportResults, hasFailed, type TestRun } from './test-results.ts'
import { run, runTogether, type Program } from './run.ts'

const architecture: Program = [
  'rules of the architecture',
  'vitest',
  [
    'run',
    '--reporter',
    'dot',
    '--project',
    'rules',
    'src/checks/architecture.test.ts',
    'src/checks/messages.test.ts',
    'src/checks/words.test.ts',
    'src/checks/schema-migrations.test.ts',
  ],
]

/** Generates the types of pages and messages, then runs the static checks. Each is one result. */
export async function check(more: Program[] = []): Promise<TestRun[]> {
  const title = 'route types and messages'
  const code = run(title, 'react-router', ['typegen'])
  if (code !== 0) return [{ file: 'check', title, state: 'failed', reason: `exit code ${code}` }]
  return runTogether([
    ['types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo']],
    ['lint', 'oxlint', ['--deny-warnings']],
    ...more,
    ['format', 'oxfmt', ['--check']],
  ])
}

// Developers run this before a commit. A run of the tests has the rules of the architecture among its tests.
if (process.argv[1] === import.meta.filename) {
  const results = await check([architecture])
  reportResults(results)
  if (hasFailed(results)) process.exitCode = 1
}
