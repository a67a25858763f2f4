import { eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { fieldRupees } from '#src/kit/time-money/money.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { readPhone } from '#src/kit/text/readers.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { ANSWER_DAYS } from '#src/selling/owners/consents.server.ts'
import { REASONS, type Reason } from '#src/selling/owners/owner-messages.server.ts'
import { feeIn, feeText } from '#src/selling/owners/terms.ts'
import { DAY, daysBefore } from '#src/kit/time-money/dates.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { anywhere } from '#src/kit/text/text.ts'
import { cardColumns, cardPhoto, cardRow, toCard, type ListingCard } from '#src/listings/browse/browse.server.ts'
import { lifeStateOf, LISTING_STATES, type LifeState, type ListingState } from '#src/listings/life/life.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import type { OwnTab } from './own-tabs.ts'
import { RENEW_AFTER_DAYS } from './renew-rules.ts'

const LISTINGS_PER_PAGE = 24

export interface OwnListing {
  card: ListingCard
  code: string
  state: LifeState
  /** The admin's comment on the latest verdict. */
  comment: string | null
  soldThroughSandhai: boolean | null
  version: number
  touchedAt: Date
  hasPhoto: boolean
  /** Its words changed after it passed, and an admin must read them (verification/second-looks.server.ts). */
  hasSecondLook: boolean
  /** The admin's question before the verdict that the seller has not answered. */
  question: string | null
  views: number
  /** The number of different people who tapped Call or WhatsApp. */
  asked: number
  seller: { id: number; name: string }
  /** For a listing of an owner. */
  owner: ListedOwner | null
}

export interface OwnFilters {
  /** Null: all sellers'; for admins. */
  sellerId: number | null
  tab: Exclude<OwnTab, 'ordered'>
  /** For admins: a seller's full phone number, or a part of their name. */
  seller: string
  state: ListingState | null
  categoryId: number | null
  /** Only this listing, to view or correct it. */
  listingId: number | null
  /** Keyset cursor: the last listing shown. */
  after: { rank: number; id: number } | null
}

export interface OwnPage {
  listings: OwnListing[]
  /** All of the tab, counted up to COUNT_UP_TO. */
  count: number
  next: { rank: number; id: number } | null
}

const consentShape = z.object({
  state: z.enum(['asked', 'agreed', 'refused', 'pulled', 'silent', 'taken']),
  reason: z.enum(REASONS).nullable(),
  fee: z.string().nullable(),
  percent: z.number().nullable(),
  asked: z.number(),
})
const consentOf = sql`(select json_build_object('state', c.state, 'reason', c.reason, 'fee', c.fee::text, 'percent', c.fee_percent,
  'asked', floor(extract(epoch from c.asked_at) * 1000)) from owner_consents c where c.listing_id = l.id)`

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
  owner_name: z.string().nullable(),
  owner_agreed: z.boolean().nullable(),
  consent: consentShape.nullable(),
  rank: z.number(),
})
type OwnRow = z.output<typeof ownRow>

const sold = sql`((l.is_sold or l.stock = 0) and l.state not in ('draft', 'withdrawn'))`
const inTab: Record<OwnFilters['tab'], SQL> = { soldout: sold, instock: sql`not ${sold}` }

const countRow = z.object({ count: z.number() })

/**
 * The viewer's listings in every state, or all sellers' for an admin: first those that wait for their seller, last those that the seller
 * withdrew, the others newest first. NOT_FOUND for another seller's.
 */
export async function listOwnListings(ctx: Ctx, filters: OwnFilters): Promise<OwnPage> {
  const viewer = requireLoggedIn(ctx)
  const { sellerId, tab, after, listingId } = filters
  if (!can(viewer, 'see-own', { userId: sellerId })) throw notFound()
  const whose = sql.join([sql`true`, ...conditions(filters)], sql` and `)
  // Over all sellers the rank would read every row, so an admin's list is by age only.
  const rank = sellerId === null ? sql`(0::int)` : waitsRank(ctx.now)
  const rest = after ? sql`(${rank}, -l.id) > (${after.rank}::int, ${-after.id}::bigint)` : sql`true`
  const page = listingId === null ? sql`${whose} and ${inTab[tab]} and ${rest}` : sql`${whose} and l.id = ${listingId}::bigint`
  const rows = await rowsOf(
    ctx,
    sql`
    select ${cardColumns(ctx)}, l.state as own_state, l.is_sold, l.sold_through_sandhai, l.verification_comment, l.version,
      floor(extract(epoch from l.touched_at) * 1000)::bigint as touched_ms, ${rank} as rank, l.seller_id::int as seller_id,
      (select u.name from users u where u.id = l.seller_id) as seller_name,
      l.owner_name, l.owner_agreed, ${consentOf} as consent,
      exists (select from second_looks s where s.listing_id = l.id) as has_second_look,
      ${openQuestion} as question,
      l.views_before + (select count(*)::int from listing_views n where n.listing_id = l.id) as views,
      (select count(distinct t.person_id)::int from contact_taps t where t.listing_id = l.id) as asked
    from listings l ${cardPhoto} where ${page} order by ${rank}, l.id desc limit ${LISTINGS_PER_PAGE + 1}`,
    ownRow,
  )
  const counted = await rowsOf(
    ctx,
    sql`select count(*)::int as count from (select 1 from listings l where ${whose} and ${inTab[tab]} limit ${COUNT_UP_TO}) n`,
    countRow,
  )
  const shown = rows.slice(0, LISTINGS_PER_PAGE)
  const last = rows.length > LISTINGS_PER_PAGE ? shown.at(-1)! : null
  return {
    listings: shown.map((row) => toOwnListing(ctx, row)),
    count: counted[0]!.count,
    next: last && { rank: last.rank, id: Number(last.id) },
  }
}

