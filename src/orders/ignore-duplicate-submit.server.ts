import { desc, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { Problem, type ProblemCode } from '#src/kit/base/problem.ts'
import { SAME_CONFIRMATION_MINUTES } from './rules.ts'
import { orderSteps } from './tables.ts'

const TOO_LATE: readonly ProblemCode[] = ['VERSION', 'ORDER_STEP', 'ORDER_TERMINAL']

/**
 * Accepts a page's form that arrives twice, after a double tap or a lost response: when this person has just brought the order to `to`, a
 * repeat succeeds. API clients get the refusal, because they know what they sent.
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
