import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { requireSeller } from '#src/accounts/people/sellers.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { deskMatch } from '#src/kit/db/desk-match.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { epochMs, localeShape, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { plainDigits } from '#src/kit/text/plain-text.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { readProductNumber } from '#src/listings/browse/search.server.ts'
import { isOwnListing } from '#src/listings/policy.ts'
import { lifeStateOf, LISTING_STATES } from '#src/listings/life/life.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { visibleTo } from '#src/listings/queries.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { listings } from '#src/listings/tables.ts'
import { seenMark } from '#src/verification/seen-mark.ts'
import { undoVerdict } from '#src/verification/undo-verdict.server.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { m } from '#src/paraglide/messages.js'
import type { ReportInput, ReportReason } from './reports-schemas.ts'
import { REPORT_REASONS, reports } from './tables.ts'

/** The subject of a report: one listing, or a seller. */
export type ReportSubject = { listingId: number } | { sellerId: number }

export const SUBJECTS_PER_PAGE = 30

const objectOf = (subject: ReportSubject) => ('listingId' in subject ? `listing:${subject.listingId}` : `user:${subject.sellerId}`)

/** A second report by the same person changes their open one. NOT_FOUND, OWN_LISTING, OWN_SELLER. */
export async function report(ctx: Ctx, subject: ReportSubject, { reason, comment }: ReportInput): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  const { sellerId } = await getReportSubject(ctx, subject)
  const listingId = 'listingId' in subject ? subject.listingId : null
  await inTransaction(ctx, async (ctx) => {
    const openReport =
      listingId === null
        ? sql`(reporter_id, seller_id) where closed_at is null and listing_id is null`
        : sql`(reporter_id, listing_id) where closed_at is null and listing_id is not null`
    await ctx.db.execute(sql`
      insert into reports (reporter_id, seller_id, listing_id, reason, comment, created_at)
      values (${viewer.id}::bigint, ${sellerId}::bigint, ${listingId}::bigint, ${reason}, ${comment}, ${ctx.now.toISOString()}::timestamptz)
      on conflict ${openReport} do update set reason = excluded.reason, comment = excluded.comment`)
    await audit(ctx, 'report_made', objectOf(subject), { reason })
  })
}

const namedRow = z.object({ name: z.string(), sellerId: z.number() })

/** The name of the subject. NOT_FOUND when the viewer may not see it; OWN_* for the viewer's own. */
export async function getReportSubject(ctx: Ctx, subject: ReportSubject): Promise<{ name: string; sellerId: number }> {
  const { viewer } = ctx
  if ('sellerId' in subject) {
    if (viewer?.id === subject.sellerId) throw new Problem('OWN_SELLER', { reason: 'OWN_REPORT' })
    const seller = await requireSeller(ctx, subject.sellerId)
    return { name: seller.name, sellerId: seller.id }
  }
  const rows = await rowsOf(
    ctx,
    sql`
    select ${nameIn(ctx.locale)} as name, l.seller_id::int as "sellerId"
    from listings l where l.id = ${subject.listingId}::bigint and ${visibleTo(ctx)}`,
    namedRow,
  )
  const [listing] = rows
  if (!listing) throw notFound()
  if (viewer?.id === listing.sellerId) throw new Problem('OWN_LISTING', { reason: 'OWN_REPORT' })
  return { ...listing, name: hidePhones(listing.name) }
}

/** All open reports of one listing or seller. */
const openRow = z.object({
  listing: z
    .object({
      id: z.number(),
      categoryId: z.number(),
      name: z.string(),
      state: z.enum(LISTING_STATES),
      isSold: z.boolean(),
      stock: z.number(),
      price: moneyShape,
      /** In English, as in the table. */
      district: z.string(),
      photos: z.array(z.object({ key: z.string(), width: z.number(), height: z.number() })),
      version: z.number(),
      lastVerdictId: z.number().nullable(),
    })
    .nullable(),
  seller: z.object({ id: z.number(), name: z.string(), isActive: z.boolean(), locale: localeShape }),
  firstAt: momentShape,
  /** The number of reporters; each has one open report. */
  people: z.number(),
  reports: z.array(
    z.object({
      reason: z.enum(REPORT_REASONS),
      comment: z.string(),
      at: momentShape,
      reporter: z.object({ id: z.number(), name: z.string() }),
    }),
  ),
  waiting: z.number(),
})
type OpenRow = z.output<typeof openRow>

