import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildIfNeeded } from './build.ts'
import { run } from './run.ts'

/** Static checks, build, tests and journeys, one after the other; the first that fails ends the run. */
export async function runTests(env: Record<string, string>): Promise<void> {
  await import('./check.ts')
  console.log('\n── build')
  buildIfNeeded()
  // The journeys' sites need them, and the tests leave the cores idle now and then.
  const pictures = spawn(process.execPath, ['e2e/make-sample-pictures.ts'], { stdio: 'inherit' })
  const areMade = once(pictures, 'exit')
  process.on('exit', () => pictures.kill())
  run('tests', 'vitest', ['run'], env)
  await areMade
  run('journeys', 'playwright', ['test'], env)
}
