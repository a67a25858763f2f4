import { accountRules, policyOf } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import type { ProblemCode } from '#src/kit/base/problem.ts'
import { isTerminal, steps, stepTo, type OrderPart, type OrderStatus } from './process.server.ts'

interface OrderParties {
  buyerId: number
  sellerId: number
  bearerId: number | null
}
type Stepping = OrderParties & { status: number }

/**
 * A person's role in an order. Nobody buys from themselves, so each person has one. Four eyes: an admin who is buyer or seller acts as
 * such, not as an admin.
 */
export function partOf(viewer: Viewer | null, order: OrderParties): OrderPart | null {
  if (!viewer) return null
  if (viewer.id === order.buyerId) return 'buyer'
  if (viewer.id === order.sellerId) return 'seller'
  if (accountRules.operate(viewer)) return 'admin'
  return viewer.id === order.bearerId ? 'bearer' : null
}

/**
 * The reason why the step is refused: the order is over, the graph has no such step, or the viewer may not take it.
 * Null: allowed.
 */
export function whyNotStep(viewer: Viewer | null, order: Stepping, to: number): ProblemCode | null {
  const part = partOf(viewer, order)
  if (!part) return 'NOT_FOUND'
  const { by = ['admin'], exceptTypeId, from = [] } = stepTo(to) ?? {}
  // A seller who is the bearer has the rights of both.
  const mayTake = by.includes(part) || (viewer!.id === order.bearerId && by.includes('bearer'))
  if (!mayTake || (part === 'buyer' && viewer!.typeId === exceptTypeId)) return 'ROLE_FORBIDDEN'
  if (isTerminal(order.status)) return 'ORDER_TERMINAL'
  return (from as readonly number[]).includes(order.status) ? null : 'ORDER_STEP'
}

export const can = policyOf({
  ...accountRules,
  'see-order': (viewer: Viewer | null, order: OrderParties) => partOf(viewer, order) !== null,
  'take-step': (viewer: Viewer | null, { to, ...order }: Stepping & { to: number }) => whyNotStep(viewer, order, to) === null,
  /** Four eyes: refused for a party of the order. */
  'take-step-as-admin': (viewer: Viewer | null, order: OrderParties) => partOf(viewer, order) === 'admin',
})

/** The steps that the viewer may take from the order's status. */
export const stepsFor = (viewer: Viewer | null, order: Stepping): OrderStatus[] =>
  steps.map(({ to }) => to).filter((to) => can(viewer, 'take-step', { ...order, to }))
