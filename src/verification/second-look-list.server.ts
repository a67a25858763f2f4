import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { waiting } from './queue.server.ts'

/** Maximum shown at a time; decisions bring up the next. */
const LOOKS_SHOWN = 20

interface Words {
  name: string
  description: string
}

export interface SecondLook {
  listingId: number
  version: number
  code: string
  seller: { id: number; name: string }
  photoKey: string | null
  /** The words that were passed. */
  before: Words
  now: Words
  changedAt: Date
}

/** Second looks for this admin: listings on the market that the admin neither owns nor typed in or edited. */
export const toLookAt = (ctx: Ctx) =>
  sql`second_looks s join listings l on l.id = s.listing_id where ${isLive(ctx.now)} and l.seller_id <> ${ctx.viewer!.id}::bigint
    and l.created_by_id <> ${ctx.viewer!.id}::bigint and l.editor_id is distinct from ${ctx.viewer!.id}::bigint`

const countsRow = z.object({ queue: z.number(), second_looks: z.number() })

/** The counts of this admin's work at each part of the desk. */
export async function countWaiting(ctx: Ctx): Promise<{ queue: number; secondLooks: number }> {
  requireCan(ctx, 'operate')
  const [counts] = await rowsOf(
    ctx,
    sql`select (select count(*)::int from listings l where ${waiting(ctx)}) as queue, (select count(*)::int from ${toLookAt(ctx)}) as second_looks`,
    countsRow,
  )
  return { queue: counts!.queue, secondLooks: counts!.second_looks }
}

const lookRow = z.object({
  id: z.number(),
  version: z.number(),
  category_id: z.number(),
  seller_id: z.number(),
  seller_name: z.string(),
  photo_key: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  name_before: z.string(),
  description_before: z.string(),
  changed_ms: z.string(),
})

/** The changed listings that wait for this admin, the longest waiting first. */
export async function listSecondLooks(ctx: Ctx): Promise<SecondLook[]> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    select l.id::int, l.version, l.category_id, l.seller_id::int, l.name, l.description, s.name as name_before, s.description as description_before,
      floor(extract(epoch from s.created_at) * 1000)::bigint::text as changed_ms, (select u.name from users u where u.id = l.seller_id) as seller_name,
      (select p.media_key from listing_photos p where p.listing_id = l.id and p.position = 0) as photo_key
    from ${toLookAt(ctx)} order by s.created_at, l.id limit ${LOOKS_SHOWN}`,
    lookRow,
  )
  return rows.map((row) => ({
    listingId: row.id,
    version: row.version,
    code: listingCode(lookups.category(row.category_id).shortEn, row.id),
    seller: { id: row.seller_id, name: row.seller_name },
    photoKey: row.photo_key,
    before: { name: row.name_before, description: row.description_before },
    now: { name: row.name, description: row.description },
    changedAt: new Date(Number(row.changed_ms)),
  }))
}
