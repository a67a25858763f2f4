import { sql, type SQL } from 'drizzle-orm'
import { readStoredPoint } from '#src/accounts/places.ts'
import { findReceiver } from '#src/accounts/receivers.server.ts'
import { isTellingTime, takeAlertDay } from '#src/alerts/once-a-day.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { daysBefore, formatDay, indianDay } from '#src/kit/dates.ts'
import { isLive } from '#src/listings/browse.server.ts'
import { EXPIRING, tellOfExpiry, tellOfOffer, tellSeller, type ToldEnquiry } from './enquiry-messages.server.ts'
import { at, isOpenNow, isWithin } from './queries.server.ts'
import { ASKED_BEFORE_DAYS, expiresAt, EXPIRES_AFTER_DAYS } from './rules.ts'

/** How far a buyer drives for a good animal: about three hours of a loaded van. */
const MATCH_KM = 100
/** Sellers are told of what was approved this lately, those too who list such an animal meanwhile; what is older they find on the board. */
const MATCH_DAYS = 10
/** Of one enquiry in one round, the nearest first: each is an SMS that is paid for. */
const SELLERS_PER_ENQUIRY = 100
/** After one SMS about answers the next ones are gathered for so long. */
const OFFER_QUIET_HOURS = 3
/** In one transaction: few enough that nobody waits for it. */
const AT_ONCE = 50

const HOUR = 3_600_000

interface ToldRow {
  id: number
  poster_id: number
  category_type_id: number
  category_id: number | null
  breed_id: number | null
  district: string
  location: string | null
  renewed_ms: string
}
const toldColumns = sql`e.id::int as id, e.poster_id::int as poster_id, e.category_type_id, e.category_id, e.breed_id, e.district,
  e.location::text as location, floor(extract(epoch from e.renewed_at) * 1000)::bigint as renewed_ms`
const toTold = (row: ToldRow): ToldEnquiry => ({
  id: row.id,
  posterId: row.poster_id,
  categoryTypeId: row.category_type_id,
  categoryId: row.category_id,
  breedId: row.breed_id,
  district: row.district,
})

/**
 * One SMS to each seller who has such an animal near: of all that is new to him, once an Indian day at most, by day, and never twice of the
 * same enquiry. Several processes may look at once. Answers how many were told.
 */
export async function tellMatchingSellers(ctx: Ctx): Promise<number> {
  if (!isTellingTime(ctx.now)) return 0
  const { rows } = (await ctx.db.execute(sql`
    select ${toldColumns} from enquiries e where ${isOpenNow(ctx.now)} and e.verified_at >= ${at(daysBefore(ctx.now, MATCH_DAYS))}
    order by e.verified_at, e.id`)) as unknown as { rows: ToldRow[] }
  const bySeller = new Map<number, ToldEnquiry[]>()
  for (const row of rows)
    for (const sellerId of await findSellers(ctx, row)) bySeller.set(sellerId, [...(bySeller.get(sellerId) ?? []), toTold(row)])
  let told = 0
  for (const [sellerId, found] of bySeller) if (await tellOnce(ctx, sellerId, found)) told += 1
  return told
}

/** With a live animal of the kind, and of the breed where one is asked, near enough; who has not heard of it and can be told today. */
async function findSellers(ctx: Ctx, enquiry: ToldRow): Promise<number[]> {
  const kind =
    enquiry.category_id === null
      ? sql`l.category_id in (select c.id from categories c where c.type_id = ${enquiry.category_type_id}::smallint)`
      : sql`l.category_id = ${enquiry.category_id}::smallint`
  const breed = enquiry.breed_id === null ? sql`true` : sql`l.breed_id = ${enquiry.breed_id}::smallint`
  const point = enquiry.location === null ? null : readStoredPoint(enquiry.location)
  // A PIN code without a place on record is near to its own district.
  const inDistrict = sql`l.district = ${enquiry.district}`
  const near = point ? sql`(${isWithin(sql`l.location`, point, MATCH_KM)} or (l.location is null and ${inDistrict}))` : inDistrict
  const distance = enquiry.location === null ? sql`(0::int)` : sql`min(l.location <-> ${enquiry.location}::point)`
  const { rows } = (await ctx.db.execute(sql`
    select s.id from (
      select l.seller_id::int as id, ${distance} as far from listings l
      where ${isLive(ctx.now)} and ${kind} and ${breed} and ${near} group by l.seller_id
    ) s
    where s.id <> ${enquiry.poster_id}::bigint
      and not exists (select 1 from enquiry_matches x where x.enquiry_id = ${enquiry.id}::bigint and x.seller_id = s.id)
      and not exists (select 1 from enquiry_offers o join listings a on a.id = o.listing_id
        where o.enquiry_id = ${enquiry.id}::bigint and a.seller_id = s.id)
      and not exists (select 1 from alerts_off f where f.user_id = s.id and f.kind = 'wanted')
      and not exists (select 1 from alert_days d where d.user_id = s.id and d.kind = 'wanted' and d.day = ${indianDay(ctx.now)}::date)
    order by s.far nulls last, s.id limit ${SELLERS_PER_ENQUIRY}`)) as unknown as { rows: { id: number }[] }
  return rows.map(({ id }) => id)
}

