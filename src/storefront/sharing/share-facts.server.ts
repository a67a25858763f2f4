import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { cardColumns, cardRow, toCard } from '#src/listings/browse/browse.server.ts'
import { visibleTo } from '#src/listings/queries.server.ts'
import { availabilityOf, type Availability } from '#src/listings/life/rules.ts'
import { parseId } from '#src/kit/ids.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { shareFileName, type ShareShape } from './share-path.ts'

/** The content of a share picture, in its language. */
export interface ShareFacts {
  id: number
  locale: Locale
  /** The URL of its page, short for typing. */
  address: string
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

/** Raise this when the drawing or its texts change, because chat apps cache a picture as long as its URL stays. */
const DRAWING = 2

/** The URL of an animal's page without its protocol. */
export const shortAddress = (origin: string, id: number, locale: Locale) =>
  (origin + localized(`/product/${id}`, locale)).replace(/^https?:\/\//, '')

/**
 * The picture's path under /share/. Its end is a hash of the content, so the page always links to the current price, however long others cache a
 * picture.
 */
export function shareName(facts: ShareFacts, shape: ShareShape = 'link'): string {
  const text = JSON.stringify([DRAWING, facts], (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return shareFileName(facts, shape, hash('sha256', text).slice(0, 10))
}

export const sharePath = (facts: ShareFacts) => `/share/${shareName(facts)}`

/** Parses a picture's name into listing, language and shape; the caller compares the whole name for the version. Null for an invalid name. */
export function parseShareName(name: string): { id: number; locale: Locale; shape: ShareShape } | null {
  const [, digits, locale, status] = /^(\d{1,15})-(ta|en)(-status)?-[0-9a-f]{10}\.jpg$/.exec(name) ?? []
  const id = parseId(digits)
  return id === null ? null : { id, locale: locale as Locale, shape: status ? 'status' : 'link' }
}

const findShareFactsRow = cardRow.extend({ taluk: z.string(), isSold: z.boolean(), touchedAt: momentShape })

/** Null for a listing that is not public, because anonymous visitors get the pictures. One statement. */
export async function findShareFacts(ctx: Ctx, id: number): Promise<ShareFacts | null> {
  const rows = await rowsOf(
    ctx,
    sql`
    select ${cardColumns(ctx)}, l.taluk, l.is_sold as "isSold", ${epochMs(sql`l.touched_at`)} as "touchedAt"
    from listings l
    left join lateral (select n.* from listing_photos n where n.listing_id = l.id order by n.position limit 1) p on true
    where l.id = ${id}::bigint and ${visibleTo({ ...ctx, viewer: null })}`,
    findShareFactsRow,
  )
  const row = rows[0]
  if (!row) return null
  const card = toCard(ctx, row, null)
  return {
    id: card.id,
    locale: ctx.locale,
    address: shortAddress(ctx.publicOrigin, card.id, ctx.locale),
    name: card.name,
    breed: card.breed,
    category: card.category,
    taluk: placeName(row.taluk, ctx.locale),
    district: card.city,
    originalPrice: card.originalPrice,
    offerPrice: card.offerPrice,
    availability: availabilityOf(row, ctx.now),
    photoKey: card.photo?.key ?? null,
    isSample: card.isSample,
    isSellerVerified: card.sellerVerified,
    isVetChecked: card.vetPassed,
    isVaccinated: card.vaccinated,
  }
}

const findWithdrawnRow = z.object({ categoryId: z.number() })

/**
 * Whether this listing was public and its seller withdrew it for good. Its URL then answers 410, so that search engines drop it soon. A listing that
 * never passed stays a 404 like a missing one.
 */
export async function findWithdrawn(ctx: Ctx, id: number): Promise<{ categoryId: number } | null> {
  const rows = await rowsOf(
    ctx,
    sql`
    select l.category_id as "categoryId" from listings l where l.id = ${id}::bigint and l.state = 'withdrawn'
      and exists (select 1 from verifications v where v.listing_id = l.id and v.passed)`,
    findWithdrawnRow,
  )
  return rows[0] ?? null
}
