import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { placeName } from '#src/addresses/places.server.ts'
import { SELLER_TYPES } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { cardColumns, cardPhoto, cardRow, isLive, toCard, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { newestReviews, toReviews, reviewRow, type SellerReview } from '#src/listings/browse/reviews-rows.server.ts'

/** How many of the newest listings and reviews the page shows. */
const MAX_CARDS = 60
export const MAX_REVIEWS = 50

const sellerRow = z.object({
  id: z.number(),
  name: z.string(),
  titleId: z.number().nullable(),
  typeId: z.number(),
  isVerified: z.boolean(),
  isSample: z.boolean(),
  pictureKey: z.string().nullable(),
  since: momentShape,
  district: z.string().nullable(),
  stars: z.number().nullable(),
  ratings: z.number(),
  reviews: z.array(reviewRow).nullable(),
  reviewCount: z.number(),
  cards: z.array(cardRow).nullable(),
})
export interface Seller extends Omit<z.output<typeof sellerRow>, 'district' | 'reviews' | 'cards'> {
  /** The seller's pickup place, in the viewer's language; null without an address. */
  town: string | null
  reviews: SellerReview[]
  cards: ListingCard[]
}

/** NOT_FOUND for a person who does not sell, was deactivated, or is unknown. One statement. */
export async function getSeller(ctx: Ctx, id: number): Promise<Seller> {
  const types = sql.join(
    SELLER_TYPES.map((type) => sql`${type}::smallint`),
    sql`, `,
  )
  const rows = await rowsOf(
    ctx,
    sql`
    select u.id::float8 as id, u.name, u.title_id as "titleId", u.type_id as "typeId", u.is_verified as "isVerified",
      u.is_sample as "isSample", u.picture_key as "pictureKey", ${epochMs(sql`u.created_at`)} as since,
      (select z.district from addresses a join pincodes z on z.pincode = a.pincode
       where a.user_id = u.id and a.removed_at is null order by a.id desc limit 1) as district,
      (select round(avg(s.stars), 2)::float8 from seller_reviews s where s.seller_id = u.id and not s.is_hidden) as stars,
      (select count(s.stars)::int from seller_reviews s where s.seller_id = u.id and not s.is_hidden) as ratings,
      ${newestReviews(sql`u.id`, MAX_REVIEWS)} as reviews,
      (select count(*)::int from seller_reviews s where s.seller_id = u.id and not s.is_hidden) as "reviewCount",
      (select json_agg(c) from (
         select ${cardColumns(ctx)} from listings l ${cardPhoto}
         where l.seller_id = u.id and ${isLive(ctx.now)} order by l.id desc limit ${MAX_CARDS}) c) as cards
    from users u where u.id = ${id}::bigint and u.is_active and u.type_id in (${types})`,
    sellerRow,
  )
  if (!rows[0]) throw notFound()
  const { district, reviews, cards, ...seller } = rows[0]
  return {
    ...seller,
    town: district && placeName(district, ctx.locale),
    reviews: toReviews(reviews),
    cards: (cards ?? []).map((card) => toCard(ctx, card, null)),
  }
}
