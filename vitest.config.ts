import { paraglideVitePlugin } from '@inlang/paraglide-js'
import { defineConfig } from 'vitest/config'
import { mdx } from './scripts/mdx-plugin.ts'
import { paraglide } from './scripts/paraglide-options.ts'

/** Tests that need a database say so in their name; each runs on the embedded database and on a real PostgreSQL. */
const withDatabase = [
  'src/**/{commands,queries,api,market,pages,seed,browse,database,load-reference}.test.ts',
  'src/**/{register,login,totp,bodies,identity-api,identity-safety,addresses,profile,privacy,users,audit}.test.ts',
  'src/**/{model,cart,orders,order-steps,order-pages,checkout,discounts,documents,settings,bonus}.test.ts',
  'src/**/{tickets,page-views,breed-market,me}.test.ts',
  'src/**/{media-owner,trust,selling,drafts,photos,sale,edit,renew,verify,reviews,reports,contacts,vet-desk,invoices,idempotency}.test.ts',
]
// Who may make which call is asked of each call as each kind of person: once is enough.
const postgresOnly = ['src/**/*.race.test.ts', 'src/kit/schema.test.ts', 'src/policy.test.ts', 'src/crawl.test.ts']
/** Starts, stops and kills of the built site: they measure times, so they come after all others, and no more of them at once than there are cores. */
const operation = ['src/operation/*.test.ts']

const database = (kind: 'embedded' | 'postgres', include: string[]) => ({
  extends: true as const,
  test: { name: kind, include, env: { TEST_DATABASE: kind }, globalSetup: `./src/testing/${kind}-setup.ts` },
})

export default defineConfig({
  plugins: [mdx(), paraglideVitePlugin(paraglide)],
  test: {
    globals: false,
    restoreMocks: true,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    // One copy of the house for all files of a worker: loading it anew for each took half of the time. State belongs in hooks.
    isolate: false,
    setupFiles: ['./src/testing/strict-console.ts'],
    projects: [
      { extends: true, test: { name: 'rules', include: ['src/**/*.test.ts'], exclude: [...withDatabase, ...postgresOnly, ...operation] } },
      database('embedded', withDatabase),
      database('postgres', [...withDatabase, ...postgresOnly]),
      {
        extends: true,
        test: {
          name: 'operation',
          include: operation,
          globalSetup: './src/testing/operation-setup.ts',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
