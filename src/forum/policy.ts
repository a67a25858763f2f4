import { accountRules, policyOf } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import type { PostState } from './rules.ts'

const { operate } = accountRules

export const can = policyOf({
  ...accountRules,
  /** Logged-in people see public posts; waiting or hidden ones, only their author and admins; posts their author deleted, only admins. */
  'see-post': (viewer: Viewer | null, { authorId, state }: { authorId: number | null; state: PostState }) =>
    viewer !== null && (state === 'shown' || operate(viewer) || (authorId === viewer.id && state !== 'deleted')),
  /** Four eyes: an admin leaves or hides what others wrote. */
  'decide-on-post': (viewer: Viewer | null, { isOwn }: { isOwn: boolean }) => operate(viewer) && !isOwn,
})
