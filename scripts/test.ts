import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildIfNeeded } from './build.ts'
import { run } from './run.ts'

// Everything: static checks, rules, both databases, the built site in a real browser.
await import('./check.ts')
console.log('\n── build')
buildIfNeeded()
// The journeys' sites need them, and the tests leave the cores idle now and then.
const pictures = spawn(process.execPath, ['e2e/make-sample-pictures.ts'], { stdio: 'inherit' })
const areMade = once(pictures, 'exit')
process.on('exit', () => pictures.kill())
run('tests', 'vitest', ['run'])
await areMade
run('journeys', 'playwright', ['test'])
