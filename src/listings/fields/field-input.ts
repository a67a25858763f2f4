import { z } from 'zod'
import { DECIMAL_DIGITS, type Field } from './field-table.ts'

/** Checks for one answer, given as text. `message` is the key of the error text. */

export const whole = (min: number, max: number, message: string) =>
  z
    .string()
    .regex(/^\d{1,6}$/, { error: message, abort: true })
    .transform(Number)
    .refine((n) => n >= min && n <= max, message)

export const decimal = (digits: number, max: number, message: string) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,5}(\\.\\d{1,${digits}})?$`), { error: message, abort: true })
    .transform(Number)
    .refine((n) => n <= max, message)

export function answerTo(field: Field): z.ZodType<number | string, string> {
  if (field.kind === 'choice') return z.enum(Object.keys(field.choices), field.refusal)
  if (field.kind === 'whole') return whole(field.min, field.max, field.refusal)
  const { min, max, step = 1, refusal } = field
  return decimal(DECIMAL_DIGITS, max, refusal).refine((n) => n >= min && Number.isInteger(n / step), refusal)
}
