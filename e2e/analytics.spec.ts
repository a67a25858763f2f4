import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expectAxeClean } from './axe.ts'
import { expect, onPhones, test } from './market.ts'

/** A market of its own, configured with Google Analytics. */
let site: ChildProcess
let origin: string
test.beforeAll(async () => {
  const port = Number(new URL(test.info().project.use.baseURL!).port) + 40
  origin = `http://localhost:${port}`
  site = spawn(process.execPath, ['e2e/serve.ts', 'embedded', String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ANALYTICS_ID: 'G-ABC1234567' },
  })
  await expect
    .poll(
      () =>
        fetch(`${origin}/readyz`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 120_000 },
    )
    .toBe(200)
})
test.afterAll(async () => {
  site.kill('SIGTERM')
  await once(site, 'exit')
})

test("Google gets a visitor's page views only after consent, and only kinds of pages", { tag: onPhones }, async ({ page }) => {
  const asked: string[] = []
  await page.context().route(/google/, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: '' })
  })
  const question = page.getByRole('region', { name: 'Counting visits' })
  const visit = async (path: string) => {
    await page.goto(origin + path)
    await page.waitForFunction(() => document.documentElement.dataset.alive !== undefined)
  }

  await visit('/en')
  await expect(question).toBeVisible()
  await expectAxeClean(page)
  await question.getByRole('button', { name: 'No' }).click()
  await expect(question).toBeHidden()
  await visit('/en/buy/0')
  await expect(question).toBeHidden()
  expect(asked).toEqual([])

  await visit('/en/privacy-policy')
  await page.getByRole('link', { name: 'change it' }).click()
  await question.getByRole('button', { name: 'Yes, it may' }).click()
  await expect.poll(() => asked).toEqual(['https://www.googletagmanager.com/gtag/js?id=G-ABC1234567'])

  await visit('/en/product/3?tab=vet')
  await expect.poll(() => asked.length).toBe(2)
  const sentToGoogle = await page.evaluate(() =>
    (window as unknown as { dataLayer: ArrayLike<unknown>[] }).dataLayer.map((words) => Array.from(words)),
  )
  expect(sentToGoogle.filter(([word]) => word === 'event')).toEqual([
    ['event', 'page_view', { page_location: `${origin}/en/product/0`, page_title: '/en/product/0', page_referrer: '' }],
  ])

  // After consent is withdrawn, the next page loads nothing from Google.
  await visit('/en/privacy-policy#analytics')
  await question.getByRole('button', { name: 'No' }).click()
  await page.waitForURL(`${origin}/en/privacy-policy`)
  const before = asked.length
  await visit('/en/buy/0')
  expect(asked.length).toBe(before)
})
