import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { longShape } from '#src/kit/db/rows.server.ts'
import { factsFrom, fieldTable, type Field, type FieldTable } from './field-table.ts'

/** The optional facts in a hand-written statement over `listings l`: their columns, the row's shape, and the facts from such a row. */

export const factSelect = (table: FieldTable = fieldTable): SQL =>
  sql.raw(
    Object.entries(table)
      .map(([name, { column }]) => `l.${column} as "${name}"`)
      .join(', '),
  )

/** The driver returns a `decimal` as text. */
const shapeOf = (field: Field): z.ZodType<number | string | null> =>
  (field.kind === 'choice' ? z.enum(Object.keys(field.choices)) : field.kind === 'decimal' ? longShape : z.number()).nullable()

export const factRowShape = <T extends FieldTable>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, field]) => [name, shapeOf(field)])) as {
    [Name in keyof T]: z.ZodType<number | string | null>
  }

export const factsOfRow = <T extends FieldTable>(row: { [Name in keyof T]: number | string | null }, table: T) =>
  factsFrom(table, (name, field) => (field.kind === 'decimal' && row[name] !== null ? Number(row[name]) : row[name]))