export interface ReportedSubject extends Omit<OpenRow, 'waiting' | 'listing'> {
  listing: ReturnType<typeof toListing> | null
  /** Names these reports as they read now, and the state of the listing; a decision gives it back (decision 0112). */
  seen: string
}

/** Report `r` by `w` about seller `u` or their listing `l`. PostgreSQL leaves out the joins that a query does not use. */
const reportsWithPeople = sql`reports r left join users w on w.id = r.reporter_id left join users u on u.id = r.seller_id
  left join listings l on l.id = r.listing_id`

/** Decided reports older than so many later ones are found by no search. */
const SEARCHED_REPORTS = 10_000

/** The number of an animal or person, a whole phone number, or words. */
function matching(typed: string): SQL {
  const listing = readProductNumber(plainDigits(typed))
  if (listing) return sql`r.listing_id = ${listing.id}::bigint`
  return deskMatch(typed, {
    number: (id) => sql`${id}::bigint in (r.listing_id, r.seller_id, r.reporter_id)`,
    phone: (phone) => sql`${phone} in (u.phone, w.phone)`,
    words: [sql`u.name`, sql`w.name`, sql`l.name`, sql`l.name_en`, sql`r.comment`, sql`r.note`],
  })
}

/** For admins: the longest waiting first, and the number of all that the search finds; `page` starts at 1. */
export async function listReported(ctx: Ctx, page = 1, text = ''): Promise<{ subjects: ReportedSubject[]; waiting: number }> {
  const limit = sql`limit ${SUBJECTS_PER_PAGE} offset ${(page - 1) * SUBJECTS_PER_PAGE}`
  const rows = await readSubjects(ctx, sql`true`, limit, matching(text))
  return { subjects: rows.map(toSubject), waiting: rows[0]?.waiting ?? 0 }
}

/** For admins: one listing or seller with its open reports; null when none is, or no longer, open. */
export async function findReported(ctx: Ctx, subject: ReportSubject): Promise<ReportedSubject | null> {
  const isIt =
    'listingId' in subject
      ? sql`open.listing_id = ${subject.listingId}::bigint`
      : sql`open.listing_id is null and open.seller_id = ${subject.sellerId}::bigint`
  const [row] = await readSubjects(ctx, isIt, sql`limit 1`)
  return row ? toSubject(row) : null
}

async function readSubjects(ctx: Ctx, condition: SQL, limit: SQL, match = sql`true`): Promise<OpenRow[]> {
  requireCan(ctx, 'operate')
  return rowsOf(
    ctx,
    sql`
    with open as (
      select r.listing_id, case when r.listing_id is null then r.seller_id end as only_seller, min(r.seller_id) as seller_id, min(r.created_at) as first_at,
        count(*)::int as people,
        json_agg(json_build_object('reason', r.reason, 'comment', r.comment, 'at', ${epochMs(sql`r.created_at`)},
          'reporter', json_build_object('id', r.reporter_id, 'name', w.name)) order by r.created_at, r.id) as reports
      from ${reportsWithPeople} where r.closed_at is null group by 1, 2 having bool_or(${match})
    )
    select open.people, open.reports, ${epochMs(sql`open.first_at`)} as "firstAt", (select count(*)::int from open) as waiting,
      json_build_object('id', u.id, 'name', u.name, 'isActive', u.is_active, 'locale', u.locale) as seller,
      case when l.id is not null then json_build_object('id', l.id, 'categoryId', l.category_id, 'name', ${nameIn(ctx.locale)},
        'state', l.state, 'isSold', l.is_sold, 'stock', l.stock, 'price', l.price::text, 'district', l.district,
        'version', l.version, 'lastVerdictId', (select max(v.id) from verifications v where v.listing_id = l.id),
        'photos', (select coalesce(json_agg(json_build_object('key', p.media_key, 'width', p.width, 'height', p.height)
          order by p.position), '[]') from listing_photos p where p.listing_id = l.id)) end as listing
    from open join users u on u.id = open.seller_id left join listings l on l.id = open.listing_id
    where ${condition} order by open.first_at, open.listing_id, open.seller_id ${limit}`,
    openRow,
  )
}

