import { runTests } from './run-tests.ts'

// Developers run this before each merge, in eight to nine minutes: all rules, nearly every database test on PostgreSQL, the whole market on the
// embedded database too, and the core journeys in a real browser. CI runs this.
await runTests({ TESTS: 'core' })
