import { run } from './run.ts'

// Static checks, seconds: what CI runs first and what you run before a commit.
run('route types and messages', 'react-router', ['typegen'])
run('types', 'tsc', ['--noEmit'])
run('format', 'prettier', ['--check', '--log-level', 'warn', '.'])
run('lint', 'oxlint', ['--deny-warnings'])
run('rules of the house', 'vitest', ['run', '--project', 'rules', 'src/architecture.test.ts', 'src/messages.test.ts'])
