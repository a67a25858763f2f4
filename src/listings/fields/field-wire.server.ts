import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import { fieldTable, type Facts, type Field, type FieldTable } from './field-table.ts'

/** The facts by their wire names, for requests and for answers. */

type ByWireName<T extends FieldTable, Value> = { [Name in keyof T as T[Name]['wire']['name']]: Value }

/** A number or a text, read as typed text. A missing value equals an empty one. */
export const sentValue = z.union([leftTo('checkListing', z.string().max(40)), z.number()]).nullish()

function sent(field: Field) {
  const { sent: description } = field.wire
  if (field.kind === 'choice') return sentValue.openapi({ type: 'string', enum: Object.keys(field.choices), description })
  return sentValue.openapi({ type: field.kind === 'decimal' ? 'number' : 'integer', description })
}

export const sentFacts = <T extends FieldTable>(table: T) =>
  Object.fromEntries(Object.values(table).map((field) => [field.wire.name, sent(field)])) as ByWireName<T, typeof sentValue>

export const wireNamesOf = (table: FieldTable): Record<string, string> =>
  Object.fromEntries(Object.entries(table).map(([name, { wire }]) => [name, wire.name]))

/** The order of these facts in answers from before the field table. Later facts follow. */
const ANSWERED_FIRST = ['teethPairs', 'pregnancies', 'milkLitresPerDay', 'offspring', 'lactation', 'girthCm', 'lengthCm']

const inAnswers = (table: FieldTable): [string, Field][] => {
  const place = (name: string) => (ANSWERED_FIRST.includes(name) ? ANSWERED_FIRST.indexOf(name) : ANSWERED_FIRST.length)
  return Object.entries(table).toSorted(([a], [b]) => place(a) - place(b))
}

function answered(field: Field): z.ZodType<number | string | null> {
  const value = field.kind === 'choice' ? z.enum(Object.keys(field.choices)) : field.kind === 'decimal' ? z.number() : z.int()
  const { answered: description } = field.wire
  return description === undefined ? value.nullable() : value.nullable().openapi({ description })
}

export const answeredFacts = <T extends FieldTable>(table: T) =>
  Object.fromEntries(inAnswers(table).map(([, field]) => [field.wire.name, answered(field)])) as ByWireName<
    T,
    z.ZodType<number | string | null>
  >

export const factsOnWire = <T extends FieldTable = typeof fieldTable>(facts: Facts, table: T) =>
  Object.fromEntries(inAnswers(table).map(([name, field]) => [field.wire.name, facts[name as keyof Facts]])) as ByWireName<
    T,
    number | string | null
  >
