import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { placeName } from '#src/accounts/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/locale.ts'
import type { Money } from '#src/kit/money.ts'
import { cardColumns, toCard, type CardRow } from './browse.server.ts'
import type { ProductPageData } from './product-view.server.ts'
import { visibleTo } from './queries.server.ts'
import { availabilityOf, type Availability } from './rules.ts'
import { parseId } from '#src/kit/ids.ts'

/** Everything that a share picture shows, in its language. */
export interface ShareFacts {
  id: number
  locale: Locale
  name: string
  breed: string | null
  category: string
  taluk: string
  district: string
  originalPrice: Money
  offerPrice: Money | null
  availability: Availability
  photoKey: string | null
  isSample: boolean
  isSellerVerified: boolean
  isVetChecked: boolean
  isVaccinated: boolean
}

/** Goes up when share pictures are drawn differently, their words included: chat apps keep a picture for as long as its address stays. */
const DRAWING = 1

/**
 * The picture's place under /share/. Its end changes with everything drawn, so whoever opens the page today is given today's
 * price, however long pictures are kept elsewhere.
 */
export function shareName(facts: ShareFacts): string {
  const drawn = JSON.stringify([DRAWING, facts], (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return `${facts.id}-${facts.locale}-${hash('sha256', drawn).slice(0, 10)}.jpg`
}

export const sharePath = (facts: ShareFacts) => `/share/${shareName(facts)}`

/** Whose picture in which language; the version is compared by the whole name. Null for what we never named. */
export function parseShareName(name: string): { id: number; locale: Locale } | null {
  const [, digits, locale] = /^(\d{1,15})-(ta|en)-[0-9a-f]{10}\.jpg$/.exec(name) ?? []
  const id = parseId(digits)
  return id === null ? null : { id, locale: locale as Locale }
}

/** The same facts from what the product page was given anyway. */
export function shareFactsOf(page: ProductPageData): ShareFacts {
  return {
    id: page.id,
    locale: page.locale,
    name: page.name,
    breed: page.breed,
    category: page.category,
    taluk: page.place.taluk,
    district: page.place.district,
    originalPrice: page.originalPrice,
    offerPrice: page.offerPrice,
    availability: page.availability,
    photoKey: page.photos[0]?.key ?? null,
    isSample: page.isSample,
    isSellerVerified: page.seller.isVerified,
    isVetChecked: page.vetChecks[0]?.approved === true && !page.vetChecks[0].isOld,
    isVaccinated: page.vaccinations.length > 0,
  }
}

/** Null for what not everybody may see: whoever asks for a picture is nobody in particular. One statement. */
export async function findShareFacts(ctx: Ctx, id: number): Promise<ShareFacts | null> {
  const { rows } = (await ctx.db.execute(sql`
    select ${cardColumns(ctx)}, l.taluk, l.is_sold, floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms
    from listings l
    left join lateral (select n.* from listing_photos n where n.listing_id = l.id order by n.position limit 1) p on true
    where l.id = ${id}::bigint and ${visibleTo({ ...ctx, viewer: null })}`)) as unknown as {
    rows: (CardRow & { taluk: string; is_sold: boolean; touched_ms: string })[]
  }
  const row = rows[0]
  if (!row) return null
  const card = toCard(ctx, row, null)
  return {
    id: card.id,
    locale: ctx.locale,
    name: card.name,
    breed: card.breed,
    category: card.category,
    taluk: placeName(row.taluk, ctx.locale),
    district: card.city,
    originalPrice: card.originalPrice,
    offerPrice: card.offerPrice,
    availability: availabilityOf({ isSold: row.is_sold, stock: row.stock, touchedAt: new Date(Number(row.touched_ms)) }, ctx.now),
    photoKey: card.photo?.key ?? null,
    isSample: card.isSample,
    isSellerVerified: card.sellerVerified,
    isVetChecked: card.vetPassed,
    isVaccinated: card.vaccinated,
  }
}

/**
 * Was this once shown to everybody, and did its seller take it back for good? Such an address answers 410, so that search
 * engines forget it soon. What never passed a verification stays the same 404 as an id that never was.
 */
export async function findWithdrawn(ctx: Ctx, id: number): Promise<{ categoryId: number } | null> {
  const { rows } = (await ctx.db.execute(sql`
    select l.category_id from listings l where l.id = ${id}::bigint and l.state = 'withdrawn'
      and exists (select 1 from verifications v where v.listing_id = l.id and v.passed)`)) as unknown as { rows: { category_id: number }[] }
  return rows[0] ? { categoryId: rows[0].category_id } : null
}
