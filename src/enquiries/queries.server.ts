import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { KM_PER_DEGREE, kilometresBetween, readStoredPoint, toStoredPoint, type Point } from '#src/addresses/places.ts'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { deskMatch, isRecent } from '#src/kit/db/desk-match.server.ts'
import { countRow, epochMs, localeShape, momentShape, moneyShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { can } from './policy.ts'
import { EXPIRES_AFTER_DAYS, OVER_SHOWN_DAYS } from './rules.ts'

const ENQUIRIES_PER_PAGE = 24

/** The stored location; null when the PIN code has no coordinates. */
export const locationShape = z.string().transform(readStoredPoint).nullable()

/** `postedFor` and `contact` are for the poster and admins (policy.ts); callers check that before they show them. */
const enquiryShape = z.object({
  id: z.number(),
  posterId: z.number(),
  posterName: z.string(),
  postedFor: z.string(),
  contact: z.string(),
  categoryTypeId: z.number(),
  categoryId: z.number().nullable(),
  breedId: z.number().nullable(),
  ageId: z.number().nullable(),
  genderId: z.number().nullable(),
  colorId: z.number().nullable(),
  description: z.string(),
  requiredCount: z.number(),
  acceptablePrice: moneyShape,
  weightKg: z.number(),
  pincode: z.string(),
  /** The PIN code's taluk. */
  city: z.string(),
  district: z.string(),
  stateName: z.string(),
  point: locationShape,
  isVerified: z.boolean().nullable(),
  verifiedById: z.number().nullable(),
  verificationComment: z.string().nullable(),
  verifiedAt: momentShape.nullable(),
  createdAt: momentShape,
  renewedAt: momentShape,
  closedAt: momentShape.nullable(),
  /** The number of offered animals, including unverified ones. */
  offers: z.number(),
})
export type Enquiry = z.output<typeof enquiryShape>

const columns = sql`
  e.id::int as id, e.poster_id::int as "posterId", (select u.name from users u where u.id = e.poster_id) as "posterName",
  e.posted_for as "postedFor", e.contact, e.category_type_id as "categoryTypeId", e.category_id as "categoryId",
  e.breed_id as "breedId", e.age_id as "ageId", e.gender_id as "genderId", e.color_id as "colorId", e.description,
  e.required_count as "requiredCount", e.acceptable_price::text as "acceptablePrice", e.weight_kg::float8 as "weightKg",
  e.pincode, e.city, e.district, e.state_name as "stateName", e.location::text as point, e.is_verified as "isVerified",
  e.verified_by_id::int as "verifiedById", e.verification_comment as "verificationComment",
  ${epochMs(sql`e.verified_at`)} as "verifiedAt", ${epochMs(sql`e.created_at`)} as "createdAt",
  ${epochMs(sql`e.renewed_at`)} as "renewedAt", ${epochMs(sql`e.closed_at`)} as "closedAt",
  (select count(*)::int from enquiry_offers o where o.enquiry_id = e.id) as offers`

/** Enquiries of a deactivated poster are hidden from others. The poster still sees their own page, and admins see all. */
const isPosterActive = sql`(select u.is_active from users u where u.id = e.poster_id)`
export const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`

/** `isOpen` in SQL, for an enquiry `e`. */
export const isOpenNow = (now: Date) =>
  sql`e.is_verified and e.closed_at is null and e.renewed_at >= ${at(daysBefore(now, EXPIRES_AFTER_DAYS))} and ${isPosterActive}`

const getEnquiryRow = enquiryShape.extend({ isPosterActive: z.boolean() })

/** Raises NOT_FOUND for both a hidden and a missing enquiry. */
export async function getEnquiry(ctx: Ctx, id: number): Promise<Enquiry> {
  requireLoggedIn(ctx)
  const [row] = await rowsOf(
    ctx,
    sql`select ${columns}, ${isPosterActive} as "isPosterActive" from enquiries e where e.id = ${id}::bigint`,
    getEnquiryRow,
  )
  if (!row || !can(ctx.viewer, 'see-enquiry', row) || (!row.isPosterActive && !can(ctx.viewer, 'operate'))) throw notFound()
  const { isPosterActive: _, ...enquiry } = row
  return enquiry
}

/** The states an admin can filter by; pending first. */
export const WANTED_STATES = ['pending', 'open', 'refused', 'over'] as const
type WantedState = (typeof WANTED_STATES)[number]

export interface WantedFilters {
  categoryTypeId: number | null
  categoryId: number | null
  district: string | null
  near: { point: Point; withinKm: number } | null
  /** For admins only. */
  state: WantedState | null
  after: WantedPlace | null
}

/** Keyset cursor: where a page ended. */
export interface WantedPlace {
  rank: number
  createdMs: number
  id: number
}

export const noFilters: WantedFilters = { categoryTypeId: null, categoryId: null, district: null, near: null, state: null, after: null }

export interface WantedPage {
  enquiries: (Enquiry & { kilometres: number | null })[]
  count: number
  countsUpTo: number
  next: WantedPlace | null
}

/**
 * 'Wanted': verified enquiries, for a month after they end, too, and the viewer's own in every state; for admins everybody's, pending ones
 * first. Newest first.
 */
export async function listWanted(ctx: Ctx, filters: WantedFilters, top = ENQUIRIES_PER_PAGE): Promise<WantedPage> {
  const viewer = requireLoggedIn(ctx)
  const isAdmin = can(viewer, 'operate')
  const shownSince = at(daysBefore(ctx.now, OVER_SHOWN_DAYS))
  const isShown = sql`(e.is_verified and (e.closed_at is null or e.closed_at >= ${shownSince})
    and e.renewed_at >= ${at(daysBefore(ctx.now, EXPIRES_AFTER_DAYS + OVER_SHOWN_DAYS))} and ${isPosterActive})`
  const whose = isAdmin ? sql`true` : sql`(${isShown} or e.poster_id = ${viewer.id}::bigint)`
  return listPage(ctx, sql.join([whose, ...conditions(ctx, filters)], sql` and `), {
    rank: isAdmin ? sql`(case when e.is_verified is null and e.closed_at is null then 0 else 1 end)` : sql`(0::int)`,
    filters,
    top,
  })
}

/** The viewer's own enquiries, in every state. */
export async function listOwnEnquiries(ctx: Ctx, after: WantedPlace | null, top = ENQUIRIES_PER_PAGE): Promise<WantedPage> {
  const viewer = requireLoggedIn(ctx)
  return listPage(ctx, sql`e.poster_id = ${viewer.id}::bigint`, { rank: sql`(0::int)`, filters: { ...noFilters, after }, top })
}

const listPageRow = enquiryShape.extend({ rank: z.number() })

async function listPage(
  ctx: Ctx,
  where: SQL,
  { rank, filters: { after, near }, top }: { rank: SQL; filters: WantedFilters; top: number },
): Promise<WantedPage> {
  const rest = after
    ? sql`(${rank} > ${after.rank}::int or (${rank} = ${after.rank}::int
        and (e.created_at, e.id) < (to_timestamp(${after.createdMs}::bigint / 1000.0)::timestamptz(3), ${after.id}::bigint)))`
    : sql`true`
  const rows = await rowsOf(
    ctx,
    sql`
    select ${columns}, ${rank} as rank from enquiries e where ${where} and ${rest}
    order by ${rank}, e.created_at desc, e.id desc limit ${top + 1}`,
    listPageRow,
  )
  const counted = await oneRowOf(
    ctx,
    sql`select count(*)::int as count from (select 1 from enquiries e where ${where} limit ${COUNT_UP_TO}) n`,
    countRow,
  )
  const shown = rows.slice(0, top)
  const last = rows.length > top ? shown.at(-1)! : null
  return {
    enquiries: shown.map((row) => {
      const { rank: _, ...enquiry } = row
      return { ...enquiry, kilometres: near && enquiry.point ? kilometresBetween(near.point, enquiry.point) : null }
    }),
    count: counted.count,
    countsUpTo: COUNT_UP_TO,
    next: last && { rank: last.rank, createdMs: last.createdAt.getTime(), id: last.id },
  }
}

function conditions(ctx: Ctx, { categoryTypeId, categoryId, district, near, state }: WantedFilters): SQL[] {
  const parts: SQL[] = []
  if (categoryTypeId !== null) parts.push(sql`e.category_type_id = ${categoryTypeId}::smallint`)
  if (categoryId !== null) parts.push(sql`e.category_id = ${categoryId}::smallint`)
  if (district !== null) parts.push(sql`e.district = ${district}`)
  if (near) parts.push(isWithin(sql`e.location`, near.point, near.withinKm))
  if (state !== null) parts.push(stateCondition(ctx.now, state))
  return parts
}

function stateCondition(now: Date, state: WantedState): SQL {
  return {
    pending: sql`(e.is_verified is null and e.closed_at is null)`,
    refused: sql`(not e.is_verified and e.closed_at is null)`,
    open: sql`(${isOpenNow(now)})`,
    over: sql`(e.closed_at is not null or (e.is_verified and e.renewed_at < ${at(daysBefore(now, EXPIRES_AFTER_DAYS))}))`,
  }[state]
}

export const DESK_PER_PAGE = 25

const matching = (typed: string) =>
  deskMatch(typed, {
    prefix: 'enq',
    number: (id) => sql`e.id = ${id}::bigint`,
    phone: (phone) => sql`(e.contact = ${phone} or e.poster_id in (select u.id from users u where u.phone = ${phone}))`,
    words: [sql`(select u.name from users u where u.id = e.poster_id)`, ...['posted_for', 'description', 'city', 'district'].map(columnOf)],
    among: sql`(e.is_verified is null and e.closed_at is null or ${isRecent(sql`e.id`, sql`enquiries`)})`,
  })
const columnOf = (name: string) => sql`e.${sql.identifier(name)}`

/**
 * A page of the admins' desk: pending enquiries longest wait first, or decided ones newest first; and the number of those
 * in each state that the search finds.
 */
export async function listForDesk(
  ctx: Ctx,
  { state, page, text = '' }: { state: WantedState; page: number; text?: string },
): Promise<{ enquiries: Enquiry[]; counts: Record<WantedState, number> }> {
  requireCan(ctx, 'operate')
  const order = state === 'pending' ? sql`e.created_at, e.id` : sql`coalesce(e.closed_at, e.verified_at) desc nulls last, e.id desc`
  const enquiries = await rowsOf(
    ctx,
    sql`
    select ${columns} from enquiries e where ${stateCondition(ctx.now, state)} and ${matching(text)}
    order by ${order} limit ${DESK_PER_PAGE} offset ${(page - 1) * DESK_PER_PAGE}`,
    enquiryShape,
  )
  const counts = WANTED_STATES.map(
    (each) => sql`(count(*) filter (where ${stateCondition(ctx.now, each)}))::int as ${sql.identifier(each)}`,
  )
  const counted = await oneRowOf(ctx, sql`select ${sql.join(counts, sql`, `)} from enquiries e where ${matching(text)}`, countsRow)
  return { enquiries, counts: counted }
}
const countsRow = z.object({ pending: z.number(), open: z.number(), refused: z.number(), over: z.number() })

const verdictShape = z.object({ passed: z.boolean(), comment: z.string(), at: momentShape, adminName: z.string() })
export type Verdict = z.output<typeof verdictShape>
const verdictsRow = z.object({ locale: localeShape, verdicts: z.array(verdictShape) })

/** Every verdict on an enquiry, newest first, and the poster's language. For admins. */
export async function readVerdicts(ctx: Ctx, id: number): Promise<{ locale: Locale; verdicts: Verdict[] }> {
  requireCan(ctx, 'operate')
  const [row] = await rowsOf(
    ctx,
    sql`
    select u.locale, (select coalesce(json_agg(json_build_object('passed', v.passed, 'comment', v.comment, 'adminName', a.name,
        'at', ${epochMs(sql`v.created_at`)}) order by v.id desc), '[]'::json)
      from enquiry_verdicts v join users a on a.id = v.admin_id where v.enquiry_id = e.id) as verdicts
    from enquiries e join users u on u.id = e.poster_id where e.id = ${id}::bigint`,
    verdictsRow,
  )
  if (!row) throw notFound()
  return row
}

export function isWithin(column: SQL, point: Point, kilometres: number): SQL {
  const [x, y] = toStoredPoint(point)
  return sql`${column} <@ circle(point(${x}::float8, ${y}::float8), ${kilometres / KM_PER_DEGREE}::float8)`
}

/** For anonymous visitors: the number of open enquiries. */
export async function countOpen(ctx: Ctx): Promise<number> {
  return (await oneRowOf(ctx, sql`select count(*)::int as count from enquiries e where ${isOpenNow(ctx.now)}`, countRow)).count
}

const findOwnPincodeRow = z.object({ pincode: z.string() })

/** The PIN code of the viewer's newest address: most enquiries are for that area. */
export async function findOwnPincode(ctx: Ctx): Promise<string | null> {
  const rows = await rowsOf(
    ctx,
    sql`
    select a.pincode::text as pincode from addresses a where a.user_id = ${ctx.viewer?.id ?? 0}::bigint and a.removed_at is null
    order by a.id desc limit 1`,
    findOwnPincodeRow,
  )
  return rows[0]?.pincode ?? null
}
