import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onPhones, test, untilAlive } from './market.ts'

test(
  'animals are added from list and page to a comparison that marks differences, and are removed again',
  { tag: core },
  async ({ page }) => {
    // Sorted by highest price, because those are the sample market's own: other journeys add and remove listings.
    const list = '/en/buy/1?sort=price-high'
    await page.goto(list)
    await untilAlive(page)
    const toggles = page.locator('.listing-rows [data-compare]')
    const ids = await toggles.evaluateAll((all) => all.slice(0, 4).map((each) => (each as HTMLElement).dataset.compare))
    const tray = page.locator('[data-compare-tray]')
    await expect(tray).toBeHidden()
    for (const at of [0, 1]) await toggles.nth(at).click()
    await expect(tray).toContainText('2/3')
    await expect(toggles.nth(1)).toHaveAttribute('aria-pressed', 'true')
    await expectAxeClean(page)
    await page.goto(`/en/product/${ids[2]}`)
    await untilAlive(page)
    await page
      .getByRole('button', { name: /^Compare / })
      .first()
      .click()
    await expect(tray).toContainText('3/3')
    await page.goto(list)
    await untilAlive(page)
    await toggles.nth(3).focus()
    await page.keyboard.press('Space')
    await expect(tray).toContainText('3 at most')
    await expect(toggles.nth(3)).toHaveAttribute('aria-pressed', 'false')

    await tray.getByRole('link').click()
    await expect(page).toHaveURL(`/en/compare?ids=${ids.slice(0, 3).join(',')}`)
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expect(page.getByRole('columnheader')).toHaveCount(3)
    await expect(page.locator('[data-differs]').first()).toBeVisible()
    const [table, screen] = [(await page.getByRole('table').boundingBox())!, page.viewportSize()!.width]
    expect(Math.min(table.x, screen - table.x - table.width)).toBeGreaterThanOrEqual(8)
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    const lines = page.locator('tbody tr:not([data-always]):visible')
    const all = await lines.count()
    const different = await page.locator('tbody tr[data-differs]').count()
    await page.getByLabel('Only what differs').check()
    await expect(lines).toHaveCount(different)
    await page.getByLabel('Only what differs').uncheck()
    // The column heads stay visible down to the last fact.
    await lines.last().scrollIntoViewIfNeeded()
    for (const head of await page.getByRole('columnheader').all()) await expect(head.getByRole('link')).toBeInViewport({ ratio: 1 })
    await expect(lines).toHaveCount(all)
    await page
      .getByRole('link', { name: /^Take out: / })
      .first()
      .click()
    await expect(page.getByRole('columnheader')).toHaveCount(2)
    await page.getByRole('link', { name: 'Choose another' }).click()
    await untilAlive(page)
    await expect(tray).toContainText('2/3')
    await tray.getByRole('button', { name: 'Compare none' }).click()
    await expect(tray).toBeHidden()
  },
)

test('a comparison works without scripts, and says which animals are gone', { tag: onPhones }, async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL!, viewport: { width: 360, height: 800 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto('/en/compare?ids=1,2,99999999')
  await expect(page.getByText('One of these animals is no longer on the market.')).toBeVisible()
  await expect(page.locator('thead th')).toHaveCount(2)
  await page.getByLabel('Only what differs').check()
  await expect(page.locator('tbody tr:not([data-differs], [data-always])').first()).toBeHidden()
  await page.goto('/en/compare')
  await expect(page.getByText('Tap the scales on up to three animals')).toBeVisible()
  await context.close()
})
