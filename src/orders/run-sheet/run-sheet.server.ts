import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { phoneFor, placeFor, requireCan } from '#src/accounts/policy.ts'
import type { Point } from '#src/addresses/places.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { fieldRupees, formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { fetchCode } from '../bearers/fetch-code.server.ts'
import { shownPlace, type ShownPlace } from '#src/orders/card/order-view.server.ts'
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
  order_no: z.string(),
  created_at_ms: z.number(),
  status: z.number(),
  count: z.number(),
  name: z.string(),
  name_en: z.string().nullable(),
  code: z.string(),
  payable: z.string(),
  window: z.enum(['morning', 'midday', 'evening']).nullable(),
  handover_tries: z.number(),
  pickup: placeShape,
  delivery: placeShape,
  pickup_at: point,
  delivery_at: point,
  bearer_id: z.number().nullable(),
  bearer: z.string().nullable(),
  bearer_phone: z.string().nullable(),
  has_link: z.boolean(),
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
    select orders.id::int, orders.order_no, (extract(epoch from orders.created_at) * 1000)::float8 as created_at_ms, orders.status, orders.count, orders.animal->>'name' as name, orders.animal->>'nameEn' as name_en,
      orders.animal->>'code' as code, (orders.unit_price * orders.count - orders.discount)::text as payable, orders.deliver_window as window,
      orders.handover_tries, orders.pickup, orders.delivery, ${pointOf('pickup')} as pickup_at, ${pointOf('delivery')} as delivery_at,
      listed.id::int as bearer_id, coalesce(nullif(listed.name, ''), carrier.name) as bearer, coalesce(listed.phone, carrier.phone) as bearer_phone,
      exists (select 1 from run_links k where k.bearer_id = listed.id and k.day = ${day}::date and k.revoked_at is null) as has_link
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
    const bring = { ...shared, kind: 'bring' as const, at: row.delivery_at as Point | null, window: row.window && windows[row.window] }
    // An order on the way has been fetched already.
    return row.status === ON_THE_WAY ? [bring] : [{ ...shared, kind: 'fetch', at: row.pickup_at as Point | null, window: null }, bring]
  })
}

const windowTexts = { morning: m.order_window_morning, midday: m.order_window_midday, evening: m.order_window_evening }

/** A stop in the viewer's language. `seen` is the place as the viewer sees it. */
function shownStop(ctx: Ctx, { kind, row }: SheetStop, seen: (place: PlaceSnapshot) => PlaceSnapshot) {
  const { locale } = ctx
  const place: ShownPlace = shownPlace(seen(kind === 'fetch' ? row.pickup : row.delivery), locale)
  const name = (locale === 'en' ? row.name_en : null) ?? row.name
  return {
    key: `${kind}-${row.id}`,
    kind,
    id: row.id,
    orderNo: row.order_no,
    animal: row.count === 1 ? name : `${name}\u00a0×\u00a0${row.count}`,
    code: row.code,
    place,
    when: row.window && windowTexts[row.window]({}, { locale }),
    /** The fetch code for the seller; the stop at the buyer's shows the amount instead. */
    say:
      kind === 'fetch' && row.bearer_id !== null
        ? fetchCode(ctx, { id: row.id, listedBearerId: row.bearer_id, createdAt: new Date(row.created_at_ms) })
        : null,
    amount: kind === 'bring' ? formatRupees(BigInt(row.payable)) : null,
    payableRupees: fieldRupees(BigInt(row.payable)),
    status: row.status,
    statusName: statusName(row.status, locale),
    isOnTheWay: row.status === ON_THE_WAY,
    triesLeft: Math.max(HANDOVER_TRIES - row.handover_tries, 0),
  }
}
export type ShownStop = ReturnType<typeof shownStop>

const totalOf = (rows: Row[]) => rows.reduce((sum, { status, payable }) => (isTerminal(status) ? sum : sum + BigInt(payable)), 0n)

const shownDone = (ctx: Ctx, rows: Row[]) =>
  rows
    .filter(({ status }) => isTerminal(status))
    .map((row) => ({ id: row.id, orderNo: row.order_no, statusName: statusName(row.status, ctx.locale) }))

/** The run sheets of a day for the desk: one per bearer, stops in sequence, orders without a bearer last. */
export async function readRunSheets(ctx: Ctx, day: string, bearerId: number | null) {
  const viewer = requireCan(ctx, 'operate')
  await audit(ctx, 'sensitive_read', 'orders:all', { what: 'run-sheet', day })
  const rows = await readDay(ctx, day, bearerId)
  // Today's stops show numbers and streets whole (decisions.md §7.12). The desk phones a bearer before their day, too.
  const today = indianDay(ctx.now)
  const seen = (place: PlaceSnapshot) => (day === today ? place : placeFor(viewer, place))
  const bearerPhone = (phone: string | null) => (phone === null || day >= today ? phone : phoneFor(viewer, phone))
  const sheets = [...Map.groupBy(rows, (row) => (row.bearer === null ? '' : `${row.bearer_id} ${row.bearer}`))].map(([key, of]) => ({
    key,
    bearer: of[0]!.bearer === null ? null : { id: of[0]!.bearer_id, name: of[0]!.bearer, phone: bearerPhone(of[0]!.bearer_phone) },
    hasLink: of[0]!.has_link,
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
