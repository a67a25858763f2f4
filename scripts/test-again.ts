import { execFileSync, spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { buildIfNeeded } from './build.ts'
import { deleteResults, ratesOf, type TestRun } from './test-results.ts'
import { runJourneys, runVitest } from './run-tests.ts'

// `npm run test:again -- [FILE…] [--times N] [--since COMMIT]`: runs test and journey files N times (20) while a second process keeps one core
// busy, and prints how often each test passed. Without files: those that changed since COMMIT, by default the landed main, origin/main.

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '20' }, since: { type: 'string', default: 'origin/main' } },
  allowPositionals: true,
})
const times = Number(values.times)
if (!Number.isInteger(times) || times < 1) throw new Error('--times is a whole number from 1.')

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

/** Files that differ from the commit, with new ones that git does not know yet. */
const changedFiles = () => [
  ...git('diff', '--name-only', '--diff-filter=d', values.since),
  ...git('ls-files', '--others', '--exclude-standard'),
]

const isTestFile = (file: string) => /\.(test|spec)\.ts$/.test(file)
const files = (positionals.length > 0 ? positionals : changedFiles()).filter(isTestFile)
const journeys = files.filter((file) => file.endsWith('.spec.ts'))
const tests = files.filter((file) => file.endsWith('.test.ts'))
if (files.length === 0) throw new Error('No test file is named, and none has changed.')

buildIfNeeded()
deleteResults()
// Each attempt counts here, so a failure is not tried again.
delete process.env.CI
const busy = spawn(process.execPath, ['-e', 'for (;;);'])
process.on('exit', () => busy.kill())

const runs: TestRun[] = []
if (tests.length > 0) for (let n = 1; n <= times; n++) runs.push(...runVitest(`tests, ${n} of ${times}`, ['run', ...tests], {}))
if (journeys.length > 0) runs.push(...runJourneys(`journeys, ${times} times`, [...journeys, '--repeat-each', String(times)], {}))
busy.kill()
const rates = ratesOf(runs)
for (const { test, passed, times, reasons } of rates) {
  console.log(`${passed} of ${times}  ${test}`)
  for (const reason of reasons) console.log(`          ${reason}`)
}
if (rates.some((rate) => rate.passed < rate.times)) process.exitCode = 1
