import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { defineConfig } from 'vitest/config'
import { mdx } from './scripts/mdx-plugin.ts'
import { paraglide } from './scripts/paraglide-options.ts'
import { retriesInCi } from './scripts/retries.ts'
import { often } from '#tools/test-kit/often.ts'

/** By suffix: `x.db.test.ts` runs on the embedded database and on a real PostgreSQL. */
const withDatabase = ['src/**/*.db.test.ts']
/** Races need several connections; and who may make which call is asked once, because once is enough. */
const postgresOnly = ['src/**/*.{race,postgres}.test.ts']
/** Starts, stops and kills of the built site: they measure times, so they come after all others, and no more of them at once than there are cores. */
const operation = ['src/operation/*.test.ts']

const isCoreOnly = process.env.TESTS === 'core'
/**
 * What `npm test` leaves to `npm run test:all` (decision 0074): lasting attacks, some slow races, lists of many animals,
 * what the tests themselves stand on, and what an operator does now and then.
 */
const beyondCore = isCoreOnly
  ? [
      'src/checks/two-admins.race.test.ts',
      'src/accounts/identity/{otp,login}.race.test.ts',
      'src/accounts/identity/network-attacks.db.test.ts',
      'src/orders/checkout/bad-line.race.test.ts',
      'src/verification/second-looks.race.test.ts',
      'src/storefront/list/{corpus,lists-at-scale}.postgres.test.ts',
      'src/kit/db/{migrations.race,schema.postgres}.test.ts',
      'tools/test-kit/*.test.ts',
      'src/kit/media/clips/hostile-clips.test.ts',
      // Of the operation tests, `npm test` has starts, stops and kills.
      'src/operation/!(start|stop|orders-killed|cluster|live).test.ts',
    ]
  : []
/** These compare times of files, which have the kernel's clock: `npm run test:deep -- clocks` moves all others (scripts/moved-clock.ts). */
const withoutKernelTimes = process.env.MOVED_CLOCK
  ? [
      'src/market/media-owner.db.test.ts',
      'src/market/media-places.test.ts',
      'src/kit/media/media-store.test.ts',
      'src/selling/unsent/drafts.db.test.ts',
    ]
  : []
const leftOut = [...beyondCore, ...withoutKernelTimes]
/** The embedded database answers the tests of the whole market in `npm test`, and every one in `npm run test:all`. */
const onEmbedded = isCoreOnly ? ['src/checks/{api,contract,market,model,pages}.db.test.ts'] : withDatabase

/** Only what hangs meets it: a busy machine may take ten times as long as a quiet one, and the deep run does much more. */
const DEADLINE_MS = often(1_200_000, 7_200_000)

const setupFiles = ['./tools/test-kit/strict-console.ts', './tools/test-kit/seeded-properties.ts']

const database = (kind: 'embedded' | 'postgres', include: string[]) => ({
  extends: true as const,
  // Components that a test renders itself are compiled for the same build of React (production-react.ts).
  ...(kind === 'postgres' && { oxc: { jsx: { development: false } } }),
  test: {
    name: kind,
    include,
    exclude: leftOut,
    retry: retriesInCi,
    env: { TEST_DATABASE: kind },
    globalSetup: `./tools/test-kit/${kind}-setup.ts`,
    setupFiles: [...setupFiles, ...(kind === 'postgres' ? ['./tools/test-kit/production-react.ts'] : [])],
  },
})

export default defineConfig({
  plugins: [mdx(), paraglideVitePlugin(paraglide)],
  test: {
    globals: false,
    restoreMocks: true,
    testTimeout: DEADLINE_MS,
    hookTimeout: DEADLINE_MS,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 3,
    // One copy of the house for all files of a worker: loading it anew for each took half of the time. State belongs in hooks.
    isolate: false,
    setupFiles,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          include: ['{src,tools}/**/*.test.ts'],
          exclude: [...withDatabase, ...postgresOnly, ...operation, ...leftOut],
        },
      },
      database('embedded', onEmbedded),
      database('postgres', [...withDatabase, ...postgresOnly]),
      {
        extends: true,
        test: {
          name: 'operation',
          include: operation,
          exclude: leftOut,
          globalSetup: './tools/test-kit/operation-setup.ts',
          maxWorkers: 2,
          retry: retriesInCi,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
