import type { Viewer } from '#src/kit/context.ts'
import type { Desk, DeskId } from '#src/content/desks.ts'

/** How much waits at each desk. */
export type DeskCounts = Partial<Record<DeskId, number>>

/** What the frame knows of the logged-in person. */
export interface FrameViewer extends Viewer {
  /** Whole rupees; null for people without a bonus display. */
  bonus: number | null
  /** How many different things are in their cart; null for people who do not buy. */
  cartLines: number | null
  /** The link in the header in place of one's own orders; null for people who have orders. */
  insteadOfOrders: Desk | null
}
