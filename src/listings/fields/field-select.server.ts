import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { fieldTable, type FactsOf, type Field, type FieldTable } from './field-table.ts'

/** The optional facts in a hand-written statement over `listings l`: their columns and the shape that decodes them. */

export const factSelect = (table: FieldTable = fieldTable): SQL =>
  sql.raw(
    Object.entries(table)
      .map(([name, { column, kind }]) => `l.${column}${kind === 'decimal' ? '::float8' : ''} as "${name}"`)
      .join(', '),
  )

const shapeOf = (field: Field): z.ZodType<number | string | null> =>
  (field.kind === 'choice' ? z.enum(Object.keys(field.choices)) : z.number()).nullable()

export const factRowShape = <T extends FieldTable>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, field]) => [name, shapeOf(field)])) as {
    [Name in keyof T]: z.ZodType<FactsOf<T>[Name]>
  }
