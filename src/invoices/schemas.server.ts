import { z } from 'zod'
import { parseRupees, TOTAL_DIGITS, type Money } from '#src/kit/time-money/money.ts'
import { plainFigures, singleLine } from '#src/kit/text/plain-text.ts'
import { settlementMethods } from './rules.ts'

const MAX_REFERENCE = 80

/** Accepts a JSON number or a decimal string. Checks the text, so that nothing is rounded. */
export const settledAmount = z.union([z.number(), z.string().max(40)], 'field_settle_amount').transform((value, check): Money => {
  const money = parseRupees(plainFigures(String(value)), TOTAL_DIGITS)
  if (money !== null) return money
  check.addIssue({ code: 'custom', message: 'field_settle_amount' })
  return z.NEVER
})
export const settledMethod = z.enum(settlementMethods, 'field_settle_method')
export const settledReference = z
  .string('field_settle_reference')
  .overwrite(singleLine)
  .max(MAX_REFERENCE, `At most ${MAX_REFERENCE} characters.`)
  .refine((text) => text !== '', 'field_settle_reference')
export const settledDay = z.iso.date('field_settle_day')

/** An admin's entry about a payment to a seller. `seen`: the id of the entry that it corrects; 0 for the first one. */
export const settlement = z
  .object({
    amount: settledAmount,
    method: settledMethod,
    reference: settledReference,
    day: settledDay,
    seen: z.coerce.number().int('field_wrong').default(0),
  })
  .transform(({ day, ...entry }) => ({ ...entry, paidOn: day }))
