import type { Viewer } from '#src/kit/context.ts'

/** What the frame knows of who is logged in. */
export interface FrameViewer extends Viewer {
  /** Whole rupees; null for who has no bonus display. */
  bonus: number | null
}
