import { sql, type $Type, type SQL } from 'drizzle-orm'
import { numeric, smallint, text } from 'drizzle-orm/pg-core'
import { DECIMAL_DIGITS, type Field, type FieldTable } from './field-table.ts'

/** The field table in the database: a column and a CHECK per fact. `tables.ts` adds them to `listings`. */

const wholeColumn = (name: string) => smallint(name)
const decimalColumn = (name: string, max: number) =>
  numeric(name, { precision: String(max).length + DECIMAL_DIGITS, scale: DECIMAL_DIGITS, mode: 'number' })
const choiceColumn = (name: string, codes: string[]) => text(name, { enum: codes as [string, ...string[]] })

type ColumnOf<F extends Field> = F extends { choices: infer Choices }
  ? $Type<ReturnType<typeof choiceColumn>, keyof Choices & string>
  : F extends { kind: 'decimal' }
    ? ReturnType<typeof decimalColumn>
    : ReturnType<typeof wholeColumn>

function columnOf(field: Field) {
  if (field.kind === 'choice') return choiceColumn(field.column, Object.keys(field.choices))
  return field.kind === 'decimal' ? decimalColumn(field.column, field.max) : wholeColumn(field.column)
}

/** By the name of the fact. */
export const factColumns = <T extends FieldTable>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([name, field]) => [name, columnOf(field)])) as { [Name in keyof T]: ColumnOf<T[Name]> }

/** Name and condition of each CHECK of `listings`. A fact for one sex must be null for the others (`gender_id`). */
export function factChecks(table: FieldTable): { name: string; condition: SQL }[] {
  return Object.values(table).map((field) => {
    const column = `"listings"."${field.column}"`
    const values =
      field.kind === 'choice'
        ? `${column} in (${Object.keys(field.choices)
            .map((code) => `'${code}'`)
            .join(', ')})`
        : `${column} between ${field.min} and ${field.max}`
    const { sex } = field.asked
    const ofSex = sex === undefined ? '' : ` and (${column} is null or "listings"."gender_id" = ${sex})`
    return { name: `listings_${field.column}`, condition: sql.raw(values + ofSex) }
  })
}
