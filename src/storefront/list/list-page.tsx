import { use } from 'react'
import { findPlace, shownPlace } from '#src/addresses/places.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { countsOnly } from '#src/kit/http/shown-names.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import type { Ctx } from '#src/kit/context.ts'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { onServer, readOnServer } from '#src/router-seams/on-server.ts'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { PageInfo } from '#src/document/page-info.ts'
import { ServerOnly } from '#src/document/server-only.tsx'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { breedGuides } from '#src/storefront/breeds/breed-guides.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { saveSearchLinks } from '#src/listings/browse/save-links.server.ts'
import { browsePath, PAGE_SIZE, readBrowse } from '#src/listings/browse/schemas.ts'
import { readSearch } from '#src/listings/browse/search.server.ts'
import { boardPath } from '#src/storefront/sharing/share-path.ts'
import { listThings } from '#src/storefront/animal/structured-data.ts'
import { categoryNames } from './category-names.ts'
import { categoryShortcuts } from './category-shortcuts.server.ts'
import { filterGroups } from './filter-groups.server.ts'
import { ListBody } from './list-body.tsx'
import { showChosenView } from './list-view.ts'
import { listNearMisses } from './near-misses.server.ts'
import { traitGroups, usualTraits } from './trait-groups.server.ts'
import type { Route } from './+types/list-page'

export const handle = appOnDemand
export { loadDocument as clientLoader }

export const loader = pageLoader(async (ctx, { params, url }) => {
  const typeId = /^\d{1,4}$/.test(params.typeId ?? '') ? Number(params.typeId) : -1
  if (typeId !== 0 && !knownIds.categoryIds.has(typeId)) throw notFound()
  const page = await readList(ctx, typeId, url.searchParams)
  const { locale, choices } = page
  return {
    page: onServer(page),
    text: choices.text,
    what: categoryNames(page),
    path: browsePath(choices),
    locale,
    origin: ctx.publicOrigin,
  }
})

async function readList(ctx: Ctx, typeId: number, query: URLSearchParams) {
  const { choices, notices } = readBrowse(typeId, query, knownIds)
  const near = choices.near === '' ? null : findPlace(choices.near)
  const { traitCounts, ...page } = await browseListings(ctx, choices, { near, pageSize: PAGE_SIZE, hasCounts: choices.after === null })
  // Above the count limit, single changes do not alter the page: the counts are lower bounds.
  if (page.foundMore) countsOnly(ctx, [])
  const { after, ...kept } = choices
  const traitsOffered = traitGroups(ctx.locale, choices, traitCounts)
  const words = readSearch(choices.text)
  const asked = {
    choices: kept,
    words: words.map(({ typed }) => typed),
    groups: filterGroups(ctx.locale, choices, page.facets),
    traits: traitsOffered,
  }
  const typed = (name: string) => [...(query.get(name) ?? '')].slice(0, 13).join('')
  return {
    ...page,
    nextPath: page.next && browsePath({ ...kept, after: page.next }),
    ...asked,
    nearMisses: page.found === 0 && after === null ? await listNearMisses(ctx, asked) : null,
    isFirstPage: after === null,
    notices,
    typedPrices: { min: typed('min'), max: typed('max') },
    place: near && shownPlace(near, ctx.locale),
    isPlaceUnknown: choices.near !== '' && near === null,
    readAs: words.flatMap((word) => (word.readAs ? [{ typed: word.typed, word: word.readAs[ctx.locale] }] : [])),
    usual: usualTraits(choices, traitsOffered),
    guides: [...breedGuides(ctx.locale, choices.breedIds), ...saveSearchLinks(kept, ctx.locale)],
    ...categoryShortcuts(ctx.locale),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
}

export type ListData = Awaited<ReturnType<typeof readList>>

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return []
  const { text, what, path, locale, origin } = loaderData
  const title = text ? m.list_title_search({ text }) : what ? m.list_title_category({ category: what }) : m.list_title_all()
  // Every search has its own URL, but search engines should index categories only.
  const isCategory = !path.includes('?')
  return pageMeta({
    title,
    description: m.list_description({ what: what || m.list_title_all() }),
    keywords: import.meta.env.SSR && m.list_keywords({ what: what || m.list_title_all() }),
    path,
    locale,
    origin,
    siteName: m.site_name(),
    image: import.meta.env.SSR
      ? { path: boardPath({ what: 'list', id: Number(/^\/buy\/(\d+)/.exec(path)?.[1]), locale }), alt: title }
      : undefined,
    about: import.meta.env.SSR && isCategory ? listThings(readOnServer(loaderData.page).cards, { locale, origin }) : [],
    noIndex: !isCategory,
  })
}

/** Server only; list-script.ts has the page's scripts. */
export default function ListPage({ loaderData }: Route.ComponentProps) {
  const { nonce } = use(PageInfo)
  return (
    <>
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: showChosenView }} />
      <ServerOnly id="list-page" isPersonal part={import.meta.env.SSR && <ListBody page={readOnServer(loaderData.page)} />} />
    </>
  )
}
