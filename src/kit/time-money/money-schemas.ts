import { z } from 'zod'
import { leftTo } from '#src/kit/text/text.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { readRupees } from './amounts.ts'
import { MAX_AMOUNT_TEXT, parseRupees, TOTAL_DIGITS, type Money } from './money.ts'

const orIssue = (money: Money | null, message: string, context: z.core.$RefinementCtx): Money => {
  if (money !== null) return money
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}

/** An amount on the wire: a JSON number or a decimal string. Checks the text, so that nothing is rounded. */
export const sentRupees = (message: `field_${string}`) =>
  z
    .union([z.number(), leftTo('plainFigures', z.string().max(40))], message)
    .transform((value, context) => orIssue(parseRupees(plainFigures(String(value)), TOTAL_DIGITS), message, context))

/** An amount typed into a form, as people write it. */
export const formRupees = (message: `field_${string}`) =>
  z
    .string(message)
    .max(MAX_AMOUNT_TEXT, message)
    .transform((text, context) => orIssue(readRupees(text), message, context))