/** The newest unanswered question of a listing that waits for its verdict. */
const openQuestion = sql`(case when l.state = 'pending' then (select case when q.answered_at is null then q.question end
  from listing_questions q where q.listing_id = l.id order by q.id desc limit 1) end)`

const listOwnIdsRow = z.object({ id: z.number() })

/** Ids only, for API clients; the newest first. An admin's read of one seller's listings is audited. */
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

/** 0: the seller must act (finish, correct, answer or renew it); 2: the seller withdrew it. */
function waitsRank(now: Date): SQL {
  const silent = daysBefore(now, RENEW_AFTER_DAYS).toISOString()
  return sql`(case when l.state in ('draft', 'failed') and not ${sold} or (l.state = 'passed' and not ${sold} and l.touched_at < ${silent}::timestamptz)
    or ${openQuestion} is not null then 0 when l.state = 'withdrawn' then 2 else 1 end)`
}

function conditions({ sellerId, seller, state, categoryId }: OwnFilters): SQL[] {
  const typed = searchText(seller, 80)
  const phone = readPhone(typed)
  // Match whole numbers only: a search by parts would reveal everybody's digits.
  const isPerson = phone === null ? sql`u.name ilike ${anywhere(typed)}` : sql`u.phone = ${phone}`
  return [
    ...(sellerId === null ? [] : [sql`l.seller_id = ${sellerId}::bigint`]),
    ...(typed === '' ? [] : [sql`l.seller_id in (select u.id from users u where ${isPerson} and u.erased_at is null)`]),
    ...(state === null ? [] : [sql`l.state = ${state}`]),
    ...(categoryId === null ? [] : [sql`l.category_id = ${categoryId}::smallint`]),
  ]
}

interface ListedOwner {
  name: string
  agreed: boolean
  /** `amount` and `unit` for the form, `text` for reading. */
  fee: { amount: string; unit: 'rupees' | 'percent'; text: string }
  state: NonNullable<OwnRow['consent']>['state']
  reason: Reason | null
  until: Date
}

function toOwner({ locale }: Ctx, { owner_name: name, owner_agreed: agreed, consent }: OwnRow): ListedOwner | null {
  if (name === null || !consent) return null
  const fee = feeIn({ fee: consent.fee === null ? null : BigInt(consent.fee), feePercent: consent.percent })
  const amount = 'percent' in fee ? String(fee.percent) : fieldRupees(fee.rupees)
  return {
    name,
    agreed: agreed === true,
    fee: { amount, unit: 'percent' in fee ? 'percent' : 'rupees', text: feeText(fee, locale) },
    state: consent.state,
    reason: consent.reason,
    until: new Date(consent.asked + ANSWER_DAYS * DAY),
  }
}

function toOwnListing(ctx: Ctx, row: OwnRow): OwnListing {
  return {
    card: toCard(ctx, row, null),
    code: listingCode(lookups.category(row.categoryId).shortEn, row.id),
    state: lifeStateOf({ state: row.own_state, isSold: row.is_sold, stock: row.stock }),
    comment: row.verification_comment,
    soldThroughSandhai: row.sold_through_sandhai,
    version: row.version,
    touchedAt: new Date(Number(row.touched_ms)),
    hasPhoto: row.photoKey !== null,
    hasSecondLook: row.has_second_look,
    question: row.question,
    views: row.views,
    asked: row.asked,
    seller: { id: row.seller_id, name: row.seller_name },
    owner: toOwner(ctx, row),
  }
}

const hasUnfinishedFormRow = z.unknown()

/** Whether the sell form holds an unfinished animal; the list shows it first. */
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
