import { randomInt } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { bonusFor } from '#src/accounts/rules.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { firstRow, oneRowOf } from '#src/kit/db/rows.server.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { bonusCounts } from '#src/orders/checkout/bonus.server.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { DELIVERED, PLACED, wayTo, type OrderStatus } from '../process.server.ts'
import { payableOf } from '../rules.ts'
import { bearers, orders } from '../tables.ts'
import { takeStep } from './take-step.server.ts'

export interface MadeOrder {
  id: number
  buyer: Viewer
  seller: Viewer
  /** The admin who took the order's steps. */
  admin: Viewer
  listingId: number
}

/** One bull of five, ordered through `placeOrder` and moved by an admin to the given status. */
export async function makeOrder(
  ctx: Ctx,
  {
    status = PLACED,
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
    /** An address of the buyer; by default the maker adds one in Kangeyam. */
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
  const asAdmin = { ...ctx, viewer: admin }
  for (const to of wayTo(status)) await takeStep(asAdmin, id, { to, ...(to === DELIVERED && (await paidInCash(ctx, id))) })
  return { id, buyer, seller, admin, listingId }
}

export async function makeBearer(ctx: Ctx, facts: Partial<typeof bearers.$inferInsert> = {}): Promise<typeof bearers.$inferSelect> {
  const [bearer] = await ctx.db
    .insert(bearers)
    .values({ name: 'Velu', phone: `+916${randomInt(1e8, 1e9)}`, changedAt: ctx.now, ...facts })
    .returning()
  return bearer!
}

/** The full payable amount, in cash. */
async function paidInCash(ctx: Ctx, id: number) {
  const order = firstRow(await ctx.db.select().from(orders).where(eq(orders.id, id)))
  return { payment: { method: 'cash' as const, amount: payableOf(order) }, note: 'Paid at the door.' }
}

const bonusOfRow = z.object({ referred: z.number(), delivered: z.number() })

/** The bonus of a person in whole rupees, as the page frame shows it. */
export async function bonusOf(ctx: Ctx, userId: number): Promise<number> {
  const { referred, delivered } = await oneRowOf(ctx, sql`select counts.* from ${bonusCounts(sql`${userId}::bigint`)} counts`, bonusOfRow)
  return bonusFor({ referred, deliveredCarts: delivered })
}

export async function statusOf(ctx: Ctx, id: number): Promise<number> {
  return firstRow(await ctx.db.select({ status: orders.status }).from(orders).where(eq(orders.id, id))).status
}
