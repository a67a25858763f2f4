import { sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '../context.ts'

/**
 * A statement with one row per case that waits for the viewer at one desk: `caseColumns` and a `from`. Every domain with a desk has one
 * (`waiting.server.ts`), so the office queries all desks in one statement (admin/desk-work.server.ts).
 */
export type WaitingCases = (ctx: Ctx) => SQL

/** SQL for each column of a case; one that the desk does not know is null. */
interface CaseColumns {
  /** When the wait began. */
  since: SQL
  /** An animal's name, an order's number or the beginning of a text. */
  title?: SQL
  /** The page that decides the case, without the language. */
  path: SQL
  /** The name of the seller, buyer or other person whose case it is; empty when they are erased. */
  person?: SQL
  /** The money that the case is about, in 1/10,000 rupee. */
  amount?: SQL
  /** The number of sales in a case of the money desk, which has no title. */
  sales?: SQL
  /** The name of the person who handles the case now. */
  handler?: SQL
}

const none = sql`null`

/** The select list of a desk's cases. */
export const caseColumns = ({ since, path, title = none, person = none, amount = none, sales = none, handler = none }: CaseColumns): SQL =>
  sql`${since} as since, (${title})::text as title, ${path} as path, (${person})::text as person, (${amount})::numeric as amount,
    (${sales})::int as sales, (${handler})::text as handler`

/** The beginning of a letter or post, enough to recognise it. */
export const beginningOf = (text: SQL): SQL => sql`left(${text}, 60)`

export interface CaseAge {
  hours: number
  /** The target in hours. */
  target: number
  isLate: boolean
}

export const HOUR = 3_600_000

export function ageOf(since: Date, now: Date, target: number): CaseAge {
  const hours = Math.max(0, Math.floor((now.getTime() - since.getTime()) / HOUR))
  return { hours, target, isLate: hours >= target }
}
