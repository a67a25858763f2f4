import type { SQL } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'

/**
 * What waits for the viewer at one desk: a statement with a row for each case. Every domain with a desk has one (`waiting.server.ts`), with
 * the same columns, so that the office asks all desks in one statement (admin/desk-work.server.ts).
 *
 *     since timestamptz   from when on it waits
 *     title text          an animal's or a person's name, a number
 *     path text           where it is decided, without the language
 */
export type WaitingCases = (ctx: Ctx) => SQL

/** How long a case has waited, against its desk's target. */
export interface CaseAge {
  hours: number
  /** Hours it may wait. */
  target: number
  isLate: boolean
}

const HOUR = 3_600_000

export function ageOf(since: Date, now: Date, target: number): CaseAge {
  const hours = Math.max(0, Math.floor((now.getTime() - since.getTime()) / HOUR))
  return { hours, target, isLate: hours >= target }
}
