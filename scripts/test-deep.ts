import { runTests } from './run-tests.ts'
import { run } from './run.ts'

// The same tests as `npm run test:all` with bigger numbers (src/testing/often.ts), and every journey at every size. Takes its time.
const deep = { DEEP: '1', ALL_SIZES: '1' }
await runTests(deep)
// Once more as on a cheap phone: what comes too early, or twice, shows there.
run('journeys on a slow phone', 'playwright', ['test', '--project', 'phone'], { ...deep, SLOWDOWN: '6' })