const toListing = ({ categoryId, isSold, stock, state, ...listing }: NonNullable<OpenRow['listing']>) => ({
  ...listing,
  code: listingCode(lookups.category(categoryId).shortEn, listing.id),
  state: lifeStateOf({ state, isSold, stock }),
})

function toSubject(row: OpenRow): ReportedSubject {
  const { waiting: _, listing, ...subject } = row
  const open = subject.reports.map(({ reporter, reason, comment }) => ({ reporterId: reporter.id, reason, comment }))
  return { ...subject, listing: listing && toListing(listing), seen: `${reportsMark(open)} ${listing ? seenMark(listing) : ''}` }
}

/** Changes with every new report and with every change of an open one. */
function reportsMark(open: { reporterId: number; reason: ReportReason; comment: string }[]): string {
  const sorted = open
    .toSorted((a, b) => a.reporterId - b.reporterId)
    .map(({ reporterId, reason, comment }) => [reporterId, reason, comment])
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')
}

const closedRow = z.object({
  listingId: z.number().nullable(),
  sellerId: z.number(),
  /** The animal's name, or the seller's. */
  title: z.string(),
  people: z.number(),
  outcome: z.enum(['left', 'taken-down']),
  note: z.string(),
  adminName: z.string(),
  at: momentShape,
  total: z.number(),
})

type ClosedRow = z.output<typeof closedRow>

export const CLOSED_PER_PAGE = 30

