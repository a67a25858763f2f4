import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'

/** A review of a seller, as everybody reads it. */
export interface SellerReview {
  id: number
  /** The author's first name; null for an erased person. */
  author: string | null
  stars: number | null
  comment: string
  at: Date
  /** The seller's answer. */
  answer: string | null
  /** The review was rewritten since: the seller answered another text. */
  isChangedSince: boolean
  /** An animal was delivered to the author from this seller. */
  isBoughtHere: boolean
}

/** A review within a statement's JSON. */
export const reviewRow = z.object({
  id: z.number(),
  author: z.string(),
  stars: z.number().nullable(),
  comment: z.string(),
  ms: z.number(),
  answer: z.string().nullable(),
  changed: z.boolean().nullable(),
  bought: z.boolean(),
})
export type ReviewRow = z.output<typeof reviewRow>

/** The newest reviews of a seller as a JSON list, null for none: a subquery of a bigger statement. */
export const newestReviews = (sellerId: SQL, count: number) => sql`(select json_agg(r) from (
  select s.id, split_part(w.name, ' ', 1) as author, s.stars, s.comment, floor(extract(epoch from s.created_at) * 1000)::bigint as ms, s.answer,
    s.answered_at < s.updated_at as changed,
    exists (select 1 from purchases p where p.seller_id = s.seller_id and p.buyer_id = s.reviewer_id) as bought
  from seller_reviews s join users w on w.id = s.reviewer_id
  where s.seller_id = ${sellerId} order by s.created_at desc, s.id desc limit ${count}) r)`

export const toReviews = (rows: ReviewRow[] | null): SellerReview[] =>
  (rows ?? []).map(({ id, author, stars, comment, ms, answer, changed, bought }) => ({
    id,
    author: author || null,
    stars,
    comment,
    at: new Date(ms),
    answer,
    isChangedSince: changed === true,
    isBoughtHere: bought,
  }))
