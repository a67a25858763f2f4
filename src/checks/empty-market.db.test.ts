import { expect, test } from 'vitest'
import { pageTable } from '#src/page-table.ts'
import { shareBuiltSite, type BuiltSite } from '#tools/test-kit/built-site.ts'

let site: BuiltSite
shareBuiltSite((opened) => ({ site } = opened))

/** Every public page, and lists with typical queries. */
const shown = pageTable.filter(({ who, path }) => who === 'anyone' && !/[:*]/.test(path)).map(({ path }) => `/${path}`)

test.each([
  ...shown,
  '/buy/0',
  '/buy/1',
  '/en/buy/2',
  '/buy/0?q=maadu',
  '/buy/0?category=1&sort=price-low',
  '/buy/1?near=641001&within=50&sex=female',
])('a market without animals, on its first day, answers %s without an internal error', async (path) =>
  expect(String((await site.open(path)).status)).toMatch(/^[234]/),
)
