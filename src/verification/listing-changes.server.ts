import type { Ctx } from '#src/kit/context.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { placeName } from '#src/addresses/places.server.ts'
import { alignedFacts } from '#src/listings/animal-facts.server.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import type { Product } from '#src/listings/queries.server.ts'
import type { SeenListing } from '#src/listings/fields/seen-listing.ts'
import { m } from '#src/paraglide/messages.js'
import { wordChanges, type WordChange } from './word-changes.server.ts'

interface LastLook {
  passed: boolean
  at: Date
  /** Null for verdicts from before snapshots were stored. */
  seen: SeenListing | null
}

interface ListingChanges {
  passed: boolean
  on: string
  /** Changed facts with the earlier value; empty when there was none. */
  facts: { label: string; before: string; now: string }[]
  name: WordChange[] | null
  description: WordChange[] | null
  /** Media keys of pictures added since the last verdict. */
  newPhotos: string[]
  /** The number of clips added since the last verdict, or with another caption. */
  newClips: number
}

/** The seller's changes since the last verdict; null without a verdict, or without its snapshot. */
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
    clips: [],
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
    newClips: newClips(product, seen),
  }
}

function newClips(product: Product, { clips: seen }: SeenListing): number {
  if (!seen) return 0
  return product.clips.filter((clip) => !seen.some(({ key, caption }) => key === clip.key && caption === clip.caption)).length
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
