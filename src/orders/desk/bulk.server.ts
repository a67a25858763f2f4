import { eq } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/problem.ts'
import { problemText } from '#src/kit/problem-text.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import { m } from '#src/paraglide/messages.js'
import { planDelivery } from '../handover.server.ts'
import { ignoreDuplicateSubmit } from '../ignore-duplicate-submit.server.ts'
import { orderNumber, type OrderStatus } from '../rules.ts'
import { orders } from '../tables.ts'
import { takeStep } from '../take-step.server.ts'

/** What became of one of the chosen orders. */
export interface BulkResult {
  id: number
  orderNo: string
  /** Null: done. */
  refusal: string | null
}

/** Each order is a command of its own: what one refuses, the others do not feel. ROLE_FORBIDDEN for all of them. */
export async function bringAllTo(ctx: Ctx, ids: number[], to: OrderStatus): Promise<BulkResult[]> {
  return each(ctx, ids, (id) => ignoreDuplicateSubmit(ctx, id, to, () => takeStep(ctx, id, { to })))
}

/**
 * The same day and bearer for all; what is left out stays as it is, and so does the time of day. A plan that somebody changed after it was
 * shown (`seen`, planOf) is refused.
 */
export async function planAll(
  ctx: Ctx,
  chosen: { id: number; seen: string }[],
  { deliverOn, listedBearerId }: { deliverOn: string | null; listedBearerId: number | null },
): Promise<BulkResult[]> {
  const seenOf = new Map(chosen.map(({ id, seen }) => [id, seen]))
  return each(ctx, [...seenOf.keys()], async (id) => {
    const seen = seenOf.get(id)!
    const [day, window, account, listed] = seen.split(' ')
    const before = Number(listed) || null
    const plan = {
      deliverOn: deliverOn ?? (day || null),
      deliverWindow: windows.find((each) => each === window) ?? null,
      listedBearerId: listedBearerId ?? before,
      bearerPhone: listedBearerId === null && before === null && account ? await phoneOf(ctx, Number(account)) : '',
      seen,
    }
    await planDelivery(ctx, id, plan).catch(async (error: unknown) => {
      // A form that arrives twice finds its own plan.
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

async function each(ctx: Ctx, ids: number[], act: (id: number) => Promise<void>): Promise<BulkResult[]> {
  requireCan(ctx, 'operate')
  const results: BulkResult[] = []
  for (const id of ids) {
    const refusal = await act(id).then(
      () => null,
      (error: unknown) => reasonOf(ctx, error),
    )
    results.push({ id, orderNo: orderNumber(id), refusal })
  }
  return results
}

function reasonOf({ locale, log }: Ctx, error: unknown): string {
  if (!(error instanceof Problem)) {
    // The others are done all the same.
    log.error({ err: error }, 'one of several orders could not be changed')
    return problemText('INTERNAL', locale)
  }
  if (error.code === 'VERSION') return m.orders_bulk_changed({}, { locale })
  const [field] = error.fields ?? []
  return (field && fieldText(field.message, locale)) ?? problemText(error.code, locale)
}