/** For admins: decided reports, the latest first. Reports that one decision closed are one row. */
export async function listClosedReports(ctx: Ctx, page: number, text = ''): Promise<{ closed: ClosedRow[]; total: number }> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    with closed as (
      select r.listing_id, r.seller_id, r.outcome, coalesce(r.note, '') as note, r.closed_by_id, r.closed_at, count(*)::int as people, count(*) over ()::int as total
      from ${reportsWithPeople} where r.closed_at is not null and (${text} = '' or r.id > (select max(id) - ${SEARCHED_REPORTS} from reports))
      group by r.listing_id, r.seller_id, r.outcome, r.note, r.closed_by_id, r.closed_at having bool_or(${matching(text)})
      order by r.closed_at desc, r.listing_id, r.seller_id limit ${CLOSED_PER_PAGE} offset ${(page - 1) * CLOSED_PER_PAGE})
    select c.listing_id::int as "listingId", c.seller_id::int as "sellerId", coalesce(${nameIn(ctx.locale)}, u.name) as title,
      c.people, c.outcome, c.note, a.name as "adminName", ${epochMs(sql`c.closed_at`)} as at, c.total
    from closed c join users u on u.id = c.seller_id join users a on a.id = c.closed_by_id left join listings l on l.id = c.listing_id
    order by c.closed_at desc, c.listing_id, c.seller_id`,
    closedRow,
  )
  return { total: rows[0]?.total ?? 0, closed: rows }
}

/** An admin's decision about all open reports of a subject. */
interface ReportDecision {
  /** The reason: a note for the office, or the seller's reason when the listing is taken down. */
  note: string
  /** `ReportedSubject.seen` of the page. */
  seen?: string | undefined
}

/**
 * Closes the reports and leaves the subject as it is. NOT_FOUND when none was ever made; VERSION when another decision came first or the reports
 * are others than those seen; OWN_LISTING and OWN_SELLER for the admin's own. The same decision sent twice succeeds.
 */
export async function leaveReported(ctx: Ctx, subject: ReportSubject, decision: ReportDecision): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, (ctx) => close(ctx, subject, 'left', decision))
}

/**
 * Fails the listing with this reason, notifies its seller, and closes its reports, in one transaction. Raises what `leaveReported` raises, and
 * VERSION when the listing was changed or decided since it was seen.
 */
export async function takeDown(ctx: Ctx, listingId: number, decision: ReportDecision): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const isFirst = await close(ctx, { listingId }, 'taken-down', decision)
    if (isFirst) await verifyListing(ctx, listingId, { passed: false, comment: decision.note, seen: decision.seen?.split(' ')[1] })
  })
}

/**
 * Undoes the admin's own `takeDown` as `undoVerdict`, and opens the reports that it closed. VERSION when one of the
 * reporters has reported the listing again.
 */
export async function undoTakeDown(ctx: Ctx, listingId: number): Promise<void> {
  const { id: adminId } = requireCan(ctx, 'operate')
  const own = and(eq(reports.listingId, listingId), eq(reports.closedById, adminId), eq(reports.outcome, 'taken-down'))
  await inTransaction(ctx, async (ctx) => {
    // The reports come before the listing, as in `takeDown`.
    const [last] = await ctx.db.select().from(reports).where(own).orderBy(desc(reports.closedAt), reports.id).for('update')
    if (!(await undoVerdict(ctx, listingId, ({ createdAt }) => createdAt.getTime() === last?.closedAt?.getTime()))) return
    await ctx.db
      .update(reports)
      .set({ closedAt: null, closedById: null, outcome: null, note: null })
      .where(and(own, eq(reports.closedAt, last!.closedAt!)))
      .catch((error: unknown) => {
        throw sqlState(error) === '23505' ? reportedMeanwhile() : error
      })
    await audit(ctx, 'report_reopened', `listing:${listingId}`)
  })
}

const reportedMeanwhile = () => new Problem('VERSION', { sentence: (locale) => m.reports_new_meanwhile({}, { locale }) })

type Outcome = 'left' | 'taken-down'

/** Returns false for the repeat of a decision that this admin made. */
async function close(ctx: Ctx, subject: ReportSubject, outcome: Outcome, { note, seen }: ReportDecision): Promise<boolean> {
  const { viewer } = ctx
  if ('sellerId' in subject && subject.sellerId === viewer?.id) throw new Problem('OWN_SELLER')
  if ('listingId' in subject) {
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, subject.listingId))
    if (listing && isOwnListing(viewer, listing)) throw new Problem('OWN_LISTING')
  }
  const ofSubject =
    'listingId' in subject
      ? eq(reports.listingId, subject.listingId)
      : and(eq(reports.sellerId, subject.sellerId), isNull(reports.listingId))
  const open = await ctx.db
    .select({ id: reports.id, reporterId: reports.reporterId, reason: reports.reason, comment: reports.comment })
    .from(reports)
    .where(and(ofSubject, isNull(reports.closedAt)))
    .orderBy(reports.id)
    .for('update')
  if (open.length === 0) return ensureOwnRepeat(ctx, ofSubject, { outcome, note })
  if (seen !== undefined && seen.split(' ')[0] !== reportsMark(open)) throw seen ? reportedMeanwhile() : new Problem('VERSION')
  // A report that comes in at this moment stays open, because nobody has read it.
  const ids = open.map(({ id }) => id)
  await ctx.db.update(reports).set({ closedAt: ctx.now, closedById: viewer!.id, outcome, note }).where(inArray(reports.id, ids))
  await audit(ctx, 'report_closed', objectOf(subject), { outcome, reports: open.length })
  return true
}

const outcomeTexts = { left: m.timeline_left, 'taken-down': m.timeline_taken_down }

/** Nothing is open: returns false when this admin made the same decision last, and throws otherwise. */
async function ensureOwnRepeat(
  ctx: Ctx,
  ofSubject: SQL | undefined,
  { outcome, note }: { outcome: Outcome; note: string },
): Promise<false> {
  const closed = ctx.db
    .select()
    .from(reports)
    .where(and(ofSubject, isNotNull(reports.closedAt)))
  const [last] = await closed.orderBy(desc(reports.closedAt), desc(reports.id)).limit(1)
  if (!last?.outcome || !last.closedAt) throw notFound()
  const { outcome: was, closedById: byId, closedAt: at } = last
  if (byId === ctx.viewer!.id && was === outcome && last.note === note) return false
  throw await decidedBy(ctx, { what: (locale) => outcomeTexts[was]({}, { locale }), byId, at })
}
