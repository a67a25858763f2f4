import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './market.ts'

/**
 * axe's violations on the page in its present state. Runs in the page itself and asks for violations only: axe's default opens a second
 * page for each run and collects passes, too, which takes four times as long and matters only for cross-origin frames.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

export async function expectAxeClean(page: Page): Promise<void> {
  expect(await axeFindings(page), page.url()).toEqual([])
}
