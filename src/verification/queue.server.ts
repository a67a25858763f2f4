import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { epochMs, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { isSellerActive } from '#src/listings/browse/browse.server.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { LISTED, QUEUE_VIEWS, type QueueFilter, type QueueView } from './queue-filter.ts'
import { seenMark } from './seen-mark.ts'

/** How long a claim tells other admins that somebody has the listing open. */
const CLAIM_MINUTES = 10
/** An unanswered question keeps a listing out of the queue for this long. */
const ANSWER_DAYS = 3
const SKIPPED_HOURS = 24

/** Listings that this admin may decide: without their own, and without those that cannot be bought anyway. */
const pending = ({ viewer }: Ctx) =>
  sql`l.state = 'pending' and not l.is_sold and l.stock > 0 and l.seller_id <> ${viewer!.id}::bigint
    and l.created_by_id <> ${viewer!.id}::bigint and ${isSellerActive}`

/** The seller was asked a question and may still answer. */
const isAsked = ({ now }: Ctx) =>
  sql`coalesce((select q.answered_at is null and q.asked_at > ${now}::timestamptz - make_interval(days => ${ANSWER_DAYS}::int)
    from listing_questions q where q.listing_id = l.id order by q.id desc limit 1), false)`

/** The listings that wait for this admin's verdict, and not for the seller. */
export const waiting = (ctx: Ctx) => sql`${pending(ctx)} and not ${isAsked(ctx)}`

const isSkipped = ({ viewer, now }: Ctx) =>
  sql`exists (select 1 from verification_skips k where k.listing_id = l.id and k.admin_id = ${viewer!.id}::bigint
    and k.skipped_at > ${now}::timestamptz - make_interval(hours => ${SKIPPED_HOURS}::int))`

/** Another admin who has it open; null without one. */
const claimedBy = ({ viewer, now }: Ctx) =>
  sql`(select u.name from verification_claims c join users u on u.id = c.admin_id where c.listing_id = l.id
    and c.admin_id <> ${viewer!.id}::bigint and c.claimed_at > ${now}::timestamptz - make_interval(mins => ${CLAIM_MINUTES}::int)
    order by c.claimed_at, c.admin_id limit 1)`

/** Any admin who has it open, including this one; null without one. */
export const claimant = ({ now }: Ctx) =>
  sql`(select u.name from verification_claims c join users u on u.id = c.admin_id where c.listing_id = l.id
    and c.claimed_at > ${now}::timestamptz - make_interval(mins => ${CLAIM_MINUTES}::int)
    order by c.claimed_at, c.admin_id limit 1)`

/** An admin has decided about it before. */
const isAgain = sql`exists (select 1 from verifications v where v.listing_id = l.id)`
/** No listing of this seller has passed yet. */
const isNewSeller = sql`not exists (select 1 from listings o where o.seller_id = l.seller_id and o.state = 'passed')`
const isAnswered = sql`coalesce((select q.answered_at is not null from listing_questions q where q.listing_id = l.id order by q.id desc limit 1), false)`
/**
 * Shares a picture (identical file, or a copy found by its perceptual hash) or the ear tag with another listing. A picture gets its hash
 * about a minute after the upload; until then only findDuplicates compares it, for one listing.
 */
const isDuplicate = sql`(exists (select 1 from listing_photos p join listing_photos o on o.sha256 = p.sha256 and o.listing_id <> p.listing_id
    where p.listing_id = l.id)
  or exists (select 1 from listing_photos p join photo_copies c on c.photo_id = p.id join listing_photos o on o.id = c.copy_id
    where p.listing_id = l.id and o.listing_id <> p.listing_id)
  or exists (select 1 from listing_photos p join photo_copies c on c.copy_id = p.id join listing_photos o on o.id = c.photo_id
    where p.listing_id = l.id and o.listing_id <> p.listing_id)
  or exists (select 1 from listings o where o.tag_mac = l.tag_mac and o.id <> l.id and o.state in ('pending', 'passed') and not o.is_sold and o.stock > 0))`

/** The condition of each view within `everything`. */
const inView: Record<QueueView | 'all', SQL> = {
  all: sql`not asked`,
  'new-seller': sql`not asked and is_new_seller`,
  again: sql`not asked and is_again`,
  duplicate: sql`not asked and is_duplicate`,
  answered: sql`not asked and is_answered`,
  skipped: sql`not asked and is_skipped`,
  asked: sql`asked`,
}

const queuedRow = z.object({
  id: z.number(),
  /** Position among the waiting listings, from 1. */
  place: z.number(),
  name: z.string(),
  price: moneyShape,
  photoKey: z.string().nullable(),
  submittedAt: momentShape,
  version: z.number(),
  lastVerdictId: z.number().nullable(),
  isAgain: z.boolean(),
  isNewSeller: z.boolean(),
  isDuplicate: z.boolean(),
  isAnswered: z.boolean(),
  isSkipped: z.boolean(),
  /** Another admin who has it open. */
  claimedBy: z.string().nullable(),
})
export interface QueuedListing extends Omit<z.output<typeof queuedRow>, 'lastVerdictId'> {
  /** For the verdict (`seenMark`). */
  seen: string
}

const queuedOf = ({ lastVerdictId, ...each }: z.output<typeof queuedRow>): QueuedListing => ({
  ...each,
  seen: seenMark({ version: each.version, lastVerdictId }),
})

/** How many of the LISTED come before the current one. */
const LISTED_BEFORE = 8

const queueRow = z.object({
  count: z.number(),
  /** The current listing: the requested one, else the first that no other admin has open; null when none waits. */
  id: z.number().nullable(),
  /** Its position among the waiting listings, from 1; null when it no longer waits. */
  place: z.number().nullable(),
  previousId: z.number().nullable(),
  nextId: z.number().nullable(),
  /** The listing after the verdict: the next one that no other admin has open, else the next. */
  thenId: z.number().nullable(),
  /** Another admin who has it open. */
  claimedBy: z.string().nullable(),
  /** The listings around it, or from the requested position on. */
  listings: z.array(queuedRow),
  counts: z.object({
    views: z.record(z.enum([...QUEUE_VIEWS, 'all']), z.number()),
    /** By category id and by district, the largest first. */
    categories: z.array(z.object({ id: z.number(), count: z.number() })),
    districts: z.array(z.object({ name: z.string(), count: z.number() })),
  }),
})
export interface Queue extends Omit<z.output<typeof queueRow>, 'listings'> {
  listings: QueuedListing[]
}

/**
 * A part of the queue around the current listing, the longest waiting first and skipped ones last. A listing that was decided meanwhile
 * keeps its position. `claims`: the admin has this listing open from now on, and no other. Two admins may have the same one open; the
 * mark in the verdict decides (`seenMark`). `listFrom`: the first position of the list, so that an admin can page through it without opening
 * listings.
 */
export async function readQueue(
  ctx: Ctx,
  wantedId: number | null,
  { filter, claims, listFrom = null }: { filter: QueueFilter; claims: boolean; listFrom?: number | null },
): Promise<Queue> {
  requireCan(ctx, 'operate')
  const { categoryId, district, view } = filter
  const [row] = await rowsOf(
    ctx,
    sql`
    with everything as materialized (
      select l.id, l.category_id, l.district, l.submitted_at, ${isAsked(ctx)} as asked, ${isNewSeller} as is_new_seller, ${isAgain} as is_again,
        ${isDuplicate} as is_duplicate, ${isAnswered} as is_answered, ${isSkipped(ctx)} as is_skipped, ${claimedBy(ctx)} as claimed_by
      from listings l where ${pending(ctx)}
    ),
    queue as materialized (
      select *, row_number() over (order by is_skipped, submitted_at, id) as place from everything where ${inView[view ?? 'all']}
        and (${categoryId}::bigint is null or category_id = ${categoryId}::bigint) and (${district}::text is null or district = ${district}::text)
    ),
    me as materialized (
      select l.id, l.submitted_at, ${isSkipped(ctx)} as is_skipped, ${claimedBy(ctx)} as claimed_by from listings l where l.id = ${wantedId}::bigint
      union all (select id, submitted_at, is_skipped, claimed_by from queue where ${wantedId}::bigint is null order by claimed_by is not null, place limit 1)
    ),
    claim as (
      insert into verification_claims (admin_id, listing_id, claimed_at)
      select ${ctx.viewer!.id}::bigint, id, ${ctx.now}::timestamptz from me where ${claims}::boolean
      on conflict (admin_id) do update set listing_id = excluded.listing_id, claimed_at = excluded.claimed_at
    ),
    here as (select 1 + count(*) as place from queue q, me where (q.is_skipped, q.submitted_at, q.id) < (me.is_skipped, me.submitted_at, me.id))
    select (select count(*)::int from queue) as count, (select id::float8 from me) as id, (select claimed_by from me) as "claimedBy",
      (select place::int from queue where id = (select id from me)) as place,
      (select q.id::float8 from queue q, here where q.place < here.place order by q.place desc limit 1) as "previousId",
      (select q.id::float8 from queue q, here where q.place >= here.place and q.id <> (select id from me)
        order by q.place limit 1) as "nextId",
      (select q.id::float8 from queue q, here where q.place >= here.place and q.id <> (select id from me)
        order by q.claimed_by is not null, q.place limit 1) as "thenId",
      (select coalesce(json_agg(json_build_object('id', l.id, 'place', q.place, 'name', ${nameIn(ctx.locale)}, 'price', l.price::text, 'version', l.version,
          'lastVerdictId', (select max(v.id) from verifications v where v.listing_id = l.id), 'photoKey', (select p.media_key from listing_photos p where p.listing_id = l.id and p.position = 0),
          'submittedAt', ${epochMs(sql`l.submitted_at`)}, 'isAgain', q.is_again, 'isNewSeller', q.is_new_seller,
          'isDuplicate', q.is_duplicate, 'isAnswered', q.is_answered, 'isSkipped', q.is_skipped, 'claimedBy', q.claimed_by) order by q.place), '[]')
        from queue q join listings l on l.id = q.id, here
        where q.place >= coalesce(${listFrom}::int, here.place - ${LISTED_BEFORE})
          and q.place < coalesce(${listFrom}::int, here.place - ${LISTED_BEFORE}) + ${LISTED}) as listings,
      ${counted(filter)} as counts`,
    queueRow,
  )
  return { ...row!, listings: row!.listings.map(queuedOf) }
}

const viewCounts = sql.join(
  Object.entries(inView).map(
    ([view, condition]) => sql`select ${view}::text as view, (select count(*)::int from everything where ${condition}) as count`,
  ),
  sql` union all `,
)

/** The count of each filter within `everything`. The chosen ones are always among them. */
const counted = (by: QueueFilter) => sql`json_build_object(
      'views', (select json_object_agg(view, count) from (${viewCounts}) v),
      'categories', (select coalesce(json_agg(c), '[]') from (select id, count(one)::int as count from (
        select category_id as id, 1 as one from everything where not asked union all
        select id, null from categories where id = ${by.categoryId}::bigint) e group by 1 order by 2 desc, 1) c),
      'districts', (select coalesce(json_agg(d), '[]') from (select name, count(one)::int as count from (
        select district as name, 1 as one from everything where not asked union all
        select ${by.district}::text, null where ${by.district}::text is not null) e group by 1 order by 2 desc, 1) d))`
