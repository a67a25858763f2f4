import { run, runTogether } from './run.ts'

// Fast static checks: CI runs them first, and developers run them before a commit.
run('route types and messages', 'react-router', ['typegen'])
await runTogether([
  ['types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo']],
  ['lint', 'oxlint', ['--deny-warnings']],
  [
    'rules of the architecture',
    'vitest',
    [
      'run',
      '--reporter',
      'dot',
      '--project',
      'rules',
      'src/architecture.test.ts',
      'src/messages.test.ts',
      'src/words.test.ts',
      'src/schema-migrations.test.ts',
    ],
  ],
  ['format', 'prettier', ['--check', '--cache', '--cache-strategy', 'content', '--log-level', 'warn', '.']],
])
