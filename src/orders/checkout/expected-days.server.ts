import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { kilometresBetween } from '#src/addresses/places.ts'
import type { Ctx } from '#src/kit/context.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { DELIVERED } from '../process.server.ts'
import { expectedDays } from '../rules.ts'

/** Reads the newest deliveries only: a large enough sample, and fast at any size of the market. */
const SAMPLE_SIZE = 300

const point = z.object({ lat: z.number(), lon: z.number() })
const deliveries = z.array(z.object({ days: z.number(), start: point, finish: point })).nullable()
const row = z.object({ places: z.array(point.extend({ pincode: z.string() })).nullable(), deliveries })
const rowOfOrders = z.object({ asked: z.array(z.object({ id: z.number(), start: point, finish: point })).nullable(), deliveries })

const place = (name: string) => sql.raw(`json_build_object('lat', ${name}.lat, 'lon', ${name}.lon)`)
const pincodeOf = (column: 'pickup' | 'delivery') => sql`(o.${sql.raw(column)} ->> 'pincode')::char(6)`
const withPoints = sql`
  join pincodes a on a.pincode = ${pincodeOf('pickup')} and a.lat is not null and a.lon is not null
  join pincodes b on b.pincode = ${pincodeOf('delivery')} and b.lat is not null and b.lon is not null`
const newestDeliveries = sql`
  select json_agg(json_build_object('days', o.delivered_on - (o.created_at at time zone 'Asia/Kolkata')::date,
      'start', ${place('a')}, 'finish', ${place('b')}))
    from (select * from orders where status = ${DELIVERED} and delivered_on is not null order by id desc limit ${SAMPLE_SIZE}) o ${withPoints}`

/** Usual days until delivery from the farthest of these PIN codes. Null when a PIN code has no coordinates. */
export async function findExpectedDays(ctx: Ctx, to: string, from: string[]): Promise<{ from: number; to: number } | null> {
  if (from.length === 0) return null
  const pincodeList = sql.join(
    [to, ...from].map((pincode) => sql`${pincode}::char(6)`),
    sql`, `,
  )
  const read = await oneRowOf(
    ctx,
    sql`
    select
      (select json_agg(json_build_object('pincode', z.pincode, 'lat', z.lat, 'lon', z.lon))
        from pincodes z where z.pincode in (${pincodeList}) and z.lat is not null and z.lon is not null) as places,
      (${newestDeliveries}) as deliveries`,
    row,
  )
  const points = new Map((read.places ?? []).map(({ pincode, ...point }) => [pincode, point]))
  const end = points.get(to)
  const starts = from.map((pincode) => points.get(pincode))
  if (!end || starts.some((start) => !start)) return null
  return expectedDays(Math.max(...starts.map((start) => kilometresBetween(start!, end))), withDistance(read.deliveries))
}

/** The same for placed orders, by id. Leaves out orders with a place that has no coordinates. */
export async function findExpectedDaysOf(ctx: Ctx, ids: number[]): Promise<Map<number, { from: number; to: number }>> {
  if (ids.length === 0) return new Map()
  const read = await oneRowOf(
    ctx,
    sql`
    select
      (select json_agg(json_build_object('id', o.id, 'start', ${place('a')}, 'finish', ${place('b')}))
        from orders o ${withPoints} where o.id in (${sql.join(
          ids.map((id) => sql`${id}::bigint`),
          sql`, `,
        )})) as asked,
      (${newestDeliveries}) as deliveries`,
    rowOfOrders,
  )
  const deliveries = withDistance(read.deliveries)
  return new Map((read.asked ?? []).map(({ id, start, finish }) => [id, expectedDays(kilometresBetween(start, finish), deliveries)!]))
}

const withDistance = (deliveries: z.output<typeof row>['deliveries']) =>
  (deliveries ?? []).map(({ days, start, finish }) => ({ days, kilometres: kilometresBetween(start, finish) }))
