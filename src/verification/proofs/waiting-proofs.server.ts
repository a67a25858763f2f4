import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { milkingShape } from '#src/listings/product-rows.server.ts'
import { firstProofDay, milkingClip } from '#src/listings/proofs/proof-select.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'

export const PROOFS_PER_PAGE = 20

/** Clips of milkings that wait for this admin: of animals on the market or in verification, without the admin's own. */
const proofsToSee = (ctx: Ctx): SQL => {
  const me = sql`${ctx.viewer!.id}::bigint`
  return sql`(
    select k.listing_id, k.media_key as key, k.created_at,
      json_build_object('id', k.id, 'on', k.milked_on, 'time', k.time, 'litres', k.litres, 'clip', ${milkingClip}) as milking
    from milkings k join listings l on l.id = k.listing_id
    where k.media_key is not null and not k.is_refused and k.seen_revision is distinct from l.revision
      and k.milked_on >= ${firstProofDay(ctx.now)} and l.state in ('pending', 'passed') and not l.is_sold and l.stock > 0
      and ${me} not in (l.seller_id, l.created_by_id, k.added_by_id))`
}

const proofRow = z.object({
  /** Media key of the clip; unique, so it identifies the proof. */
  key: z.string(),
  listingId: z.number(),
  revision: z.number(),
  categoryId: z.number(),
  name: z.string(),
  seller: z.object({ id: z.number(), name: z.string() }),
  /** The animal's first photo, for comparison. */
  photoKey: z.string().nullable(),
  /** The daily milk yield in the listing. */
  litresPerDay: z.number().nullable(),
  since: momentShape,
  milking: milkingShape.extend({ clip: milkingShape.shape.clip.unwrap() }),
  /** The number of all that wait. */
  waiting: z.number(),
})
export interface WaitingProof extends Omit<z.output<typeof proofRow>, 'categoryId'> {
  code: string
}

/** The longest waiting first; `page` starts at 1. */
export const listWaitingProofs = (ctx: Ctx, page = 1): Promise<WaitingProof[]> => readProofs(ctx, sql`true`, page)

/** The one with this key; undefined when it does not wait for this admin, or no longer. */
export const findWaitingProof = async (ctx: Ctx, key: string) => (await readProofs(ctx, sql`p.key = ${key}`, 1))[0]

async function readProofs(ctx: Ctx, condition: SQL, page: number): Promise<WaitingProof[]> {
  requireCan(ctx, 'operate')
  const rows = await rowsOf(
    ctx,
    sql`select p.key, p.listing_id::int as "listingId", l.revision, l.category_id as "categoryId", ${nameIn(ctx.locale)} as name,
      (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = l.seller_id) as seller,
      l.milk_litres_per_day::float8 as "litresPerDay", ${epochMs(sql`p.created_at`)} as since, p.milking,
      (select f.media_key from listing_photos f where f.listing_id = l.id and f.position = 0) as "photoKey",
      (count(*) over ())::int as waiting
    from ${proofsToSee(ctx)} p join listings l on l.id = p.listing_id where ${condition}
    order by p.created_at, p.key limit ${PROOFS_PER_PAGE} offset ${(page - 1) * PROOFS_PER_PAGE}`,
    proofRow,
  )
  return rows.map(({ categoryId, ...proof }) => ({
    ...proof,
    code: listingCode(lookups.category(categoryId).shortEn, proof.listingId),
  }))
}

export const proofsWaiting: WaitingCases = (ctx) => sql`
  select ${caseColumns({
    since: sql`p.created_at`,
    title: nameIn(ctx.locale),
    path: sql`'/admin/proofs?proof=' || p.key`,
    person: sql`(select u.name from users u where u.id = l.seller_id)`,
  })}
  from ${proofsToSee(ctx)} p join listings l on l.id = p.listing_id`
