import { timingSafeEqual } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import { requireLoggedIn } from '#src/accounts/rules.ts'
import { audit } from '#src/kit/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { indianDay } from '#src/kit/dates.ts'
import type { Money } from '#src/kit/money.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { issueDocuments } from './documents.server.ts'
import { tellOfStep } from './order-messages.server.ts'
import { giveBack } from './place-order.server.ts'
import { DELIVERED, HANDOVER_TRIES, isCalledOff, partOf, payableOf, whyNotStep, type OrderStatus, type PaymentMethod } from './rules.ts'
import { orders, orderSteps } from './tables.ts'

export type OrderRow = typeof orders.$inferSelect

export interface StepInput {
  to: number
  /** Of an admin; it stands in the order's history for good, so nothing of people belongs in it. */
  note?: string
  /** Why it is cancelled, refused or not available. */
  reason?: string
  /** The buyer's four digits, from whoever brings the animal. Admins need none. */
  code?: string
  paymentMethod?: PaymentMethod
  /** What was handed over at the door; what was to be paid unless it is said. */
  amountPaid?: Money
}

/**
 * One step of an order along the published graph (rules.ts), with its row of history, and what belongs to it: stock and discount go back
 * when it is called off, the papers get their numbers when it is delivered, both sides are told. NOT_FOUND, ROLE_FORBIDDEN,
 * ORDER_TERMINAL, ORDER_STEP; HANDOVER_CODE_WRONG and HANDOVER_LOCKED from the door.
 */
export async function takeStep(ctx: Ctx, orderId: number, input: StepInput): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  const needsCode = await ensureStep(ctx, orderId, input)
  if (needsCode) await checkHandoverCode(ctx, orderId, input.code ?? '')
  await inTransaction(ctx, async (ctx) => {
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId)).for('update')
    if (!order) throw notFound()
    const no = whyNotStep(viewer, order, input.to)
    if (no) throw new Problem(no)
    await write(ctx, order, input)
  })
}

/** Looked at before anything is tried, and again under the lock. Answers whether the door's code is asked. */
async function ensureStep(ctx: Ctx, orderId: number, { to, code }: StepInput): Promise<boolean> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, orderId))
  if (!order) throw notFound()
  const no = whyNotStep(ctx.viewer, order, to)
  if (no) throw new Problem(no)
  // An admin needs none; one that he was given is looked at all the same.
  return to === DELIVERED && (partOf(ctx.viewer, order) !== 'admin' || code !== undefined)
}

/** In a statement of its own: a wrong one counts although the step is refused, and of many at once none gets a sixth try. */
async function checkHandoverCode(ctx: Ctx, orderId: number, code: string): Promise<void> {
  const [tried] = await ctx.db
    .update(orders)
    .set({ handoverTries: sql`${orders.handoverTries} + 1` })
    .where(and(eq(orders.id, orderId), lt(orders.handoverTries, HANDOVER_TRIES)))
    .returning({ sealed: orders.handoverSealed })
  if (!tried) throw new Problem('HANDOVER_LOCKED')
  const right = Buffer.from(ctx.vault.open('handover', tried.sealed))
  const typed = Buffer.from(code)
  if (typed.length !== right.length || !timingSafeEqual(typed, right)) throw new Problem('HANDOVER_CODE_WRONG')
}

async function write(ctx: Ctx, before: OrderRow, input: StepInput): Promise<void> {
  const part = partOf(ctx.viewer, before)!
  const to = input.to as OrderStatus
  if (isCalledOff(to)) await giveBack(ctx, before)
  const [order] = await ctx.db
    .update(orders)
    .set({
      status: to,
      changedAt: ctx.now,
      ...(isCalledOff(to) && { endReason: input.reason?.trim() || null }),
      ...(to === DELIVERED && {
        deliveredOn: indianDay(ctx.now),
        paymentMethod: input.paymentMethod ?? null,
        amountPaid: input.amountPaid ?? payableOf(before),
      }),
    })
    .where(eq(orders.id, before.id))
    .returning()
  await ctx.db.insert(orderSteps).values({
    orderId: before.id,
    fromStatus: before.status,
    toStatus: to,
    byId: ctx.viewer!.id,
    as: part === 'seller' && to === DELIVERED ? 'bearer' : part,
    note: part === 'admin' ? (input.note?.trim() ?? '') : '',
    at: ctx.now,
  })
  await audit(ctx, 'order_step', `order:${before.id}`, { from: before.status, to })
  await tellOfStep(ctx, order!, before.status, to)
  // Last: whoever delivers waits for the one before at the counter of the papers' numbers.
  if (to === DELIVERED) await issueDocuments(ctx, order!)
}
