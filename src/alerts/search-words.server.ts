import { findPlace, shownPlace } from '#src/addresses/places.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { lookups, nameOf } from '#src/listings/reference/lookups.server.ts'
import type { BrowseChoices } from '#src/listings/browse/schemas.ts'
import { traitsInWords } from '#src/listings/traits/trait-table.server.ts'
import { m } from '#src/paraglide/messages.js'

/** Describes a search in words: categories, breeds, text, price, place. */
export function searchInWords(
  { categoryIds, breedIds, text, minPrice, maxPrice, near, withinKm, traits }: BrowseChoices,
  locale: Locale,
): string {
  const names = (rows: Parameters<typeof nameOf>[0][]) => rows.map((row) => nameOf(row, locale)).join(', ')
  const place = near === '' ? null : findPlace(near)
  const where = place ? shownPlace(place, locale) : near
  const parts = [
    categoryIds.length > 0 ? names(categoryIds.map(lookups.category)) : m.list_title_all({}, { locale }),
    names(breedIds.map(lookups.breed)),
    text && `“${text}”`,
    ...traitsInWords(traits, locale),
    minPrice !== null && m.saved_from({ price: formatRupees(minPrice) }, { locale }),
    maxPrice !== null && m.saved_up_to({ price: formatRupees(maxPrice) }, { locale }),
    where && (withinKm === null ? where : m.saved_within({ place: where, km: withinKm }, { locale })),
  ]
  return parts.filter(Boolean).join(' · ')
}
