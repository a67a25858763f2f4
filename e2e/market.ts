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
        // A browser notes every 404 page by itself; that one we ask for.
        if (message.type() === 'error' && !message.text().includes('404 (Not Found)')) noise.push(message.text())
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

export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  expect(content).toBeLessThanOrEqual(window!)
}

/** Pages as the visitor's thumb finds them, in the language of the project's choice. */
export const languages = [
  { name: 'Tamil', prefix: '', buy: 'வாங்க', filter: 'வடிகட்டி', confirm: 'உறுதி செய்க' },
  { name: 'English', prefix: '/en', buy: 'Buy', filter: 'Filter Options', confirm: 'Confirm' },
] as const
