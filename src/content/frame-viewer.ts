import type { Viewer } from '#src/kit/context.ts'
import type { Desk } from './desks.ts'

/** What the frame knows of who is logged in. */
export interface FrameViewer extends Viewer {
  /** Whole rupees; null for who has no bonus display. */
  bonus: number | null
  /** How many different things are in his cart; null for who buys nothing. */
  cartLines: number | null
  /** What stands in the header where others have their own orders; null for who has those. */
  insteadOfOrders: Desk | null
}
