import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { findPlace } from '#src/addresses/places.server.ts'
import { findReceiver, SMS_NAME, smsTo, receiverShape, type Receiver } from '#src/accounts/notifications/receivers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { moneyShape, oneRowOf, rowsOf } from '#src/kit/db/rows.server.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { conditionsFor, isLive } from '#src/listings/browse/browse.server.ts'
import { m } from '#src/paraglide/messages.js'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { isNotificationTime, takeAlertDay } from './once-a-day.server.ts'
import { WAITING_DAYS } from './rules.ts'
import { listSavedSearches } from './saved.server.ts'
import { savedSearches } from './tables.ts'

const PEOPLE_AT_ONCE = 200

const personShape = receiverShape.pick({ id: true, locale: true })
type Person = z.output<typeof personShape>

/**
 * Notifies people who saved an animal that costs less now, or a search with new results: one SMS, once a day at most and during the day.
 * Safe in several processes: only one takes a person's slot of the day, and the same transaction records what was reported. Returns the
 * number of notified people.
 */
export async function notifySavers(ctx: Ctx): Promise<number> {
  if (!isNotificationTime(ctx.now)) return 0
  let notified = 0
  let lastId = 0
  for (;;) {
    const people = await whoMayBeNotified(ctx, lastId)
    for (const person of people) if (await notifyOne(ctx, person)) notified += 1
    lastId = people.at(-1)?.id ?? 0
    if (people.length < PEOPLE_AT_ONCE) return notified
  }
}

const hasDrop = (ctx: Ctx, userId: ReturnType<typeof sql>) => sql`exists (
  select 1 from saved_listings s join listings l on l.id = s.listing_id where s.user_id = ${userId} and l.price < s.known_price and ${isLive(ctx.now)})`

/** Leaves out people who were notified today or have switched it off. */
async function whoMayBeNotified(ctx: Ctx, afterId: number): Promise<Person[]> {
  return rowsOf(
    ctx,
    sql`
    select u.id::float8 as id, u.locale from users u
    where u.is_active and u.id > ${afterId}::bigint
      and (${hasDrop(ctx, sql`u.id`)} or exists (select 1 from saved_searches q where q.user_id = u.id))
      and not exists (select 1 from alerts_off o where o.user_id = u.id and o.kind = 'saved')
      and not exists (select 1 from alert_days d where d.user_id = u.id and d.kind = 'saved' and d.day = ${indianDay(ctx.now)}::date)
    order by u.id limit ${PEOPLE_AT_ONCE}`,
    personShape,
  )
}

const newsShape = z.object({
  id: z.number(),
  name: z.string(),
  price: moneyShape,
  /** The former price of an animal that costs less now. */
  before: moneyShape.optional(),
})
type News = z.output<typeof newsShape>

async function notifyOne(ctx: Ctx, person: Person): Promise<boolean> {
  const { found, searchIds } = await findNew(ctx, person)
  return inTransaction(ctx, async (ctx) => {
    if (found.length === 0 && !(await findsDrop(ctx, person))) return false
    const receiver = await findReceiver(ctx, person.id)
    if (!receiver || !(await takeAlertDay(ctx, person.id, 'saved'))) return false
    const drops = await takeDrops(ctx, person)
    if (searchIds.length > 0)
      await ctx.db
        .update(savedSearches)
        .set({ lookedAt: ctx.now })
        .where(and(eq(savedSearches.userId, person.id), inArray(savedSearches.id, searchIds)))
    await notify(ctx, receiver, drops, found)
    return true
  })
}

const findsDropRow = z.object({ isSo: z.boolean() })

async function findsDrop(ctx: Ctx, { id }: Person): Promise<boolean> {
  return (await oneRowOf(ctx, sql`select ${hasDrop(ctx, sql`${id}::bigint`)} as "isSo"`, findsDropRow)).isSo
}

const takeDropsRow = newsShape.extend({ before: moneyShape })

/** Stores the reported price as the one that the person knows. */
async function takeDrops(ctx: Ctx, { id, locale }: Person): Promise<News[]> {
  return rowsOf(
    ctx,
    sql`
    with dropped as (
      select s.listing_id, s.known_price, l.price, ${nameIn(locale)} as name from saved_listings s join listings l on l.id = s.listing_id
      where s.user_id = ${id}::bigint and l.price < s.known_price and ${isLive(ctx.now)} order by s.listing_id for no key update of s
    )
    update saved_listings s set known_price = dropped.price from dropped where s.user_id = ${id}::bigint and s.listing_id = dropped.listing_id
    returning s.listing_id::float8 as id, dropped.name, dropped.price::text as price, dropped.known_price::text as before`,
    takeDropsRow,
  )
}

/** Animals that became public since each of the person's searches last ran, each once and without the person's own. */
async function findNew(ctx: Ctx, { id, locale }: Person): Promise<{ found: News[]; searchIds: number[] }> {
  const found = new Map<number, News>()
  const searchIds: number[] = []
  for (const { id: searchId, choices, lookedAt } of await listSavedSearches(ctx, id)) {
    const near = choices.near === '' ? null : findPlace(choices.near)
    // For an unknown place the list shows animals from everywhere with a notice, which an SMS cannot explain.
    if (choices.near !== '' && near === null) continue
    const since = lookedAt.toISOString()
    const rows = await rowsOf(
      ctx,
      sql`
      select l.id::float8 as id, ${nameIn(locale)} as name, l.price::text as price from listings l
      where ${conditionsFor(ctx, choices, near)} and l.seller_id <> ${id}::bigint
        and l.created_at > ${daysBefore(lookedAt, WAITING_DAYS).toISOString()}::timestamptz
        and coalesce((select min(v.created_at) from verifications v where v.listing_id = l.id and v.passed), l.created_at) > ${since}::timestamptz
      order by l.created_at desc, l.id desc limit 100`,
      newsShape,
    )
    if (rows.length > 0) searchIds.push(searchId)
    for (const row of rows) found.set(row.id, row)
  }
  return { found: [...found.values()], searchIds }
}

async function notify(ctx: Ctx, person: Receiver, drops: News[], found: News[]): Promise<void> {
  const { locale } = person
  const [first] = [...drops, ...found]
  if (!first) return
  const isOne = drops.length + found.length === 1
  const variables = {
    name: shorten(hidePhones(first.name), SMS_NAME),
    price: formatRupees(first.price),
    before: formatRupees(first.before ?? first.price),
    drops: String(drops.length),
    found: String(found.length),
    link: ctx.publicOrigin + localized(isOne ? `/product/${first.id}` : '/saved', locale),
  }
  const [template, text] = textFor(drops.length, found.length)
  await queueMessage(ctx, smsTo(person, template, variables, text(variables, { locale })))
}

function textFor(drops: number, found: number) {
  if (found === 0) return drops === 1 ? (['saved-drop', m.sms_saved_drop] as const) : (['saved-drops', m.sms_saved_drops] as const)
  if (drops > 0) return ['saved-news', m.sms_saved_news] as const
  return found === 1 ? (['saved-found', m.sms_saved_found] as const) : (['saved-founds', m.sms_saved_founds] as const)
}
