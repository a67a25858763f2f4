import { and, asc, eq, exists, inArray, or, sql } from 'drizzle-orm'
import { noteErasedPhone } from '#src/accounts/identity/erased-phones.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { listings } from '#src/listings/tables.ts'
import { rightsUsed } from '#src/orders/checkout/discounts.server.ts'
import { findBearerOf, forgetBearerOf } from '#src/orders/bearers/bearers.server.ts'
import { isOpen } from '../order-conditions.ts'
import { orderPhotos, orders, orderSteps } from '../tables.ts'

type OrderRow = typeof orders.$inferSelect

/** The fields of an order that either side may export. */
function shownOrder(order: OrderRow) {
  const { id, orderNo, listingId, count, status, animal, deliverOn, deliverWindow, deliveredOn, paymentMethod, endReason, createdAt } =
    order
  return {
    id,
    orderNo,
    listingId,
    animal,
    count,
    originalPrice: decimalOf(order.originalPrice),
    unitPrice: decimalOf(order.unitPrice),
    status,
    deliverOn,
    deliverWindow,
    deliveredOn,
    paymentMethod,
    endReason,
    createdAt,
  }
}

/** Data export of this domain; for sold orders without buyer and destination. */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db
    .select()
    .from(orders)
    .where(or(eq(orders.buyerId, userId), eq(orders.sellerId, userId)))
    .orderBy(asc(orders.id))
  const steps =
    rows.length === 0
      ? []
      : await ctx.db
          .select({
            orderId: orderSteps.orderId,
            from: orderSteps.fromStatus,
            to: orderSteps.toStatus,
            as: orderSteps.as,
            at: orderSteps.at,
          })
          .from(orderSteps)
          .where(
            inArray(
              orderSteps.orderId,
              rows.map(({ id }) => id),
            ),
          )
          .orderBy(asc(orderSteps.id))
  const shown = (order: OrderRow) => ({
    ...shownOrder(order),
    steps: steps.filter((step) => step.orderId === order.id).map(({ from, to, as, at }) => ({ from, to, as, at })),
  })
  return {
    listedAsBearer: await findBearerOf(ctx, userId),
    ordersPlaced: rows
      .filter(({ buyerId }) => buyerId === userId)
      .map((order) => ({
        ...shown(order),
        discount: decimalOf(order.discount),
        amountPaid: order.amountPaid === null ? null : decimalOf(order.amountPaid),
        delivery: order.delivery,
      })),
    ordersReceived: rows
      .filter(({ sellerId }) => sellerId === userId)
      .map((order) => ({ ...shown(order), commissionPercent: order.commissionPercent, pickup: order.pickup })),
  }
}

/** OPEN_ORDERS while this person buys or sells in an open order, because the other side waits for it. */
export async function ensureNoOpenOrders(ctx: Ctx, userId: number): Promise<void> {
  const open = await ctx.db.$count(orders, and(isOpen, or(eq(orders.buyerId, userId), eq(orders.sellerId, userId))))
  if (open > 0) throw new Problem('OPEN_ORDERS')
}

/**
 * The name was the seller's own text, so the animal's number replaces it. Street, name and phone number go; PIN code and district stay for
 * the accounts.
 */
const nobody = sql`'{"name": "", "phone": "", "address1": "", "address2": ""}'::jsonb`

/**
 * Call it in the erasure's transaction, before other domains. OPEN_ORDERS; otherwise ended orders keep animal and prices and lose the
 * parties' names and photos. No open order can appear between the check and the commit: an order waits for the buyer's row, then for the
 * listings' (place-order.server.ts), and an undo for both sides' rows (end-order.server.ts). Invoices stay as issued, as the law
 * requires. Returns the keys of pictures to remove after the commit.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  // Lock bearers before people, as `planDelivery` does.
  const bearerPicture = await forgetBearerOf(ctx, userId)
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  await db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId)).orderBy(asc(listings.id)).for('no key update')
  await ensureNoOpenOrders(ctx, userId)
  await noteErasedPhone(ctx, userId, await rightsUsed(ctx, userId))
  // Open orders can get another bearer.
  await db
    .update(orders)
    .set({ bearerId: null })
    .where(and(eq(orders.bearerId, userId), isOpen))
  // Clear the reasons that this person wrote when they ended an order.
  const endedByThem = db
    .select({ one: sql`1` })
    .from(orderSteps)
    .where(and(eq(orderSteps.orderId, orders.id), eq(orderSteps.toStatus, orders.status), eq(orderSteps.byId, userId)))
  await db.update(orders).set({ endReason: null }).where(exists(endedByThem))
  await db
    .update(orders)
    .set({ delivery: sql`${orders.delivery} || ${nobody}` })
    .where(eq(orders.buyerId, userId))
  const sold = await db
    .select({ key: sql<string | null>`${orders.animal}->>'photoKey'` })
    .from(orders)
    .where(eq(orders.sellerId, userId))
  await db
    .update(orders)
    .set({
      pickup: sql`${orders.pickup} || ${nobody}`,
      animal: sql`${orders.animal} || jsonb_build_object(
        'name', ${orders.animal}->>'code', 'nameEn', null, 'description', '', 'descriptionEn', null, 'photoKey', null, 'ownerName', null)`,
      tagSealed: null,
    })
    .where(eq(orders.sellerId, userId))
  const bought = db.select({ id: orders.id }).from(orders).where(eq(orders.buyerId, userId))
  const photos = await db.delete(orderPhotos).where(inArray(orderPhotos.orderId, bought)).returning({ key: orderPhotos.mediaKey })
  return [...photos, ...sold, { key: bearerPicture }].flatMap(({ key }) => key ?? [])
}
