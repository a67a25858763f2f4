import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { textsThatSpill } from './spills.ts'

/** Every journey also fails on console output, exceptions, reports of the content security policy, and horizontal scrolling. */
export const test = base.extend<{ quiet: void; isWithWorker: boolean }, { patient: void }>({
  // A service worker with neither connection nor copy logs these words.
  isWithWorker: [false, { option: true }],
  patient: [({ browser }, use) => (bePatient(browser), use()), { auto: true, scope: 'worker' }],
  quiet: [
    async ({ page, isWithWorker }, use) => {
      const noise: string[] = []
      page.on('pageerror', (error) => noise.push(error.message))
      const comeAgain = new Set<string>()
      page.on('response', (response) => isComeAgain(response) && comeAgain.add(response.url()))
      page.on('console', (message) => {
        // A browser logs every 404 page, every refused form and every failed connection; the journeys cause those on purpose.
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

/** A slow machine refuses some requests with Retry-After (safety.md §3): a retry succeeds. */
export const isComeAgain = (response: { status(): number; headers(): Record<string, string> }) =>
  response.status() === 503 && response.headers()['retry-after'] !== undefined

/** Retries a journey's own calls after Retry-After, as an app would, and opens a page again, as a person would. */
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
    const newPage = context.newPage.bind(context)
    context.newPage = async () => patient(await newPage())
    return context
  }
}

/** Five tries at most. Only for the market's own answers: a journey may put another one in their place. */
function patient(page: Page): Page {
  const goto = page.goto.bind(page)
  page.goto = async (...to) => {
    for (let tries = 1; ; tries += 1) {
      const response = await goto(...to)
      if (tries === 5 || !response || !isComeAgain(response) || !response.headers()['x-request-id']) return response
      await sleep(1000 * Number(response.headers()['retry-after']))
    }
  }
  return page
}

/** Slows every page's processor down by this factor, like a cheap phone: `SLOWDOWN=6 npm run e2e`. */
function slowDown(context: BrowserContext, rate: number): void {
  const newPage = context.newPage.bind(context)
  context.newPage = async () => {
    const page = await newPage()
    await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate })
    return page
  }
}

/** Scripts load after pictures (router-seams/late-scripts.server.ts); waits until the page's scripts answer. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // Between two documents there is no documentElement.
    const { alive, start, ready } = document.documentElement?.dataset ?? {}
    return alive !== undefined || (start === 'on-demand' && ready !== undefined && !document.querySelector('[data-app=now]'))
  })
}

/** From now on no page gets its scripts before the returned function is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/assets/*.js', (route) => arrived.then(() => route.continue()))
  return arrive
}

/**
 * Makes a page wait for its fonts; for journeys that measure texts. On a first visit, a font file that comes late is used from the next page on
 * (src/fonts.css), and the machine's own font may be wider.
 */
export async function withOwnFonts(page: Page): Promise<void> {
  await page.route(/\/assets\/app-[^/]*\.css$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(/font-display:\s*optional/g, 'font-display:block') })
  })
}

/** Nothing may be wider than the screen, and no word wider than its button. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.evaluate(async () => void (await document.fonts.ready))
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  expect(content).toBeLessThanOrEqual(window!)
  expect(await textsThatSpill(page), page.url()).toEqual([])
}

/** For checks that take seconds per page: every second page in each language, all of them in `npm run test:deep`. */
export const everyday = <T>(pages: readonly T[], prefix: string): T[] =>
  pages.filter((_, n) => process.env.DEEP === '1' || n % 2 === Number(prefix === '/en'))

/**
 * Tags for a journey whose other size would prove nothing more, because its elements are at the same place in both sizes, or because it
 * runs in both languages. Then ordinary runs use Tamil on phones, where most people read it, and English on desktops; ALL_SIZES=1 runs all
 * at both.
 */
export const onPhones = '@phones'
export const onDesks = '@desks'
/** Beside another tag: needs a desk's width or keyboard, so no run has it on a phone. */
export const onlyDesks = '@only-desks'
/** Journeys that the market depends on, each at one size: `npm test` runs these, `npm run test:all` runs all (decision 0074). */
export const core = '@core'

/** Rows get their height when the reader comes near them (listing-row.css), so the link moves once more after the jump to it. */
export async function showMore(page: Page): Promise<void> {
  const more = page.getByRole('link', { name: 'Show more' })
  await more.scrollIntoViewIfNeeded()
  await more.click()
}
