import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { KM_PER_DEGREE, kilometresBetween, readStoredPoint, toStoredPoint, type Point } from '#src/addresses/places.ts'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localeShape, rowsOf } from '#src/kit/db/rows.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { can } from './policy.ts'
import { EXPIRES_AFTER_DAYS, OVER_SHOWN_DAYS } from './rules.ts'
import type { EnquiryInput } from './schemas.ts'

const ENQUIRIES_PER_PAGE = 24

/** `postedFor` and `contact` are for the poster and admins (policy.ts); callers check that before they show them. */
export interface Enquiry extends EnquiryInput {
  id: number
  posterId: number
  posterName: string
  /** The PIN code's taluk. */
  city: string
  district: string
  stateName: string
  point: Point | null
  isVerified: boolean | null
  verifiedById: number | null
  verificationComment: string | null
  verifiedAt: Date | null
  createdAt: Date
  renewedAt: Date
  closedAt: Date | null
  /** The number of offered animals, including unverified ones. */
  offers: number
}

const enquiryRow = z.object({
  id: z.number(),
  poster_id: z.number(),
  poster_name: z.string(),
  posted_for: z.string(),
  contact: z.string(),
  category_type_id: z.number(),
  category_id: z.number().nullable(),
  breed_id: z.number().nullable(),
  age_id: z.number().nullable(),
  gender_id: z.number().nullable(),
  color_id: z.number().nullable(),
  description: z.string(),
  required_count: z.number(),
  acceptable_price: z.string(),
  weight_kg: z.number(),
  pincode: z.string(),
  city: z.string(),
  district: z.string(),
  state_name: z.string(),
  location: z.string().nullable(),
  is_verified: z.boolean().nullable(),
  verified_by_id: z.number().nullable(),
  verification_comment: z.string().nullable(),
  verified_ms: z.string().nullable(),
  created_ms: z.string(),
  renewed_ms: z.string(),
  closed_ms: z.string().nullable(),
  offers: z.number(),
})
type EnquiryRow = z.output<typeof enquiryRow>

const ms = (column: SQL) => sql`floor(extract(epoch from ${column}) * 1000)::bigint`
const columns = sql`
  e.id::int as id, e.poster_id::int as poster_id, (select u.name from users u where u.id = e.poster_id) as poster_name, e.posted_for, e.contact,
  e.category_type_id, e.category_id, e.breed_id, e.age_id, e.gender_id, e.color_id, e.description, e.required_count,
  e.acceptable_price::text as acceptable_price, e.weight_kg::float8 as weight_kg, e.pincode, e.city, e.district, e.state_name,
  e.location::text as location, e.is_verified, e.verified_by_id::int as verified_by_id, e.verification_comment,
  ${ms(sql`e.verified_at`)} as verified_ms, ${ms(sql`e.created_at`)} as created_ms, ${ms(sql`e.renewed_at`)} as renewed_ms, ${ms(sql`e.closed_at`)} as closed_ms,
  (select count(*)::int from enquiry_offers o where o.enquiry_id = e.id) as offers`

function toEnquiry(row: EnquiryRow): Enquiry {
  return {
    id: row.id,
    posterId: row.poster_id,
    posterName: row.poster_name,
    postedFor: row.posted_for,
    contact: row.contact,
    categoryTypeId: row.category_type_id,
    categoryId: row.category_id,
    breedId: row.breed_id,
    ageId: row.age_id,
    genderId: row.gender_id,
    colorId: row.color_id,
    description: row.description,
    requiredCount: row.required_count,
    acceptablePrice: BigInt(row.acceptable_price),
    weightKg: row.weight_kg,
    pincode: row.pincode,
    city: row.city,
    district: row.district,
    stateName: row.state_name,
    point: row.location === null ? null : readStoredPoint(row.location),
    isVerified: row.is_verified,
    verifiedById: row.verified_by_id,
    verificationComment: row.verification_comment,
    verifiedAt: row.verified_ms === null ? null : new Date(Number(row.verified_ms)),
    createdAt: new Date(Number(row.created_ms)),
    renewedAt: new Date(Number(row.renewed_ms)),
    closedAt: row.closed_ms === null ? null : new Date(Number(row.closed_ms)),
    offers: row.offers,
  }
}

