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
