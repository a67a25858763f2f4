import { accountRules, policyOf } from '#src/accounts/policy.ts'
import { VET_TYPE } from '#src/accounts/rules.ts'
import type { Viewer } from '#src/kit/context.ts'

export const can = policyOf({
  ...accountRules,
  /** Also vets who wait for approval, who read there what they wait for, and admins. */
  'open-vet-desk': (viewer: Viewer | null) => viewer?.typeId === VET_TYPE || accountRules.operate(viewer),
})
