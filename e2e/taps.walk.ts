import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './market.ts'
import { buttonsFile, sessionFile } from './taps-plan.ts'
import { comeAs, kindsOn, knowButtons, open, roles, withoutNumbers, type Role, type Tap } from './taps.ts'

for (const role of Object.keys(roles) as Role[])
  test(`a ${role} finds every button of every page`, async ({ context, page }) => {
    // It opens every page of the market.
    test.setTimeout(0)
    await knowButtons(context)
    await comeAs(page, role)
    const taps = await everyButton(page)
    expect(taps).not.toEqual([])
    mkdirSync(dirname(buttonsFile(role)), { recursive: true })
    writeFileSync(buttonsFile(role), JSON.stringify(taps))
    await context.storageState({ path: sessionFile(role) })
  })

/** Pages that no link leads to. */
const entrances = ['/', '/en', '/en/login', '/en/register', '/en/reset-password', '/en/newsletter', '/en/my-addresses/buy/0', '/en/sell']

/** Lists have an address for each filter; all other queries open something else. */
const pageKind = (path: string) => withoutNumbers(path.replace(/(\/buy\/\d+|\/forum)\?.*/, '$1').replace(/\/breeds\/.+/, '/breeds/1'))

/** Crawls from the front page along every link, one page of each kind. */
async function everyButton(page: Page): Promise<Tap[]> {
  const seen = new Set<string>()
  const queue = [...entrances]
  const taps: Tap[] = []
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(pageKind(path))) continue
    seen.add(pageKind(path))
    const response = await open(page, path)
    if (!response?.headers()['content-type']?.startsWith('text/html')) continue
    const { pathname, search } = new URL(page.url())
    const isLedOn = pathname + search !== path
    if (isLedOn && seen.has(pageKind(pathname + search))) continue
    seen.add(pageKind(pathname + search))
    for (const kind of new Set(await kindsOn(page))) taps.push({ kind, path: pathname + search })
    const links = await page.evaluate(() =>
      [...document.links].filter((a) => a.origin === location.origin).map((a) => a.pathname + a.search),
    )
    // One language suffices, because both have the same forms. The logout page presses its button itself.
    queue.push(...links.filter((link) => link.startsWith('/en') && !/\/logout|lang=|\.(pdf|csv|json)(\?|$)/.test(link)))
  }
  return taps
}
