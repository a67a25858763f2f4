import { buildIfNeeded } from './build.ts'
import { run } from './run.ts'

// Everything: static checks, rules, both databases, the built site in a real browser.
await import('./check.ts')
console.log('\n── build')
buildIfNeeded()
run('tests', 'vitest', ['run'])
run('journeys', 'playwright', ['test'])
