import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { kilometresBetween } from '#src/addresses/places.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { DELIVERED, expectedDays } from '#src/orders/rules.ts'

/** How many of the newest deliveries are read: enough to tell, and quick at any size of the market. */
const LOOKED_AT = 300

const point = z.object({ lat: z.number(), lon: z.number() })
const row = z.object({
  places: z.array(point.extend({ pincode: z.string() })).nullable(),
  deliveries: z.array(z.object({ days: z.number(), start: point, finish: point })).nullable(),
})

/** Days until animals from these PIN codes usually come to that one: those of the farthest. Null where one of them is not on our map. */
export async function findExpectedDays(ctx: Ctx, to: string, from: string[]): Promise<{ from: number; to: number } | null> {
  if (from.length === 0) return null
  const asked = sql.join(
    [to, ...from].map((pincode) => sql`${pincode}::char(6)`),
    sql`, `,
  )
  const place = (name: string) => sql.raw(`json_build_object('lat', ${name}.lat, 'lon', ${name}.lon)`)
  const at = (column: 'pickup' | 'delivery') => sql`(o.${sql.raw(column)} ->> 'pincode')::char(6)`
  const [read] = await rowsOf(
    ctx,
    sql`
    select
      (select json_agg(json_build_object('pincode', z.pincode, 'lat', z.lat, 'lon', z.lon))
        from pincodes z where z.pincode in (${asked}) and z.lat is not null and z.lon is not null) as places,
      (select json_agg(json_build_object('days', o.delivered_on - (o.created_at at time zone 'Asia/Kolkata')::date,
          'start', ${place('a')}, 'finish', ${place('b')}))
        from (select * from orders where status = ${DELIVERED} and delivered_on is not null order by id desc limit ${LOOKED_AT}) o
        join pincodes a on a.pincode = ${at('pickup')} and a.lat is not null and a.lon is not null
        join pincodes b on b.pincode = ${at('delivery')} and b.lat is not null and b.lon is not null) as deliveries`,
    row,
  )
  const points = new Map((read!.places ?? []).map(({ pincode, ...point }) => [pincode, point]))
  const end = points.get(to)
  const starts = from.map((pincode) => points.get(pincode))
  if (!end || starts.some((start) => !start)) return null
  const deliveries = (read!.deliveries ?? []).map(({ days, start, finish }) => ({ days, kilometres: kilometresBetween(start, finish) }))
  return expectedDays(Math.max(...starts.map((start) => kilometresBetween(start!, end))), deliveries)
}
