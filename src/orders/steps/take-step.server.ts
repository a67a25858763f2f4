import { timingSafeEqual } from 'node:crypto'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { heldIn } from '#src/accounts/undo.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { decidedMeanwhile } from '#src/kit/problem-text.ts'
import { issueDocuments } from '#src/orders/papers/documents.server.ts'
import { loadedCode } from '../bearers/fetch-code.server.ts'
import { notifyOfStep } from '../order-messages.server.ts'
import { giveBack } from '#src/orders/checkout/place-order.server.ts'
import { can, partOf, whyNotStep } from '../policy.ts'
import { DELIVERED, HANDOVER_TRIES, hasEffect, ON_THE_WAY, partTexts, statusName, type OrderStatus } from '../process.server.ts'
import type { Payment } from '../rules.ts'
import { orders, orderSteps } from '../tables.ts'

export type OrderRow = typeof orders.$inferSelect

export interface StepInput {
  to: number
  /** The status that the person saw, if known. */
  from?: number | undefined
  /** An admin's note. The history keeps it for good, so it may hold no personal data. */
  note?: string
  /** The reason why the order is cancelled, refused or not available. */
  reason?: string
  /**
   * The digits that the bearer was told: three by the seller when the animal is loaded, four by the buyer at the door.
   * Admins need none.
   */
  code?: string
  /** The bearer who takes the step through their link. The viewer is the admin who made the link. */
  listedBearerId?: number
  /** The payment at the door. Without it the order waits for an admin to record one. */
  payment?: Payment
}

/**
 * Takes one step of an order (process.server.ts): its effects, its row in the history, and its SMS. NOT_FOUND, ROLE_FORBIDDEN,
 * VERSION when the order is not in `from`, ORDER_TERMINAL, ORDER_STEP; HANDOVER_CODE_WRONG and HANDOVER_LOCKED.
 */
export async function takeStep(ctx: Ctx, orderId: number, input: StepInput): Promise<void> {
  requireLoggedIn(ctx)
  const order = await ensureStep(ctx, orderId, input)
  if (needsCode(ctx, order, input)) await checkCode(ctx, order, input)
  await inTransaction(ctx, async (ctx) => {
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId)).for('update')
    if (!order) throw notFound()
    await ensureAllowed(ctx, order, input)
    // An admin may have named another bearer meanwhile.
    if (input.listedBearerId !== undefined && order.listedBearerId !== input.listedBearerId) throw notFound()
    await write(ctx, order, input)
  })
}

/** Checks the step before a code try counts; `takeStep` checks again under the lock. */
async function ensureStep(ctx: Ctx, orderId: number, input: StepInput): Promise<OrderRow> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId))
  if (!order) throw notFound()
  await ensureAllowed(ctx, order, input)
  return order
}

/** An admin needs no code, but a code that an admin sends is checked. */
function needsCode(ctx: Ctx, order: OrderRow, { to, code, listedBearerId }: StepInput): boolean {
  if (to === ON_THE_WAY) return listedBearerId !== undefined
  return to === DELIVERED && (!can(ctx.viewer, 'take-step-as-admin', order) || code !== undefined)
}

/** The rights come first, so that a stale step tells nobody else what happened. */
async function ensureAllowed(ctx: Ctx, order: OrderRow, { to, from }: StepInput): Promise<void> {
  const refusal = whyNotStep(ctx.viewer, order, to)
  const isRight = refusal === null || refusal === 'ORDER_STEP' || refusal === 'ORDER_TERMINAL'
  if (isRight && from !== undefined && from !== order.status) throw from ? await steppedMeanwhile(ctx, order) : new Problem('VERSION')
  if (refusal) throw new Problem(refusal)
}

/** Only admins read the name of the person. */
async function steppedMeanwhile(ctx: Ctx, order: OrderRow): Promise<Problem> {
  const [last] = await ctx.db
    .select({ as: orderSteps.as, at: orderSteps.at, name: users.name })
    .from(orderSteps)
    .innerJoin(users, eq(users.id, orderSteps.byId))
    .where(eq(orderSteps.orderId, order.id))
    .orderBy(desc(orderSteps.id))
    .limit(1)
  if (!last) return new Problem('VERSION')
  const name = can(ctx.viewer, 'take-step-as-admin', order) && last.as !== 'bearer' ? last.name : ''
  return decidedMeanwhile({
    what: (locale) => statusName(order.status, locale),
    by: (locale) => [partTexts[last.as]({}, { locale }), name].filter(Boolean).join(' · '),
    at: last.at,
  })
}

/**
 * Counts the try in a separate statement, so that a wrong code counts although the step rolls back, and of many concurrent tries none is
 * the sixth.
 */
async function checkCode(ctx: Ctx, { id, createdAt }: OrderRow, { to, code = '', listedBearerId = 0 }: StepInput): Promise<void> {
  const [tried] = await ctx.db
    .update(orders)
    .set({ handoverTries: sql`${orders.handoverTries} + 1` })
    .where(and(eq(orders.id, id), lt(orders.handoverTries, HANDOVER_TRIES)))
    .returning({ sealed: orders.handoverSealed })
  if (!tried) throw new Problem('HANDOVER_LOCKED')
  const ofSeller = () => loadedCode(ctx, { id, createdAt, listedBearerId })
  const expected = Buffer.from(to === ON_THE_WAY ? ofSeller() : ctx.vault.open('handover', tried.sealed))
  const typed = Buffer.from(code)
  if (typed.length !== expected.length || !timingSafeEqual(typed, expected)) throw new Problem('HANDOVER_CODE_WRONG')
}

async function write(ctx: Ctx, before: OrderRow, input: StepInput): Promise<void> {
  const part = partOf(ctx.viewer, before)!
  const to = input.to as OrderStatus
  const returned = hasEffect(to, 'stock and discount return') && { returned: await giveBack(ctx, before) }
  const [order] = await ctx.db
    .update(orders)
    .set({
      status: to,
      changedAt: ctx.now,
      // The buyer's digits have tries of their own.
      ...(to === ON_THE_WAY && { handoverTries: 0 }),
      ...(hasEffect(to, 'both sides read the reason') && { endReason: input.reason?.trim() || null }),
      ...(hasEffect(to, 'day and payment are recorded') && {
        deliveredOn: indianDay(ctx.now),
        paymentMethod: input.payment?.method ?? null,
        amountPaid: input.payment?.amount ?? null,
      }),
    })
    .where(eq(orders.id, before.id))
    .returning()
  await ctx.db.insert(orderSteps).values({
    orderId: before.id,
    fromStatus: before.status,
    toStatus: to,
    byId: requireLoggedIn(ctx).id,
    as: input.listedBearerId !== undefined || (part === 'seller' && to === DELIVERED) ? 'bearer' : part,
    note: part === 'admin' ? (input.note?.trim() ?? '') : '',
    at: ctx.now,
  })
  await notifyOfStep(ctx, order!, before.status, to)
  await audit(ctx, 'order_step', `order:${before.id}`, {
    from: before.status,
    to,
    ...returned,
    ...(input.listedBearerId !== undefined && { bearer: input.listedBearerId }),
    ...heldIn(ctx),
  })
  // Last, because deliveries queue for the lock on the document counters.
  if (hasEffect(to, 'receipt and commission invoice get their numbers')) await issueDocuments(ctx, order!)
}
