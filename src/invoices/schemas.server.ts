import { z } from 'zod'
import { formRupees, sentRupees } from '#src/kit/time-money/money-schemas.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { settlementMethods } from './rules.ts'

const MAX_REFERENCE = 80

export const settledAmount = sentRupees('field_settle_amount')
export const typedAmount = formRupees('field_settle_amount')
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
    amount: typedAmount,
    method: settledMethod,
    reference: settledReference,
    day: settledDay,
    seen: z.coerce.number().int('field_wrong').default(0),
  })
  .transform(({ day, ...entry }) => ({ ...entry, paidOn: day }))
