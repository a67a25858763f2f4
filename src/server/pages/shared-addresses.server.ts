import { proseSlugOf, SHEET_NUMBER } from '#src/content/prose/prose.ts'
import { bare } from '#src/kit/text/locale.ts'
import { tabs } from '#src/listings/life/rules.ts'
import { pageTable } from '#src/page-table.ts'
import { policy } from '#src/policy.ts'
import { pagePathOf, ROUTES_QUERY } from '#src/router-seams/data-url.ts'
import type { AppContext } from '../request.server.ts'

/**
 * The cached pages of the table (kit/http/page-cache.server.ts). Only ids of digits: any other id is a 404, which is
 * not worth caching.
 */
const shared = pageTable.flatMap(({ path, cachedBy, isAlike = false }) =>
  cachedBy && path !== ':page'
    ? [{ page: new RegExp(`^/${path.replace(/:\w+Id/g, '\\d{1,15}').replace(/:\w+/g, '[a-z-]{1,60}')}$`), query: cachedBy, isAlike }]
    : [],
)
const text = { query: pageTable.find(({ path }) => path === ':page')!.cachedBy!, isAlike: true }

/** Calls that policy.ts marks as shared. Hono treats `key={value}` as one segment, so this does, too. */
const sharedCalls = Object.entries(policy).flatMap(([operation, { isShared }]) =>
  isShared ? [new RegExp(`^/api/v1${operation.replace('GET ', '').replace(/[^/]*\{[^/]*/g, '[^/]+')}$`)] : [],
)

/**
 * Whether the page cache may answer a request. Personal pages, other calls and writes pass the gate (app.server.ts).
 */
export function isForEverybody(c: AppContext): boolean {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (!isRead || c.req.header('cookie')?.includes('sid=')) return false
  const { path } = c.req
  return path.startsWith('/api/') ? sharedCalls.some((call) => call.test(path)) : queryOfShared(path) !== null
}

function findShared(path: string): { query: readonly string[]; isAlike: boolean } | null {
  const plain = canonical(pagePathOf(path))
  return shared.find(({ page }) => page.test(plain)) ?? (proseSlugOf(plain.slice(1)) !== null ? text : null)
}

/** The query parameters that a shared page reads; null for a page that is not shared. */
const queryOfShared = (path: string) => findShared(path)?.query ?? null

/** Whether a shared page shows members the same below its head. */
export const isAlike = (path: string) => findShared(path)?.isAlike ?? false

/** Values of a parameter that the page distinguishes; any other counts as missing. */
const knownValues: Record<string, RegExp> = { tab: new RegExp(`^(${tabs.join('|')})$`), page: SHEET_NUMBER }

/**
 * The address of a shared page with only the parameters that the page reads, in a fixed order; null for any other page. A campaign's mark, a number
 * against caches or another spelling of the path lead to the same cached page.
 */
export function sharedAddress(url: URL): URL | null {
  const known = queryOfShared(url.pathname)
  if (known === null) return null
  const plain = new URL(url)
  plain.pathname = url.pathname.toLowerCase().replace(/(.)\/$/, '$1')
  for (const [name, value] of url.searchParams) {
    const isRead = known.includes(name) && (knownValues[name]?.test(value) ?? true)
    if (!isRead && name !== ROUTES_QUERY) plain.searchParams.delete(name)
  }
  plain.searchParams.sort()
  return plain
}

/** The path of a page without its language, in one spelling. */
export const canonical = (pathname: string) =>
  bare(pathname)
    .toLowerCase()
    .replace(/(?!^)\/$/, '')
