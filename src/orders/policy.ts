import { accountRules, policyOf } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import type { ProblemCode } from '#src/kit/problem.ts'
import {
  CANCELLED,
  CONFIRMED,
  DELIVERED,
  isStep,
  isTerminal,
  NOT_AVAILABLE,
  orderStatuses,
  REFUSED,
  type OrderPart,
  type OrderStatus,
} from './rules.ts'

/** What each role may do where the graph allows it; admins may do all of it. */
const mayReach: Record<Exclude<OrderPart, 'admin'>, readonly OrderStatus[]> = {
  buyer: [CANCELLED, REFUSED],
  seller: [CONFIRMED, NOT_AVAILABLE],
  bearer: [DELIVERED],
}

interface OrderParties {
  buyerId: number
  sellerId: number
  bearerId: number | null
}
type Stepping = OrderParties & { status: number }

/**
 * Nobody buys from themselves, so each person has one role. Four eyes: an admin who is a party to an order acts as that party, not as the
 * admin.
 */
export function partOf(viewer: Viewer | null, order: OrderParties): OrderPart | null {
  if (!viewer) return null
  if (viewer.id === order.buyerId) return 'buyer'
  if (viewer.id === order.sellerId) return 'seller'
  if (accountRules.operate(viewer)) return 'admin'
  return viewer.id === order.bearerId ? 'bearer' : null
}

/** Why the step is refused: the order is over, the graph has no such step, or this person may not take it. Null: allowed. */
export function whyNotStep(viewer: Viewer | null, order: Stepping, to: number): ProblemCode | null {
  const part = partOf(viewer, order)
  if (!part) return 'NOT_FOUND'
  // A seller who is the bearer may act as both.
  const isBearer = viewer!.id === order.bearerId
  const reach = part === 'admin' ? null : [...mayReach[part], ...(isBearer ? mayReach.bearer : [])]
  if (reach && !(reach as number[]).includes(to)) return 'ROLE_FORBIDDEN'
  // Type 2 may not cancel, whatever type they had when they ordered (B §4).
  if (part === 'buyer' && to === CANCELLED && viewer!.typeId === 2) return 'ROLE_FORBIDDEN'
  if (isTerminal(order.status)) return 'ORDER_TERMINAL'
  return isStep(order.status, to) ? null : 'ORDER_STEP'
}

export const can = policyOf({
  ...accountRules,
  'see-order': (viewer: Viewer | null, order: OrderParties) => partOf(viewer, order) !== null,
  'take-step': (viewer: Viewer | null, { to, ...order }: Stepping & { to: number }) => whyNotStep(viewer, order, to) === null,
  /** Four eyes: not as a party to it. */
  'take-step-as-admin': (viewer: Viewer | null, order: OrderParties) => partOf(viewer, order) === 'admin',
})

/** Where this person may bring the order from its status. */
export const stepsFor = (viewer: Viewer | null, order: Stepping): OrderStatus[] =>
  orderStatuses.map(({ id }) => id).filter((to) => can(viewer, 'take-step', { ...order, to }))
