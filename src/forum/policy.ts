import { accountRules, policyOf } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import type { PostState } from './rules.ts'

const { operate } = accountRules

export const can = policyOf({
  ...accountRules,
  /** Logged-in people see public posts; only the author and admins see pending or hidden ones; only admins see deleted ones. */
  'see-post': (viewer: Viewer | null, { authorId, state }: { authorId: number | null; state: PostState }) =>
    viewer !== null && (state === 'shown' || operate(viewer) || (authorId === viewer.id && state !== 'deleted')),
  /** Four-eyes principle: an admin decides only on posts of others. */
  'decide-on-post': (viewer: Viewer | null, { isOwn }: { isOwn: boolean }) => operate(viewer) && !isOwn,
})
