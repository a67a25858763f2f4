import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { textsThatSpill } from './spills.ts'

/**
 * Every journey also watches the page: nothing on the console, no exception, no report against the content security
 * policy, no sideways scrolling.
 */
export const test = base.extend<{ quiet: void; isWithWorker: boolean }, { patient: void }>({
  // A service worker that has neither line nor copy says so in these words.
  isWithWorker: [false, { option: true }],
  patient: [({ browser }, use) => (bePatient(browser), use()), { auto: true, scope: 'worker' }],
  quiet: [
    async ({ page, isWithWorker }, use) => {
      const noise: string[] = []
      page.on('pageerror', (error) => noise.push(error.message))
      const comeAgain = new Set<string>()
      page.on('response', (response) => isComeAgain(response) && comeAgain.add(response.url()))
      page.on('console', (message) => {
        // A browser logs every 404 page, every refused form and every failed connection by itself; the journeys cause those on purpose.
        const isExpected =
          /40[1349] \(|415 \(|42[29] \(|ERR_INTERNET_DISCONNECTED/.test(message.text()) ||
          (isWithWorker && message.text().includes('net::ERR_FAILED')) ||
          (/503 \(/.test(message.text()) && comeAgain.has(message.location().url))
        if (message.type() === 'error' && !isExpected) noise.push(message.text())
      })
      page.on('request', (request) => {
        if (request.url().includes('/csp-report')) noise.push(`policy report: ${request.postData()}`)
      })
      await use()
      expect(noise).toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

/** A slow machine refuses some requests with Retry-After (safety.md §3): trying again succeeds. */
const isComeAgain = (response: { status(): number; headers(): Record<string, string> }) =>
  response.status() === 503 && response.headers()['retry-after'] !== undefined

/** Calls that a journey makes beside its pages are tried again after Retry-After, as an app would. */
function bePatient(browser: Browser): void {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    if (process.env.SLOWDOWN) slowDown(context, Number(process.env.SLOWDOWN))
    const fetch = context.request.fetch.bind(context.request)
    context.request.fetch = async (url, init) => {
      for (;;) {
        const response = await fetch(url, init)
        if (!isComeAgain(response)) return response
        await sleep(1000 * Number(response.headers()['retry-after']))
      }
    }
    return context
  }
}

/** Every page's processor so many times slower, as on a cheap phone: `SLOWDOWN=6 npm run e2e`. */
function slowDown(context: BrowserContext, rate: number): void {
  const newPage = context.newPage.bind(context)
  context.newPage = async () => {
    const page = await newPage()
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate })
    return page
  }
}

/** Scripts come after pictures (router-seams/late-scripts.server.ts); from here on the page answers by script. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // Between two documents there is none.
    const { alive, start, ready } = document.documentElement?.dataset ?? {}
    return alive !== undefined || (start === 'on-demand' && ready !== undefined && !document.querySelector('[data-app=now]'))
  })
}

/** Nothing is wider than the screen, and no word wider than its button. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  expect(content).toBeLessThanOrEqual(window!)
  expect(await textsThatSpill(page), page.url()).toEqual([])
}

/** What costs seconds a page: every second one in each language, all of them in `npm run test:deep`. */
export const everyday = <T>(pages: readonly T[], prefix: string): T[] =>
  pages.filter((_, n) => process.env.DEEP === '1' || n % 2 === Number(prefix === '/en'))

/**
 * A journey's tag where the other size would prove nothing more: what it looks at stands at the same place at both, or is gone through alike in
 * both languages. Then everyday runs take Tamil on phones, where most read it, and English on desks; ALL_SIZES=1 runs all at both.
 */
export const onPhones = '@phones'
export const onDesks = '@desks'
/** The journeys the market lives by, each at one size: `npm test` goes these, `npm run test:all` goes all (decision 0074). */
export const core = '@core'
