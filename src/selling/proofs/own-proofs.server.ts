import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan, can } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { milkingShape } from '#src/listings/product-rows.server.ts'
import { firstProofDay, isProofSeen, milkingClip } from '#src/listings/proofs/proof-select.server.ts'
import { isInMilk } from '#src/listings/proofs/proof-rules.ts'

/** `said`: no clip. `waiting`: no admin has looked yet. `old`: too long ago, so it is hidden. */
export const PROOF_STATES = ['said', 'waiting', 'seen', 'refused', 'old'] as const
const stateShape = z.enum(PROOF_STATES)
export type ProofState = z.output<typeof stateShape>

const ownRow = z.object({
  name: z.string(),
  photoKey: z.string().nullable(),
  categoryId: z.number(),
  genderId: z.number().nullable(),
  milkLitresPerDay: z.number().nullable(),
  milkings: z.array(milkingShape.extend({ state: stateShape })),
})

/** Milkings, for the seller and admins. NOT_FOUND for others. */
export async function getOwnProofs(ctx: Ctx, listingId: number) {
  const viewer = requireCan(ctx, 'sell')
  const state = sql`case when k.milked_on < ${firstProofDay(ctx.now)} then 'old' when k.media_key is null then 'said' when k.is_refused then 'refused'
      when ${isProofSeen(sql`k`)} then 'seen' else 'waiting' end`
  const [row] = await rowsOf(
    ctx,
    sql`select ${nameIn(ctx.locale)} as name, l.category_id as "categoryId", l.gender_id as "genderId",
      l.milk_litres_per_day::float8 as "milkLitresPerDay",
      (select p.media_key from listing_photos p where p.listing_id = l.id and p.position = 0) as "photoKey",
      (select coalesce(json_agg(json_build_object('id', k.id, 'on', k.milked_on, 'time', k.time, 'litres', k.litres,
         'clip', case when k.media_key is not null then ${milkingClip} end, 'state', ${state})
         order by k.milked_on desc, k.time), '[]') from milkings k where k.listing_id = l.id) as milkings
    from listings l where l.id = ${listingId}::bigint and (l.seller_id = ${viewer.id}::bigint or ${can(viewer, 'operate')}::boolean)`,
    ownRow,
  )
  if (!row) throw notFound()
  const { categoryId, genderId, milkLitresPerDay, ...own } = row
  return {
    ...own,
    isInMilk: isInMilk({ genderId, milkLitresPerDay }, lookups.category(categoryId).variantType),
    /** The calendar day in India. */
    today: indianDay(ctx.now),
  }
}
