import { z } from 'zod'

/** No listing has more (selling/quick-edit-schemas.ts). */
export const MAX_COUNT = 10_000

/** How many of one listing somebody wants. Whether there are as many is the command's business. */
export const countField = z.int('field_cart_count').min(1, 'field_cart_count').max(MAX_COUNT, 'field_cart_count')

/** The same as a form sends it. */
export const typedCount = z
  .string()
  .regex(/^\s*\d{1,5}\s*$/, 'field_cart_count')
  .transform(Number)
  .pipe(countField)