/** Undoes what was written: he was told nothing, so his day is not used up. */
class NothingToTell extends Error {}

/** The day is the lock: of several processes one gets it. */
async function tellOnce(ctx: Ctx, sellerId: number, found: ToldEnquiry[]): Promise<boolean> {
  const tell = async (ctx: Ctx) => {
    if (!(await takeAlertDay(ctx, sellerId, 'wanted'))) throw new NothingToTell()
    const ids = sql.join(
      found.map(({ id }) => sql`${id}::bigint`),
      sql`, `,
    )
    // Looked at anew: closed meanwhile, or told by another process in the day before.
    const { rows } = (await ctx.db.execute(sql`
      insert into enquiry_matches (enquiry_id, seller_id, told_at)
      select e.id, ${sellerId}::bigint, ${at(ctx.now)} from enquiries e where e.id in (${ids}) and ${isOpenNow(ctx.now)}
      on conflict do nothing returning enquiry_id::int as id`)) as unknown as { rows: { id: number }[] }
    const fresh = found.filter(({ id }) => rows.some((row) => row.id === id))
    const seller = fresh.length > 0 ? await findReceiver(ctx, sellerId) : null
    if (!seller) throw new NothingToTell()
    await tellSeller(ctx, seller, fresh)
    return true
  }
  return inTransaction(ctx, tell).catch((error: unknown) => {
    if (error instanceof NothingToTell) return false
    throw error
  })
}

/** By day: whose answers have become public since. Answers how many posters were told. */
export async function tellOfOffers(ctx: Ctx): Promise<number> {
  if (!isTellingTime(ctx.now)) return 0
  const hasNews = sql`not ${wasToldLately(ctx.now)} and exists (select 1 from enquiry_offers o join listings l on l.id = o.listing_id
    where o.enquiry_id = e.id and o.told_at is null and ${isLive(ctx.now)})`
  return eachLocked(ctx, hasNews, (ctx, row) => tellOffersOf(ctx, toTold(row)))
}

/** `AT_ONCE` open enquiries at a time, locked, until none is left; those that another process holds are its business. Answers how many were told of. */
async function eachLocked(ctx: Ctx, condition: SQL, tell: (ctx: Ctx, row: ToldRow) => Promise<boolean>): Promise<number> {
  let told = 0
  for (;;) {
    const found = await inTransaction(ctx, async (ctx) => {
      const { rows } = (await ctx.db.execute(sql`
        select ${toldColumns} from enquiries e where ${isOpenNow(ctx.now)} and ${condition}
        order by e.id limit ${AT_ONCE} for no key update skip locked`)) as unknown as { rows: ToldRow[] }
      for (const row of rows) if (await tell(ctx, row)) told += 1
      return rows.length
    })
    if (found < AT_ONCE) return told
  }
}

const wasToldLately = (now: Date) =>
  sql`exists (select 1 from enquiry_offers t where t.enquiry_id = e.id and t.told_at > ${at(new Date(now.getTime() - OFFER_QUIET_HOURS * HOUR))})`

/**
 * The poster hears of all that sellers have offered and he can see, in one SMS; not again for some hours. In a transaction that holds the
 * enquiry's row.
 */
export async function tellOffersOf(ctx: Ctx, enquiry: ToldEnquiry): Promise<boolean> {
  const poster = await findReceiver(ctx, enquiry.posterId)
  const { rows } = (await ctx.db.execute(sql`
    update enquiry_offers o set told_at = ${at(ctx.now)} from listings l, enquiries e
    where o.enquiry_id = ${enquiry.id}::bigint and o.told_at is null and l.id = o.listing_id and ${isLive(ctx.now)}
      and e.id = o.enquiry_id and not ${wasToldLately(ctx.now)}
    returning o.id::int as id, ${poster?.locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`} as name`)) as unknown as {
    rows: { id: number; name: string }[]
  }
  const [first, ...more] = rows.toSorted((a, b) => a.id - b.id)
  if (!first || !poster) return false
  await tellOfOffer(ctx, enquiry, { name: first.name, more: more.length })
  return true
}

/** A week before it is over, by day: does he still need it? Once for each time it was renewed. Answers how many were asked. */
export async function tellOfExpiring(ctx: Ctx): Promise<number> {
  if (!isTellingTime(ctx.now)) return 0
  const isDue = sql`e.renewed_at < ${at(daysBefore(ctx.now, EXPIRES_AFTER_DAYS - ASKED_BEFORE_DAYS))}
    and not exists (select 1 from outbox o where o.user_id = e.poster_id and o.template = ${EXPIRING}
      and o.variables->>'link' like '%/view-enquiry/' || e.id::text and o.created_at > e.renewed_at)`
  return eachLocked(ctx, isDue, async (ctx, row) => {
    // Looked at anew under the lock: another process may have asked before it let go of the row.
    const { rows } = (await ctx.db.execute(sql`select 1 from enquiries e where e.id = ${row.id}::bigint and ${isDue}`)) as unknown as {
      rows: unknown[]
    }
    if (rows.length === 0) return false
    const day = expiresAt({ renewedAt: new Date(Number(row.renewed_ms)) })
    await tellOfExpiry(ctx, toTold(row), (locale) => formatDay(day, locale))
    return true
  })
}
