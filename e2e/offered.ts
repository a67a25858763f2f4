import type { Browser } from '@playwright/test'
import { decide } from './admins.ts'
import { listBull, registerSeller } from './sellers.ts'

/** A verified animal of a new seller. */
export async function offered(browser: Browser, name: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const id = await listBull(page, await registerSeller(page), name)
  await decide(browser, id, true, 'Good.')
  await context.close()
  return id
}
