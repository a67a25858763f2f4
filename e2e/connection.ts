import type { Page } from '@playwright/test'
import { expect } from './market.ts'

// For journeys with the service worker. Chromium cuts off a page and its worker separately, and a worker that starts meanwhile may be
// missed. These wait until the worker follows, too. The probed file does not exist: the worker asks the server for it and stores nothing.

const isWorkerOnline = (page: Page) =>
  page.evaluate(() =>
    fetch(`/assets/none-${Math.random()}.js`).then(
      () => true,
      () => false,
    ),
  )

async function switchConnection(page: Page, isOn: boolean): Promise<void> {
  await expect(async () => {
    await page.context().setOffline(!isOn)
    expect(await isWorkerOnline(page)).toBe(isOn)
  }).toPass()
}

export const goOffline = (page: Page) => switchConnection(page, false)

/** The offline page reloads by itself as soon as it is online; `page` may show another page afterwards. */
export const goOnline = (page: Page) => switchConnection(page, true)
