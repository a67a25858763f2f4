import type { Ctx } from '#src/kit/context.ts'
import type { RateLimits } from '#src/kit/rate-limits.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { placeOf, postEnquiry, wasSent } from './commands.server.ts'
import type { EnquiryInput } from './schemas.ts'

/**
 * What form and call have in common: of the day's five only what could be posted counts, and the same sending once. The limit is taken
 * outside the transaction of the act.
 */
export async function sendEnquiry(ctx: Ctx, limits: RateLimits, input: EnquiryInput, key?: string): Promise<number> {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  await placeOf(ctx, input.pincode)
  if (key === undefined || !(await wasSent(ctx, key))) await limits.takeDurable(ctx.db, 'enquiryDay', String(ctx.viewer.id))
  return postEnquiry(ctx, input, key)
}
