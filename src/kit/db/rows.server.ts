import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from './db.ts'
import type { Locale } from '#src/kit/text/locale.ts'

/**
 * Returns the rows of a hand-written statement, decoded once by their shape: the statement names each column as callers
 * call it (`l.seller_id as "sellerId"`), and a row needs no mapping afterwards. A row that does not fit is a bug and is
 * refused. A shape is a constant of its file, because the first row compiles it; 24 rows of cards then take 0.01 ms.
 */
export async function rowsOf<Row extends z.ZodType>(ctx: Reader, statement: SQL, row: Row): Promise<z.output<Row>[]> {
  const { rows } = (await ctx.db.execute(statement)) as { rows: unknown[] }
  return rows.map((each) => row.parse(each))
}
type Reader = { db: Pick<Db, 'execute'> }

/** Returns the row of a hand-written statement that always has one, such as a count. */
export const oneRowOf = async <Row extends z.ZodType>(ctx: Reader, statement: SQL, row: Row): Promise<z.output<Row>> =>
  firstRow(await rowsOf(ctx, statement, row))

/** Returns the first row of a query that always has one. */
export function firstRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('The query returned no row.')
  return row
}

export const idRow = z.object({ id: z.number() })
export const countRow = z.object({ count: z.number() })
/** A row of which only the existence counts. */
export const anyRow = z.unknown()

export const localeShape: z.ZodType<Locale, Locale> = z.enum(['ta', 'en'])

/** An exact sum, as the text of an int8 or numeric. Within JSON the statement casts it to text, because a double would round it. */
export const moneyShape = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)

/** A moment in a hand-written statement, as the milliseconds that `momentShape` decodes. */
export const epochMs = (moment: SQL) => sql`floor(extract(epoch from ${moment}) * 1000)::float8`
export const momentShape = z.number().transform((ms) => new Date(ms))
