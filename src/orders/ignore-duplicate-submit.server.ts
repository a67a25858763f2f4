import { desc, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { Problem, type ProblemCode } from '#src/kit/problem.ts'
import { SAME_CONFIRMATION_MINUTES } from './rules.ts'
import { orderSteps } from './tables.ts'

const TOO_LATE: readonly ProblemCode[] = ['ORDER_STEP', 'ORDER_TERMINAL']

/**
 * Accepts a page's form that arrives twice, because a thumb tapped twice or the answer got lost: if the order is at `to` already and this
 * person has just brought it there, the repeat is no refusal. API clients are refused; they know what they have sent.
 */
export async function ignoreDuplicateSubmit(ctx: Ctx, orderId: number, to: number, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Problem) || !TOO_LATE.includes(error.code) || !(await hasJustDone(ctx, orderId, to))) throw error
  }
}

async function hasJustDone(ctx: Ctx, orderId: number, to: number): Promise<boolean> {
  const [last] = await ctx.db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId)).orderBy(desc(orderSteps.id)).limit(1)
  const since = ctx.now.getTime() - SAME_CONFIRMATION_MINUTES * 60_000
  return last?.toStatus === to && last.byId === ctx.viewer?.id && last.at.getTime() >= since
}
