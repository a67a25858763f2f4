import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireLoggedIn, requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { epochMs, moneyShape, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { isPublic } from '#src/listings/browse/browse.server.ts'
import { visibleTo } from '#src/listings/queries.server.ts'
import { lineStateOf } from './line-state.ts'
import { MAX_LINES } from './rules.ts'
import { cartLines } from './tables.ts'

const addToCartRow = z.object({ lines: z.number() })

/**
 * Sets the count of a listing in the viewer's cart; returns the number of lines. Idempotent: it sets the count instead of adding, because a
 * double submit must not buy two goats. ROLE_FORBIDDEN for people who may not buy, NOT_FOUND for a hidden listing, OWN_LISTING,
 * OUT_OF_STOCK (also when the sale is closed), CART_FULL.
 */
export async function addToCart(ctx: Ctx, { listingId, count }: { listingId: number; count: number }): Promise<number> {
  const { id: buyerId } = requireLoggedIn(ctx)
  requireCan(ctx, 'buy')
  return inTransaction(ctx, async (ctx) => {
    // Both statements go to the database in one write and run in this order. The checks come afterwards; a refusal rolls back.
    const [listing, lines] = await Promise.all([
      // Lock the buyer: requests for this cart run one after the other, so two devices cannot both take its last place.
      findListing(ctx, listingId, sql`(select u.id from users u where u.id = ${buyerId}::bigint for no key update)`),
      putLine(ctx, { buyerId, listingId, count }),
    ])
    if (!listing) throw notFound()
    if (listing.sellerId === buyerId) throw new Problem('OWN_LISTING')
    ensureEnough(ctx, listing, count)
    if (lines === null) throw new Problem('CART_FULL')
    return lines
  })
}

/** Returns the number of lines; null when the cart is full. */
async function putLine(ctx: Ctx, { buyerId, listingId, count }: { buyerId: number; listingId: number; count: number }) {
  const rows = await rowsOf(
    ctx,
    sql`
    with held as (
      select (count(*) filter (where c.listing_id <> ${listingId}::bigint))::int as others
      from cart_lines c where c.buyer_id = ${buyerId}::bigint
    ), put as (
      insert into cart_lines (buyer_id, listing_id, count, seen_price, seen_stock)
      select ${buyerId}::bigint, l.id, ${count}::int, l.price, l.stock from held, listings l
      where l.id = ${listingId}::bigint and held.others < ${MAX_LINES}
      on conflict (buyer_id, listing_id) do update set count = excluded.count, seen_price = excluded.seen_price, seen_stock = excluded.seen_stock
      returning id
    )
    select held.others + 1 as lines from held, put`,
    addToCartRow,
  )
  return rows[0]?.lines ?? null
}

/** Sets the count of a line. NOT_FOUND when it is not, or no longer, in the viewer's cart; OUT_OF_STOCK above the stock. */
export async function setCount(ctx: Ctx, lineId: number, count: number): Promise<void> {
  const { id: buyerId } = requireLoggedIn(ctx)
  const ownLine = and(eq(cartLines.id, lineId), eq(cartLines.buyerId, buyerId))
  const [line] = await ctx.db.select({ listingId: cartLines.listingId }).from(cartLines).where(ownLine)
  if (!line) throw notFound()
  const listing = await findListing(ctx, line.listingId)
  if (!listing) throw new Problem('OUT_OF_STOCK')
  ensureEnough(ctx, listing, count)
  const set = await ctx.db
    .update(cartLines)
    .set({ count, seenPrice: listing.price, seenStock: listing.stock })
    .where(ownLine)
    .returning({ id: cartLines.id })
  if (set.length === 0) throw notFound()
}

/** Removes a line. NOT_FOUND when it is not, or no longer, in the viewer's cart. */
export async function removeLine(ctx: Ctx, lineId: number): Promise<void> {
  const { id: buyerId } = requireLoggedIn(ctx)
  const removed = await ctx.db
    .delete(cartLines)
    .where(and(eq(cartLines.id, lineId), eq(cartLines.buyerId, buyerId)))
    .returning({ id: cartLines.id })
  if (removed.length === 0) throw notFound()
}

const offeredRow = z.object({
  sellerId: z.number(),
  isShown: z.boolean(),
  isSold: z.boolean(),
  stock: z.number(),
  price: moneyShape,
  touchedAt: momentShape,
})
type Offered = z.output<typeof offeredRow>

/** `holding`: a row to lock in the same statement. */
async function findListing(ctx: Ctx, id: number, holding = sql`(select 1)`): Promise<Offered | null> {
  const rows = await rowsOf(
    ctx,
    sql`
    select l.seller_id::int as "sellerId", ${isPublic} as "isShown", l.is_sold as "isSold", l.stock,
      l.price::text as price, ${epochMs(sql`l.touched_at`)} as "touchedAt"
    from listings l, ${holding} held where l.id = ${id}::bigint and ${visibleTo(ctx)}`,
    offeredRow,
  )
  return rows[0] ?? null
}

/** A cart reserves nothing; placing the order checks the stock again. */
function ensureEnough(ctx: Ctx, listing: Offered, count: number): void {
  const state = lineStateOf({ ...listing, count }, ctx.now)
  if (state === 'closed') throw new Problem('OUT_OF_STOCK', { reason: 'SALE_CLOSED' })
  if (state !== 'ok') throw new Problem('OUT_OF_STOCK')
}
