import type { SQL } from 'drizzle-orm'
import type { Ctx } from '../context.ts'

/**
 * A statement with one row per case that waits for the viewer at one desk. Every domain with a desk has one (`waiting.server.ts`) with these columns,
 * so the office queries all desks in one statement (admin/desk-work.server.ts).
 *
 *     since timestamptz   when the wait began
 *     title text          an animal's or a person's name, a number
 *     path text           the page that decides the case, without the language
 *     whose text          who handles the case, where the desk knows that; null: nobody
 */
export type WaitingCases = (ctx: Ctx) => SQL

export interface CaseAge {
  hours: number
  /** The target in hours. */
  target: number
  isLate: boolean
}

const HOUR = 3_600_000

export function ageOf(since: Date, now: Date, target: number): CaseAge {
  const hours = Math.max(0, Math.floor((now.getTime() - since.getTime()) / HOUR))
  return { hours, target, isLate: hours >= target }
}
