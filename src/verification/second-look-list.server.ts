import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { isLive } from '#src/listings/browse/browse.server.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { waiting } from './queue.server.ts'

export const LOOKS_PER_PAGE = 20

/** Second looks for this admin: listings on the market that the admin neither owns nor typed in or edited. */
export const toLookAt = (ctx: Ctx) =>
  sql`second_looks s join listings l on l.id = s.listing_id where ${isLive(ctx.now)} and l.seller_id <> ${ctx.viewer!.id}::bigint
    and l.created_by_id <> ${ctx.viewer!.id}::bigint and l.editor_id is distinct from ${ctx.viewer!.id}::bigint`

const countsRow = z.object({ queue: z.number(), secondLooks: z.number() })

/** The counts of this admin's work at each part of the desk. */
export async function countWaiting(ctx: Ctx): Promise<{ queue: number; secondLooks: number }> {
  requireCan(ctx, 'operate')
  const [counts] = await rowsOf(
    ctx,
    sql`select (select count(*)::int from listings l where ${waiting(ctx)}) as queue,
      (select count(*)::int from ${toLookAt(ctx)}) as "secondLooks"`,
    countsRow,
  )
  return counts!
}

const wordsShape = z.object({ name: z.string(), description: z.string() })
const lookRow = z.object({
  listingId: z.number(),
  version: z.number(),
  categoryId: z.number(),
  seller: z.object({ id: z.number(), name: z.string() }),
  photoKey: z.string().nullable(),
  /** The words that were passed. */
  before: wordsShape,
  now: wordsShape,
  changedAt: momentShape,
})
export interface SecondLook extends Omit<z.output<typeof lookRow>, 'categoryId'> {
  code: string
}

/** The changed listings that wait for this admin, the longest waiting first; `page` starts at 1. */
export const listSecondLooks = (ctx: Ctx, page = 1): Promise<SecondLook[]> => readLooks(ctx, sql`true`, page)

/** One of them; undefined when it does not wait for this admin, or no longer. */
export const findSecondLook = async (ctx: Ctx, id: number) => (await readLooks(ctx, sql`l.id = ${id}::bigint`, 1))[0]

async function readLooks(ctx: Ctx, condition: SQL, page: number): Promise<SecondLook[]> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`
    select l.id::int as "listingId", l.version, l.category_id as "categoryId", ${epochMs(sql`s.created_at`)} as "changedAt",
      json_build_object('name', l.name, 'description', l.description) as now,
      json_build_object('name', s.name, 'description', s.description) as before,
      (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = l.seller_id) as seller,
      (select p.media_key from listing_photos p where p.listing_id = l.id and p.position = 0) as "photoKey"
    from ${toLookAt(ctx)} and ${condition}
    order by s.created_at, l.id limit ${LOOKS_PER_PAGE} offset ${(page - 1) * LOOKS_PER_PAGE}`,
    lookRow,
  )
  return rows.map(({ categoryId, ...look }) => ({ ...look, code: listingCode(lookups.category(categoryId).shortEn, look.listingId) }))
}
