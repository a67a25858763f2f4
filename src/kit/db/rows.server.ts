import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from './db.ts'
import type { Locale } from '#src/kit/text/locale.ts'

/** Tests and development check every row, so a renamed column fails there and not in production. */
const isEachChecked = process.env.NODE_ENV !== 'production'

/**
 * Returns the rows of a hand-written statement, typed by their schema. Tests and development validate each row; production skips that to save time.
 * The schema only describes the driver's values (int8 and numeric as text) and never transforms them.
 */
export async function rowsOf<Row extends z.ZodType>(ctx: { db: Pick<Db, 'execute'> }, statement: SQL, row: Row): Promise<z.output<Row>[]> {
  const { rows } = (await ctx.db.execute(statement)) as { rows: z.output<Row>[] }
  if (isEachChecked) for (const each of rows) row.parse(each)
  return rows
}

export const localeShape: z.ZodType<Locale, Locale> = z.enum(['ta', 'en'])

/** int8 and numeric: text as a column, a number within JSON. */
export const longShape = z.union([z.string(), z.number()])

/** A moment in a hand-written statement, as the milliseconds that `new Date` takes. */
export const epochMs = (moment: SQL) => sql`floor(extract(epoch from ${moment}) * 1000)::float8`
