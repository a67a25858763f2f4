import { runTests } from './run-tests.ts'

// Everything: static checks, rules, both databases, the built site in a real browser at both sizes. People run it before they call an issue resolved.
await runTests({})
