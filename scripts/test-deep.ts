import { buildIfNeeded } from './build.ts'
import { run } from './run.ts'

// The same tests as `npm test` with bigger numbers (src/testing/often.ts), and every journey at every size. Takes its time.
process.env.DEEP = '1'
process.env.ALL_SIZES = '1'
await import('./check.ts')
console.log('\n── build')
buildIfNeeded()
run('tests', 'vitest', ['run'])
run('journeys', 'playwright', ['test'])
// Once more as on a cheap phone: what comes too early, or twice, shows there.
run('journeys on a slow phone', 'playwright', ['test', '--project', 'phone'], { SLOWDOWN: '6' })
