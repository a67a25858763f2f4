import type { Locator, Page } from '@playwright/test'
import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onDesks, test } from './market.ts'
import { pageTable } from '../src/page-table.ts'

/** Every office page with a fixed address, so that a new one is included automatically. */
const desks = pageTable.filter(({ who, path }) => who === 'operate' && !/:|\.\w+$|find$|bulk$/.test(path)).map(({ path }) => `/${path}`)

test('every plot of every desk matches the figures of its table', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  // The market counts a headless user agent as a program.
  const userAgent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
  await someVisits(await (await browser.newContext({ userAgent })).newPage())
  await loginAsAdmin(page)
  // Page views are written once a minute.
  await expect(async () => {
    await page.goto('/en/admin/page-views')
    await expect(page.locator('[data-plot]').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 150_000 })
  let plots = 0
  for (const desk of [...desks, '/orders']) {
    await page.goto(`/en${desk}`)
    const sections = page.locator('section:has([data-plot])')
    expect(await page.locator('[data-plot]').count(), `${desk}: a plot is outside a section`).toBe(
      await sections.locator('[data-plot]').count(),
    )
    for (const section of await sections.all()) plots += await holdAgainstTable(section, desk)
  }
  // Five plots of page views, one of messages, and the office's own.
  expect(plots).toBeGreaterThanOrEqual(11)
})

async function someVisits(page: Page): Promise<void> {
  for (const path of ['/', '/en', '/buy/1']) await page.goto(path)
  await page.context().close()
}

/** The table one tap away has a row for each row of the plot, and each bar's length or height matches its figure. */
async function holdAgainstTable(section: Locator, desk: string): Promise<number> {
  const rows = await section.locator('table tbody tr').evaluateAll((all) =>
    all.map((row) => ({
      name: row.querySelector('th')!.textContent!.trim(),
      figures: [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent!.replace(/[^\d.-]/g, ''))),
    })),
  )
  const drawn = await section.locator('[data-plot]').evaluateAll((plots) =>
    plots.map((plot) => ({
      kind: plot.getAttribute('data-plot')!,
      rows: [...plot.querySelectorAll(':scope > *')].map((row) => ({
        name: row.querySelector('span')?.textContent.trim() ?? '',
        label: row.querySelector('svg + span')?.textContent ?? '',
        said: row.querySelector('b')?.textContent ?? '',
        widths: [...row.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('width'))),
        heights: [...row.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('height'))),
      })),
      titles: [...plot.querySelectorAll('title')].map((title) => Number(/(\d+)$/.exec(title.textContent!)![1])),
    })),
  )
  const total = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0)
  for (const [place, plot] of drawn.entries()) {
    const where = `${desk}, plot ${place + 1}: ${await section.getAttribute('aria-labelledby')}`
    if (plot.kind === 'map') {
      expect(total(plot.titles), where).toBe(total(rows.map(({ figures }) => figures[0]!)))
      continue
    }
    expect(plot.rows, where).toHaveLength(rows.length)
    const sums = rows.map(({ figures }) => total(figures))
    const most = plot.kind === 'bars' ? Math.max(1, ...sums) : Math.max(1, ...rows.map(({ figures }) => figures[place]!))
    for (const [n, { name, figures }] of rows.entries()) {
      const row = plot.rows[n]!
      if (plot.kind === 'bars') {
        expect(row.name, where).toBe(name)
        expect(Number(row.said.replaceAll(',', '')), where).toBe(sums[n])
        for (const [part, width] of row.widths.entries()) expect(width, `${where}, ${name}`).toBeCloseTo((100 * figures[part]!) / most, 1)
      } else {
        expect(name, where).toContain(row.label)
        // The first one is the ground line.
        const [, height] = row.heights
        expect(height! / COLUMN_HEIGHT, `${where}, ${name}`).toBeCloseTo(figures[place]! / most, 2)
      }
    }
  }
  return drawn.length
}
const COLUMN_HEIGHT = 60

test('page views are also described in sentences, in both languages', { tag: onDesks }, async ({ page }) => {
  await loginAsAdmin(page)
  await page.goto('/en/admin/page-views')
  await expect(page.getByRole('main')).toContainText(/In the last 30 days pages were opened [\d,]+ times|Nothing was counted yet/)
  await expectAxeClean(page)
  await page.goto('/admin/page-views')
  await expect(page.getByRole('main')).toContainText(/பக்கங்கள் [\d,]+ முறை திறந்தன|எதுவும் எண்ணப்படவில்லை/)
  await expectNoSidewaysScroll(page)
})
