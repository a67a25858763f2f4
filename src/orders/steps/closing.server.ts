import { eq } from 'drizzle-orm'
import { decidedInTrail } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { restOf, RUPEE } from '#src/invoices/rules.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { can, partOf } from '../policy.ts'
import { DELIVERED, isUnrecorded, statusName } from '../process.server.ts'
import { payableOf, type Payment } from '../rules.ts'
import { orders, orderSteps } from '../tables.ts'
import { m } from '#src/paraglide/messages.js'
import { takeStep, type OrderRow, type StepInput } from './take-step.server.ts'

/** Name of the amount field on the page, and in the bodies of the two calls that state it. */
type AmountField = 'amountPaid' | 'amount_paid' | 'amount'

/**
 * Closes an order after the handover. A receipt prints the stated payment and never changes, so the amount is checked first: VALIDATION of
 * `amountField` when it exceeds the payable amount, or is lower without an admin's note. Otherwise as `takeStep`.
 */
export async function closeOrder(
  ctx: Ctx,
  id: number,
  input: Omit<StepInput, 'to' | 'reason'>,
  amountField: AmountField = 'amountPaid',
): Promise<void> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  // `takeStep` itself refuses everybody else. The payable amount never changes, so this needs no lock.
  if (order && input.payment && can(ctx.viewer, 'take-step', { ...order, to: DELIVERED }))
    ensureAmount(ctx, order, input.payment.amount, { note: input.note, amountField, isBearer: input.listedBearerId !== undefined })
  await takeStep(ctx, id, { to: DELIVERED, ...input })
}

/**
 * For a form that may arrive again, after a lost answer even hours later: closing an order that is delivered with the same payment succeeds. Against
 * anything else that happened meanwhile, the bearer reads ORDER_TERMINAL.
 */
export async function closeOnce(ctx: Ctx, id: number, input: Omit<StepInput, 'to' | 'reason'> & { payment: Payment }): Promise<void> {
  try {
    await closeOrder(ctx, id, input)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'ORDER_TERMINAL')) throw error
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
    const { method, amount } = input.payment
    if (order?.status !== DELIVERED || order.paymentMethod !== method || order.amountPaid !== amount) throw error
  }
}

/**
 * Records the payment of an order that was delivered without one (decisions.md §7.1). For admins, once. The issued receipt stays; order,
 * pages and API show the payment. NOT_FOUND, ROLE_FORBIDDEN, ORDER_STEP before the delivery, ORDER_TERMINAL when a payment is recorded
 * already or the order was called off, VALIDATION of `amountField`.
 */
export async function recordPayment(
  ctx: Ctx,
  id: number,
  { payment, note }: { payment: Payment; note: string },
  amountField: AmountField = 'amountPaid',
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id)).for('update')
    const part = order && partOf(ctx.viewer, order)
    if (!order || !part) throw notFound()
    if (part !== 'admin') throw new Problem('ROLE_FORBIDDEN')
    if (order.status < DELIVERED) throw new Problem('ORDER_STEP')
    if (!isUnrecorded(order)) throw await recordedMeanwhile(ctx, order)
    ensureAmount(ctx, order, payment.amount, { note, amountField, isBearer: false })
    await ctx.db.update(orders).set({ paymentMethod: payment.method, amountPaid: payment.amount }).where(eq(orders.id, id))
    await ctx.db.insert(orderSteps).values({
      orderId: id,
      fromStatus: DELIVERED,
      toStatus: DELIVERED,
      byId: requireLoggedIn(ctx).id,
      as: part,
      note: note.trim(),
      at: ctx.now,
    })
    await audit(ctx, 'order_payment', `order:${id}`, { method: payment.method })
  })
}

/** ORDER_TERMINAL with the admin who recorded the payment or ended the order. */
const recordedMeanwhile = (ctx: Ctx, { id, status }: OrderRow) =>
  decidedInTrail(
    ctx,
    `order:${id}`,
    {
      order_payment: (_, locale) => m.trail_event_order_payment({}, { locale }),
      order_step: (_, locale) => statusName(status, locale),
    },
    new Problem('ORDER_TERMINAL'),
  )

/** Closes an open order with its payment, or records the payment of an order that was closed without one. */
export async function statePayment(
  ctx: Ctx,
  id: number,
  stated: { payment: Payment; note: string; from?: number | undefined },
  amountField: AmountField,
): Promise<void> {
  requireCan(ctx, 'operate')
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  if (order && isUnrecorded(order)) await recordPayment(ctx, id, stated, amountField)
  else await closeOrder(ctx, id, stated, amountField)
}

interface AmountRules {
  note: string | undefined
  amountField: AmountField
  isBearer: boolean
}

function ensureAmount(ctx: Ctx, order: OrderRow, amount: Money, { note, amountField, isBearer }: AmountRules): void {
  const payable = payableOf(order)
  const lowest = payable - (payable % RUPEE)
  const highest = lowest === payable ? payable : lowest + RUPEE
  if (amount > highest) throw invalidField(amountField, 'field_order_amount_more')
  if (restOf(payable, amount) === 0n) return
  // A bearer may not accept less than the payable amount.
  if (isBearer || !can(ctx.viewer, 'take-step-as-admin', order)) throw invalidField(amountField, 'field_order_amount_less')
  if (!note) throw invalidField('note', 'field_order_note')
}
