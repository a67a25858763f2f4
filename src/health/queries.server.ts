import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { listAddresses } from '#src/addresses/addresses.server.ts'
import { findPincode, type Town } from '#src/addresses/places.server.ts'
import { kilometresBetween, readStoredPoint, toStoredPoint } from '#src/addresses/places.ts'
import { can, mayNot } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { COUNT_UP_TO, encodeCursor, type Cursor } from '#src/kit/http/pagination.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { isLive, isSellerActive } from '#src/listings/browse/browse.server.ts'
import { listProductsById, type Product } from '#src/listings/queries.server.ts'
import { hasValidCheck, isCheckedKind, isLastAndValid } from './animals.server.ts'
import { isHeld } from './holds.server.ts'

export interface DeskChoices {
  /** True: animals with a valid finding. False: animals that wait for one. */
  isComplete: boolean
  /** The English name, as in the PIN code table; null means everywhere. */
  district: string | null
  /** Sorts by distance from this place. Null: the longest waiting first, or the newest findings first. */
  near: Pick<Town, 'lat' | 'lon'> | null
  after: Cursor | null
  top: number
  /** Excludes the vet's own holds, which have their own list. */
  isFreeOnly?: true
}

interface DeskPage {
  animals: { product: Product; kilometres: number | null }[]
  found: number
  foundMore: boolean
  next: string | null
}

/** Identifies the list of a cursor. */
export const deskList = ({ isComplete, district, near }: Pick<DeskChoices, 'isComplete' | 'district' | 'near'>): string =>
  `desk.${isComplete}.${district ?? ''}.${near ? `${near.lat},${near.lon}` : ''}`
/** A distance or an id. */
export const DESK_CURSOR = /^\d{1,15}(\.\d{1,20})?(e-\d{1,3})?$/

/**
 * The vets' desk (decisions.md §3): live animals without a valid finding, except those that other vets hold; or animals with a valid finding. A vet
 * does not see their own animals; admins see all. Throws ROLE_FORBIDDEN or VET_NOT_APPROVED.
 */
export async function listDesk(ctx: Ctx, choices: DeskChoices): Promise<DeskPage> {
  const { viewer } = ctx
  const isAdmin = can(viewer, 'operate')
  if (!can(viewer, 'vet') && !isAdmin) throw mayNot(viewer, 'vet')
  const { isComplete, district, after, top, isFreeOnly } = choices
  const parts = [isCheckedKind, isComplete ? sql`l.state = 'passed' and ${isSellerActive}` : isLive(ctx.now)]
  parts.push(isComplete ? isLastAndValid(ctx.now) : sql`not ${hasValidCheck(ctx.now)}`)
  if (district !== null) parts.push(sql`l.district = ${district}`)
  if (!isComplete && !isAdmin) {
    parts.push(sql`l.seller_id <> ${viewer!.id}::bigint and l.created_by_id <> ${viewer!.id}::bigint`)
    const validHold = sql`select 1 from vet_holds h where h.listing_id = l.id and ${isHeld(ctx.now, sql`h`)}`
    parts.push(isFreeOnly ? sql`not exists (${validHold})` : sql`not exists (${validHold} and h.vet_id <> ${viewer!.id}::bigint)`)
  }
  const order = orderFor(choices)
  if (order.needsPlace) parts.push(sql`l.location is not null`)
  const where = sql.join(parts, sql` and `)
  // Walk the findings newest first, so that the query stops after one page, however many there are.
  const source = isComplete ? sql`vet_checks v join listings l on l.id = v.listing_id` : sql`listings l`
  const rows = await rowsOf(
    ctx,
    sql`
    with total as (select count(*)::int as found from (select 1 from ${source} where ${where} limit ${COUNT_UP_TO + 1}) n)
    select total.found, page.* from total left join (
      select l.id::float8 as id, ${order.value} as "sortValue", l.location::text as location from ${source}
      where ${where} ${after ? sql`and ${order.after(after)}` : sql``} order by ${order.by} limit ${top + 1}
    ) page on true`,
    deskRow,
  )
  const found = rows[0]!.found
  const page = rows.filter((row) => row.id !== null)
  const shown = page.slice(0, top)
  const products = new Map(
    (
      await listProductsById(
        ctx,
        shown.map(({ id }) => id),
      )
    ).map((product) => [product.id, product]),
  )
  const last = shown.at(-1)
  return {
    animals: shown.flatMap((row) => {
      const product = products.get(row.id)
      return product ? [{ product, kilometres: kilometresTo(choices, row.location) }] : []
    }),
    found: Math.min(found, COUNT_UP_TO),
    foundMore: found > COUNT_UP_TO,
    next: page.length > top && last ? encodeCursor(deskList(choices), { value: last.sortValue, id: last.id }) : null,
  }
}

/** An empty result is a single row with the count. */
const deskRow = z.union([
  z.object({ found: z.number(), id: z.number(), sortValue: z.string(), location: z.string().nullable() }),
  z.object({ found: z.number(), id: z.null() }),
])

interface Order {
  value: SQL
  by: SQL
  after(cursor: Cursor): SQL
  needsPlace?: true
}

function orderFor({ isComplete, near }: DeskChoices): Order {
  if (near) {
    const [x, y] = toStoredPoint(near)
    const distance = sql`(l.location <-> point(${x}::float8, ${y}::float8))`
    return { value: sql`${distance}::text`, by: distance, after: (c) => sql`${distance} > ${c.value}::float8`, needsPlace: true }
  }
  if (isComplete) {
    return { value: sql`v.id::text`, by: sql`v.id desc`, after: (c) => sql`v.id < ${c.value}::bigint` }
  }
  return { value: sql`l.id::text`, by: sql`l.id`, after: (c) => sql`l.id > ${c.id}::bigint` }
}

const kilometresTo = ({ near }: DeskChoices, location: string | null): number | null =>
  near && location !== null ? kilometresBetween(near, readStoredPoint(location)) : null

/** A vet's default starting point: the newest address in their book with a known place. */
export async function findOwnPincode(ctx: Ctx): Promise<string | null> {
  if (!ctx.viewer) return null
  const book = await listAddresses(ctx, ctx.viewer.id)
  return book.find(({ pincode }) => findPincode(pincode)?.point)?.pincode ?? null
}
