import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './market.ts'

/**
 * What axe finds wrong on the page as it stands. Asked within the page itself, for its violations only: the everyday way opens a second
 * page for every question and gathers what is right, too, which takes four times as long and matters only for frames of other sites.
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
