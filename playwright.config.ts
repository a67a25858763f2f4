import { defineConfig } from '@playwright/test'
import { retriesInCi } from './scripts/retries.ts'
import { findChromium } from '#tools/test-kit/chromium.ts'
import { freeNeighbours } from '#tools/test-kit/free-port.ts'

const phone = { width: 360, height: 800 }
const desk = { width: 1280, height: 800 }
const withoutJavaScript = 'without-javascript.spec.ts'
const taps = 'taps.spec.ts'
const isDeep = process.env.DEEP === '1'
/** Long journeys of one person through forms: in everyday runs at the size where most people, or most admins, meet them. ALL_SIZES=1 runs all at both. */
const onPhones = [
  'register',
  'login',
  'reset',
  'addresses',
  'profile',
  'newsletter',
  'slow-line',
  'seller-lists',
  'vet-checks',
  'a-cow-is-sold',
  'session-ends',
  'contact-and-review',
  'seller-sells',
  'wanted',
  'forum',
  'saved',
].map((name) => `${name}.spec.ts`)
const onDesks = ['users.spec.ts', 'api-docs.spec.ts', 'admin-verifies.spec.ts']
const isCoreOnly = process.env.TESTS === 'core'
/** How many times slower each page's processor is, as on a cheap phone (market.ts). */
const slowdown = Number(process.env.SLOWDOWN ?? 1)
const onPhonesNot = { grepInvert: process.env.ALL_SIZES ? /@only-desks/ : /@desks/ }
const onDesksNot = process.env.ALL_SIZES ? {} : { grepInvert: /@phones/ }
/** Of the core journeys a desk gets those that phones do not have: by tag, or by file. Playwright greps in file, title and tags together. */
const coreOfPhones = isCoreOnly ? { grep: /@core/ } : {}
const coreOfDesks = isCoreOnly ? { grep: new RegExp(`(?=.*@core)(?=.*(@desks|${onDesks.join('|')}))`) } : {}
const unless = (specs: string[]) => [withoutJavaScript, taps, ...(process.env.ALL_SIZES ? [] : specs)]
/**
 * One built site per database, each with its own sample market, on free ports, so that several checkouts run at the same time. The workers load
 * this file again and read the choice from E2E_PORT. The last two are of the sites' push services (e2e/push-port.ts).
 */
process.env.E2E_PORT ??= String(await freeNeighbours([0, 1, 3, 100, 101]))
const port = Number(process.env.E2E_PORT)
const sites = {
  embedded: `http://localhost:${port}`,
  postgres: `http://localhost:${port + 1}`,
  // An office with the work of a big market (tools/bench/desk-market.ts): for one journey of the deep run.
  ...(isDeep && { office: `http://localhost:${port + 3}` }),
}

export default defineConfig({
  testDir: './e2e',
  testMatch: '*.spec.ts',
  // A folder of its own, because Playwright empties it, and the results of other tests stand beside it.
  outputDir: 'test-results/journeys',
  fullyParallel: true,
  // Three keep two cores busy; with more the sites refuse some, as they should. A slowed browser takes a core for itself.
  workers: slowdown > 1 ? 1 : 3,
  // In CI a failure is tried again before it counts (decision 0111); scripts/test-results.ts names what passed at a later attempt.
  retries: retriesInCi,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  timeout: slowdown > 1 ? 600_000 : 180_000,
  // Three browsers, two sites and two databases share two cores.
  expect: { timeout: slowdown > 1 ? 90_000 : 45_000 },
  // A press or a text that cannot be done in a minute never will be: the journey fails there, not at its end.
  use: {
    actionTimeout: slowdown > 1 ? 180_000 : 60_000,
    launchOptions: await findChromium(),
    // A worker would answer what journeys intercept (page.route). `offline.spec.ts` allows it.
    serviceWorkers: 'block',
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
  webServer: (Object.keys(sites) as (keyof typeof sites)[]).map((database) => ({
    command: `node e2e/serve.ts ${database} ${new URL(sites[database]!).port}`,
    url: `${sites[database]!}/readyz`,
    timeout: 600_000,
    stdout: 'ignore' as const,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
  })),
  projects: [
    // Twice as many journeys as desks have, so on the database that takes a third of the time.
    {
      name: 'phone',
      ...coreOfPhones,
      ...onPhonesNot,
      testIgnore: unless(onDesks),
      use: { baseURL: sites.postgres, viewport: phone },
    },
    {
      name: 'desk',
      ...coreOfDesks,
      ...onDesksNot,
      testIgnore: unless(onPhones),
      use: { baseURL: sites.embedded, viewport: desk },
    },
    // They slow their pages themselves; every tap is what the deep run asks for.
    {
      name: 'taps',
      ...coreOfPhones,
      testMatch: taps,
      dependencies: isDeep ? ['walk'] : [],
      use: { baseURL: sites.embedded, viewport: phone },
    },
    ...(isDeep ? [{ name: 'walk', testMatch: 'taps.walk.ts', use: { baseURL: sites.embedded, viewport: phone } }] : []),
    ...(sites.office ? [{ name: 'office', testMatch: 'morning.spec.ts', use: { baseURL: sites.office, viewport: desk } }] : []),
    { name: 'no JavaScript', testMatch: withoutJavaScript, use: { baseURL: sites.embedded, viewport: phone, javaScriptEnabled: false } },
  ],
})
