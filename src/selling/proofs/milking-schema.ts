import { z } from 'zod'
import { plainDigits, singleLine } from '#src/kit/text/plain-text.ts'
import { MAX_LITRES, MILKING_TIMES } from '#src/listings/proofs/proof-rules.ts'

const ONE_DECIMAL = /^\d{1,3}([.,]\d)?$/

/** Input for one milking; the command compares the day with today. */
export const milkingInput = z.object({
  milkedOn: z.iso.date('field_milking_day'),
  time: z.enum(MILKING_TIMES, 'field_milking_time'),
  litres: z
    .string('field_milking_litres')
    .overwrite((text) => plainDigits(singleLine(text)))
    .regex(ONE_DECIMAL, 'field_milking_litres')
    .transform((text) => Number(text.replace(',', '.')))
    .refine((litres) => litres > 0 && litres <= MAX_LITRES, 'field_milking_litres'),
})
export type MilkingInput = z.output<typeof milkingInput>
