import { DAY } from '#src/kit/time-money/dates.ts'
import type { POST_STATES } from './tables.ts'

/** L5 of api.md: keeps one person or program from flooding the forum. */

/** How long after registration a person counts as new; people who only came to advertise seldom stay longer. */
export const NEW_FOR_MS = DAY
/** Discussions and replies that a new person may post. */
export const FIRST_DAY = { thread: 3, reply: 10 } as const
/** Pause in seconds between two posts of a new person: time to read the answers. */
const NEW_GAP_SECONDS = { thread: 120, reply: 30 } as const
/** The same pause for everybody else: nobody types faster. */
const GAP_SECONDS = { thread: 15, reply: 5 } as const
/** Discussions per person within any 24 hours. */
export const THREADS_A_DAY = 20
export const NEW_LINKS = 2
/** The same words by the same person within this time are a double submit. */
export const SAME_WORDS_MS = 5 * 60_000
/** A first post typed faster than this comes from a program, so it waits for an admin. */
const TYPED_AT_LEAST_MS = 3000
/** A new person whom this many people reported cannot post until an admin has decided. */
export const SILENCED_BY = 3
/** Likes per person within any 24 hours. */
export const LIKES_A_DAY = 50

export type PostKind = 'thread' | 'reply'
export type PostState = (typeof POST_STATES)[number]

/** The author's posts so far. */
export interface Written {
  since: Date
  /** How many posts of this kind the author has ever written. */
  count: number
  lastAt: Date | null
  /** When the 20th newest discussion of the last 24 hours was posted. */
  twentiethAt: Date | null
}

export const isNew = (since: Date, now: Date) => now.getTime() - since.getTime() < NEW_FOR_MS

/**
 * Seconds until the author may post another of this kind; 0 when they may now. `factor` widens all limits (decisions §8.10: ten in the demo market);
 * `twentiethAt` is then the time of the discussion that fills the widened limit.
 */
export function waitFor(kind: PostKind, { since, count, lastAt, twentiethAt }: Written, now: Date, factor = 1): number {
  const fresh = isNew(since, now)
  const ends: number[] = []
  if (fresh && count >= FIRST_DAY[kind] * factor) ends.push(since.getTime() + NEW_FOR_MS)
  if (lastAt) ends.push(lastAt.getTime() + ((fresh ? NEW_GAP_SECONDS : GAP_SECONDS)[kind] * 1000) / factor)
  if (kind === 'thread' && twentiethAt) ends.push(twentiethAt.getTime() + DAY)
  return Math.max(0, Math.ceil((Math.max(0, ...ends) - now.getTime()) / 1000))
}

/** Null: not from one of our forms, so the time is unknown. */
export const isTooQuick = (typedMs: number | null) => typedMs !== null && typedMs < TYPED_AT_LEAST_MS
