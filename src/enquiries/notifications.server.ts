import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { toStoredPoint } from '#src/addresses/places.ts'
import { findReceiver } from '#src/accounts/notifications/receivers.server.ts'
import { isNotificationTime, takeAlertDay } from '#src/alerts/once-a-day.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { daysBefore, formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { anyRow, epochMs, idRow, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { EXPIRING, notifyOfExpiry, notifyOfOffer, notifySeller, type NotifiedEnquiry } from './enquiry-messages.server.ts'
import { at, isOpenNow, isWithin, locationShape } from './queries.server.ts'
import { ASKED_BEFORE_DAYS, expiresAt, EXPIRES_AFTER_DAYS } from './rules.ts'

/** The distance in km that a buyer drives for a good animal: about three hours in a loaded van. */
const MATCH_KM = 100
/** Sellers are notified of enquiries approved within this many days, even if they list an animal later; older ones are on the board. */
const MATCH_DAYS = 10
/** Sellers per enquiry and round, nearest first: each SMS costs money. */
const SELLERS_PER_ENQUIRY = 100
/** After one SMS about answers, further answers are collected for this long. */
const OFFER_QUIET_HOURS = 3
/** Rows per transaction: few enough that nobody waits long. */
const AT_ONCE = 50

const HOUR = 3_600_000

const notifiedRow = z.object({
  id: z.number(),
  posterId: z.number(),
  categoryTypeId: z.number(),
  categoryId: z.number().nullable(),
  breedId: z.number().nullable(),
  district: z.string(),
  point: locationShape,
  renewedAt: momentShape,
})
type NotifiedRow = z.output<typeof notifiedRow>
const notifiedColumns = sql`e.id::int as id, e.poster_id::int as "posterId", e.category_type_id as "categoryTypeId",
  e.category_id as "categoryId", e.breed_id as "breedId", e.district, e.location::text as point,
  ${epochMs(sql`e.renewed_at`)} as "renewedAt"`

/**
 * Sends each seller with a matching animal nearby one SMS about all new enquiries: at most once an Indian day, in the daytime, and never
 * twice about the same enquiry. Safe to run in several processes. Returns how many were notified.
 */
export async function notifyMatchingSellers(ctx: Ctx): Promise<number> {
  if (!isNotificationTime(ctx.now)) return 0
  const rows = await rowsOf(
    ctx,
    sql`
    select ${notifiedColumns} from enquiries e where ${isOpenNow(ctx.now)} and e.verified_at >= ${at(daysBefore(ctx.now, MATCH_DAYS))}
    order by e.verified_at, e.id`,
    notifiedRow,
  )
  const bySeller = new Map<number, NotifiedEnquiry[]>()
  for (const row of rows)
    for (const sellerId of await findSellers(ctx, row)) bySeller.set(sellerId, [...(bySeller.get(sellerId) ?? []), row])
  let notified = 0
  for (const [sellerId, found] of bySeller) if (await notifyOnce(ctx, sellerId, found)) notified += 1
  return notified
}

/** Nearby sellers with a live animal of the kind (and breed, if requested) who were not notified of this enquiry, nor of any today. */
async function findSellers(ctx: Ctx, enquiry: NotifiedRow): Promise<number[]> {
  const kind =
    enquiry.categoryId === null
      ? sql`l.category_id in (select c.id from categories c where c.type_id = ${enquiry.categoryTypeId}::smallint)`
      : sql`l.category_id = ${enquiry.categoryId}::smallint`
  const breed = enquiry.breedId === null ? sql`true` : sql`l.breed_id = ${enquiry.breedId}::smallint`
  const { point } = enquiry
  // A PIN code without coordinates counts as near to its own district.
  const inDistrict = sql`l.district = ${enquiry.district}`
  const near = point ? sql`(${isWithin(sql`l.location`, point, MATCH_KM)} or (l.location is null and ${inDistrict}))` : inDistrict
  const distance = point ? sql`min(l.location <-> ${`(${toStoredPoint(point)})`}::point)` : sql`(0::int)`
  const rows = await rowsOf(
    ctx,
    sql`
    select s.id from (
      select l.seller_id::int as id, ${distance} as far from listings l
      where ${isLive(ctx.now)} and ${kind} and ${breed} and ${near} group by l.seller_id
    ) s
    where s.id <> ${enquiry.posterId}::bigint
      and not exists (select 1 from enquiry_matches x where x.enquiry_id = ${enquiry.id}::bigint and x.seller_id = s.id)
      and not exists (select 1 from enquiry_offers o join listings a on a.id = o.listing_id
        where o.enquiry_id = ${enquiry.id}::bigint and a.seller_id = s.id)
      and not exists (select 1 from alerts_off f where f.user_id = s.id and f.kind = 'wanted')
      and not exists (select 1 from alert_days d where d.user_id = s.id and d.kind = 'wanted' and d.day = ${indianDay(ctx.now)}::date)
    order by s.far nulls last, s.id limit ${SELLERS_PER_ENQUIRY}`,
    idRow,
  )
  return rows.map(({ id }) => id)
}

/** Rolls back: the seller was not notified, so the day is not used up. */
class NothingToNotify extends Error {}

