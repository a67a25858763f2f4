import type { BrowserContext, Page } from '@playwright/test'
import { expect } from './market.ts'
import { photograph } from './photographs.ts'
import { chooseSpecies, describeAnimal, openStep, registerSeller } from './sellers.ts'

// For journeys of what is done offline and sent later.

/** A seller on a phone that has the worker. */
export async function sellerWithWorker(page: Page) {
  await page.goto('/en/')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  return registerSeller(page)
}

export const cow = {
  breed: 'Kangayam',
  sex: 'Female',
  age: '3-4 years',
  color: 'White',
  weight: '320',
  price: '65000',
  description: 'Calm, gives eight litres.',
}

/** Fills the sell form with a cow and one photo; the photos' step is open. */
export async function fillCow(page: Page, name: string): Promise<void> {
  await page.locator('#listing-image').setInputFiles(await photograph(1))
  await expect(page.locator('#photos li img[src^="blob:"]')).toHaveCount(1)
  await chooseSpecies(page, 'Cow')
  await describeAnimal(page, { ...cow, name })
}

export async function submitListing(page: Page): Promise<void> {
  await openStep(page, 'check')
  await page.locator('[data-send]').click()
}

export const waitingTitle = (page: Page) => page.getByRole('heading', { name: 'It is on this phone' })

/** The first request to this address arrives, but its answer is lost. Returns how many have come. */
export async function loseFirstAnswer(context: BrowserContext, address: string, method = 'POST'): Promise<() => number> {
  let count = 0
  await context.route(address, async (route) => {
    if (route.request().method() !== method) return route.continue()
    count += 1
    if (count > 1) return route.continue()
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  return () => count
}
