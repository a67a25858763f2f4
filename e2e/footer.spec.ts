import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onDesks, onlyDesks, onPhones, test, untilAlive } from './market.ts'

for (const [prefix, market, banned] of [
  ['', 'சந்தை', 'எதை விற்கக்கூடாது'],
  ['/en', 'Market', 'What may not be sold'],
] as const) {
  test(
    `on a phone the footer is folded to one screen, and each group unfolds (${prefix || 'Tamil'})`,
    { tag: onPhones },
    async ({ page, viewport }) => {
      await page.goto(`${prefix}/breeds`)
      await untilAlive(page)
      const footer = page.getByRole('contentinfo')
      // Including the newsletter's box.
      expect((await footer.boundingBox())!.height).toBeLessThanOrEqual(viewport!.height)
      const link = footer.locator('a[href$="/what-may-not-be-sold"]')
      await expect(link).toBeHidden()
      await footer
        .locator('summary')
        .filter({ hasText: new RegExp(`^${market}$`) })
        .click()
      await expect(link).toHaveText(banned)
      await expect(link).toBeVisible()
      await expectNoSidewaysScroll(page)
      await expectAxeClean(page)
    },
  )

  test(`on a desktop every group of the footer is open (${prefix || 'Tamil'})`, { tag: [onDesks, onlyDesks] }, async ({ page }) => {
    await page.goto(`${prefix}/breeds`)
    const footer = page.getByRole('contentinfo')
    for (const path of ['/what-may-not-be-sold', '/careers', '/privacy-policy'])
      await expect(footer.locator(`a[href$="${path}"]`)).toBeVisible()
    await expect(footer.getByRole('heading', { name: market })).toBeVisible()
    // Nothing folds there, so Tab goes from link to link.
    const stops = await footer.locator('summary').evaluateAll((all) =>
      all.map((summary) => {
        ;(summary as HTMLElement).focus()
        return document.activeElement === summary
      }),
    )
    expect(stops).toEqual(stops.map(() => false))
    expect(stops).not.toHaveLength(0)
    await expectAxeClean(page)
  })
}
