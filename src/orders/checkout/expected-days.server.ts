import { inArray } from 'drizzle-orm'
import { kilometresBetween } from '#src/addresses/places.ts'
import { pincodes } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { expectedDays } from '#src/orders/rules.ts'

/** Days until animals from these PIN codes usually come to that one: those of the farthest. Null where one of them is not on our map. */
export async function findExpectedDays(ctx: Ctx, to: string, from: string[]): Promise<{ from: number; to: number } | null> {
  if (from.length === 0) return null
  const rows = await ctx.db
    .select({ pincode: pincodes.pincode, lat: pincodes.lat, lon: pincodes.lon })
    .from(pincodes)
    .where(inArray(pincodes.pincode, [to, ...from]))
  const points = new Map(rows.flatMap(({ pincode, lat, lon }) => (lat === null || lon === null ? [] : [[pincode, { lat, lon }] as const])))
  const end = points.get(to)
  const starts = from.map((pincode) => points.get(pincode))
  if (!end || starts.some((start) => !start)) return null
  return expectedDays(Math.max(...starts.map((start) => kilometresBetween(start!, end))))
}
