import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { NETWORK_DAYS } from './retention.server.ts'
import { seenReview } from './seen-review.ts'

/** A cluster of a seller's reviews: this many within an hour, or this many within a day by accounts younger than a day. */
const CLUSTER = 3
/** Two people of one network are a sign: a seller's second account writes from the seller's home. */
const NETWORK_CLUSTER = 2

export const CLUSTERS_PER_PAGE = 20
export const HIDDEN_PER_PAGE = 30

const reviewFields = (table: SQL) => sql`'id', ${table}.id, 'author', json_build_object('id', w.id, 'name', w.name),
  'stars', ${table}.stars, 'comment', ${table}.comment, 'writtenAt', ${epochMs(sql`${table}.updated_at`)},
  'decidedAt', ${epochMs(sql`${table}.decided_at`)}, 'hidden', case when ${table}.is_hidden and ${table}.decided_at is not null then
    json_build_object('reason', coalesce(${table}.hidden_reason, ''), 'adminName', coalesce(a.name, ''),
      'at', ${epochMs(sql`${table}.decided_at`)}) end`

const reviewShape = z.object({
  id: z.number(),
  author: z.object({ id: z.number(), name: z.string() }),
  stars: z.number().nullable(),
  comment: z.string(),
  writtenAt: momentShape,
  decidedAt: momentShape.nullable(),
  /** Null while everybody sees it. */
  hidden: z.object({ reason: z.string(), adminName: z.string(), at: momentShape }).nullable(),
})
const clusteredShape = reviewShape.extend({
  /** Signs: others within an hour; a young account beside others; others from the same network. */
  isSameHour: z.boolean(),
  isYoung: z.boolean(),
  isSameNetwork: z.boolean(),
})
const sellerShape = z.object({ id: z.number(), name: z.string() })
const clusterRow = z.object({ seller: sellerShape, total: z.number(), reviews: z.array(clusteredShape) })
const hiddenRow = z.object({ seller: sellerShape, total: z.number(), review: reviewShape })

interface OnDesk {
  /** The state that the page shows, for the decision (decision 0112). */
  seen: string
  /** By the admin or about them: others decide. */
  isOwn: boolean
}
export type DeskReview = Omit<z.output<typeof reviewShape>, 'decidedAt'> & OnDesk

/** A seller with the reviews that came together. */
export interface Cluster {
  seller: z.output<typeof sellerShape>
  reviews: (Omit<z.output<typeof clusteredShape>, 'decidedAt'> & OnDesk)[]
}

/**
 * For admins: sellers with reviews of the last days that came together, the latest first (decisions §8.3). A seller stays in the list while one
 * of these reviews is not hidden. `page` counts from 1.
 */
export async function listClusters(ctx: Ctx, page = 1): Promise<{ clusters: Cluster[]; total: number }> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    with recent as (
      select r.*, n.network, r.updated_at - w.created_at < interval '1 day' as is_young
      from review_networks n join seller_reviews r on r.id = n.review_id join users w on w.id = r.reviewer_id
      where n.written_at > ${ctx.now.toISOString()}::timestamptz - make_interval(days => ${NETWORK_DAYS})
    ), counted as (
      select *, count(*) over (partition by seller_id order by updated_at range between '1 hour' preceding and current row) as in_hour,
        count(*) over (partition by seller_id, is_young order by updated_at range between '1 day' preceding and current row) as in_day,
        count(*) over (partition by seller_id, network) as of_network
      from recent
    ), signed as (
      select *, max(in_hour) over (partition by seller_id order by updated_at range between current row and '1 hour' following) >= ${CLUSTER} as same_hour,
        is_young and max(in_day) over (partition by seller_id, is_young order by updated_at range between current row and '1 day' following) >= ${CLUSTER} as young,
        of_network >= ${NETWORK_CLUSTER} as same_network
      from counted
    )
    select json_build_object('id', u.id, 'name', u.name) as seller, count(*) over ()::int as total,
      json_agg(json_build_object(${reviewFields(sql`s`)}, 'isSameHour', s.same_hour, 'isYoung', s.young,
        'isSameNetwork', s.same_network) order by s.updated_at, s.id) as reviews
    from signed s join users u on u.id = s.seller_id join users w on w.id = s.reviewer_id left join users a on a.id = s.decided_by_id
    where s.same_hour or s.young or s.same_network
    group by u.id having bool_or(not s.is_hidden)
    order by max(s.updated_at) desc, u.id limit ${CLUSTERS_PER_PAGE} offset ${(page - 1) * CLUSTERS_PER_PAGE}`,
    clusterRow,
  )
  return {
    total: rows[0]?.total ?? 0,
    clusters: rows.map(({ seller, reviews }) => ({ seller, reviews: reviews.map((row) => toDeskReview(ctx, seller.id, row)) })),
  }
}

interface HiddenReview extends DeskReview {
  seller: z.output<typeof sellerShape>
}

/** For admins: hidden reviews, the last decision first. */
export async function listHiddenReviews(ctx: Ctx, page = 1): Promise<{ reviews: HiddenReview[]; total: number }> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    select json_build_object('id', u.id, 'name', u.name) as seller, count(*) over ()::int as total,
      json_build_object(${reviewFields(sql`r`)}) as review
    from seller_reviews r join users u on u.id = r.seller_id join users w on w.id = r.reviewer_id left join users a on a.id = r.decided_by_id
    where r.is_hidden order by r.decided_at desc, r.id desc limit ${HIDDEN_PER_PAGE} offset ${(page - 1) * HIDDEN_PER_PAGE}`,
    hiddenRow,
  )
  return {
    total: rows[0]?.total ?? 0,
    reviews: rows.map(({ seller, review }) => ({ ...toDeskReview(ctx, seller.id, review), seller })),
  }
}

const toDeskReview = <Row extends z.output<typeof reviewShape>>({ viewer }: Ctx, sellerId: number, { decidedAt, ...row }: Row) => ({
  ...row,
  seen: seenReview({ updatedAt: row.writtenAt, decidedAt }),
  isOwn: row.author.id === viewer?.id || sellerId === viewer?.id,
})
