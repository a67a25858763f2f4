import { eq } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { problemDetail, problemText } from '#src/kit/problem-text.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import { planDelivery } from '#src/orders/steps/handover.server.ts'
import { ignoreDuplicateSubmit } from '../ignore-duplicate-submit.server.ts'
import type { OrderStatus } from '../process.server.ts'
import { orderNumber } from '../rules.ts'
import { orders } from '../tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'

/** A ticked order as the page showed it: its status and its plan (`planOf`). */
export interface ChosenOrder {
  id: number
  from: number
  seen: string
}

export interface BulkResult {
  id: number
  orderNo: string
  /** Null: the change was made. */
  refusal: string | null
}

/**
 * Moves each order from the status that was shown, in its own transaction, so that one refusal does not affect the others.
 * ROLE_FORBIDDEN applies to all.
 */
export async function bringAllTo(ctx: Ctx, chosen: ChosenOrder[], to: OrderStatus): Promise<BulkResult[]> {
  return each(ctx, chosen, ({ id, from }) => ignoreDuplicateSubmit(ctx, id, to, () => takeStep(ctx, id, { to, from })))
}

/**
 * Sets the same day and bearer for all; fields that are left out, and the time of day, stay. Refuses a plan that somebody changed after it
 * was shown (`seen`, planOf).
 */
export async function planAll(
  ctx: Ctx,
  chosen: ChosenOrder[],
  { deliverOn, listedBearerId }: { deliverOn: string | null; listedBearerId: number | null },
): Promise<BulkResult[]> {
  return each(ctx, chosen, async ({ id, seen }) => {
    const [day, window, account, listed] = seen.split(' ')
    const currentBearerId = Number(listed) || null
    const plan = {
      deliverOn: deliverOn ?? (day || null),
      deliverWindow: windows.find((each) => each === window) ?? null,
      listedBearerId: listedBearerId ?? currentBearerId,
      bearerPhone: listedBearerId === null && currentBearerId === null && account ? await phoneOf(ctx, Number(account)) : '',
      seen,
    }
    await planDelivery(ctx, id, plan).catch(async (error: unknown) => {
      // A repeated form finds its own plan and succeeds.
      if (!(error instanceof Problem && error.code === 'VERSION' && (await isPlanned(ctx, id, plan)))) throw error
    })
  })
}

async function isPlanned(ctx: Ctx, id: number, plan: { deliverOn: string | null; listedBearerId: number | null }): Promise<boolean> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, id))
  return order?.deliverOn === plan.deliverOn && order.listedBearerId === plan.listedBearerId
}

const windows = ['morning', 'midday', 'evening'] as const

async function phoneOf(ctx: Ctx, userId: number): Promise<string> {
  const [user] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))
  return user?.phone ?? ''
}

async function each(ctx: Ctx, chosen: ChosenOrder[], act: (order: ChosenOrder) => Promise<void>) {
  requireCan(ctx, 'operate')
  const results: BulkResult[] = []
  for (const order of chosen) {
    const { id } = order
    const refusal = await act(order).then(
      () => null,
      (error: unknown) => reasonOf(ctx, error),
    )
    results.push({ id, orderNo: orderNumber(id), refusal })
  }
  return results
}

function reasonOf({ locale, log }: Ctx, error: unknown): string {
  if (!(error instanceof Problem)) {
    // Continue with the other orders.
    log.error({ err: error }, 'one of several orders could not be changed')
    return problemText('INTERNAL', locale)
  }
  const [field] = error.fields ?? []
  return (field && fieldText(field.message, locale)) ?? problemDetail(error, locale)
}
