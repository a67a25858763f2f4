import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { invalidField, notFound, Problem } from '#src/kit/base/problem.ts'
import { closeOnce } from '#src/orders/steps/closing.server.ts'
import { endWithPhoto } from '#src/orders/steps/handover.server.ts'
import { takeStep, type OrderRow } from '#src/orders/steps/take-step.server.ts'
import { DELIVERED, isTerminal, ON_THE_WAY, REFUSED } from '../process.server.ts'
import type { Payment } from '../rules.ts'
import { orders } from '../tables.ts'
import { findRunLink } from './run-links.server.ts'

/*
 * The three acts of a bearer on the page of their day. Each may arrive again, even hours after its answer was lost: it
 * then succeeds if the order stands as the act left it. Each acts with the rights of the admin who made the link, and
 * the history says "bearer".
 */

interface OwnOrder {
  order: OrderRow
  bearerId: number
  /** The ctx of the admin who made the link. */
  lent: Ctx
}

/** An order of the link's day. NOT_FOUND for an invalid link and for an order that is not this bearer's on that day. */
async function ownOrder(ctx: Ctx, token: string, id: number): Promise<OwnOrder> {
  const link = await findRunLink(ctx, token, { isAct: true })
  if (!link) throw notFound()
  const isOwn = and(eq(orders.id, id), eq(orders.listedBearerId, link.bearer.id), eq(orders.deliverOn, link.day))
  const [order] = await ctx.db.select().from(orders).where(isOwn)
  if (!order) throw notFound()
  return { order, bearerId: link.bearer.id, lent: { ...ctx, viewer: link.maker } }
}

/**
 * The animal is on the vehicle: the order is on the way. `code`: the seller's three digits (`loadedCode`). NOT_FOUND as
 * `ownOrder`; otherwise as `takeStep`, with HANDOVER_CODE_WRONG, and HANDOVER_LOCKED after five tries.
 */
export async function fetchByLink(ctx: Ctx, token: string, id: number, code: string): Promise<void> {
  const { order, bearerId, lent } = await ownOrder(ctx, token, id)
  if (order.status === ON_THE_WAY || order.status === DELIVERED) return
  await takeStep(lent, id, { to: ON_THE_WAY, code, listedBearerId: bearerId })
}

/** The bearer closes the order with the buyer's four digits. NOT_FOUND as `ownOrder`; otherwise as `closeOnce`. */
export async function closeByLink(ctx: Ctx, token: string, id: number, input: { code: string; payment: Payment }): Promise<void> {
  const { bearerId, lent } = await ownOrder(ctx, token, id)
  await closeOnce(lent, id, { ...input, listedBearerId: bearerId })
}

/**
 * The buyer does not take the animal: the order ends with a reason and a picture, and the animal goes back. NOT_FOUND as
 * `ownOrder`, ORDER_STEP before it was fetched, ORDER_TERMINAL when it ended otherwise, VALIDATION without a picture.
 */
export async function refuseByLink(
  ctx: Ctx,
  media: MediaStore,
  { token, id, reason, photo }: { token: string; id: number; reason: string; photo: Buffer | null },
): Promise<void> {
  const { order, bearerId, lent } = await ownOrder(ctx, token, id)
  if (order.status === REFUSED && order.endReason === reason) return
  if (order.status !== ON_THE_WAY) throw new Problem(isTerminal(order.status) ? 'ORDER_TERMINAL' : 'ORDER_STEP')
  if (!photo) throw invalidField('photo', 'field_order_refusal_photo')
  await endWithPhoto(lent, media, id, { to: REFUSED, reason, listedBearerId: bearerId }, photo)
}
