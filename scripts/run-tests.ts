import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildIfNeeded } from './build.ts'
import { leftOut } from '../src/operation/debian-programs.ts'
import { run } from './run.ts'

/** Runs static checks, build, tests and journeys in order. The first failure ends the run. */
export async function runTests(env: Record<string, string>): Promise<void> {
  await import('./check.ts')
  console.log('\n── build')
  buildIfNeeded()
  // The journeys' sites need the pictures, and the tests sometimes leave a core idle.
  const pictures = spawn(process.execPath, ['e2e/make-sample-pictures.ts'], { stdio: 'inherit' })
  const areMade = once(pictures, 'exit')
  process.on('exit', () => pictures.kill())
  run('tests', 'vitest', ['run'], env)
  await areMade
  run('journeys', 'playwright', ['test'], env)
  for (const line of leftOut()) console.log(line)
}
