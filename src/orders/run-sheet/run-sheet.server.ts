import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { phoneFor, placeFor, requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { epochMs, momentShape, moneyShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { fieldRupees, formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { fetchCode } from '../bearers/fetch-code.server.ts'
import { shownPlace } from '#src/orders/card/order-view.server.ts'
import { countedName } from '../order-names.ts'
import { DELIVERED, HANDOVER_TRIES, isTerminal, ON_THE_WAY, statusName } from '../process.server.ts'
import type { PlaceSnapshot } from '../tables.ts'
import { sequenceOf, type Stop } from './sequence.ts'

/** More orders than a lorry delivers in a week. */
const MAX_ORDERS = 500

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
  status: z.number(),
  count: z.number(),
  name: z.string(),
  nameEn: z.string().nullable(),
  code: z.string(),
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
  hasLink: z.boolean(),
})
type Row = z.output<typeof row>

const windows = { morning: 0, midday: 1, evening: 2 }

/** The orders to fetch and deliver on a day, and those delivered then; of one bearer or all. One statement. */
async function readDay(ctx: Ctx, day: string, bearerId: number | null): Promise<Row[]> {
  const pointOf = (column: 'pickup' | 'delivery') => sql`(select case when z.lat is null or z.lon is null then null
      else json_build_object('lat', z.lat, 'lon', z.lon) end from pincodes z where z.pincode = (orders.${sql.raw(column)} ->> 'pincode')::char(6))`
  return rowsOf(
    ctx,
    sql`
    select orders.id::int, orders.order_no as "orderNo", ${epochMs(sql`orders.created_at`)} as "createdAt", orders.status, orders.count,
      orders.animal->>'name' as name, orders.animal->>'nameEn' as "nameEn", orders.animal->>'code' as code,
      (orders.unit_price * orders.count - orders.discount)::text as payable, orders.deliver_window as window,
      orders.handover_tries as "handoverTries", orders.pickup, orders.delivery, ${pointOf('pickup')} as "pickupAt",
      ${pointOf('delivery')} as "deliveryAt", listed.id::int as "bearerId", coalesce(nullif(listed.name, ''), carrier.name) as bearer,
      coalesce(listed.phone, carrier.phone) as "bearerPhone",
      exists (select 1 from run_links k where k.bearer_id = listed.id and k.day = ${day}::date and k.revoked_at is null) as "hasLink"
    from orders
    left join bearers listed on listed.id = orders.listed_bearer_id
    left join users carrier on carrier.id = orders.bearer_id
    where orders.deliver_on = ${day}::date and orders.status <= ${DELIVERED}
      ${bearerId === null ? sql`` : sql`and orders.listed_bearer_id = ${bearerId}::bigint`}
    order by orders.id limit ${MAX_ORDERS}`,
    row,
  )
}

interface SheetStop extends Stop {
  row: Row
}

function stopsOf(rows: Row[]): SheetStop[] {
  return rows.flatMap((row): SheetStop[] => {
    if (isTerminal(row.status)) return []
    const shared = { orderId: row.id, row }
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
    triesLeft: Math.max(HANDOVER_TRIES - handoverTries, 0),
  }
}
export type ShownStop = ReturnType<typeof shownStop>

const totalOf = (rows: Row[]) => rows.reduce((sum, { status, payable }) => (isTerminal(status) ? sum : sum + payable), 0n)

const shownDone = (ctx: Ctx, rows: Row[]) =>
  rows
    .filter(({ status }) => isTerminal(status))
    .map(({ id, orderNo, status }) => ({ id, orderNo, statusName: statusName(status, ctx.locale) }))

/** The run sheets of a day for the desk: one per bearer, stops in sequence, orders without a bearer last. */
export async function readRunSheets(ctx: Ctx, day: string, bearerId: number | null) {
  const viewer = requireCan(ctx, 'operate')
  await audit(ctx, 'sensitive_read', 'orders:all', { what: 'run-sheet', day })
  const rows = await readDay(ctx, day, bearerId)
  // Today's stops show numbers and streets whole (decisions.md §7.12). The desk phones a bearer before their day, too.
  const today = indianDay(ctx.now)
  const seen = (place: PlaceSnapshot) => (day === today ? place : placeFor(viewer, place))
  const bearerPhone = (phone: string | null) => (phone === null || day >= today ? phone : phoneFor(viewer, phone))
  const sheets = [...Map.groupBy(rows, (row) => (row.bearer === null ? '' : `${row.bearerId} ${row.bearer}`))].map(([key, of]) => ({
    key,
    bearer: of[0]!.bearer === null ? null : { id: of[0]!.bearerId, name: of[0]!.bearer, phone: bearerPhone(of[0]!.bearerPhone) },
    hasLink: of[0]!.hasLink,
    stops: sequenceOf(stopsOf(of)).map((stop) => shownStop(ctx, stop, seen)),
    done: shownDone(ctx, of),
    total: formatRupees(totalOf(of)),
  }))
  return sheets.toSorted((a, b) => Number(a.bearer === null) - Number(b.bearer === null))
}
export type RunSheet = Awaited<ReturnType<typeof readRunSheets>>[number]

/** The bearer's own stops of the day, with whole phone numbers. The caller has checked the link. */
export async function readOwnRun(ctx: Ctx, day: string, bearerId: number) {
  const rows = await readDay(ctx, day, bearerId)
  return {
    stops: sequenceOf(stopsOf(rows)).map((stop) => shownStop(ctx, stop, (place) => place)),
    done: shownDone(ctx, rows),
    total: formatRupees(totalOf(rows)),
  }
}