/** The row of the day is the lock: one of several processes gets it. */
async function notifyOnce(ctx: Ctx, sellerId: number, found: NotifiedEnquiry[]): Promise<boolean> {
  const notify = async (ctx: Ctx) => {
    if (!(await takeAlertDay(ctx, sellerId, 'wanted'))) throw new NothingToNotify()
    const ids = sql.join(
      found.map(({ id }) => sql`${id}::bigint`),
      sql`, `,
    )
    // Check again: an enquiry may be closed meanwhile, or another process may have sent it the day before.
    const rows = await rowsOf(
      ctx,
      sql`
      insert into enquiry_matches (enquiry_id, seller_id, told_at)
      select e.id, ${sellerId}::bigint, ${at(ctx.now)} from enquiries e where e.id in (${ids}) and ${isOpenNow(ctx.now)}
      on conflict do nothing returning enquiry_id::int as id`,
      idRow,
    )
    const fresh = found.filter(({ id }) => rows.some((row) => row.id === id))
    const seller = fresh.length > 0 ? await findReceiver(ctx, sellerId) : null
    if (!seller) throw new NothingToNotify()
    await notifySeller(ctx, seller, fresh)
    return true
  }
  return inTransaction(ctx, notify).catch((error: unknown) => {
    if (error instanceof NothingToNotify) return false
    throw error
  })
}

/** In the daytime, notifies posters whose answers have become public since. Returns how many. */
export async function notifyOfOffers(ctx: Ctx): Promise<number> {
  if (!isNotificationTime(ctx.now)) return 0
  const hasNews = sql`not ${wasNotifiedLately(ctx.now)} and exists (select 1 from enquiry_offers o join listings l on l.id = o.listing_id
    where o.enquiry_id = e.id and o.told_at is null and ${isLive(ctx.now)})`
  return eachLocked(ctx, hasNews, notifyOffersOf)
}

/** Locks all open enquiries, `AT_ONCE` at a time, and skips rows that another process holds. Returns how many posters were notified. */
async function eachLocked(ctx: Ctx, condition: SQL, notify: (ctx: Ctx, row: NotifiedRow) => Promise<boolean>): Promise<number> {
  let notified = 0
  for (;;) {
    const { found, sent } = await inTransaction(ctx, async (ctx) => {
      const rows = await rowsOf(
        ctx,
        sql`
        select ${notifiedColumns} from enquiries e where ${isOpenNow(ctx.now)} and ${condition}
        order by e.id limit ${AT_ONCE} for no key update skip locked`,
        notifiedRow,
      )
      let sent = 0
      for (const row of rows) if (await notify(ctx, row)) sent += 1
      return { found: rows.length, sent }
    })
    notified += sent
    if (found < AT_ONCE) return notified
  }
}

const wasNotifiedLately = (now: Date) =>
  sql`exists (select 1 from enquiry_offers t where t.enquiry_id = e.id and t.told_at > ${at(new Date(now.getTime() - OFFER_QUIET_HOURS * HOUR))})`

const notifyOffersOfRow = z.object({ id: z.number(), name: z.string() })

/** Notifies the poster of all visible offers in one SMS; not again for some hours. Call it in a transaction that holds the enquiry's row lock. */
export async function notifyOffersOf(ctx: Ctx, enquiry: NotifiedEnquiry): Promise<boolean> {
  const poster = await findReceiver(ctx, enquiry.posterId)
  const rows = await rowsOf(
    ctx,
    sql`
    update enquiry_offers o set told_at = ${at(ctx.now)} from listings l, enquiries e
    where o.enquiry_id = ${enquiry.id}::bigint and o.told_at is null and l.id = o.listing_id and ${isLive(ctx.now)}
      and e.id = o.enquiry_id and not ${wasNotifiedLately(ctx.now)}
    returning o.id::int as id, ${poster?.locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name`,
    notifyOffersOfRow,
  )
  const [first, ...more] = rows.toSorted((a, b) => a.id - b.id)
  if (!first || !poster) return false
  await notifyOfOffer(ctx, enquiry, { name: hidePhones(first.name), more: more.length })
  return true
}

/** In the daytime, a week before expiry, asks the poster whether they still need it, once per renewal. Returns how many were asked. */
export async function notifyOfExpiring(ctx: Ctx): Promise<number> {
  if (!isNotificationTime(ctx.now)) return 0
  const isDue = sql`e.renewed_at < ${at(daysBefore(ctx.now, EXPIRES_AFTER_DAYS - ASKED_BEFORE_DAYS))}
    and not exists (select 1 from outbox o where o.user_id = e.poster_id and o.template = ${EXPIRING}
      and o.variables->>'link' like '%/view-enquiry/' || e.id::text and o.created_at > e.renewed_at)`
  return eachLocked(ctx, isDue, async (ctx, row) => {
    // Check again under the lock: another process may have asked before it released the row.
    const rows = await rowsOf(ctx, sql`select 1 from enquiries e where e.id = ${row.id}::bigint and ${isDue}`, anyRow)
    if (rows.length === 0) return false
    const day = expiresAt(row)
    await notifyOfExpiry(ctx, row, (locale) => formatDay(day, locale))
    return true
  })
}
