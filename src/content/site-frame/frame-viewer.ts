import type { Viewer } from '#src/kit/context.ts'
import type { Desk, RailId } from './desks.ts'

/** Waiting cases per desk; desks without any are missing. */
export type DeskCounts = Partial<Record<RailId, number>>

export interface FrameViewer extends Viewer {
  /** Whole rupees; null when the person has no bonus. */
  bonus: number | null
  /** Number of different items in the cart; null for people who do not buy. */
  cartLines: number | null
  /** The header's link in place of own orders; null for people who have orders. */
  insteadOfOrders: Desk | null
}
