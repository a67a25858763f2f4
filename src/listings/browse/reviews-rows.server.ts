import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { epochMs, momentShape } from '#src/kit/db/rows.server.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { isPublic } from './browse.server.ts'

/** A review within a statement's JSON. */
export const reviewRow = z.object({
  id: z.number(),
  authorId: z.number(),
  /** The author's first name; null for an erased person. */
  author: z.string().nullable(),
  stars: z.number().nullable(),
  comment: z.string(),
  at: momentShape,
  answer: z.string().nullable(),
  /** The author has changed the review since the seller's answer. */
  isChangedSince: z.boolean(),
  /** The author received an animal from this seller. */
  isBoughtHere: z.boolean(),
  /** The author called the seller or wrote to them here. */
  hasSpoken: z.boolean(),
  /** The agent and the owner for whom they sold the author the animal; null for a seller's own animal. */
  listed: z.object({ agent: z.string(), owner: z.string() }).nullable(),
})
export type SellerReview = z.output<typeof reviewRow>

/**
 * A subquery: agent and owner of the last animal that the author of review `s` received before they wrote it. Null unless the public page of
 * that animal still names this owner, so that a review reveals nothing about an owner who took over, withdrew or was erased. It reads the table of
 * orders, a later domain, because the statement of a product page must stay one.
 */
const assistedSale = sql`(
  select case when ${isPublic} and l.seller_id = o.seller_id and l.owner_name = o.animal->>'ownerName' then json_build_object('agent', a.name, 'owner', l.owner_name) end
  from orders o join users a on a.id = o.seller_id left join listings l on l.id = o.listing_id
  where o.buyer_id = s.reviewer_id and o.seller_id = s.seller_id and o.delivered_on <= (s.updated_at at time zone 'Asia/Kolkata')::date
  order by o.delivered_on desc, o.id desc limit 1)`

/** A subquery: the newest reviews of a seller as a JSON list; null for none. */
export const newestReviews = (sellerId: SQL, count: number) => sql`(select json_agg(r) from (
  select s.id, s.reviewer_id as "authorId", nullif(split_part(w.name, ' ', 1), '') as author, s.stars, s.comment,
    ${epochMs(sql`s.created_at`)} as at, s.answer, coalesce(s.answered_at < s.updated_at, false) as "isChangedSince",
    exists (select 1 from purchases p where p.seller_id = s.seller_id and p.buyer_id = s.reviewer_id) as "isBoughtHere",
    exists (select 1 from contact_taps t join listings tl on tl.id = t.listing_id
      where t.person_id = s.reviewer_id and tl.seller_id = s.seller_id) as "hasSpoken",
    ${assistedSale} as listed
  from seller_reviews s join users w on w.id = s.reviewer_id
  where s.seller_id = ${sellerId} and not s.is_hidden order by s.created_at desc, s.id desc limit ${count}) r)`

/** Nobody finds a phone number in a review: it is the seller's, who has a quota, or another person's. */
export const toReviews = (rows: SellerReview[] | null): SellerReview[] =>
  (rows ?? []).map((row) => ({ ...row, comment: hidePhones(row.comment), answer: row.answer && hidePhones(row.answer) }))
