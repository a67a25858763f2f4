import { eq, sql, type SQL } from 'drizzle-orm'
import { can, requireLoggedIn } from '#src/accounts/rules.ts'
import { readPhone } from '#src/accounts/schemas.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/dates.ts'
import { COUNT_UP_TO } from '#src/kit/pagination.ts'
import { notFound } from '#src/kit/problem.ts'
import { anywhere } from '#src/kit/text.ts'
import { cardColumns, cardPhoto, toCard, type CardRow, type ListingCard } from '#src/listings/browse.server.ts'
import { lifeStateOf, type LifeState, type ListingState } from '#src/listings/life.ts'
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
  /** What the admin wrote to the last verdict. */
  comment: string | null
  soldThroughSandhai: boolean | null
  version: number
  touchedAt: Date
  hasPhoto: boolean
  views: number
  /** How many different people tapped on Call or WhatsApp. */
  asked: number
  seller: { id: number; name: string }
}

export interface OwnFilters {
  /** Null: all sellers'; for admins. */
  sellerId: number | null
  tab: Exclude<OwnTab, 'ordered'>
  /** For admins: a seller's whole phone number, or part of his name. */
  seller: string
  state: ListingState | null
  categoryId: number | null
  /** Only this one, to be looked at or mended. */
  listingId: number | null
  /** Of the last one shown. */
  after: { rank: number; id: number } | null
}

export interface OwnPage {
  listings: OwnListing[]
  counts: Record<Exclude<OwnTab, 'ordered'>, number>
  countsUpTo: number
  next: { rank: number; id: number } | null
}

interface OwnRow extends CardRow {
  own_state: ListingState
  is_sold: boolean
  sold_through_sandhai: boolean | null
  verification_comment: string | null
  version: number
  touched_ms: string
  views: number
  asked: number
  seller_id: number
  seller_name: string
  rank: number
}

const sold = sql`((l.is_sold or l.stock = 0) and l.state not in ('draft', 'withdrawn'))`
const inTab: Record<OwnFilters['tab'], SQL> = { soldout: sold, instock: sql`not ${sold}` }

/**
 * One's own listings in every state, or everybody's for an admin: first what waits for its seller, last what he has withdrawn,
 * else the newest. Another seller's are NOT_FOUND.
 */
export async function listOwnListings(ctx: Ctx, filters: OwnFilters): Promise<OwnPage> {
  const viewer = requireLoggedIn(ctx)
  const { sellerId, tab, after, listingId } = filters
  if (!can(viewer, 'operate') && sellerId !== viewer.id) throw notFound()
  const whose = sql.join([sql`true`, ...conditions(filters)], sql` and `)
  // An admin looks through everybody's by their age; a ranking would read the whole market.
  const rank = sellerId === null ? sql`(0::int)` : waitsRank(ctx.now)
  const rest = after ? sql`(${rank}, -l.id) > (${after.rank}::int, ${-after.id}::bigint)` : sql`true`
  const page = listingId === null ? sql`${whose} and ${inTab[tab]} and ${rest}` : sql`${whose} and l.id = ${listingId}::bigint`
  const { rows } = (await ctx.db.execute(sql`
    select ${cardColumns(ctx)}, l.state as own_state, l.is_sold, l.sold_through_sandhai, l.verification_comment, l.version,
      floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms, ${rank} as rank, l.seller_id::int as seller_id,
      (select u.name from users u where u.id = l.seller_id) as seller_name,
      l.views_before + (select count(*)::int from listing_views n where n.listing_id = l.id) as views,
      (select count(distinct t.person_id)::int from contact_taps t where t.listing_id = l.id) as asked
    from listings l ${cardPhoto} where ${page} order by ${rank}, l.id desc limit ${LISTINGS_PER_PAGE + 1}`)) as unknown as {
    rows: OwnRow[]
  }
  const count = (name: OwnFilters['tab']) =>
    sql`(select count(*)::int from (select 1 from listings l where ${whose} and ${inTab[name]} limit ${COUNT_UP_TO}) n)`
  const counted = (await ctx.db.execute(sql`select ${count('instock')} as instock, ${count('soldout')} as soldout`)) as unknown as {
    rows: OwnPage['counts'][]
  }
  const shown = rows.slice(0, LISTINGS_PER_PAGE)
  const last = rows.length > LISTINGS_PER_PAGE ? shown.at(-1)! : null
  return {
    listings: shown.map((row) => toOwnListing(ctx, row)),
    counts: counted.rows[0]!,
    countsUpTo: COUNT_UP_TO,
    next: last && { rank: last.rank, id: Number(last.id) },
  }
}

/** The same for programs: ids alone, the newest first. Of an admin, that he looked at one seller's is noted. */
export async function listOwnIds(
  ctx: Ctx,
  { sellerId, tab, top, afterId }: Pick<OwnFilters, 'sellerId' | 'tab'> & { top: number; afterId: number | null },
): Promise<{ ids: number[]; next: number | null }> {
  const viewer = requireLoggedIn(ctx)
  if (sellerId !== viewer.id) {
    if (!can(viewer, 'operate')) throw notFound()
    if (sellerId !== null && (await ctx.db.$count(users, eq(users.id, sellerId))) === 0) throw notFound()
    await audit(ctx, 'sensitive_read', sellerId === null ? 'listings:all' : `user:${sellerId}`, { what: 'listings' })
  }
  const { rows } = (await ctx.db.execute(sql`
    select l.id::int as id from listings l
    where ${inTab[tab]} and ${sellerId === null ? sql`true` : sql`l.seller_id = ${sellerId}::bigint`}
      and ${afterId === null ? sql`true` : sql`l.id < ${afterId}::bigint`}
    order by l.id desc limit ${top + 1}`)) as unknown as { rows: { id: number }[] }
  const ids = rows.slice(0, top).map(({ id }) => id)
  return { ids, next: rows.length > top ? ids.at(-1)! : null }
}

/** 0: something is asked of the seller (finish, mend, say whether it is still there); 2: put away by himself. */
function waitsRank(now: Date): SQL {
  const silent = daysBefore(now, RENEW_AFTER_DAYS).toISOString()
  return sql`(case when l.state in ('draft', 'failed') and not ${sold} or (l.state = 'passed' and not ${sold} and l.touched_at < ${silent}::timestamptz)
    then 0 when l.state = 'withdrawn' then 2 else 1 end)`
}

function conditions({ sellerId, seller, state, categoryId }: OwnFilters): SQL[] {
  const typed = seller.normalize('NFC').trim()
  const phone = readPhone(typed)
  // A whole number only: part by part, the list would tell the digits of everybody's.
  const isHim = phone === null ? sql`u.name ilike ${anywhere(typed)}` : sql`u.phone = ${phone}`
  return [
    ...(sellerId === null ? [] : [sql`l.seller_id = ${sellerId}::bigint`]),
    ...(typed === '' ? [] : [sql`l.seller_id in (select u.id from users u where ${isHim} and u.erased_at is null)`]),
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
    views: row.views,
    asked: row.asked,
    seller: { id: row.seller_id, name: row.seller_name },
  }
}

/** What somebody has begun to type into the sell form and not sent: shown first, so that it is found again. */
export async function hasUnfinishedForm(ctx: Ctx, ownerId: number): Promise<boolean> {
  const { rows } = (await ctx.db.execute(sql`
    select 1 from listing_drafts d where d.owner_id = ${ownerId}::bigint
      and (d.typed <> '{}'::jsonb or exists (select 1 from draft_photos p where p.draft_id = d.id))`)) as unknown as { rows: unknown[] }
  return rows.length > 0
}
