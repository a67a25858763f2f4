import { expect, test as base, type Page } from '@playwright/test'

/**
 * Every journey also watches the page: nothing on the console, no exception, no report against the content security
 * policy, no sideways scrolling.
 */
export const test = base.extend<{ quiet: void }>({
  quiet: [
    async ({ page }, use) => {
      const noise: string[] = []
      page.on('pageerror', (error) => noise.push(error.message))
      page.on('console', (message) => {
        // A browser notes every 404 page, every refused form and every dead line by itself; those we ask for.
        const isExpected = /40[1349] \(|42[29] \(|ERR_INTERNET_DISCONNECTED/.test(message.text())
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

/** Scripts come after pictures (kit/late-scripts.server.ts); from here on the page answers by script. */
export async function untilAlive(page: Page): Promise<void> {
  // Between two documents there is none.
  await page.waitForFunction(() => document.documentElement?.dataset.alive !== undefined)
}

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  expect(content).toBeLessThanOrEqual(window!)
}

/** What costs seconds a page: every second one in each language, all of them in `npm run test:deep`. */
export const everyday = <T>(pages: readonly T[], prefix: string): T[] =>
  pages.filter((_, n) => process.env.DEEP === '1' || n % 2 === Number(prefix === '/en'))

/**
 * A journey's tag where both languages are gone through alike: everyday runs take Tamil on phones, where most read it, and
 * English on desks; ALL_SIZES=1 runs both at both.
 */
export const onPhones = '@phones'
export const onDesks = '@desks'
