import type { Ctx } from '#src/kit/context.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { alignedFacts } from '#src/listings/animal-facts.server.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/lookups.server.ts'
import type { Product } from '#src/listings/queries.server.ts'
import type { SeenListing } from '#src/listings/fields/seen-listing.ts'
import { m } from '#src/paraglide/messages.js'
import { wordChanges, type WordChange } from './word-changes.server.ts'

export interface LastLook {
  passed: boolean
  at: Date
  /** Null for verdicts from before this was kept. */
  seen: SeenListing | null
}

export interface ListingChanges {
  passed: boolean
  on: string
  /** What the last verdict did not see, with what it saw instead; empty where there was nothing. */
  facts: { label: string; before: string; now: string }[]
  name: WordChange[] | null
  description: WordChange[] | null
  /** Media keys of pictures that the last verdict did not see. */
  newPhotos: string[]
}

/** What the seller has changed since the last verdict; null where there was none, or where nobody knows what it saw. */
export function changesSince(ctx: Ctx, product: Product, last: LastLook | null): ListingChanges | null {
  if (!last?.seen) return null
  const { seen } = last
  const { locale } = ctx
  const before: Product = {
    ...product,
    ...seen,
    district: placeName(seen.district, locale),
    originalPrice: BigInt(seen.originalPrice),
    offerPrice: seen.offerPrice === null ? null : BigInt(seen.offerPrice),
    photos: [],
  }
  const english = locale === 'en'
  const seenName = english ? (seen.nameEn ?? seen.name) : seen.name
  const seenDescription = english ? (seen.descriptionEn ?? seen.description) : seen.description
  const rows = [
    ...outsideTheTable(ctx, before).map((fact, index) => ({ ...fact, now: outsideTheTable(ctx, product)[index]!.text })),
    ...alignedFacts([before, product], 'verification', locale).map(({ label, texts: [text, now] }) => ({
      label,
      text: text ?? '',
      now: now ?? '',
    })),
  ]
  return {
    passed: last.passed,
    on: formatMoment(last.at, locale),
    facts: rows.filter(({ text, now }) => text !== now).map(({ label, text, now }) => ({ label, before: text, now })),
    name: seenName === product.name ? null : wordChanges(seenName, product.name),
    description: seenDescription === product.description ? null : wordChanges(seenDescription, product.description),
    newPhotos: product.photos.map(({ key }) => key).filter((key) => !seen.photos.includes(key)),
  }
}

function outsideTheTable({ locale }: Ctx, product: Product): { label: string; text: string }[] {
  const { categoryId, breedId, originalPrice, offerPrice, district } = product
  return [
    { label: m.product_price({}, { locale }), text: formatRupees(offerPrice ?? originalPrice) },
    {
      label: m.product_breed({}, { locale }),
      text: [nameOf(lookups.category(categoryId), locale), nameOrNull(lookups.breed, breedId, locale)].filter(Boolean).join(' · '),
    },
    { label: m.product_location({}, { locale }), text: district },
  ]
}
