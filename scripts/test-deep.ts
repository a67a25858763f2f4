import { runTests } from './run-tests.ts'
import { run } from './run.ts'

// The tests of `npm run test:all` with larger numbers (src/testing/often.ts), and every journey at every size. Takes long.
const deep = { DEEP: '1', ALL_SIZES: '1' }
await runTests(deep)
// Again as on a cheap phone, which reveals events that come too early or twice.
run('journeys on a slow phone', 'playwright', ['test', '--project', 'phone'], { ...deep, SLOWDOWN: '6' })
