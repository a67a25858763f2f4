import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { parseId } from '#src/kit/ids.ts'
import { MAX_SAVED_LISTINGS, MAX_SAVED_SEARCHES, MAX_SEARCH_PATH } from './rules.ts'
import { getToSave, listSavedListings, listSavedSearches, readSavedSearch, readSwitches } from './saved.server.ts'
import { searchInWords } from './search-words.server.ts'

/** The result of the last form, in the address. */
const DONE = ['saved', 'removed', 'switched'] as const

export type Done = (typeof DONE)[number]

/**
 * Saved animals and searches. `?listing=7` and `?search=/buy/1?…` come from cached pages, which are the same for every visitor: the page
 * asks, and saves only when its form is sent.
 */
export async function readSavedPage(ctx: Ctx, url: URL) {
  const shared = { path: url.searchParams.size > 0 ? `/saved?${ownQuery(url)}` : '/saved' }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const }
  const searches = await listSavedSearches(ctx)
  return {
    ...shared,
    kind: 'list' as const,
    asked: await askedFor(ctx, url, searches),
    animals: await listSavedListings(ctx),
    maxAnimals: MAX_SAVED_LISTINGS,
    searches: searches.map(({ id, path, choices }) => ({ id, path, words: searchInWords(choices, ctx.locale) })),
    maxSearches: MAX_SAVED_SEARCHES,
    switches: await readSwitches(ctx),
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
  }
}

/** The query without the router's own parameters. */
function ownQuery(url: URL): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of ['listing', 'search']) {
    const value = url.searchParams.get(name)
    if (value && value.length <= MAX_SEARCH_PATH) query.set(name, value)
  }
  return query
}

async function askedFor(ctx: Ctx, url: URL, searches: { path: string }[]) {
  const listing = parseId(url.searchParams.get('listing') ?? undefined)
  if (listing !== null) return { kind: 'listing' as const, ...(await getToSave(ctx, listing)) }
  const asked = url.searchParams.get('search')
  if (asked === null) return null
  const search = readSavedSearch(asked)
  if (!search) throw notFound()
  const { category, query, choices } = search
  const path = `/buy/${category}${query && `?${query}`}`
  return {
    kind: 'search' as const,
    path,
    words: searchInWords(choices, ctx.locale),
    isSaved: searches.some((search) => search.path === path),
  }
}
