import { createContext } from 'react-router'
import { can } from '#src/accounts/policy.ts'
import { bonusFor } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { insteadOfOrders } from './desks.ts'
import type { FrameViewer } from './frame-viewer.ts'

/** The person for whom a page's head is rendered. On a page that many people share, its id and name are stand-ins (server/pages). */
export const frameViewerContext = createContext<FrameViewer | null>()

/** `figures`: the counts that were read together with the session (orders/checkout/header-counts.server.ts). */
export function frameViewerOf({ viewer, locale }: Ctx, figures: Record<string, number> | null | undefined): FrameViewer | null {
  if (!viewer) return null
  const counts = can(viewer, 'buy') ? figures : null
  return {
    ...viewer,
    bonus: counts ? bonusFor({ referred: counts.referred ?? 0, deliveredCarts: counts.delivered ?? 0 }) : null,
    cartLines: counts ? (counts.cartLines ?? 0) : null,
    insteadOfOrders: insteadOfOrders(viewer, locale),
  }
}