/** Enquiries of a deactivated poster are hidden from others. The poster still sees their own page, and admins see all. */
const isPosterActive = sql`(select u.is_active from users u where u.id = e.poster_id)`
export const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`

/** `isOpen` in SQL, for an enquiry `e`. */
export const isOpenNow = (now: Date) =>
  sql`e.is_verified and e.closed_at is null and e.renewed_at >= ${at(daysBefore(now, EXPIRES_AFTER_DAYS))} and ${isPosterActive}`

const getEnquiryRow = enquiryRow.extend({ is_poster_active: z.boolean() })

/** Raises NOT_FOUND for both a hidden and a missing enquiry. */
export async function getEnquiry(ctx: Ctx, id: number): Promise<Enquiry> {
  requireLoggedIn(ctx)
  const rows = await rowsOf(
    ctx,
    sql`select ${columns}, ${isPosterActive} as is_poster_active from enquiries e where e.id = ${id}::bigint`,
    getEnquiryRow,
  )
  const enquiry = rows[0] && toEnquiry(rows[0])
  if (!enquiry || !can(ctx.viewer, 'see-enquiry', enquiry)) throw notFound()
  if (!rows[0]!.is_poster_active && !can(ctx.viewer, 'operate')) throw notFound()
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

const listPageRow = z.object({ count: z.number() })

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
    enquiryRow.extend({ rank: z.number() }),
  )
  const counted = await rowsOf(
    ctx,
    sql`select count(*)::int as count from (select 1 from enquiries e where ${where} limit ${COUNT_UP_TO}) n`,
    listPageRow,
  )
  const shown = rows.slice(0, top)
  const last = rows.length > top ? shown.at(-1)! : null
  return {
    enquiries: shown.map((row) => {
      const enquiry = toEnquiry(row)
      return { ...enquiry, kilometres: near && enquiry.point ? kilometresBetween(near.point, enquiry.point) : null }
    }),
    count: counted[0]!.count,
    countsUpTo: COUNT_UP_TO,
    next: last && { rank: last.rank, createdMs: Number(last.created_ms), id: last.id },
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

/** A page of the admins' desk: pending enquiries longest wait first, or decided ones newest first; and the number in each state. */
export async function listForDesk(
  ctx: Ctx,
  { state, page }: { state: WantedState; page: number },
): Promise<{ enquiries: Enquiry[]; counts: Record<WantedState, number> }> {
  requireCan(ctx, 'operate')
  const order = state === 'pending' ? sql`e.created_at, e.id` : sql`coalesce(e.closed_at, e.verified_at) desc nulls last, e.id desc`
  const rows = await rowsOf(
    ctx,
    sql`
    select ${columns} from enquiries e where ${stateCondition(ctx.now, state)}
    order by ${order} limit ${DESK_PER_PAGE} offset ${(page - 1) * DESK_PER_PAGE}`,
    enquiryRow,
  )
  const counts = WANTED_STATES.map(
    (each) => sql`(count(*) filter (where ${stateCondition(ctx.now, each)}))::int as ${sql.identifier(each)}`,
  )
  const [counted] = await rowsOf(ctx, sql`select ${sql.join(counts, sql`, `)} from enquiries e`, countsRow)
  return { enquiries: rows.map(toEnquiry), counts: counted! }
}
const countsRow = z.object({ pending: z.number(), open: z.number(), refused: z.number(), over: z.number() })

export interface Verdict {
  passed: boolean
  comment: string
  at: Date
  adminName: string
}
const verdictsRow = z.object({
  locale: localeShape,
  verdicts: z.array(z.object({ passed: z.boolean(), comment: z.string(), ms: z.number(), name: z.string() })),
})

/** Every verdict on an enquiry, newest first, and the poster's language. For admins. */
export async function readVerdicts(ctx: Ctx, id: number): Promise<{ locale: Locale; verdicts: Verdict[] }> {
  requireCan(ctx, 'operate')
  const [row] = await rowsOf(
    ctx,
    sql`
    select u.locale, (select coalesce(json_agg(json_build_object('passed', v.passed, 'comment', v.comment, 'name', a.name,
        'ms', floor(extract(epoch from v.created_at) * 1000)) order by v.id desc), '[]'::json)
      from enquiry_verdicts v join users a on a.id = v.admin_id where v.enquiry_id = e.id) as verdicts
    from enquiries e join users u on u.id = e.poster_id where e.id = ${id}::bigint`,
    verdictsRow,
  )
  if (!row) throw notFound()
  return {
    locale: row.locale,
    verdicts: row.verdicts.map(({ ms: time, name, ...verdict }) => ({ ...verdict, at: new Date(time), adminName: name })),
  }
}

export function isWithin(column: SQL, point: Point, kilometres: number): SQL {
  const [x, y] = toStoredPoint(point)
  return sql`${column} <@ circle(point(${x}::float8, ${y}::float8), ${kilometres / KM_PER_DEGREE}::float8)`
}

const countOpenRow = z.object({ count: z.number() })

/** For anonymous visitors: the number of open enquiries. */
export async function countOpen(ctx: Ctx): Promise<number> {
  const rows = await rowsOf(ctx, sql`select count(*)::int as count from enquiries e where ${isOpenNow(ctx.now)}`, countOpenRow)
  return rows[0]!.count
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
