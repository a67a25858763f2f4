import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { leftOut } from '#tools/test-kit/debian-programs.ts'
import { buildIfNeeded } from './build.ts'
import { check } from './check.ts'
import { reportResults, deleteResults, hasFailed, takeResults, type TestRun } from './test-results.ts'
import { run } from './run.ts'

/**
 * Runs static checks, build, tests, journeys and `more` in order, and ends with what failed. A failed check or build ends the run at once; after a
 * failed test the run goes on, so that one run names all failures. `env` null: no tests and journeys but those of `more`.
 */
export async function runTests(env: Record<string, string> | null, more: (() => TestRun[])[] = []): Promise<void> {
  deleteResults()
  const results = await check()
  if (!hasFailed(results)) results.push(build())
  if (!hasFailed(results)) results.push(...(await runBuilt(env, more)))
  for (const line of leftOut()) console.log(line)
  reportResults(results)
  if (hasFailed(results)) process.exitCode = 1
}

function build(): TestRun {
  const result = { file: 'build', title: 'the site' }
  console.log('\n── build')
  try {
    buildIfNeeded()
    return { ...result, state: 'passed' }
  } catch (error) {
    console.error(error)
    return { ...result, state: 'failed', reason: 'its errors stand above' }
  }
}

async function runBuilt(env: Record<string, string> | null, more: (() => TestRun[])[]): Promise<TestRun[]> {
  // The journeys' sites need the pictures, and the tests sometimes leave a core idle.
  const pictures = spawn(process.execPath, ['e2e/make-sample-pictures.ts'], { stdio: 'inherit' })
  const areMade = once(pictures, 'exit')
  process.on('exit', () => pictures.kill())
  const results = env ? runVitest('tests', ['run'], env) : []
  await areMade
  if (env) results.push(...runJourneys('journeys', [], env))
  return [...results, ...more.flatMap((part) => part())]
}

export function runVitest(title: string, args: string[], env: Record<string, string>): TestRun[] {
  const reporters = ['--reporter', 'default', '--reporter', './scripts/vitest-results.ts']
  return takeResults('tests', run(title, 'vitest', [...args, ...reporters], env))
}

export function runJourneys(title: string, args: string[], env: Record<string, string>): TestRun[] {
  return takeResults('journeys', run(title, 'playwright', ['test', ...args, '--reporter', 'list,./scripts/playwright-results.ts'], env))
}
