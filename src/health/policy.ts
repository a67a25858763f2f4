import { accountRules, policyOf } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'

export const can = policyOf({
  ...accountRules,
  /** Includes vets who wait for approval (they read their status there) and admins. */
  'open-vet-desk': (viewer: Viewer | null) => accountRules['be-vet'](viewer) || accountRules.operate(viewer),
})
