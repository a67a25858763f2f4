import { and, eq, isNotNull, notExists, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { fieldRupees } from '#src/kit/time-money/money.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { readPhone } from '#src/kit/text/readers.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { ANSWER_DAYS } from '#src/selling/owners/consents.server.ts'
import { REASONS } from '#src/selling/owners/owner-messages.server.ts'
import { feeIn, feeText } from '#src/selling/owners/terms.ts'
import { DAY, daysBefore } from '#src/kit/time-money/dates.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { anyRow, countRow, epochMs, idRow, momentShape, moneyShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { anywhere } from '#src/kit/text/text.ts'
import { cardColumns, cardPhoto, cardRow, toCard } from '#src/listings/browse/browse.server.ts'
import { lifeStateOf, LISTING_STATES, type ListingState } from '#src/listings/life/life.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import type { OwnTab } from './own-tabs.ts'
import { RENEW_AFTER_DAYS } from './renew-rules.ts'

const LISTINGS_PER_PAGE = 24

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

/** The owner's consent to the listing, for a listing of an owner. */
const ownerShape = z.object({
  name: z.string(),
  agreed: z.boolean(),
  state: z.enum(['asked', 'agreed', 'refused', 'pulled', 'silent', 'taken']),
  reason: z.enum(REASONS).nullable(),
  fee: moneyShape.nullable(),
  feePercent: z.number().nullable(),
  askedAt: momentShape,
})
const ownerOf = sql`(select json_build_object('name', l.owner_name, 'agreed', coalesce(l.owner_agreed, false), 'state', c.state, 'reason', c.reason,
  'fee', c.fee::text, 'feePercent', c.fee_percent, 'askedAt', ${epochMs(sql`c.asked_at`)})
  from owner_consents c where c.listing_id = l.id and l.owner_name is not null)`

const ownRow = cardRow.extend({
  ownState: z.enum(LISTING_STATES),
  isSold: z.boolean(),
  soldThroughSandhai: z.boolean().nullable(),
  /** The admin's comment on the latest verdict. */
  comment: z.string().nullable(),
  version: z.number(),
  touchedAt: momentShape,
  /** Its words changed after it passed, and an admin must read them (verification/second-looks.server.ts). */
  hasSecondLook: z.boolean(),
  /** The admin's question before the verdict that the seller has not answered. */
  question: z.string().nullable(),
  views: z.number(),
  /** The number of different people who tapped Call or WhatsApp. */
  asked: z.number(),
  seller: z.object({ id: z.number(), name: z.string() }),
  owner: ownerShape.nullable(),
  rank: z.number(),
})

const sold = sql`((l.is_sold or l.stock = 0) and l.state not in ('draft', 'withdrawn'))`
const inTab: Record<OwnFilters['tab'], SQL> = { soldout: sold, instock: sql`not ${sold}` }

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
    select ${cardColumns(ctx)}, l.state as "ownState", l.is_sold as "isSold", l.sold_through_sandhai as "soldThroughSandhai",
      l.verification_comment as comment, l.version, ${epochMs(sql`l.touched_at`)} as "touchedAt", ${rank} as rank,
      (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = l.seller_id) as seller, ${ownerOf} as owner,
      exists (select from second_looks s where s.listing_id = l.id) as "hasSecondLook",
      ${openQuestion} as question,
      l.views_before + (select count(*)::int from listing_views n where n.listing_id = l.id) as views,
      (select count(distinct t.person_id)::int from contact_taps t where t.listing_id = l.id) as asked
    from listings l ${cardPhoto} where ${page} order by ${rank}, l.id desc limit ${LISTINGS_PER_PAGE + 1}`,
    ownRow,
  )
  const counted = await oneRowOf(
    ctx,
    sql`select count(*)::int as count from (select 1 from listings l where ${whose} and ${inTab[tab]} limit ${COUNT_UP_TO}) n`,
    countRow,
  )
  const shown = rows.slice(0, LISTINGS_PER_PAGE)
  const last = rows.length > LISTINGS_PER_PAGE ? shown.at(-1)! : null
  return {
    listings: shown.map((row) => toOwnListing(ctx, row)),
    count: counted.count,
    next: last && { rank: last.rank, id: last.id },
  }
}

/** The newest unanswered question of a listing that waits for its verdict. */
const openQuestion = sql`(case when l.state = 'pending' then (select case when q.answered_at is null then q.question end
  from listing_questions q where q.listing_id = l.id order by q.id desc limit 1) end)`

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
    idRow,
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

/** `fee`: `amount` and `unit` for the form, `text` for reading. */
function shownOwner({ locale }: Ctx, { fee, feePercent, askedAt, ...owner }: z.output<typeof ownerShape>) {
  const terms = feeIn({ fee, feePercent })
  const [amount, unit] = 'percent' in terms ? [String(terms.percent), 'percent' as const] : [fieldRupees(terms.rupees), 'rupees' as const]
  return { ...owner, fee: { amount, unit, text: feeText(terms, locale) }, until: new Date(askedAt.getTime() + ANSWER_DAYS * DAY) }
}

const toOwnListing = (ctx: Ctx, { ownState: state, ...row }: z.output<typeof ownRow>) => ({
  ...row,
  card: toCard(ctx, row, null),
  code: listingCode(lookups.category(row.categoryId).shortEn, row.id),
  state: lifeStateOf({ ...row, state }),
  hasPhoto: row.photoKey !== null,
  owner: row.owner && shownOwner(ctx, row.owner),
})
export type OwnListing = ReturnType<typeof toOwnListing>

/** Drafts without a photo, with the name of the file that a table gives for each. */
export const listNamedPhotos = (ctx: Ctx, sellerId: number): Promise<{ id: number; photoName: string }[]> =>
  ctx.db
    .select({ id: listings.id, photoName: sql<string>`${listings.photoName}` })
    .from(listings)
    .where(
      and(
        eq(listings.sellerId, sellerId),
        eq(listings.state, 'draft'),
        isNotNull(listings.photoName),
        notExists(ctx.db.select().from(listingPhotos).where(eq(listingPhotos.listingId, listings.id))),
      ),
    )
    .orderBy(listings.id)

/** Whether the sell form holds an unfinished animal; the list shows it first. */
export async function hasUnfinishedForm(ctx: Ctx, ownerId: number): Promise<boolean> {
  const rows = await rowsOf(
    ctx,
    sql`
    select 1 from listing_drafts d where d.owner_id = ${ownerId}::bigint and d.listing_id is null
      and (d.typed <> '{}'::jsonb or exists (select 1 from draft_photos p where p.draft_id = d.id))`,
    anyRow,
  )
  return rows.length > 0
}
