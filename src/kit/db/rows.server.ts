import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from './database.server.ts'
import { quickly } from './quick-sql.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'

/** A renamed column fails here in a test, before anybody reads `undefined` in production. */
const isEachChecked = process.env.NODE_ENV !== 'production'

/**
 * The rows of a hand-written statement, typed by their schema. Tests and development hold each row against it; production does not spend
 * the time. The schema describes and never transforms: what it types is what the driver gives (int8 and numeric as text).
 */
export async function rowsOf<Row extends z.ZodType>(ctx: { db: Pick<Db, 'execute'> }, statement: SQL, row: Row): Promise<z.output<Row>[]> {
  const { rows } = (await ctx.db.execute(quickly(statement))) as { rows: z.output<Row>[] }
  if (isEachChecked) for (const each of rows) row.parse(each)
  return rows
}

export const localeShape: z.ZodType<Locale, Locale> = z.enum(['ta', 'en'])

/** int8 and numeric: text where they are a column, a number within JSON. */
export const longShape = z.union([z.string(), z.number()])
