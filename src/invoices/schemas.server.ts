import { z } from 'zod'
import { formRupees, sentRupees } from '#src/kit/time-money/money-schemas.ts'
import { textLine } from '#src/kit/text/text.ts'
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

const MAX_NOTE = 300
export const settlementNote = textLine(MAX_NOTE)
