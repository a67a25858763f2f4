import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { phoneFor, placeFor, requireCan } from '#src/accounts/policy.ts'
import type { Point } from '#src/addresses/places.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { epochMs, momentShape, moneyShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { fieldRupees, formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { fetchCode } from '../bearers/fetch-code.server.ts'
import { shownPlace } from '#src/orders/card/order-view.server.ts'
import { countedName } from '../order-names.ts'
import { HANDOVER_TRIES, isTerminal, statusName } from '../process.server.ts'
import { CANCELLED, DELIVERED, ON_THE_WAY, READY, REFUSED } from '../process.server.ts'
import type { PlaceSnapshot } from '../tables.ts'
import { fullestOf, type LoadedStop } from './load.ts'
import { kilometresOf, sequenceOf } from './sequence.ts'

/** More orders than a lorry delivers in a week. */
const MAX_ORDERS = 500

/** Above these a day is hardly possible: twelve animals fetched and brought, and eight hours on country roads. */
const MAX_STOPS = 24
const MAX_KM = 200

const placeShape: z.ZodType<PlaceSnapshot> = z.object({
  name: z.string(),
  phone: z.string(),
  address1: z.string(),
  address2: z.string(),
  pincode: z.string(),
  taluk: z.string(),
  district: z.string(),
  state: z.string(),
})
const point = z.object({ lat: z.number(), lon: z.number() }).nullable()
const row = z.object({
  id: z.number(),
  orderNo: z.string(),
  createdAt: momentShape,
  changedAt: momentShape,
  status: z.number(),
  count: z.number(),
  name: z.string(),
  nameEn: z.string().nullable(),
  code: z.string(),
  categoryId: z.number(),
  payable: moneyShape,
  window: z.enum(['morning', 'midday', 'evening']).nullable(),
  handoverTries: z.number(),
  pickup: placeShape,
  delivery: placeShape,
  pickupAt: point,
  deliveryAt: point,
  bearerId: z.number().nullable(),
  bearer: z.string().nullable(),
  bearerPhone: z.string().nullable(),
  carrierId: z.number().nullable(),
  capacity: z.number().nullable(),
  hasLink: z.boolean(),
})
type Row = z.output<typeof row>

const windows = { morning: 0, midday: 1, evening: 2 }

/** A day's orders of one bearer or all: to fetch, to deliver, delivered, and to take back. One statement. */
async function readDay(ctx: Ctx, day: string, bearerId: number | null): Promise<Row[]> {
  const pointOf = (column: 'pickup' | 'delivery') => sql`(select case when z.lat is null or z.lon is null then null
      else json_build_object('lat', z.lat, 'lon', z.lon) end from pincodes z where z.pincode = (orders.${sql.raw(column)} ->> 'pincode')::char(6))`
  return rowsOf(
    ctx,
    sql`
    select orders.id::int, orders.order_no as "orderNo", ${epochMs(sql`orders.created_at`)} as "createdAt",
      ${epochMs(sql`orders.changed_at`)} as "changedAt", orders.status, orders.count,
      orders.animal->>'name' as name, orders.animal->>'nameEn' as "nameEn", orders.animal->>'code' as code,
      (orders.animal->>'categoryId')::int as "categoryId",
      (orders.unit_price * orders.count - orders.discount)::text as payable, orders.deliver_window as window,
      orders.handover_tries as "handoverTries", orders.pickup, orders.delivery, ${pointOf('pickup')} as "pickupAt",
      ${pointOf('delivery')} as "deliveryAt", listed.id::int as "bearerId", coalesce(nullif(listed.name, ''), carrier.name) as bearer,
      coalesce(listed.phone, carrier.phone) as "bearerPhone", listed.capacity, carrier.id::int as "carrierId",
      exists (select 1 from run_links k where k.bearer_id = listed.id and k.day = ${day}::date and k.revoked_at is null) as "hasLink"
    from orders
    left join bearers listed on listed.id = orders.listed_bearer_id
    left join users carrier on carrier.id = orders.bearer_id
    where orders.deliver_on = ${day}::date 
      and (orders.status <= ${DELIVERED} or exists (
        select 1 from order_steps s
        where s.order_id = orders.id and s.from_status = ${ON_THE_WAY} and s.to_status = orders.status
          and s.to_status in (${CANCELLED}, ${REFUSED})))
      ${bearerId === null ? sql`` : sql`and orders.listed_bearer_id = ${bearerId}::bigint`}
    order by orders.id limit ${MAX_ORDERS}`,
    row,
  )
}

interface SheetStop extends LoadedStop {
  row: Row
}

function stopsOf(rows: Row[]): SheetStop[] {
  return rows.flatMap((row): SheetStop[] => {
    if (isTerminal(row.status)) return []
    const shared = { orderId: row.id, categoryId: row.categoryId, count: row.count, row }
    const bring = { ...shared, kind: 'bring' as const, at: row.deliveryAt, window: row.window && windows[row.window] }
    // An order on the way has been fetched already.
    return row.status === ON_THE_WAY ? [bring] : [{ ...shared, kind: 'fetch', at: row.pickupAt, window: null }, bring]
  })
}

const windowTexts = { morning: m.order_window_morning, midday: m.order_window_midday, evening: m.order_window_evening }

