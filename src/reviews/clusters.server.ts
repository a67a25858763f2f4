import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { NETWORK_DAYS } from './retention.server.ts'
import { seenReview } from './seen-review.ts'

/** A cluster of a seller's reviews: this many within an hour, or this many within a day by accounts younger than a day. */
const CLUSTER = 3
/** Two people of one network are a sign: a seller's second account writes from the seller's home. */
const NETWORK_CLUSTER = 2

export const CLUSTERS_PER_PAGE = 20
export const HIDDEN_PER_PAGE = 30

export interface DeskReview {
  id: number
  author: { id: number; name: string }
  stars: number | null
  comment: string
  writtenAt: Date
  /** Null while everybody sees it. */
  hidden: { reason: string; adminName: string; at: Date } | null
  /** The state that the page shows, for the decision (decision 0112). */
  seen: string
  /** By the admin or about them: others decide. */
  isOwn: boolean
}

interface ClusteredReview extends DeskReview {
  /** Signs: others within an hour; a young account beside others; others from the same network. */
  isSameHour: boolean
  isYoung: boolean
  isSameNetwork: boolean
}

/** A seller with the reviews that came together. */
export interface Cluster {
  seller: { id: number; name: string }
  reviews: ClusteredReview[]
}

const reviewFields = (table: SQL) => sql`'id', ${table}.id, 'author_id', w.id, 'author', w.name, 'stars', ${table}.stars,
  'comment', ${table}.comment, 'ms', floor(extract(epoch from ${table}.updated_at) * 1000), 'hidden', ${table}.is_hidden,
  'reason', ${table}.hidden_reason, 'decided_ms', floor(extract(epoch from ${table}.decided_at) * 1000), 'admin', a.name`

const deskRow = z.object({
  id: z.number(),
  author_id: z.number(),
  author: z.string(),
  stars: z.number().nullable(),
  comment: z.string(),
  ms: z.number(),
  hidden: z.boolean(),
  reason: z.string().nullable(),
  decided_ms: z.number().nullable(),
  admin: z.string().nullable(),
})

const clusterRow = z.object({
  seller_id: z.number(),
  seller: z.string(),
  total: z.number(),
  reviews: z.array(deskRow.extend({ same_hour: z.boolean(), young: z.boolean(), same_network: z.boolean() })),
})

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
    select u.id::float8 as seller_id, u.name as seller, count(*) over ()::int as total,
      json_agg(json_build_object(${reviewFields(sql`s`)}, 'same_hour', s.same_hour, 'young', s.young, 'same_network', s.same_network)
        order by s.updated_at, s.id) as reviews
    from signed s join users u on u.id = s.seller_id join users w on w.id = s.reviewer_id left join users a on a.id = s.decided_by_id
    where s.same_hour or s.young or s.same_network
    group by u.id having bool_or(not s.is_hidden)
    order by max(s.updated_at) desc, u.id limit ${CLUSTERS_PER_PAGE} offset ${(page - 1) * CLUSTERS_PER_PAGE}`,
    clusterRow,
  )
  return {
    total: rows[0]?.total ?? 0,
    clusters: rows.map(({ seller_id, seller, reviews }) => ({
      seller: { id: seller_id, name: seller },
      reviews: reviews.map(({ same_hour, young, same_network, ...row }) => ({
        ...toDeskReview(ctx, seller_id, row),
        isSameHour: same_hour,
        isYoung: young,
        isSameNetwork: same_network,
      })),
    })),
  }
}

const hiddenRow = z.object({ seller_id: z.number(), seller: z.string(), total: z.number(), review: deskRow })

interface HiddenReview extends DeskReview {
  seller: { id: number; name: string }
}

/** For admins: hidden reviews, the last decision first. */
export async function listHiddenReviews(ctx: Ctx, page = 1): Promise<{ reviews: HiddenReview[]; total: number }> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    select u.id::float8 as seller_id, u.name as seller, count(*) over ()::int as total, json_build_object(${reviewFields(sql`r`)}) as review
    from seller_reviews r join users u on u.id = r.seller_id join users w on w.id = r.reviewer_id left join users a on a.id = r.decided_by_id
    where r.is_hidden order by r.decided_at desc, r.id desc limit ${HIDDEN_PER_PAGE} offset ${(page - 1) * HIDDEN_PER_PAGE}`,
    hiddenRow,
  )
  return {
    total: rows[0]?.total ?? 0,
    reviews: rows.map(({ seller_id, seller, review }) => ({
      ...toDeskReview(ctx, seller_id, review),
      seller: { id: seller_id, name: seller },
    })),
  }
}

function toDeskReview({ viewer }: Ctx, sellerId: number, row: z.output<typeof deskRow>): DeskReview {
  const writtenAt = new Date(row.ms)
  const decidedAt = row.decided_ms === null ? null : new Date(row.decided_ms)
  return {
    id: row.id,
    author: { id: row.author_id, name: row.author },
    stars: row.stars,
    comment: row.comment,
    writtenAt,
    hidden: row.hidden && decidedAt ? { reason: row.reason ?? '', adminName: row.admin ?? '', at: decidedAt } : null,
    seen: seenReview({ updatedAt: writtenAt, decidedAt }),
    isOwn: row.author_id === viewer?.id || sellerId === viewer?.id,
  }
}
