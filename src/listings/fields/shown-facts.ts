import type { Locale } from '#src/kit/text/locale.ts'
import { plainMeasure } from '#src/kit/text/plain-text.ts'
import type { TypedListing } from './typed-figures.ts'
import { factsFrom, fieldTable, isAsked, type Facts, type Field, type FieldTable, type Place } from './field-table.ts'

export interface ShownFact {
  name: string
  label: string
  text: string
}

/** The facts of an animal that this place shows, in table order, without unanswered ones. */
export function shownFacts(
  animal: { categoryId: number } & Facts,
  place: Place,
  { locale, table = fieldTable }: { locale?: Locale; table?: typeof fieldTable } = {},
): ShownFact[] {
  const options = locale ? { locale } : {}
  const described = { categoryId: animal.categoryId, facts: factsFrom(table, (name) => animal[name]) }
  return Object.entries(table as FieldTable).flatMap(([name, field]) => {
    const value = animal[name as keyof Facts]
    if (value === null || !field.shownOn.includes(place)) return []
    const text = textOf(field, value, described, options)
    return text === null ? [] : [{ name, label: field.label({}, options), text }]
  })
}

function textOf(field: Field, value: number | string, ...[described, options]: Parameters<Describe>): string | null {
  if (field.kind === 'choice') return field.choices[value]?.label({}, options) ?? null
  return field.text ? field.text(Number(value), described, options) : String(value)
}
type Describe = (described: { categoryId: number; facts: Facts }, options: { locale?: Locale }) => void

/** The facts typed into a form so far. Null for questions that do not apply and for invalid answers. */
export function factsTyped(
  typed: TypedListing,
  { categoryId, genderId }: { categoryId: number | null; genderId: number | null },
  table: typeof fieldTable = fieldTable,
): Facts {
  return factsFrom(table, (name, field) => {
    const text = typed[name] ?? ''
    if (!isAsked(field, categoryId, genderId)) return null
    if (field.kind === 'choice') return Object.hasOwn(field.choices, text) ? text : null
    const figures = plainMeasure(text)
    return /^\d+(\.\d+)?$/.test(figures) ? Number(figures) : null
  })
}

/** The facts as form fields. */
export const typedFacts = (facts: Facts, table: FieldTable = fieldTable): Record<string, string> =>
  Object.fromEntries(
    Object.keys(table).flatMap((name) => {
      const value = facts[name as keyof Facts]
      return value === null ? [] : [[name, String(value)]]
    }),
  )