/** A stop in the viewer's language. `seen` is the place as the viewer sees it. */
function shownStop(ctx: Ctx, { kind, row }: SheetStop, seen: (place: PlaceSnapshot) => PlaceSnapshot) {
  const { locale } = ctx
  const { id, orderNo, code, window, bearerId, createdAt, payable, status, handoverTries } = row
  return {
    key: `${kind}-${id}`,
    kind,
    id,
    orderNo,
    animal: countedName(row, locale),
    code,
    place: shownPlace(seen(kind === 'fetch' ? row.pickup : row.delivery), locale),
    when: window && windowTexts[window]({}, { locale }),
    /** The fetch code for the seller; the stop at the buyer's shows the amount instead. */
    say: kind === 'fetch' && bearerId !== null ? fetchCode(ctx, { id, listedBearerId: bearerId, createdAt }) : null,
    amount: kind === 'bring' ? formatRupees(payable) : null,
    payableRupees: fieldRupees(payable),
    status,
    statusName: statusName(status, locale),
    isOnTheWay: status === ON_THE_WAY,
    /** The office has released it: it can be fetched. */
    isReady: status === READY,
    /** The tries of this stop's digits. Those of the buyer begin when the animal leaves. */
    triesLeft: kind === 'bring' && status !== ON_THE_WAY ? HANDOVER_TRIES : Math.max(HANDOVER_TRIES - handoverTries, 0),
  }
}
export type ShownStop = ReturnType<typeof shownStop>

/** The last place that the bearer reached on this day; null before their first act. */
function lastPlaceOf(rows: readonly Row[], day: string): Point | null {
  const reached = rows.filter(({ status, changedAt }) => status >= ON_THE_WAY && indianDay(changedAt) === day)
  const last = reached.reduce<Row | null>((a, b) => (a && a.changedAt >= b.changedAt ? a : b), null)
  return last && (last.status === ON_THE_WAY ? last.pickupAt : last.deliveryAt)
}

/** A bearer's day: the stops in sequence, its sums, and whatever makes it hardly possible. */
function dayOf(ctx: Ctx, rows: Row[], day: string, seen: (place: PlaceSnapshot) => PlaceSnapshot) {
  const opts = { locale: ctx.locale }
  // Orders without a bearer have no common place to begin at.
  const from = rows[0]?.bearer == null ? null : lastPlaceOf(rows, day)
  const tour = sequenceOf(stopsOf(rows), from)
  const km = kilometresOf(tour, from)
  const cows = fullestOf(tour)
  const capacity = rows[0]?.capacity ?? null
  const payable = rows.reduce((sum, { status, payable }) => (isTerminal(status) ? sum : sum + payable), 0n)
  return {
    stops: tour.map((stop) => shownStop(ctx, stop, seen)),
    /** Ended on the way: the animal goes back to its seller. */
    returns: rows
      .filter(({ status }) => status > DELIVERED)
      .map((row) => ({
        id: row.id,
        orderNo: row.orderNo,
        animal: countedName(row, ctx.locale),
        statusName: statusName(row.status, ctx.locale),
        place: shownPlace(seen(row.pickup), ctx.locale),
      })),
    done: rows
      .filter(({ status }) => status === DELIVERED)
      .map(({ id, orderNo, status }) => ({ id, orderNo, statusName: statusName(status, ctx.locale) })),
    sums: tour.length === 1 ? m.run_sums_one({ km }, opts) : m.run_sums({ count: tour.length, km }, opts),
    total: formatRupees(payable),
    /** Nobody has stated what the vehicle takes, so nothing warns of overload. */
    isLoadUnknown: cows > 0 && capacity === null,
    warnings: [
      tour.length > MAX_STOPS && m.run_warn_stops({ count: MAX_STOPS }, opts),
      km > MAX_KM && m.run_warn_km({ km: MAX_KM }, opts),
      capacity !== null && cows > capacity && m.run_warn_load({ cows, capacity }, opts),
    ].filter((text) => text !== false),
  }
}

/** Two accounts that are not in the list of bearers may have the same name. */
const keyOf = ({ bearer, bearerId, carrierId }: Row): string => (bearer === null ? '' : String(bearerId ?? `account ${carrierId}`))

/** The run sheets of a day for the desk: one per bearer, stops in sequence, orders without a bearer last. */
export async function readRunSheets(ctx: Ctx, day: string, bearerId: number | null) {
  const viewer = requireCan(ctx, 'operate')
  await audit(ctx, 'sensitive_read', 'orders:all', { what: 'run-sheet', day })
  const rows = await readDay(ctx, day, bearerId)
  // Today's stops show numbers and streets whole (decisions.md §7.12). The desk phones a bearer before their day, too.
  const today = indianDay(ctx.now)
  const seen = (place: PlaceSnapshot) => (day === today ? place : placeFor(viewer, place))
  const bearerPhone = (phone: string | null) => (phone === null || day >= today ? phone : phoneFor(viewer, phone))
  const sheets = [...Map.groupBy(rows, keyOf)].map(([key, of]) => ({
    key,
    bearer: of[0]!.bearer === null ? null : { id: of[0]!.bearerId, name: of[0]!.bearer, phone: bearerPhone(of[0]!.bearerPhone) },
    hasLink: of[0]!.hasLink,
    ...dayOf(ctx, of, day, seen),
  }))
  return sheets.toSorted((a, b) => Number(a.bearer === null) - Number(b.bearer === null))
}
export type RunSheet = Awaited<ReturnType<typeof readRunSheets>>[number]

/** The bearer's own stops of the day, with whole phone numbers. The caller has checked the link. */
export const readOwnRun = async (ctx: Ctx, day: string, bearerId: number) =>
  dayOf(ctx, await readDay(ctx, day, bearerId), day, (place) => place)
