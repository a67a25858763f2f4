/** The phone's record of its visits, so that installation is offered only once. */
export interface Visits {
  count: number
  lastAt: number
  /** Saved an animal, called somebody, sent a form. */
  hasDone: boolean
  wasOffered: boolean
}

const NEXT_VISIT_AFTER_MS = 30 * 60_000

export function visitsAfter(before: Visits | null, now: number): Visits {
  const visits = before ?? { count: 0, lastAt: -Infinity, hasDone: false, wasOffered: false }
  return { ...visits, lastAt: now, count: visits.count + (now - visits.lastAt > NEXT_VISIT_AFTER_MS || before === null ? 1 : 0) }
}

export const shouldOffer = (visits: Visits | null) => visits !== null && visits.count >= 2 && visits.hasDone && !visits.wasOffered
