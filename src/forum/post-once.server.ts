import { createHash } from 'node:crypto'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { once } from '#src/kit/records/idempotency.server.ts'
import type { Posted } from './commands.server.ts'

/**
 * One form with the same words is one post, however often and late it arrives: an offline phone sends it again without knowing whether the
 * first try arrived. Each form has its own stamp. Other words are another post.
 */
export function postOnce(
  ctx: Ctx,
  { stamp, words }: { stamp: string; words: string },
  post: (ctx: Ctx) => Promise<Posted>,
): Promise<Posted> {
  if (stamp === '') return post(ctx)
  const key = createHash('sha256').update(`${stamp} ${words}`).digest('base64url')
  return once(ctx, { owner: `forum:${requireLoggedIn(ctx).id}`, key, request: words }, post)
}
