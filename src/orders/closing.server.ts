import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Money } from '#src/kit/money.ts'
import { Problem } from '#src/kit/problem.ts'
import { DELIVERED, partOf, payableOf, whyNotStep } from './rules.ts'
import { orders } from './tables.ts'
import { takeStep, type StepInput } from './take-step.server.ts'

/** Nobody has smaller coins: at the door the paise are rounded either way. */
const RUPEE: Money = 10_000n

/**
 * The order is handed over. What was paid is printed on a receipt that never changes, so it is looked at first: VALIDATION of
 * `amountField` when it is more than was to be paid, or less without an admin's note. Else as `takeStep`.
 */
export async function closeOrder(
  ctx: Ctx,
  id: number,
  input: Omit<StepInput, 'to' | 'reason'>,
  amountField: 'amountPaid' | 'amount_paid' = 'amountPaid',
): Promise<void> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  // Who may not close it, or not from here, hears that from the step itself. What is to be paid never changes: no lock is needed.
  if (order && input.amountPaid !== undefined && whyNotStep(ctx.viewer, order, DELIVERED) === null) {
    const payable = payableOf(order)
    const least = payable - (payable % RUPEE)
    const most = least === payable ? payable : least + RUPEE
    if (input.amountPaid > most) throw wrong(amountField, 'field_order_amount_more')
    if (input.amountPaid < least) {
      // What an animal costs is not the bearer's to change.
      if (partOf(ctx.viewer, order) !== 'admin') throw wrong(amountField, 'field_order_amount_less')
      if (!input.note) throw wrong('note', 'field_order_note')
    }
  }
  await takeStep(ctx, id, { to: DELIVERED, ...input })
}

const wrong = (field: string, message: `field_${string}`) => new Problem('VALIDATION', { fields: [{ field, message }] })
