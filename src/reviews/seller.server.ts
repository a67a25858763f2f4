import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { placeName } from '#src/addresses/places.server.ts'
import { SELLER_TYPES } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { cardColumns, cardPhoto, cardRow, isLive, toCard, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { newestReviews, toReviews, reviewRow, type SellerReview } from '#src/listings/browse/reviews-rows.server.ts'

/** How many of the newest listings and reviews the page shows. */
const MAX_CARDS = 60
export const MAX_REVIEWS = 50

export interface Seller {
  id: number
  name: string
  titleId: number | null
  typeId: number
  isVerified: boolean
  pictureKey: string | null
  since: Date
  /** The seller's pickup place, in the viewer's language; null without an address. */
  town: string | null
  stars: number | null
  ratings: number
  reviews: SellerReview[]
  reviewCount: number
  cards: ListingCard[]
  isSample: boolean
}

const sellerRow = z.object({
  name: z.string(),
  title_id: z.number().nullable(),
  type_id: z.number(),
  is_verified: z.boolean(),
  is_sample: z.boolean(),
  picture_key: z.string().nullable(),
  since_ms: z.string(),
  district: z.string().nullable(),
  stars: z.number().nullable(),
  ratings: z.number(),
  reviews: z.array(reviewRow).nullable(),
  review_count: z.number(),
  cards: z.array(cardRow).nullable(),
})

/** NOT_FOUND for a person who does not sell, was deactivated, or is unknown. One statement. */
export async function getSeller(ctx: Ctx, id: number): Promise<Seller> {
  const types = sql.join(
    SELLER_TYPES.map((type) => sql`${type}::smallint`),
    sql`, `,
  )
  const rows = await rowsOf(
    ctx,
    sql`
    select u.name, u.title_id, u.type_id, u.is_verified, u.is_sample, u.picture_key,
      floor(extract(epoch from u.created_at) * 1000)::bigint as since_ms,
      (select z.district from addresses a join pincodes z on z.pincode = a.pincode
       where a.user_id = u.id and a.removed_at is null order by a.id desc limit 1) as district,
      (select round(avg(s.stars), 2)::float8 from seller_reviews s where s.seller_id = u.id and not s.is_hidden) as stars,
      (select count(s.stars)::int from seller_reviews s where s.seller_id = u.id and not s.is_hidden) as ratings,
      ${newestReviews(sql`u.id`, MAX_REVIEWS)} as reviews,
      (select count(*)::int from seller_reviews s where s.seller_id = u.id and not s.is_hidden) as review_count,
      (select json_agg(c) from (
         select ${cardColumns(ctx)} from listings l ${cardPhoto}
         where l.seller_id = u.id and ${isLive(ctx.now)} order by l.id desc limit ${MAX_CARDS}) c) as cards
    from users u where u.id = ${id}::bigint and u.is_active and u.type_id in (${types})`,
    sellerRow,
  )
  const row = rows[0]
  if (!row) throw notFound()
  return {
    id,
    name: row.name,
    titleId: row.title_id,
    typeId: row.type_id,
    isVerified: row.is_verified,
    pictureKey: row.picture_key,
    since: new Date(Number(row.since_ms)),
    town: row.district && placeName(row.district, ctx.locale),
    stars: row.stars,
    ratings: row.ratings,
    reviews: toReviews(row.reviews),
    reviewCount: row.review_count,
    cards: (row.cards ?? []).map((card) => toCard(ctx, card, null)),
    isSample: row.is_sample,
  }
}
