import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { readPhone } from '#src/accounts/schemas.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound } from '#src/kit/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { anywhere } from '#src/kit/text/text.ts'
import { cardColumns, cardPhoto, cardRow, toCard, type ListingCard } from '#src/listings/browse.server.ts'
import { lifeStateOf, LISTING_STATES, type LifeState, type ListingState } from '#src/listings/life.ts'
import { lookups } from '#src/listings/lookups.server.ts'
import { listingCode } from '#src/listings/rules.ts'
import { RENEW_AFTER_DAYS } from './renew-rules.ts'

const LISTINGS_PER_PAGE = 24

/** The three tabs of B §2 by their keys. */
export const OWN_TABS = { ordered: '1', soldout: '2', instock: '3' } as const
export type OwnTab = keyof typeof OWN_TABS

/** A listing as its seller and admins see it in their list. */
export interface OwnListing {
  card: ListingCard
  code: string
  state: LifeState
  /** The admin's comment on the last verdict. */
  comment: string | null
  soldThroughSandhai: boolean | null
  version: number
  touchedAt: Date
  hasPhoto: boolean
  /** Its words were changed after it passed, and an admin looks at them (verification/second-looks.server.ts). */
  hasSecondLook: boolean
  /** What an admin asked before the verdict, and the seller has not answered. */
  question: string | null
  views: number
  /** How many different people tapped on Call or WhatsApp. */
  asked: number
  seller: { id: number; name: string }
}

export interface OwnFilters {
  /** Null: all sellers'; for admins. */
  sellerId: number | null
  tab: Exclude<OwnTab, 'ordered'>
  /** For admins: a seller's whole phone number, or a piece of their name. */
  seller: string
  state: ListingState | null
  categoryId: number | null
  /** Only this one, to look at or correct. */
  listingId: number | null
  /** Id of the last one shown. */
  after: { rank: number; id: number } | null
}

export interface OwnPage {
  listings: OwnListing[]
  counts: Record<Exclude<OwnTab, 'ordered'>, number>
  countsUpTo: number
  next: { rank: number; id: number } | null
}

const ownRow = cardRow.extend({
  own_state: z.enum(LISTING_STATES),
  is_sold: z.boolean(),
  sold_through_sandhai: z.boolean().nullable(),
  verification_comment: z.string().nullable(),
  version: z.number(),
  touched_ms: z.string(),
  has_second_look: z.boolean(),
  question: z.string().nullable(),
  views: z.number(),
  asked: z.number(),
  seller_id: z.number(),
  seller_name: z.string(),
  rank: z.number(),
})
type OwnRow = z.output<typeof ownRow>

const sold = sql`((l.is_sold or l.stock = 0) and l.state not in ('draft', 'withdrawn'))`
const inTab: Record<OwnFilters['tab'], SQL> = { soldout: sold, instock: sql`not ${sold}` }

const countsRow = z.object({ instock: z.number(), soldout: z.number() })

/**
 * One's own listings in every state, or everybody's for an admin: first those that wait for their seller, last those that the seller has
 * withdrawn, else the newest. Another seller's are NOT_FOUND.
 */
export async function listOwnListings(ctx: Ctx, filters: OwnFilters): Promise<OwnPage> {
  const viewer = requireLoggedIn(ctx)
  const { sellerId, tab, after, listingId } = filters
  if (!can(viewer, 'see-own', { userId: sellerId })) throw notFound()
  const whose = sql.join([sql`true`, ...conditions(filters)], sql` and `)
  // An admin looks through everybody's by their age; a ranking would read the whole market.
  const rank = sellerId === null ? sql`(0::int)` : waitsRank(ctx.now)
  const rest = after ? sql`(${rank}, -l.id) > (${after.rank}::int, ${-after.id}::bigint)` : sql`true`
  const page = listingId === null ? sql`${whose} and ${inTab[tab]} and ${rest}` : sql`${whose} and l.id = ${listingId}::bigint`
  const rows = await rowsOf(
    ctx,
    sql`
    select ${cardColumns(ctx)}, l.state as own_state, l.is_sold, l.sold_through_sandhai, l.verification_comment, l.version,
      floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms, ${rank} as rank, l.seller_id::int as seller_id,
      (select u.name from users u where u.id = l.seller_id) as seller_name,
      exists (select from second_looks s where s.listing_id = l.id) as has_second_look,
      ${openQuestion} as question,
      l.views_before + (select count(*)::int from listing_views n where n.listing_id = l.id) as views,
      (select count(distinct t.person_id)::int from contact_taps t where t.listing_id = l.id) as asked
    from listings l ${cardPhoto} where ${page} order by ${rank}, l.id desc limit ${LISTINGS_PER_PAGE + 1}`,
    ownRow,
  )
  const count = (name: OwnFilters['tab']) =>
    sql`(select count(*)::int from (select 1 from listings l where ${whose} and ${inTab[name]} limit ${COUNT_UP_TO}) n)`
  const counted = await rowsOf(ctx, sql`select ${count('instock')} as instock, ${count('soldout')} as soldout`, countsRow)
  const shown = rows.slice(0, LISTINGS_PER_PAGE)
  const last = rows.length > LISTINGS_PER_PAGE ? shown.at(-1)! : null
  return {
    listings: shown.map((row) => toOwnListing(ctx, row)),
    counts: counted[0]!,
    countsUpTo: COUNT_UP_TO,
    next: last && { rank: last.rank, id: Number(last.id) },
  }
}

