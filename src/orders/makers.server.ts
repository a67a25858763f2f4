import { eq, sql } from 'drizzle-orm'
import { makeAddress, makeUser } from '#src/accounts/makers.server.ts'
import { bonusFor } from '#src/accounts/rules.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { bonusCounts } from './bonus.server.ts'
import { placeOrder } from './place-order.server.ts'
import { DELIVERED, type OrderStatus } from './rules.ts'
import { orders } from './tables.ts'
import { takeStep } from './take-step.server.ts'

export interface MadeOrder {
  id: number
  buyer: Viewer
  seller: Viewer
  /** Who brought it to its status. */
  admin: Viewer
  listingId: number
}

/** How an order comes to each status from "placed". */
const ways: Record<OrderStatus, OrderStatus[]> = {
  1: [],
  2: [2],
  3: [2, 3],
  4: [2, 4],
  5: [2, 4, 5],
  6: [2, 4, 5, 6],
  100: [100],
  101: [2, 4, 5, 101],
  102: [102],
}

/** One bull of five, ordered through the same door as any, and brought by an admin to the status that is asked for. */
export async function makeOrder(
  ctx: Ctx,
  {
    status = 1,
    count = 1,
    code = '',
    listing = {},
    ...people
  }: {
    status?: OrderStatus
    count?: number
    code?: string
    listing?: ListingFacts
    buyer?: Viewer
    seller?: Viewer
    admin?: Viewer
    listingId?: number
    /** In the buyer's book; else one in Kangeyam is put there. */
    addressId?: number
  } = {},
): Promise<MadeOrder> {
  const buyer = people.buyer ?? (await makeUser(ctx, { typeId: 1 }))
  const admin = people.admin ?? (await makeUser(ctx, { typeId: 9 }))
  const seller = people.seller ?? (await makeUser(ctx, { typeId: 2, name: 'Murugesan' }))
  const listingId = people.listingId ?? (await makeListing(ctx, { sellerId: seller.id, stock: 5, ...listing }))
  const addressId = people.addressId ?? (await makeAddress(ctx, buyer.id))
  const id = await makeCartLine(ctx, { buyerId: buyer.id, listingId, count })
  await placeOrder({ ...ctx, viewer: buyer }, { addressId, code })
  for (const to of ways[status])
    await takeStep({ ...ctx, viewer: admin }, id, { to, ...(to === DELIVERED && { paymentMethod: 'cash', note: 'Paid at the door.' }) })
  return { id, buyer, seller, admin, listingId }
}

/** What a person's code has brought him, in whole rupees, as his frame shows it. */
export async function bonusOf(ctx: Ctx, userId: number): Promise<number> {
  const { rows } = (await ctx.db.execute(sql`select counts.* from ${bonusCounts(sql`${userId}::bigint`)} counts`)) as unknown as {
    rows: { referred: number; delivered: number }[]
  }
  const { referred, delivered } = rows[0]!
  return bonusFor({ referred, deliveredOrders: delivered })
}

export async function statusOf(ctx: Ctx, id: number): Promise<number> {
  const [row] = await ctx.db.select({ status: orders.status }).from(orders).where(eq(orders.id, id))
  return row!.status
}
