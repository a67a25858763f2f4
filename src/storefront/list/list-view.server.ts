import { findPlace, shownPlace } from '#src/addresses/places.server.ts'
import { countsOnly } from '#src/kit/http/shown-names.ts'
import type { Ctx } from '#src/kit/context.ts'
import { browseListings } from '#src/listings/browse/browse.server.ts'
import { breedGuides } from '#src/storefront/breeds/breed-guides.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { saveSearchLinks } from '#src/listings/browse/save-links.server.ts'
import { browsePath, PAGE_SIZE, readBrowse } from '#src/listings/browse/schemas.ts'
import { readSentence } from '#src/listings/browse/sentence.server.ts'
import { readSearch, unreadWords } from '#src/listings/browse/search.server.ts'
import { categoryShortcuts } from './category-shortcuts.server.ts'
import { filterGroups } from './filter-groups.server.ts'
import { listNearMisses } from './near-misses.server.ts'
import { traitGroups, usualTraits } from './trait-groups.server.ts'

export async function readList(ctx: Ctx, typeId: number, typedQuery: URLSearchParams) {
  const { query, left } = readSentence(typedQuery, ctx.locale)
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
    unread: [...left, ...unreadWords(choices.text, words)],
    usual: usualTraits(choices, traitsOffered),
    guides: [...breedGuides(ctx.locale, choices.breedIds), ...saveSearchLinks(kept, ctx.locale)],
    ...categoryShortcuts(ctx.locale),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
}

export type ListData = Awaited<ReturnType<typeof readList>>
