import { requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { RateLimits } from '#src/kit/db/rate-limits.server.ts'
import { placeOf, postEnquiry, wasSent } from './commands.server.ts'
import type { EnquiryInput } from './schemas.ts'

/**
 * Shared by the form and the call. Only valid enquiries count towards the five a day, and a repeat counts once. Takes the rate limit
 * outside the command's transaction.
 */
export async function sendEnquiry(ctx: Ctx, limits: RateLimits, input: EnquiryInput, key?: string): Promise<number> {
  const viewer = requireLoggedIn(ctx)
  await placeOf(ctx, input.pincode)
  if (key === undefined || !(await wasSent(ctx, key))) await limits.takeDurable(ctx.db, 'enquiryDay', String(viewer.id))
  return postEnquiry(ctx, input, key)
}