/** Of a listing that waits for its verdict: the newest question, unless it is answered. */
const openQuestion = sql`(case when l.state = 'pending' then (select case when q.answered_at is null then q.question end
  from listing_questions q where q.listing_id = l.id order by q.id desc limit 1) end)`

const listOwnIdsRow = z.object({ id: z.number() })

/** The same for API clients: ids alone, the newest first. An admin's read of one seller's listings is audited. */
export async function listOwnIds(
  ctx: Ctx,
  { sellerId, tab, top, afterId }: Pick<OwnFilters, 'sellerId' | 'tab'> & { top: number; afterId: number | null },
): Promise<{ ids: number[]; next: number | null }> {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, 'see-own', { userId: sellerId })) throw notFound()
  if (sellerId !== viewer.id) {
    if (sellerId !== null && (await ctx.db.$count(users, eq(users.id, sellerId))) === 0) throw notFound()
    await audit(ctx, 'sensitive_read', sellerId === null ? 'listings:all' : `user:${sellerId}`, { what: 'listings' })
  }
  const rows = await rowsOf(
    ctx,
    sql`
    select l.id::int as id from listings l
    where ${inTab[tab]} and ${sellerId === null ? sql`true` : sql`l.seller_id = ${sellerId}::bigint`}
      and ${afterId === null ? sql`true` : sql`l.id < ${afterId}::bigint`}
    order by l.id desc limit ${top + 1}`,
    listOwnIdsRow,
  )
  const ids = rows.slice(0, top).map(({ id }) => id)
  return { ids, next: rows.length > top ? ids.at(-1)! : null }
}

/** 0: the seller must act (finish, correct, answer, or say whether it is still there); 2: withdrawn by the seller. */
function waitsRank(now: Date): SQL {
  const silent = daysBefore(now, RENEW_AFTER_DAYS).toISOString()
  return sql`(case when l.state in ('draft', 'failed') and not ${sold} or (l.state = 'passed' and not ${sold} and l.touched_at < ${silent}::timestamptz)
    or ${openQuestion} is not null then 0 when l.state = 'withdrawn' then 2 else 1 end)`
}

function conditions({ sellerId, seller, state, categoryId }: OwnFilters): SQL[] {
  const typed = seller.normalize('NFC').trim()
  const phone = readPhone(typed)
  // A whole number only: a search by parts of a number would reveal everybody's digits.
  const isPerson = phone === null ? sql`u.name ilike ${anywhere(typed)}` : sql`u.phone = ${phone}`
  return [
    ...(sellerId === null ? [] : [sql`l.seller_id = ${sellerId}::bigint`]),
    ...(typed === '' ? [] : [sql`l.seller_id in (select u.id from users u where ${isPerson} and u.erased_at is null)`]),
    ...(state === null ? [] : [sql`l.state = ${state}`]),
    ...(categoryId === null ? [] : [sql`l.category_id = ${categoryId}::smallint`]),
  ]
}

function toOwnListing(ctx: Ctx, row: OwnRow): OwnListing {
  return {
    card: toCard(ctx, row, null),
    code: listingCode(lookups.category(row.category_id).shortEn, Number(row.id)),
    state: lifeStateOf({ state: row.own_state, isSold: row.is_sold, stock: row.stock }),
    comment: row.verification_comment,
    soldThroughSandhai: row.sold_through_sandhai,
    version: row.version,
    touchedAt: new Date(Number(row.touched_ms)),
    hasPhoto: row.photo_key !== null,
    hasSecondLook: row.has_second_look,
    question: row.question,
    views: row.views,
    asked: row.asked,
    seller: { id: row.seller_id, name: row.seller_name },
  }
}

const hasUnfinishedFormRow = z.unknown()

/** What somebody has begun to type into the sell form and not submitted: shown first, so that it is found again. */
export async function hasUnfinishedForm(ctx: Ctx, ownerId: number): Promise<boolean> {
  const rows = await rowsOf(
    ctx,
    sql`
    select 1 from listing_drafts d where d.owner_id = ${ownerId}::bigint and d.listing_id is null
      and (d.typed <> '{}'::jsonb or exists (select 1 from draft_photos p where p.draft_id = d.id))`,
    hasUnfinishedFormRow,
  )
  return rows.length > 0
}
