import { timingSafeEqual } from 'node:crypto'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { can } from '#src/accounts/rules.ts'
import { readPhone } from '#src/accounts/schemas.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { indianDay } from '#src/kit/dates.ts'
import type { MediaStore } from '#src/kit/media-store.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { withPictures } from '#src/kit/take-picture.server.ts'
import type { deliveryPlan } from './handover-schemas.server.ts'
import { tellBearer, tellOfDay } from './order-messages.server.ts'
import { isTerminal, ON_THE_WAY, REFUSED } from './rules.ts'
import { orderPhotos, orders } from './tables.ts'
import { takeStep } from './take-step.server.ts'

/** Worn tags are misread; nobody misreads one more often. */
export const TAG_TRIES = 5

/**
 * An admin sets when it comes and who brings it; whom it concerns is told what is new to him. ROLE_FORBIDDEN, NOT_FOUND,
 * ORDER_TERMINAL; VALIDATION for a day that is over, for somebody who has no account, and for the buyer himself.
 */
export async function planDelivery(ctx: Ctx, id: number, plan: z.infer<typeof deliveryPlan>): Promise<void> {
  if (!can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  await inTransaction(ctx, async (ctx) => {
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id)).for('update')
    if (!order) throw notFound()
    if (isTerminal(order.status)) throw new Problem('ORDER_TERMINAL')
    const { deliverOn, deliverWindow } = plan
    const isNewDay = deliverOn !== order.deliverOn
    if (isNewDay && deliverOn !== null && deliverOn < indianDay(ctx.now)) throw wrong('deliverOn', 'field_order_day')
    const bearerId = await bearerBy(ctx, plan.bearerPhone, order.buyerId)
    const [now] = await ctx.db.update(orders).set({ deliverOn, deliverWindow, bearerId }).where(eq(orders.id, id)).returning()
    await audit(ctx, 'order_planned', `order:${id}`, { day: deliverOn, window: deliverWindow, bearer: bearerId })
    const isNews = isNewDay || deliverWindow !== order.deliverWindow
    if (isNews) await tellOfDay(ctx, now!)
    if (bearerId !== null && (isNews || bearerId !== order.bearerId)) await tellBearer(ctx, now!, bearerId)
  })
}

async function bearerBy(ctx: Ctx, typed: string, buyerId: number): Promise<number | null> {
  if (typed.trim() === '') return null
  const phone = readPhone(typed)
  const [person] =
    phone === null
      ? []
      : await ctx.db
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.phone, phone), users.isActive, isNull(users.erasedAt)))
  if (!person || person.id === buyerId) throw wrong('bearerPhone', 'field_order_bearer')
  return person.id
}

const wrong = (field: string, message: string) => new Problem('VALIDATION', { fields: [{ field, message }] })

/** The buyer of an animal that is on the way: NOT_FOUND for others, ORDER_STEP before and after. */
async function ensureAtDoor(ctx: Ctx, id: number): Promise<void> {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  const [order] = await ctx.db.select({ buyerId: orders.buyerId, status: orders.status }).from(orders).where(eq(orders.id, id))
  if (order?.buyerId !== ctx.viewer.id) throw notFound()
  if (order.status !== ON_THE_WAY) throw new Problem(isTerminal(order.status) ? 'ORDER_TERMINAL' : 'ORDER_STEP')
}

/**
 * Is it the animal that was ordered? The last six digits that the buyer reads from the ear against the tag on record, which never
 * leaves the server. Each try counts in a statement of its own, before it is compared: HANDOVER_LOCKED after the fifth.
 */
export async function checkTag(ctx: Ctx, id: number, digits: string): Promise<boolean> {
  await ensureAtDoor(ctx, id)
  const [tried] = await ctx.db
    .update(orders)
    .set({ tagTries: sql`${orders.tagTries} + 1` })
    .where(and(eq(orders.id, id), lt(orders.tagTries, TAG_TRIES), sql`${orders.tagMatched} is not true`))
    .returning({ sealed: orders.tagSealed })
  if (!tried) {
    const [order] = await ctx.db.select({ tagMatched: orders.tagMatched }).from(orders).where(eq(orders.id, id))
    if (order?.tagMatched) return true
    throw new Problem('HANDOVER_LOCKED')
  }
  // Without a tag on record there is nothing to compare with.
  if (!tried.sealed) throw notFound()
  const end = Buffer.from(ctx.vault.open('ear-tag', tried.sealed).slice(-digits.length))
  const typed = Buffer.from(digits)
  const isMatch = typed.length === end.length && timingSafeEqual(typed, end)
  await ctx.db
    .update(orders)
    .set({ tagMatched: isMatch })
    .where(and(eq(orders.id, id), sql`${orders.tagMatched} is not true`))
  await audit(ctx, 'order_tag_read', `order:${id}`, { matched: isMatch })
  return isMatch
}

/** The buyer has looked at it and takes it: the four digits that he gives to whoever hands it over. */
export async function acceptAnimal(ctx: Ctx, id: number): Promise<string> {
  await ensureAtDoor(ctx, id)
  const [order] = await ctx.db.select({ sealed: orders.handoverSealed }).from(orders).where(eq(orders.id, id))
  await audit(ctx, 'order_accepted', `order:${id}`)
  return ctx.vault.open('handover', order!.sealed)
}

/** He does not take it: why, and what it looks like. The order ends, or nothing is kept of either. */
export async function refuseAnimal(ctx: Ctx, media: MediaStore, id: number, { reason, photo }: { reason: string; photo: Buffer | null }) {
  await ensureAtDoor(ctx, id)
  await withPictures(ctx, media, photo ? [photo] : [], 'photo', ([picture]) =>
    inTransaction(ctx, async (ctx) => {
      await takeStep(ctx, id, { to: REFUSED, reason })
      if (picture) await ctx.db.insert(orderPhotos).values({ orderId: id, position: 0, ...picture })
    }),
  )
}
