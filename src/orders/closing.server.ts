import { eq } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { can, partOf } from './policy.ts'
import { DELIVERED, isUnrecorded, payableOf, type Payment } from './rules.ts'
import { orders, orderSteps } from './tables.ts'
import { takeStep, type OrderRow, type StepInput } from './take-step.server.ts'

/** Nobody has smaller coins: at the door the paise are rounded either way. */
const RUPEE: Money = 10_000n

/** The name of the amount's field on the page, and in the bodies of the two calls that state it. */
type AmountField = 'amountPaid' | 'amount_paid' | 'amount'

/**
 * Close an order: the animal is handed over. A stated payment is printed on a receipt that never changes, so it is checked first:
 * VALIDATION of `amountField` when it is more than was to be paid, or less without an admin's note. Otherwise as `takeStep`.
 */
export async function closeOrder(
  ctx: Ctx,
  id: number,
  input: Omit<StepInput, 'to' | 'reason'>,
  amountField: AmountField = 'amountPaid',
): Promise<void> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  // Who may not close it, or not from here, hears that from the step itself. What is to be paid never changes: no lock is needed.
  if (order && input.payment && can(ctx.viewer, 'take-step', { ...order, to: DELIVERED }))
    ensureAmount(ctx, order, input.payment.amount, { note: input.note, amountField, isBearer: input.listedBearerId !== undefined })
  await takeStep(ctx, id, { to: DELIVERED, ...input })
}

/**
 * Record what was paid for an order that was delivered without anybody stating it (decisions.md §7.1). For admins, once. The issued
 * receipt stays as it is; order, pages and API show the payment. NOT_FOUND, ROLE_FORBIDDEN, ORDER_STEP before the delivery,
 * ORDER_TERMINAL when a payment is recorded already or the order was called off, VALIDATION of `amountField`.
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
    if (!isUnrecorded(order)) throw new Problem(order.status < DELIVERED ? 'ORDER_STEP' : 'ORDER_TERMINAL')
    ensureAmount(ctx, order, payment.amount, { note, amountField, isBearer: false })
    await ctx.db.update(orders).set({ paymentMethod: payment.method, amountPaid: payment.amount }).where(eq(orders.id, id))
    await ctx.db.insert(orderSteps).values({
      orderId: id,
      fromStatus: DELIVERED,
      toStatus: DELIVERED,
      byId: ctx.viewer!.id,
      as: part,
      note: note.trim(),
      at: ctx.now,
    })
    await audit(ctx, 'order_payment', `order:${id}`, { method: payment.method })
  })
}

/** State that an order was delivered and paid: closes it, or records the payment where it was closed without one. */
export async function statePayment(
  ctx: Ctx,
  id: number,
  stated: { payment: Payment; note: string },
  amountField: AmountField,
): Promise<void> {
  requireCan(ctx, 'operate')
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  if (order && isUnrecorded(order)) await recordPayment(ctx, id, stated, amountField)
  else await closeOrder(ctx, id, stated, amountField)
}

interface AmountSaid {
  note: string | undefined
  amountField: AmountField
  isBearer: boolean
}

function ensureAmount(ctx: Ctx, order: OrderRow, amount: Money, { note, amountField, isBearer }: AmountSaid): void {
  const payable = payableOf(order)
  const least = payable - (payable % RUPEE)
  const most = least === payable ? payable : least + RUPEE
  if (amount > most) throw wrong(amountField, 'field_order_amount_more')
  if (amount >= least) return
  // The bearer may not change what an animal costs.
  if (isBearer || !can(ctx.viewer, 'take-step-as-admin', order)) throw wrong(amountField, 'field_order_amount_less')
  if (!note) throw wrong('note', 'field_order_note')
}

const wrong = (field: string, message: `field_${string}`) => new Problem('VALIDATION', { fields: [{ field, message }] })
