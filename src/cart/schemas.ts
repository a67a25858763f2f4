import { z } from 'zod'
import { plainFigures } from '#src/kit/text/plain-text.ts'

/** The highest stock of a listing (selling/own/quick-edit-schemas.ts). */
export const MAX_COUNT = 10_000

/** The wanted count of one listing. The command checks the stock. */
export const countField = z.int('field_cart_count').min(1, 'field_cart_count').max(MAX_COUNT, 'field_cart_count')

/** The same as text from a form. */
export const typedCount = z
  .string()
  .overwrite(plainFigures)
  .regex(/^\d{1,5}$/, 'field_cart_count')
  .transform(Number)
  .pipe(countField)
