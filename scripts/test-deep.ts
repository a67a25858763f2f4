import { movedClock } from './moved-clock.ts'
import type { TestRun } from './test-results.ts'
import { runJourneys, runTests, runVitest } from './run-tests.ts'

// The tests of `npm run test:all` with larger numbers (tools/test-kit/often.ts), and every journey at every size; then journeys as on a cheap phone,
// which reveals events that come too early or twice; then the core at other times. Takes long.
const deep = { DEEP: '1', ALL_SIZES: '1' }

const onSlowPhone = () => runJourneys('journeys on a slow phone', ['--project', 'phone'], { ...deep, SLOWDOWN: '6' })

const DAY_S = 86_400
const IST_S = 5.5 * 3600
const clocks: [name: string, seconds: () => number][] = [
  ['an hour later', () => 3600],
  ['twelve hours later', () => DAY_S / 2],
  ['forty days later', () => 40 * DAY_S],
  ['four hundred days later', () => 400 * DAY_S],
  // The Indian day ends while the tests run.
  ['from 23:58 in India', () => (23 * 3600 + 58 * 60 - ((Date.now() / 1000 + IST_S) % DAY_S) + DAY_S) % DAY_S],
]

/** The core with the clock of all processes moved: tests, sites, PostgreSQL and browsers. Clocks that measure a duration stay as they are. */
function atOtherTimes(): TestRun[] {
  const library = movedClock()
  if (library === null) {
    console.log('NOT TRIED: the core at other times (there is no C compiler)')
    return []
  }
  return clocks.flatMap(([name, seconds]) => {
    const env = () => ({ TESTS: 'core', LD_PRELOAD: library, MOVED_CLOCK: String(Math.round(seconds())) })
    return [...runVitest(`tests ${name}`, ['run'], env()), ...runJourneys(`journeys ${name}`, [], env())]
  })
}

// `npm run test:deep -- clocks` runs the last part alone.
if (process.argv[2] === 'clocks') await runTests(null, [atOtherTimes])
else await runTests(deep, [onSlowPhone, atOtherTimes])
