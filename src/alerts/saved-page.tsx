import { redirect } from 'react-router'
import type { Ctx } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId, idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { MAX_SAVED_LISTINGS, MAX_SAVED_SEARCHES, MAX_SEARCH_PATH } from './rules.ts'
import {
  getToSave,
  listSavedListings,
  listSavedSearches,
  readSavedSearch,
  readSwitches,
  removeSearch,
  saveListing,
  saveSearch,
  switchAlerts,
  unsaveListing,
} from './saved.server.ts'
import { SavedView } from './saved-page-view.tsx'
import { searchInWords } from './search-words.server.ts'
import { ALERT_KINDS } from './tables.ts'
import type { Route } from './+types/saved-page'

/** The result of the last form, in the address. */
const DONE = ['saved', 'removed', 'switched'] as const
export type Done = (typeof DONE)[number]

/**
 * Saved animals and searches. `?listing=7` and `?search=/buy/1?…` come from cached pages, which are the same for every visitor: the page
 * asks, and saves only when its form is sent.
 */
export const loader = formLoader(async (ctx, { url }) => {
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin, path: url.searchParams.size > 0 ? `/saved?${ownQuery(url)}` : '/saved' }
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
})

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

export const action = pageAction('saved', async (ctx, { form }): Promise<never> => {
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const done = await asInternalProblem(ctx, 'a saved animal or search could not be changed', () => act(ctx, form))
  throw redirect(localized(`/saved?done=${done}`, ctx.locale))
})

type Act = (ctx: Ctx, form: FormData) => Promise<Done>

const acts = new Map<string, Act>(
  Object.entries({
    'save-listing': async (ctx, form) => {
      await saveListing(ctx, idIn(textOf(form, 'id')))
      return 'saved'
    },
    'remove-listing': async (ctx, form) => {
      await unsaveListing(ctx, idIn(textOf(form, 'id')))
      return 'removed'
    },
    'save-search': async (ctx, form) => {
      await saveSearch(ctx, textOf(form, 'path'))
      return 'saved'
    },
    'remove-search': async (ctx, form) => {
      await removeSearch(ctx, idIn(textOf(form, 'id')))
      return 'removed'
    },
    switch: async (ctx, form) => {
      const kind = ALERT_KINDS.find((each) => each === textOf(form, 'kind'))
      if (!kind) throw notFound()
      await switchAlerts(ctx, kind, textOf(form, 'on') === '1')
      return 'switched'
    },
  } satisfies Record<string, Act>),
)

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/saved', title: m.saved_title(), description: m.saved_lead() }) : []

export default function SavedPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SavedView page={loaderData} refused={actionData?.refused} />
}

export type SavedData = Route.ComponentProps['loaderData']
